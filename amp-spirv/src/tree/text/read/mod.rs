//! Reads what the text forms share: tokens, types, and the items that a module begins with.

mod lex;
mod tables;

pub use self::lex::ParseError;
pub(crate) use self::lex::{Token, Tokens};
pub(crate) use self::tables::*;
use crate::tree::{
    Const, ConstId, Domain, Field, IndexWidth, Len, Options, Scalar, Struct, StructId, Type, View,
};

pub(crate) type Result<T> = std::result::Result<T, ParseError>;

/// How a module begins.
pub(crate) struct Head {
    pub name: String,
    pub domain: Domain,
    pub options: Options,
    pub index: IndexWidth,
    pub structs: Vec<Struct>,
    pub consts: Vec<Const>,
}

impl Tokens {
    /// What `write_head` writes.
    pub fn head(&mut self) -> Result<Head> {
        self.keyword("kernel")?;
        let name = self.name();
        self.keyword("over")?;
        let mut head = Head {
            name,
            domain: self.domain()?,
            options: Options::default(),
            index: IndexWidth::Bits32,
            structs: Vec::new(),
            consts: Vec::new(),
        };
        loop {
            if head.options.read(self)? {
                continue;
            }
            if self.takes_word("indices") {
                head.index = self.index_width()?;
            } else if self.takes_word("struct") {
                head.structs.push(self.structure(head.structs.len())?);
            } else if self.takes_word("const") {
                head.consts.push(self.constant(head.consts.len())?);
            } else {
                return Ok(head);
            }
        }
    }

    /// `2 x 4`
    pub fn factors(&mut self) -> Result<Vec<u32>> {
        let mut factors = vec![self.number()?];
        while self.takes_word("x") {
            factors.push(self.number()?);
        }
        Ok(factors)
    }

    /// What comes behind `indices`.
    fn index_width(&mut self) -> Result<IndexWidth> {
        self.keyword("of")?;
        let width = match self.number()? {
            32 => IndexWidth::Bits32,
            64 => IndexWidth::Bits64,
            _ => return self.error("indices have 32 or 64 bits"),
        };
        self.keyword("bits")?;
        Ok(width)
    }

    /// What comes behind `const`.
    fn constant(&mut self, number: usize) -> Result<Const> {
        let name = self.name();
        self.item('#', number)?;
        self.sign(':')?;
        let ty = self.scalar()?;
        Ok(Const { name, ty })
    }

    /// What comes behind `struct`.
    fn structure(&mut self, number: usize) -> Result<Struct> {
        let name = self.name();
        self.item('#', number)?;
        self.sign('{')?;
        let mut fields = Vec::new();
        while !self.takes_sign('}') {
            let name = self.name();
            self.sign(':')?;
            let ty = self.ty()?;
            self.sign(',')?;
            fields.push(Field { name, ty });
        }
        Ok(Struct { name, fields })
    }

    pub fn keyword(&mut self, word: &str) -> Result<()> {
        match self.takes_word(word) {
            true => Ok(()),
            false => self.error(format!("expected `{word}`")),
        }
    }

    /// The number of an item, which is that of those before it.
    pub fn item(&mut self, sigil: char, expected: usize) -> Result<()> {
        match self.id(sigil)? as usize == expected {
            true => Ok(()),
            false => self.error(format!("this is number {expected}")),
        }
    }

    fn domain(&mut self) -> Result<Domain> {
        if self.takes_word("Index") {
            let rank = self.rank()?;
            return Ok(Domain::Range { rank });
        }
        self.keyword("tiles")?;
        self.keyword("of")?;
        let mut tile = vec![self.len()?];
        while self.takes_word("x") {
            tile.push(self.len()?);
        }
        Ok(Domain::Tiled { tile })
    }

    pub fn scalar(&mut self) -> Result<Scalar> {
        let name = self.word()?;
        match Scalar::from_name(&name) {
            Some(scalar) => Ok(scalar),
            None => self.error(format!("`{name}` is no scalar")),
        }
    }

    pub fn len(&mut self) -> Result<Len> {
        Ok(match self.takes_id('#') {
            Some(id) => Len::Const(ConstId(id)),
            None => Len::Literal(self.number()?),
        })
    }

    /// `<rank>`
    pub fn rank(&mut self) -> Result<u32> {
        self.sign('<')?;
        let rank = self.number()?;
        self.sign('>')?;
        Ok(rank)
    }

    pub fn ty(&mut self) -> Result<Type> {
        let tokens = &mut *self;
        if tokens.takes_sign('!') {
            return Ok(Type::Never);
        }
        if tokens.takes_sign('<') {
            let scalar = self.scalar()?;
            self.sign(';')?;
            let components = self.number()?;
            self.sign('>')?;
            return Ok(Type::Vector(scalar, components));
        }
        if tokens.takes_sign('(') {
            let mut parts = Vec::new();
            while !self.takes_sign(')') {
                parts.push(self.ty()?);
                if !self.takes_sign(',') {
                    self.sign(')')?;
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
            self.sign(';')?;
            let len = self.len()?;
            self.sign(']')?;
            return Ok(Type::Array(Box::new(element), len));
        }
        if tokens.takes_sign('&') {
            return self.view_ty();
        }
        let name = tokens.takes_any_word().unwrap_or_default();
        if let Some(id) = self.takes_id('#') {
            return Ok(Type::Struct(StructId(id)));
        }
        match (name.as_str(), Scalar::from_name(&name)) {
            (_, Some(scalar)) => Ok(Type::Scalar(scalar)),
            ("Index", _) => Ok(Type::Index(self.rank()?)),
            ("Extent", _) => Ok(Type::Extent(self.rank()?)),
            ("TiledIndex", _) => Ok(Type::TiledIndex(self.rank()?)),
            _ => self.error(format!("`{name}` is no type")),
        }
    }

    fn view_ty(&mut self) -> Result<Type> {
        let mutable = self.takes_word("mut");
        self.keyword(match mutable {
            true => "ArrayViewMut",
            false => "ArrayView",
        })?;
        self.sign('<')?;
        let element = Box::new(self.ty()?);
        self.sign(',')?;
        let rank = self.number()?;
        self.sign('>')?;
        Ok(Type::View(View {
            element,
            rank,
            mutable,
        }))
    }
}

/// The bits of a number of this type.
pub(crate) fn literal_bits(scalar: Scalar, text: &str) -> Option<u64> {
    match scalar {
        Scalar::F32 => text.parse().ok().map(|it: f32| it.to_bits().into()),
        Scalar::F64 => text.parse().ok().map(|it: f64| it.to_bits()),
        _ => text.parse().ok().map(|it: i128| it as u64),
    }
}

/// The bits that hexadecimal digits behind `0x` are.
pub(crate) fn hex_bits(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}
