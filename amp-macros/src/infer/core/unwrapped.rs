//! `unwrap` and the like: the value of a case, or a panic where they are called.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprLit, ExprMethodCall, Lit};

use crate::{
    infer::{
        context::FnCx,
        generic::unbounded,
        node::bare,
        ty::Ty,
        typed::{Callee, Unwrapped},
    },
    report::{Locate, Place},
};

/// Why a fault makes a value of a result.
const RETURNED: &str = "which the function returns after a panic";

impl FnCx<'_> {
    /// Type of `x.unwrap()` and the like, if it is one.
    pub fn unwrapped(&mut self, expr: &Expr, call: &ExprMethodCall, receiver: &Ty) -> Option<Ty> {
        let name = call.method.to_string();
        let (Ty::Struct(of, applied), owner) = (receiver, self.program.standard_name(receiver)?)
        else {
            return None;
        };
        let (case, other) = match (owner, &*name) {
            ("Option", "unwrap" | "expect") => ("Some", "a `None` value"),
            ("Result", "unwrap" | "expect") => ("Ok", "an `Err` value"),
            ("Result", "unwrap_err" | "expect_err") => ("Err", "an `Ok` value"),
            _ => return None,
        };
        let message = match name.starts_with("expect") {
            true => self.expectation(call)?,
            false => {
                self.arguments(
                    &name,
                    &call.args.iter().collect::<Vec<_>>(),
                    &[],
                    &call.method,
                );
                format!("called `{owner}::{name}()` on {other}")
            }
        };
        self.check_panic(expr);
        self.needs_result(&call.method);
        let cases = &self.program.structs[*of].cases;
        let position = cases.iter().position(|known| known.name == case)?;
        self.typed.note(expr).callee = Some(Callee::Unwrap(Unwrapped {
            of: *of,
            position,
            message,
        }));
        Some(applied.types[usize::from(case == "Err")].clone())
    }

    /// The text that `expect` is given.
    fn expectation(&mut self, call: &ExprMethodCall) -> Option<String> {
        if let [text] = &*call.args.iter().collect::<Vec<_>>()
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = bare(text)
        {
            return Some(text.value());
        }
        self.report.error_help(
            Code::Format,
            &call.method,
            format!("`{}` without its text", call.method),
            "write the text there: `x.expect(\"why it is there\")`",
        );
        Some(String::new())
    }

    /// Requires that the function can return after a panic.
    pub fn needs_result(&mut self, place: impl Locate) {
        let (result, place) = (self.result.clone(), place.locate());
        self.needs_end(&result, place, RETURNED);
        if let Some(parameter) = self.unbounded_in_case(&result) {
            let name = self.program.type_params[parameter].ident.to_string();
            self.report.error_help(
                Code::Generic,
                place,
                format!(
                    "nothing tells what a panic leaves of {}",
                    self.show(&result)
                ),
                format!("bound the parameter, `{name}: Scalar`, or return an `Option`"),
            );
        }
        if let Some(template) = self.program.functions[self.owner].template {
            let general = self.program.functions[template].result.clone();
            self.needs_zeroes(&general, &result, place);
        }
    }

    /// A parameter without a bound in a type of one's own of which zeroes are no value.
    fn unbounded_in_case(&self, ty: &Ty) -> Option<usize> {
        match (ty, self.program.standard_name(ty)) {
            (_, Some("Option")) => None,
            (Ty::Struct(..), None) => {
                let parameter = unbounded(self.program, ty)?;
                self.program.without_zero(ty).map(|_| parameter)
            }
            _ => ty.parts().find_map(|part| self.unbounded_in_case(part)),
        }
    }

    /// Requires that zeroes are a value of what type parameters in a result stand for: the generic function makes
    /// them without knowing more.
    fn needs_zeroes(&mut self, general: &Ty, own: &Ty, place: Place) {
        match (general, self.program.standard_name(general)) {
            (Ty::Param(_), _) => self.needs_zero(own, place, RETURNED),
            (_, Some("Option")) => {}
            _ => {
                let parts: Vec<(Ty, Ty)> =
                    general.parts().cloned().zip(own.parts().cloned()).collect();
                for (general, own) in parts {
                    self.needs_zeroes(&general, &own, place);
                }
            }
        }
    }
}
