//! Kernels built by hand, for the tests of the checks.
//!
//! Every kernel and helper here has the same variables, named by the constants below; a
//! kernel is `fn k(t_idx: TiledIndex<2, 4, 4>, a: &ArrayView<usize, 1>, c: &mut
//! ArrayViewMut<usize, 1>, n: usize)`, with `#[tile_static] let mut s: [usize; 16]`. Each
//! node has a span of its own, so that a test can ask where a label stands.

mod flow;

use std::cell::Cell;

pub(super) use self::flow::*;
use crate::tree::*;

/// `t_idx`; in a helper its parameter `t_idx: TiledIndex<2, 4, 4>`.
pub(super) const T: LocalId = LocalId(0);
/// `a`, a read-only view.
pub(super) const A: LocalId = LocalId(1);
/// `c`, a view that can be written.
pub(super) const C: LocalId = LocalId(2);
/// `n`, a value parameter.
pub(super) const N: LocalId = LocalId(3);
/// `x`, a variable.
pub(super) const X: LocalId = LocalId(4);
/// `y`, a variable.
pub(super) const Y: LocalId = LocalId(5);
/// `i`, a variable.
pub(super) const I: LocalId = LocalId(6);
/// `pair`, of type `(usize, usize)`.
pub(super) const PAIR: LocalId = LocalId(7);
/// `array`, of type `[usize; 4]`.
pub(super) const ARRAY: LocalId = LocalId(8);
/// `<made>`, a variable of the front end.
pub(super) const MADE: LocalId = LocalId(9);
/// `s`.
pub(super) const S: TileStaticId = TileStaticId(0);

thread_local!(static NEXT: Cell<u32> = const { Cell::new(0) });

fn span() -> Span {
    NEXT.with(|next| Span(next.replace(next.get() + 1)))
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: span(),
    }
}

fn view(mutable: bool) -> Type {
    Type::View(View {
        element: Box::new(Type::USIZE),
        rank: 1,
        mutable,
    })
}

fn locals() -> Vec<Local> {
    let pair = Type::Tuple(vec![Type::USIZE, Type::USIZE]);
    [
        ("t_idx", Type::TiledIndex(2)),
        ("a", view(false)),
        ("c", view(true)),
        ("n", Type::USIZE),
        ("x", Type::USIZE),
        ("y", Type::USIZE),
        ("i", Type::USIZE),
        ("pair", pair),
        ("array", Type::Array(Box::new(Type::USIZE), Len::Literal(4))),
        ("<made>", Type::USIZE),
    ]
    .into_iter()
    .map(|(name, ty)| Local {
        name: name.into(),
        ty,
        span: span(),
    })
    .collect()
}

/// A function with the variables above, the first four of them parameters.
pub(super) fn function(name: &str, body: impl Into<Vec<Expr>>) -> Function {
    let body = block(body);
    Function {
        name: name.into(),
        params: 4,
        locals: locals(),
        result: body.ty.clone(),
        body,
        fast_math: false,
        span: span(),
    }
}

/// A kernel with tiles of 4×4.
pub(super) fn kernel(body: impl Into<Vec<Expr>>) -> Module {
    program([], body)
}

/// A kernel that calls the helpers by their position.
pub(super) fn program(helpers: impl Into<Vec<Function>>, body: impl Into<Vec<Expr>>) -> Module {
    let mut functions = helpers.into();
    functions.push(function("k", body));
    let s = Type::Array(Box::new(Type::USIZE), Len::Literal(16));
    Module {
        index: IndexWidth::Bits32,
        name: "k".into(),
        domain: Domain::Tiled {
            tile: vec![Len::Literal(4), Len::Literal(4)],
        },
        domain_span: span(),
        options: Options::default(),
        structs: Vec::new(),
        consts: vec![Const {
            name: "TS".into(),
            ty: Scalar::Usize,
        }],
        tile_statics: vec![TileStatic {
            name: "s".into(),
            ty: s,
            span: span(),
        }],
        functions,
        files: Vec::new(),
        locations: Vec::new(),
    }
}

/// `{ a; b; value }`: the last expression is the value unless it is `()`.
pub(super) fn block(body: impl Into<Vec<Expr>>) -> Block {
    let mut body = body.into();
    let value = match body.last() {
        Some(last) if last.ty != Type::Unit => body.pop().map(Box::new),
        _ => None,
    };
    let ty = value.as_ref().map_or(Type::Unit, |value| value.ty.clone());
    Block {
        statements: body.into_iter().map(Statement::Expr).collect(),
        value,
        ty,
        span: span(),
    }
}

/// A literal.
pub(super) fn lit(value: u32) -> Expr {
    expr(ExprKind::Literal(Literal::Usize(value)), Type::USIZE)
}

/// The constant `TS`.
pub(super) fn ts() -> Expr {
    expr(ExprKind::Const(ConstId(0)), Type::USIZE)
}

fn place(root: Root, projections: Vec<Projection>, ty: Type) -> Place {
    Place {
        root,
        projections,
        ty,
        span: span(),
    }
}

fn load(place: Place) -> Expr {
    let ty = place.ty.clone();
    Expr {
        span: place.span,
        kind: ExprKind::Load(place),
        ty,
    }
}

/// A variable as a place.
pub(super) fn at(local: LocalId) -> Place {
    place(Root::Local(local), Vec::new(), Type::USIZE)
}

/// Component of `pair` as a place.
pub(super) fn at_pair(component: u32) -> Place {
    place(
        Root::Local(PAIR),
        vec![Projection::Field(component)],
        Type::USIZE,
    )
}

/// `array[index]` as a place.
pub(super) fn at_array(index: Expr) -> Place {
    place(
        Root::Local(ARRAY),
        vec![Projection::Index(Box::new(index))],
        Type::USIZE,
    )
}

/// `s[index]` as a place.
pub(super) fn at_s(index: Expr) -> Place {
    place(
        Root::TileStatic(S),
        vec![Projection::Index(Box::new(index))],
        Type::USIZE,
    )
}

/// `view[index]` as a place.
pub(super) fn at_view(view: LocalId, index: Expr) -> Place {
    let index = Box::new(expr(ExprKind::Construct(vec![index]), Type::Index(1)));
    place(Root::Element { view, index }, Vec::new(), Type::USIZE)
}

/// The value of a place.
pub(super) fn get(place: Place) -> Expr {
    load(place)
}

/// The value of a variable.
pub(super) fn var(local: LocalId) -> Expr {
    load(at(local))
}

/// `t_idx`.
pub(super) fn t_idx() -> Expr {
    load(place(Root::Local(T), Vec::new(), Type::TiledIndex(2)))
}

fn position(field: TiledField, component: u32) -> Expr {
    let projections = vec![
        Projection::Field(field as u32),
        Projection::Index(Box::new(lit(component))),
    ];
    load(place(Root::Local(T), projections, Type::USIZE))
}

/// `t_idx.local[component]`.
pub(super) fn local(component: u32) -> Expr {
    position(TiledField::Local, component)
}

/// `t_idx.global[component]`.
pub(super) fn global(component: u32) -> Expr {
    position(TiledField::Global, component)
}

/// `t_idx.tile[component]`.
pub(super) fn tile(component: u32) -> Expr {
    position(TiledField::Tile, component)
}

/// `t_idx.tile_origin[component]`.
pub(super) fn origin(component: u32) -> Expr {
    position(TiledField::TileOrigin, component)
}

/// `view.extent()[0]`.
pub(super) fn extent(view: LocalId) -> Expr {
    let extent = expr(ExprKind::ViewExtent(view), Type::Extent(1));
    expr(ExprKind::Field(Box::new(extent), 0), Type::USIZE)
}

/// `place = value`.
pub(super) fn set(place: Place, value: Expr) -> Expr {
    expr(
        ExprKind::Assign(Box::new(place), Box::new(value)),
        Type::Unit,
    )
}

/// `place += value`.
pub(super) fn add_to(place: Place, value: Expr) -> Expr {
    expr(
        ExprKind::AssignOp(BinaryOp::Add, Box::new(place), Box::new(value)),
        Type::Unit,
    )
}

/// `left == right`.
pub(super) fn eq(left: Expr, right: Expr) -> Expr {
    expr(
        ExprKind::Binary(BinaryOp::Eq, Box::new(left), Box::new(right)),
        Type::BOOL,
    )
}

/// `left > right`.
pub(super) fn gt(left: Expr, right: Expr) -> Expr {
    expr(
        ExprKind::Binary(BinaryOp::Gt, Box::new(left), Box::new(right)),
        Type::BOOL,
    )
}

/// `left % right`.
pub(super) fn rem(left: Expr, right: Expr) -> Expr {
    expr(
        ExprKind::Binary(BinaryOp::Rem, Box::new(left), Box::new(right)),
        Type::USIZE,
    )
}

/// `left + right`.
pub(super) fn add(left: Expr, right: Expr) -> Expr {
    expr(
        ExprKind::Binary(BinaryOp::Add, Box::new(left), Box::new(right)),
        Type::USIZE,
    )
}

/// `left * right`.
pub(super) fn mul(left: Expr, right: Expr) -> Expr {
    expr(
        ExprKind::Binary(BinaryOp::Mul, Box::new(left), Box::new(right)),
        Type::USIZE,
    )
}

/// `place |= value`.
pub(super) fn or_to(place: Place, value: Expr) -> Expr {
    expr(
        ExprKind::AssignOp(BinaryOp::BitOr, Box::new(place), Box::new(value)),
        Type::Unit,
    )
}

/// `left && right`.
pub(super) fn and(left: Expr, right: Expr) -> Expr {
    expr(
        ExprKind::Lazy(LazyOp::And, Box::new(left), Box::new(right)),
        Type::BOOL,
    )
}

/// `(left, right)`.
pub(super) fn pair(left: Expr, right: Expr) -> Expr {
    let ty = Type::Tuple(vec![left.ty.clone(), right.ty.clone()]);
    expr(ExprKind::Construct(vec![left, right]), ty)
}
