//! `?`: the value of an `Option` or `Result`, or an early return of its `None` or `Err`.

use amp_spirv::diagnostic::Code;
use syn::{ExprTry, spanned::Spanned};

use crate::infer::{
    context::FnCx,
    ty::{Applied, Kind, Ty},
};

impl FnCx<'_> {
    /// Type of `x?`.
    pub fn propagated(&mut self, tried: &ExprTry) -> Ty {
        let found = self.value(&tried.expr);
        let found = self.unifier.shallow(&found);
        let place = tried.question_token.span();
        let (Ty::Struct(of, applied), Some(name @ ("Option" | "Result"))) =
            (&found, self.program.standard_name(&found))
        else {
            if found == Ty::Never {
                return Ty::Never;
            }
            if found != Ty::Error {
                let message = format!(
                    "`?` works on `Option` and `Result`, not on {}",
                    self.show(&found)
                );
                let help = "leave it out, or give the value a type where it is declared";
                self.report.error_help(Code::Operator, place, message, help);
            }
            self.unifier.poison(&found);
            return Ty::Error;
        };
        let mut types = applied.types.clone();
        types[0] = self.unifier.fresh(Kind::Any);
        let wanted = Ty::Struct(
            *of,
            Applied {
                types,
                ..Applied::default()
            },
        );
        let result = self.unifier.shallow(&self.result.clone());
        let returns = match &result {
            Ty::Struct(returned, _) => returned == of,
            Ty::Var(_) | Ty::Error => true,
            _ => false,
        };
        if returns {
            let result = self.result.clone();
            if !self.expect(&wanted, &result, place) {
                let text = "convert the error before: `.map_err(|e| ..)?`";
                self.report.note(&tried.expr, text);
            }
        } else {
            let shown = self.show(&result);
            self.report.error_help(
                Code::TypeMismatch,
                place,
                format!(
                    "`?` on {} in a function that returns {shown}",
                    self.show(&found)
                ),
                format!("return `{name}` from the function, or `match` the value"),
            );
        }
        applied.types[0].clone()
    }
}
