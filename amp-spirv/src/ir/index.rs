//! The width of `usize` and `isize`.
//!
//! They are 32 bits wide, unless the kernel says `#[amp_kernel(index = 64)]`. A module whose
//! [`Module::index`] is 64 bits has `u64` and `i64` in their place everywhere, so that all
//! that is done with integers is right by construction: nothing asks for the width of a
//! `usize`. Only what has components of type `usize` without saying so has to ask the
//! module: `Index`, `Extent` and the extents of views ([`IndexWidth::scalar`]).

use super::{
    Adapter, Block, Expr, ExprKind, Literal, Loop, LoopKind, Message, Module, Place, Projection,
    Root, Scalar, Statement, Type, ViewStep,
};
pub use crate::artifact::IndexWidth;

impl IndexWidth {
    /// What a `usize` is: the type of indices, extents and components of either.
    pub fn scalar(self) -> Scalar {
        self.settled(Scalar::Usize)
    }

    /// The same as a type.
    pub fn ty(self) -> &'static Type {
        Type::of(self.scalar())
    }

    /// What a scalar of the source is.
    pub fn settled(self, scalar: Scalar) -> Scalar {
        match (self, scalar) {
            (IndexWidth::Bits64, Scalar::Usize) => Scalar::U64,
            (IndexWidth::Bits64, Scalar::Isize) => Scalar::I64,
            _ => scalar,
        }
    }
}

impl Module {
    /// Makes indices 64 bits wide: `usize` and `isize` become what they are then.
    pub fn widen_index(&mut self) {
        self.index = IndexWidth::Bits64;
        for field in self.structs.iter_mut().flat_map(|it| &mut it.fields) {
            ty(&mut field.ty);
        }
        for constant in &mut self.consts {
            constant.ty = self.index.settled(constant.ty);
        }
        for variable in &mut self.tile_statics {
            ty(&mut variable.ty);
        }
        for function in &mut self.functions {
            for local in &mut function.locals {
                ty(&mut local.ty);
            }
            ty(&mut function.result);
            block(&mut function.body);
        }
    }
}

fn ty(of: &mut Type) {
    match of {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => {
            *scalar = IndexWidth::Bits64.settled(*scalar);
        }
        Type::Tuple(parts) => parts.iter_mut().for_each(ty),
        Type::Array(element, _) => ty(element),
        Type::View(view) => ty(&mut view.element),
        Type::Unit
        | Type::Never
        | Type::Struct(_)
        | Type::Index(_)
        | Type::Extent(_)
        | Type::TiledIndex(_) => {}
    }
}

fn literal(of: &mut Literal) {
    let scalar = IndexWidth::Bits64.settled(of.scalar());
    if let Some(value) = of.integer()
        && scalar != of.scalar()
    {
        *of = Literal::new(scalar, value as u64);
    }
}

fn block(of: &mut Block) {
    for statement in &mut of.statements {
        match statement {
            Statement::Let { value, .. } => value.iter_mut().for_each(expr),
            Statement::Expr(value) => expr(value),
        }
    }
    if let Some(value) = &mut of.value {
        expr(value);
    }
    ty(&mut of.ty);
}

fn place(of: &mut Place) {
    if let Root::Element { index, .. } = &mut of.root {
        expr(index);
    }
    for projection in &mut of.projections {
        if let Projection::Index(index) = projection {
            expr(index);
        }
    }
    ty(&mut of.ty);
}

fn looping(of: &mut Loop) {
    match &mut of.kind {
        LoopKind::Infinite => {}
        LoopKind::While(condition) => expr(condition),
        LoopKind::For(range) => {
            expr(&mut range.start);
            expr(&mut range.end);
            for adapter in &mut range.adapters {
                match adapter {
                    Adapter::Rev => {}
                    Adapter::StepBy(step) => expr(step),
                }
            }
        }
    }
    block(&mut of.body);
}

fn expr(of: &mut Expr) {
    ty(&mut of.ty);
    match &mut of.kind {
        ExprKind::Literal(value) => literal(value),
        ExprKind::Const(_)
        | ExprKind::Unit
        | ExprKind::Zero
        | ExprKind::ViewExtent(_)
        | ExprKind::View(_)
        | ExprKind::Continue(_)
        | ExprKind::Panic
        | ExprKind::Barrier(_)
        | ExprKind::Fence(_)
        | ExprKind::DeviceFence => {}
        ExprKind::Load(source) => place(source),
        ExprKind::Unary(_, operand)
        | ExprKind::Cast(operand)
        | ExprKind::Repeat(operand)
        | ExprKind::Field(operand, _) => expr(operand),
        ExprKind::Binary(_, left, right) | ExprKind::Lazy(_, left, right) => {
            expr(left);
            expr(right);
        }
        ExprKind::Math(_, operands)
        | ExprKind::Message(Message { operands, .. })
        | ExprKind::Subgroup(_, operands)
        | ExprKind::Construct(operands)
        | ExprKind::Call(_, operands) => operands.iter_mut().for_each(expr),
        ExprKind::Derive(derivation) => {
            expr(&mut derivation.of);
            match &mut derivation.step {
                ViewStep::Section { origin, extent } => {
                    expr(origin);
                    expr(extent);
                }
                ViewStep::Row(operand) | ViewStep::Shape(operand) => expr(operand),
                ViewStep::Elements => {}
            }
        }
        ExprKind::Assign(target, operand) | ExprKind::AssignOp(_, target, operand) => {
            place(target);
            expr(operand);
        }
        ExprKind::Atomic(atomic) => {
            place(&mut atomic.place);
            atomic.operands.iter_mut().for_each(expr);
        }
        ExprKind::If(condition, yes, no) => {
            expr(condition);
            block(yes);
            block(no);
        }
        ExprKind::Block(body) | ExprKind::LabelledBlock(_, body) => block(body),
        ExprKind::Loop(body) => looping(body),
        ExprKind::Break(_, operand) | ExprKind::Return(operand) => {
            if let Some(operand) = operand {
                expr(operand);
            }
        }
    }
}
