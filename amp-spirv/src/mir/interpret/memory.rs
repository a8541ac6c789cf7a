//! Places: slots, variables of the tile, elements of views.

use super::thread::{Call, Step, broken};
use super::{Refusal, Shared};
use crate::mir::{Access, Base, Inst, Op, Step as Part, Value as Name};
use crate::tree::{AtomicOp, BinaryOp, MathOp, Type};
use crate::value::{Value, View, number};

/// A place that has been found.
struct Found {
    base: Root,
    path: Vec<usize>,
}

enum Root {
    Slot(usize),
    TileStatic(usize),
    Element(Box<View>, usize),
}

impl<'m> Shared<'m> {
    /// An access; `holds` is whether its guard does.
    pub fn access(&mut self, call: &mut Call<'m>, inst: &Inst, holds: bool) -> Step<Vec<Value>> {
        let zero = |shared: &Self, call: &Call<'m>| match inst.results[..] {
            [result] => vec![shared.zero(shared.ty(call.function.ty(result)))],
            _ => Vec::new(),
        };
        if !holds {
            if let Op::Copy(to, _) = &inst.op
                && to.is_slot()
            {
                self.clear(call, to, &inst.args)?;
            }
            return Ok(zero(self, call));
        }
        match &inst.op {
            Op::Load(access) => {
                let found = self.find(call, access, &inst.args)?;
                Ok(vec![self.read(call, &found)?])
            }
            Op::Store(access) => {
                let found = self.find(call, access, &inst.args)?;
                let value = call.get(inst.args[access.operands()])?;
                self.write(call, &found, value)?;
                Ok(Vec::new())
            }
            Op::LoadRun(access) => {
                let read = |place| self.read(call, &place);
                let places = self.neighbours(call, access, inst, inst.results.len())?;
                places.into_iter().map(read).collect()
            }
            Op::StoreRun(access) => {
                let values = call.all(&inst.args[access.operands()..])?;
                let places = self.neighbours(call, access, inst, values.len())?;
                for (place, value) in places.iter().zip(values) {
                    self.write(call, place, value)?;
                }
                Ok(Vec::new())
            }
            Op::Copy(to, from) => {
                let (own, others) = inst.args.split_at(to.operands());
                let (to, from) = (self.find(call, to, own)?, self.find(call, from, others)?);
                let value = self.read(call, &from)?;
                self.write(call, &to, value)?;
                Ok(Vec::new())
            }
            Op::Clear(access) => {
                self.clear(call, access, &inst.args)?;
                Ok(Vec::new())
            }
            Op::Atomic(op, access) => self.atomic(call, inst, *op, access),
            _ => Err(broken("this is no access")),
        }
    }

    fn clear(&mut self, call: &mut Call<'m>, access: &Access, args: &[Name]) -> Step<()> {
        let own = &args[..access.operands()];
        let found = self.find(call, access, own)?;
        let module = self.launch.module;
        let Some(ty) = module.place_ty(call.function, access, own) else {
            return Err(broken("a place has no type"));
        };
        let zero = self.zero(&ty);
        self.write(call, &found, zero)
    }

    /// Elements of a view from a place on, in the last dimension.
    fn neighbours(
        &self,
        call: &Call<'m>,
        access: &Access,
        inst: &Inst,
        count: usize,
    ) -> Step<Vec<Found>> {
        let mut operands = call.all(&inst.args[..access.operands()])?;
        let first = operands.last().map_or(0, Value::as_int);
        if first % count.max(1) as i128 != 0 {
            return Err(broken("a run starts where none does"));
        }
        let place = |lane| {
            if let Some(last) = operands.last_mut() {
                *last = Value::Int(first + lane as i128);
            }
            self.found(call, access, &inst.args, &operands)
        };
        (0..count).map(place).collect()
    }

    /// Where a place is whose indices are in bounds.
    fn find(&self, call: &Call<'m>, access: &Access, args: &[Name]) -> Step<Found> {
        let operands = call.all(&args[..access.operands()])?;
        self.found(call, access, args, &operands)
    }

    fn found(
        &self,
        call: &Call<'m>,
        access: &Access,
        args: &[Name],
        operands: &[Value],
    ) -> Step<Found> {
        let outside = || broken("an access that is out of bounds is not guarded");
        let mut operands = operands.iter();
        let base = match access.base {
            Base::Slot(slot) => Root::Slot(slot.0 as usize),
            Base::TileStatic(id) => Root::TileStatic(id.0 as usize),
            Base::Position => {
                let (Some(Value::View(view)), Some(position)) = (operands.next(), operands.next())
                else {
                    return Err(broken("what is accessed is no view"));
                };
                let position = view.at(position.as_size());
                let elements = &self.arrays[view.array].elements;
                if position.is_none_or(|it| it >= elements.len()) {
                    return Err(outside());
                }
                Root::Element(view.clone(), position.unwrap_or_default())
            }
            Base::Element(rank) => {
                let Some(Value::View(view)) = operands.next() else {
                    return Err(broken("what is accessed is no view"));
                };
                let index: Vec<u64> = operands
                    .by_ref()
                    .take(rank as usize)
                    .map(Value::as_size)
                    .collect();
                let position = view.position(&index).ok_or_else(outside)?;
                Root::Element(view.clone(), position)
            }
        };
        let module = self.launch.module;
        let mut ty = module.base_ty(call.function, access.base, args);
        let mut path = Vec::new();
        for step in &access.path {
            let whole = ty.ok_or_else(|| broken("a place has no type"))?;
            let part = match step {
                Part::Field(part) => u64::from(*part),
                Part::Index => operands.next().map_or(0, Value::as_size),
            };
            let part = usize::try_from(part).map_err(|_| outside())?;
            if *step == Part::Index && part >= self.zero(&whole).parts().len() {
                return Err(outside());
            }
            path.push(part);
            ty = match step {
                Part::Field(field) => module.part(&whole, *field),
                Part::Index => module.elements(&whole).map(|(_, element)| element),
            };
        }
        Ok(Found { base, path })
    }

    fn read(&self, call: &Call<'m>, found: &Found) -> Step<Value> {
        let whole = match &found.base {
            Root::Slot(slot) => call.slots[*slot].clone(),
            Root::TileStatic(id) => self.statics[*id].clone(),
            Root::Element(view, position) => {
                let element = self.arrays[view.array].elements[*position].clone();
                Some(view.taken(element))
            }
        };
        let whole = whole.ok_or(Refusal::Uninitialised)?;
        Ok(whole.part(&found.path).clone())
    }

    fn write(&mut self, call: &mut Call<'m>, found: &Found, value: Value) -> Step<()> {
        // What is written in part has zeroes elsewhere.
        let whole = match &found.base {
            Root::Slot(slot) => {
                let zero = self.zero(self.ty(call.function.slots[*slot].ty));
                call.slots[*slot].get_or_insert(zero)
            }
            Root::TileStatic(id) => {
                let zero = self.zero(&self.launch.module.tile_statics[*id].ty);
                self.statics[*id].get_or_insert(zero)
            }
            Root::Element(view, position) if found.path.is_empty() => {
                self.arrays[view.array].elements[*position] = view.given(value);
                return Ok(());
            }
            Root::Element(view, position) => &mut self.arrays[view.array].elements[*position],
        };
        *whole.part_mut(&found.path) = value;
        Ok(())
    }

    fn atomic(
        &mut self,
        call: &mut Call<'m>,
        inst: &Inst,
        op: AtomicOp,
        access: &Access,
    ) -> Step<Vec<Value>> {
        let (own, operands) = inst.args.split_at(access.operands());
        let found = self.find(call, access, own)?;
        let operands = call.all(operands)?;
        let module = self.launch.module;
        let Some(Type::Scalar(scalar)) = module.place_ty(call.function, access, own) else {
            return Err(broken("an atomic operation is on a scalar"));
        };
        let ty = &Type::Scalar(scalar);
        let old = match op {
            AtomicOp::Store => Value::Unit,
            _ => self.read(call, &found)?,
        };
        let by = |op| number::binary(op, ty, &old, &operands[0]);
        let of = |op| number::math(op, ty, ty, &[old.clone(), operands[0].clone()]);
        let bits = |value: &Value| number::to_bits(scalar, value);
        let new = match op {
            AtomicOp::Load => None,
            AtomicOp::Store | AtomicOp::Exchange => Some(operands[0].clone()),
            AtomicOp::CompareExchange => {
                let swaps = bits(&old) == bits(&operands[1]);
                swaps.then(|| operands[0].clone())
            }
            AtomicOp::Add => by(BinaryOp::Add).ok(),
            AtomicOp::Sub => by(BinaryOp::Sub).ok(),
            AtomicOp::And => by(BinaryOp::BitAnd).ok(),
            AtomicOp::Or => by(BinaryOp::BitOr).ok(),
            AtomicOp::Xor => by(BinaryOp::BitXor).ok(),
            AtomicOp::Min => of(MathOp::Min).ok(),
            AtomicOp::Max => of(MathOp::Max).ok(),
        };
        if let Some(new) = new {
            self.write(call, &found, new)?;
        }
        Ok(match op {
            AtomicOp::Store => Vec::new(),
            _ => vec![old],
        })
    }
}
