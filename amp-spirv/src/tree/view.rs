//! Views made from views.

use super::{Expr, ExprKind, LocalId};

/// A view of elements of another view, of the same memory.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The other view.
    pub of: Expr,
    /// What is made of it.
    pub step: ViewStep,
}

/// What a [`Derivation`] makes. If it cannot, that is a fault, and the view is empty: its
/// extents are all zero.
#[derive(Clone, Debug)]
pub enum ViewStep {
    /// `v.section(origin, extent)`, both of type `Index` of the view's rank. The extent may
    /// be zero; a fault unless the section lies within the view.
    Section {
        /// The section's first element.
        origin: Expr,
        /// Its shape.
        extent: Expr,
    },
    /// `v.row(i)`: the elements whose first component is `i`, of one dimension less. A
    /// fault unless there are such.
    Row(Expr),
    /// `v.view_as(extent)`: the first elements of a view of rank 1 in another shape, given
    /// as an `Index`. A fault if a product of leading components is larger than the view.
    Shape(Expr),
    /// `v.reinterpret::<U>()`: the bytes of a view of rank 1 as elements of the type of this
    /// view. A fault if they do not divide evenly.
    Elements,
}

impl Derivation {
    /// What is computed for it, in order, apart from the other view.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.step {
            ViewStep::Section { origin, extent } => vec![origin, extent],
            ViewStep::Row(operand) | ViewStep::Shape(operand) => vec![operand],
            ViewStep::Elements => Vec::new(),
        }
    }
}

impl Expr {
    /// The local whose elements an expression of view type has; nothing for other types.
    pub fn viewed(&self) -> Option<LocalId> {
        match &self.kind {
            ExprKind::View(local) => Some(*local),
            ExprKind::Derive(derivation) => derivation.of.viewed(),
            _ => None,
        }
    }
}
