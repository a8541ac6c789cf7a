//! Ranges as values: `a..b` is the struct `Range` of the standard library.

use syn::{Expr, ExprRange, RangeLimits};

use super::{context::FnCx, program::Program, ty::Ty};

impl FnCx<'_> {
    /// Type of `a..b` where a value stands.
    pub fn range_value(&mut self, expr: &Expr, range: &ExprRange) -> Ty {
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, &range.limits)
        else {
            self.unsupported(expr);
            return Ty::Error;
        };
        let ty = self.value(start);
        let other = self.value(end);
        self.expect(&other, &ty, end);
        self.program.core_type("Range", [&ty]).unwrap_or(Ty::Error)
    }

    /// The type of the numbers in a range, if a type is that of one.
    pub fn number_of_range(&self, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::Struct(_, applied) if self.program.standard_name(ty) == Some("Range") => {
                Some(applied.types[0].clone())
            }
            _ => None,
        }
    }
}

/// What to write instead of a range in what the host passes to kernels.
pub const RANGE_HELP: &str =
    "kernels make ranges themselves: pass its bounds, `start: usize, end: usize`";

impl Program {
    /// Whether a type is that of a range, or has one in it.
    pub fn holds_range(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Array(element, _) => self.holds_range(element),
            Ty::Tuple(parts) => parts.iter().any(|part| self.holds_range(part)),
            Ty::Struct(index, applied) => {
                let mut fields = self.fields(*index, applied).into_iter();
                self.standard_name(ty) == Some("Range")
                    || fields.any(|(_, field)| self.holds_range(&field))
            }
            _ => false,
        }
    }
}
