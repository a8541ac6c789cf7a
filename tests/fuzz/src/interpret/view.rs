//! Views made from views.

use amp_spirv::tree::{Derivation, Expr, Scalar, Type, View as ViewTy, ViewStep};
use amp_spirv::value::Value;

use super::thread::{Flow, Thread};

impl<'a> Thread<'a> {
    /// A view made from a view; an empty one if it cannot be made.
    pub fn derived(&mut self, expr: &'a Expr, derivation: &'a Derivation) -> Flow {
        let view = match self.expr(&derivation.of)? {
            Value::View(view) => *view,
            other => panic!("{other:?} is no view"),
        };
        let mut numbers = Vec::new();
        for operand in derivation.operands() {
            numbers.push(match self.expr(operand)? {
                Value::Parts(parts) => parts.iter().map(Value::as_size).collect(),
                one => vec![one.as_size()],
            });
        }
        let rank = match &expr.ty {
            Type::View(made) => made.rank as usize,
            other => panic!("{other:?} is no view"),
        };
        let made = match (&derivation.step, &*numbers) {
            (ViewStep::Section { .. }, [origin, extent]) => view.section(origin, extent),
            (ViewStep::Row(_), [row]) => view.row(row[0]),
            (ViewStep::Shape(_), [extent]) => view.shape(extent),
            _ => {
                let scalars = elements(&derivation.of.ty).zip(elements(&expr.ty));
                let (from, to) = scalars.expect("the generator reinterprets scalars");
                Some(view.reinterpreted(from, to))
            }
        };
        let view = made.unwrap_or_else(|| {
            self.faulted(expr.span);
            view.emptied(rank)
        });
        Ok(Value::View(Box::new(view)))
    }
}

fn elements(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::View(ViewTy { element, .. }) => element.scalar(),
        _ => None,
    }
}
