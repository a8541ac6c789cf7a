//! Names in scope: variables by block, labels by nesting.

use std::collections::HashMap;

use amp_spirv::ir::LabelId;

use super::{function::Resolved, ty::Ty};

/// Something that `break` can leave.
pub struct Jump {
    /// `'name`, if it has one.
    pub name: Option<String>,
    /// Its label.
    pub label: LabelId,
    /// A loop: `continue` and `break` without a name apply.
    pub is_loop: bool,
    /// Type of the values of its `break`s; `None` where `break` carries none.
    pub value: Option<Ty>,
    /// Whether any `break` leaves it.
    pub left: bool,
}

/// `r#name` is `name`.
fn bare(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// The scopes around a point.
#[derive(Default)]
pub struct Scopes {
    blocks: Vec<HashMap<String, Resolved>>,
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
    pub fn declare(&mut self, name: &str, meaning: Resolved) {
        if self.blocks.is_empty() {
            self.enter();
        }
        let block = self.blocks.last_mut().expect("a block is open");
        block.insert(bare(name).to_owned(), meaning);
    }

    /// What a name means here.
    pub fn get(&self, name: &str) -> Option<Resolved> {
        self.blocks
            .iter()
            .rev()
            .find_map(|block| block.get(bare(name)).copied())
    }

    /// What a `break` or `continue` with this label (or none) applies to.
    pub fn jump(&mut self, name: Option<&str>) -> Option<&mut Jump> {
        self.jumps.iter_mut().rev().find(|jump| match name {
            Some(name) => jump.name.as_deref() == Some(name),
            None => jump.is_loop,
        })
    }
}
