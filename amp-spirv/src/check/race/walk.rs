//! The walk of a few threads through the kernel, side by side: values and accesses.
//!
//! All threads are walked together, so that a barrier is one event for all of them; each
//! has its own variables.

use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

use super::{
    Case, Facts,
    access::{Access, Kind, Own, Step},
    value::{Form, Meaning, Symbols, Value},
};
use crate::ir::{
    Atomic, BinaryOp, Block, ConstId, Expr, ExprKind, Function, LabelId, LocalId, MemoryFence,
    Module, Place, Projection, Root, Statement, TileStaticId, Type,
};

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
    pub(super) fn nobody(&self) -> bool {
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
    /// What is known of each function before.
    pub(super) facts: &'m Facts,
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
        if self.fuel == 0 || self.state.nobody() {
            return self.unknown();
        }
        self.fuel -= 1;
        match &expr.kind {
            ExprKind::Literal(literal) => self.each(match u32::try_from(literal.bits()) {
                Ok(bits) => Value::constant(bits),
                Err(_) => Value::Unknown,
            }),
            ExprKind::Const(id) => {
                let value = self.constant(*id);
                self.each(value)
            }
            ExprKind::Unit | ExprKind::Zero => self.unknown(),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(op, operand) => {
                let values = self.expr(operand);
                self.scalars(&[values], |symbols, operands| {
                    Some(symbols.unary(*op, expr.ty.scalar()?, operands[0]))
                })
            }
            ExprKind::Binary(op, left, right) => {
                let values = [self.expr(left), self.expr(right)];
                self.scalars(&values, |symbols, operands| {
                    symbols.binary(*op, left.ty.scalar()?, operands[0], operands[1])
                })
            }
            ExprKind::Cast(operand) => {
                let values = [self.expr(operand)];
                self.scalars(&values, |symbols, operands| {
                    Some(symbols.cast(operand.ty.scalar()?, expr.ty.scalar()?, operands[0]))
                })
            }
            ExprKind::Math(op, operands) => {
                let values: Vec<_> = operands.iter().map(|operand| self.expr(operand)).collect();
                self.scalars(&values, |symbols, operands| {
                    let operands = operands.iter().map(|&operand| operand.clone()).collect();
                    Some(symbols.math(*op, expr.ty.scalar()?, operands))
                })
            }
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
                if *fence != MemoryFence::Global || self.facts.fenced {
                    self.barrier();
                }
                self.unknown()
            }
            // A fence alone makes no thread wait.
            ExprKind::Fence(_) | ExprKind::DeviceFence => self.unknown(),
            ExprKind::Atomic(atomic) => self.atomic(atomic),
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

    /// An operation on scalars, by thread.
    fn scalars(
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

    fn local(&self, local: LocalId) -> Vec<Value> {
        let locals = self.state.locals.iter();
        locals
            .map(|locals| locals[local.0 as usize].clone())
            .collect()
    }

    fn extent(&mut self, view: LocalId) -> Vec<Value> {
        let Type::View(ty) = &self.function.local(view).ty else {
            return self.unknown();
        };
        let rank = ty.rank;
        let views = self.local(view);
        views
            .into_iter()
            .map(|view| match view {
                Value::View(view) => Value::Parts(
                    (0..rank)
                        .map(|part| self.symbols.value(Meaning::Input(view, vec![part])))
                        .collect(),
                ),
                _ => Value::Unknown,
            })
            .collect()
    }

    /// The steps into a place, by thread, as far as they are known.
    fn path(&mut self, place: &'m Place) -> Vec<Option<Vec<Step>>> {
        let mut paths: Vec<Option<Vec<Step>>> = vec![Some(Vec::new()); self.threads()];
        for projection in &place.projections {
            match projection {
                Projection::Field(field) => {
                    for path in paths.iter_mut().flatten() {
                        path.push(Step::Field(*field));
                    }
                }
                Projection::Index(index) => {
                    for (path, index) in paths.iter_mut().zip(self.expr(index)) {
                        match (index, path.as_mut()) {
                            (Value::Scalar(form), Some(path)) => path.push(Step::Element(form)),
                            _ => *path = None,
                        }
                    }
                }
            }
        }
        paths
    }

    fn load(&mut self, place: &'m Place) -> Vec<Value> {
        match &place.root {
            Root::Local(local) => {
                let paths = self.path(place);
                let values = self.local(*local);
                values
                    .into_iter()
                    .zip(paths)
                    .map(|(value, path)| part(value, path))
                    .collect()
            }
            Root::TileStatic(id) => {
                let paths = self.path(place);
                let owns: Vec<Own> = (0..paths.len())
                    .map(|thread| self.own(thread, *id, paths[thread].as_deref()))
                    .collect();
                self.access(place, *id, &paths, |thread| {
                    Kind::Read(owns[thread].clone())
                });
                self.unknown()
            }
            Root::Element { view, index } => {
                let indices = self.expr(index);
                let views = self.local(*view);
                let paths = self.path(place);
                let elements = views.into_iter().zip(indices).zip(paths);
                elements
                    .map(|((view, index), path)| self.element(view, index, path))
                    .collect()
            }
        }
    }

    fn element(&mut self, view: Value, index: Value, path: Option<Vec<Step>>) -> Value {
        let (Value::View(view), Value::Parts(parts), Some(path)) = (view, index, path) else {
            return Value::Unknown;
        };
        let index: Option<Vec<Form>> = parts.iter().map(|part| part.form().cloned()).collect();
        let steps = path.iter().map(|step| match step {
            Step::Field(field) => Some(*field),
            Step::Element(form) => form.known(),
        });
        let (Some(index), Some(part)) = (index, steps.collect()) else {
            return Value::Unknown;
        };
        let kernel = self.module.kernel();
        let mutable = matches!(&kernel.local(view).ty, Type::View(view) if view.mutable);
        let read = mutable.then(|| self.fresh());
        self.symbols.value(Meaning::Element {
            view,
            index,
            part,
            read,
        })
    }

    fn store(&mut self, place: &'m Place, values: Vec<Value>) {
        match &place.root {
            Root::Local(local) => {
                let paths = self.path(place);
                for (thread, (value, path)) in values.into_iter().zip(paths).enumerate() {
                    let slot = &mut self.state.locals[thread][local.0 as usize];
                    write(slot, path.as_deref(), value);
                }
            }
            Root::TileStatic(id) => {
                let paths = self.path(place);
                self.access(place, *id, &paths, |thread| {
                    Kind::Write(values[thread].form().cloned())
                });
            }
            Root::Element { index, .. } => {
                self.expr(index);
                self.path(place);
            }
        }
    }

    fn update(&mut self, op: BinaryOp, place: &'m Place, values: Vec<Value>) {
        match &place.root {
            Root::Local(local) => {
                let paths = self.path(place);
                let before = self.local(*local);
                let before: Vec<Value> = before
                    .into_iter()
                    .zip(&paths)
                    .map(|(value, path)| part(value, path.clone()))
                    .collect();
                let after = self.scalars(&[before, values], |symbols, operands| {
                    symbols.binary(op, place.ty.scalar()?, operands[0], operands[1])
                });
                for (thread, (value, path)) in after.into_iter().zip(paths).enumerate() {
                    let slot = &mut self.state.locals[thread][local.0 as usize];
                    write(slot, path.as_deref(), value);
                }
            }
            Root::TileStatic(id) => {
                let paths = self.path(place);
                self.access(place, *id, &paths, |thread| {
                    Kind::Update(op, values[thread].form().cloned())
                });
            }
            Root::Element { index, .. } => {
                self.expr(index);
                self.path(place);
            }
        }
    }

    fn atomic(&mut self, atomic: &'m Atomic) -> Vec<Value> {
        let place = &atomic.place;
        if let Root::Element { index, .. } = &place.root {
            self.expr(index);
        }
        let paths = self.path(place);
        for operand in &atomic.operands {
            self.expr(operand);
        }
        if let Root::TileStatic(id) = &place.root {
            let writes = atomic.op.writes();
            self.access(place, *id, &paths, |_| Kind::Atomic { writes });
        }
        self.unknown()
    }

    /// What a thread was the last to write there since the barrier.
    fn own(&self, thread: usize, variable: TileStaticId, path: Option<&[Step]>) -> Own {
        let Some(path) = path else {
            return Own::Value(None);
        };
        let Some(interval) = self.intervals.last() else {
            return Own::Nothing;
        };
        let last = interval.iter().rev().find(|access| {
            access.thread == thread
                && access.variable == variable
                && access.writes()
                && access
                    .path
                    .iter()
                    .zip(path)
                    .all(|(left, right)| left == right)
        });
        match last.map(|access| &access.kind) {
            None | Some(Kind::Read(_)) => Own::Nothing,
            Some(Kind::Update(..) | Kind::Atomic { .. }) => Own::Update,
            Some(Kind::Write(value)) => Own::Value(value.clone()),
        }
    }

    fn access(
        &mut self,
        place: &Place,
        variable: TileStaticId,
        paths: &[Option<Vec<Step>>],
        kind: impl Fn(usize) -> Kind,
    ) {
        // An operand that was not walked may have waited at a barrier.
        if self.fuel == 0 {
            return;
        }
        let rounds: Rc<[(u32, u32)]> = self.rounds.as_slice().into();
        for (thread, path) in paths.iter().enumerate() {
            if self.state.presence[thread] == Presence::Here
                && let Some(path) = path
                && let Some(interval) = self.intervals.last_mut()
            {
                interval.push(Access {
                    thread,
                    variable,
                    path: path.clone(),
                    kind: kind(thread),
                    span: place.span,
                    assumptions: self.assumptions.clone(),
                    rounds: rounds.clone(),
                });
            }
        }
    }
}

/// A part of a value.
fn part(mut value: Value, path: Option<Vec<Step>>) -> Value {
    for step in path.into_iter().flatten() {
        value = match position(&step) {
            Some(position) => value.part(position),
            None => Value::Unknown,
        };
    }
    value
}

/// Puts `value` at the end of `path`; what may have changed is unknown.
fn write(slot: &mut Value, path: Option<&[Step]>, value: Value) {
    match path {
        Some([]) => *slot = value,
        Some([step, rest @ ..]) => match (slot, position(step)) {
            (Value::Parts(parts), Some(position)) if position < parts.len() => {
                write(&mut parts[position], Some(rest), value);
            }
            (slot, _) => *slot = Value::Unknown,
        },
        None => *slot = Value::Unknown,
    }
}

fn position(step: &Step) -> Option<usize> {
    match step {
        Step::Field(field) => Some(*field as usize),
        Step::Element(form) => form.known().map(|known| known as usize),
    }
}
