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

use syn::{Expr, RangeLimits};

use super::shape::{Shape, Shapes};
use crate::infer::{Ty, bare};

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
