//! Statements, control flow, barriers and calls.

use super::*;

/// `let local = value;` as an expression.
pub(in crate::check) fn give(local: LocalId, value: Expr) -> Expr {
    let block = Block {
        statements: vec![Statement::Let {
            local,
            value: Some(value),
        }],
        value: None,
        ty: Type::Unit,
        span: span(),
    };
    expr(ExprKind::Block(Box::new(block)), Type::Unit)
}

/// `{ .. }`.
pub(in crate::check) fn braces(body: impl Into<Vec<Expr>>) -> Expr {
    let block = block(body);
    let ty = block.ty.clone();
    expr(ExprKind::Block(Box::new(block)), ty)
}

/// `if condition { then } else { otherwise }`.
pub(in crate::check) fn when(
    condition: Expr,
    then: impl Into<Vec<Expr>>,
    otherwise: impl Into<Vec<Expr>>,
) -> Expr {
    let (then, otherwise) = (block(then), block(otherwise));
    let ty = if then.ty == Type::Never {
        otherwise.ty.clone()
    } else {
        then.ty.clone()
    };
    expr(
        ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
        ty,
    )
}

fn looping(label: u32, kind: LoopKind, body: Vec<Expr>) -> Expr {
    let body = block(body);
    expr(
        ExprKind::Loop(Box::new(Loop {
            label: LabelId(label),
            kind,
            unroll: false,
            body,
        })),
        Type::Unit,
    )
}

/// `'label: loop { .. }`.
pub(in crate::check) fn forever(label: u32, body: impl Into<Vec<Expr>>) -> Expr {
    looping(label, LoopKind::Infinite, body.into())
}

/// `'label: while condition { .. }`.
pub(in crate::check) fn while_(label: u32, condition: Expr, body: impl Into<Vec<Expr>>) -> Expr {
    looping(label, LoopKind::While(condition), body.into())
}

/// `'label: for i in start..end { .. }`.
pub(in crate::check) fn for_i(
    label: u32,
    start: Expr,
    end: Expr,
    body: impl Into<Vec<Expr>>,
) -> Expr {
    for_by(label, start, end, [], body)
}

/// `for_i` with adapters.
pub(in crate::check) fn for_by(
    label: u32,
    start: Expr,
    end: Expr,
    adapters: impl Into<Vec<Adapter>>,
    body: impl Into<Vec<Expr>>,
) -> Expr {
    let range = ForRange {
        local: I,
        start,
        end,
        inclusive: false,
        adapters: adapters.into(),
    };
    looping(label, LoopKind::For(range), body.into())
}

/// `'label: { .. }`.
pub(in crate::check) fn labelled(label: u32, body: impl Into<Vec<Expr>>) -> Expr {
    let block = block(body);
    expr(
        ExprKind::LabelledBlock(LabelId(label), Box::new(block)),
        Type::Unit,
    )
}

/// `break 'label`.
pub(in crate::check) fn break_(label: u32) -> Expr {
    expr(ExprKind::Break(LabelId(label), None), Type::Never)
}

/// `break 'label value`.
pub(in crate::check) fn break_with(label: u32, value: Expr) -> Expr {
    expr(
        ExprKind::Break(LabelId(label), Some(Box::new(value))),
        Type::Never,
    )
}

/// `continue 'label`.
pub(in crate::check) fn continue_(label: u32) -> Expr {
    expr(ExprKind::Continue(LabelId(label)), Type::Never)
}

/// `return`.
pub(in crate::check) fn return_() -> Expr {
    expr(ExprKind::Return(None), Type::Never)
}

/// `return value`.
pub(in crate::check) fn return_with(value: Expr) -> Expr {
    expr(ExprKind::Return(Some(Box::new(value))), Type::Never)
}

/// `t_idx.barrier.wait()`.
pub(in crate::check) fn wait() -> Expr {
    barrier(MemoryFence::All)
}

/// A barrier of this flavour.
pub(in crate::check) fn barrier(fence: MemoryFence) -> Expr {
    expr(ExprKind::Barrier(fence), Type::Unit)
}

/// `all_memory_fence(&t_idx.barrier)`.
pub(in crate::check) fn fence() -> Expr {
    expr(ExprKind::Fence(MemoryFence::All), Type::Unit)
}

/// `helper(t_idx, a, c, argument)`.
pub(in crate::check) fn call(helper: u32, argument: Expr) -> Expr {
    let arguments = vec![
        t_idx(),
        expr(ExprKind::View(A), view(false)),
        expr(ExprKind::View(C), view(true)),
        argument,
    ];
    expr(ExprKind::Call(FunctionId(helper), arguments), Type::Unit)
}

/// `helper(t_idx, view, c, 0)`: another view for the one that the helper only reads.
pub(in crate::check) fn call_reading(helper: u32, view: LocalId) -> Expr {
    let mut call = call(helper, lit(0));
    if let ExprKind::Call(_, arguments) = &mut call.kind {
        arguments[A.0 as usize].kind = ExprKind::View(view);
    }
    call
}

/// The same, with a result of type `usize`.
pub(in crate::check) fn call_value(helper: u32, argument: Expr) -> Expr {
    Expr {
        ty: Type::USIZE,
        ..call(helper, argument)
    }
}

/// An expression of type `usize` from a loop or labelled block.
pub(in crate::check) fn as_value(value: Expr) -> Expr {
    Expr {
        ty: Type::USIZE,
        ..value
    }
}

/// `atomic(&mut place, operand)`.
pub(in crate::check) fn atomic(op: AtomicOp, place: Place, operands: impl Into<Vec<Expr>>) -> Expr {
    let ty = match op {
        AtomicOp::Store => Type::Unit,
        _ => place.ty.clone(),
    };
    let operands = operands.into();
    let atomic = Atomic {
        op,
        place,
        operands,
    };
    expr(ExprKind::Atomic(Box::new(atomic)), ty)
}

/// `subgroup::op(operands)`, of type `usize`.
pub(in crate::check) fn subgroup(op: SubgroupOp, operands: impl Into<Vec<Expr>>) -> Expr {
    expr(ExprKind::Subgroup(op, operands.into()), Type::USIZE)
}
