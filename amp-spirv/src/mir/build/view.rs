//! Views made from views: sections, rows, other shapes and other elements.
//!
//! A view that cannot be made is a fault and has no elements.

use super::{Builder, Flow};
use crate::artifact::FaultKind;
use crate::mir::{Bound, Op, Proof, Value};
use crate::tree::{BinaryOp, Derivation, Expr, ExprKind, Type, ViewStep};

impl<'m> Builder<'m, '_> {
    /// The view that an expression of view type is.
    pub fn view_value(&mut self, expr: &'m Expr) -> Flow<Value> {
        match &expr.kind {
            ExprKind::View(local) => Ok(self.view(*local)),
            ExprKind::Derive(derivation) => {
                let around = std::mem::replace(&mut self.span, expr.span);
                let view = self.derived(derivation, &expr.ty);
                self.span = around;
                view
            }
            // The tree's rules.
            _ => unreachable!("an expression of view type is a view or derived from one"),
        }
    }

    fn derived(&mut self, derivation: &'m Derivation, ty: &Type) -> Flow<Value> {
        let of = self.view_value(&derivation.of)?;
        match &derivation.step {
            ViewStep::Section { origin, extent } => {
                let origin = self.components(origin)?;
                let extent = self.components(extent)?;
                Ok(self.section(of, &origin, &extent, ty))
            }
            ViewStep::Row(row) => {
                let row = self.value(row)?;
                let operands = vec![of, row];
                let ok = self.in_bounds(Bound::Row, Proof::None, &operands);
                let site = self.site(FaultKind::OutOfBounds, self.span);
                let rows = self.extent(of, 0);
                self.note(ok, site, [row, rows]);
                Ok(self.guarded(Op::Row, operands, Some(ok), ty))
            }
            ViewStep::Shape(extent) => {
                let extent = self.components(extent)?;
                let operands = [&[of], &extent[..]].concat();
                let bound = Bound::Shape(extent.len() as u32);
                let ok = self.in_bounds(bound, Proof::None, &operands);
                let site = self.site(FaultKind::Shape, self.span);
                let (size, zero) = (self.extent(of, 0), self.index_number(0));
                self.note(ok, site, [size, zero]);
                Ok(self.guarded(Op::Shape, operands, Some(ok), ty))
            }
            ViewStep::Elements => Ok(self.elements(of, &derivation.of.ty, ty)),
        }
    }

    fn section(&mut self, of: Value, origin: &[Value], extent: &[Value], ty: &Type) -> Value {
        let operands = [&[of], origin, extent].concat();
        let bound = Bound::Section(origin.len() as u32);
        let ok = self.in_bounds(bound, Proof::None, &operands);
        let site = self.site(FaultKind::Section, self.span);
        let index = self.tree.index.ty();
        let sides = origin.iter().zip(extent);
        let sides: Vec<[Value; 2]> = sides.map(|(start, length)| [*start, *length]).collect();
        let wrong = self.first_wrong(&sides, |builder, [start, length], k| {
            let whole = builder.extent(of, k);
            let fits = builder.test(BinaryOp::Le, length, whole);
            let room = builder.op(Op::Binary(BinaryOp::Sub), vec![whole, length], index);
            let starts = builder.test(BinaryOp::Le, start, room);
            builder.test(BinaryOp::BitAnd, fits, starts)
        });
        self.note(ok, site, wrong);
        self.guarded(Op::Section, operands, Some(ok), ty)
    }

    /// A view of rank 1 as one of other elements.
    fn elements(&mut self, of: Value, from: &Type, ty: &Type) -> Value {
        let size = |ty: &Type| match ty {
            Type::View(view) => self.tree.size_of(&view.element),
            _ => None,
        };
        let from = size(from).unwrap_or(4);
        let to = size(ty).unwrap_or(from);
        let multiple = to / greatest_common_divisor(from, to);
        if multiple == 1 {
            return self.op(Op::Elements, vec![of], ty);
        }
        let ok = self.in_bounds(Bound::Elements(multiple), Proof::None, &[of]);
        let site = self.site(FaultKind::Elements, self.span);
        let (extent, multiple) = (self.extent(of, 0), self.index_number(multiple));
        self.note(ok, site, [extent, multiple]);
        self.guarded(Op::Elements, vec![of], Some(ok), ty)
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    match b {
        0 => a.max(1),
        _ => greatest_common_divisor(b, a % b),
    }
}
