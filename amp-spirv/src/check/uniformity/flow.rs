//! What holds at one point of a function.

use std::collections::{BTreeMap, BTreeSet};

use super::{cause::Why, value::Value};
use crate::ir::{LabelId, Span};

/// Where threads that have left are heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// Past the loop or labelled block.
    Break(u32),
    /// To the next iteration.
    Continue(u32),
    /// To the caller.
    Return,
}

impl Target {
    pub(super) fn past(label: LabelId) -> Self {
        Target::Break(label.0)
    }

    pub(super) fn next(label: LabelId) -> Self {
        Target::Continue(label.0)
    }
}

/// Targets that some threads of the tile, but not all, have jumped to, and why.
pub(super) type Away<'m> = BTreeMap<Target, Why<'m>>;

/// Adds what `more` has and `away` lacks; whether there was any.
pub(super) fn add_away<'m>(away: &mut Away<'m>, more: &Away<'m>) -> bool {
    let before = away.len();
    for (target, why) in more {
        away.entry(*target).or_insert_with(|| why.clone());
    }
    away.len() > before
}

/// What last ordered the tile_static memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Since {
    /// Nothing yet: the kernel has just started.
    Start,
    /// The barrier at this place.
    Barrier(Span),
}

/// The state at a point of a function.
#[derive(Clone, Debug)]
pub(super) struct Flow<'m> {
    /// Whether any thread gets here.
    pub(super) reachable: bool,
    /// The variables by `LocalId`.
    pub(super) locals: Vec<Value<'m>>,
    /// Who is not here.
    pub(super) away: Away<'m>,
    /// The barriers, one of which was the last.
    pub(super) since: BTreeSet<Since>,
}

impl<'m> Flow<'m> {
    /// Meets another way to the same point, where whoever comes by one way has not come
    /// by the other; whether anything is less known than before.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        if !other.reachable {
            return false;
        }
        if !self.reachable {
            *self = other.clone();
            return true;
        }
        let mut changed = add_away(&mut self.away, &other.away);
        for (local, other) in self.locals.iter_mut().zip(&other.locals) {
            changed |= local.join(other);
        }
        let before = self.since.len();
        self.since.extend(&other.since);
        changed | (self.since.len() > before)
    }

    /// Meets the other side of a condition that varies: who left there is away here, even
    /// if nobody comes out of that side.
    pub(super) fn join_divided(&mut self, other: &Self) {
        let mut away = std::mem::take(&mut self.away);
        add_away(&mut away, &other.away);
        self.join(other);
        self.away = away;
    }
}

/// A loop or labelled block being walked.
#[derive(Debug)]
pub(super) struct Frame<'m> {
    /// Its label.
    pub(super) label: LabelId,
    /// What holds after it, as far as seen.
    pub(super) exit: Option<Flow<'m>>,
    /// What holds at a loop's continue point, as far as seen.
    pub(super) next: Option<Flow<'m>>,
    /// The value it is left with.
    pub(super) value: Value<'m>,
    /// Targets outside the frame, and its own end, that some threads but not all have
    /// jumped to from within.
    pub(super) escapes: Away<'m>,
}

impl<'m> Frame<'m> {
    pub(super) fn new(label: LabelId, escapes: Away<'m>) -> Self {
        Frame {
            label,
            exit: None,
            next: None,
            value: Value::UNIFORM,
            escapes,
        }
    }
}

/// Joins `flow` into a meeting point that may not have been reached yet.
pub(super) fn meet<'m>(point: &mut Option<Flow<'m>>, flow: &Flow<'m>) {
    match point {
        Some(point) => {
            point.join(flow);
        }
        None if flow.reachable => *point = Some(flow.clone()),
        None => {}
    }
}
