//! Padding in structs of vectors.
//!
//! With SSE2 or NEON glam aligns `Vec4`, `Mat2` and `Mat4` to 16 bytes, elsewhere to 4.
//! A struct is fit for kernels only if it has no padding under either, which makes its
//! layout the same everywhere.

use super::Ty;
use crate::infer::program::Program;

/// Padding in a struct: bytes, and the field behind it, if it is not the end.
pub struct Padding {
    pub bytes: u32,
    pub before: Option<usize>,
}

/// The first padding in a `repr(C)` struct of these fields.
pub fn padding(program: &Program, fields: &[(String, Ty)]) -> Option<Padding> {
    let mut offset = 0_u32;
    let mut widest = 1;
    for (position, (_, ty)) in fields.iter().enumerate() {
        let (size, align) = layout(program, ty);
        let bytes = offset.next_multiple_of(align) - offset;
        if bytes > 0 {
            let before = Some(position);
            return Some(Padding { bytes, before });
        }
        offset = offset.saturating_add(size);
        widest = widest.max(align);
    }
    let bytes = offset.checked_next_multiple_of(widest)? - offset;
    (bytes > 0).then_some(Padding {
        bytes,
        before: None,
    })
}

/// Size and alignment where glam aligns most.
fn layout(program: &Program, ty: &Ty) -> (u32, u32) {
    match ty {
        Ty::Vector(scalar, 4) if !scalar.is_integer() => (16, 16),
        Ty::Vector(_, count) => (4 * count, 4),
        Ty::Matrix(3) => (36, 4),
        Ty::Matrix(count) => (4 * count * count, 16),
        Ty::Array(element, super::Len::Literal(count)) => {
            let (size, align) = layout(program, element);
            (size.saturating_mul(*count), align)
        }
        Ty::Struct(index) => program.structs[*index]
            .fields
            .iter()
            .map(|(_, field)| layout(program, field))
            .fold((0, 1), |(sum, widest), (size, align)| {
                (sum + size, widest.max(align))
            }),
        _ => (4, 4),
    }
}
