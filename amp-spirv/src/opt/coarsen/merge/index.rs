//! The kernel's index in each lane: that of the first one, and how far the lane is from there.

use super::{Lanes, Merging};
use crate::mir::{Def, Inst, Op, Ty, Value};
use crate::tree::{BinaryOp, Domain, Len, Literal, TiledField, Type};

impl Merging<'_> {
    /// The field of the kernel's index, and the component, that an instruction takes.
    pub(super) fn place(&self, inst: &Inst) -> Option<(u32, Option<u32>)> {
        let Op::Extract(part) = inst.op else {
            return None;
        };
        match self.kernel.def(inst.args[0]) {
            Def::Param(0) => Some((part, None)),
            Def::Inst(id, _) => match self.place(self.kernel.inst(id))? {
                (field, None) => Some((field, Some(part))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The kernel's index, a field or a component of that, in the first of some lanes.
    pub(super) fn place_of(&mut self, value: Value, lanes: Lanes) -> Option<Value> {
        let inst = match self.kernel.def(value) {
            Def::Param(0) => return Some(self.whole(lanes)),
            Def::Inst(id, _) => self.kernel.inst(id),
            _ => return None,
        };
        Some(match self.place(inst)? {
            (field, None) => self.field(field, lanes),
            (field, Some(k)) => self.component(field, k, lanes),
        })
    }

    fn whole(&mut self, lanes: Lanes) -> Value {
        if lanes.lane == [0; 3] {
            return Value(0);
        }
        let fields = (0..4).map(|field| self.field(field, lanes)).collect();
        let ty = self.kernel.ty(Value(0));
        self.at_start(Op::Construct, fields, ty)
    }

    fn field(&mut self, field: u32, lanes: Lanes) -> Value {
        let rank = self.module.domain.rank();
        let ty = self.module.types.intern(&Type::Index(rank));
        let components = (0..rank).map(|k| self.component(field, k, lanes)).collect();
        self.at_start(Op::Construct, components, ty)
    }

    fn component(&mut self, field: u32, k: u32, lanes: Lanes) -> Value {
        let lane = match TiledField::of(field) {
            Some(TiledField::Global | TiledField::Local) => lanes.lane[k as usize],
            _ => 0,
        };
        if let Some(known) = self.components.get(&(field, k, lane)) {
            return *known;
        }
        let component = self.module.types.scalar(self.module.index.scalar());
        let value = match lane {
            0 => {
                let rank = self.module.domain.rank();
                let index = self.module.types.intern(&Type::Index(rank));
                let index = self.at_start(Op::Extract(field), vec![Value(0)], index);
                self.at_start(Op::Extract(k), vec![index], component)
            }
            _ => {
                let first = Lanes {
                    one: 0,
                    lane: [0; 3],
                };
                let first = self.component(field, k, first);
                let distance = self.distance(k, lane);
                let sum = Op::Binary(BinaryOp::Add);
                self.at_start(sum, vec![first, distance], component)
            }
        };
        self.components.insert((field, k, lane), value);
        value
    }

    /// How far a lane is from the first one.
    fn distance(&mut self, k: u32, lane: u32) -> Value {
        let Domain::Tiled { tile } = &self.module.domain else {
            return Value(0);
        };
        let factor = self.plan.factors[k as usize];
        let number = match tile[k as usize] {
            Len::Literal(length) => return self.literal(length / factor * lane),
            Len::Const(number) => number,
        };
        let ty = self.module.types.scalar(self.module.index.scalar());
        let stride = match self.strides.get(&k) {
            Some(stride) => *stride,
            None => {
                let length = self.at_start(Op::Const(number), Vec::new(), ty);
                let factor = self.literal(factor);
                let division = Op::Binary(BinaryOp::Div);
                let stride = self.at_start(division, vec![length, factor], ty);
                *self.strides.entry(k).or_insert(stride)
            }
        };
        let lane = self.literal(lane);
        self.at_start(Op::Binary(BinaryOp::Mul), vec![stride, lane], ty)
    }

    fn literal(&mut self, number: u32) -> Value {
        let scalar = self.module.index.scalar();
        let ty = self.module.types.scalar(scalar);
        let literal = Literal::new(scalar, number.into());
        self.at_start(Op::Literal(literal), Vec::new(), ty)
    }

    /// An instruction at the start.
    fn at_start(&mut self, op: Op, args: Vec<Value>, ty: Ty) -> Value {
        let inst = Inst::new(op, args, self.kernel.span);
        let id = self.merged.new_inst(inst, &[ty]);
        self.start.push(id);
        self.merged.inst(id).results[0]
    }
}
