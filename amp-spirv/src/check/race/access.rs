//! Uses of tile_static memory, and which two of them race.

use std::{collections::BTreeSet, rc::Rc};

use crate::check::symbols::Symbols;
use crate::check::value::{Form, Step};
use crate::tree::{BinaryOp, Span, TileStaticId};

/// One use of tile_static memory by one thread, certain to happen if its assumptions hold.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// Position among the threads that are watched.
    pub(super) thread: usize,
    pub(super) variable: TileStaticId,
    pub(super) path: Vec<Step>,
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// The uniform conditions that were taken to hold, by number.
    pub(super) assumptions: Rc<BTreeSet<u32>>,
    /// The loops around it with the number of the iteration.
    pub(super) rounds: Rc<[(u32, u32)]>,
}

/// What a thread does there.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Reads; if it was the last to write there since the barrier, what it wrote.
    Read(Own),
    /// Writes a value, if it is known.
    Write(Option<Form>),
    /// Reads, combines with a value and writes.
    Update(BinaryOp, Option<Form>),
    /// Reads, or reads and writes, with no other access between.
    Atomic { writes: bool },
}

/// What a thread wrote itself to the memory that it reads.
#[derive(Clone, Debug)]
pub(super) enum Own {
    /// Nothing.
    Nothing,
    /// The result of an update.
    Update,
    /// A value, if it is known.
    Value(Option<Form>),
}

impl Access {
    /// Whether the two use the same memory in different threads, one of them writes, and
    /// it matters. Both stand in the same interval between barriers.
    pub(super) fn races(&self, other: &Access, symbols: &Symbols) -> bool {
        self.thread != other.thread
            && self.variable == other.variable
            && self.covers(other)
            && (self.assumptions.is_subset(&other.assumptions)
                || other.assumptions.is_subset(&self.assumptions))
            && matters(&self.kind, &other.kind, symbols)
    }

    /// Whether one's memory contains the other's.
    fn covers(&self, other: &Access) -> bool {
        self.path
            .iter()
            .zip(&other.path)
            .all(|(left, right)| left == right)
    }

    /// Whether a loop goes round between the two.
    pub(super) fn carried(&self, other: &Access) -> bool {
        self.rounds
            .iter()
            .zip(&other.rounds[..])
            .any(|(left, right)| left != right)
    }

    pub(super) fn is_atomic(&self) -> bool {
        matches!(self.kind, Kind::Atomic { .. })
    }

    pub(super) fn writes(&self) -> bool {
        !matches!(self.kind, Kind::Read(_) | Kind::Atomic { writes: false })
    }
}

/// Whether the order of two accesses can be seen.
fn matters(left: &Kind, right: &Kind, symbols: &Symbols) -> bool {
    let differ = |left: &Option<Form>, right: &Option<Form>| match (left, right) {
        (Some(left), Some(right)) => symbols.differ(left, right),
        _ => false,
    };
    match (left, right) {
        (Kind::Read(_), Kind::Read(_)) => false,
        (Kind::Atomic { .. }, Kind::Atomic { .. }) => false,
        (Kind::Atomic { writes: false }, Kind::Read(_))
        | (Kind::Read(_), Kind::Atomic { writes: false }) => false,
        (Kind::Atomic { .. }, _) | (_, Kind::Atomic { .. }) => true,
        // Who has written the same value there reads that value whatever the order.
        (Kind::Read(own), Kind::Write(value)) | (Kind::Write(value), Kind::Read(own)) => {
            match own {
                Own::Nothing | Own::Update => true,
                Own::Value(own) => differ(own, value),
            }
        }
        (Kind::Write(left), Kind::Write(right)) => differ(left, right),
        // Setting or clearing bits twice is the same as once.
        (
            Kind::Update(op @ (BinaryOp::BitAnd | BinaryOp::BitOr), left),
            Kind::Update(op2, right),
        ) if op == op2 => differ(left, right),
        (Kind::Read(Own::Update), Kind::Update(BinaryOp::BitAnd | BinaryOp::BitOr, _))
        | (Kind::Update(BinaryOp::BitAnd | BinaryOp::BitOr, _), Kind::Read(Own::Update)) => false,
        (Kind::Update(..), _) | (_, Kind::Update(..)) => true,
    }
}
