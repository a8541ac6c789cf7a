//! Elements of views: from every way to write an index to one value of type `Index`.

use amp_spirv::tree::{self, ExprKind};
use syn::{Expr, ExprIndex};

use super::{FnLower, load, local_place, sequence, usize_literal};

impl FnLower<'_, '_> {
    /// `view[index]`, with `view` possibly a row of a row of a view.
    pub(super) fn element(&mut self, expr: &ExprIndex) -> tree::Place {
        let span = self.span(expr);
        let mut statements = Vec::new();
        let (view, rows) = self.view(&expr.expr, &mut statements);
        let index = self.view_index(&expr.index, rows, statements, span);
        let tree::Type::View(ty) = &self.locals[view.0 as usize].ty else {
            unreachable!("inference found a view")
        };
        tree::Place {
            ty: (*ty.element).clone(),
            root: tree::Root::Element {
                view,
                index: Box::new(index),
            },
            projections: Vec::new(),
            span,
        }
    }

    /// An index of view: what picks rows from it, then what the user wrote; after
    /// `statements`.
    pub(super) fn view_index(
        &mut self,
        index: &Expr,
        rows: Vec<tree::Expr>,
        mut statements: Vec<tree::Statement>,
        span: tree::Span,
    ) -> tree::Expr {
        let mut parts = rows;
        let whole = self.expr(index);
        match &whole.ty {
            tree::Type::Index(_) if parts.is_empty() => return sequence(statements, whole),
            tree::Type::Scalar(_) => parts.push(whole),
            _ => {
                let components = self.components(whole, &mut statements);
                parts.extend(components);
            }
        }
        let ty = tree::Type::Index(parts.len() as u32);
        let kind = ExprKind::Construct(parts);
        sequence(statements, tree::Expr { kind, ty, span })
    }

    /// The components of an index, extent, tiled index or array of literal length; what
    /// has to be computed once goes into `statements`.
    pub(super) fn components(
        &mut self,
        value: tree::Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> Vec<tree::Expr> {
        let span = value.span;
        let rank = match &value.ty {
            tree::Type::Index(rank) | tree::Type::Extent(rank) | tree::Type::TiledIndex(rank) => {
                *rank
            }
            tree::Type::Array(_, tree::Len::Literal(length)) => *length,
            _ => return vec![value],
        };
        if let ExprKind::Construct(parts) = value.kind {
            return parts;
        }
        if let ExprKind::ViewExtent(_) = value.kind {
            let part = |position| tree::Expr {
                kind: ExprKind::Field(Box::new(value.clone()), position),
                ty: tree::Type::USIZE,
                span,
            };
            return (0..rank).map(part).collect();
        }
        let place = match value.kind {
            ExprKind::Load(place) if is_plain(&place) => place,
            _ => {
                let local = self.temporary("index", value.ty.clone(), span);
                let place = local_place(local, value.ty.clone(), span);
                let value = Some(value);
                statements.push(tree::Statement::Let { local, value });
                place
            }
        };
        (0..rank)
            .map(|position| {
                let mut part = place.clone();
                if let tree::Type::TiledIndex(_) = part.ty {
                    let global = tree::TiledField::Global as u32;
                    part.projections.push(tree::Projection::Field(global));
                }
                let position = Box::new(usize_literal(position, span));
                part.projections.push(tree::Projection::Index(position));
                part.ty = tree::Type::USIZE;
                load(part)
            })
            .collect()
    }

    /// `Index::new(array)`
    pub(super) fn index_from(
        &mut self,
        array: &Expr,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let array = self.expr(array);
        let parts = self.components(array, &mut statements);
        let kind = ExprKind::Construct(parts);
        sequence(statements, tree::Expr { kind, ty, span })
    }

    /// `view.extent()`, also of a row.
    pub(super) fn view_extent(
        &mut self,
        view: &Expr,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let (view, rows) = self.view(view, &mut statements);
        let tree::Type::View(of) = &self.locals[view.0 as usize].ty else {
            unreachable!("inference found a view")
        };
        let whole = tree::Expr {
            kind: ExprKind::ViewExtent(view),
            ty: tree::Type::Extent(of.rank),
            span,
        };
        if rows.is_empty() {
            return sequence(statements, whole);
        }
        let skipped = rows.len() as u32;
        let rank = of.rank;
        statements.extend(rows.into_iter().map(tree::Statement::Expr));
        let parts = (skipped..rank)
            .map(|position| tree::Expr {
                kind: ExprKind::Field(Box::new(whole.clone()), position),
                ty: tree::Type::USIZE,
                span,
            })
            .collect();
        let kind = ExprKind::Construct(parts);
        sequence(statements, tree::Expr { kind, ty, span })
    }
}

/// Whether reading the place twice is the same as reading it once.
fn is_plain(place: &tree::Place) -> bool {
    matches!(place.root, tree::Root::Local(_))
        && place
            .projections
            .iter()
            .all(|step| matches!(step, tree::Projection::Field(_)))
}
