//! Shorthands that build IR by hand.

use amp_spirv::ir::*;

/// A variable with its type.
#[derive(Clone)]
pub struct Var {
    pub id: LocalId,
    pub ty: Type,
}

/// A function being built: parameters first, then other variables.
pub struct Fun {
    function: Function,
}

impl Fun {
    pub fn new(name: &str) -> Self {
        Self {
            function: Function {
                name: name.into(),
                params: 0,
                locals: Vec::new(),
                result: Type::Unit,
                body: block(vec![]),
                fast_math: false,
                span: Span(0),
            },
        }
    }

    pub fn param(&mut self, name: &str, ty: Type) -> Var {
        self.function.params += 1;
        self.var(name, ty)
    }

    pub fn var(&mut self, name: &str, ty: Type) -> Var {
        self.function.locals.push(Local {
            name: name.into(),
            ty: ty.clone(),
            span: Span(0),
        });
        Var {
            id: LocalId(self.function.locals.len() as u32 - 1),
            ty,
        }
    }

    pub fn finish(mut self, body: Block) -> Function {
        self.function.result = body.ty.clone();
        self.function.body = body;
        self.function
    }

    pub fn returning(mut self, ty: Type, body: Block) -> Function {
        self.function.result = ty;
        self.function.body = body;
        self.function
    }
}

/// A module of functions, the last of which is the kernel.
pub fn module(domain: Domain, functions: Vec<Function>) -> Module {
    Module {
        index: IndexWidth::Bits32,
        name: functions.last().expect("a kernel").name.clone(),
        domain,
        domain_span: Span(0),
        structs: Vec::new(),
        consts: Vec::new(),
        tile_statics: Vec::new(),
        functions,
        files: vec!["src/kernel.rs".into()],
        locations: (1..100)
            .map(|line| Location {
                file: 0,
                line,
                column: 5,
            })
            .collect(),
    }
}

pub fn constant(name: &str, ty: Scalar) -> Const {
    Const {
        name: name.into(),
        ty,
    }
}

pub fn tile_static(name: &str, ty: Type) -> TileStatic {
    TileStatic {
        name: name.into(),
        ty,
        span: Span(0),
    }
}

pub fn view(element: Type, rank: u32, mutable: bool) -> Type {
    Type::View(View {
        element: Box::new(element),
        rank,
        mutable,
    })
}

pub fn array(element: Type, len: u32) -> Type {
    Type::Array(Box::new(element), Len::Literal(len))
}

pub fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: Span(0),
    }
}

impl Var {
    pub fn place(&self) -> Place {
        Place {
            root: Root::Local(self.id),
            projections: vec![],
            ty: self.ty.clone(),
            span: Span(0),
        }
    }

    pub fn get(&self) -> Expr {
        load(self.place())
    }

    pub fn set(&self, value: Expr) -> Statement {
        assign(self.place(), value)
    }

    pub fn init(&self, value: Expr) -> Statement {
        Statement::Let {
            local: self.id,
            value: Some(value),
        }
    }

    /// Element of a view.
    pub fn at(&self, index: Expr) -> Place {
        let Type::View(view) = &self.ty else {
            panic!("not a view")
        };
        Place {
            root: Root::Element {
                view: self.id,
                index: Box::new(index),
            },
            projections: vec![],
            ty: (*view.element).clone(),
            span: Span(0),
        }
    }
}

pub fn tile_static_place(id: u32, ty: Type) -> Place {
    Place {
        root: Root::TileStatic(TileStaticId(id)),
        projections: vec![],
        ty,
        span: Span(0),
    }
}

/// `place[index]`
pub fn elem(mut place: Place, index: Expr) -> Place {
    place.ty = match &place.ty {
        Type::Array(element, _) => (**element).clone(),
        _ => Type::USIZE,
    };
    place.projections.push(Projection::Index(Box::new(index)));
    place
}

pub fn load(place: Place) -> Expr {
    let ty = place.ty.clone();
    let span = place.span;
    Expr {
        kind: ExprKind::Load(place),
        ty,
        span,
    }
}

pub fn assign(place: Place, value: Expr) -> Statement {
    Statement::Expr(expr(
        ExprKind::Assign(Box::new(place), Box::new(value)),
        Type::Unit,
    ))
}

pub fn assign_op(op: BinaryOp, place: Place, value: Expr) -> Statement {
    Statement::Expr(expr(
        ExprKind::AssignOp(op, Box::new(place), Box::new(value)),
        Type::Unit,
    ))
}

pub fn usize_(value: u32) -> Expr {
    expr(ExprKind::Literal(Literal::Usize(value)), Type::USIZE)
}

pub fn u32_(value: u32) -> Expr {
    expr(ExprKind::Literal(Literal::U32(value)), Type::U32)
}

pub fn i32_(value: i32) -> Expr {
    expr(ExprKind::Literal(Literal::I32(value)), Type::I32)
}

pub fn f32_(value: f32) -> Expr {
    expr(ExprKind::Literal(Literal::F32(value.to_bits())), Type::F32)
}

pub fn bool_(value: bool) -> Expr {
    expr(ExprKind::Literal(Literal::Bool(value)), Type::BOOL)
}

pub fn const_(id: u32, ty: Type) -> Expr {
    expr(ExprKind::Const(ConstId(id)), ty)
}

pub fn index(parts: Vec<Expr>) -> Expr {
    let rank = parts.len() as u32;
    expr(ExprKind::Construct(parts), Type::Index(rank))
}

pub fn bin(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    use BinaryOp::*;
    let ty = match op {
        Eq | Ne | Lt | Le | Gt | Ge => Type::BOOL,
        _ => a.ty.clone(),
    };
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

pub fn un(op: UnaryOp, a: Expr) -> Expr {
    let ty = a.ty.clone();
    expr(ExprKind::Unary(op, Box::new(a)), ty)
}

pub fn cast(a: Expr, ty: Type) -> Expr {
    expr(ExprKind::Cast(Box::new(a)), ty)
}

pub fn math(op: MathOp, ty: Type, operands: Vec<Expr>) -> Expr {
    expr(ExprKind::Math(op, operands), ty)
}

pub fn call(function: u32, ty: Type, args: Vec<Expr>) -> Expr {
    expr(ExprKind::Call(FunctionId(function), args), ty)
}

pub fn view_arg(view: &Var) -> Expr {
    expr(ExprKind::View(view.id), view.ty.clone())
}

pub fn stmt(value: Expr) -> Statement {
    Statement::Expr(value)
}

pub fn block(statements: Vec<Statement>) -> Block {
    let ends = |it: &Statement| matches!(it, Statement::Expr(it) if it.ty == Type::Never);
    Block {
        ty: match statements.iter().any(ends) {
            true => Type::Never,
            false => Type::Unit,
        },
        statements,
        value: None,
        span: Span(0),
    }
}

pub fn valued(statements: Vec<Statement>, value: Expr) -> Block {
    Block {
        statements,
        ty: value.ty.clone(),
        value: Some(Box::new(value)),
        span: Span(0),
    }
}

pub fn if_(condition: Expr, yes: Block, no: Block) -> Expr {
    let ty = if yes.ty == Type::Never {
        no.ty.clone()
    } else {
        yes.ty.clone()
    };
    expr(
        ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)),
        ty,
    )
}

/// `if condition { jump; }`
pub fn jump_if(condition: Expr, jump: Expr) -> Statement {
    stmt(if_(condition, block(vec![stmt(jump)]), block(vec![])))
}

pub fn break_(label: u32) -> Expr {
    expr(ExprKind::Break(LabelId(label), None), Type::Never)
}

pub fn continue_(label: u32) -> Expr {
    expr(ExprKind::Continue(LabelId(label)), Type::Never)
}

pub fn return_(value: Option<Expr>) -> Expr {
    expr(ExprKind::Return(value.map(Box::new)), Type::Never)
}

pub fn labelled(label: u32, body: Block) -> Expr {
    let ty = body.ty.clone();
    expr(ExprKind::LabelledBlock(LabelId(label), Box::new(body)), ty)
}

fn loop_of(label: u32, kind: LoopKind, body: Block, ty: Type) -> Expr {
    expr(
        ExprKind::Loop(Box::new(Loop {
            label: LabelId(label),
            kind,
            body,
        })),
        ty,
    )
}

pub fn loop_(label: u32, ty: Type, body: Vec<Statement>) -> Expr {
    loop_of(label, LoopKind::Infinite, block(body), ty)
}

pub fn while_(label: u32, condition: Expr, body: Vec<Statement>) -> Statement {
    stmt(loop_of(
        label,
        LoopKind::While(condition),
        block(body),
        Type::Unit,
    ))
}

pub fn range(local: &Var, start: Expr, end: Expr) -> ForRange {
    ForRange {
        local: local.id,
        start,
        end,
        inclusive: false,
        adapters: vec![],
    }
}

pub fn for_(label: u32, range: ForRange, body: Vec<Statement>) -> Statement {
    stmt(loop_of(
        label,
        LoopKind::For(range),
        block(body),
        Type::Unit,
    ))
}
