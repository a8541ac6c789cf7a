//! Names in scope: variables by block, labels by nesting.
//!
//! Names are hygienic, as rustc has them: what a `macro_rules!` declares is not what the
//! tokens that it was given name.

use std::collections::HashMap;

use amp_spirv::tree::LabelId;
use proc_macro2::Ident;

use super::{ty::Ty, typed::Resolved};
use crate::{language::name::Name, report::Place};

/// Something that `break` can leave.
pub struct Jump {
    /// `'name`, if it has one.
    pub name: Option<Name>,
    /// Where its label is written, or the loop's keyword.
    pub place: Place,
    /// Its label.
    pub label: LabelId,
    /// A loop: `continue` and `break` without a name apply.
    pub is_loop: bool,
    /// Type of the values of its `break`s; `None` where `break` carries none.
    pub value: Option<Ty>,
    /// Whether any `break` leaves it.
    pub left: bool,
}

/// The scopes around a point.
#[derive(Default)]
pub struct Scopes {
    blocks: Vec<HashMap<Name, Resolved>>,
    /// From the outermost to the innermost.
    pub jumps: Vec<Jump>,
}

impl Scopes {
    /// Opens a block.
    pub fn enter(&mut self) {
        self.blocks.push(HashMap::new());
    }

    /// Closes the innermost block.
    pub fn leave(&mut self) {
        self.blocks.pop();
    }

    /// Declares a name in the innermost block.
    pub fn declare(&mut self, ident: &Ident, meaning: Resolved) {
        if self.blocks.is_empty() {
            self.enter();
        }
        let block = self.blocks.last_mut().expect("a block is open");
        block.insert(Name::of(ident), meaning);
    }

    /// What a name means here.
    pub fn get(&self, ident: &Ident) -> Option<Resolved> {
        let name = Name::of(ident);
        self.blocks
            .iter()
            .rev()
            .find_map(|block| block.get(&name).copied())
    }

    /// The names that stem from the same expansion as this one, the innermost first.
    pub fn names(&self, ident: &Ident) -> impl Iterator<Item = &str> {
        let own = Name::of(ident);
        let names = self.blocks.iter().rev().flat_map(HashMap::keys);
        names
            .filter(move |name| name.is_beside(&own))
            .map(Name::text)
    }

    /// What a `break` or `continue` with this label (or none) applies to.
    pub fn jump(&mut self, name: Option<&Name>) -> Option<&mut Jump> {
        self.jumps.iter_mut().rev().find(|jump| match name {
            Some(name) => jump.name.as_ref() == Some(name),
            None => jump.is_loop,
        })
    }
}
