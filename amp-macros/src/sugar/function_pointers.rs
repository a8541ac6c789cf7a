//! Names of functions and closures that say a pointer to a function as their type: without it.
//!
//! ```text
//! let f: fn(f32) -> f32 = f32::sqrt;        let f = f32::sqrt;
//! let f: fn(u32) -> u32 = |x| x + 1;        let f = |x: u32| -> u32 { x + 1 };
//! let f: fn(u32) -> u32 =                   let which = if c { 0 } else { 1 };
//!     if c { g } else { |x| x + 1 };        let f = |y: u32| -> u32 { match which { 0 => g(y), _ => .. } };
//! ```
//!
//! Left out are pointers that are assigned: kernels call what a name tells.

use proc_macro2::{Literal, Span};
use syn::{
    Arm, Block, Expr, ExprBlock, ExprClosure, Ident, Local, Pat, PatType, ReturnType, Stmt, Token,
    Type, TypeFnPtr, parse_quote_spanned, spanned::Spanned,
};

use super::chosen::{branches, leaves};
use crate::visit::{self, VisitMut};

/// Rewrites what is visited.
pub struct FunctionPointers;

impl VisitMut for FunctionPointers {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for statement in std::mem::take(&mut block.stmts) {
            match &statement {
                Stmt::Local(local) if let Some(chosen) = chosen(local) => {
                    block.stmts.extend(chosen);
                }
                _ => block.stmts.push(statement),
            }
        }
        visit::visit_block_mut(self, block);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        visit::visit_local_mut(self, local);
        if let Pat::Type(PatType { pat, ty, .. }) = &local.pat
            && let (Pat::Ident(name), Type::FnPtr(pointer)) = (&**pat, &**ty)
            && name.mutability.is_none()
            && let Some(init) = &mut local.init
        {
            match &mut *init.expr {
                Expr::Path(_) => {}
                Expr::Closure(closure) if is_of(closure, pointer) => say_types(closure, pointer),
                _ => return,
            }
            local.pat = (**pat).clone();
        }
    }
}

/// The number of the function that a name gets from an `if` or a `match`, and the closure that calls it.
fn chosen(local: &Local) -> Option<[Stmt; 2]> {
    let (Pat::Type(typed), Some(init)) = (&local.pat, &local.init) else {
        return None;
    };
    let (Pat::Ident(name), Type::FnPtr(pointer)) = (&*typed.pat, &*typed.ty) else {
        return None;
    };
    if name.mutability.is_some() || !matches!(*init.expr, Expr::If(_) | Expr::Match(_)) {
        return None;
    }
    let mut choice = (*init.expr).clone();
    let mut ends = Vec::new();
    branches(&mut choice, &mut ends, &|end| match end {
        Expr::Path(_) => true,
        Expr::Closure(closure) => is_of(closure, pointer),
        _ => false,
    })?;
    let span = init.expr.span();
    let mut functions: Vec<Expr> = Vec::new();
    for end in ends.into_iter().filter(|end| !leaves(end)) {
        let number = Literal::usize_unsuffixed(functions.len());
        let number = parse_quote_spanned!(span=> #number);
        functions.push(std::mem::replace(end, number));
    }
    let which = Ident::new("__amp_which", Span::mixed_site().located_at(span));
    let number = parse_quote_spanned!(span=> #which);
    let function = called_by_number(&number, functions, pointer, span);
    Some([
        parse_quote_spanned!(span=> let #which: u32 = #choice;),
        parse_quote_spanned!(span=> let #name = #function;),
    ])
}

/// The closure that calls the function of a number.
pub(super) fn called_by_number(
    number: &Expr,
    functions: Vec<Expr>,
    pointer: &TypeFnPtr,
    span: Span,
) -> Expr {
    let own = |name: &str| Ident::new(name, Span::mixed_site().located_at(span));
    let arguments: Vec<Ident> = (0..pointer.inputs.len())
        .map(|position| own(&format!("__amp_argument_{position}")))
        .collect();
    let mut arms: Vec<Arm> = Vec::new();
    for mut function in functions {
        let number = Literal::usize_unsuffixed(arms.len());
        let called: Expr = if let Expr::Closure(closure) = &mut function {
            say_types(closure, pointer);
            let called = own("__amp_function");
            parse_quote_spanned!(span=> { let #called = #function; #called(#(#arguments),*) })
        } else {
            parse_quote_spanned!(span=> #function(#(#arguments),*))
        };
        arms.push(parse_quote_spanned!(span=> #number => #called,));
    }
    if let Some(last) = arms.last_mut() {
        last.pat = parse_quote_spanned!(span=> _);
    }
    let types = pointer.inputs.iter().map(|input| &input.ty);
    let result: Type = match &pointer.output {
        ReturnType::Type(_, ty) => (**ty).clone(),
        ReturnType::Default => parse_quote_spanned!(span=> ()),
    };
    parse_quote_spanned! {span=>
        |#(#arguments: #types),*| -> #result { match #number { #(#arms)* } }
    }
}

/// Whether a closure has as many parameters as a pointer.
fn is_of(closure: &ExprClosure, pointer: &TypeFnPtr) -> bool {
    closure.inputs.len() == pointer.inputs.len()
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
        // Not read again: a body like `{ .. } as i32` is no statement.
        let mut block: ExprBlock = parse_quote_spanned!(closure.body.span()=> {});
        let body = (*closure.body).clone();
        block.block.stmts.push(Stmt::Expr(body, None));
        *closure.body = Expr::Block(block);
    }
}
