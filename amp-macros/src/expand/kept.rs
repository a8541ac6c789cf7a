//! References that are values, in the host version: `Kept`, which borrows the place as Rust's own do.
//!
//! ```text
//! let best: Option<&P> = Some(&a[i]);      let best: Option<Kept<P>> = Some(Kept::from(a.place(i).named()));
//! fn find(..) -> Option<&P> { body }       fn find(..) -> Option<&P> { (|| body)().map(Kept::reference) }
//! find(..)                                 find(..).map(Kept::from)
//! fn value(o: Option<&P>) { body }         fn value(o: Option<&P>) { let o = o.map(Kept::from); body }
//! value(best)                              value(best.map(Kept::reference))
//! ```

use quote::quote_spanned;
use syn::{Block, Expr, FnArg, ItemFn, Local, Pat, parse_quote_spanned, spanned::Spanned};

use super::{
    host_version::{HostVersion, run_time},
    pattern::say_type,
    types,
};
use crate::infer::{Callee, bare};

impl HostVersion<'_> {
    /// `&place`, or a reference by its name, as a value.
    pub(super) fn kept_value(&mut self, reference: &mut Expr) {
        let span = reference.span();
        let kept = run_time("Kept", span);
        let place = match &*reference {
            Expr::Reference(reference) => &*reference.expr,
            name => name,
        };
        let is_shared = self.is_shared(place);
        self.lent_argument(reference, is_shared);
        *reference = Expr::Verbatim(match is_shared {
            true => {
                let shared = run_time("Ref", span);
                quote_spanned!(span=> #kept::from(#shared::from(#reference)))
            }
            false => quote_spanned!(span=> #kept::from(#reference)),
        });
    }

    /// What a function of the program returns, and whether it is one.
    pub(super) fn kept_of_call(&mut self, call: &mut Expr, callee: &Callee) -> bool {
        let is_own = matches!(callee, Callee::Helper(index) if !self.program.is_standard(*index));
        if is_own {
            let span = call.span();
            let kept = run_time("Kept", span);
            *call = Expr::Verbatim(quote_spanned!(span=> #call.map(#kept::from)));
        }
        is_own
    }

    /// Whether an expression calls a function that returns an `Option<&T>`, and methods of that.
    pub(super) fn finds_kept(&self, expr: &Expr) -> bool {
        let function = self.function.typed.of(bare(expr)).helper();
        let is_found = function.is_some_and(|index| {
            let is_own = !self.program.is_standard(index);
            is_own
                && self
                    .program
                    .holds_kept(&self.program.functions[index].result)
        });
        match bare(expr) {
            Expr::MethodCall(call) => is_found || self.finds_kept(&call.receiver),
            Expr::Call(_) => is_found,
            _ => false,
        }
    }

    /// The body of a function whose result is an `Option<&T>`.
    pub(super) fn kept_result(&self, body: &mut Block) {
        if !self.program.holds_kept(self.result) {
            return;
        }
        let span = body.span();
        let kept = run_time("Kept", span);
        if let Some(ty) = types::written(self.program, self.function, self.result) {
            *body = parse_quote_spanned! {span=> {
                let __amp_found: #ty = (|| -> #ty #body)();
                __amp_found.map(#kept::reference)
            } };
        }
    }

    /// Converts the parameters that are `Option<&T>`, before the body.
    pub(super) fn kept_parameters(&self, item: &mut ItemFn) {
        let inputs = item.sig.inputs.iter_mut().zip(&self.function.params);
        for (input, param) in inputs {
            let FnArg::Typed(typed) = input else { continue };
            let Pat::Ident(name) = &mut *typed.pat else {
                continue;
            };
            if !self.program.holds_kept(&param.ty) {
                continue;
            }
            // What it is converted to changes.
            name.mutability = None;
            let (name, span) = (&name.ident, name.span());
            let kept = run_time("Kept", span);
            item.block.stmts.insert(
                0,
                parse_quote_spanned! {span=>
                    #[allow(unused_mut, unused_variables)]
                    let mut #name = #name.map(#kept::from);
                },
            );
        }
    }

    /// What a function of the program takes as Rust's own references.
    pub(super) fn kept_arguments<'e>(
        &self,
        arguments: impl IntoIterator<Item = &'e mut Expr>,
        callee: Option<&Callee>,
    ) {
        let Some(Callee::Helper(index)) = callee else {
            return;
        };
        if self.program.is_standard(*index) {
            return;
        }
        let params = &self.program.functions[*index].params;
        for (argument, param) in arguments.into_iter().zip(params) {
            if self.program.holds_kept(&param.ty) {
                let span = argument.span();
                let kept = run_time("Kept", span);
                *argument = Expr::Verbatim(quote_spanned!(span=> #argument.map(#kept::reference)));
            }
        }
    }

    /// The type of a `let` that has another in the host version.
    pub(super) fn without_kept(&self, local: &mut Local) {
        if let Pat::Type(typed) = &local.pat
            && let Pat::Ident(name) = &*typed.pat
            && let Some(variable) = self.function.typed.of(name).local
            && let ty = &self.function.typed.locals[variable.0 as usize].ty
            && self.program.holds_kept(ty)
            && let Some(ty) = types::written(self.program, self.function, ty)
        {
            local.pat = (*typed.pat).clone();
            say_type(&mut local.pat, ty);
        }
    }
}
