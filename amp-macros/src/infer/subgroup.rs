//! Operations of subgroups: `subgroup::reduce_add(x)` and the like, always called by the name
//! of their module.

use amp_spirv::{
    diagnostic::Code,
    tree::{Scalar, SubgroupOp},
};
use syn::{Expr, ExprCall, Path};

use super::{
    function::FnCx,
    ty::{Len, Ty},
    typed::Callee,
};

/// What a function of subgroups takes.
#[derive(Clone, Copy)]
enum Takes {
    Nothing,
    Condition,
    Value,
    /// A value, and a `usize`.
    ValueAnd(&'static str),
}

/// The functions with what they take.
const FUNCTIONS: &[(&str, SubgroupOp, Takes)] = &[
    ("size", SubgroupOp::Size, Takes::Nothing),
    ("index", SubgroupOp::Index, Takes::Nothing),
    ("elect", SubgroupOp::Elect, Takes::Nothing),
    ("all", SubgroupOp::All, Takes::Condition),
    ("any", SubgroupOp::Any, Takes::Condition),
    ("ballot", SubgroupOp::Ballot, Takes::Condition),
    ("broadcast", SubgroupOp::Shuffle, Takes::ValueAnd("lane")),
    ("shuffle", SubgroupOp::Shuffle, Takes::ValueAnd("lane")),
    (
        "shuffle_xor",
        SubgroupOp::ShuffleXor,
        Takes::ValueAnd("mask"),
    ),
    ("reduce_add", SubgroupOp::Add, Takes::Value),
    ("reduce_min", SubgroupOp::Min, Takes::Value),
    ("reduce_max", SubgroupOp::Max, Takes::Value),
    ("inclusive_add", SubgroupOp::InclusiveAdd, Takes::Value),
    ("exclusive_add", SubgroupOp::ExclusiveAdd, Takes::Value),
];

fn function(path: &Path) -> Option<(&'static str, SubgroupOp, Takes)> {
    let mut segments = path.segments.iter().rev();
    let (name, module) = (segments.next()?, segments.next()?);
    let name = FUNCTIONS.iter().find(|(known, ..)| name.ident == known);
    name.filter(|_| module.ident == "subgroup").copied()
}

/// Whether the operation of this name takes values of any type.
pub fn is_generic(name: &str) -> bool {
    let takes_value = |takes: &Takes| matches!(takes, Takes::Value | Takes::ValueAnd(_));
    FUNCTIONS
        .iter()
        .any(|(known, _, takes)| *known == name && takes_value(takes))
}

/// Whether a path names an operation of subgroups.
pub fn is_subgroup_function(path: &Path) -> bool {
    function(path).is_some()
}

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
            Takes::Nothing if op == SubgroupOp::Elect => Ty::BOOL,
            Takes::Nothing => Ty::USIZE,
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
