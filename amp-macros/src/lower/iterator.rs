//! What a chain of iterators asks of types.

use amp_spirv::tree::{self, ExprKind};
use syn::ExprMethodCall;

use super::{FnLower, matching::block_of, usize_literal};
use crate::infer::{Callee, Iteration};

impl FnLower<'_, '_> {
    pub(super) fn iteration(
        &mut self,
        call: &ExprMethodCall,
        what: Iteration,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let own = self.frame.function.typed.of(call).callee.clone();
        match what {
            Iteration::EmptySum | Iteration::EmptyProduct
                if let Some(Callee::Helper(empty)) = own =>
            {
                self.own_call(empty, &[], ty, span)
            }
            Iteration::Length => {
                let extent = self.view_extent(&call.receiver, tree::Type::Extent(1), span);
                self.extent_size(extent, span)
            }
            // Floats begin with -0.0, which changes no number that is added to it.
            Iteration::IsCase(case) => {
                let place = self.own_place(&call.receiver);
                self.count_of_case(&place, case, span)
            }
            Iteration::EmptySum => self.number_of(ty, -0.0, "ZERO", span),
            Iteration::EmptyProduct => self.number_of(ty, 1.0, "ONE", span),
            Iteration::Ordered | Iteration::Like => self.expr(&call.receiver),
            Iteration::Output { of, position } => {
                let value = self.expr(&call.receiver);
                let first = self.program.structs[of].cases[position].first;
                self.of_case((position, first), vec![value], ty, span)
            }
        }
    }

    /// How many values of this case are at a place: one or none.
    pub(super) fn count_of_case(
        &self,
        place: &tree::Place,
        case: usize,
        span: tree::Span,
    ) -> tree::Expr {
        let count = |count| Box::new(block_of(Vec::new(), usize_literal(count, span)));
        let (one, none) = (count(1), count(0));
        let kind = ExprKind::If(Box::new(self.is_case(place, case, span)), one, none);
        let ty = tree::Type::USIZE;
        tree::Expr { kind, ty, span }
    }

    fn number_of(
        &mut self,
        ty: tree::Type,
        number: f64,
        name: &str,
        span: tree::Span,
    ) -> tree::Expr {
        let Some(scalar) = ty.scalar() else {
            return self.constant_of_vector(&ty, name, span);
        };
        let bits = match scalar {
            tree::Scalar::F32 => (number as f32).to_bits().into(),
            tree::Scalar::F64 => number.to_bits(),
            _ => number as u64,
        };
        let kind = ExprKind::Literal(tree::Literal::new(scalar, bits));
        tree::Expr { kind, ty, span }
    }
}
