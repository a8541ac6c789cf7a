//! What is known about an index without running the kernel.
//!
//! An index needs no check if it is below the length on every path: a literal, a
//! component of `t_idx.local`, the variable of a range that ends at the length, or a
//! variable that only ever holds one of these. [`Bounds::prove`] says whether it is
//! certain. Nothing is guessed: a variable that is assigned anywhere after its `let` has
//! no bound.

use crate::tree::{
    BinaryOp, Domain, Expr, ExprKind, Function, Len, LocalId, LoopKind, Module, Place, Projection,
    Root, Scalar, TiledField, Type,
    visit::{self, Node},
};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Where a variable's one value comes from.
#[derive(Clone, Copy)]
enum Origin<'m> {
    /// `let x = e;`
    Value(&'m Expr),
    /// `for x in ..end`, or `..=end`.
    Range { end: &'m Expr, inclusive: bool },
    /// The index of a tiled kernel.
    TiledIndex,
}

/// The variables of one function that are set once.
#[derive(Default)]
pub(super) struct Bounds<'m> {
    tile: &'m [Len],
    origins: HashMap<LocalId, Origin<'m>>,
}

/// Whether every index below `bound` is within an array of length `len`.
fn fits(bound: Len, len: Len) -> bool {
    match (bound, len) {
        (Len::Literal(bound), Len::Literal(len)) => bound <= len,
        (Len::Const(bound), Len::Const(len)) => bound == len,
        _ => false,
    }
}

/// The value of an index that is a literal.
fn position(index: &Expr) -> Option<usize> {
    match index.kind {
        ExprKind::Literal(literal) => literal.count()?.try_into().ok(),
        _ => None,
    }
}

impl<'m> Bounds<'m> {
    /// Facts about a function of a module.
    pub fn of(module: &'m Module, function: &'m Function, is_kernel: bool) -> Self {
        let mut bounds = Bounds::default();
        let mut changed = HashSet::default();
        let mut introduce = |bounds: &mut Bounds<'m>, local, origin| {
            if bounds.origins.insert(local, origin).is_some() {
                changed.insert(local);
            }
        };
        if is_kernel
            && let Domain::Tiled { tile } = &module.domain
            && !function.locals.is_empty()
        {
            bounds.tile = tile;
            introduce(&mut bounds, LocalId(0), Origin::TiledIndex);
        }
        let mut assigned = HashSet::default();
        visit::block(&function.body, &mut |node| match node {
            Node::Let(local, Some(value)) => introduce(&mut bounds, local, Origin::Value(value)),
            Node::Let(local, None) => {
                assigned.insert(local);
            }
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                    if let Root::Local(local) = &place.root {
                        assigned.insert(*local);
                    }
                }
                ExprKind::Loop(body) => {
                    if let LoopKind::For(range) = &body.kind {
                        let (end, inclusive) = (&range.end, range.inclusive);
                        let origin = Origin::Range { end, inclusive };
                        introduce(&mut bounds, range.local, origin);
                    }
                }
                _ => {}
            },
            Node::Done(_) => {}
        });
        for local in assigned.iter().chain(&changed) {
            bounds.origins.remove(local);
        }
        bounds
    }

    /// Whether an index is certain to be within an array of length `len`.
    pub fn prove(&self, index: &'m Expr, len: Len) -> bool {
        self.below(index).is_some_and(|bound| fits(bound, len))
    }

    /// A bound that the value of an unsigned expression stays below.
    fn below(&self, expr: &'m Expr) -> Option<Len> {
        match &expr.kind {
            ExprKind::Literal(literal) => u32::try_from(literal.count()?)
                .ok()?
                .checked_add(1)
                .map(Len::Literal),
            ExprKind::Load(place) => self.place_below(place),
            // One to fewer bits makes no value greater.
            ExprKind::Cast(inner)
                if matches!(
                    inner.ty.scalar(),
                    Some(Scalar::U32 | Scalar::Usize | Scalar::U64)
                ) =>
            {
                self.below(inner)
            }
            ExprKind::Block(block) if block.statements.is_empty() => {
                self.below(block.value.as_deref()?)
            }
            ExprKind::Field(..) => self.below(self.component(expr, &[])?),
            // `x % n` is below `n`, and a fault (n == 0) gives zero, which an array
            // of length zero cannot be indexed with anyway: it cannot be declared.
            ExprKind::Binary(BinaryOp::Rem, _, divisor) if expr.ty != Type::I32 => {
                self.exact(divisor)
            }
            // Only masks that are literals, so that each operand is looked into once.
            ExprKind::Binary(BinaryOp::BitAnd, left, right) if expr.ty != Type::I32 => {
                match self.exact(right).or_else(|| self.exact(left))? {
                    Len::Literal(mask) => mask.checked_add(1).map(Len::Literal),
                    Len::Const(_) => None,
                }
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Shr, left, _) if expr.ty != Type::I32 => {
                self.below(left)
            }
            _ => None,
        }
    }

    /// The value of an expression, if it is a literal or a constant.
    fn exact(&self, expr: &'m Expr) -> Option<Len> {
        match &expr.kind {
            ExprKind::Literal(literal) => literal.count()?.try_into().ok().map(Len::Literal),
            ExprKind::Const(id) => Some(Len::Const(*id)),
            ExprKind::Load(place) => {
                let Root::Local(local) = place.root else {
                    return None;
                };
                match self.origins.get(&local)? {
                    Origin::Value(value) => self.exact(self.component(value, &place.projections)?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn place_below(&self, place: &'m Place) -> Option<Len> {
        let Root::Local(local) = place.root else {
            return None;
        };
        match *self.origins.get(&local)? {
            Origin::Value(value) => self.projected_below(value, &place.projections),
            Origin::Range { end, inclusive } if place.projections.is_empty() => {
                if matches!(end.ty, Type::I32) {
                    return None;
                }
                match self.exact(end)? {
                    Len::Literal(end) if inclusive => end.checked_add(1).map(Len::Literal),
                    Len::Const(_) if inclusive => None,
                    end => Some(end),
                }
            }
            Origin::Range { .. } => None,
            Origin::TiledIndex => self.tiled_below(&place.projections),
        }
    }

    fn tiled_below(&self, projections: &'m [Projection]) -> Option<Len> {
        match projections {
            [Projection::Field(field), Projection::Index(index)]
                if *field == TiledField::Local as u32 =>
            {
                self.tile.get(position(index)?).copied()
            }
            _ => None,
        }
    }

    /// Bound of a part of a value; `let l = t_idx.local; l[0]` goes through here.
    fn projected_below(&self, value: &'m Expr, projections: &'m [Projection]) -> Option<Len> {
        if let Some(part) = self.component(value, projections) {
            return self.below(part);
        }
        if let ExprKind::Load(Place {
            root: Root::Local(local),
            projections: inner,
            ..
        }) = &value.kind
        {
            return match (*self.origins.get(local)?, inner.as_slice(), projections) {
                (Origin::TiledIndex, [Projection::Field(field)], [Projection::Index(index)])
                    if *field == TiledField::Local as u32 =>
                {
                    self.tile.get(position(index)?).copied()
                }
                (Origin::Value(value), [], _) => self.projected_below(value, projections),
                _ => None,
            };
        }
        None
    }

    /// The expression that a part of a value was built from.
    fn component(&self, value: &'m Expr, projections: &'m [Projection]) -> Option<&'m Expr> {
        match (&value.kind, projections) {
            (ExprKind::Field(inner, field), _) => match &inner.kind {
                ExprKind::Construct(parts) => {
                    self.component(parts.get(*field as usize)?, projections)
                }
                _ => None,
            },
            (_, []) => Some(value),
            (ExprKind::Construct(parts), [Projection::Field(field), rest @ ..]) => {
                self.component(parts.get(*field as usize)?, rest)
            }
            (ExprKind::Construct(parts), [Projection::Index(index), rest @ ..]) => {
                self.component(parts.get(position(index)?)?, rest)
            }
            _ => None,
        }
    }
}
