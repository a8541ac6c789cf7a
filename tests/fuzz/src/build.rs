//! Shorthands for nodes of the tree. Every node is given the same span; what is written
//! last, [`number`](crate::number), gives each a line of its own.

use amp_spirv::tree::*;

/// The span of a node until it is numbered.
const HERE: Span = Span(0);

pub fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: HERE,
    }
}

pub fn local(id: LocalId, ty: Type) -> Place {
    Place {
        root: Root::Local(id),
        projections: Vec::new(),
        ty,
        span: HERE,
    }
}

pub fn tile_static(id: TileStaticId, ty: Type) -> Place {
    Place {
        root: Root::TileStatic(id),
        projections: Vec::new(),
        ty,
        span: HERE,
    }
}

pub fn element(view: LocalId, index: Vec<Expr>, ty: Type) -> Place {
    let rank = index.len() as u32;
    Place {
        root: Root::Element {
            view,
            index: Box::new(expr(ExprKind::Construct(index), Type::Index(rank))),
        },
        projections: Vec::new(),
        ty,
        span: HERE,
    }
}

pub fn project(mut place: Place, projection: Projection, ty: Type) -> Place {
    place.projections.push(projection);
    place.ty = ty;
    place
}

pub fn load(place: Place) -> Expr {
    let ty = place.ty.clone();
    expr(ExprKind::Load(place), ty)
}

pub fn get(id: LocalId, ty: Type) -> Expr {
    load(local(id, ty))
}

pub fn usize_(value: u32) -> Expr {
    expr(ExprKind::Literal(Literal::Usize(value)), Type::USIZE)
}

pub fn u32_(value: u32) -> Expr {
    expr(ExprKind::Literal(Literal::U32(value)), Type::U32)
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let ty = if op.is_comparison() {
        left.ty.with_scalar(Scalar::Bool)
    } else {
        left.ty.clone()
    };
    expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
}

/// A fault in words.
fn fault(words: &str) -> Statement {
    let message = Message {
        kind: MessageKind::Fault,
        format: words.into(),
        operands: Vec::new(),
    };
    Statement::Expr(expr(ExprKind::Message(message), Type::Unit))
}

/// `assert!(condition, words)`
pub fn assert(condition: Expr, words: &str) -> Expr {
    let (holds, fails) = (
        block(Vec::new(), None, Type::Unit),
        block(vec![fault(words)], None, Type::Unit),
    );
    let choice = ExprKind::If(Box::new(condition), Box::new(holds), Box::new(fails));
    expr(choice, Type::Unit)
}

/// `panic!(words)`
pub fn panic(words: &str) -> Expr {
    let leave = expr(ExprKind::Panic, Type::Never);
    let body = block(vec![fault(words)], Some(leave), Type::Never);
    expr(ExprKind::Block(Box::new(body)), Type::Never)
}

pub fn cast(value: Expr, ty: Type) -> Expr {
    expr(ExprKind::Cast(Box::new(value)), ty)
}

pub fn math(op: MathOp, ty: Type, operands: Vec<Expr>) -> Expr {
    expr(ExprKind::Math(op, operands), ty)
}

pub fn block(statements: Vec<Statement>, value: Option<Expr>, ty: Type) -> Block {
    Block {
        statements,
        value: value.map(Box::new),
        ty,
        span: HERE,
    }
}

pub fn valued(value: Expr) -> Block {
    let ty = value.ty.clone();
    block(Vec::new(), Some(value), ty)
}

pub fn if_(condition: Expr, yes: Block, no: Block, ty: Type) -> Expr {
    expr(
        ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)),
        ty,
    )
}

/// `if condition { statements }`
pub fn when(condition: Expr, statements: Vec<Statement>) -> Statement {
    let empty = block(Vec::new(), None, Type::Unit);
    let ty = if ends(&statements) {
        Type::Never
    } else {
        Type::Unit
    };
    Statement::Expr(if_(
        condition,
        block(statements, None, ty),
        empty,
        Type::Unit,
    ))
}

/// Whether control does not come out of some statements.
fn ends(statements: &[Statement]) -> bool {
    matches!(statements.last(), Some(Statement::Expr(last)) if last.ty == Type::Never)
}

pub fn let_(local: LocalId, value: Expr) -> Statement {
    Statement::Let {
        local,
        value: Some(value),
    }
}

pub fn assign(place: Place, value: Expr) -> Statement {
    let kind = ExprKind::Assign(Box::new(place), Box::new(value));
    Statement::Expr(expr(kind, Type::Unit))
}

pub fn assign_op(op: BinaryOp, place: Place, value: Expr) -> Statement {
    let kind = ExprKind::AssignOp(op, Box::new(place), Box::new(value));
    Statement::Expr(expr(kind, Type::Unit))
}

pub fn break_(label: LabelId, value: Option<Expr>) -> Expr {
    expr(ExprKind::Break(label, value.map(Box::new)), Type::Never)
}

pub fn loop_(label: LabelId, kind: LoopKind, body: Vec<Statement>, ty: Type) -> Expr {
    let body_ty = if ends(&body) { Type::Never } else { Type::Unit };
    let body = block(body, None, body_ty);
    expr(
        ExprKind::Loop(Box::new(Loop {
            label,
            kind,
            unroll: false,
            body,
        })),
        ty,
    )
}
