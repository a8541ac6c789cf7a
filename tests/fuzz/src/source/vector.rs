//! Vectors and halves as Rust: glam's and `half`'s names for what numbers have operators
//! for.

use amp_spirv::tree::*;

use super::print::Printer;

/// What glam calls a vector.
pub fn name(scalar: Scalar, components: u32) -> String {
    let prefix = match scalar {
        Scalar::F32 => "",
        Scalar::F64 => "D",
        Scalar::I32 => "I",
        Scalar::U32 => "U",
        Scalar::Bool => "B",
        other => panic!("{other:?} makes no vectors"),
    };
    format!("{prefix}Vec{components}")
}

/// The name of a component.
pub fn component(k: u32) -> char {
    ['x', 'y', 'z', 'w'][k as usize]
}

impl Printer<'_> {
    /// `value as ty`
    pub fn cast(&mut self, value: &Expr, ty: &Type) -> String {
        let text = self.expr(value);
        match (&value.ty, ty) {
            (_, Type::Vector(scalar, components)) => {
                let target = name(*scalar, *components).to_lowercase();
                format!("{text}.as_{target}()")
            }
            (Type::Scalar(from), Type::Scalar(to)) if from.is_half() => {
                format!("{text}.to_{}()", to.name())
            }
            (Type::Scalar(_), Type::Scalar(to)) if to.is_half() => {
                format!("{}::from_f32({text})", to.name())
            }
            _ => format!("({text} as {})", self.ty(ty)),
        }
    }

    /// A comparison of vectors.
    pub fn vector_comparison(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> String {
        let method = match op {
            BinaryOp::Eq => "cmpeq",
            BinaryOp::Ne => "cmpne",
            BinaryOp::Lt => "cmplt",
            BinaryOp::Le => "cmple",
            BinaryOp::Gt => "cmpgt",
            _ => "cmpge",
        };
        format!("{}.{method}({})", self.expr(left), self.expr(right))
    }
}
