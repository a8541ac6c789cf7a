//! What holds at one point of a function.

use std::collections::{BTreeMap, BTreeSet};

use super::{cause::Why, value::Value};
use crate::tree::{LabelId, Span, TileStaticId};

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

/// Adds that some threads have jumped to a target; whether that was not known. The first reason
/// stays.
pub(super) fn note_jump<'m>(away: &mut Away<'m>, target: Target, why: &Why<'m>) -> bool {
    let Some(known) = away.get_mut(&target) else {
        away.insert(target, why.clone());
        return true;
    };
    let grown = !known.varies.includes(why.varies);
    *known = known.and(why.varies);
    grown
}

/// Adds what `more` has and `away` lacks; whether there was any.
pub(super) fn add_away<'m>(away: &mut Away<'m>, more: &Away<'m>) -> bool {
    let mut grown = false;
    for (target, why) in more {
        grown |= note_jump(away, *target, why);
    }
    grown
}

/// An interval between barriers that order the tile_static memory, or a part of it: what comes
/// after a barrier, and after the last of the loops and blocks with barriers that all threads
/// have left together since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Interval {
    /// The barrier; none where the kernel starts.
    pub(super) barrier: Option<Span>,
    /// What has been left, by the place of its body.
    pub(super) left: Option<Span>,
}

impl Interval {
    pub(super) const START: Interval = Interval {
        barrier: None,
        left: None,
    };

    pub(super) fn behind(barrier: Span) -> Self {
        Interval {
            barrier: Some(barrier),
            left: None,
        }
    }
}

/// What has happened in an interval on the ways to a point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Past {
    /// The parts of the interval that came before.
    pub(super) before: BTreeSet<Interval>,
    /// The tile_static variables that may have been written.
    pub(super) written: BTreeSet<TileStaticId>,
}

/// The intervals in which a point may be.
pub(super) type Since = BTreeMap<Interval, Past>;

/// Adds what `more` has and `since` lacks; whether there was any.
pub(super) fn add_since(since: &mut Since, more: &Since) -> bool {
    let mut grown = false;
    for (interval, past) in more {
        grown |= !since.contains_key(interval);
        let known = since.entry(*interval).or_default();
        let size = |past: &Past| past.before.len() + past.written.len();
        let before = size(known);
        known.before.extend(&past.before);
        known.written.extend(&past.written);
        grown |= size(known) > before;
    }
    grown
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
    /// The intervals, one of which this is.
    pub(super) since: Since,
}

impl<'m> Flow<'m> {
    /// Meets another way to the same point, where a thread that comes by one way has not come
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
        changed | add_since(&mut self.since, &other.since)
    }

    /// Meets the other side of a condition that varies: who left there is away here, even
    /// if no thread comes out of that side.
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
    /// The intervals in which it was entered.
    pub(super) since: Since,
    /// Targets outside the frame, and its own end, that some threads but not all have
    /// jumped to from within.
    pub(super) escapes: Away<'m>,
}

impl<'m> Frame<'m> {
    pub(super) fn new(label: LabelId, since: Since, escapes: Away<'m>) -> Self {
        Frame {
            label,
            since,
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
