//! The shapes of values and types, by what is known of variables.

use syn::{Expr, RangeLimits, Type, UnOp};

use super::{Known, named};
use crate::iterate::{
    bare,
    operators::trait_of,
    shape::{FINDERS, Shape, depth_within_fields, shape_of_type},
};

impl Known {
    /// The shape of values of a type.
    pub(super) fn shape_of_type(&self, ty: &Type) -> Shape {
        let called = self.called.as_ref();
        Shape {
            is_own_iterator: called.is_some_and(|called| called.is_iterator(ty)),
            ..shape_of_type(ty)
        }
    }

    /// The shape of a variable with this value.
    pub(super) fn shape_of_variable(&self, value: &Expr) -> Shape {
        let shape = self.shape_of_value(value);
        Shape {
            depth: shape.depth.max(depth_within_fields(value)),
            ..shape
        }
    }

    /// What `get`, `first` or `last` of an array finds.
    fn shape_of_found(&self, call: &Expr) -> Shape {
        match bare(call) {
            Expr::MethodCall(call) if FINDERS.iter().any(|finder| call.method == finder) => Shape {
                is_reference: true,
                ..Shape::of_arrays(self.depth(&call.receiver).saturating_sub(1))
            },
            _ => Shape::default(),
        }
    }

    /// Whether an operator makes an iterator of one.
    fn operator_makes_iterator(&self, operator: &Expr) -> bool {
        let Some(called) = &self.called else {
            return false;
        };
        let is_iterator = |operand: &Expr| self.is_own_iterator(operand);
        let (is_of_iterator, of_trait) = match operator {
            Expr::Unary(unary) => {
                let of_trait = match unary.op {
                    UnOp::Not(_) => "Not",
                    UnOp::Neg(_) => "Neg",
                    _ => return false,
                };
                (is_iterator(&unary.expr), of_trait)
            }
            Expr::Binary(binary) => {
                let Some(of_trait) = trait_of(&binary.op) else {
                    return false;
                };
                let is_of_iterator = is_iterator(&binary.left) || is_iterator(&binary.right);
                (is_of_iterator, of_trait)
            }
            _ => return false,
        };
        is_of_iterator && called.operator_makes_iterator(of_trait)
    }

    pub(super) fn shape_of_value(&self, expr: &Expr) -> Shape {
        let called = self.called.as_ref();
        match bare(expr) {
            made if called.is_some_and(|called| called.makes_iterator(made)) => Shape {
                is_own_iterator: true,
                ..Shape::default()
            },
            made if called.is_some_and(|called| called.sliced.makes(made)) => Shape {
                is_reference: true,
                is_unsized: true,
                ..Shape::of_arrays(1)
            },
            Expr::Array(array) => {
                let inner = array.elems.first().map(|first| self.depth(first));
                Shape::of_arrays(1 + inner.unwrap_or_default())
            }
            Expr::Repeat(repeat) => Shape::of_arrays(1 + self.depth(&repeat.expr)),
            Expr::Index(index) => {
                let depth = self.depth(&index.expr);
                match bare(&index.index) {
                    Expr::Range(_) => Shape {
                        is_unsized: true,
                        ..Shape::of_arrays(depth.max(1))
                    },
                    _ => Shape::of_arrays(depth.saturating_sub(1)),
                }
            }
            // What is found in an array.
            Expr::Try(asked) => self.shape_of_found(&asked.expr),
            Expr::MethodCall(call) if call.method == "unwrap" || call.method == "expect" => {
                self.shape_of_found(&call.receiver)
            }
            Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => Shape {
                is_range: self.is_range(&call.receiver),
                ..Shape::default()
            },
            Expr::Range(range) => Shape {
                is_range: range.start.is_some()
                    && range.end.is_some()
                    && matches!(range.limits, RangeLimits::HalfOpen(_)),
                ..Shape::default()
            },
            Expr::MethodCall(call) => Shape {
                is_view: MADE_OF_VIEWS.iter().any(|made| call.method == made)
                    && self.is_view(&call.receiver),
                ..Shape::default()
            },
            Expr::Reference(reference) => Shape {
                is_reference: true,
                is_writable: reference.mutability.is_some(),
                ..self.shape_of_value(&reference.expr)
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => Shape {
                is_reference: false,
                is_writable: false,
                ..self.shape_of_value(&unary.expr)
            },
            operator @ (Expr::Unary(_) | Expr::Binary(_)) => Shape {
                is_own_iterator: self.operator_makes_iterator(operator),
                ..Shape::default()
            },
            name => named(name).map_or_else(Shape::default, |name| Shape {
                is_reference: self.references.contains(&name),
                is_writable: self.writable.contains(&name),
                depth: match self.depths.get(&name) {
                    Some(depth) => *depth,
                    None => self.slices.contains(&name).into(),
                },
                is_unsized: self.unsized_ones.contains(&name),
                is_view: self.views.contains(&name),
                is_range: self.ranges.contains(&name),
                is_own_iterator: self.own.contains(&name),
            }),
        }
    }
}

/// The methods of a view that make another.
const MADE_OF_VIEWS: [&str; 4] = ["row", "section", "view_as", "reinterpret"];
