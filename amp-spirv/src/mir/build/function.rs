//! Functions, calls, blocks and the dispatch over expressions.
//!
//! Building an expression adds to the current region and gives its value, or
//! [`Diverges`](super::Diverges) if
//! control does not come out of it; the region then has its end, and nothing is built for what
//! can never run.

use super::bounds::Bounds;
use super::variables::Variables;
use super::{Builder, Flow, Local, Operand, has_value, rank};
use crate::artifact::FaultKind;
use crate::mir::{Access, Def, End, Function, Inst, MessageId, Module, Op, Param, SlotId, Value};
use crate::tree::{
    self, Block, Expr, ExprKind, FunctionId, LocalId, Message, Statement, SubgroupOp, Type, UnaryOp,
};
use rustc_hash::FxHashSet as HashSet;

impl<'m, 'b> Builder<'m, 'b> {
    pub fn new(
        module: &'b mut Module,
        tree: &'m tree::Module,
        messages: &'b [&'m Message],
        source: &'m tree::Function,
        is_kernel: bool,
    ) -> Self {
        let mut function = Function {
            name: source.name.clone(),
            params: Vec::new(),
            names: Vec::new(),
            result: module.types.intern(&source.result),
            result_slot: None,
            slots: Vec::new(),
            values: Vec::new(),
            insts: Vec::new(),
            regions: Vec::new(),
            body: crate::mir::RegionId(0),
            fast_math: source.fast_math,
            span: source.span,
        };
        let region = function.new_region();
        function.body = region;
        Builder {
            tree,
            module,
            messages,
            source,
            function,
            state: Vec::new(),
            escaping: HashSet::default(),
            outliving: HashSet::default(),
            bounds: Bounds::of(tree, source, is_kernel),
            region,
            span: source.span,
            constructs: Vec::new(),
        }
    }

    /// Builds the function.
    pub fn build(mut self) -> Function {
        if self.is_bulk(&self.source.result) {
            let ty = self.function.result;
            self.function.result_slot = Some(self.function.new_slot("", ty));
        }
        self.declare();
        let body = &self.source.body;
        let value = match self.function.result_slot {
            Some(slot) => self.block_into(slot, body).map(|()| None),
            None => self.block(body),
        };
        if let Ok(value) = value {
            self.end(End::Return(value));
        }
        self.function
    }

    /// Parameters and slots of the function.
    fn declare(&mut self) {
        let variables = Variables::of(self.tree, self.source);
        for (position, local) in (0..).zip(&self.source.locals) {
            let id = LocalId(position);
            let is_param = position < self.source.params;
            let is_bulk = self.is_bulk(&local.ty);
            let is_view = matches!(local.ty, Type::View(_));
            let ty = self.ty(&local.ty);
            let mut state = Local::Absent;
            if is_param && is_bulk {
                let slot = self.function.new_slot(&local.name, ty);
                self.function.params.push(Param::Slot(slot));
                self.function.names.push(local.name.clone());
                state = Local::Slot(slot);
                if variables.assigned.contains(&id) {
                    // It is the caller's.
                    let own = self.function.new_slot(&local.name, ty);
                    self.effect(
                        Op::Copy(Access::whole(own), Access::whole(slot)),
                        Vec::new(),
                        None,
                    );
                    state = Local::Slot(own);
                }
            } else if is_param {
                let param = self.function.params.len() as u32;
                let value = self.function.new_value(ty, Def::Param(param));
                self.function.params.push(Param::Value(value));
                self.function.names.push(local.name.clone());
                if is_view || has_value(&local.ty) {
                    state = Local::Value(value);
                }
            } else if is_bulk {
                state = Local::Slot(self.function.new_slot(&local.name, ty));
            }
            if !is_bulk && variables.indexed.contains(&id) {
                let slot = self.function.new_slot(&local.name, ty);
                if let Local::Value(value) = state {
                    self.effect(Op::Store(Access::whole(slot)), vec![value], None);
                }
                state = Local::Slot(slot);
            }
            self.state.push(state);
        }
        self.escaping = variables.escaping;
        self.outliving = variables.outliving;
    }

    /// Builds a block; gives its value, if it has one that is not bulk.
    pub fn block(&mut self, block: &'m Block) -> Flow<Option<Value>> {
        self.statements(block)?;
        match &block.value {
            Some(value) => self.expr(value),
            None => Ok(None),
        }
    }

    /// Builds all of a block but its value.
    pub fn statements(&mut self, block: &'m Block) -> Flow<()> {
        for (number, statement) in block.statements.iter().enumerate() {
            match statement {
                Statement::Let { local, value } => match value {
                    Some(value) if self.names_another(*local, value, block, number + 1) => {}
                    Some(value) => self.initialise(*local, value)?,
                    None => self.introduce(*local),
                },
                Statement::Expr(expr) => {
                    self.expr(expr)?;
                }
            }
        }
        Ok(())
    }

    fn initialise(&mut self, local: LocalId, value: &'m Expr) -> Flow<()> {
        if value.viewed().is_some() {
            let view = self.view_value(value)?;
            self.state[local.0 as usize] = Local::Value(view);
            return Ok(());
        }
        self.set(local, value)
    }

    /// `let x;`
    fn introduce(&mut self, local: LocalId) {
        let ty = self.local_ty(local);
        if has_value(ty) && !matches!(self.state[local.0 as usize], Local::Slot(_)) {
            let zero = self.zero(ty);
            self.state[local.0 as usize] = Local::Value(zero);
        }
    }

    /// Makes the value of an expression that of a variable.
    pub fn set(&mut self, local: LocalId, value: &'m Expr) -> Flow<()> {
        match self.state[local.0 as usize] {
            Local::Slot(slot) if self.is_bulk(&value.ty) => self.bulk_into(slot, value),
            Local::Slot(slot) => {
                let value = self.value(value)?;
                self.effect(Op::Store(Access::whole(slot)), vec![value], None);
                Ok(())
            }
            Local::Value(_) | Local::Absent => {
                if let Some(value) = self.expr(value)? {
                    self.state[local.0 as usize] = Local::Value(value);
                }
                Ok(())
            }
        }
    }

    /// Builds an expression whose value is not bulk; of `()` it makes a value too.
    pub fn value(&mut self, expr: &'m Expr) -> Flow<Value> {
        match self.expr(expr)? {
            Some(value) => Ok(value),
            None => Ok(self.zero(&Type::Unit)),
        }
    }

    /// The values of some expressions.
    pub fn values(&mut self, exprs: &'m [Expr]) -> Flow<Vec<Value>> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    /// Builds an expression of any type but a view's.
    pub fn operand(&mut self, expr: &'m Expr) -> Flow<Operand> {
        if self.is_bulk(&expr.ty) {
            return self.bulk(expr).map(Operand::Slot);
        }
        let value = self.expr(expr)?;
        Ok(value.map_or(Operand::Unit, Operand::Value))
    }

    /// Builds an expression; gives its value, if it has one that is not bulk.
    pub fn expr(&mut self, expr: &'m Expr) -> Flow<Option<Value>> {
        if self.is_bulk(&expr.ty) {
            return self.bulk(expr).map(|_| None);
        }
        self.plain(expr)
    }

    /// Builds an expression whose value is not bulk.
    pub fn plain(&mut self, expr: &'m Expr) -> Flow<Option<Value>> {
        let around = std::mem::replace(&mut self.span, expr.span);
        let value = self.dispatch(expr);
        self.span = around;
        value
    }

    fn dispatch(&mut self, expr: &'m Expr) -> Flow<Option<Value>> {
        let ty = &expr.ty;
        let value = match &expr.kind {
            ExprKind::Unit | ExprKind::View(_) => return Ok(None),
            ExprKind::Block(block) => return self.block(block),
            ExprKind::LabelledBlock(label, block) => {
                return self.labelled_block(*label, block, ty, None);
            }
            ExprKind::Loop(looping) => return self.loop_(looping, ty, None),
            ExprKind::If(condition, yes, no) => return self.if_(condition, yes, no, ty, None),
            ExprKind::Break(label, value) => return self.break_(*label, value.as_deref()),
            ExprKind::Continue(label) => return self.continue_(*label),
            ExprKind::Return(value) => return self.return_(value.as_deref()),
            ExprKind::Panic => return self.return_zero(),
            ExprKind::Load(place) => return self.load(place),
            ExprKind::Field(value, field) => return self.field(value, *field, ty),
            ExprKind::Call(callee, args) => return self.call(*callee, args, ty, None),
            ExprKind::Atomic(atomic) => return self.atomic(atomic),
            ExprKind::Assign(place, value) => {
                self.assign(place, value)?;
                return Ok(None);
            }
            ExprKind::AssignOp(op, place, value) => {
                self.assign_op(*op, place, value)?;
                return Ok(None);
            }
            ExprKind::Message(message) => {
                self.message(message)?;
                return Ok(None);
            }
            ExprKind::Derive(_) => {
                self.view_value(expr)?;
                return Ok(None);
            }
            ExprKind::Barrier(fence) => {
                self.effect(Op::Barrier(*fence, fence.orders()), Vec::new(), None);
                return Ok(None);
            }
            ExprKind::Fence(fence) => {
                self.effect(Op::Fence(*fence), Vec::new(), None);
                return Ok(None);
            }
            ExprKind::Subgroup(op @ SubgroupOp::Barrier, _) => {
                self.effect(Op::Subgroup(*op), Vec::new(), None);
                return Ok(None);
            }
            ExprKind::DeviceFence => {
                self.effect(Op::DeviceFence, Vec::new(), None);
                return Ok(None);
            }
            ExprKind::Literal(literal) => self.literal(*literal),
            ExprKind::Const(id) => self.op(Op::Const(*id), Vec::new(), ty),
            ExprKind::Zero => {
                if !has_value(ty) {
                    return Ok(None);
                }
                self.zero(ty)
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand)?,
            ExprKind::Binary(op, left, right) => {
                let a = self.value(left)?;
                let b = self.value(right)?;
                self.binary(*op, &left.ty, a, b, right)
            }
            ExprKind::Lazy(op, left, right) => self.lazy(*op, left, right)?,
            ExprKind::Cast(operand) => {
                let value = self.value(operand)?;
                self.cast(value, &operand.ty, ty)
            }
            ExprKind::Math(op, operands) => {
                let values = self.values(operands)?;
                self.math(*op, ty, operands, values)
            }
            ExprKind::Construct(parts) => {
                let values = self.values(parts)?;
                self.construct_value(values, ty)
            }
            ExprKind::Repeat(element) => self.repeat(element, ty)?,
            ExprKind::ViewExtent(view) => {
                let view = self.view(*view);
                let rank = rank(ty);
                let components = (0..rank).map(|k| self.extent(view, k)).collect();
                self.op(Op::Construct, components, ty)
            }
            ExprKind::Subgroup(op, operands) => {
                let values = self.values(operands)?;
                self.op(Op::Subgroup(*op), values, ty)
            }
        };
        Ok(Some(value))
    }

    fn unary(&mut self, op: UnaryOp, operand: &'m Expr) -> Flow<Value> {
        if let (UnaryOp::Neg, ExprKind::Literal(literal)) = (op, &operand.kind)
            && let Some(negated) = super::arithmetic::negated(*literal)
        {
            return Ok(self.literal(negated));
        }
        let value = self.value(operand)?;
        Ok(self.op(Op::Unary(op), vec![value], &operand.ty))
    }

    /// A value from its parts.
    fn construct_value(&mut self, parts: Vec<Value>, ty: &Type) -> Value {
        match parts.is_empty() {
            true => self.zero(ty),
            false => self.op(Op::Construct, parts, ty),
        }
    }

    /// `[element; N]`, if that is not bulk.
    fn repeat(&mut self, element: &'m Expr, ty: &Type) -> Flow<Value> {
        let value = self.value(element)?;
        let len = match ty {
            Type::Array(_, tree::Len::Literal(len)) => *len as usize,
            _ => 0,
        };
        let parts = match is_zero(element) {
            true => Vec::new(),
            false => vec![value; len],
        };
        Ok(self.construct_value(parts, ty))
    }

    fn field(&mut self, value: &'m Expr, field: u32, ty: &Type) -> Flow<Option<Value>> {
        if let ExprKind::ViewExtent(view) = value.kind {
            let view = self.view(view);
            return Ok(Some(self.extent(view, field)));
        }
        let whole = self.operand(value)?;
        if !has_value(ty) {
            return Ok(None);
        }
        Ok(match whole {
            Operand::Unit => None,
            Operand::Value(whole) => Some(self.extract(whole, field, ty)),
            Operand::Slot(slot) => {
                let access = Access::part(slot, field);
                Some(self.op(Op::Load(access), Vec::new(), ty))
            }
        })
    }

    /// A component of a view's extent.
    pub fn extent(&mut self, view: Value, component: u32) -> Value {
        let ty = self.tree.index.ty();
        self.op(Op::ViewExtent(component), vec![view], ty)
    }

    fn message(&mut self, message: &'m Message) -> Flow<()> {
        let values = self.values(&message.operands)?;
        let number = message.number_among(self.messages).unwrap_or_default() as u32;
        let site = self.site(FaultKind::Message(number), self.span);
        self.effect(Op::Message(MessageId(number), site), values, None);
        Ok(())
    }

    /// A call, with a slot for the result if that is bulk.
    pub fn call(
        &mut self,
        callee: FunctionId,
        args: &'m [Expr],
        ty: &Type,
        into: Option<SlotId>,
    ) -> Flow<Option<Value>> {
        let function = self.tree.function(callee);
        let mut slots = Vec::from_iter(into);
        let mut values = Vec::new();
        for (position, arg) in args.iter().enumerate() {
            match &function.locals[position].ty {
                Type::View(_) => values.push(self.view_value(arg)?),
                param if self.is_bulk(param) => {
                    slots.push(self.bulk_argument(arg, &args[position + 1..])?);
                }
                param => {
                    let value = self.expr(arg)?;
                    values.push(value.unwrap_or_else(|| self.zero(param)));
                }
            }
        }
        let result = Some(&function.result).filter(|ty| into.is_none() && has_value(ty));
        let inst = Inst {
            slots,
            ..self.inst(Op::Call(callee), values)
        };
        let id = self.add(inst, &[]);
        let value = result.map(|ty| self.result(id, ty));
        if function.result == Type::Never || *ty == Type::Never {
            // It comes back where it panics, or where a driver ends its loops.
            return self.return_zero();
        }
        Ok(value)
    }

    /// The view behind a local.
    pub fn view(&self, local: LocalId) -> Value {
        match self.state[local.0 as usize] {
            Local::Value(view) => view,
            // The tree's rules: a view is declared before it is used.
            _ => unreachable!("local {} is no view", local.0),
        }
    }
}

/// Whether an expression is a literal of zero bits.
pub(super) fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(literal) => literal.bits() == 0,
        ExprKind::Repeat(element) => is_zero(element),
        ExprKind::Construct(parts) => !parts.is_empty() && parts.iter().all(is_zero),
        _ => false,
    }
}
