//! Values too large to be one: arrays of many elements, and what holds them.
//!
//! Drivers take a value apart into its scalars and work on all of them at once, some in a time
//! that grows with the square of their number. A *bulk* value is therefore in a variable of the
//! function from the start, and the word for it is that variable. Each expression with a bulk
//! value makes a variable of its own or writes into that of its consumer, so that nothing else
//! changes the value before it is used. Functions take bulk values by pointers to such
//! variables, and write a bulk result through a pointer that is their first parameter.
//!
//! Bulk values are moved element by element, in loops: to a driver that does not know the
//! position, each access is code, so several a round would make it slow to compile.

use spirv::{StorageClass, Word};

use super::Emitter;
use super::access::{Address, Form};
use super::function::{Diverges, Flow, Slot};
use super::types::has_value;
use crate::ir::{Block, Expr, ExprKind, FunctionId, LocalId, Place, Root, Type, visit};

impl<'m> Emitter<'m> {
    /// Whether values of a type are bulk.
    pub fn is_bulk(&self, ty: &Type) -> bool {
        self.ir.is_bulk(ty)
    }

    /// What a parameter or result of a type is passed as.
    pub fn passed_ty(&mut self, ty: &Type) -> Word {
        let id = self.ty(ty);
        match self.is_bulk(ty) {
            true => self.b.pointer(StorageClass::Function, id),
            false => id,
        }
    }

    /// An expression with a bulk value; gives the variable that has it.
    pub fn bulk(&mut self, expr: &'m Expr) -> Flow<Word> {
        match &expr.kind {
            ExprKind::LabelledBlock(label, block) => self.labelled_block(*label, block, &expr.ty),
            ExprKind::Loop(body) => self.loop_(body, &expr.ty, expr.span),
            _ => {
                let variable = self.bulk_variable(&expr.ty);
                self.bulk_into(variable, expr)?;
                Ok(variable)
            }
        }
    }

    /// A variable for a bulk value.
    pub fn bulk_variable(&mut self, ty: &Type) -> Word {
        let id = self.ty(ty);
        self.b.variable(id, "")
    }

    /// An expression with a bulk value that goes to a variable, which it may read.
    pub fn bulk_into(&mut self, variable: Word, expr: &'m Expr) -> Flow<()> {
        match &expr.kind {
            ExprKind::Block(block) => return self.block_into(variable, block),
            ExprKind::If(condition, yes, no) => {
                return self
                    .if_(condition, yes, no, &expr.ty, Some(variable))
                    .map(|_| ());
            }
            ExprKind::LabelledBlock(..) | ExprKind::Loop(_) => {
                let value = self.bulk(expr)?;
                self.put(variable, &expr.ty, value);
                return Ok(());
            }
            _ => self.at(expr.span),
        }
        match &expr.kind {
            ExprKind::Load(place) => {
                let (address, checks) = self.address(place)?;
                self.guarded_either(
                    checks,
                    |emitter| {
                        let pointer = emitter.pointer(&address, &place.ty);
                        emitter.read_into(variable, &address, pointer, &place.ty);
                    },
                    |emitter| emitter.zero_into(variable, &place.ty),
                );
            }
            ExprKind::Zero => self.zero_into(variable, &expr.ty),
            ExprKind::Repeat(element) => {
                let value = self.expr(element)?;
                self.fill(variable, &expr.ty, value);
            }
            ExprKind::Construct(parts) => {
                // All of them first: they may read the variable.
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    values.push(self.expr(part)?);
                }
                for ((part, value), position) in parts.iter().zip(values).zip(0..) {
                    if has_value(&part.ty) {
                        let position = self.b.u32(position);
                        let place = self.part_in(variable, &part.ty, position);
                        self.put(place, &part.ty, value);
                    }
                }
            }
            ExprKind::Field(whole, field) => {
                let whole = self.expr(whole)?;
                let field = self.b.u32(*field);
                let place = self.part_in(whole, &expr.ty, field);
                self.put(variable, &expr.ty, place);
            }
            ExprKind::Call(callee, args) => {
                let passed = |it: &Slot| matches!(it, Slot::Variable(it) if *it == variable);
                let mut locals = args.iter().filter_map(|arg| self.bulk_local(arg));
                if !locals.any(|local| passed(&self.body.slots[local.0 as usize])) {
                    self.call(*callee, args, &expr.ty, Some(variable))?;
                    return Ok(());
                }
                // Functions take it that their pointers are to different variables.
                let result = self.bulk_variable(&expr.ty);
                self.call(*callee, args, &expr.ty, Some(result))?;
                self.put(variable, &expr.ty, result);
            }
            // Nothing else has a bulk value, but a value of another type that never comes.
            _ => {
                self.expr(expr)?;
                return Err(Diverges);
            }
        }
        Ok(())
    }

    /// Makes a local another name for the variable whose value it takes, if that is bulk and
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
        self.body.slots[local.0 as usize] = self.body.slots[other.0 as usize].clone();
        true
    }

    /// An argument of a call that is bulk: a variable with a copy of the value, or, if neither
    /// the call nor the arguments after it write that, the caller's own.
    pub fn bulk_argument(
        &mut self,
        callee: FunctionId,
        param: LocalId,
        argument: &'m Expr,
        others: &'m [Expr],
    ) -> Flow<Word> {
        if let Some(local) = self.bulk_local(argument)
            && let Slot::Variable(variable) = self.body.slots[local.0 as usize]
            && !self.uses.assigned[callee.0 as usize].contains(&param)
            && !others
                .iter()
                .any(|it| visit::assigns(&[], Some(it), &[local]))
        {
            return Ok(variable);
        }
        self.expr(argument)
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

    /// Emits a block whose value is bulk and goes to a variable.
    pub fn block_into(&mut self, variable: Word, block: &'m Block) -> Flow<()> {
        self.statements(block)?;
        match &block.value {
            Some(value) if self.is_bulk(&value.ty) => self.bulk_into(variable, value),
            Some(value) => self.expr(value).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Puts a value into a variable or a part of one.
    pub fn put(&mut self, variable: Word, ty: &Type, value: Word) {
        match self.is_bulk(ty) {
            true => self.read_into(variable, &Address::of_variable(value), value, ty),
            false => self.b.store(variable, value),
        }
    }

    /// Copies what is at `pointer` to a variable or a part of one.
    pub fn read_into(&mut self, variable: Word, address: &Address, pointer: Word, ty: &Type) {
        if !self.is_bulk(ty) {
            let value = self.read(address, pointer, ty);
            self.b.store(variable, value);
            return;
        }
        self.each_part(ty, |emitter, part, position| {
            let (address, place) = emitter.part_of(address, pointer, part, position);
            let own = emitter.part_in(variable, part, position);
            emitter.read_into(own, &address, place, part);
        });
    }

    /// Copies a variable or a part of one to `pointer`.
    pub fn write_from(&mut self, variable: Word, address: &Address, pointer: Word, ty: &Type) {
        if !self.is_bulk(ty) {
            let id = self.ty(ty);
            let value = self.b.load(id, variable);
            self.write(address, pointer, ty, value);
            return;
        }
        self.each_part(ty, |emitter, part, position| {
            let (address, place) = emitter.part_of(address, pointer, part, position);
            let own = emitter.part_in(variable, part, position);
            emitter.write_from(own, &address, place, part);
        });
    }

    /// Puts zero into a variable or a part of one; see [`opaque_zero`](Self::opaque_zero).
    pub fn zero_into(&mut self, variable: Word, ty: &Type) {
        if !self.is_bulk(ty) {
            let zero = self.opaque_zero(ty);
            self.b.store(variable, zero);
            return;
        }
        self.each_part(ty, |emitter, part, position| {
            let own = emitter.part_in(variable, part, position);
            emitter.zero_into(own, part);
        });
    }

    /// Puts a value into each element of an array.
    fn fill(&mut self, variable: Word, array: &Type, value: Word) {
        self.each_part(array, |emitter, part, position| {
            let own = emitter.part_in(variable, part, position);
            emitter.put(own, part, value);
        });
    }

    /// A part, which is not bulk, of what a variable holds.
    pub fn read_part(&mut self, variable: Word, part: &Type, position: u32) -> Word {
        let position = self.b.u32(position);
        let (id, place) = (self.ty(part), self.part_in(variable, part, position));
        self.b.load(id, place)
    }

    /// The pointer to a part of a variable.
    pub fn part_in(&mut self, variable: Word, part: &Type, position: Word) -> Word {
        let id = self.ty(part);
        let pointer = self.b.pointer(StorageClass::Function, id);
        self.b.access(pointer, variable, &[position])
    }

    /// Emits `each` for the parts of a bulk value, in loops if they are elements: with a
    /// part's type and its position.
    fn each_part(&mut self, ty: &Type, mut each: impl FnMut(&mut Self, &Type, Word)) {
        let Type::Array(part, len) = ty else {
            for (part, position) in self.parts(ty).iter().zip(0..) {
                if has_value(part) {
                    let position = self.b.u32(position);
                    each(self, part, position);
                }
            }
            return;
        };
        if !has_value(part) {
            return;
        }
        let len = self.len(*len);
        self.count_up(len, |emitter, position| each(emitter, part, position));
    }
}

impl Address {
    /// A variable of the function, or a part of one.
    pub fn of_variable(variable: Word) -> Self {
        Address {
            base: variable,
            element: None,
            indices: Vec::new(),
            is_component: false,
            storage: StorageClass::Function,
            form: Form::Register,
            access: None,
            alignment: 4,
        }
    }
}
