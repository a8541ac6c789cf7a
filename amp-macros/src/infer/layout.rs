//! Where vectors and structs of them lie in memory.
//!
//! With SSE2 or NEON glam aligns `Vec4`, `Mat2` and `Mat4` to 16 bytes, elsewhere to 4.
//! A struct of values is an element only if it has no padding under either, which makes
//! its layout the same everywhere.

use std::cmp::Reverse;

use amp_spirv::tree::{Scalar, multiple_of};

use super::{
    program::Program,
    ty::{Len, Ty},
};

/// Padding in a struct.
pub struct Padding {
    pub bytes: u32,
    /// The field behind it, if it is not the end.
    pub before: Option<usize>,
    /// What the place behind it is a multiple of.
    pub align: u32,
}

impl Padding {
    /// Where it is in a struct of these fields.
    pub fn place(&self, fields: &[(String, Ty)]) -> String {
        let bytes = self.bytes;
        let plural = if bytes == 1 { "" } else { "s" };
        match self.before.and_then(|position| fields.get(position)) {
            Some((name, _)) => format!("{bytes} byte{plural} of padding before the field `{name}`"),
            None => format!("{bytes} byte{plural} of padding behind the last field"),
        }
    }

    /// What a struct without it is like.
    pub fn filled(&self) -> String {
        let fill = match self.bytes {
            bytes if bytes % 4 == 0 => format!("a `[u32; {}]`", bytes / 4),
            bytes => format!("a `[u8; {bytes}]`"),
        };
        format!("order the fields, the widest first, or fill the gap with {fill}")
    }
}

/// The first padding in a `repr(C)` struct of these fields, if arrays can hold these: a struct of others is
/// passed field by field.
pub fn padding(program: &Program, fields: &[(String, Ty)]) -> Option<Padding> {
    let types = || fields.iter().map(|(_, ty)| ty);
    if !types().all(|ty| program.is_any_bytes(ty)) {
        return None;
    }
    let (mut end, mut widest) = (0, 1);
    for (position, ty) in types().enumerate() {
        let (size, align) = layout(program, ty);
        let bytes = gap(end, align);
        if bytes > 0 {
            let before = Some(position);
            return Some(Padding {
                bytes,
                before,
                align,
            });
        }
        end = end.saturating_add(size);
        widest = widest.max(align);
    }
    let (bytes, before, align) = (gap(end, widest), None, widest);
    (bytes > 0).then_some(Padding {
        bytes,
        before,
        align,
    })
}

/// Puts the fields of the struct by which arrays hold an enum in an order without padding: the widest first, and
/// a last one in what is left.
pub fn arrange(program: &Program, fields: &mut Vec<(String, Ty)>) {
    fields.sort_by_key(|(_, ty)| Reverse(layout(program, ty).1));
    let (mut end, mut widest, mut narrowest) = (0_u32, 1, 4);
    for (_, ty) in fields.iter() {
        let (size, align) = layout(program, ty);
        end = end.saturating_add(size);
        widest = widest.max(align);
        narrowest = narrowest.min(align);
    }
    let number = match narrowest {
        1 => Scalar::U8,
        2 => Scalar::U16,
        _ => Scalar::U32,
    };
    let count = gap(end, widest) / narrowest;
    if count > 0 {
        let filler = Ty::Array(Box::new(Ty::Scalar(number)), Len::Literal(count));
        fields.push(("filler".to_owned(), filler));
    }
}

/// Bytes from `offset` to the next multiple of `align`.
fn gap(offset: u32, align: u32) -> u32 {
    (align - offset % align) % align
}

/// Size and alignment where glam aligns most.
fn layout(program: &Program, ty: &Ty) -> (u32, u32) {
    let of_scalar = |scalar: Scalar| scalar.bits() / 8;
    match ty {
        Ty::Vector(Scalar::F32, 4) => (16, 16),
        Ty::Vector(scalar, count) => (count * of_scalar(*scalar), of_scalar(*scalar)),
        Ty::Matrix(3) => (36, 4),
        Ty::Matrix(count) => (4 * count * count, 16),
        Ty::Array(element, Len::Literal(count)) => {
            let (size, align) = layout(program, element);
            (size.saturating_mul(*count), align)
        }
        Ty::Struct(index, applied) => {
            let (mut end, mut widest) = (0_u32, 1);
            for (_, field) in &program.fields(*index, applied) {
                let (size, align) = layout(program, field);
                end = end.saturating_add(gap(end, align)).saturating_add(size);
                widest = widest.max(align);
            }
            (end.saturating_add(gap(end, widest)), widest)
        }
        _ => {
            let size = program.scalar(ty).map_or(4, of_scalar);
            (size, size)
        }
    }
}

/// The bytes of which the places of a type's values are multiples.
pub struct Places {
    /// In the host's memory, where glam aligns most.
    pub host: u32,
    /// In a view on a device.
    pub device: u32,
}

impl Places {
    /// Where the elements of a view are: they follow each other from its start.
    pub fn of_elements(program: &Program, ty: &Ty) -> Self {
        let (size, host) = layout(program, ty);
        let device = multiple_of(size);
        Places { host, device }
    }

    /// Where elements have to be: a device loads vectors as a whole.
    pub fn wanted(program: &Program, ty: &Ty) -> Self {
        let (_, host) = layout(program, ty);
        let device = whole(program, ty);
        Places { host, device }
    }
}

fn whole(program: &Program, ty: &Ty) -> u32 {
    match ty {
        Ty::Vector(..) => multiple_of(layout(program, ty).0),
        Ty::Matrix(count) => multiple_of(4 * count),
        Ty::Array(element, _) => whole(program, element),
        Ty::Struct(index, applied) => {
            let fields = program.fields(*index, applied);
            let wanted = fields.iter().map(|(_, field)| whole(program, field));
            wanted.max().unwrap_or(4)
        }
        _ => layout(program, ty).1,
    }
}
