//! Constants of vector and matrix types, which the host hands over number by number.

use amp_spirv::ir::Scalar;
use quote::quote;

use super::Ty;
use crate::infer::{function::FnCx, program::ConstDef};

impl FnCx<'_> {
    /// Makes constants of the numbers of a constant that turned out to be a vector or
    /// matrix; false if it is none.
    pub fn take_constant_apart(&mut self, index: usize) -> bool {
        let ConstDef {
            expr,
            text,
            ty,
            span,
            ..
        } = &self.program.consts[index];
        let (scalar, count, array) = match ty {
            Ty::Vector(scalar, count) if *scalar != Scalar::Bool => {
                (*scalar, *count, quote!((#expr).to_array()))
            }
            Ty::Matrix(size) => (Scalar::F32, size * size, quote!((#expr).to_cols_array())),
            _ => return false,
        };
        let parts = (0..count as usize).map(|k| ConstDef {
            owner: self.owner,
            expr: quote!(#array[#k]),
            text: format!("{text}[{k}]"),
            ty: Ty::Scalar(scalar),
            span: *span,
        });
        let parts: Vec<ConstDef> = parts.collect();
        let first = self.program.consts.len();
        self.typed.constant_parts.insert(index, first);
        self.program.consts.extend(parts);
        true
    }
}
