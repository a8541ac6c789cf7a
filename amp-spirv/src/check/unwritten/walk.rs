//! The walk of one thread through the kernel: values, and what it writes and reads.

use std::collections::BTreeSet;

use super::{
    EFFORT, FUEL, WRITES, Write,
    state::{Frame, State},
};
use crate::{
    check::reach::Reach,
    check::symbols::{Meaning, Symbols},
    check::value::{Form, Step, Value},
    tree::{
        AtomicOp, BinaryOp, Block, Expr, ExprKind, Function, Len, LocalId, Module, Place,
        Projection, Root, Scalar, Statement, SubgroupOp, TileStaticId, Type,
    },
};

/// The walk.
pub(super) struct Walker<'m> {
    pub(super) module: &'m Module,
    pub(super) tile: &'m [Len],
    pub(super) symbols: Symbols,
    pub(super) function: &'m Function,
    pub(super) state: State,
    pub(super) frames: Vec<Frame>,
    /// The conditions around a point.
    pub(super) holding: Vec<(Form, bool)>,
    reach: &'m Reach,
    /// Elements that may still be told apart, where sizes are numbers.
    pub(super) effort: u32,
    fuel: u32,
    /// Variables of which something is read that may not have been written.
    unwritten: BTreeSet<TileStaticId>,
}

impl<'m> Walker<'m> {
    pub(super) fn new(
        module: &'m Module,
        tile: &'m [Len],
        reach: &'m Reach,
        symbols: Symbols,
        locals: Vec<Value>,
    ) -> Self {
        Walker {
            module,
            tile,
            symbols,
            function: module.kernel(),
            state: State {
                reachable: true,
                locals,
                writes: Vec::new(),
                whole: BTreeSet::new(),
            },
            frames: Vec::new(),
            holding: Vec::new(),
            reach,
            effort: EFFORT,
            fuel: FUEL,
            unwritten: BTreeSet::new(),
        }
    }

    /// The variables that have to be cleared.
    pub(super) fn unwritten(self) -> BTreeSet<TileStaticId> {
        match self.fuel {
            0 => (0..self.module.tile_statics.len() as u32)
                .map(TileStaticId)
                .collect(),
            _ => self.unwritten,
        }
    }

    pub(super) fn block(&mut self, block: &'m Block) -> Value {
        for statement in &block.statements {
            match statement {
                Statement::Let { local, value } => {
                    let value = value.as_ref().map(|value| self.expr(value));
                    self.set(*local, value.unwrap_or(Value::Unknown));
                }
                Statement::Expr(expr) => {
                    self.expr(expr);
                }
            }
        }
        match &block.value {
            Some(value) => self.expr(value),
            None => Value::Unknown,
        }
    }

    pub(super) fn set(&mut self, local: LocalId, value: Value) {
        self.state.locals[local.0 as usize] = value;
    }

    fn all(&mut self, exprs: &'m [Expr]) -> Vec<Value> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// The value of an expression.
    pub(super) fn expr(&mut self, expr: &'m Expr) -> Value {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 || !self.state.reachable {
            return Value::Unknown;
        }
        match &expr.kind {
            ExprKind::Literal(literal) => Value::constant(literal.bits()),
            ExprKind::Const(id) => self.symbols.value(Meaning::Const(*id)),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => {
                self.operation(expr, [&**operand])
            }
            ExprKind::Binary(_, left, right) => self.operation(expr, [&**left, right]),
            ExprKind::Math(_, operands) => self.operation(expr, operands),
            ExprKind::Construct(parts) => Value::Parts(self.all(parts)),
            ExprKind::Field(value, field) => self.expr(value).part(*field as usize),
            ExprKind::ViewExtent(view) => self.extent(*view),
            ExprKind::View(view) => self.state.locals[view.0 as usize].clone(),
            ExprKind::Derive(derivation) => {
                self.expr(&derivation.of);
                for operand in derivation.operands() {
                    self.expr(operand);
                }
                Value::Unknown
            }
            ExprKind::Call(callee, arguments) => {
                let arguments = self.all(arguments);
                // What does not use tile_static memory, wait or compute an index does not matter.
                let reached = self.reach.function(*callee);
                let is_index = expr.ty.scalar().is_some_and(Scalar::is_integer);
                match reached.tile_static || reached.barrier || is_index {
                    true => self.call(*callee, arguments),
                    false => Value::Unknown,
                }
            }
            ExprKind::Assign(place, value) => {
                let value = self.expr(value);
                self.store(place, value);
                Value::Unknown
            }
            ExprKind::AssignOp(op, place, value) => {
                let value = self.expr(value);
                self.update(*op, place, value);
                Value::Unknown
            }
            ExprKind::Atomic(atomic) => {
                let path = self.path(&atomic.place);
                self.all(&atomic.operands);
                if let Root::TileStatic(id) = atomic.place.root {
                    match atomic.op {
                        AtomicOp::Store => self.write(id, path),
                        _ => self.read(id, path.as_deref()),
                    }
                }
                Value::Unknown
            }
            ExprKind::Lazy(op, left, right) => self.lazy(*op, left, right),
            ExprKind::If(condition, then, otherwise) => self.choice(condition, then, otherwise),
            ExprKind::Block(block) => self.block(block),
            ExprKind::LabelledBlock(label, block) => self.labelled(*label, block),
            ExprKind::Loop(looping) => self.repeat(looping),
            ExprKind::Break(label, value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
                self.leave(Some(*label));
                Value::Unknown
            }
            ExprKind::Continue(label) => {
                self.skip(*label);
                Value::Unknown
            }
            ExprKind::Return(value) => {
                let value = value.as_ref().map(|value| self.expr(value));
                self.give_back(value);
                Value::Unknown
            }
            ExprKind::Panic => {
                self.give_back(None);
                Value::Unknown
            }
            ExprKind::Barrier(fence) => {
                if fence.orders().tile {
                    self.barrier();
                }
                Value::Unknown
            }
            ExprKind::Repeat(operand) => {
                self.expr(operand);
                Value::Unknown
            }
            ExprKind::Subgroup(SubgroupOp::Barrier, _) => {
                self.barrier();
                Value::Unknown
            }
            ExprKind::Subgroup(_, operands) => {
                self.all(operands);
                Value::Unknown
            }
            ExprKind::Message(message) => {
                self.all(&message.operands);
                Value::Unknown
            }
            ExprKind::Unit | ExprKind::Zero | ExprKind::Fence(_) | ExprKind::DeviceFence => {
                Value::Unknown
            }
        }
    }

    /// An operator, a cast or a method.
    fn operation(&mut self, expr: &'m Expr, operands: impl IntoIterator<Item = &'m Expr>) -> Value {
        let values: Vec<_> = operands.into_iter().map(|it| self.expr(it)).collect();
        self.scalar(&values, |symbols, forms| symbols.result(expr, forms))
    }

    /// An operation on scalars.
    pub(super) fn scalar(
        &mut self,
        operands: &[Value],
        operation: impl FnOnce(&mut Symbols, &[&Form]) -> Option<Form>,
    ) -> Value {
        let forms: Option<Vec<&Form>> = operands.iter().map(Value::form).collect();
        let result = forms.and_then(|forms| operation(&mut self.symbols, &forms));
        result.map_or(Value::Unknown, Value::Scalar)
    }

    fn extent(&mut self, view: LocalId) -> Value {
        let Type::View(ty) = &self.function.local(view).ty else {
            return Value::Unknown;
        };
        match self.state.locals[view.0 as usize] {
            Value::View(view) => self.symbols.extent(view, ty.rank),
            _ => Value::Unknown,
        }
    }

    /// The steps into a place, if they are known.
    fn path(&mut self, place: &'m Place) -> Option<Vec<Step>> {
        if let Root::Element { index, .. } = &place.root {
            self.expr(index);
        }
        let mut path = Some(Vec::new());
        for projection in &place.projections {
            let step = match projection {
                Projection::Field(field) => Some(Step::Field(*field)),
                Projection::Index(index) => self.expr(index).form().cloned().map(Step::Element),
            };
            path = path.zip(step).map(|(mut path, step)| {
                path.push(step);
                path
            });
        }
        path
    }

    fn load(&mut self, place: &'m Place) -> Value {
        let path = self.path(place);
        match place.root {
            Root::Local(local) => self.state.locals[local.0 as usize]
                .clone()
                .at(path.as_deref()),
            Root::TileStatic(id) => {
                self.read(id, path.as_deref());
                Value::Unknown
            }
            Root::Element { .. } => Value::Unknown,
        }
    }

    fn store(&mut self, place: &'m Place, value: Value) {
        let path = self.path(place);
        match place.root {
            Root::Local(local) => {
                self.state.locals[local.0 as usize].put(path.as_deref(), value);
            }
            Root::TileStatic(id) => self.write(id, path),
            Root::Element { .. } => {}
        }
    }

    fn update(&mut self, op: BinaryOp, place: &'m Place, value: Value) {
        let path = self.path(place);
        match place.root {
            Root::Local(local) => {
                let before = self.state.locals[local.0 as usize].clone();
                let after = self.scalar(&[before.at(path.as_deref()), value], |symbols, values| {
                    symbols.binary(op, place.ty.scalar()?, values[0], values[1])
                });
                self.state.locals[local.0 as usize].put(path.as_deref(), after);
            }
            Root::TileStatic(id) => self.read(id, path.as_deref()),
            Root::Element { .. } => {}
        }
    }

    fn write(&mut self, variable: TileStaticId, path: Option<Vec<Step>>) {
        let state = &mut self.state;
        if let Some(path) = path
            && !state.whole.contains(&variable)
            && state.writes.len() < WRITES
        {
            let write = Write {
                variable,
                path,
                conditions: Vec::new(),
                ranges: Vec::new(),
            };
            if !state.writes.contains(&write) {
                state.writes.push(write);
            }
        }
    }

    fn read(&mut self, variable: TileStaticId, path: Option<&[Step]>) {
        let own = |write: &Write| {
            write.variable == variable
                && write.ranges.is_empty()
                && write.conditions.iter().all(|it| self.holding.contains(it))
                && path.is_some_and(|path| path.starts_with(&write.path))
        };
        if !self.state.whole.contains(&variable) && !self.state.writes.iter().any(own) {
            self.unwritten.insert(variable);
        }
    }

    /// All threads have come here with their writes.
    fn barrier(&mut self) {
        let written: BTreeSet<TileStaticId> = self
            .state
            .writes
            .iter()
            .map(|write| write.variable)
            .collect();
        for variable in written {
            let writes = self
                .state
                .writes
                .iter()
                .filter(|it| it.variable == variable);
            let writes: Vec<Write> = writes.cloned().collect();
            if self.is_covered(variable, &writes) {
                self.state.whole.insert(variable);
                self.state.writes.retain(|it| it.variable != variable);
            }
        }
    }
}
