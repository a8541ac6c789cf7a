//! The walk of a few threads through the kernel, side by side: what they compute.
//!
//! All threads are walked together, so that a barrier is one event for all of them; each
//! has its own variables. What they do to memory is in `memory`.

use std::{collections::BTreeSet, rc::Rc};

use super::{
    super::reach::Reach,
    super::symbols::{Meaning, Symbols},
    super::value::{Form, Value},
    Case,
    access::Access,
};
use crate::tree::{
    Block, ConstId, Expr, ExprKind, Function, LabelId, LocalId, Module, Statement, SubgroupOp,
};
use rustc_hash::FxHashMap as HashMap;

/// Whether a thread gets to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Certainly, if the assumptions hold.
    Here,
    /// Perhaps.
    Maybe,
    /// Certainly not.
    Gone,
}

/// Where each thread is, and what it knows.
#[derive(Clone)]
pub(super) struct State {
    pub(super) presence: Vec<Presence>,
    /// By thread and variable of the function that is walked.
    pub(super) locals: Vec<Vec<Value>>,
}

impl State {
    pub(super) fn has_no_thread(&self) -> bool {
        self.presence
            .iter()
            .all(|presence| *presence == Presence::Gone)
    }
}

/// A loop, labelled block or call being walked, by what its exits have met.
pub(super) struct Frame {
    /// `None` for a call.
    pub(super) label: Option<LabelId>,
    /// By thread: the way it got out and its variables then.
    pub(super) exits: Vec<Option<(Presence, Vec<Value>)>>,
    /// The same for the end of an iteration.
    pub(super) nexts: Vec<Option<(Presence, Vec<Value>)>>,
    /// The value that it is left with.
    pub(super) values: Vec<Option<Value>>,
}

/// The walk.
pub(super) struct Walker<'m> {
    pub(super) module: &'m Module,
    pub(super) case: &'m Case,
    pub(super) symbols: Symbols,
    pub(super) function: &'m Function,
    pub(super) state: State,
    pub(super) frames: Vec<Frame>,
    pub(super) assumptions: Rc<BTreeSet<u32>>,
    pub(super) rounds: Vec<(u32, u32)>,
    /// Accesses by interval between barriers; the last is being filled.
    pub(super) intervals: Vec<Vec<Access>>,
    /// The conditions that were ever taken to hold, and to fail, with their numbers.
    pub(super) assumed: HashMap<(Form, bool), u32>,
    /// By thread: how often it has jumped out of something that is still being walked.
    pub(super) jumps: Vec<u32>,
    /// Makes assumptions, rounds and reads distinct.
    pub(super) counter: u32,
    /// Expressions that may still be walked.
    pub(super) fuel: u32,
    pub(super) reach: &'m Reach,
}

impl<'m> Walker<'m> {
    pub(super) fn threads(&self) -> usize {
        self.state.presence.len()
    }

    fn each(&self, value: Value) -> Vec<Value> {
        vec![value; self.threads()]
    }

    pub(super) fn unknown(&self) -> Vec<Value> {
        self.each(Value::Unknown)
    }

    pub(super) fn fresh(&mut self) -> u32 {
        self.counter += 1;
        self.counter
    }

    pub(super) fn block(&mut self, block: &'m Block) -> Vec<Value> {
        for statement in &block.statements {
            match statement {
                Statement::Let { local, value } => {
                    let values = match value {
                        Some(value) => self.expr(value),
                        None => self.unknown(),
                    };
                    self.set(*local, values);
                }
                Statement::Expr(expr) => {
                    self.expr(expr);
                }
            }
        }
        match &block.value {
            Some(value) => self.expr(value),
            None => self.unknown(),
        }
    }

    pub(super) fn set(&mut self, local: LocalId, values: Vec<Value>) {
        for (locals, value) in self.state.locals.iter_mut().zip(values) {
            locals[local.0 as usize] = value;
        }
    }

    /// The values of an expression, by thread.
    pub(super) fn expr(&mut self, expr: &'m Expr) -> Vec<Value> {
        if self.fuel == 0 || self.state.has_no_thread() {
            return self.unknown();
        }
        self.fuel -= 1;
        match &expr.kind {
            ExprKind::Literal(literal) => self.each(Value::constant(literal.bits())),
            ExprKind::Const(id) => {
                let value = self.constant(*id);
                self.each(value)
            }
            ExprKind::Unit | ExprKind::Zero => self.unknown(),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => {
                self.operation(expr, [&**operand])
            }
            ExprKind::Binary(_, left, right) => self.operation(expr, [&**left, right]),
            ExprKind::Math(_, operands) => self.operation(expr, operands),
            ExprKind::Construct(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.expr(part)).collect();
                let of = |thread: usize| parts.iter().map(|part| part[thread].clone()).collect();
                (0..self.threads())
                    .map(|thread| Value::Parts(of(thread)))
                    .collect()
            }
            ExprKind::Repeat(element) => {
                self.expr(element);
                self.unknown()
            }
            ExprKind::Field(value, field) => {
                let values = self.expr(value);
                values
                    .iter()
                    .map(|value| value.part(*field as usize))
                    .collect()
            }
            ExprKind::ViewExtent(view) => self.extent(*view),
            ExprKind::View(view) => self.local(*view),
            ExprKind::Derive(derivation) => {
                self.expr(&derivation.of);
                for operand in derivation.operands() {
                    self.expr(operand);
                }
                self.unknown()
            }
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments),
            ExprKind::Assign(place, value) => {
                let values = self.expr(value);
                self.store(place, values);
                self.unknown()
            }
            ExprKind::AssignOp(op, place, value) => {
                let values = self.expr(value);
                self.update(*op, place, values);
                self.unknown()
            }
            ExprKind::Lazy(op, left, right) => self.lazy(*op, left, right),
            ExprKind::If(condition, then, otherwise) => self.choice(condition, then, otherwise),
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => self.labelled(*label, block),
            ExprKind::Loop(looping) => self.repeat(looping),
            ExprKind::Break(label, value) => {
                let values = value.as_ref().map(|value| self.expr(value));
                self.leave(Some(*label), values);
                self.unknown()
            }
            ExprKind::Continue(label) => {
                self.skip(*label);
                self.unknown()
            }
            ExprKind::Return(value) => {
                let values = value.as_ref().map(|value| self.expr(value));
                self.leave(None, values);
                self.unknown()
            }
            ExprKind::Message(message) => {
                for operand in &message.operands {
                    self.expr(operand);
                }
                self.unknown()
            }
            ExprKind::Panic => {
                let values = self.unknown();
                self.leave(None, Some(values));
                self.unknown()
            }
            ExprKind::Barrier(fence) => {
                if fence.orders().tile || self.reach.kernel().fence {
                    self.barrier();
                }
                self.unknown()
            }
            // A fence alone makes no thread wait.
            ExprKind::Fence(_) | ExprKind::DeviceFence => self.unknown(),
            ExprKind::Atomic(atomic) => self.atomic(atomic),
            // It orders threads that are in a subgroup, and nothing says which are.
            ExprKind::Subgroup(SubgroupOp::Barrier, _) => {
                self.barrier();
                self.unknown()
            }
            ExprKind::Subgroup(_, operands) => {
                for operand in operands {
                    self.expr(operand);
                }
                self.unknown()
            }
        }
    }

    /// What is before is ordered before what comes.
    pub(super) fn barrier(&mut self) {
        if self
            .intervals
            .last()
            .is_none_or(|interval| !interval.is_empty())
        {
            self.intervals.push(Vec::new());
        }
    }

    /// An operator, a cast or a method.
    fn operation(
        &mut self,
        expr: &'m Expr,
        operands: impl IntoIterator<Item = &'m Expr>,
    ) -> Vec<Value> {
        let values: Vec<_> = operands.into_iter().map(|it| self.expr(it)).collect();
        self.scalars(&values, |symbols, forms| symbols.result(expr, forms))
    }

    /// An operation on scalars, by thread.
    pub(super) fn scalars(
        &mut self,
        operands: &[Vec<Value>],
        operation: impl Fn(&mut Symbols, &[&Form]) -> Option<Form>,
    ) -> Vec<Value> {
        (0..self.threads())
            .map(|thread| {
                let forms: Option<Vec<&Form>> = operands
                    .iter()
                    .map(|values| values[thread].form())
                    .collect();
                forms
                    .and_then(|forms| operation(&mut self.symbols, &forms))
                    .map_or(Value::Unknown, Value::Scalar)
            })
            .collect()
    }

    fn constant(&mut self, id: ConstId) -> Value {
        match self.case.dimensions.get(&id) {
            Some(false) => Value::constant(1),
            Some(true) => self.symbols.value(Meaning::Dimension(id)),
            None => self.symbols.value(Meaning::Const(id)),
        }
    }
}
