//! `?`: the value of an `Option` or `Result`, or an early return of its `None` or `Err`, whose error
//! is converted by `From` if the function returns another one.

use amp_spirv::diagnostic::Code;
use proc_macro2::Span;
use syn::{Expr, ExprTry, spanned::Spanned};

use crate::infer::{
    context::{FnCx, Propagated},
    conversion::is_lossless,
    node::NodeId,
    ty::{Applied, Kind, Ty},
    typed::Callee,
};

impl FnCx<'_> {
    /// Type of `x?`.
    pub fn propagated(&mut self, expr: &Expr, tried: &ExprTry) -> Ty {
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
        let result = self.unifier.shallow(&self.result.clone());
        if let (Ty::Struct(_, returned), [_, error]) = (&result, &mut *types)
            && let [_, other] = &*returned.types
        {
            let node = self.typed.id(expr);
            if self.is_told_by_conversion(error) {
                self.propagated.push(Propagated {
                    node,
                    error: error.clone(),
                    returned: other.clone(),
                    span: place,
                });
                *error = other.clone();
            } else if self.error_made(node, error, other, place) {
                *error = other.clone();
            }
        }
        let wanted = Ty::Struct(
            *of,
            Applied {
                types,
                ..Applied::default()
            },
        );
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

    /// Whether an error is that of a `try_into` which is not known yet.
    fn is_told_by_conversion(&self, error: &Ty) -> bool {
        let error = self.unifier.shallow(error);
        let mut open = self.intos.iter().filter_map(|into| into.error.as_ref());
        matches!(error, Ty::Var(_)) && open.any(|open| self.unifier.shallow(open) == error)
    }

    /// Finds what converts the errors that conversions have told.
    pub fn settle_propagated(&mut self) {
        for propagated in std::mem::take(&mut self.propagated) {
            let Propagated {
                node,
                error,
                returned,
                span,
            } = propagated;
            if !self.error_made(node, &error, &returned, span) {
                self.expect(&error, &returned, span);
            }
        }
    }

    /// Finds what makes the error that the function returns of another one, if something does.
    fn error_made(&mut self, node: NodeId, error: &Ty, returned: &Ty, span: Span) -> bool {
        let (error, returned) = (self.unifier.shallow(error), self.unifier.shallow(returned));
        let differ = match (&error, &returned) {
            (Ty::Var(_) | Ty::Error | Ty::Never, _) | (_, Ty::Var(_) | Ty::Error) => false,
            (Ty::Scalar(from), Ty::Scalar(to)) => from != to,
            (Ty::Struct(from, _), Ty::Struct(to, _)) => from != to,
            (Ty::Enum(from), Ty::Enum(to)) => from != to,
            (from, to) => std::mem::discriminant(from) != std::mem::discriminant(to),
        };
        if !differ {
            return false;
        }
        if let (Ty::Scalar(from), Ty::Scalar(to)) = (&error, &returned)
            && is_lossless(*from, *to)
        {
            self.typed.note(node).callee = Some(Callee::Convert);
            return true;
        }
        // Which one it is, the instance knows.
        if self.is_made_by_bound(&error, &returned, span) {
            self.typed.note(node).callee = Some(Callee::Convert);
            return true;
        }
        let sources = self.sources(("From", "from"), &error, &returned);
        let by_value = |function: &usize| {
            let params = &self.program.functions[*function].params;
            !params
                .iter()
                .any(|param| matches!(param.ty, Ty::Reference { .. }))
        };
        let Some(function) = sources.into_iter().find(by_value) else {
            return false;
        };
        self.made_from(node, function, &returned, &error, span);
        true
    }
}
