//! `v[i]` of the user's types: the functions of `impl Index<usize> for V` and `impl IndexMut<usize> for V`.
//!
//! Which of the two is called is known where the place is used: to write it takes `index_mut`.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprIndex, spanned::Spanned};

use super::{
    context::FnCx,
    program::Program,
    ty::Ty,
    typed::{Callee, Facts},
};
use crate::{iterate::is_repeated, message::Told, report::Report};

/// The trait, and its function.
const TO_READ: (&str, &str) = ("Index", "index");
const TO_WRITE: (&str, &str) = ("IndexMut", "index_mut");

/// Refuses to visit by an iterator what an index of the user's own finds, if that prints: the place is
/// found for each element. It does nothing else that could be seen.
pub fn check_repeated(program: &Program, function: usize, report: &mut Report) {
    for (callee, place) in &program.functions[function].typed.repeated {
        let mut seen = vec![false; program.functions.len()];
        let mut open = vec![*callee];
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let typed = &program.functions[index].typed;
            let prints = |fact: &Facts| {
                matches!(fact.callee, Some(Callee::Told(Told::Stdout | Told::Stderr)))
            };
            if typed.facts.iter().any(prints) {
                report.error_help(
                    Code::Reference,
                    *place,
                    "elements are visited of what an index of one's own finds, which prints",
                    "name it first: `let row = &m[i];`",
                );
                break;
            }
            open.extend(typed.callees.iter().map(|(index, _)| *index));
        }
    }
}

impl FnCx<'_> {
    /// Type of `base[index]`, if that is the user's.
    pub fn own_index(&mut self, expr: &Expr, index: &ExprIndex, base: &Ty, at: &Ty) -> Option<Ty> {
        if !matches!(base, Ty::Struct(..) | Ty::Enum(_)) {
            return None;
        }
        let function = self.function_of_index(TO_READ, base, at)?;
        let operands = [(base, &*index.expr), (at, &*index.index)];
        let result = self.own_call(self.typed.id(expr), function, &operands, index.span());
        self.typed.note(expr).indexes_own = true;
        if index.attrs.iter().any(is_repeated) {
            self.typed.repeated.push((function, index.span()));
        }
        Some(result.target().clone())
    }

    /// Whether an expression is an index of the user's own.
    pub fn is_own_index(&self, expr: &Expr) -> bool {
        self.typed.of(expr).indexes_own
    }

    /// Has an index of the user's own lead to a place that is written.
    pub fn written_by_index(&mut self, expr: &Expr, index: &ExprIndex) -> bool {
        let [base, at] = [&index.expr, &index.index].map(|part| {
            let ty = self.typed.ty(&**part).clone();
            self.unifier.shallow(&ty)
        });
        let Some(function) = self.function_of_index(TO_WRITE, &base, &at) else {
            let message = format!("an element of {} cannot be assigned", self.show(&base));
            self.report.error_help(
                Code::NotAssignable,
                expr,
                message,
                "write an `#[amp_fn] impl IndexMut` beside the type",
            );
            return false;
        };
        if index.attrs.iter().any(is_repeated) {
            self.report.error_help(
                Code::Reference,
                expr,
                "elements of what an index of one's own finds are visited, to be written",
                "name it first: `let row = &mut m[i];`",
            );
            return false;
        }
        let operands = [(&base, &*index.expr), (&at, &*index.index)];
        self.own_call(self.typed.id(expr), function, &operands, index.span());
        true
    }

    fn function_of_index(&self, of: (&str, &str), base: &Ty, at: &Ty) -> Option<usize> {
        let (of_trait, name) = of;
        let mut methods = self.program.methods.iter();
        let found = methods.find(|method| {
            let params = &self.program.functions[method.function].params;
            method.is_of_library(of_trait)
                && method.name == name
                && self.fits(base, &method.owner)
                && params
                    .get(1)
                    .is_some_and(|param| self.could_be(at, &param.ty))
        });
        found.map(|method| method.function)
    }
}
