//! Constants that blocks declare. As in Rust, all of a block names them, functions in it too, and
//! they hide those of the same names around the block.
//!
//! rustc computes what names them outside of the function, so that each use takes the
//! declarations along that it sees.

use std::{cell::OnceCell, collections::HashMap, rc::Rc};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Item, Path, Stmt};

use super::{
    function::FnCx,
    generic::Arguments,
    program::Names,
    ty::{Len, Ty},
};
use crate::import::siblings;

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

impl FnCx<'_> {
    /// Declares the constants of a block, which see each other. Gives the const parameters that
    /// they hide.
    pub fn block_constants(&mut self, block: &Block) -> Vec<(String, Len)> {
        let constants = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(Item::Const(constant)) => Some(constant),
            _ => None,
        });
        let constants: Vec<_> = constants.collect();
        if constants.is_empty() {
            return Vec::new();
        }
        let names = constants.iter().map(|constant| constant.ident.to_string());
        let hidden = names.filter_map(|name| self.arguments.lengths.remove_entry(&name));
        let hidden = hidden.collect();
        let names = constants.iter().map(|constant| constant.ident.to_string());
        let declared = Rc::new(BlockConstants {
            declarations: constants.iter().map(ToTokens::to_token_stream).collect(),
            types: names.map(|name| (name, OnceCell::new())).collect(),
            outer: self.names.constants.clone(),
        });
        self.names.constants = Some(declared.clone());
        for constant in constants {
            for attribute in &constant.attrs {
                self.attribute(attribute);
            }
            let ty = self.read_type(&constant.ty);
            declared.types[&constant.ident.to_string()].get_or_init(|| ty);
        }
        hidden
    }

    /// Whether a path names a constant, as the body or the file tells; nothing if neither does.
    pub fn is_constant(&self, path: &Path) -> Option<bool> {
        let expr = path.to_token_stream();
        let within = self.names.constants_in(&expr, &self.arguments);
        let key = ConstKey::new(&expr.to_string(), None);
        if within.is_some() || self.consts.contains_key(&key) {
            return Some(true);
        }
        let own = &self.program.functions[self.owner].item.sig.ident;
        siblings::names_constant(own, path)
    }
}
