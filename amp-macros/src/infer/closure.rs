//! Closures: named by a `let`, and called by that name.
//!
//! A closure sees the variables around it as they are when it is called, and is typed
//! once, where it stands. It is no value: what could keep it is refused, so every call
//! knows its closure, whose body `lower` puts there.

use amp_spirv::{diagnostic::Code, tree::LocalId};
use syn::{Expr, ExprCall, ExprClosure, Pat, ReturnType, Type};

use super::{
    cause::written,
    context::FnCx,
    program::ClosureDef,
    reference,
    ty::{Kind, Ty},
    typed::Callee,
};
use crate::{
    iterate,
    report::{Locate, Place},
};

impl FnCx<'_> {
    /// Type of a closure, where one can stand; its parameters may have types already.
    pub fn closure(&mut self, expr: &Expr, closure: &ExprClosure, known: Option<&[Ty]>) -> Ty {
        self.closure_syntax(closure);
        self.scopes.enter();
        let mut params = Vec::new();
        for (i, input) in closure.inputs.iter().enumerate() {
            let known = known.and_then(|known| known.get(i)).cloned();
            let (pattern, ty) = match input {
                Pat::Type(typed) => (&*typed.pat, self.closure_parameter(&typed.ty)),
                pattern => (
                    pattern,
                    known.unwrap_or_else(|| self.unifier.fresh(Kind::Any)),
                ),
            };
            match &ty {
                Ty::Reference { .. } => self.case(pattern, &ty),
                _ => self.pattern(pattern, &ty),
            }
            params.push(ty);
        }
        let result = match &closure.output {
            ReturnType::Type(_, ty) => self.read_type(ty),
            ReturnType::Default => self.unifier.fresh(Kind::Any),
        };
        // A closure is left by its own `return` alone.
        let around = std::mem::replace(&mut self.result, result.clone());
        let jumps = std::mem::take(&mut self.scopes.jumps);
        let outside = std::mem::replace(&mut self.result_place, written(&closure.output));
        let found = self.value(&closure.body);
        self.expect_result(&found, &*closure.body);
        self.result_place = outside;
        self.scopes.jumps = jumps;
        self.result = around;
        self.scopes.leave();
        self.program.closures.push(ClosureDef {
            node: self.typed.id(closure),
            params,
            result,
        });
        let ty = Ty::Closure(self.program.closures.len() - 1);
        self.typed.note(expr).ty = Some(ty.clone());
        ty
    }

    fn closure_parameter(&mut self, ty: &Type) -> Ty {
        match ty {
            Type::Reference(reference) => reference::parameter(reference, self),
            ty => self.read_type(ty),
        }
    }

    fn closure_syntax(&mut self, closure: &ExprClosure) {
        let refused: Option<(Place, &str, &str)> = if let Some(token) = &closure.capture {
            Some((
                token.locate(),
                "`move` on a closure that sees variables that change",
                "leave it out, or give the closure a copy: `let k = x;`",
            ))
        } else if let Some(token) = &closure.asyncness {
            Some((
                token.locate(),
                "an `async` closure in a kernel",
                "remove `async`",
            ))
        } else if let Some(lifetimes) = &closure.lifetimes {
            Some((
                lifetimes.locate(),
                "lifetimes on a closure of a kernel",
                "leave them out",
            ))
        } else {
            None
        };
        if let Some((place, message, help)) = refused {
            self.report.error_help(Code::Closure, place, message, help);
        }
    }

    /// Type of the call of a variable, if that is a closure or stands for one.
    pub fn called_variable(
        &mut self,
        expr: &Expr,
        call: &ExprCall,
        name: &str,
        local: LocalId,
    ) -> Option<Ty> {
        let variable = self.typed.locals[local.0 as usize].ty.clone();
        if self.unifier.shallow(&variable) == Ty::Error {
            // What was wrong with it has been reported.
            self.lost_arguments(&call.args);
            return Some(Ty::Error);
        }
        let (callee, params, result) = match &variable {
            Ty::Closure(index) => {
                let ClosureDef { params, result, .. } = self.program.closures[*index].clone();
                (Callee::Closure(*index), params, result)
            }
            Ty::Param(index) => {
                let (params, result) = self.program.type_params[*index].closure.clone()?;
                (Callee::ClosureParam, params, result)
            }
            _ => return None,
        };
        if call.args.len() != params.len() {
            let plural = if params.len() == 1 { "" } else { "s" };
            let message = format!(
                "the closure `{name}` takes {} argument{plural}, found {}",
                params.len(),
                call.args.len()
            );
            let help = match params.is_empty() {
                true => format!("write `{name}()`"),
                false => "pass a value for each of its parameters".to_owned(),
            };
            self.report
                .error_help(Code::Arity, &*call.func, message, help);
        }
        for (i, argument) in call.args.iter().enumerate() {
            let found = match params.get(i) {
                Some(Ty::Reference { .. }) => self.argument(argument),
                _ => self.value(argument),
            };
            match params.get(i) {
                Some(wanted) => {
                    if !self.coerce(&found, wanted, argument) {
                        self.note_declaration(&call.func);
                    }
                }
                None => self.unifier.poison(&found),
            }
        }
        self.typed.note(expr).callee = Some(callee);
        Some(result)
    }

    /// A closure where it has no name.
    pub fn nameless_closure(&mut self, closure: &ExprClosure) -> Ty {
        let (code, message, help) = match iterate::takes_items(closure) {
            true => (
                Code::UnsupportedSyntax,
                "an iterator as a value",
                "iterators are visited where they are declared, `for x in it`, `it.next()`, `it.by_ref().take(2)`, or \
                 passed to what takes an `impl Iterator`",
            ),
            false => (
                Code::Closure,
                "a closure without a name",
                "name it, `let f = |x| ..`, and call it by that name",
            ),
        };
        self.report.error_help(code, closure, message, help);
        Ty::Error
    }

    /// Refuses a closure where a value is wanted.
    pub fn not_a_closure(&mut self, place: impl Locate, ty: Ty) -> Ty {
        if !matches!(self.unifier.shallow(&ty), Ty::Closure(_)) {
            return ty;
        }
        self.report.error_help(
            Code::Closure,
            place,
            "a closure that could be kept",
            "name it, `let f = |x| ..`, and call it by that name",
        );
        Ty::Error
    }
}
