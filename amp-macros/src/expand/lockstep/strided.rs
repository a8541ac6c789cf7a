//! [`Strided`]: loops in which each thread begins one element behind the thread before it:
//!
//! ```text
//! for i in (idx[0]..n).step_by(stride) {         for first in (idx[0]..n).step_by(stride) {
//!     sum += a[i];                                   let row = row.up_to(first, n);
//! }                                                  let a = a.along(&row, first, ..);
//!                                                    for thread in 0..row.count() {
//!                                                        sums[thread] += a[thread];
//! ```
//!
//! The first thread of a row goes through as many rounds as any, and the threads that take part in a round are
//! the first ones of the row.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprForLoop, Pat, RangeLimits, visit::Visit, visit_mut::VisitMut};

use super::{
    emit::{Derived, Emit, row},
    plan::Piece,
    rows::thread,
    shape::{Shape, Shapes},
};
use crate::{
    expand::place::own,
    infer::{Ty, bare},
};

/// See the module's documentation.
pub(super) struct Strided<'e> {
    start: &'e Expr,
    end: &'e Expr,
    step: Option<&'e Expr>,
}

impl<'e> Strided<'e> {
    /// The range of a `for`, if it is such a loop's.
    pub(super) fn of(shapes: &Shapes<'_>, range: &'e Expr) -> Option<Self> {
        let found = match bare(range) {
            Expr::Range(range) if matches!(range.limits, RangeLimits::HalfOpen(_)) => Self {
                start: range.start.as_deref()?,
                end: range.end.as_deref()?,
                step: None,
            },
            Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => Self {
                step: call.args.first(),
                ..Self::of(shapes, &call.receiver)?
            },
            _ => return None,
        };
        let is_of_row = |expr: &Expr| shapes.shape(expr).is_of_row() && !shapes.quiet.may_act(expr);
        let is_strided = shapes.shape(found.start) == Shape::Step
            && *shapes.function.typed.ty(found.start) == Ty::USIZE
            && !shapes.quiet.may_act(found.start)
            && is_of_row(found.end)
            && found.step.is_none_or(is_of_row);
        is_strided.then_some(found)
    }
}

/// The end of a range.
fn end_of(range: &mut Expr) -> Option<&mut Expr> {
    match range {
        Expr::Paren(paren) => end_of(&mut paren.expr),
        Expr::Group(group) => end_of(&mut group.expr),
        Expr::MethodCall(call) => end_of(&mut call.receiver),
        Expr::Range(range) => range.end.as_deref_mut(),
        _ => None,
    }
}

impl Emit<'_, '_> {
    /// What a row does in such a loop.
    pub(super) fn strided(&mut self, round: &mut ExprForLoop, pieces: &[Piece]) -> TokenStream {
        let Pat::Ident(name) = &*round.pat else {
            return TokenStream::new();
        };
        let (row, thread) = (row(), thread());
        let (first, end) = (own("__amp_first"), own("__amp_end"));
        let reads = self.shapes.read(|read| read.visit_expr(&round.expr));
        let prelude = self.of_row(&reads);
        self.derived.push(Derived {
            declared: self.shapes.declared(&round.pat),
            reads: HashSet::new(),
            tokens: quote!(let #name = #first + #thread;),
        });
        let mut last = TokenStream::new();
        if let Some(end_of_range) = end_of(&mut round.expr) {
            self.host.visit_expr_mut(end_of_range);
            last = end_of_range.to_token_stream();
            *end_of_range = Expr::Verbatim(quote!(#end));
        }
        self.host.visit_expr_mut(&mut round.expr);
        let around = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(&mut round.body.stmts, pieces);
        self.in_loop = around;
        self.derived.pop();
        let range = &round.expr;
        quote! {{
            #prelude
            let #end = #last;
            for #first in #range {
                let #row = #row.up_to(#first, #end);
                #body
            }
        }}
    }
}
