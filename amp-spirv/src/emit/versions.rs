//! Loops in two versions: without the checks that hold for the whole range, and with.
//!
//! A check inside a loop costs more than its comparison: the branch keeps the driver
//! from unrolling the loop and from having several loads under way. So before an
//! innermost `for` its accesses are tried at the end of the range:
//!
//! ```text
//! if every index at its greatest is in bounds { loop without these checks } else { loop }
//! ```
//!
//! This works for indices that only grow with the loop's variable and are otherwise made
//! of what the loop does not change. If the test fails nothing has happened yet, and
//! the version with checks faults where it has to. With checks switched off the test is a
//! constant.
//!
//! Left out: loops around other loops, whose accesses matter less, and loops with
//! barriers, since the threads of a tile may take different versions.

use std::collections::HashSet;

use rspirv::spirv::{Op, Word};

use super::Emitter;
use super::function::Flow;
use super::types::UNIT;
use super::visit::{self, Node};
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForRange, Len, LocalId, Place, Projection, Root, Scalar, Type,
};

/// Bodies with more expressions than this are not worth twice their code.
const MAX_NODES: usize = 400;

/// The accesses of a loop that can be tried before it.
struct Candidates<'m> {
    elements: Vec<(LocalId, &'m Expr)>,
    arrays: Vec<(Len, &'m Expr)>,
}

/// What an index depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Growth {
    /// The loop does not change it.
    Constant,
    /// It never shrinks while the loop's variable grows, unless it overflows.
    Growing,
}

/// What a loop changes.
struct Round<'m> {
    variable: LocalId,
    assigned: HashSet<LocalId>,
    /// The greatest value of the variable.
    last: Word,
    body: &'m Block,
}

/// The key of an index: its address, which does not change while a module is emitted.
fn key(index: &Expr) -> usize {
    std::ptr::from_ref(index).addr()
}

impl<'m> Emitter<'m> {
    /// Whether the check of an index is known to hold where we are.
    pub fn is_proven(&self, index: &Expr) -> bool {
        self.body.proven.contains(&key(index))
    }

    /// Emits the loop that `emit` makes over `start..end`, in two versions if that helps.
    pub fn in_versions(
        &mut self,
        range: &ForRange,
        end: Word,
        body: &'m Block,
        emit: impl Fn(&mut Self) -> Flow<Word>,
    ) -> Flow<Word> {
        let unsigned = matches!(range.start.ty.scalar(), Some(Scalar::U32 | Scalar::Usize));
        let Some(assigned) = unsigned.then(|| self.assigned(range, body)).flatten() else {
            return emit(self);
        };
        let one = self.b.u32(1);
        let round = Round {
            variable: range.local,
            assigned,
            last: self.b.int(Op::ISub, end, one),
            body,
        };
        let candidates = self.candidates(&round);
        if candidates.elements.is_empty() && candidates.arrays.is_empty() {
            return emit(self);
        }
        let Ok(holds) = self.try_all(&round, &candidates) else {
            return emit(self);
        };

        let (fast, slow, merge) = (self.b.id(), self.b.id(), self.b.id());
        self.b.selection_merge(merge);
        self.b.branch_if(holds, fast, slow);
        self.b.label(fast);
        let proven: Vec<usize> = candidates
            .elements
            .iter()
            .map(|(_, index)| key(index))
            .chain(candidates.arrays.iter().map(|(_, index)| key(index)))
            .collect();
        self.body.proven.extend(&proven);
        let fast_end = emit(self);
        for index in proven {
            self.body.proven.remove(&index);
        }
        if fast_end.is_ok() {
            self.b.branch(merge);
        }
        self.b.label(slow);
        let slow_end = emit(self);
        if slow_end.is_ok() {
            self.b.branch(merge);
        }
        self.b.label(merge);
        if fast_end.is_err() && slow_end.is_err() {
            self.b.unreachable();
        }
        fast_end.or(slow_end).map(|_| UNIT)
    }

    /// The variables that the body sets; nothing if the body does not qualify.
    fn assigned(&self, range: &ForRange, body: &'m Block) -> Option<HashSet<LocalId>> {
        let mut assigned = HashSet::new();
        let mut nodes = 0;
        let mut qualifies = true;
        let calls_may_wait = self.uses.has_barrier;
        visit::block(body, &mut |node| match node {
            Node::Let(local, _) => {
                assigned.insert(local);
            }
            Node::Expr(expr) => {
                nodes += 1;
                match &expr.kind {
                    ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                        if let Root::Local(local) = place.root {
                            assigned.insert(local);
                        }
                    }
                    ExprKind::Loop(_) | ExprKind::Barrier(_) | ExprKind::Fence(_) => {
                        qualifies = false;
                    }
                    ExprKind::Call(..) => qualifies &= !calls_may_wait,
                    _ => {}
                }
            }
            Node::EndOfLoop => {}
        });
        (qualifies && nodes <= MAX_NODES && !assigned.contains(&range.local)).then_some(assigned)
    }

    fn candidates(&self, round: &Round<'m>) -> Candidates<'m> {
        let mut candidates = Candidates {
            elements: Vec::new(),
            arrays: Vec::new(),
        };
        let mut places = Vec::new();
        visit::block(round.body, &mut |node| {
            if let Node::Expr(expr) = node {
                match &expr.kind {
                    ExprKind::Load(place) => places.push(place),
                    ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                        places.push(place);
                    }
                    _ => {}
                }
            }
        });
        for place in places {
            if let Root::Element { view, index } = &place.root {
                let index = &**index;
                let suits = match &index.kind {
                    ExprKind::Construct(parts) => {
                        parts.iter().all(|part| self.growth(round, part).is_some())
                    }
                    _ => self.growth(round, index) == Some(Growth::Constant),
                };
                if suits {
                    candidates.elements.push((*view, index));
                }
            }
            self.array_candidates(round, place, &mut candidates.arrays);
        }
        candidates
    }

    /// Indices of arrays that no fact bounds.
    fn array_candidates(
        &self,
        round: &Round<'m>,
        place: &'m Place,
        found: &mut Vec<(Len, &'m Expr)>,
    ) {
        let mut ty = match &place.root {
            Root::Local(local) => &self.body.locals[local.0 as usize].ty,
            Root::TileStatic(id) => &self.ir.tile_statics[id.0 as usize].ty,
            Root::Element { view, .. } => match &self.body.locals[view.0 as usize].ty {
                Type::View(view) => &*view.element,
                _ => return,
            },
        };
        for projection in &place.projections {
            match (projection, ty) {
                (Projection::Index(index), Type::Array(part, len)) => {
                    let bounded = self
                        .body
                        .bounds
                        .below(index)
                        .is_some_and(|bound| super::bounds::fits(bound, *len));
                    if !bounded && self.growth(round, index).is_some() {
                        found.push((*len, index));
                    }
                    ty = part;
                }
                (Projection::Field(field), Type::Tuple(parts)) => ty = &parts[*field as usize],
                (Projection::Field(field), Type::Struct(id)) => {
                    ty = &self.ir.structs[id.0 as usize].fields[*field as usize].ty;
                }
                _ => return,
            }
        }
    }

    /// How an index behaves in the loop; nothing if that is not known.
    fn growth(&self, round: &Round<'m>, expr: &'m Expr) -> Option<Growth> {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Const(_) => Some(Growth::Constant),
            ExprKind::Load(place) => {
                let Root::Local(local) = place.root else {
                    return None;
                };
                if local == round.variable {
                    return Some(Growth::Growing);
                }
                if round.assigned.contains(&local) {
                    return self.growth(round, self.body.bounds.value(place)?);
                }
                let plain = place.projections.iter().all(|step| match step {
                    Projection::Field(_) => true,
                    Projection::Index(index) => matches!(index.kind, ExprKind::Literal(_)),
                });
                plain.then_some(Growth::Constant)
            }
            ExprKind::Field(value, _) => {
                matches!(value.kind, ExprKind::ViewExtent(_)).then_some(Growth::Constant)
            }
            ExprKind::Cast(value)
                if matches!(value.ty.scalar(), Some(Scalar::U32 | Scalar::Usize)) =>
            {
                self.growth(round, value)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.growth(round, left)?, self.growth(round, right)?);
                match op {
                    BinaryOp::Add | BinaryOp::Mul if left.max(right) == Growth::Growing => {
                        Some(Growth::Growing)
                    }
                    // A division may fault, which only the loop itself may do.
                    BinaryOp::Div | BinaryOp::Rem => None,
                    _ => (left.max(right) == Growth::Constant).then_some(Growth::Constant),
                }
            }
            _ => None,
        }
    }

    /// Whether all candidates are in bounds at the end of the range.
    fn try_all(&mut self, round: &Round<'m>, candidates: &Candidates<'m>) -> Flow<Word> {
        let mut tests = Vec::new();
        for (view, index) in &candidates.elements {
            let extents = self.view(*view).extents;
            if let ExprKind::Construct(parts) = &index.kind {
                for (part, extent) in parts.iter().zip(extents) {
                    let greatest = self.greatest(round, part, &mut tests)?;
                    tests.push(self.b.test(Op::ULessThan, greatest, extent));
                }
            } else {
                let whole = self.greatest(round, index, &mut tests)?;
                let u32_ty = self.b.scalar.u32;
                for (k, extent) in extents.into_iter().enumerate() {
                    let part = self.b.extract(u32_ty, whole, k as u32);
                    tests.push(self.b.test(Op::ULessThan, part, extent));
                }
            }
        }
        for (len, index) in &candidates.arrays {
            let greatest = self.greatest(round, index, &mut tests)?;
            let len = match len {
                Len::Literal(len) => self.b.u32(*len),
                Len::Const(id) => self.constant(*id),
            };
            tests.push(self.b.test(Op::ULessThan, greatest, len));
        }
        let mut holds = tests[0];
        for test in &tests[1..] {
            holds = self.b.test(Op::LogicalAnd, holds, *test);
        }
        let off = self.unchecked();
        Ok(self.b.test(Op::LogicalOr, off, holds))
    }

    /// The value of an index at the end of the range. What has to hold for it to be the
    /// greatest, namely that nothing overflows, is added to `tests`.
    fn greatest(
        &mut self,
        round: &Round<'m>,
        expr: &'m Expr,
        tests: &mut Vec<Word>,
    ) -> Flow<Word> {
        match &expr.kind {
            ExprKind::Cast(value) => self.greatest(round, value, tests),
            ExprKind::Load(place) => match place.root {
                Root::Local(local) if local == round.variable => Ok(round.last),
                // Set in the loop, so not set yet: what it is set to.
                Root::Local(local) if round.assigned.contains(&local) => {
                    match self.body.bounds.value(place) {
                        Some(value) => self.greatest(round, value, tests),
                        None => self.expr(expr),
                    }
                }
                _ => self.expr(expr),
            },
            ExprKind::Binary(op, left, right) => {
                let a = self.greatest(round, left, tests)?;
                let b = self.greatest(round, right, tests)?;
                if self.growth(round, expr) == Some(Growth::Constant) {
                    return Ok(self.binary(*op, &left.ty, a, b, right, expr.span));
                }
                if *op == BinaryOp::Mul {
                    let (low, high) = self.wide_product(a, b);
                    let zero = self.b.u32(0);
                    tests.push(self.b.test(Op::IEqual, high, zero));
                    return Ok(low);
                }
                let sum = self.b.int(Op::IAdd, a, b);
                tests.push(self.b.test(Op::UGreaterThanEqual, sum, a));
                Ok(sum)
            }
            _ => self.expr(expr),
        }
    }

    /// The low and the high half of a product.
    fn wide_product(&mut self, a: Word, b: Word) -> (Word, Word) {
        let halves = self.ty(&Type::Tuple(vec![Type::U32, Type::U32]));
        let u32_ty = self.b.scalar.u32;
        let product = self.b.op(Op::UMulExtended, halves, &[a, b]);
        (
            self.b.extract(u32_ty, product, 0),
            self.b.extract(u32_ty, product, 1),
        )
    }
}
