//! Reads the text form of a module: the inverse of [`text`](super::text).
//!
//! Values, instructions and regions get their numbers in the order of the text, so a module
//! that was read has no dead ones. It need not keep the rules of the form: a text can be read
//! that uses a value before its definition, or passes too few.

mod function;
mod lex;
#[cfg(test)]
mod tests;

use std::fmt;

use self::lex::Tokens;
use super::names::{FAULTS, MESSAGES, named};
use super::{Message, Module, Site, Types};
use crate::artifact::FaultKind;
use crate::ir::{
    Const, ConstId, Domain, Field, IndexWidth, Len, Location, Scalar, Span, Struct, StructId,
    TileStatic, Type, View,
};
use crate::proof::Proofs;

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// What was expected there, and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

type Result<T> = std::result::Result<T, ParseError>;

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
    let tokens = Tokens::of(text)?;
    Parser {
        tokens,
        module: Module {
            name: String::new(),
            domain: Domain::Range { rank: 1 },
            index: IndexWidth::Bits32,
            structs: Vec::new(),
            consts: Vec::new(),
            tile_statics: Vec::new(),
            types: Types::default(),
            sites: Vec::new(),
            messages: Vec::new(),
            functions: Vec::new(),
            proofs: Proofs::default(),
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
        self.keyword("kernel")?;
        self.module.name = self.tokens.name();
        self.keyword("over")?;
        self.module.domain = self.domain()?;
        while !self.tokens.at_end() {
            match self.tokens.word()?.as_str() {
                "indices" => {
                    self.keyword("of")?;
                    self.module.index = match self.tokens.number()? {
                        32 => IndexWidth::Bits32,
                        64 => IndexWidth::Bits64,
                        _ => return self.tokens.error("indices have 32 or 64 bits"),
                    };
                    self.keyword("bits")?;
                }
                "struct" => self.structure()?,
                "const" => {
                    let name = self.tokens.name();
                    self.number('#', self.module.consts.len())?;
                    self.tokens.sign(':')?;
                    let ty = self.scalar()?;
                    self.module.consts.push(Const { name, ty });
                }
                "file" => {
                    let file = self.tokens.text()?;
                    self.module.files.push(file);
                }
                "tile_static" => {
                    let name = self.tokens.name();
                    self.number('@', self.module.tile_statics.len())?;
                    self.tokens.sign(':')?;
                    let ty = self.ty()?;
                    let span = self.span()?;
                    let item = TileStatic { name, ty, span };
                    self.module.tile_statics.push(item);
                }
                "site" => {
                    self.number('#', self.module.sites.len())?;
                    self.tokens.sign(':')?;
                    let kind = self.fault_kind()?;
                    let span = self.span()?;
                    self.module.sites.push(Site { kind, span });
                }
                "message" => {
                    self.number('#', self.module.messages.len())?;
                    self.tokens.sign(':')?;
                    let kind = self.tokens.word()?;
                    let Some(kind) = named(MESSAGES, &kind) else {
                        return self.tokens.error(format!("`{kind}` is no kind of message"));
                    };
                    let format = self.tokens.text()?;
                    self.module.messages.push(Message { kind, format });
                }
                "proofs" => {
                    let (nodes, checks, loops) = (self.bytes()?, self.bytes()?, self.bytes()?);
                    self.module.proofs = Proofs {
                        nodes: nodes.into(),
                        checks: checks.into(),
                        loops: loops.into(),
                    };
                }
                "fn" => self.function()?,
                other => return self.tokens.error(format!("`{other}` starts no item")),
            }
        }
        Ok(self.module)
    }

    fn keyword(&mut self, word: &str) -> Result<()> {
        match self.tokens.takes_word(word) {
            true => Ok(()),
            false => self.tokens.error(format!("expected `{word}`")),
        }
    }

    /// The number of an item, which is that of those before it.
    fn number(&mut self, sigil: char, expected: usize) -> Result<()> {
        match self.tokens.id(sigil)? as usize == expected {
            true => Ok(()),
            false => self.tokens.error(format!("this is number {expected}")),
        }
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

    fn domain(&mut self) -> Result<Domain> {
        if self.tokens.takes_word("Index") {
            let rank = self.rank()?;
            return Ok(Domain::Range { rank });
        }
        self.keyword("tiles")?;
        self.keyword("of")?;
        let mut tile = vec![self.len()?];
        while self.tokens.takes_word("x") {
            tile.push(self.len()?);
        }
        Ok(Domain::Tiled { tile })
    }

    fn structure(&mut self) -> Result<()> {
        let name = self.tokens.name();
        self.number('#', self.module.structs.len())?;
        self.tokens.sign('{')?;
        let mut fields = Vec::new();
        while !self.tokens.takes_sign('}') {
            let name = self.tokens.name();
            self.tokens.sign(':')?;
            let ty = self.ty()?;
            self.tokens.sign(',')?;
            fields.push(Field { name, ty });
        }
        self.module.structs.push(Struct { name, fields });
        Ok(())
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

    fn scalar(&mut self) -> Result<Scalar> {
        let name = self.tokens.word()?;
        match Scalar::from_name(&name) {
            Some(scalar) => Ok(scalar),
            None => self.tokens.error(format!("`{name}` is no scalar")),
        }
    }

    fn len(&mut self) -> Result<Len> {
        Ok(match self.tokens.takes_id('#') {
            Some(id) => Len::Const(ConstId(id)),
            None => Len::Literal(self.tokens.number()?),
        })
    }

    /// `<rank>`
    fn rank(&mut self) -> Result<u32> {
        self.tokens.sign('<')?;
        let rank = self.tokens.number()?;
        self.tokens.sign('>')?;
        Ok(rank)
    }

    fn ty(&mut self) -> Result<Type> {
        let tokens = &mut self.tokens;
        if tokens.takes_sign('!') {
            return Ok(Type::Never);
        }
        if tokens.takes_sign('<') {
            let scalar = self.scalar()?;
            self.tokens.sign(';')?;
            let components = self.tokens.number()?;
            self.tokens.sign('>')?;
            return Ok(Type::Vector(scalar, components));
        }
        if tokens.takes_sign('(') {
            let mut parts = Vec::new();
            while !self.tokens.takes_sign(')') {
                parts.push(self.ty()?);
                if !self.tokens.takes_sign(',') {
                    self.tokens.sign(')')?;
                    break;
                }
            }
            return Ok(match parts.is_empty() {
                true => Type::Unit,
                false => Type::Tuple(parts),
            });
        }
        if tokens.takes_sign('[') {
            let element = self.ty()?;
            self.tokens.sign(';')?;
            let len = self.len()?;
            self.tokens.sign(']')?;
            return Ok(Type::Array(Box::new(element), len));
        }
        if tokens.takes_sign('&') {
            return self.view_ty();
        }
        let name = tokens.takes_any_word().unwrap_or_default();
        if let Some(id) = self.tokens.takes_id('#') {
            return Ok(Type::Struct(StructId(id)));
        }
        match (name.as_str(), Scalar::from_name(&name)) {
            (_, Some(scalar)) => Ok(Type::Scalar(scalar)),
            ("Index", _) => Ok(Type::Index(self.rank()?)),
            ("Extent", _) => Ok(Type::Extent(self.rank()?)),
            ("TiledIndex", _) => Ok(Type::TiledIndex(self.rank()?)),
            _ => self.tokens.error(format!("`{name}` is no type")),
        }
    }

    fn view_ty(&mut self) -> Result<Type> {
        let mutable = self.tokens.takes_word("mut");
        self.keyword(match mutable {
            true => "ArrayViewMut",
            false => "ArrayView",
        })?;
        self.tokens.sign('<')?;
        let element = Box::new(self.ty()?);
        self.tokens.sign(',')?;
        let rank = self.tokens.number()?;
        self.tokens.sign('>')?;
        Ok(Type::View(View {
            element,
            rank,
            mutable,
        }))
    }
}
