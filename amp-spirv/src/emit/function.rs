//! Functions, calls, blocks and the dispatch over expressions.
//!
//! Emitting an expression appends to the current block and gives its value, or
//! [`Diverges`] if control does not come out of it; the block has then ended, and
//! nothing is emitted for what can never run. Views travel as their address, extents and
//! strides, each a parameter of its own; `view.rs` makes views from views.

use std::collections::HashSet;

use spirv::{Decoration, Op, Word};

use super::Emitter;
use super::bounds::Bounds;
use super::control_flow::Construct;
use super::types::{UNIT, has_value};
use crate::ir::{
    Block, Expr, ExprKind, FunctionId, Literal, LocalId, Scalar, Statement, Type, UnaryOp,
};

/// Control does not come out of what was emitted.
#[derive(Debug)]
pub(super) struct Diverges;

/// A value, if control gets there.
pub(super) type Flow<T> = Result<T, Diverges>;

/// A view in registers.
#[derive(Clone)]
pub(super) struct ViewValue {
    pub pointer: Word,
    pub extents: Vec<Word>,
    pub strides: Vec<Word>,
    /// Whether the launch may write the elements.
    pub mutable: bool,
}

/// What stands behind a local.
#[derive(Clone)]
pub(super) enum Slot {
    /// A value that a caller provides.
    Value(Word),
    /// A variable of the function.
    Variable(Word),
    /// A view.
    View(ViewValue),
}

/// State of the function being emitted.
#[derive(Default)]
pub(super) struct Body<'m> {
    pub slots: Vec<Slot>,
    pub locals: &'m [crate::ir::Local],
    /// Type of the function's result.
    pub result: Option<&'m Type>,
    /// Where the result goes if it is bulk.
    pub bulk_result: Option<Word>,
    pub bounds: Bounds<'m>,
    /// Indices that are in bounds here, by the address of their expressions.
    pub proven: HashSet<usize>,
    /// Loops and labelled blocks around the current point, innermost last.
    pub constructs: Vec<Construct>,
    /// Variable that says where control is heading while it leaves several constructs.
    pub escape: Option<Word>,
    /// Whether the function is the kernel.
    pub is_kernel: bool,
    /// The number of loops around the current point.
    pub open_loops: u32,
    /// Number of different places it can be heading for.
    pub escapes: u32,
}

impl<'m> Emitter<'m> {
    /// Emits one function.
    pub fn function(&mut self, index: usize) {
        let ir = self.ir;
        let function = &ir.functions[index];
        let around = std::mem::replace(&mut self.b.fast, function.fast_math);
        let is_kernel = index + 1 == ir.functions.len();
        let params = &function.locals[..function.params as usize];

        let returns_bulk = self.is_bulk(&function.result);
        let mut types = Vec::new();
        if returns_bulk {
            types.push(self.passed_ty(&function.result));
        }
        for (position, param) in params.iter().enumerate() {
            match &param.ty {
                Type::View(view) => {
                    let mutable = self.uses.params[index][position].mutable;
                    types.push(self.view_pointer(view, !mutable));
                    types.extend(vec![self.index_ty(); 2 * view.rank as usize - 1]);
                }
                ty if has_value(ty) => types.push(self.passed_ty(ty)),
                _ => {}
            }
        }
        let result = match returns_bulk {
            true => self.b.scalar.void,
            false => self.ty(&function.result),
        };
        let id = self.b.id();
        self.functions.push(id);
        let values = self.b.begin_function(id, &function.name, result, &types);
        self.body = Body {
            locals: &function.locals,
            result: Some(&function.result),
            bounds: Bounds::of(ir, function, is_kernel),
            is_kernel,
            ..Body::default()
        };

        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(UNIT);
        self.body.bulk_result = returns_bulk.then(&mut next);
        let mut slots = Vec::with_capacity(function.locals.len());
        let mut stores = Vec::new();
        for (position, local) in function.locals.iter().enumerate() {
            let is_param = position < params.len();
            slots.push(match &local.ty {
                Type::View(view) if is_param => {
                    let pointer = next();
                    self.b.name(pointer, &local.name);
                    self.b.decorate(pointer, Decoration::Aliased, None);
                    Slot::View(ViewValue {
                        pointer,
                        extents: (0..view.rank).map(|_| next()).collect(),
                        strides: (1..view.rank).map(|_| next()).collect(),
                        mutable: self.uses.params[index][position].mutable,
                    })
                }
                ty if is_param && self.is_bulk(ty) => {
                    let variable = next();
                    self.b.name(variable, &local.name);
                    Slot::Variable(variable)
                }
                ty if has_value(ty) => {
                    let ty = self.ty(ty);
                    let variable = self.b.variable(ty, &local.name);
                    if is_param {
                        stores.push((variable, next()));
                    }
                    Slot::Variable(variable)
                }
                _ => Slot::Value(UNIT),
            });
        }
        self.body.slots = slots;
        for (variable, value) in stores {
            self.b.store(variable, value);
        }

        match self.body.bulk_result {
            Some(result) => {
                if self.block_into(result, &function.body).is_ok() {
                    self.b.ret(None);
                }
            }
            None => {
                if let Ok(value) = self.block(&function.body) {
                    self.leave(value, &function.result);
                }
            }
        }
        self.b.end_function();
        self.b.fast = around;
    }

    /// Whether floats are the device's own here.
    pub fn is_fast(&self) -> bool {
        self.b.fast
    }

    /// Returns from the current function with a value that is not bulk.
    fn leave(&mut self, value: Word, ty: &Type) {
        match ty {
            Type::Never => self.b.unreachable(),
            ty => self.b.ret(has_value(ty).then_some(value)),
        }
    }

    /// Returns from the current function with a value of zeroes, if it has one.
    pub fn leave_with_zero(&mut self) {
        let result = self.body.result.filter(|ty| has_value(ty));
        if let Some((variable, ty)) = self.body.bulk_result.zip(result) {
            self.zero_into(variable, ty);
            return self.b.ret(None);
        }
        let zero = result.map(|ty| self.opaque_zero(ty));
        self.b.ret(zero);
    }

    /// Emits a block; gives its value.
    pub fn block(&mut self, block: &'m Block) -> Flow<Word> {
        self.statements(block)?;
        match &block.value {
            Some(value) => self.expr(value),
            None => Ok(UNIT),
        }
    }

    /// Emits all of a block but its value.
    pub fn statements(&mut self, block: &'m Block) -> Flow<()> {
        for (number, statement) in block.statements.iter().enumerate() {
            match statement {
                Statement::Let { local, value } => {
                    if let Some(value) = value
                        && !self.names_another(*local, value, block, number + 1)
                    {
                        self.initialise(*local, value)?;
                    }
                }
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
            self.body.slots[local.0 as usize] = Slot::View(view);
            return Ok(());
        }
        match self.body.slots[local.0 as usize] {
            Slot::Variable(variable) => self.expr_into(variable, value),
            _ => self.expr(value).map(|_| ()),
        }
    }

    /// Emits an expression whose value goes to a variable.
    pub fn expr_into(&mut self, variable: Word, value: &'m Expr) -> Flow<()> {
        if self.is_bulk(&value.ty) {
            return self.bulk_into(variable, value);
        }
        let id = self.expr(value)?;
        self.b.store(variable, id);
        Ok(())
    }

    /// Emits an expression.
    pub fn expr(&mut self, expr: &'m Expr) -> Flow<Word> {
        if self.is_bulk(&expr.ty) {
            return self.bulk(expr);
        }
        match &expr.kind {
            ExprKind::Literal(literal) => {
                let value = self.literal(*literal);
                return Ok(self.opaque(value, &expr.ty));
            }
            ExprKind::Unit => return Ok(UNIT),
            ExprKind::Block(block) => return self.block(block),
            ExprKind::LabelledBlock(label, block) => {
                return self.labelled_block(*label, block, &expr.ty);
            }
            ExprKind::Loop(body) => return self.loop_(body, &expr.ty, expr.span),
            _ => {}
        }
        self.at(expr.span);
        match &expr.kind {
            ExprKind::Const(id) => {
                let value = self.constant(*id);
                Ok(self.opaque(value, &expr.ty))
            }
            ExprKind::Zero => Ok(self.opaque_zero(&expr.ty)),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(UnaryOp::Neg, operand)
                if let ExprKind::Literal(Literal::F32(bits)) = operand.kind =>
            {
                let value = self.literal(Literal::F32(bits ^ (1 << 31)));
                Ok(self.opaque(value, &expr.ty))
            }
            ExprKind::Unary(UnaryOp::Neg, operand)
                if let ExprKind::Literal(Literal::Other(Scalar::F64, bits)) = operand.kind =>
            {
                let value = self.literal(Literal::Other(Scalar::F64, bits ^ (1 << 63)));
                Ok(self.opaque(value, &expr.ty))
            }
            ExprKind::Unary(op, operand) => {
                let value = self.expr(operand)?;
                Ok(self.unary(*op, &operand.ty, value))
            }
            ExprKind::Binary(op, left, right) => {
                let a = self.expr(left)?;
                let b = self.expr(right)?;
                Ok(self.binary(*op, &left.ty, a, b, right, expr.span))
            }
            ExprKind::Lazy(op, left, right) => self.lazy(*op, left, right),
            ExprKind::Cast(operand) => {
                let value = self.expr(operand)?;
                Ok(self.cast(value, &operand.ty, &expr.ty))
            }
            ExprKind::Math(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                for operand in operands {
                    values.push(self.expr(operand)?);
                }
                Ok(self.math(*op, expr, operands, &values))
            }
            ExprKind::Construct(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    values.push(self.expr(part)?);
                }
                Ok(self.aggregate(&expr.ty, values))
            }
            ExprKind::Repeat(element) => self.repeat(element, &expr.ty),
            ExprKind::Field(value, field) => self.field(value, *field, &expr.ty),
            ExprKind::ViewExtent(view) => {
                let extents = self.view(*view).extents;
                Ok(self.aggregate(&expr.ty, extents))
            }
            ExprKind::Call(callee, args) => self.call(*callee, args, &expr.ty, None),
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp(op, place, value) => self.assign_op(*op, place, value, expr.span),
            ExprKind::If(condition, yes, no) => self.if_(condition, yes, no, &expr.ty, None),
            ExprKind::Break(label, value) => self.break_(*label, value.as_deref()),
            ExprKind::Continue(label) => self.continue_(*label),
            ExprKind::Return(Some(value)) if let Some(result) = self.body.bulk_result => {
                self.expr_into(result, value)?;
                self.b.ret(None);
                Err(Diverges)
            }
            ExprKind::Return(value) => {
                let (value, ty) = match value {
                    Some(value) => (self.expr(value)?, &value.ty),
                    None => (UNIT, &Type::Unit),
                };
                self.leave(value, ty);
                Err(Diverges)
            }
            ExprKind::Message(message) => {
                self.message(message, expr.span)?;
                Ok(UNIT)
            }
            ExprKind::Panic => {
                self.leave_with_zero();
                Err(Diverges)
            }
            ExprKind::Barrier(fence) => {
                self.barrier(*fence, expr);
                Ok(UNIT)
            }
            ExprKind::Fence(fence) => {
                self.fence(*fence);
                Ok(UNIT)
            }
            ExprKind::DeviceFence => {
                self.device_fence();
                Ok(UNIT)
            }
            ExprKind::Atomic(atomic) => self.atomic(atomic),
            ExprKind::Subgroup(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                for operand in operands {
                    values.push(self.expr(operand)?);
                }
                Ok(self.subgroup(*op, &expr.ty, &values))
            }
            ExprKind::Derive(_) => self.view_value(expr).map(|_| UNIT),
            ExprKind::View(_)
            | ExprKind::Literal(_)
            | ExprKind::Unit
            | ExprKind::Block(_)
            | ExprKind::LabelledBlock(..)
            | ExprKind::Loop(_) => Ok(UNIT),
        }
    }

    fn field(&mut self, value: &'m Expr, field: u32, ty: &Type) -> Flow<Word> {
        if let ExprKind::ViewExtent(view) = value.kind {
            return Ok(self.view(view).extents[field as usize]);
        }
        let whole = self.expr(value)?;
        if !has_value(ty) {
            return Ok(UNIT);
        }
        if self.is_bulk(&value.ty) {
            return Ok(self.read_part(whole, ty, field));
        }
        let ty = self.ty(ty);
        Ok(self.b.extract(ty, whole, field))
    }

    /// The view behind a local.
    pub fn view(&self, local: LocalId) -> ViewValue {
        match &self.body.slots[local.0 as usize] {
            Slot::View(view) => view.clone(),
            // The IR's rules: a view's local has view type.
            _ => unreachable!("local {} is no view", local.0),
        }
    }

    /// A call, with a variable for the result if that is bulk.
    pub fn call(
        &mut self,
        callee: FunctionId,
        args: &'m [Expr],
        ty: &Type,
        variable: Option<Word>,
    ) -> Flow<Word> {
        let index = callee.0 as usize;
        let ir = self.ir;
        let mut operands = vec![self.functions[index]];
        operands.extend(variable);
        for (position, arg) in args.iter().enumerate() {
            let param = &ir.functions[index].locals[position].ty;
            if let Type::View(wanted) = param {
                let mut view = self.view_value(arg)?;
                let mutable = self.uses.params[index][position].mutable;
                if mutable != view.mutable {
                    let pointer = self.view_pointer(wanted, !mutable);
                    view.pointer = self.b.bitcast(pointer, view.pointer);
                }
                operands.push(view.pointer);
                operands.extend(view.extents);
                operands.extend(view.strides);
            } else {
                let value = match self.is_bulk(param) {
                    true => {
                        let param = LocalId(position as u32);
                        self.bulk_argument(callee, param, arg, &args[position + 1..])?
                    }
                    false => self.expr(arg)?,
                };
                if has_value(&arg.ty) {
                    operands.push(value);
                }
            }
        }
        let result = &ir.functions[index].result;
        let result_ty = match variable {
            Some(_) => self.b.scalar.void,
            None => self.ty(result),
        };
        let value = self.b.op(Op::FunctionCall, result_ty, &operands);
        if *result == Type::Never || *ty == Type::Never {
            // It comes back where it panics, or where a driver ends its loops.
            self.leave_with_zero();
            return Err(Diverges);
        }
        Ok(if has_value(result) { value } else { UNIT })
    }
}
