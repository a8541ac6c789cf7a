//! tile_static variables that are zero when the kernel starts.
//!
//! A device leaves in them what the tile before, or another kernel, has left. Those of which
//! something may be read that no thread has written ([`unwritten`]) are cleared first, by all
//! threads together, each its part of the array:
//!
//! ```text
//! let i = t_idx.local[0]; while i < LENGTH { s[i] = 0; i += EXTENT; } t_idx.barrier.wait();
//! ```

use std::borrow::Cow;

use crate::check::unwritten;
use crate::tree::{
    BinaryOp, Block, Domain, Expr, ExprKind, LabelId, Len, Literal, Local, LocalId, Loop, LoopKind,
    MemoryFence, Module, Place, Projection, Root, Scalar, Span, Statement, TiledField, Type,
};

/// The module, with a kernel that clears what may be read before it is written.
pub fn cleared(module: &Module) -> Cow<'_, Module> {
    let Domain::Tiled { tile } = &module.domain else {
        return Cow::Borrowed(module);
    };
    let variables = unwritten(module);
    if variables.is_empty() {
        return Cow::Borrowed(module);
    }
    let mut cleared = module.clone();
    let Some(kernel) = cleared.functions.last_mut() else {
        return Cow::Borrowed(module);
    };
    let mut clearing = Clearing {
        module,
        tile,
        locals: &mut kernel.locals,
        span: kernel.span,
    };
    let mut statements = Vec::new();
    for id in variables {
        let variable = &module.tile_statics[id.0 as usize];
        clearing.span = variable.span;
        statements.push(clearing.variable(Place {
            root: Root::TileStatic(id),
            projections: Vec::new(),
            ty: variable.ty.clone(),
            span: variable.span,
        }));
    }
    let barrier = ExprKind::Barrier(MemoryFence::TileStatic);
    statements.push(clearing.statement(barrier));
    kernel.body.statements.splice(..0, statements);
    Cow::Owned(cleared)
}

/// What one thread clears of a dimension: every so many elements from one on.
type Share = (Expr, Expr);

struct Clearing<'m, 'l> {
    module: &'m Module,
    tile: &'m [Len],
    /// Of the kernel.
    locals: &'l mut Vec<Local>,
    /// The variable that is cleared.
    span: Span,
}

impl Clearing<'_, '_> {
    fn variable(&mut self, place: Place) -> Statement {
        let mut dimensions = 0;
        let mut ty = &place.ty;
        while let Type::Array(element, _) = ty {
            dimensions += 1;
            ty = element;
        }
        let rank = self.tile.len();
        if dimensions == 0 {
            let (thread, _) = self.share(0, rank);
            let first = self.compare(BinaryOp::Eq, thread, self.literal(0));
            let then = self.part(place, &[]);
            return self.statement(ExprKind::If(
                Box::new(first),
                Box::new(self.block(vec![then])),
                Box::new(self.block(Vec::new())),
            ));
        }
        // The last dimensions of the array are shared by those of the tile.
        let together = (rank + 1).saturating_sub(dimensions).max(1);
        let mut shares = vec![(self.literal(0), self.literal(1)); dimensions.saturating_sub(rank)];
        shares.push(self.share(0, together));
        shares.extend((together..rank).map(|dimension| self.share(dimension, dimension + 1)));
        self.part(place, &shares)
    }

    fn part(&mut self, place: Place, shares: &[Share]) -> Statement {
        let parts: Vec<Type> = match &place.ty {
            Type::Array(element, len) => {
                let (element, len) = ((**element).clone(), *len);
                return self.elements(place, element, len, shares);
            }
            Type::Struct(id) => {
                let fields = &self.module.structs[id.0 as usize].fields;
                fields.iter().map(|field| field.ty.clone()).collect()
            }
            Type::Tuple(parts) => parts.clone(),
            ty => {
                let zero = self.expr(ExprKind::Zero, ty.clone());
                return self.statement(ExprKind::Assign(Box::new(place), Box::new(zero)));
            }
        };
        let parts = (0..).zip(parts).map(|(number, ty)| {
            let part = step(&place, Projection::Field(number), ty);
            self.part(part, &[])
        });
        let statements = parts.collect();
        self.statement(ExprKind::Block(Box::new(self.block(statements))))
    }

    /// The elements of a dimension that are this thread's share.
    fn elements(&mut self, place: Place, element: Type, len: Len, shares: &[Share]) -> Statement {
        let own = shares.split_first();
        let (share, inner) = match own {
            Some((share, inner)) => (share.clone(), inner),
            None => ((self.literal(0), self.literal(1)), shares),
        };
        let ty = self.module.index.ty();
        let local = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: "<clear>".into(),
            ty: ty.clone(),
            span: self.span,
        });
        let at = Place {
            root: Root::Local(local),
            projections: Vec::new(),
            ty: ty.clone(),
            span: self.span,
        };
        let position = self.expr(ExprKind::Load(at.clone()), ty.clone());
        let go_on = self.compare(BinaryOp::Lt, position.clone(), self.len(len));
        let index = Projection::Index(Box::new(position));
        let clear = self.part(step(&place, index, element), inner);
        let next = ExprKind::AssignOp(BinaryOp::Add, Box::new(at), Box::new(share.1));
        let body = self.block(vec![clear, self.statement(next)]);
        let round = ExprKind::Loop(Box::new(Loop {
            // Nothing jumps: it need only differ from those of the kernel.
            label: LabelId(u32::MAX - local.0),
            kind: LoopKind::While(go_on),
            unroll: false,
            body,
        }));
        let start = Statement::Let {
            local,
            value: Some(share.0),
        };
        let all = self.block(vec![start, self.statement(round)]);
        self.statement(ExprKind::Block(Box::new(all)))
    }

    /// A thread's number in some dimensions of the tile, and how many there are.
    fn share(&self, first: usize, end: usize) -> Share {
        let mut number = self.position(first);
        let mut count = self.len(self.tile[first]);
        for dimension in first + 1..end {
            let extent = self.len(self.tile[dimension]);
            number = self.combine(BinaryOp::Mul, number, extent.clone());
            number = self.combine(BinaryOp::Add, number, self.position(dimension));
            count = self.combine(BinaryOp::Mul, count, extent);
        }
        (number, count)
    }

    /// `t_idx.local[dimension]`
    fn position(&self, dimension: usize) -> Expr {
        let rank = self.tile.len() as u32;
        let index = Place {
            root: Root::Local(LocalId(0)),
            projections: Vec::new(),
            ty: Type::TiledIndex(rank),
            span: self.span,
        };
        let local = Projection::Field(TiledField::Local as u32);
        let local = step(&index, local, Type::Index(rank));
        let at = Projection::Index(Box::new(self.literal(dimension as u32)));
        let ty = self.module.index.ty().clone();
        let position = step(&local, at, ty.clone());
        self.expr(ExprKind::Load(position), ty)
    }

    fn len(&self, len: Len) -> Expr {
        match len {
            Len::Literal(length) => self.literal(length),
            Len::Const(id) => self.expr(ExprKind::Const(id), self.module.index.ty().clone()),
        }
    }

    fn literal(&self, value: u32) -> Expr {
        let scalar: Scalar = self.module.index.scalar();
        let literal = Literal::new(scalar, value.into());
        self.expr(ExprKind::Literal(literal), Type::Scalar(scalar))
    }

    fn combine(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let ty = left.ty.clone();
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
    }

    fn compare(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        self.expr(kind, Type::BOOL)
    }

    fn expr(&self, kind: ExprKind, ty: Type) -> Expr {
        let span = self.span;
        Expr { kind, ty, span }
    }

    fn statement(&self, kind: ExprKind) -> Statement {
        Statement::Expr(self.expr(kind, Type::Unit))
    }

    fn block(&self, statements: Vec<Statement>) -> Block {
        Block {
            statements,
            value: None,
            ty: Type::Unit,
            span: self.span,
        }
    }
}

/// A part of a place.
fn step(place: &Place, projection: Projection, ty: Type) -> Place {
    let mut part = place.clone();
    part.projections.push(projection);
    part.ty = ty;
    part
}
