//! Comparisons part by part: of tuples and arrays, and of structs that derive them.
//!
//! As in Rust, `<` and the like decide by the first parts that are not equal; where those
//! are not ordered, all four are false.

use amp_spirv::diagnostic::Code;
use amp_spirv::tree::BinaryOp;
use proc_macro2::Span;
use syn::{ExprBinary, spanned::Spanned};

use super::{
    context::{Class, FnCx},
    own_operator::is_equality,
    ty::Ty,
};

/// The trait that gives a comparison.
fn derive_of(op: BinaryOp) -> &'static str {
    match is_equality(op) {
        true => "PartialEq",
        false => "PartialOrd",
    }
}

impl FnCx<'_> {
    /// Type of a comparison of what has parts, if it is one.
    pub fn comparison_by_parts(
        &mut self,
        op: BinaryOp,
        binary: &ExprBinary,
        left: &Ty,
        right: &Ty,
    ) -> Option<Ty> {
        let (l, r) = (self.unifier.shallow(left), self.unifier.shallow(right));
        let has_parts = match (&l, &r) {
            (Ty::Struct(index, _), _) => self.program.structs[*index].derives(derive_of(op)),
            (Ty::Tuple(_) | Ty::Array(..), Ty::Tuple(_) | Ty::Array(..)) => true,
            _ => false,
        };
        if !op.is_comparison() || !has_parts {
            return None;
        }
        self.expect(&r, &l, &*binary.right);
        let whole = self.unifier.deep(&l);
        if self.program.has_own_comparison(op, &whole)
            && let Some(function) = self.program.compared(op, &whole)
        {
            let operands = [(left, &*binary.left), (right, &*binary.right)];
            let node = self.typed.id(binary);
            return Some(self.own_call(node, function, &operands, binary.op.span()));
        }
        self.typed.note(binary).by_parts = true;
        self.parts_compared(op, &l, binary.op.span());
        Some(Ty::BOOL)
    }

    fn parts_compared(&mut self, op: BinaryOp, ty: &Ty, span: Span) {
        let is_equality = is_equality(op);
        match self.unifier.shallow(ty) {
            Ty::Tuple(parts) => parts
                .iter()
                .for_each(|part| self.parts_compared(op, part, span)),
            Ty::Array(element, _) => self.parts_compared(op, &element, span),
            kept if let Some(target) = self.program.kept(&kept).cloned() => {
                self.parts_compared(op, &target, span);
            }
            Ty::Struct(index, applied) => {
                let definition = &self.program.structs[index];
                if definition.derives(derive_of(op)) {
                    for (_, field) in self.program.fields(index, &applied) {
                        self.parts_compared(op, &field, span);
                    }
                    return;
                }
                let message = format!(
                    "`{}` of a `{}` inside another value",
                    op.symbol(),
                    definition.name
                );
                let help = format!(
                    "derive it, `#[derive({})]`, or compare the fields one by one",
                    derive_of(op)
                );
                self.report.error_help(Code::Operator, span, message, help);
            }
            Ty::Unit | Ty::Vector(..) | Ty::Matrix(_) | Ty::Index(_) | Ty::Extent(_)
                if is_equality => {}
            other => self.oblige(&other, Class::Comparable, op.symbol(), span),
        }
    }
}
