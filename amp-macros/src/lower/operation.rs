//! Operators, with the arithmetic of indices and extents taken apart.

use amp_spirv::tree::{self, BinaryOp, ExprKind};

use super::{FnLower, load, local_place, sequence};

impl FnLower<'_, '_> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: tree::Expr,
        right: tree::Expr,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        if let Some(value) = self.vector_binary(op, &left, &right, span) {
            return value;
        }
        let is_vector =
            |ty: &tree::Type| matches!(ty, tree::Type::Index(_) | tree::Type::Extent(_));
        if !is_vector(&left.ty) && !is_vector(&right.ty) {
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            return tree::Expr { kind, ty, span };
        }
        let rank = match (&left.ty, &right.ty) {
            (tree::Type::Index(rank) | tree::Type::Extent(rank), _)
            | (_, tree::Type::Index(rank) | tree::Type::Extent(rank)) => *rank as usize,
            _ => 1,
        };
        let mut statements = Vec::new();
        let left = self.spread(left, rank, &mut statements);
        let right = self.spread(right, rank, &mut statements);
        let comparison = ty == tree::Type::BOOL;
        let part_ty = if comparison {
            tree::Type::BOOL
        } else {
            tree::Type::USIZE
        };
        let parts = left.into_iter().zip(right).map(|(left, right)| tree::Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
            ty: part_ty.clone(),
            span,
        });
        let value = if comparison {
            // Equal in all components, or different in any.
            let joined = if op == BinaryOp::Eq {
                BinaryOp::BitAnd
            } else {
                BinaryOp::BitOr
            };
            join(joined, parts.collect(), span)
        } else {
            let kind = ExprKind::Construct(parts.collect());
            tree::Expr { kind, ty, span }
        };
        sequence(statements, value)
    }

    /// `if right == -1 { -left } else { left / right }`, and so for the remainder, which
    /// is then 0.
    pub(super) fn wrapping_division(
        &mut self,
        op: BinaryOp,
        left: tree::Expr,
        right: tree::Expr,
        span: tree::Span,
    ) -> tree::Expr {
        let ty = left.ty.clone();
        let scalar = ty.scalar().unwrap_or(tree::Scalar::I32);
        let expr = |kind, ty: &tree::Type| tree::Expr {
            kind,
            ty: ty.clone(),
            span,
        };
        let literal = |value: i64| {
            let literal = tree::Literal::new(scalar, value.cast_unsigned());
            expr(ExprKind::Literal(literal), &ty)
        };
        let mut statements = Vec::new();
        let mut keep = |value: tree::Expr| {
            let local = self.temporary("operand", ty.clone(), span);
            let value = Some(value);
            statements.push(tree::Statement::Let { local, value });
            load(local_place(local, ty.clone(), span))
        };
        let (left, right) = (keep(left), keep(right));
        let overflows = expr(
            ExprKind::Binary(BinaryOp::Eq, Box::new(right.clone()), Box::new(literal(-1))),
            &tree::Type::BOOL,
        );
        let wrapped = match op {
            BinaryOp::Div => expr(
                ExprKind::Unary(tree::UnaryOp::Neg, Box::new(left.clone())),
                &ty,
            ),
            _ => literal(0),
        };
        let divided = expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), &ty);
        let block = |value| {
            Box::new(tree::Block {
                statements: Vec::new(),
                value: Some(Box::new(value)),
                ty: ty.clone(),
                span,
            })
        };
        let kind = ExprKind::If(Box::new(overflows), block(wrapped), block(divided));
        sequence(statements, expr(kind, &ty))
    }

    /// The components of an operand; a count stands for each of them.
    fn spread(
        &mut self,
        operand: tree::Expr,
        rank: usize,
        statements: &mut Vec<tree::Statement>,
    ) -> Vec<tree::Expr> {
        if operand.ty != tree::Type::USIZE {
            return self.components(operand, statements);
        }
        if let ExprKind::Literal(_) | ExprKind::Const(_) = operand.kind {
            return vec![operand; rank];
        }
        let (ty, span) = (operand.ty.clone(), operand.span);
        let local = self.temporary("count", ty.clone(), span);
        let value = Some(operand);
        statements.push(tree::Statement::Let { local, value });
        vec![load(local_place(local, ty, span)); rank]
    }

    /// `extent.size()`: the product of the components.
    pub(super) fn extent_size(&mut self, extent: tree::Expr, span: tree::Span) -> tree::Expr {
        let mut statements = Vec::new();
        let parts = self.components(extent, &mut statements);
        let product = join(BinaryOp::Mul, parts, span);
        sequence(statements, product)
    }

    /// `extent.contains(index)`: every component is below the extent's.
    pub(super) fn extent_contains(
        &mut self,
        extent: tree::Expr,
        index: tree::Expr,
        span: tree::Span,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let extents = self.components(extent, &mut statements);
        let indices = self.components(index, &mut statements);
        let below = indices
            .into_iter()
            .zip(extents)
            .map(|(index, extent)| tree::Expr {
                kind: ExprKind::Binary(BinaryOp::Lt, Box::new(index), Box::new(extent)),
                ty: tree::Type::BOOL,
                span,
            });
        let all = join(BinaryOp::BitAnd, below.collect(), span);
        sequence(statements, all)
    }
}

/// `a op b op c`
fn join(op: BinaryOp, parts: Vec<tree::Expr>, span: tree::Span) -> tree::Expr {
    parts
        .into_iter()
        .reduce(|joined, part| tree::Expr {
            ty: joined.ty.clone(),
            kind: ExprKind::Binary(op, Box::new(joined), Box::new(part)),
            span,
        })
        .expect("a rank is at least 1")
}
