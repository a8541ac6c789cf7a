//! Bounds checks, and views made from views: sections, rows, other shapes and other elements.
//!
//! Nothing is copied. The address moves to the first element, so that a section is used
//! and handed on like any other view, and the extents are the section's own, against which
//! its indices are checked. Unless its guard holds, a view has no elements.

use spirv::{Op as SpvOp, StorageClass, Word};

use super::Emitter;
use super::function::ViewValue;
use crate::mir::{Bound, Inst, Op, Proof, Value};
use crate::tree::{IndexWidth, Type, View};

impl<'m> Emitter<'m> {
    /// Whether an index is in bounds, or checks are disabled.
    pub fn in_bounds(&mut self, bound: Bound, proof: Proof, args: &[Value]) -> Word {
        if let Proof::Always | Proof::InRange = proof {
            return self.b.bool(true);
        }
        let below = |emitter: &mut Self, a, b| emitter.b.test(SpvOp::ULessThan, a, b);
        let tests = match bound {
            Bound::View(_) => {
                let (extents, index) = (self.view(args[0]).extents, self.words(&args[1..]));
                let components = index.into_iter().zip(extents);
                components.map(|(a, b)| below(self, a, b)).collect()
            }
            Bound::Len(len) => {
                let len = self.len(len);
                let len = self.as_index(len);
                vec![below(self, self.word(args[0]), len)]
            }
            Bound::Section(rank) => {
                let extents = self.view(args[0]).extents;
                let (origin, extent) = args[1..].split_at(rank as usize);
                let (origin, extent) = (self.words(origin), self.words(extent));
                let mut tests = Vec::with_capacity(2 * extents.len());
                for ((start, length), whole) in origin.into_iter().zip(extent).zip(extents) {
                    tests.push(self.b.test(SpvOp::ULessThanEqual, length, whole));
                    let room = self.index_op(SpvOp::ISub, whole, length);
                    tests.push(self.b.test(SpvOp::ULessThanEqual, start, room));
                }
                tests
            }
            Bound::Row => {
                let extent = self.view(args[0]).extents[0];
                vec![below(self, self.word(args[1]), extent)]
            }
            Bound::Shape(_) => {
                let (size, extent) = (self.view(args[0]).extents[0], self.words(&args[1..]));
                self.fits(size, &extent)
            }
            Bound::Elements(multiple) => {
                let extent = self.view(args[0]).extents[0];
                let (multiple, zero) = (self.index_number(multiple), self.index_number(0));
                let rest = self.index_op(SpvOp::UMod, extent, multiple);
                vec![self.b.test(SpvOp::IEqual, rest, zero)]
            }
        };
        let mut needless = self.unchecked();
        if let Proof::Launch(group) = proof {
            let proven = self.proven(group);
            let bool = self.b.scalar.bool;
            let operands = [SpvOp::LogicalOr as Word, needless, proven];
            needless = self.b.intern(SpvOp::SpecConstantOp, Some(bool), &operands);
        }
        let both = |a, b| self.b.test(SpvOp::LogicalAnd, a, b);
        match tests.into_iter().reduce(both) {
            Some(all) => self.b.test(SpvOp::LogicalOr, needless, all),
            None => self.b.bool(true),
        }
    }

    /// Whether the products of an extent's leading components are no more than a size.
    fn fits(&mut self, size: Word, extent: &[Word]) -> Vec<Word> {
        let scalar = self.ir.index.scalar();
        let Some((first, others)) = extent.split_first() else {
            return Vec::new();
        };
        let mut product = *first;
        let mut tests = vec![self.b.test(SpvOp::ULessThanEqual, product, size)];
        for length in others {
            let exact;
            (product, exact) = self.exact_product(scalar, product, *length);
            tests.push(exact);
            tests.push(self.b.test(SpvOp::ULessThanEqual, product, size));
        }
        tests
    }

    /// A view of type `ty` that is made from another.
    pub fn derived(&mut self, inst: &'m Inst, ty: &'m Type, guard: Option<Word>) -> ViewValue {
        let (Type::View(ty), Type::View(from)) = (ty, self.type_of(inst.args[0])) else {
            // The form's rules: so the operation's row has it.
            unreachable!("views are made from views")
        };
        let of = self.view(inst.args[0]);
        let operands = self.words(&inst.args[1..]);
        match inst.op {
            Op::Section => {
                let (origin, extent) = operands.split_at(operands.len() / 2);
                let offset = self.linear(&of, origin);
                ViewValue {
                    pointer: self.advanced(&of, ty, guard, offset),
                    extents: self.unless_empty(guard, extent),
                    ..of
                }
            }
            Op::Row => {
                let offset = self.index_op(SpvOp::IMul, operands[0], of.strides[0]);
                ViewValue {
                    pointer: self.advanced(&of, ty, guard, offset),
                    extents: self.unless_empty(guard, &of.extents[1..]),
                    strides: of.strides[1..].to_vec(),
                    mutable: of.mutable,
                }
            }
            Op::Shape => self.shape(of, &operands, guard),
            _ => self.elements(of, ty, from, guard),
        }
    }

    fn shape(&mut self, of: ViewValue, extent: &[Word], guard: Option<Word>) -> ViewValue {
        let mut strides = Vec::new();
        let mut stride = None;
        for &length in extent[1..].iter().rev() {
            let next = match stride {
                None => length,
                Some(stride) => self.index_op(SpvOp::IMul, length, stride),
            };
            strides.insert(0, next);
            stride = Some(next);
        }
        ViewValue {
            pointer: of.pointer,
            extents: self.unless_empty(guard, extent),
            strides,
            mutable: of.mutable,
        }
    }

    /// A view of rank 1 as one of other elements.
    fn elements(
        &mut self,
        of: ViewValue,
        ty: &View,
        from: &View,
        guard: Option<Word>,
    ) -> ViewValue {
        let layout = self.ir.layout();
        let from = layout.size_of(&from.element).unwrap_or(4);
        let to = layout.size_of(&ty.element).unwrap_or(from);
        let common = greatest_common_divisor(from, to);
        let mut extent = of.extents[0];
        if to != common {
            let multiple = self.index_number(to / common);
            extent = self.index_op(SpvOp::UDiv, extent, multiple);
        }
        if from != common {
            extent = self.multiplied(extent, from / common);
        }
        let pointer = self.view_pointer(ty, !of.mutable);
        ViewValue {
            pointer: self.b.bitcast(pointer, of.pointer),
            extents: self.unless_empty(guard, &[extent]),
            ..of
        }
    }

    /// `extent * parts`, but no more than what the indices of a view can reach.
    fn multiplied(&mut self, extent: Word, parts: u32) -> Word {
        const MOST: u32 = i32::MAX.cast_unsigned();
        let factor = self.index_number(parts);
        let product = self.index_op(SpvOp::IMul, extent, factor);
        if self.ir.index == IndexWidth::Bits64 {
            // No memory has so many bytes.
            return product;
        }
        let (limit, most) = (self.b.u32(MOST / parts), self.b.u32(MOST));
        let fits = self.b.test(SpvOp::ULessThanEqual, extent, limit);
        self.b.select(self.b.scalar.u32, fits, product, most)
    }

    /// The address of an element, as that of a view of type `ty`; of the first element
    /// unless the guard holds, since an address outside of the view may be none.
    fn advanced(&mut self, of: &ViewValue, ty: &View, guard: Option<Word>, position: Word) -> Word {
        let (index_ty, zero) = (self.index_ty(), self.index_number(0));
        let position = match guard {
            Some(ok) => self.b.select(index_ty, ok, position, zero),
            None => position,
        };
        let element = self.element(of, ty, position);
        if self.ir.index == IndexWidth::Bits64 {
            return self.moved(of.pointer, element);
        }
        let pointee = self.memory_ty(&ty.element);
        let pointer = self.b.pointer(StorageClass::PhysicalStorageBuffer, pointee);
        let first = self.b.access(pointer, of.pointer, &[zero, position]);
        self.b.bitcast(element.pointer_ty, first)
    }

    /// The extents of a view that has elements only if a guard holds.
    fn unless_empty(&mut self, guard: Option<Word>, extents: &[Word]) -> Vec<Word> {
        let Some(ok) = guard else {
            return extents.to_vec();
        };
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
