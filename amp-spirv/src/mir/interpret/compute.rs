//! What single instructions compute.

use super::thread::{Call, Step, broken};
use super::{Refusal, Shared};
use crate::mir::{Bound, Inst, Op, Proof, Value as Name};
use crate::tree::{Len, SubgroupOp, Type};
use crate::value::{self, NoResult, Value, View, number, subgroup};

impl<'m> Shared<'m> {
    /// The results of an instruction without regions that nothing waits for.
    pub fn compute(&mut self, call: &mut Call<'m>, inst: &Inst) -> Step<Vec<Value>> {
        let holds = match inst.guard {
            Some(guard) => call.get(guard)?.as_bool(),
            None => true,
        };
        if !inst.op.accesses().is_empty() {
            return self.access(call, inst, holds);
        }
        let barrier = Op::Subgroup(SubgroupOp::Barrier);
        if matches!(inst.op, Op::Fence(_) | Op::DeviceFence) || inst.op == barrier {
            return Ok(Vec::new());
        }
        let [result] = inst.results[..] else {
            return Err(broken("an operation has one result"));
        };
        let ty = self.ty(call.function.ty(result));
        let operands = call.all(&inst.args)?;
        let value = match (&inst.op, ty) {
            (_, Type::View(view)) if !holds => {
                let of = self.view(&operands)?.clone();
                Value::View(Box::new(of.emptied(view.rank as usize)))
            }
            _ if !holds => self.zero(ty),
            (op, _) => self.value(call, op, &inst.args, &operands, ty)?,
        };
        Ok(vec![value])
    }

    fn value(
        &self,
        call: &Call<'m>,
        op: &Op,
        names: &[Name],
        operands: &[Value],
        ty: &'m Type,
    ) -> Step<Value> {
        let ty_of = |operand: usize| self.ty(call.function.ty(names[operand]));
        let sure = |result: value::Result| {
            result.map_err(|NoResult(_)| broken("an operation without a result is not guarded"))
        };
        Ok(match op {
            Op::Literal(literal) => number::of_bits(literal.scalar(), literal.bits()),
            Op::Const(id) => {
                let id = id.0 as usize;
                number::of_bits(self.launch.module.consts[id].ty, self.launch.constants[id])
            }
            Op::Zero => self.zero(ty),
            Op::Construct => Value::Parts(operands.to_vec()),
            Op::Extract(part) => operands[0].part(&[*part as usize]).clone(),
            Op::Insert(part) => {
                let mut whole = operands[0].clone();
                *whole.part_mut(&[*part as usize]) = operands[1].clone();
                whole
            }
            Op::Unary(op) => number::unary(*op, ty, &operands[0]),
            Op::Binary(op) => sure(number::binary(*op, ty_of(0), &operands[0], &operands[1]))?,
            Op::Cast => number::cast(&operands[0], ty),
            Op::Math(op) => sure(number::math(*op, ty_of(0), ty, operands))?,
            Op::Hide(_) | Op::Proven(_) => operands[0].clone(),
            Op::Unchecked => Value::Bool(false),
            Op::ViewExtent(component) => {
                let extent = self.view(operands)?.extent[*component as usize];
                Value::Int(extent.into())
            }
            Op::Position => {
                let position = self.view(operands)?.relative(&sizes(&operands[1..]));
                number::cast(&Value::Int(position), ty)
            }
            Op::InBounds(bound, proof) => {
                let holds = self.holds(*bound, operands)?;
                if matches!(proof, Proof::Always | Proof::InRange) && !holds {
                    return Err(broken("a check that always holds does not"));
                }
                Value::Bool(holds)
            }
            Op::Section | Op::Row | Op::Shape | Op::Elements => {
                let made = self.derived(op, operands, ty_of(0), ty)?;
                let made = made.ok_or_else(|| broken("a view that cannot be is not guarded"))?;
                Value::View(Box::new(made))
            }
            Op::Subgroup(op) => subgroup(*op, operands, self.zero(ty)),
            other => {
                let name = other.info().name;
                return Err(Refusal::Broken(format!("`{name}` has no value")));
            }
        })
    }

    /// The view that is the first operand.
    fn view<'v>(&self, operands: &'v [Value]) -> Step<&'v View> {
        match operands.first() {
            Some(Value::View(view)) => Ok(view),
            _ => Err(broken("the first operand is no view")),
        }
    }

    fn derived(&self, op: &Op, operands: &[Value], from: &Type, to: &Type) -> Step<Option<View>> {
        let view = self.view(operands)?;
        let numbers = sizes(&operands[1..]);
        Ok(match op {
            Op::Section => {
                let (origin, extent) = numbers.split_at(view.extent.len());
                view.section(origin, extent)
            }
            Op::Row => view.row(numbers[0]),
            Op::Shape => view.shape(&numbers),
            _ => match (from, to) {
                (Type::View(from), Type::View(to)) => {
                    match (from.element.scalar(), to.element.scalar()) {
                        (Some(from), Some(to)) if from.bits() == to.bits() => {
                            Some(view.reinterpreted(from, to))
                        }
                        _ => return Err(broken("elements of another width are left out")),
                    }
                }
                _ => None,
            },
        })
    }

    fn holds(&self, bound: Bound, operands: &[Value]) -> Step<bool> {
        if let Bound::Len(len) = bound {
            let len = match len {
                Len::Literal(len) => len.into(),
                Len::Const(id) => self.launch.constants[id.0 as usize],
            };
            return Ok(operands[0].as_size() < len);
        }
        let view = self.view(operands)?;
        let numbers = sizes(&operands[1..]);
        Ok(match bound {
            Bound::View(_) => view.position(&numbers).is_some(),
            Bound::Section(rank) => {
                let (origin, extent) = numbers.split_at(rank as usize);
                view.section(origin, extent).is_some()
            }
            Bound::Row => view.row(numbers[0]).is_some(),
            Bound::Shape(_) => view.shape(&numbers).is_some(),
            Bound::Elements(parts) => view.extent[0].is_multiple_of(parts.into()),
            Bound::Len(_) => false,
        })
    }
}

fn sizes(values: &[Value]) -> Vec<u64> {
    values.iter().map(Value::as_size).collect()
}
