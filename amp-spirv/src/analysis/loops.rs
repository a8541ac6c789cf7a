//! Loops: how deep they are, how often they go round, and what they do.
//!
//! The number of rounds is that of a counted loop which nothing leaves early. What the rounds of
//! a loop vary along is a fact of [`uniformity`](super::uniformity).
//!
//! For the passes that give one hardware thread the work of several: coarsening jams loops whose
//! rounds all merged threads share, and looks for barriers in the others; widening leaves alone
//! what has loops of unknown length.
//!
//! Leaves out how often a `while` goes round, and what the launch decides.

use super::affine::Affine;
use super::effects::{Footprint, Footprints};
use crate::mir::{End, Function, Inst, InstId, Module, Op, RegionId, Value};
use crate::tree::{BinaryOp, Literal, Scalar};

/// The loops of a function, each before those in it.
#[derive(Clone, Debug, Default)]
pub struct Loops(Vec<Loop>);

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The instruction.
    pub inst: InstId,
    /// The loops around it.
    pub depth: u32,
    /// How often it goes round.
    pub rounds: Rounds,
    /// What it does to memory, and whether threads wait for each other in it.
    pub footprint: Footprint,
}

/// How often a loop goes round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// So many times.
    Literal(u64),
    /// As specialization constants say: a driver knows it.
    Constants,
    /// Nothing is known.
    Unknown,
}

impl Loops {
    /// Facts about a function.
    pub fn of(function: &Function, affine: &Affine, footprints: &Footprints) -> Self {
        let mut finding = Finding {
            function,
            affine,
            footprints,
            loops: Vec::new(),
        };
        finding.region(function.body, 0);
        Loops(finding.loops)
    }

    /// All loops.
    pub fn iter(&self) -> impl Iterator<Item = &Loop> {
        self.0.iter()
    }
}

struct Finding<'f> {
    function: &'f Function,
    affine: &'f Affine,
    footprints: &'f Footprints,
    loops: Vec<Loop>,
}

impl Finding<'_> {
    fn region(&mut self, region: RegionId, depth: u32) {
        for &id in &self.function.region(region).insts {
            let inst = self.function.inst(id);
            let is_loop = inst.op.is_loop();
            if is_loop {
                let found = self.loop_(id, inst, depth);
                self.loops.push(found);
            }
            for &inner in &inst.regions {
                self.region(inner, depth + u32::from(is_loop));
            }
        }
    }

    fn loop_(&self, id: InstId, inst: &Inst, depth: u32) -> Loop {
        let body = inst.regions[0];
        Loop {
            inst: id,
            depth,
            rounds: match leaves(self.function, body, &mut vec![id]) {
                true => Rounds::Unknown,
                false => self.rounds(inst).unwrap_or(Rounds::Unknown),
            },
            footprint: self.footprints.region(self.function, body),
        }
    }

    fn rounds(&self, inst: &Inst) -> Option<Rounds> {
        if inst.op == Op::Loop {
            return None;
        }
        let limits = [0, 1, 2].map(|at| inst.args[at]);
        let [start, end, step] = limits.map(|it| self.number(it));
        let (Some(start), Some(end), Some(step @ 1..)) = (start, end, step) else {
            let is_constant = |it: Value| {
                let sum = self.affine.sum(it);
                sum.terms.iter().all(|(factor, _)| factor.base.is_none())
            };
            let are_constants = limits.into_iter().all(is_constant);
            return are_constants.then_some(Rounds::Constants);
        };
        let end = end + i128::from(inst.op == Op::ForInclusive);
        // It stops rather than overflow, before the number behind the last.
        let rounds = (end - start).max(0) + step - 1;
        Some(Rounds::Literal(u64::try_from(rounds / step).ok()?))
    }

    fn number(&self, value: Value) -> Option<i128> {
        let known = self.affine.sum(value).known()?;
        let ty: Scalar = self.affine.ty(value)?;
        Literal::new(ty, known).integer()
    }
}

/// A loop written as `while x < end { ..; x += step }`.
pub struct CountedWhile {
    /// The position of `x` among what the loop carries.
    pub counter: usize,
    /// Defined before the loop.
    pub end: Value,
    /// Defined before the loop.
    pub step: Value,
    /// The `if` that leaves the loop, by its position in the body.
    pub exit: usize,
}

impl CountedWhile {
    /// What is counted in an [`Op::Loop`] that does nothing before its test, and leaves with what it
    /// carries.
    pub fn of(function: &Function, id: InstId) -> Option<Self> {
        let body = function.inst(id).regions[0];
        let region = function.region(body);
        let mut insts = region.insts.iter().map(|id| function.inst(*id));
        let exit = insts.position(|inst| inst.op == Op::If)?;
        let mut before = region.insts[..exit].iter().map(|id| function.inst(*id));
        if !before.all(|inst| inst.op.info().effects == Default::default()) {
            return None;
        }
        let test = function.inst(region.insts[exit]);
        let [then, otherwise] = [0, 1].map(|way| function.region(test.regions[way]));
        let (End::Yield(none), End::Break(to, left)) = (&then.end, &otherwise.end) else {
            return None;
        };
        let outside = |value: &Value| !is_inside(function, body, *value);
        let goes = then.insts.is_empty() && otherwise.insts.is_empty() && none.is_empty();
        let takes = left
            .iter()
            .all(|it| outside(it) || region.params.contains(it));
        let condition = function.def_inst(test.args[0])?;
        if !goes || !takes || *to != id || condition.op != Op::Binary(BinaryOp::Lt) {
            return None;
        }
        let &[value, end] = &condition.args[..] else {
            return None;
        };
        let counter = region.params.iter().position(|param| *param == value)?;
        let End::Yield(next) = &region.end else {
            return None;
        };
        let next = function.def_inst(next[counter])?;
        let step = match next.args[..] {
            [a, b] if a == value => b,
            [a, b] if b == value => a,
            _ => return None,
        };
        let adds = next.op == Op::Binary(BinaryOp::Add);
        (adds && outside(&end) && outside(&step)).then_some(CountedWhile {
            counter,
            end,
            step,
            exit,
        })
    }
}

/// Whether the variable of an [`Op::For`] or [`Op::ForInclusive`], counted on, could pass its end and
/// wrap.
pub fn can_wrap(module: &Module, function: &Function, inst: &Inst) -> bool {
    let integer = |at: usize| match function.def_inst(inst.args[at])?.op {
        Op::Literal(literal) => literal.integer(),
        _ => None,
    };
    let Some(step) = integer(2) else { return true };
    if inst.op == Op::For && step == 1 {
        return false;
    }
    let ty = &module.types[function.ty(inst.args[1])];
    let max = ty.scalar().map_or(0, Scalar::max);
    integer(1).is_none_or(|end| end + step > max)
}

/// Whether a region or one inside defines a value.
fn is_inside(function: &Function, region: RegionId, value: Value) -> bool {
    let mut inside = function.region(region).params.contains(&value);
    function.walk(region, &mut |_, inst| {
        let mut regions = inst.regions.iter().map(|it| function.region(*it));
        inside |= inst.results.contains(&value);
        inside |= regions.any(|it| it.params.contains(&value));
    });
    inside
}

/// Whether a region ends the last of these loops, or jumps out of all of them.
fn leaves(function: &Function, region: RegionId, inside: &mut Vec<InstId>) -> bool {
    let goes_on = match &function.region(region).end {
        End::Yield(_) | End::Unreachable => true,
        End::Continue(to, _) => inside.contains(to),
        End::Break(to, _) => inside[1..].contains(to),
        End::Return(_) => false,
    };
    let insts = &function.region(region).insts;
    !goes_on
        || insts.iter().any(|&id| {
            inside.push(id);
            let regions = &function.inst(id).regions;
            let found = regions.iter().any(|it| leaves(function, *it, inside));
            inside.pop();
            found
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::kernel;
    use crate::tree::FunctionId;

    fn loops(body: &str) -> Vec<Loop> {
        let module = kernel(body);
        let affine = Affine::of(&module, FunctionId(0));
        let footprints = Footprints::of(&module);
        let Loops(found) = Loops::of(module.kernel(), &affine, &footprints);
        found
    }

    /// The rounds of the loop with this range, in which the second text comes.
    fn rounds(range: &str, inside: &str) -> Rounds {
        let found = loops(&format!(
            "%8: i32 = literal -3
             %9: i32 = literal 4
             %10: i32 = literal 3
             %11: usize = literal 1
             %12: usize = const SIZE#0
             %13: usize = add %12, %11
             '0: {range} {{
                 {inside}
                 yield
             }}"
        ));
        found[0].rounds
    }

    #[test]
    fn counted_loops_have_known_rounds() {
        let of = |range: &str| rounds(range, "");
        assert_eq!(of("for %8, %9, %10 as %20: i32"), Rounds::Literal(3));
        assert_eq!(
            of("for_inclusive %8, %10, %10 as %20: i32"),
            Rounds::Literal(3)
        );
        assert_eq!(of("for %9, %8, %10 as %20: i32"), Rounds::Literal(0));
        assert_eq!(of("for %11, %13, %12 as %20: usize"), Rounds::Constants);
        assert_eq!(of("for %11, %3, %11 as %20: usize"), Rounds::Unknown);
        assert_eq!(of("loop"), Rounds::Unknown);
    }

    #[test]
    fn a_loop_that_is_left_early_has_unknown_rounds() {
        let of = |inside: &str| rounds("for %8, %9, %10 as %20: i32", inside);
        let jump = |to: &str| format!("if %6 {{ {to} }} else {{ yield }}");
        assert_eq!(of(&jump("break '0")), Rounds::Unknown);
        assert_eq!(of(&jump("return")), Rounds::Unknown);
        assert_eq!(of(&jump("continue '0")), Rounds::Literal(3));
        let inner = format!("'1: loop {{ {} yield }}", jump("break '1"));
        assert_eq!(of(&inner), Rounds::Literal(3));
    }

    #[test]
    fn loops_know_what_is_in_them() {
        let found = loops(
            "%8: usize = literal 0
             for %8, %3, %4 as %9: usize {
                 for %8, %3, %4 as %10: usize {
                     barrier TileStatic
                     yield
                 }
                 store shared@0[%9], %5
                 yield
             }
             loop {
                 yield
             }",
        );
        let depths: Vec<u32> = found.iter().map(|it| it.depth).collect();
        assert_eq!(depths, [0, 1, 0]);
        let waits: Vec<bool> = found.iter().map(|it| it.footprint.meets).collect();
        assert_eq!(waits, [true, true, false]);
        let writes: Vec<usize> = found.iter().map(|it| it.footprint.writes.len()).collect();
        assert_eq!(writes, [1, 0, 0]);
    }
}
