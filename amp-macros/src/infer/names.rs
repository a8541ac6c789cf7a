//! What the paths of an item mean, and the constants that blocks declare. As in Rust, all of a block names them, functions in it too, and
//! they hide those of the same names around the block.
//!
//! rustc computes what names them outside of the function, so that each use takes the
//! declarations along that it sees.

use std::{cell::OnceCell, collections::HashMap, rc::Rc};

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, ItemConst, ItemFn};

use super::ty::{Arguments, Ty};

/// The constants of a block.
pub struct BlockConstants {
    declarations: Vec<TokenStream>,
    /// By their names; empty until the type is read, which may have others as lengths.
    types: HashMap<String, OnceCell<Ty>>,
    outer: Option<Rc<BlockConstants>>,
}

/// What tells the constants of a function apart: the expression, and the block whose constants it
/// names.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ConstKey {
    text: String,
    within: Option<*const BlockConstants>,
}

impl ConstKey {
    /// The key of an expression without spaces.
    pub fn new(text: &str, within: Option<&Rc<BlockConstants>>) -> Self {
        Self {
            text: text.to_owned(),
            within: within.map(Rc::as_ptr),
        }
    }
}

impl BlockConstants {
    /// Constants whose types are still to be read, and the functions that rustc computes them with.
    pub fn new(
        constants: &[&ItemConst],
        functions: &[&ItemFn],
        outer: Option<Rc<BlockConstants>>,
    ) -> Self {
        let names = constants.iter().map(|constant| constant.ident.to_string());
        let functions = functions.iter().map(ToTokens::to_token_stream);
        let declarations = constants.iter().map(ToTokens::to_token_stream);
        Self {
            declarations: declarations.chain(functions).collect(),
            types: names.map(|name| (name, OnceCell::new())).collect(),
            outer,
        }
    }

    /// Notes the type of a constant.
    pub fn has_type(&self, name: &Ident, ty: Ty) {
        self.types[&name.to_string()].get_or_init(|| ty);
    }

    /// The type of the constant of this name.
    pub fn ty(&self, name: &str) -> Option<Ty> {
        self.types.get(name)?.get().cloned()
    }

    /// The declarations of this block and of those around it, from the innermost outwards.
    pub fn declarations(&self) -> impl Iterator<Item = &[TokenStream]> {
        let blocks = std::iter::successors(Some(self), |block| block.outer.as_deref());
        blocks.map(|block| &*block.declarations)
    }
}

impl Names {
    /// The innermost block that declares something which an expression names.
    pub fn constants_in(
        &self,
        expr: &TokenStream,
        arguments: &Arguments,
    ) -> Option<Rc<BlockConstants>> {
        let mut block = self.constants.as_ref()?;
        let mut names = Vec::new();
        identifiers(expr, &mut names);
        names.retain(|name| !arguments.lengths.contains_key(name));
        while !names.iter().any(|name| block.types.contains_key(name)) {
            block = block.outer.as_ref()?;
        }
        Some(block.clone())
    }
}

fn identifiers(tokens: &TokenStream, names: &mut Vec<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => names.push(ident.to_string()),
            TokenTree::Group(group) => identifiers(&group.stream(), names),
            _ => {}
        }
    }
}

/// What the paths of an item mean.
#[derive(Clone, Default)]
pub struct Names {
    meanings: HashMap<String, Meaning>,
    /// The constants of the blocks around what is read.
    pub(super) constants: Option<Rc<BlockConstants>>,
}

/// What a path means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Index into [`Program::structs`].
    Struct(usize),
    /// Index into [`Program::enums`].
    Enum(usize),
    /// Index into [`Program::functions`].
    Function(usize),
    /// Index into [`Program::traits`].
    Trait(usize),
    /// An item that does not compile, which is reported where it is.
    Broken,
}

impl Names {
    /// Names by the paths that lead to them.
    pub(super) fn of(meanings: HashMap<String, Meaning>) -> Self {
        Self {
            meanings,
            constants: None,
        }
    }

    /// What `path` means in the item.
    pub fn get(&self, path: &str) -> Option<Meaning> {
        self.meanings.get(path).copied()
    }

    /// Gives a path a meaning.
    pub fn declare(&mut self, path: &str, meaning: Meaning) {
        self.meanings.insert(path.to_owned(), meaning);
    }

    /// Takes the names away that type parameters hide.
    pub fn hide(&mut self, generics: &Generics) {
        for parameter in generics.type_params() {
            self.meanings.remove(&parameter.ident.to_string());
        }
    }

    /// A path by which the item names something, if it does.
    pub fn path_of(&self, wanted: Meaning) -> Option<&str> {
        self.meanings
            .iter()
            .filter(|(_, meaning)| **meaning == wanted)
            .map(|(path, _)| path.as_str())
            .min()
    }
}
