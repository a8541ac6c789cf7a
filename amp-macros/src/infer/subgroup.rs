//! Operations of subgroups: `subgroup::reduce_add(x)` and the like, always called by the name
//! of their module.

use amp_spirv::{
    diagnostic::Code,
    tree::{Scalar, SubgroupOp},
};
use syn::{Expr, ExprCall, Path};

use super::{
    context::FnCx,
    ty::{Len, Ty},
    typed::Callee,
};
use crate::language::subgroup::{Takes, function};

impl FnCx<'_> {
    /// Type of a call of a function of subgroups; nothing if `path` names another function.
    pub fn subgroup(&mut self, expr: &Expr, call: &ExprCall, path: &Path) -> Option<Ty> {
        let (name, op, takes) = function(path)?;
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let (wanted, written) = match takes {
            Takes::Nothing => (0, String::new()),
            Takes::Condition => (1, "condition".into()),
            Takes::Value => (1, "value".into()),
            Takes::ValueAnd(other) => (2, format!("value, {other}")),
        };
        let found: Vec<Ty> = arguments.iter().map(|part| self.value(part)).collect();
        if found.len() != wanted {
            for ty in &found {
                self.unifier.poison(ty);
            }
            let plural = if wanted == 1 { "" } else { "s" };
            self.report.error_help(
                Code::Arity,
                &call.func,
                format!(
                    "`subgroup::{name}` takes {wanted} argument{plural}, found {}",
                    found.len()
                ),
                format!("write `subgroup::{name}({written})`"),
            );
            return Some(Ty::Error);
        }
        if let Takes::ValueAnd(_) = takes {
            self.expect(&found[1], &Ty::USIZE, arguments[1]);
        }
        self.typed.note(expr).callee = Some(Callee::Subgroup(op));
        Some(match takes {
            Takes::Nothing => match op {
                SubgroupOp::Elect => Ty::BOOL,
                SubgroupOp::Barrier => Ty::Unit,
                _ => Ty::USIZE,
            },
            Takes::Condition => {
                self.expect(&found[0], &Ty::BOOL, arguments[0]);
                match op {
                    SubgroupOp::Ballot => Ty::Array(Box::new(Ty::U32), Len::Literal(4)),
                    _ => Ty::BOOL,
                }
            }
            Takes::Value | Takes::ValueAnd(_) => self.lane_value(&found[0], arguments[0]),
        })
    }

    /// The type of a value that lanes can exchange.
    fn lane_value(&mut self, ty: &Ty, place: &Expr) -> Ty {
        match self.unifier.defaulted(ty) {
            Ty::Error => Ty::Error,
            found @ Ty::Scalar(Scalar::I32 | Scalar::U32 | Scalar::F32) => {
                self.expect(ty, &found, place);
                found
            }
            found => {
                let message = format!("a subgroup operation on {}", self.show(&found));
                self.report.error_help(
                    Code::TypeMismatch,
                    place,
                    message,
                    "subgroups work on `i32`, `u32` and `f32`; convert it: `value as u32`",
                );
                Ty::Error
            }
        }
    }
}
