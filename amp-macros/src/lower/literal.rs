//! Literals.

use amp_spirv::tree;
use syn::Lit;

use super::FnLower;

impl FnLower<'_, '_> {
    /// The value of a literal of this type: one of type `usize` has the bits that a `usize` has
    /// in this kernel.
    pub(super) fn literal(&self, literal: &Lit, ty: &tree::Type) -> tree::Literal {
        let scalar = ty.scalar().unwrap_or(tree::Scalar::I32);
        literal_value(literal, self.program.index.settled(scalar))
    }
}

fn literal_value(literal: &Lit, scalar: tree::Scalar) -> tree::Literal {
    let bits = match (scalar, literal) {
        (_, Lit::Bool(bool)) => return tree::Literal::Bool(bool.value),
        (_, Lit::Byte(byte)) => byte.value().into(),
        (tree::Scalar::F32, _) => digits(literal)
            .parse::<f32>()
            .map_or(0, f32::to_bits)
            .into(),
        (tree::Scalar::F64, _) => digits(literal).parse::<f64>().map_or(0, f64::to_bits),
        // Negative in a pattern.
        _ => digits(literal).parse::<i128>().unwrap_or(0) as u64,
    };
    tree::Literal::new(scalar, bits)
}

/// The number in a literal: `1_f32` parses as an integer literal.
fn digits(literal: &Lit) -> &str {
    match literal {
        Lit::Int(int) => int.base10_digits(),
        Lit::Float(float) => float.base10_digits(),
        _ => "0",
    }
}
