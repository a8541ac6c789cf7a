//! A walk over everything in a function's body, in the order of evaluation as far as
//! the tree shows it. What changes functions takes [`edit`](super::edit()).

use std::collections::BTreeSet;

use super::{
    Adapter, Block, Expr, ExprKind, LocalId, Loop, LoopKind, Message, Place, Projection, Root,
    Statement,
};

/// What a walk meets.
pub(crate) enum Node<'m> {
    /// An expression, before its parts.
    Expr(&'m Expr),
    /// `let`, after its value.
    Let(LocalId, Option<&'m Expr>),
    /// An expression, after its parts.
    Done(&'m Expr),
}

/// Meets every node of a block.
pub(crate) fn block<'m>(block: &'m Block, meet: &mut dyn FnMut(Node<'m>)) {
    statements(&block.statements, meet);
    if let Some(value) = &block.value {
        expr(value, meet);
    }
}

fn statements<'m>(statements: &'m [Statement], meet: &mut dyn FnMut(Node<'m>)) {
    for statement in statements {
        match statement {
            Statement::Let { local, value } => {
                if let Some(value) = value {
                    expr(value, meet);
                }
                meet(Node::Let(*local, value.as_ref()));
            }
            Statement::Expr(value) => expr(value, meet),
        }
    }
}

fn place<'m>(place: &'m Place, meet: &mut dyn FnMut(Node<'m>)) {
    if let Root::Element { index, .. } = &place.root {
        expr(index, meet);
    }
    for projection in &place.projections {
        if let Projection::Index(index) = projection {
            expr(index, meet);
        }
    }
}

/// Whether statements or a value assign one of some locals, wholly or in part.
pub(crate) fn assigns(statements: &[Statement], value: Option<&Expr>, locals: &[LocalId]) -> bool {
    let mut found = false;
    let mut meet = |node: Node<'_>| {
        found |= match node {
            Node::Expr(Expr {
                kind: ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _),
                ..
            }) => matches!(place.root, Root::Local(local) if locals.contains(&local)),
            Node::Let(local, _) => locals.contains(&local),
            Node::Expr(_) | Node::Done(_) => false,
        };
    };
    self::statements(statements, &mut meet);
    if let Some(value) = value {
        expr(value, &mut meet);
    }
    found
}

/// Meets an expression and every node within it.
pub(crate) fn expr<'m>(value: &'m Expr, meet: &mut dyn FnMut(Node<'m>)) {
    meet(Node::Expr(value));
    match &value.kind {
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
        | ExprKind::DeviceFence => {}
        ExprKind::Load(source) => place(source, meet),
        ExprKind::Unary(_, operand)
        | ExprKind::Cast(operand)
        | ExprKind::Repeat(operand)
        | ExprKind::Field(operand, _) => expr(operand, meet),
        ExprKind::Binary(_, left, right) | ExprKind::Lazy(_, left, right) => {
            expr(left, meet);
            expr(right, meet);
        }
        ExprKind::Derive(derivation) => {
            expr(&derivation.of, meet);
            for operand in derivation.operands() {
                expr(operand, meet);
            }
        }
        ExprKind::Math(_, operands)
        | ExprKind::Message(Message { operands, .. })
        | ExprKind::Subgroup(_, operands)
        | ExprKind::Construct(operands)
        | ExprKind::Call(_, operands) => {
            for operand in operands {
                expr(operand, meet);
            }
        }
        ExprKind::Assign(target, operand) | ExprKind::AssignOp(_, target, operand) => {
            expr(operand, meet);
            place(target, meet);
        }
        ExprKind::Atomic(atomic) => {
            place(&atomic.place, meet);
            for operand in &atomic.operands {
                expr(operand, meet);
            }
        }
        ExprKind::If(condition, yes, no) => {
            expr(condition, meet);
            block(yes, meet);
            block(no, meet);
        }
        ExprKind::Block(body) | ExprKind::LabelledBlock(_, body) => block(body, meet),
        ExprKind::Loop(body) => {
            match &body.kind {
                LoopKind::Infinite => {}
                LoopKind::While(condition) => expr(condition, meet),
                LoopKind::For(range) => {
                    expr(&range.start, meet);
                    expr(&range.end, meet);
                    for adapter in &range.adapters {
                        if let Adapter::StepBy(step) = adapter {
                            expr(step, meet);
                        }
                    }
                }
            }
            block(&body.body, meet);
        }
        ExprKind::Break(_, operand) | ExprKind::Return(operand) => {
            if let Some(operand) = operand {
                expr(operand, meet);
            }
        }
    }
    meet(Node::Done(value));
}

/// The variables that the rounds of a loop change.
pub(crate) fn assigned(looping: &Loop) -> BTreeSet<LocalId> {
    let mut assigned = BTreeSet::new();
    let mut note = |node: Node<'_>| match node {
        Node::Let(local, _) => {
            assigned.insert(local);
        }
        Node::Expr(expr) => match &expr.kind {
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                if let Root::Local(local) = place.root {
                    assigned.insert(local);
                }
            }
            ExprKind::Loop(inner) => {
                if let LoopKind::For(range) = &inner.kind {
                    assigned.insert(range.local);
                }
            }
            _ => {}
        },
        Node::Done(_) => {}
    };
    if let LoopKind::While(condition) = &looping.kind {
        expr(condition, &mut note);
    }
    block(&looping.body, &mut note);
    assigned
}

impl Expr {
    /// Whether evaluating it twice may be something else than evaluating it once. Of calls
    /// nothing is known.
    pub fn has_effect(&self) -> bool {
        let mut found = false;
        expr(self, &mut |node| {
            let Node::Expr(part) = node else { return };
            found |= matches!(
                part.kind,
                ExprKind::Call(..)
                    | ExprKind::Assign(..)
                    | ExprKind::AssignOp(..)
                    | ExprKind::Message(_)
                    | ExprKind::Barrier(_)
                    | ExprKind::Fence(_)
                    | ExprKind::DeviceFence
                    | ExprKind::Atomic(_)
                    | ExprKind::Subgroup(..)
            );
        });
        found
    }
}
