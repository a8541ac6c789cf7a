//! Whether instructions run under the guards that they need.
//!
//! An access needs the checks of all its indices, of the very values that it uses: in its guard, or
//! in the condition of an `if` around it. One that is `false` is enough for anything.

use super::{Check, Verifier};
use crate::mir::{Access, Base, Bound, Inst, Op, Step, Value};
use crate::tree::{BinaryOp, Len, Literal, MathOp, Scalar, Type};

/// A check that a guard has to contain.
#[derive(Debug, PartialEq)]
struct Wanted<'i> {
    bound: Bound,
    operands: &'i [Value],
}

impl Verifier<'_> {
    /// Whether an instruction runs under the guard that it needs.
    pub fn guarded(&self, inst: &Inst) -> Check {
        if let Some(guard) = inst.guard {
            if *self.value_ty(guard) != Type::BOOL {
                return Err("its guard is no `bool`".to_owned());
            }
            if !can_have_guard(&inst.op) {
                return Err("takes no guard".to_owned());
            }
        }
        let known = |value: &Value| self.literal(*value);
        match inst.op {
            Op::Binary(BinaryOp::Div | BinaryOp::Rem)
            | Op::Math(MathOp::RemEuclid | MathOp::DivEuclid | MathOp::DivCeil)
                if inst.guard.is_none() && self.has_integers(inst.args[0]) =>
            {
                let divisor = known(&inst.args[1]).and_then(Literal::integer);
                match divisor {
                    Some(divisor) if !matches!(divisor, 0 | -1) => Ok(()),
                    _ => Err("divides without a guard".to_owned()),
                }
            }
            Op::Math(MathOp::Clamp) if inst.guard.is_none() => {
                match inst.args[1..].iter().all(|limit| known(limit).is_some()) {
                    true => Ok(()),
                    false => Err("has limits without a guard".to_owned()),
                }
            }
            // What they access is in bounds wherever a wide kernel runs.
            Op::LoadRun(_) | Op::StoreRun(_) => Ok(()),
            _ => self.checked(inst),
        }
    }

    fn has_integers(&self, value: Value) -> bool {
        match self.value_ty(value) {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.is_integer(),
            _ => false,
        }
    }

    /// The literal that a value is, or that all its components are.
    fn literal(&self, value: Value) -> Option<Literal> {
        let inst = self.function.def_inst(value)?;
        match inst.op {
            Op::Literal(literal) => Some(literal),
            Op::Hide(_) => self.literal(inst.args[0]),
            Op::Construct => {
                let first = self.literal(*inst.args.first()?)?;
                let mut others = inst.args.iter().map(|it| self.literal(*it));
                others.all(|it| it == Some(first)).then_some(first)
            }
            _ => None,
        }
    }

    /// Whether all indices of an instruction are checked.
    fn checked(&self, inst: &Inst) -> Check {
        let mut wanted = Vec::new();
        let mut rest = inst.args.as_slice();
        for access in inst.op.accesses() {
            let (own, others) = rest.split_at(access.operands());
            self.want(access, own, &mut wanted);
            rest = others;
        }
        let rank = |view: usize| match self.value_ty(inst.args[view]) {
            Type::View(view) => view.rank,
            _ => 0,
        };
        let mut want = |bound| {
            wanted.push(Wanted {
                bound,
                operands: &inst.args,
            })
        };
        match inst.op {
            Op::Section => want(Bound::Section(rank(0))),
            Op::Row => want(Bound::Row),
            Op::Shape => want(Bound::Shape(inst.args.len() as u32 - 1)),
            Op::Elements => match self.multiple(inst) {
                Some(1) => {}
                multiple => want(Bound::Elements(multiple.unwrap_or(0))),
            },
            _ => {}
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let mut conjuncts = Vec::new();
        for holds in inst.guard.iter().chain(&self.holding) {
            if !self.conjuncts(*holds, &mut conjuncts) {
                return Ok(());
            }
        }
        for it in &wanted {
            let shown = Wanted {
                bound: it.bound,
                operands: self.shown(it.operands),
            };
            if !conjuncts
                .iter()
                .any(|known| known.implies(it) || known.implies(&shown))
            {
                if inst.guard.is_none() {
                    return Err("has an index, but no guard".to_owned());
                }
                let operands = self.names.values(it.operands);
                let bound = it.bound;
                return Err(format!("its guard does not check {bound:?} of {operands}"));
            }
        }
        Ok(())
    }

    /// What the number of elements of a view must be a multiple of, to be taken for others.
    fn multiple(&self, inst: &Inst) -> Option<u32> {
        let bytes = |value: Value| match self.value_ty(value) {
            Type::View(view) => self.module.layout().size_of(&view.element),
            _ => None,
        };
        let (from, to) = (bytes(inst.args[0])?, bytes(inst.results[0])?);
        let (mut a, mut common) = (from, to);
        while a != 0 {
            (a, common) = (common % a, a);
        }
        to.checked_div(common)
    }

    /// The checks that an access needs; `operands` are its own.
    fn want<'i>(&'i self, access: &Access, operands: &'i [Value], wanted: &mut Vec<Wanted<'i>>) {
        let (own, mut rest) = match access.base {
            Base::Element(rank) => operands.split_at(1 + rank as usize),
            Base::Position => {
                let (own, others) = operands.split_at(2);
                // Of the index that it is the position of.
                let position = self.function.def_inst(own[1]);
                (position.map_or(own, |it| &it.args), others)
            }
            Base::Slot(_) | Base::TileStatic(_) => (&[][..], operands),
        };
        if let [_, components @ ..] = own {
            wanted.push(Wanted {
                bound: Bound::View(components.len() as u32),
                operands: own,
            });
        }
        let mut ty = self.module.base_ty(self.function, access.base, operands);
        for step in &access.path {
            let Some(known) = ty else { return };
            ty = match step {
                Step::Field(part) => self.module.part(&known, *part),
                Step::Index => {
                    let Some((len, element)) = self.module.elements(&known) else {
                        return;
                    };
                    let (own, others) = rest.split_at(1);
                    wanted.push(Wanted {
                        bound: Bound::Len(len),
                        operands: own,
                    });
                    rest = others;
                    Some(element)
                }
            };
        }
    }

    /// An index as it is checked, which drivers may not know.
    fn shown<'i>(&'i self, index: &'i [Value]) -> &'i [Value] {
        match index.first().and_then(|it| self.function.def_inst(*it)) {
            Some(inst) if matches!(inst.op, Op::Hide(_)) => &inst.args,
            _ => index,
        }
    }

    /// The checks that a guard is the conjunction of, among others; false if it never holds.
    fn conjuncts<'s>(&'s self, guard: Value, found: &mut Vec<Wanted<'s>>) -> bool {
        let Some(inst) = self.function.def_inst(guard) else {
            return true;
        };
        match inst.op {
            Op::Binary(BinaryOp::BitAnd) => {
                let mut operands = inst.args.iter();
                operands.all(|it| self.conjuncts(*it, found))
            }
            Op::InBounds(bound, _) => {
                found.push(Wanted {
                    bound,
                    operands: &inst.args,
                });
                true
            }
            Op::Zero => false,
            Op::Literal(literal) => literal != Literal::new(Scalar::Bool, 0),
            _ => true,
        }
    }
}

impl Wanted<'_> {
    /// Whether this check makes another needless.
    fn implies(&self, other: &Wanted<'_>) -> bool {
        let bound = match (self.bound, other.bound) {
            (Bound::Len(Len::Literal(known)), Bound::Len(Len::Literal(len))) => known <= len,
            (known, wanted) => known == wanted,
        };
        bound && self.operands == other.operands
    }
}

/// Whether an operation can be kept from happening.
fn can_have_guard(op: &Op) -> bool {
    matches!(
        op,
        Op::Load(_)
            | Op::Store(_)
            | Op::Copy(..)
            | Op::Atomic(..)
            | Op::Section
            | Op::Row
            | Op::Shape
            | Op::Elements
            | Op::Binary(BinaryOp::Div | BinaryOp::Rem)
            | Op::Math(MathOp::RemEuclid | MathOp::DivEuclid | MathOp::DivCeil | MathOp::Clamp)
    )
}
