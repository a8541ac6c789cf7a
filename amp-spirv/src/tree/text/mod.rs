//! What the text forms of the tree and of what is built from it share: names, types, and how a
//! module begins; and for those who read them, tokens.
//!
//! `#` before a number is a struct, constant, function or anything else of the module, `@` a
//! variable of the tile; a name before one of these is for people.

mod names;
#[cfg(feature = "testing")]
pub(crate) mod read;
mod variables;
mod write;

use std::fmt::{self, Formatter};

pub(crate) use self::names::*;
pub(super) use self::variables::*;
use crate::tree::{Const, Domain, IndexWidth, Len, Literal, Options, Scalar, Struct, Type};

/// Writes how a module begins: its kernel, structs and constants.
pub(crate) fn write_head(
    f: &mut Formatter<'_>,
    name: &str,
    domain: &Domain,
    options: &Options,
    index: IndexWidth,
    structs: &[Struct],
    consts: &[Const],
) -> fmt::Result {
    let name = Named(name);
    match domain {
        Domain::Range { rank } => writeln!(f, "kernel {name} over Index<{rank}>")?,
        Domain::Tiled { tile } => {
            let tile: Vec<String> = tile.iter().map(|len| len_text(*len)).collect();
            writeln!(f, "kernel {name} over tiles of {}", tile.join(" x "))?;
        }
    }
    options.write(f)?;
    if index == IndexWidth::Bits64 {
        writeln!(f, "indices of 64 bits")?;
    }
    for (id, item) in structs.iter().enumerate() {
        writeln!(f, "struct {}#{id} {{", Named(&item.name))?;
        for field in &item.fields {
            let name = Named(&field.name);
            writeln!(f, "    {name}: {},", type_text(structs, &field.ty))?;
        }
        writeln!(f, "}}")?;
    }
    for (id, item) in consts.iter().enumerate() {
        writeln!(f, "const {}#{id}: {}", Named(&item.name), item.ty.name())?;
    }
    Ok(())
}

/// How many threads are merged in each dimension.
pub(crate) fn factors_text(factors: &[u32]) -> String {
    let factors: Vec<String> = factors.iter().map(u32::to_string).collect();
    factors.join(" x ")
}

pub(crate) fn len_text(len: Len) -> String {
    match len {
        Len::Literal(len) => len.to_string(),
        Len::Const(id) => format!("#{}", id.0),
    }
}

/// A type, of a module with these structs.
pub(crate) fn type_text(structs: &[Struct], ty: &Type) -> String {
    let text = |ty: &Type| type_text(structs, ty);
    match ty {
        Type::Unit => "()".into(),
        Type::Never => "!".into(),
        Type::Scalar(scalar) => scalar.name().into(),
        Type::Vector(scalar, components) => format!("<{}; {components}>", scalar.name()),
        Type::Tuple(parts) => {
            let texts: Vec<String> = parts.iter().map(text).collect();
            let comma = if parts.len() == 1 { "," } else { "" };
            format!("({}{comma})", texts.join(", "))
        }
        Type::Array(element, len) => format!("[{}; {}]", text(element), len_text(*len)),
        Type::Struct(id) => {
            let item = structs.get(id.0 as usize);
            let name = item.map_or("", |item| prefix(&item.name));
            format!("{name}#{}", id.0)
        }
        Type::Index(rank) => format!("Index<{rank}>"),
        Type::Extent(rank) => format!("Extent<{rank}>"),
        Type::TiledIndex(rank) => format!("TiledIndex<{rank}>"),
        Type::View(view) => {
            let name = match view.mutable {
                true => "&mut ArrayViewMut",
                false => "&ArrayView",
            };
            format!("{name}<{}, {}>", text(&view.element), view.rank)
        }
    }
}

/// A literal without its type, if it can be written as a number: a float only where that is
/// exact.
pub(crate) fn literal_text(literal: Literal) -> Option<String> {
    match literal {
        Literal::Bool(value) => Some(value.to_string()),
        Literal::F32(bits) if f32::from_bits(bits).is_finite() => {
            Some(format!("{:?}", f32::from_bits(bits)))
        }
        Literal::Other(Scalar::F64, bits) if f64::from_bits(bits).is_finite() => {
            Some(format!("{:?}", f64::from_bits(bits)))
        }
        _ => literal.integer().map(|value| value.to_string()),
    }
}

/// A literal with its type.
fn typed_literal(literal: Literal) -> String {
    let name = literal.scalar().name();
    match (literal, literal_text(literal)) {
        (Literal::Bool(value), _) => value.to_string(),
        (_, Some(text)) => text + name,
        (_, None) => format!("{name}({:#x})", literal.bits()),
    }
}
