//! A walk over everything in a function that may change it.
//!
//! Each node is met before its parts, and these in the order of evaluation as far as the tree
//! shows it. What only looks takes the walk of `visit`.

use std::ops::ControlFlow;

use super::{
    Adapter, Block, Expr, ExprKind, Loop, LoopKind, Message, Place, Projection, Root, Statement,
    ViewStep,
};

/// What is done at each node; [`ControlFlow::Break`] ends the walk.
pub trait Edit {
    /// At a block.
    fn block(&mut self, _: &mut Block) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// At an expression.
    fn expr(&mut self, _: &mut Expr) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// At a place.
    fn place(&mut self, _: &mut Place) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Meets a block and every node within it.
pub fn edit(of: &mut Block, with: &mut dyn Edit) -> ControlFlow<()> {
    with.block(of)?;
    for statement in &mut of.statements {
        match statement {
            Statement::Let { value, .. } => exprs(value, with)?,
            Statement::Expr(value) => expr(value, with)?,
        }
    }
    exprs(of.value.as_deref_mut(), with)
}

fn exprs<'m>(of: impl IntoIterator<Item = &'m mut Expr>, with: &mut dyn Edit) -> ControlFlow<()> {
    of.into_iter().try_for_each(|it| expr(it, with))
}

fn place(of: &mut Place, with: &mut dyn Edit) -> ControlFlow<()> {
    with.place(of)?;
    if let Root::Element { index, .. } = &mut of.root {
        expr(index, with)?;
    }
    for projection in &mut of.projections {
        if let Projection::Index(index) = projection {
            expr(index, with)?;
        }
    }
    ControlFlow::Continue(())
}

fn looping(of: &mut Loop, with: &mut dyn Edit) -> ControlFlow<()> {
    match &mut of.kind {
        LoopKind::Infinite => {}
        LoopKind::While(condition) => expr(condition, with)?,
        LoopKind::For(range) => {
            expr(&mut range.start, with)?;
            expr(&mut range.end, with)?;
            for adapter in &mut range.adapters {
                match adapter {
                    Adapter::Rev => {}
                    Adapter::StepBy(step) => expr(step, with)?,
                }
            }
        }
    }
    edit(&mut of.body, with)
}

fn expr(of: &mut Expr, with: &mut dyn Edit) -> ControlFlow<()> {
    with.expr(of)?;
    match &mut of.kind {
        ExprKind::Literal(_)
        | ExprKind::Const(_)
        | ExprKind::Unit
        | ExprKind::Zero
        | ExprKind::ViewExtent(_)
        | ExprKind::View(_)
        | ExprKind::Continue(_)
        | ExprKind::Panic
        | ExprKind::Barrier(_)
        | ExprKind::Fence(_)
        | ExprKind::DeviceFence => ControlFlow::Continue(()),
        ExprKind::Load(source) => place(source, with),
        ExprKind::Unary(_, operand)
        | ExprKind::Cast(operand)
        | ExprKind::Repeat(operand)
        | ExprKind::Field(operand, _) => expr(operand, with),
        ExprKind::Binary(_, left, right) | ExprKind::Lazy(_, left, right) => {
            expr(left, with)?;
            expr(right, with)
        }
        ExprKind::Math(_, operands)
        | ExprKind::Message(Message { operands, .. })
        | ExprKind::Subgroup(_, operands)
        | ExprKind::Construct(operands)
        | ExprKind::Call(_, operands) => exprs(operands, with),
        ExprKind::Derive(derivation) => {
            expr(&mut derivation.of, with)?;
            match &mut derivation.step {
                ViewStep::Section { origin, extent } => {
                    expr(origin, with)?;
                    expr(extent, with)
                }
                ViewStep::Row(operand) | ViewStep::Shape(operand) => expr(operand, with),
                ViewStep::Elements => ControlFlow::Continue(()),
            }
        }
        ExprKind::Assign(target, operand) | ExprKind::AssignOp(_, target, operand) => {
            expr(operand, with)?;
            place(target, with)
        }
        ExprKind::Atomic(atomic) => {
            place(&mut atomic.place, with)?;
            exprs(&mut atomic.operands, with)
        }
        ExprKind::If(condition, yes, no) => {
            expr(condition, with)?;
            edit(yes, with)?;
            edit(no, with)
        }
        ExprKind::Block(body) | ExprKind::LabelledBlock(_, body) => edit(body, with),
        ExprKind::Loop(body) => looping(body, with),
        ExprKind::Break(_, operand) | ExprKind::Return(operand) => {
            exprs(operand.as_deref_mut(), with)
        }
    }
}
