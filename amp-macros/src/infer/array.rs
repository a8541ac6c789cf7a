//! Arrays that are made of their elements, and slices that have none.

use amp_spirv::diagnostic::Code;
use quote::ToTokens;
use syn::{Expr, ExprArray, ExprRepeat};

use super::{
    context::FnCx,
    ty::{Kind, Len, Ty},
    type_expr::{TypeScope, literal_usize},
};

/// Elements that can be written: an instruction of SPIR-V has 16 bits for the number of its
/// words, and three of them are no elements.
const MOST: usize = (1 << 16) - 1 - 3;

impl FnCx<'_> {
    /// Type of `[a, b, c]`.
    pub fn written_array(&mut self, array: &ExprArray) -> Ty {
        let count = array.elems.len();
        if count > MOST {
            self.report.error_help(
                Code::UnsupportedSyntax,
                array,
                format!("an array of {count} written elements, where at most {MOST} can be"),
                "pass the elements as a view",
            );
            return Ty::Error;
        }
        let element = self.unifier.fresh(Kind::Any);
        for part in &array.elems {
            let found = self.value(part);
            if !self.expect(&found, &element, part)
                && let Some(first) = array.elems.first()
            {
                self.report.note(first, "the first element has this type");
            }
        }
        if count == 0 {
            return self.empty_array(array);
        }
        Ty::Array(Box::new(element), Len::Literal(count as u32))
    }

    /// Type of `[a; LENGTH]`.
    pub fn repeated(&mut self, repeat: &ExprRepeat) -> Ty {
        let element = self.value(&repeat.expr);
        let length = self.length(&repeat.len);
        if literal_usize(&repeat.len) == Some(0) {
            return self.empty_array(repeat);
        }
        Ty::Array(Box::new(element), length)
    }

    /// Type of `&[]`: devices have slices without elements, but no such arrays.
    pub fn empty_slice(&mut self, argument: &Expr, array: &Expr, mutable: bool) -> Ty {
        let slice = Ty::Slice(Box::new(self.unifier.fresh(Kind::Any)));
        self.typed.note(array).ty = Some(slice.clone());
        let target = Box::new(slice);
        let ty = Ty::Reference { mutable, target };
        self.typed.note(argument).ty = Some(ty.clone());
        ty
    }

    fn empty_array(&mut self, array: &impl ToTokens) -> Ty {
        self.report.error_help(
            Code::UnsupportedType,
            array,
            "an empty array in a kernel",
            "give it at least one element; a slice may have none: `&[]`",
        );
        Ty::Error
    }
}
