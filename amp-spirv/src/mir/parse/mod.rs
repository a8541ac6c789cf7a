//! Reads the text form of a module: the inverse of [`text`](super::text).
//!
//! Values, instructions and regions get their numbers in the order of the text, so a module
//! that was read has no dead ones. It need not keep the rules of the form: a text can be read
//! that uses a value before its definition, or passes too few.

mod function;
#[cfg(test)]
mod tests;

use super::{Message, Module, Site, Types};
use crate::artifact::FaultKind;
use crate::proof::Proofs;
pub use crate::tree::text::read::ParseError;
use crate::tree::text::read::{MESSAGES, Result, Tokens, named};
use crate::tree::{Location, Span, TileStatic};

/// Kinds of faults but [`FaultKind::Message`], which has a number.
const FAULTS: &[FaultKind] = &[
    FaultKind::OutOfBounds,
    FaultKind::Section,
    FaultKind::Shape,
    FaultKind::Elements,
    FaultKind::ArrayOutOfBounds,
    FaultKind::DivisionByZero,
    FaultKind::DivisionOverflow,
    FaultKind::ZeroStep,
    FaultKind::LoopCut,
    FaultKind::EmptyClamp,
];

/// Reads a module from its text.
///
/// # Errors
///
/// If the text is not that of a module.
///
/// ```
/// let text = "kernel nothing over Index<1>\n\nfn nothing#0(%0: Index<1>) {\n    return\n}\n";
/// let module = amp_spirv::mir::parse(text)?;
/// assert_eq!(module.to_string(), text);
/// # Ok::<(), amp_spirv::mir::ParseError>(())
/// ```
pub fn parse(text: &str) -> Result<Module> {
    let mut tokens = Tokens::of(text)?;
    let head = tokens.head()?;
    Parser {
        tokens,
        module: Module {
            name: head.name,
            domain: head.domain,
            options: head.options,
            index: head.index,
            structs: head.structs,
            consts: head.consts,
            tile_statics: Vec::new(),
            types: Types::default(),
            sites: Vec::new(),
            messages: Vec::new(),
            functions: Vec::new(),
            pointwise: false,
            proofs: Proofs::default(),
            lanes: 1,
            merged: Vec::new(),
            files: Vec::new(),
            locations: Vec::new(),
        },
    }
    .module()
}

struct Parser {
    tokens: Tokens,
    module: Module,
}

impl Parser {
    fn module(mut self) -> Result<Module> {
        while !self.tokens.at_end() {
            match self.tokens.word()?.as_str() {
                "file" => {
                    let file = self.tokens.text()?;
                    self.module.files.push(file);
                }
                "tile_static" => {
                    let name = self.tokens.name();
                    self.tokens.item('@', self.module.tile_statics.len())?;
                    self.tokens.sign(':')?;
                    let ty = self.tokens.ty()?;
                    let span = self.span()?;
                    let item = TileStatic { name, ty, span };
                    self.module.tile_statics.push(item);
                }
                "site" => {
                    self.tokens.item('#', self.module.sites.len())?;
                    self.tokens.sign(':')?;
                    let kind = self.fault_kind()?;
                    let lane = match self.tokens.takes_word("lane") {
                        true => self.tokens.number()?,
                        false => 0,
                    };
                    let span = self.span()?;
                    self.module.sites.push(Site { kind, lane, span });
                }
                "message" => {
                    self.tokens.item('#', self.module.messages.len())?;
                    self.tokens.sign(':')?;
                    let kind = self.tokens.word()?;
                    let Some(kind) = named(MESSAGES, &kind) else {
                        return self.tokens.error(format!("`{kind}` is no kind of message"));
                    };
                    let format = self.tokens.text()?;
                    self.module.messages.push(Message { kind, format });
                }
                "proofs" => {
                    let (nodes, checks) = (self.bytes()?, self.bytes()?);
                    self.module.proofs = Proofs {
                        nodes: nodes.into(),
                        checks: checks.into(),
                    };
                }
                "lanes" => self.module.lanes = self.tokens.number()?,
                "merged" => self.module.merged = self.tokens.factors()?,
                "fn" => self.function()?,
                other => return self.tokens.error(format!("`{other}` starts no item")),
            }
        }
        Ok(self.module)
    }

    /// Bytes as hexadecimal digits in quotes.
    fn bytes(&mut self) -> Result<Vec<u8>> {
        let text = self.tokens.text()?;
        let bytes = (0..text.len().div_ceil(2)).map(|at| {
            let digits = text.get(2 * at..2 * at + 2)?;
            u8::from_str_radix(digits, 16).ok()
        });
        match bytes.collect() {
            Some(bytes) => Ok(bytes),
            None => self.tokens.error("these are no bytes"),
        }
    }

    fn fault_kind(&mut self) -> Result<FaultKind> {
        let name = self.tokens.word()?;
        if name == "Message" {
            return Ok(FaultKind::Message(self.tokens.number()?));
        }
        match named(FAULTS, &name) {
            Some(kind) => Ok(kind),
            None => self.tokens.error(format!("`{name}` is no kind of fault")),
        }
    }

    /// `!file:line:column`, or nothing for a place that is not known.
    fn span(&mut self) -> Result<Span> {
        let mut location = Location {
            file: 0,
            line: 0,
            column: 0,
        };
        if self.tokens.takes_sign('!') {
            location.file = self.tokens.number()?;
            self.tokens.sign(':')?;
            location.line = self.tokens.number()?;
            self.tokens.sign(':')?;
            location.column = self.tokens.number()?;
        }
        let locations = &mut self.module.locations;
        // Most are that of the instruction before.
        let known = locations.iter().rposition(|it| *it == location);
        let span = known.unwrap_or_else(|| {
            locations.push(location);
            locations.len() - 1
        });
        Ok(Span(span as u32))
    }
}
