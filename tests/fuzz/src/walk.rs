//! A walk over everything in a function that may change it.

use amp_spirv::ir::*;

/// What is done at each node. A node is met before its parts; `false` ends the walk.
pub trait Meet {
    /// A block.
    fn block(&mut self, _: &mut Block) -> bool {
        true
    }
    /// An expression.
    fn expr(&mut self, _: &mut Expr) -> bool {
        true
    }
    /// A place.
    fn place(&mut self, _: &mut Place) -> bool {
        true
    }
}

/// Meets all nodes of a block; false if the walk was ended.
pub fn block(it: &mut Block, meet: &mut dyn Meet) -> bool {
    if !meet.block(it) {
        return false;
    }
    let statements = it.statements.iter_mut().all(|statement| match statement {
        Statement::Let { value, .. } => value.as_mut().is_none_or(|it| expr(it, meet)),
        Statement::Expr(value) => expr(value, meet),
    });
    statements && it.value.as_mut().is_none_or(|it| expr(it, meet))
}

fn place(it: &mut Place, meet: &mut dyn Meet) -> bool {
    if !meet.place(it) {
        return false;
    }
    let root = match &mut it.root {
        Root::Element { index, .. } => expr(index, meet),
        _ => true,
    };
    root && it
        .projections
        .iter_mut()
        .all(|projection| match projection {
            Projection::Index(index) => expr(index, meet),
            Projection::Field(_) => true,
        })
}

fn expr(it: &mut Expr, meet: &mut dyn Meet) -> bool {
    if !meet.expr(it) {
        return false;
    }
    match &mut it.kind {
        ExprKind::Load(source) => place(source, meet),
        ExprKind::Unary(_, operand)
        | ExprKind::Cast(operand)
        | ExprKind::Repeat(operand)
        | ExprKind::Field(operand, _) => expr(operand, meet),
        ExprKind::Binary(_, left, right) | ExprKind::Lazy(_, left, right) => {
            expr(left, meet) && expr(right, meet)
        }
        ExprKind::Math(_, operands)
        | ExprKind::Message(Message { operands, .. })
        | ExprKind::Construct(operands)
        | ExprKind::Call(_, operands) => operands.iter_mut().all(|it| expr(it, meet)),
        ExprKind::Subgroup(_, operands) => operands.iter_mut().all(|it| expr(it, meet)),
        ExprKind::Atomic(atomic) => {
            place(&mut atomic.place, meet) && atomic.operands.iter_mut().all(|it| expr(it, meet))
        }
        ExprKind::Derive(derivation) => {
            expr(&mut derivation.of, meet)
                && match &mut derivation.step {
                    ViewStep::Section { origin, extent } => {
                        expr(origin, meet) && expr(extent, meet)
                    }
                    ViewStep::Row(operand) | ViewStep::Shape(operand) => expr(operand, meet),
                    ViewStep::Elements => true,
                }
        }
        ExprKind::Assign(target, operand) | ExprKind::AssignOp(_, target, operand) => {
            expr(operand, meet) && place(target, meet)
        }
        ExprKind::If(condition, yes, no) => {
            expr(condition, meet) && block(yes, meet) && block(no, meet)
        }
        ExprKind::Block(body) | ExprKind::LabelledBlock(_, body) => block(body, meet),
        ExprKind::Loop(looped) => {
            let head = match &mut looped.kind {
                LoopKind::Infinite => true,
                LoopKind::While(condition) => expr(condition, meet),
                LoopKind::For(range) => {
                    expr(&mut range.start, meet)
                        && expr(&mut range.end, meet)
                        && range.adapters.iter_mut().all(|adapter| match adapter {
                            Adapter::StepBy(step) => expr(step, meet),
                            Adapter::Rev => true,
                        })
                }
            };
            head && block(&mut looped.body, meet)
        }
        ExprKind::Break(_, operand) | ExprKind::Return(operand) => {
            operand.as_mut().is_none_or(|it| expr(it, meet))
        }
        _ => true,
    }
}
