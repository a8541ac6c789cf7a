//! Names of functions and closures that say a pointer to a function as their type: without it.
//!
//! ```text
//! let f: fn(f32) -> f32 = f32::sqrt;        let f = f32::sqrt;
//! let f: fn(u32) -> u32 = |x| x + 1;        let f = |x: u32| -> u32 { x + 1 };
//! ```
//!
//! Left out are pointers that are chosen or assigned: kernels call what a name tells.

use syn::{
    Expr, ExprClosure, Local, Pat, PatType, ReturnType, Token, Type, TypeFnPtr,
    parse_quote_spanned, spanned::Spanned,
};

use crate::visit::{self, VisitMut};

/// Rewrites what is visited.
pub struct FunctionPointers;

impl VisitMut for FunctionPointers {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit::visit_local_mut(self, local);
        if let Pat::Type(PatType { pat, ty, .. }) = &local.pat
            && let (Pat::Ident(name), Type::FnPtr(pointer)) = (&**pat, &**ty)
            && name.mutability.is_none()
            && let Some(init) = &mut local.init
        {
            match &mut *init.expr {
                Expr::Path(_) => {}
                Expr::Closure(closure) if closure.inputs.len() == pointer.inputs.len() => {
                    say_types(closure, pointer);
                }
                _ => return,
            }
            local.pat = (**pat).clone();
        }
    }
}

/// Gives a closure the types of a pointer, where it says none.
fn say_types(closure: &mut ExprClosure, pointer: &TypeFnPtr) {
    for (input, argument) in closure.inputs.iter_mut().zip(&pointer.inputs) {
        if !matches!(input, Pat::Type(_)) {
            *input = Pat::Type(PatType {
                attrs: Vec::new(),
                colon_token: Token![:](input.span()),
                pat: Box::new(input.clone()),
                ty: Box::new(argument.ty.clone()),
            });
        }
    }
    if let (ReturnType::Default, ReturnType::Type(..)) = (&closure.output, &pointer.output) {
        closure.output = pointer.output.clone();
        let body = &closure.body;
        *closure.body = parse_quote_spanned!(body.span()=> { #body });
    }
}
