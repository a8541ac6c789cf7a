//! `size_of::<T>()` and `align_of::<T>()`: constants that rustc computes, of types that are the same
//! on the host and on a device.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use quote::ToTokens;
use syn::{Expr, ExprCall, GenericArgument, Path, spanned::Spanned};

use super::{
    context::FnCx,
    program::Program,
    ty::{Len, Ty},
    type_expr::turbofish,
    typed::Callee,
};
use crate::language::core::function_at;

impl FnCx<'_> {
    /// Type of such a call, if it is one.
    pub fn size(&mut self, expr: &Expr, call: &ExprCall, path: &Path, text: &str) -> Option<Ty> {
        let name = function_at(text).filter(|name| matches!(*name, "size_of" | "align_of"))?;
        let arguments = turbofish(path).map(|it| it.args.iter().collect::<Vec<_>>());
        let Some([GenericArgument::Type(written)]) = arguments.as_deref() else {
            let help = format!("write it: `{name}::<f32>()`");
            let message = format!("`{name}` without its type");
            self.report
                .error_help(Code::UnknownType, &call.func, message, help);
            return Some(Ty::Error);
        };
        self.arguments(name, &call.args.iter().collect::<Vec<_>>(), &[], &call.func);
        let ty = self.read_type(written);
        if ty == Ty::Error {
            return Some(Ty::Error);
        }
        if !is_fixed(&ty, self.program) {
            let message = format!("`{name}` of {}", self.show(&ty));
            let help = "name a type of fixed width: numbers but `usize` and `isize`, and arrays, \
                        structs and vectors of these";
            self.report
                .error_help(Code::UnsupportedType, written, message, help);
            return Some(Ty::Error);
        }
        let tokens = call.to_token_stream();
        let constant = self.constant(tokens, Some(Ty::USIZE), call.func.span());
        self.typed.note(expr).callee = Some(Callee::ArrayLength(Len::Const(constant)));
        Some(Ty::USIZE)
    }
}

/// Whether a type is as wide on a device as on the host.
fn is_fixed(ty: &Ty, program: &Program) -> bool {
    match ty {
        Ty::Scalar(scalar) => !matches!(scalar, Scalar::Usize | Scalar::Isize),
        Ty::Vector(..) | Ty::Matrix(_) => true,
        Ty::Array(element, Len::Literal(_)) => is_fixed(element, program),
        Ty::Struct(index, applied) if applied.is_empty() && program.standard_name(ty).is_none() => {
            let fields = &program.structs[*index].fields;
            fields.iter().all(|(_, field)| is_fixed(field, program))
        }
        _ => false,
    }
}
