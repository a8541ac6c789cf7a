//! What has the elements of a slice: an array, a view, or what the number in a value says.

use amp_spirv::tree::{self, ExprKind};

use super::local_place;

/// See the module's documentation.
#[derive(Clone)]
pub(super) enum Whole {
    Array(tree::Place),
    /// The local of a view of rank 1.
    View(tree::LocalId),
    /// What a slice that is a value has the number of.
    Kept(Kept),
}

/// A slice that is a value, where it is read.
#[derive(Clone)]
pub(super) struct Kept {
    /// The variable that stands for its elements.
    pub elements: tree::LocalId,
    /// The type of these.
    pub element: tree::Type,
    /// The variable with the number of the place.
    pub of: tree::LocalId,
    /// The variable with the index on the way to the place.
    pub at: tree::LocalId,
}

impl Whole {
    /// Type of the elements.
    pub fn element_type(&self, locals: &[tree::Local]) -> tree::Type {
        let ty = match self {
            Whole::Kept(kept) => return kept.element.clone(),
            Whole::Array(array) => &array.ty,
            Whole::View(view) => &locals[view.0 as usize].ty,
        };
        match ty {
            tree::Type::Array(element, _) => tree::Type::clone(element),
            tree::Type::View(view) => tree::Type::clone(&view.element),
            _ => unreachable!("inference makes slices of arrays and views"),
        }
    }

    /// An element by its position.
    pub fn element(self, at: tree::Expr, ty: tree::Type, span: tree::Span) -> tree::Place {
        match self {
            Whole::Kept(kept) => {
                let elements = local_place(kept.elements, ty.clone(), span);
                Whole::Array(elements).element(at, ty, span)
            }
            Whole::Array(mut place) => {
                place
                    .projections
                    .push(tree::Projection::Index(Box::new(at)));
                tree::Place { ty, span, ..place }
            }
            Whole::View(view) => {
                let index = Box::new(tree::Expr {
                    kind: ExprKind::Construct(vec![at]),
                    ty: tree::Type::Index(1),
                    span,
                });
                tree::Place {
                    root: tree::Root::Element { view, index },
                    projections: Vec::new(),
                    ty,
                    span,
                }
            }
        }
    }
}
