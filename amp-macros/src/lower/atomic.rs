//! Atomic operations.
//!
//! `atomic_compare_exchange(&mut place, &mut expected, value)` is the one that is more
//! than one access: what was found goes to `expected`, and whether that is what was
//! wanted is the result.

use amp_spirv::tree::{self, ExprKind};
use syn::{Expr, ExprCall};

use super::{FnLower, load, local_place, sequence};
use crate::{
    infer::bare,
    language::atomic::{AtomicFunction, Takes},
};

impl FnLower<'_, '_> {
    pub(super) fn atomic(
        &mut self,
        call: &ExprCall,
        function: AtomicFunction,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let place = self.own_place(referenced(&call.args[0]));
        let of_place = place.ty.clone();
        let operands = match function.takes {
            Takes::Nothing => Vec::new(),
            Takes::One => {
                let one = tree::Literal::new(of_place.scalar().unwrap_or(tree::Scalar::U32), 1);
                vec![tree::Expr {
                    kind: ExprKind::Literal(one),
                    ty: of_place.clone(),
                    span,
                }]
            }
            Takes::Value => vec![self.expr(&call.args[1])],
            Takes::Expected => {
                let value = self.expr(&call.args[2]);
                vec![value, self.expr(&call.args[1])]
            }
        };
        let op = function.op;
        let kind = ExprKind::Atomic(Box::new(tree::Atomic {
            op,
            place,
            operands,
        }));
        if function.takes != Takes::Expected {
            return tree::Expr { kind, ty, span };
        }
        let found = tree::Expr {
            kind,
            ty: of_place,
            span,
        };
        self.exchanged(&call.args[1], found, span)
    }

    /// `{ let old = found; let same = old == expected; expected = old; same }`, where floats
    /// are the same if their bits are.
    fn exchanged(&mut self, expected: &Expr, found: tree::Expr, span: tree::Span) -> tree::Expr {
        let ty = found.ty.clone();
        let old = self.temporary("old", ty.clone(), span);
        let same = self.temporary("same", tree::Type::BOOL, span);
        let loaded_old = load(local_place(old, ty, span));
        let wanted = self.expr(expected);
        let equal = ExprKind::Binary(
            tree::BinaryOp::Eq,
            Box::new(in_bits(loaded_old.clone())),
            Box::new(in_bits(wanted)),
        );
        let equal = tree::Expr {
            kind: equal,
            ty: tree::Type::BOOL,
            span,
        };
        let expected = self.own_place(referenced(expected));
        let receive = self.assignment(None, expected, loaded_old, span);
        let statements = vec![
            tree::Statement::Let {
                local: old,
                value: Some(found),
            },
            tree::Statement::Let {
                local: same,
                value: Some(equal),
            },
            tree::Statement::Expr(receive),
        ];
        sequence(statements, load(local_place(same, tree::Type::BOOL, span)))
    }
}

/// A number, or the bits of a float.
fn in_bits(number: tree::Expr) -> tree::Expr {
    let ty = match number.ty.scalar() {
        Some(tree::Scalar::F32) => tree::Type::U32,
        Some(tree::Scalar::F64) => tree::Type::Scalar(tree::Scalar::U64),
        _ => return number,
    };
    let span = number.span;
    let kind = ExprKind::Math(tree::MathOp::ToBits, vec![number]);
    tree::Expr { kind, ty, span }
}

/// The place in `&mut place`, or behind a reference by name.
fn referenced(argument: &Expr) -> &Expr {
    match bare(argument) {
        Expr::Reference(reference) => &reference.expr,
        place => place,
    }
}
