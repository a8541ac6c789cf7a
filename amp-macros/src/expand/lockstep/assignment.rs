//! [`Assignment`]: statements that assign to a place and do nothing else.

use amp_spirv::tree::BinaryOp;
use syn::{Expr, Stmt};

use crate::infer::BinaryKind;

/// See the module's documentation.
pub(super) struct Assignment<E> {
    pub(super) place: E,
    pub(super) value: E,
    /// What is computed of the place's old value and this one, if it is not assigned as it is.
    pub(super) operator: Option<BinaryOp>,
    /// Whether a thread assigns at all.
    pub(super) condition: Option<E>,
}

macro_rules! assignment {
    ($name:ident $(, $mut:ident)?) => {
        /// The assignment that a statement is, if it is one.
        pub(super) fn $name(stmt: & $($mut)? Stmt) -> Option<Assignment<& $($mut)? Expr>> {
            match stmt {
                Stmt::Expr(Expr::If(branch), _) if branch.else_branch.is_none() => {
                    let [inner] = branch.then_branch.stmts.as_slice() else {
                        return None;
                    };
                    is_plain(inner)?;
                    let inner = & $($mut)? branch.then_branch.stmts[0];
                    let condition = Some(& $($mut)? *branch.cond);
                    Some(Assignment { condition, ..$name(inner)? })
                }
                Stmt::Expr(Expr::Assign(assign), _) => Some(Assignment {
                    place: & $($mut)? *assign.left,
                    value: & $($mut)? *assign.right,
                    operator: None,
                    condition: None,
                }),
                Stmt::Expr(Expr::Binary(binary), _) => {
                    let BinaryKind::Assign(operator) = BinaryKind::of(&binary.op) else {
                        return None;
                    };
                    Some(Assignment {
                        place: & $($mut)? *binary.left,
                        value: & $($mut)? *binary.right,
                        operator: Some(operator),
                        condition: None,
                    })
                }
                _ => None,
            }
        }
    };
}
assignment!(assignment);
assignment!(assignment_mut, mut);

/// A plain assignment can stand under a condition: what an operator reads could be out of bounds where the
/// condition does not hold.
fn is_plain(stmt: &Stmt) -> Option<()> {
    matches!(stmt, Stmt::Expr(Expr::Assign(_), _)).then_some(())
}
