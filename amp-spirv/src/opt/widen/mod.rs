//! Threads that run several indices.
//!
//! ```text
//! fn k#0(%0: Index<1>, ..) {          lanes 2
//!     %5: usize = extract 0 %0        fn k#0(%0: Index<1>, ..) {
//!     %6: f32 = load %1[%5] if %3         %5: usize = extract 0 %0
//!     %7: f32 = mul %6, %4                %6: f32, %7: f32 = load_run %1[%5]
//!     store %2[%5], %7 if %3              %8: f32 = mul %6, %4
//!     return                              %9: f32 = mul %7, %4
//! }                                       store_run %2[%5], %8, %9
//!                                         return
//!                                     }
//!                                     fn k#1(%0: Index<1>, ..) {
//!                                         ..
//! ```
//!
//! One access of 16 bytes takes a device as long as one of a byte. So a kernel that reads and writes
//! neighbouring elements gets a second version, the wide kernel: its thread runs the indices from
//! its own on in the last dimension, 16 bytes of the widest element, step by step together.
//! What is the same for all of them is done once, accesses to neighbours become
//! [runs](Op::LoadRun), and conditions that hold for all indices of a thread are one branch:
//! `branch.rs`. Any order of what threads do is one that a launch may have, so this one is.
//!
//! The host takes the wide kernel for launches that it proves to be in bounds, whose views start
//! at multiples of 16 bytes, and which have threads enough for the device; what is left at the
//! end of a row runs in the kernel. So the wide kernel checks no index. It notes other faults at
//! sites of their own, which know the index (`lane`).
//!
//! Needs accesses, checks and their proofs where they will stay: no pass behind it may ask what a
//! place holds. Leaves out kernels that do more than compute, read and write: with loops, local
//! arrays, tile memory, atomic operations, fences, messages and calls; those that reach an
//! element at any place but its index and what is beside it; and long ones, which would have no
//! registers left.

mod branch;
mod lanes;
mod shape;

#[cfg(test)]
mod tests;

use self::lanes::Widening;
use self::shape::{Shape, Shapes};
use super::{dce, returns};
use crate::mir::{
    Access, Base, Bound, End, Function, Inst, InstId, Module, Op, Param, Proof, RegionId, Value,
};
use crate::tree::{BinaryOp, Domain, Len, MathOp, Scalar, Type};
use rustc_hash::FxHashSet as HashSet;

/// Bytes that a thread accesses at once.
const BYTES: u32 = 16;
/// The most instructions of all indices of a thread, counted by [`cost`].
const MOST: u32 = 400;

/// Adds the wide kernel, if there is to be one.
pub fn run(module: &mut Module) {
    let (Domain::Range { .. }, Some(kernel)) = (&module.domain, module.functions.last()) else {
        return;
    };
    if !kernel.slots.is_empty() || !is_simple(kernel) {
        return;
    }
    let mut kernel = kernel.clone();
    returns::run(&mut kernel);
    let shapes = Shapes::of(module, &kernel);
    let Some(Survey { proven, .. }) = Survey::of(module, &kernel, &shapes) else {
        return;
    };
    for region in &mut kernel.regions {
        region.insts.retain(|id| !proven.contains(id));
    }
    dce::run(&mut kernel);
    let Some(plan) = Plan::of(module, &kernel) else {
        return;
    };
    let mut wide = Widening::new(module, &kernel, &plan).run();
    dce::run(&mut wide);
    module.lanes = plan.lanes;
    module.functions.insert(module.functions.len() - 1, wide);
}

/// Whether a kernel only computes, reads and writes.
fn is_simple(kernel: &Function) -> bool {
    let mut simple = kernel.params.iter().all(|it| matches!(it, Param::Value(_)));
    kernel.walk(kernel.body, &mut |_, inst| {
        let effects = inst.op.info().effects;
        let in_view = |access: &&Access| matches!(access.base, Base::Element(_));
        simple &= !effects.fixed && inst.op.accesses().iter().all(in_view);
        simple &= !matches!(
            inst.op,
            Op::Loop | Op::For | Op::ForInclusive | Op::Block | Op::Copy(..) | Op::Clear(_)
        );
        simple &= !matches!(inst.op, Op::Section | Op::Row | Op::Shape | Op::Elements);
    });
    simple
}

/// How a kernel is widened.
struct Plan {
    /// Indices of a thread.
    lanes: u32,
    shapes: Shapes,
}

/// An access to an element of a view whose index is that of the thread in the last dimension,
/// and so far from it.
struct Stream<'f> {
    view: Value,
    /// The components before the last.
    before: &'f [Value],
    offset: i64,
    scalar: Scalar,
    is_store: bool,
}

impl Plan {
    /// Nothing for a kernel that stays as it is.
    fn of(module: &Module, kernel: &Function) -> Option<Plan> {
        let shapes = Shapes::of(module, kernel);
        let Survey { streams, cost, .. } = Survey::of(module, kernel, &shapes)?;
        let bits = |stream: &Stream<'_>| stream.scalar.bits();
        let (widest, narrowest) = (
            streams.iter().map(bits).max()?,
            streams.iter().map(bits).min()?,
        );
        let mut lanes = 8 * BYTES / widest;
        while lanes * cost > MOST {
            lanes /= 2;
        }
        // A run is whole words.
        if lanes < 2 || lanes * narrowest < 32 {
            return None;
        }
        let is_aligned = |stream: &Stream<'_>| stream.offset % i64::from(lanes) == 0;
        let is_beside_one = |stream: &Stream<'_>| {
            let is_near = |other: &Stream<'_>| {
                (stream.view, stream.before) == (other.view, other.before)
                    && is_aligned(other)
                    && (stream.offset - other.offset).unsigned_abs() < lanes.into()
            };
            !is_mutable(module, kernel, stream.view) && streams.iter().any(is_near)
        };
        let is_run =
            |stream: &Stream<'_>| is_aligned(stream) || !stream.is_store && is_beside_one(stream);
        streams.iter().all(is_run).then_some(Plan { lanes, shapes })
    }
}

/// Whether the elements of a view may change.
fn is_mutable(module: &Module, kernel: &Function, view: Value) -> bool {
    matches!(&module.types[kernel.ty(view)], Type::View(view) if view.mutable)
}

/// What an instruction takes, roughly: functions and divisions are many on most devices.
fn cost(inst: &Inst) -> u32 {
    match inst.op {
        Op::Literal(_) | Op::Const(_) | Op::Zero | Op::InBounds(..) | Op::ViewExtent(_) => 0,
        Op::NoteFault(_) => 0,
        Op::Math(MathOp::Select) => 1,
        Op::Math(_) | Op::Binary(BinaryOp::Div | BinaryOp::Rem) => 10,
        _ => 1,
    }
}

/// What a proven check says.
#[derive(PartialEq)]
enum Fact {
    /// A component of an index is below that of a view's extent.
    Component(Value, u32, Value),
    /// An index is below a length.
    Below(Value, Len),
}

/// A look at all of a kernel.
struct Survey<'f> {
    module: &'f Module,
    kernel: &'f Function,
    shapes: &'f Shapes,
    streams: Vec<Stream<'f>>,
    cost: u32,
    /// What holds in the current region.
    facts: Vec<Fact>,
    /// Notes of faults that the host proves not to happen.
    proven: HashSet<InstId>,
}

impl<'f> Survey<'f> {
    /// Nothing for a kernel that stays as it is.
    fn of(module: &'f Module, kernel: &'f Function, shapes: &'f Shapes) -> Option<Self> {
        let mut survey = Self {
            module,
            kernel,
            shapes,
            streams: Vec::new(),
            cost: 0,
            facts: Vec::new(),
            proven: HashSet::default(),
        };
        survey.region(kernel.body)?;
        Some(survey)
    }

    /// Nothing if it is not to be widened.
    fn region(&mut self, id: RegionId) -> Option<()> {
        let kernel = self.kernel;
        let region = kernel.region(id);
        match region.end {
            End::Yield(_) | End::Return(_) => {}
            _ => return None,
        }
        let outside = self.facts.len();
        // All that a region lists runs, so a check says the same before and behind it.
        for id in &region.insts {
            let inst = kernel.inst(*id);
            if let Op::InBounds(bound, proof) = inst.op {
                if !matches!(proof, Proof::Always | Proof::Launch(_)) {
                    return None;
                }
                self.learn(bound, &inst.args);
            }
        }
        for &id in &region.insts {
            let inst = kernel.inst(id);
            self.cost += cost(inst);
            match &inst.op {
                Op::Load(access) => self.access(access, inst, false)?,
                Op::Store(access) => self.access(access, inst, true)?,
                Op::NoteFault(_) if self.holds(inst.args[0]) => {
                    self.proven.insert(id);
                }
                _ => {}
            }
            for inner in &inst.regions {
                self.region(*inner)?;
            }
        }
        self.facts.truncate(outside);
        Some(())
    }

    fn learn(&mut self, bound: Bound, args: &[Value]) {
        match bound {
            Bound::View(_) => {
                let components = (0..).zip(&args[1..]);
                let facts = components.map(|(k, it)| Fact::Component(args[0], k, *it));
                self.facts.extend(facts);
            }
            Bound::Len(len) => self.facts.push(Fact::Below(args[0], len)),
            _ => {}
        }
    }

    /// Whether a condition holds in the launches of a wide kernel.
    fn holds(&self, condition: Value) -> bool {
        let Some(inst) = self.kernel.def_inst(condition) else {
            return false;
        };
        match (&inst.op, &*inst.args) {
            (Op::InBounds(..), _) => true,
            (Op::Binary(BinaryOp::BitAnd), [a, b]) => self.holds(*a) && self.holds(*b),
            (Op::Binary(BinaryOp::Lt), [a, b]) => {
                let limit = self.kernel.def_inst(*b);
                let fact = limit.and_then(|limit| match &limit.op {
                    Op::ViewExtent(k) => Some(Fact::Component(limit.args[0], *k, *a)),
                    Op::Const(id) => Some(Fact::Below(*a, Len::Const(*id))),
                    Op::Literal(len) => {
                        let len = u32::try_from(len.count()?).ok()?;
                        Some(Fact::Below(*a, Len::Literal(len)))
                    }
                    _ => None,
                });
                fact.is_some_and(|fact| self.facts.contains(&fact))
            }
            _ => self.kernel.always_holds(condition),
        }
    }

    fn access(&mut self, access: &Access, inst: &'f Inst, is_store: bool) -> Option<()> {
        let operands = &inst.args[..access.operands()];
        if operands.iter().all(|it| self.shapes.is_same(*it)) {
            let guarded = inst.guard.is_none_or(|it| self.shapes.is_same(it));
            return (!is_store && guarded).then_some(());
        }
        let (Base::Element(_), [view, before @ .., last], []) =
            (access.base, operands, &*access.path)
        else {
            return None;
        };
        let Shape::Along(offset) = self.shapes.of_value(*last) else {
            return None;
        };
        let Type::View(of) = &self.module.types[self.kernel.ty(*view)] else {
            return None;
        };
        let scalar = of.element.scalar()?;
        let guarded = inst.guard.is_none_or(|it| self.holds(it));
        let is_row = before.iter().all(|it| self.shapes.is_same(*it));
        self.streams.push(Stream {
            view: *view,
            before,
            offset,
            scalar,
            is_store,
        });
        (guarded && is_row).then_some(())
    }
}
