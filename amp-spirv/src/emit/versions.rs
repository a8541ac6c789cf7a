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
//! An index can be tried if it is a sum of products of the loop's variable and of what
//! the loop leaves alone: then it only grows, unless it overflows, which is part of the
//! test. The test itself cannot fault. If it fails nothing has happened yet, and the
//! version with checks faults where it has to. With checks switched off the test is a
//! constant.
//!
//! Left out: loops around other loops, whose accesses matter less, and loops with
//! barriers or operations of subgroups, since the threads of a tile may take different
//! versions.

use std::collections::HashSet;

use spirv::{Op, Word};

use super::Emitter;
use super::function::Flow;
use super::place::indexed;
use super::types::UNIT;
use crate::ir::{
    BinaryOp, Block, Expr, ExprKind, ForRange, Len, LocalId, Place, Root, Scalar, Type,
    visit::{self, Node},
};

/// Bodies with more expressions than this are not worth twice their code.
const MAX_NODES: usize = 400;

/// Indices of more parts than this are not tried. An index may be short to write and
/// have many: each `let b = a + a` in the loop doubles them.
const MAX_PARTS: usize = 16;

/// What a loop changes.
struct Round {
    variable: LocalId,
    /// What its body sets.
    assigned: HashSet<LocalId>,
}

/// An index that can be tried before its loop.
struct Candidate<'m> {
    index: &'m Expr,
    /// Greatest values that have to be below their limits.
    parts: Vec<(Greatest<'m>, Limit)>,
}

/// What an index stays below.
#[derive(Clone, Copy)]
enum Limit {
    /// A view's extent in a dimension.
    Extent(LocalId, usize),
    Len(Len),
}

/// The greatest value of an unsigned expression in a loop, as it can be computed before
/// the loop.
enum Greatest<'m> {
    /// The last value of the loop's variable.
    Last,
    /// A number of fewer or more bits, between unsigned integers.
    Cast(Box<Greatest<'m>>, Scalar, Scalar),
    /// A value that the loop leaves alone.
    Value(&'m Expr),
    /// A component of an `Index` that the loop leaves alone.
    Component(&'m Expr, u32),
    Sum(Box<[Greatest<'m>; 2]>, Scalar),
    Product(Box<[Greatest<'m>; 2]>, Scalar),
}

/// The key of an index: its address, which does not change while a module is emitted.
fn key(index: &Expr) -> usize {
    std::ptr::from_ref(index).addr()
}

impl<'m> Emitter<'m> {
    /// The type of numbers that indices are computed from.
    fn counted(&self, ty: &Type) -> Option<Scalar> {
        let index = self.ir.index.scalar();
        let is_counted = |scalar: &Scalar| *scalar == index || *scalar == Scalar::U32;
        ty.scalar().filter(is_counted)
    }

    /// Whether the check of an index is known to hold where we are.
    pub fn is_proven(&self, index: &Expr) -> bool {
        self.body.proven.contains(&key(index))
    }

    /// Emits the loop that `emit` makes over `..end`, in two versions if that helps.
    pub fn in_versions(
        &mut self,
        range: &ForRange,
        end: Word,
        body: &'m Block,
        emit: impl Fn(&mut Self) -> Flow<Word>,
    ) -> Flow<Word> {
        let candidates = self.candidates(range, body);
        if candidates.is_empty() {
            return emit(self);
        }
        let holds = self.try_all(&candidates, range, end)?;
        let proven = candidates.iter().map(|it| key(it.index)).collect();

        let (fast, slow, merge) = (self.b.id(), self.b.id(), self.b.id());
        self.b.selection_merge(merge);
        self.b.branch_if(holds, fast, slow);
        let mut edges = Vec::new();
        for (label, proven) in [(fast, proven), (slow, HashSet::new())] {
            self.b.label(label);
            self.body.proven = proven;
            if emit(self).is_ok() {
                edges.push((UNIT, self.b.block));
                self.b.branch(merge);
            }
        }
        self.b.label(merge);
        self.join(&edges, &Type::Unit)
    }

    /// The indices in a loop that can be tried before it; none if the loop does not
    /// qualify.
    fn candidates(&self, range: &ForRange, body: &'m Block) -> Vec<Candidate<'m>> {
        let mut assigned = HashSet::new();
        let mut places = Vec::new();
        let mut nodes = 0;
        let mut qualifies = self.counted(&range.start.ty).is_some();
        visit::block(body, &mut |node| match node {
            Node::Let(local, _) => {
                assigned.insert(local);
            }
            Node::Expr(expr) => {
                nodes += 1;
                match &expr.kind {
                    ExprKind::Load(place) => places.push(place),
                    ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                        if let Root::Local(local) = place.root {
                            assigned.insert(local);
                        }
                        places.push(place);
                    }
                    ExprKind::Atomic(atomic) => places.push(&atomic.place),
                    ExprKind::Loop(_)
                    | ExprKind::Barrier(_)
                    | ExprKind::Fence(_)
                    | ExprKind::Subgroup(..)
                    | ExprKind::DeviceFence => {
                        qualifies = false;
                    }
                    // It may wait.
                    ExprKind::Call(..) => qualifies &= !self.uses.has_barrier,
                    _ => {}
                }
            }
            Node::Done(_) => {}
        });
        if !qualifies || nodes > MAX_NODES || assigned.contains(&range.local) {
            return Vec::new();
        }
        let round = Round {
            variable: range.local,
            assigned,
        };
        let mut candidates = Vec::new();
        for place in places {
            candidates.extend(self.element_candidate(&round, place));
            self.array_candidates(&round, place, &mut candidates);
        }
        candidates
    }

    fn element_candidate(&self, round: &Round, place: &'m Place) -> Option<Candidate<'m>> {
        let Root::Element { view, index } = &place.root else {
            return None;
        };
        if round.assigned.contains(view) {
            return None;
        }
        let parts: Option<Vec<Greatest<'m>>> = match &index.kind {
            ExprKind::Construct(parts) => parts
                .iter()
                .map(|part| self.greatest(round, part))
                .collect(),
            _ => self.is_left_alone(round, index).then(|| {
                let rank = self.view(*view).extents.len() as u32;
                (0..rank).map(|k| Greatest::Component(index, k)).collect()
            }),
        };
        let limits = (0..).map(|dimension| Limit::Extent(*view, dimension));
        Some(Candidate {
            index,
            parts: parts?.into_iter().zip(limits).collect(),
        })
    }

    /// Indices of arrays that no fact bounds.
    fn array_candidates(&self, round: &Round, place: &'m Place, found: &mut Vec<Candidate<'m>>) {
        for (index, len) in indexed(self.ir, self.body.locals, place) {
            if !self.body.bounds.prove(index, len)
                && let Some(greatest) = self.greatest(round, index)
            {
                let parts = vec![(greatest, Limit::Len(len))];
                found.push(Candidate { index, parts });
            }
        }
    }

    /// The greatest value of an unsigned expression; nothing if that is not known.
    fn greatest(&self, round: &Round, expr: &'m Expr) -> Option<Greatest<'m>> {
        let mut budget = MAX_PARTS;
        self.greatest_within(round, expr, &mut budget)
    }

    fn greatest_within(
        &self,
        round: &Round,
        expr: &'m Expr,
        budget: &mut usize,
    ) -> Option<Greatest<'m>> {
        *budget = budget.checked_sub(1)?;
        if self.is_left_alone(round, expr) {
            return Some(Greatest::Value(expr));
        }
        match &expr.kind {
            ExprKind::Load(place) => match place.root {
                Root::Local(local) if local == round.variable => Some(Greatest::Last),
                // What the loop sets only once, with `let`.
                _ => self.greatest_within(round, self.body.bounds.value(place)?, budget),
            },
            ExprKind::Cast(value) => {
                let (from, to) = (self.counted(&value.ty)?, self.counted(&expr.ty)?);
                let value = Box::new(self.greatest_within(round, value, budget)?);
                Some(Greatest::Cast(value, from, to))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Mul), left, right) => {
                let ty = self.counted(&expr.ty)?;
                let parts = Box::new([
                    self.greatest_within(round, left, budget)?,
                    self.greatest_within(round, right, budget)?,
                ]);
                Some(match op {
                    BinaryOp::Add => Greatest::Sum(parts, ty),
                    _ => Greatest::Product(parts, ty),
                })
            }
            _ => None,
        }
    }

    /// Whether an expression has the same value everywhere in the loop and before it, and
    /// nothing can go wrong when it is computed there.
    fn is_left_alone(&self, round: &Round, expr: &'m Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Const(_) => true,
            ExprKind::Load(place) => match place.root {
                Root::Local(local) => {
                    let changes = local == round.variable || round.assigned.contains(&local);
                    let mut indices = indexed(self.ir, self.body.locals, place).into_iter();
                    !changes
                        && indices.all(|(index, len)| {
                            matches!(index.kind, ExprKind::Literal(_))
                                && self.body.bounds.prove(index, len)
                        })
                }
                _ => false,
            },
            ExprKind::Field(value, _) => match &value.kind {
                ExprKind::ViewExtent(view) => !round.assigned.contains(view),
                _ => false,
            },
            ExprKind::Cast(value) | ExprKind::Unary(_, value) => self.is_left_alone(round, value),
            ExprKind::Binary(op, left, right) => {
                !matches!(op, BinaryOp::Div | BinaryOp::Rem)
                    && self.is_left_alone(round, left)
                    && self.is_left_alone(round, right)
            }
            _ => false,
        }
    }

    /// Whether all candidates are in bounds while the loop's variable is below `end`.
    fn try_all(&mut self, candidates: &[Candidate<'m>], range: &ForRange, end: Word) -> Flow<Word> {
        let scalar = self.counted(&range.start.ty).unwrap_or(Scalar::U32);
        let (ty, one) = (self.scalar_ty(scalar), self.number(scalar, 1));
        // If the range is empty either version is right.
        let last = self.b.op(Op::ISub, ty, &[end, one]);
        let mut tests = Vec::new();
        for (greatest, limit) in candidates.iter().flat_map(|it| &it.parts) {
            let greatest = self.compute(greatest, last, &mut tests)?;
            let limit = match *limit {
                Limit::Extent(view, dimension) => self.view(view).extents[dimension],
                Limit::Len(len) => {
                    let len = self.len(len);
                    self.as_index(len)
                }
            };
            tests.push(self.b.test(Op::ULessThan, greatest, limit));
        }
        let off = self.unchecked();
        let all = tests
            .into_iter()
            .reduce(|all, test| self.b.test(Op::LogicalAnd, all, test));
        Ok(match all {
            Some(all) => self.b.test(Op::LogicalOr, off, all),
            None => off,
        })
    }

    /// Computes a greatest value. What has to hold for it to be one, namely that nothing
    /// overflows, is added to `tests`.
    fn compute(
        &mut self,
        greatest: &Greatest<'m>,
        last: Word,
        tests: &mut Vec<Word>,
    ) -> Flow<Word> {
        match greatest {
            Greatest::Last => Ok(last),
            Greatest::Value(expr) => self.expr(expr),
            Greatest::Component(index, k) => {
                let whole = self.expr(index)?;
                let component = self.index_ty();
                Ok(self.b.extract(component, whole, *k))
            }
            Greatest::Cast(value, from, to) => {
                let value = self.compute(value, last, tests)?;
                if to.bits() < from.bits() {
                    let most = self.number(*from, Scalar::max(*to));
                    tests.push(self.b.test(Op::ULessThanEqual, value, most));
                }
                Ok(self.cast(value, Type::of(*from), Type::of(*to)))
            }
            Greatest::Sum(parts, scalar) => {
                let ty = self.scalar_ty(*scalar);
                let a = self.compute(&parts[0], last, tests)?;
                let b = self.compute(&parts[1], last, tests)?;
                let sum = self.b.op(Op::IAdd, ty, &[a, b]);
                tests.push(self.b.test(Op::UGreaterThanEqual, sum, a));
                Ok(sum)
            }
            Greatest::Product(parts, scalar) => {
                let a = self.compute(&parts[0], last, tests)?;
                let b = self.compute(&parts[1], last, tests)?;
                let (product, fits) = self.exact_product(*scalar, a, b);
                tests.push(fits);
                Ok(product)
            }
        }
    }
}
