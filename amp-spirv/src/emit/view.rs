//! Views made from views: sections, rows, other shapes and other elements.
//!
//! Nothing is copied. The address moves to the first element, so that a section is used
//! and handed on like any other view, and the extents are the section's own, against which
//! its indices are checked. A view that cannot be made is a fault and has no elements.

use spirv::{Op, StorageClass, Word};

use super::Emitter;
use super::fault::Check;
use super::function::{Flow, ViewValue};
use crate::artifact::FaultKind;
use crate::ir::{Derivation, Expr, ExprKind, IndexWidth, Span, Type, View, ViewStep};

impl<'m> Emitter<'m> {
    /// The view that an expression of view type is.
    pub fn view_value(&mut self, expr: &'m Expr) -> Flow<ViewValue> {
        match (&expr.kind, &expr.ty) {
            (ExprKind::View(local), _) => Ok(self.view(*local)),
            (ExprKind::Derive(derivation), Type::View(ty)) => {
                self.derived(derivation, ty, expr.span)
            }
            // The IR's rules.
            _ => unreachable!("an expression of view type is a view or derived from one"),
        }
    }

    fn derived(&mut self, derivation: &'m Derivation, ty: &'m View, span: Span) -> Flow<ViewValue> {
        let of = self.view_value(&derivation.of)?;
        match &derivation.step {
            ViewStep::Section { origin, extent } => {
                let origin = self.index_components(origin)?;
                let extent = self.index_components(extent)?;
                self.at(span);
                Ok(self.section(of, ty, &origin, &extent, span))
            }
            ViewStep::Row(row) => {
                let row = self.expr(row)?;
                self.at(span);
                Ok(self.row(of, ty, row, span))
            }
            ViewStep::Shape(extent) => {
                let extent = self.index_components(extent)?;
                self.at(span);
                Ok(self.shape(of, extent, span))
            }
            ViewStep::Elements => {
                self.at(span);
                let from = match &derivation.of.ty {
                    Type::View(from) => self.ir.size_of(&from.element),
                    _ => None,
                };
                Ok(self.elements(of, ty, from.unwrap_or(4), span))
            }
        }
    }

    fn section(
        &mut self,
        of: ViewValue,
        ty: &View,
        origin: &[Word],
        extent: &[Word],
        span: Span,
    ) -> ViewValue {
        let site = self.fault_site(FaultKind::Section, span);
        let mut checks = Vec::new();
        for ((&start, &length), &whole) in origin.iter().zip(extent).zip(&of.extents) {
            let fits = self.b.test(Op::ULessThanEqual, length, whole);
            let room = self.index_op(Op::ISub, whole, length);
            let starts = self.b.test(Op::ULessThanEqual, start, room);
            checks.push(Check {
                ok: self.b.test(Op::LogicalAnd, fits, starts),
                site,
                operands: [start, length],
            });
        }
        let ok = self.watch(checks);
        let offset = self.linear(&of, origin);
        ViewValue {
            pointer: self.advanced(&of, ty, ok, offset),
            extents: self.unless_empty(ok, extent),
            ..of
        }
    }

    fn row(&mut self, of: ViewValue, ty: &View, row: Word, span: Span) -> ViewValue {
        let site = self.fault_site(FaultKind::OutOfBounds, span);
        let check = Check {
            ok: self.b.test(Op::ULessThan, row, of.extents[0]),
            site,
            operands: [row, of.extents[0]],
        };
        let ok = self.watch(vec![check]);
        let offset = self.index_op(Op::IMul, row, of.strides[0]);
        ViewValue {
            pointer: self.advanced(&of, ty, ok, offset),
            extents: self.unless_empty(ok, &of.extents[1..]),
            strides: of.strides[1..].to_vec(),
            mutable: of.mutable,
        }
    }

    fn shape(&mut self, of: ViewValue, extent: Vec<Word>, span: Span) -> ViewValue {
        let site = self.fault_site(FaultKind::Shape, span);
        let (size, zero) = (of.extents[0], self.index_number(0));
        let scalar = self.ir.index.scalar();
        let mut product = extent[0];
        let mut fits = self.b.test(Op::ULessThanEqual, product, size);
        for &length in &extent[1..] {
            let exact;
            (product, exact) = self.exact_product(scalar, product, length);
            let small = self.b.test(Op::ULessThanEqual, product, size);
            let both = self.b.test(Op::LogicalAnd, exact, small);
            fits = self.b.test(Op::LogicalAnd, fits, both);
        }
        let ok = self.watch(vec![Check {
            ok: fits,
            site,
            operands: [size, zero],
        }]);
        let mut strides = Vec::new();
        let mut stride = None;
        for &length in extent[1..].iter().rev() {
            let next = match stride {
                None => length,
                Some(stride) => self.index_op(Op::IMul, length, stride),
            };
            strides.insert(0, next);
            stride = Some(next);
        }
        ViewValue {
            pointer: of.pointer,
            extents: self.unless_empty(ok, &extent),
            strides,
            mutable: of.mutable,
        }
    }

    /// A view of rank 1 whose elements have `from` bytes, as one of other elements.
    fn elements(&mut self, of: ViewValue, ty: &View, from: u32, span: Span) -> ViewValue {
        let to = self.ir.size_of(&ty.element).unwrap_or(from);
        let common = greatest_common_divisor(from, to);
        let mut extent = of.extents[0];
        if to != common {
            let site = self.fault_site(FaultKind::Elements, span);
            let multiple = self.index_number(to / common);
            let zero = self.index_number(0);
            let rest = self.index_op(Op::UMod, extent, multiple);
            let ok = self.b.test(Op::IEqual, rest, zero);
            let ok = self.watch(vec![Check {
                ok,
                site,
                operands: [extent, multiple],
            }]);
            let groups = self.index_op(Op::UDiv, extent, multiple);
            let index_ty = self.index_ty();
            extent = self.b.select(index_ty, ok, groups, zero);
        }
        if from != common {
            extent = self.multiplied(extent, from / common);
        }
        let pointer = self.view_pointer(ty, !of.mutable);
        ViewValue {
            pointer: self.b.bitcast(pointer, of.pointer),
            extents: vec![extent],
            ..of
        }
    }

    /// `extent * parts`, but no more than what the indices of a view can reach.
    fn multiplied(&mut self, extent: Word, parts: u32) -> Word {
        const MOST: u32 = i32::MAX.cast_unsigned();
        let factor = self.index_number(parts);
        let product = self.index_op(Op::IMul, extent, factor);
        if self.ir.index == IndexWidth::Bits64 {
            // No memory has so many bytes.
            return product;
        }
        let (limit, most) = (self.b.u32(MOST / parts), self.b.u32(MOST));
        let fits = self.b.test(Op::ULessThanEqual, extent, limit);
        self.b.select(self.b.scalar.u32, fits, product, most)
    }

    /// The address of an element, as that of a view of type `ty`; of the first element
    /// unless `ok`, since an address outside of the view may be none.
    fn advanced(&mut self, of: &ViewValue, ty: &View, ok: Word, position: Word) -> Word {
        let (index_ty, zero) = (self.index_ty(), self.index_number(0));
        let position = self.b.select(index_ty, ok, position, zero);
        let element = self.element(of, ty, position);
        if self.ir.index == IndexWidth::Bits64 {
            return self.moved(of.pointer, element);
        }
        let pointee = self.memory_ty(&ty.element);
        let pointer = self.b.pointer(StorageClass::PhysicalStorageBuffer, pointee);
        let first = self.b.access(pointer, of.pointer, &[zero, position]);
        self.b.bitcast(element.pointer_ty, first)
    }

    /// The extents of a view that has elements only if `ok`.
    fn unless_empty(&mut self, ok: Word, extents: &[Word]) -> Vec<Word> {
        let (index_ty, zero) = (self.index_ty(), self.index_number(0));
        extents
            .iter()
            .map(|&extent| self.b.select(index_ty, ok, extent, zero))
            .collect()
    }
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    match b {
        0 => a.max(1),
        _ => greatest_common_divisor(b, a % b),
    }
}
