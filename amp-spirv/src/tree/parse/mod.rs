//! Reads the text form of the tree: the inverse of [`text`](super::text).
//!
//! Variables are numbered in the order in which the text declares them, and each node has the
//! type that follows from its parts. The places of a tree that was read are those of its text,
//! which is the one file of the module. What is read need not keep the rules of the tree.

mod expr;
mod function;
mod place;
#[cfg(test)]
mod tests;

use super::{Location, Module, Span, TileStatic};
pub use crate::tree::text::read::ParseError;
use crate::tree::text::read::{Result, Tokens};

/// Reads a module from its text.
///
/// # Errors
///
/// If the text is not that of a module.
///
/// ```
/// let text = "kernel nothing over Index<1>\nfn nothing#0(i: Index<1>) {}\n";
/// let module = amp_spirv::tree::parse(text)?;
/// assert_eq!(module.to_string(), text);
/// # Ok::<(), amp_spirv::tree::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<Module> {
    let mut tokens = Tokens::of(text)?;
    let (line, column) = tokens.place();
    let head = tokens.head()?;
    let first = Location {
        file: 0,
        line,
        column,
    };
    let module = Module {
        name: head.name,
        domain: head.domain,
        domain_span: Span(0),
        options: head.options,
        index: head.index,
        structs: head.structs,
        consts: head.consts,
        tile_statics: Vec::new(),
        functions: Vec::new(),
        files: vec!["text".to_owned()],
        locations: vec![first],
    };
    Parser { tokens, module }.module()
}

struct Parser {
    tokens: Tokens,
    module: Module,
}

impl Parser {
    fn module(mut self) -> Result<Module> {
        while !self.tokens.at_end() {
            match self.tokens.word()?.as_str() {
                "tile_static" => {
                    let span = self.span();
                    let name = self.tokens.name();
                    self.tokens.item('@', self.module.tile_statics.len())?;
                    self.tokens.sign(':')?;
                    let ty = self.tokens.ty()?;
                    let item = TileStatic { name, ty, span };
                    self.module.tile_statics.push(item);
                }
                "fn" => self.function()?,
                other => return self.tokens.error(format!("`{other}` starts no item")),
            }
        }
        Ok(self.module)
    }

    /// The place of the next token.
    fn span(&mut self) -> Span {
        let (line, column) = self.tokens.place();
        let place = Location {
            file: 0,
            line,
            column,
        };
        let locations = &mut self.module.locations;
        if locations.last() != Some(&place) {
            locations.push(place);
        }
        Span(locations.len() as u32 - 1)
    }
}
