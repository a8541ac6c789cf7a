//! Values too large to be one: arrays of many elements, and what holds them.
//!
//! Drivers take a value apart into its scalars and work on all of them at once, some in a time
//! that grows with the square of their number. A bulk value is therefore in a slot from the start.
//! Each expression with a bulk value makes a slot of its own or writes into that of its consumer,
//! so that nothing else changes the value before it is used.

use super::function::is_zero;
use super::place::Memory;
use super::{Builder, Diverges, Flow, Local, Operand};
use crate::mir::{Access, Base, Bound, End, Op, Proof, SlotId, Step};
use crate::tree::{Block, Expr, ExprKind, Len, LocalId, Place, Root, Type, visit};

impl<'m> Builder<'m, '_> {
    /// An expression with a bulk value; gives a slot that has it.
    pub fn bulk(&mut self, expr: &'m Expr) -> Flow<SlotId> {
        let slot = self.bulk_slot(&expr.ty);
        self.bulk_into(slot, expr)?;
        Ok(slot)
    }

    fn bulk_slot(&mut self, ty: &Type) -> SlotId {
        let ty = self.ty(ty);
        self.function.new_slot("", ty)
    }

    /// An expression with a bulk value that goes to a slot, which it may read: it writes there
    /// last.
    pub fn bulk_into(&mut self, slot: SlotId, expr: &'m Expr) -> Flow<()> {
        let around = std::mem::replace(&mut self.span, expr.span);
        let flow = self.dispatch_into(slot, expr);
        self.span = around;
        flow
    }

    fn dispatch_into(&mut self, slot: SlotId, expr: &'m Expr) -> Flow<()> {
        let (ty, into) = (&expr.ty, Some(slot));
        match &expr.kind {
            ExprKind::Block(block) => self.block_into(slot, block),
            ExprKind::If(condition, yes, no) => self.if_(condition, yes, no, ty, into).map(|_| ()),
            ExprKind::LabelledBlock(label, block) => {
                self.labelled_block(*label, block, ty, into).map(|_| ())
            }
            ExprKind::Loop(looping) => self.loop_(looping, ty, into).map(|_| ()),
            ExprKind::Load(place) => {
                if self.bulk_local(expr).map(|it| self.state[it.0 as usize])
                    == Some(Local::Slot(slot))
                {
                    return Ok(());
                }
                let Memory {
                    access,
                    args,
                    checks,
                } = self.memory(place)?;
                let guard = self.check(&checks);
                self.effect(Op::Copy(Access::whole(slot), access), args, guard);
                Ok(())
            }
            ExprKind::Zero => {
                self.clear(slot);
                Ok(())
            }
            ExprKind::Repeat(element) => self.repeat_into(slot, element, ty),
            ExprKind::Construct(parts) => {
                // All of them first: they may read the slot.
                let operands = parts.iter().map(|part| self.operand(part));
                let operands = operands.collect::<Flow<Vec<Operand>>>()?;
                for (position, operand) in (0..).zip(operands) {
                    self.put(Access::part(slot, position), operand);
                }
                Ok(())
            }
            ExprKind::Field(value, field) => {
                if let Operand::Slot(from) = self.operand(value)? {
                    self.effect(
                        Op::Copy(Access::whole(slot), Access::part(from, *field)),
                        Vec::new(),
                        None,
                    );
                }
                Ok(())
            }
            ExprKind::Call(callee, args) => {
                let is_passed = |arg: &Expr| {
                    let local = self.bulk_local(arg);
                    local.map(|it| self.state[it.0 as usize]) == Some(Local::Slot(slot))
                };
                if !args.iter().any(is_passed) {
                    self.call(*callee, args, ty, into)?;
                    return Ok(());
                }
                // Functions take it that their slots are different ones.
                let result = self.bulk_slot(ty);
                self.call(*callee, args, ty, Some(result))?;
                self.put(Access::whole(slot), Operand::Slot(result));
                Ok(())
            }
            // Nothing else has a bulk value, but a value of another type that never comes.
            _ => {
                self.plain(expr)?;
                Err(Diverges)
            }
        }
    }

    /// Builds a block whose value is bulk and goes to a slot.
    pub fn block_into(&mut self, slot: SlotId, block: &'m Block) -> Flow<()> {
        self.statements(block)?;
        match &block.value {
            Some(value) if self.is_bulk(&value.ty) => self.bulk_into(slot, value),
            Some(value) => self.expr(value).map(|_| ()),
            None => Ok(()),
        }
    }

    /// `[element; N]`
    fn repeat_into(&mut self, slot: SlotId, element: &'m Expr, ty: &Type) -> Flow<()> {
        if is_zero(element) {
            self.clear(slot);
            return Ok(());
        }
        let operand = self.operand(element)?;
        let Type::Array(_, len) = ty else {
            return Ok(());
        };
        if !matches!(operand, Operand::Unit) {
            self.fill(slot, operand, *len);
        }
        Ok(())
    }

    /// Puts a value into each element of an array.
    fn fill(&mut self, slot: SlotId, operand: Operand, len: Len) {
        let index = self.tree.index.ty();
        let numbers = [self.index_number(0), self.len(len), self.index_number(1)];
        let inst = self.open(Op::For, numbers.to_vec());
        let region = self.new_region(inst);
        let around = std::mem::replace(&mut self.region, region);
        let position = self.param(index);
        let ok = self.in_bounds(Bound::Len(len), Proof::Always, &[position]);
        let element = Access::new(Base::Slot(slot), vec![Step::Index]);
        match operand {
            Operand::Unit => {}
            Operand::Value(value) => {
                self.effect(Op::Store(element), vec![position, value], Some(ok));
            }
            Operand::Slot(from) => {
                self.effect(
                    Op::Copy(element, Access::whole(from)),
                    vec![position],
                    Some(ok),
                );
            }
        }
        self.end(End::Yield(Vec::new()));
        self.region = around;
    }

    /// Puts a value into a place that has no indices.
    fn put(&mut self, place: Access, operand: Operand) {
        match operand {
            Operand::Unit => {}
            Operand::Value(value) => self.effect(Op::Store(place), vec![value], None),
            Operand::Slot(from) => {
                self.effect(Op::Copy(place, Access::whole(from)), Vec::new(), None);
            }
        }
    }

    /// Puts zeroes into a slot.
    pub fn clear(&mut self, slot: SlotId) {
        self.effect(Op::Clear(Access::whole(slot)), Vec::new(), None);
    }

    /// Makes a local another name for the slot whose value it takes, if that is bulk and
    /// neither is written as long as there are both: in the statements of `block` from number
    /// `next` on.
    pub fn names_another(
        &mut self,
        local: LocalId,
        value: &'m Expr,
        block: &'m Block,
        next: usize,
    ) -> bool {
        let Some(other) = self.bulk_local(value) else {
            return false;
        };
        let rest = &block.statements[next..];
        if visit::assigns(rest, block.value.as_deref(), &[local, other]) {
            return false;
        }
        self.state[local.0 as usize] = self.state[other.0 as usize];
        true
    }

    /// An argument of a call that is bulk: a slot with a copy of the value, or, if the
    /// arguments after it do not write that, the caller's own.
    pub fn bulk_argument(&mut self, argument: &'m Expr, others: &'m [Expr]) -> Flow<SlotId> {
        if let Some(local) = self.bulk_local(argument)
            && let Local::Slot(slot) = self.state[local.0 as usize]
            && !others
                .iter()
                .any(|it| visit::assigns(&[], Some(it), &[local]))
        {
            return Ok(slot);
        }
        self.bulk(argument)
    }

    /// The local whose bulk value an expression is.
    fn bulk_local(&self, value: &Expr) -> Option<LocalId> {
        match &value.kind {
            ExprKind::Load(Place {
                root: Root::Local(local),
                projections,
                ..
            }) if projections.is_empty() && self.is_bulk(&value.ty) => Some(*local),
            _ => None,
        }
    }
}
