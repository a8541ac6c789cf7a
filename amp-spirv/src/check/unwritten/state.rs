//! What is known at a point of the walk, and where the ways through a construct meet.

use std::collections::BTreeSet;

use super::Write;
use crate::check::value::{Form, Value};
use crate::tree::{LabelId, TileStaticId};

/// What holds at a point for each thread that gets there.
#[derive(Clone)]
pub(super) struct State {
    pub(super) reachable: bool,
    pub(super) locals: Vec<Value>,
    pub(super) writes: Vec<Write>,
    /// Variables that the threads of the tile have written all of.
    pub(super) whole: BTreeSet<TileStaticId>,
}

/// A loop, labelled block or call being walked.
pub(super) struct Frame {
    /// `None` for a call.
    pub(super) label: Option<LabelId>,
    /// What holds where it is left early.
    pub(super) exit: Option<State>,
    /// What holds where a round ends early.
    pub(super) next: Option<State>,
    /// What a call returns early.
    pub(super) value: Option<Value>,
}

impl State {
    /// What holds on two ways. What all threads have written is on the other way too.
    pub(super) fn join(&mut self, other: &State) {
        if !other.reachable {
            return;
        }
        if !self.reachable {
            self.clone_from(other);
            return;
        }
        let mut writes: Vec<Write> = Vec::new();
        for (own, others) in [(&*self, other), (other, &*self)] {
            for write in &own.writes {
                let known = others.whole.contains(&write.variable) || others.writes.contains(write);
                if known && !writes.contains(write) {
                    writes.push(write.clone());
                }
            }
        }
        self.writes = writes;
        self.whole.retain(|variable| other.whole.contains(variable));
        for (local, other) in self.locals.iter_mut().zip(&other.locals) {
            local.join(other);
        }
    }

    /// The writes since `before` are made only if a condition has this value.
    pub(super) fn only_if(&mut self, condition: &Form, side: bool, before: &State) {
        for write in &mut self.writes {
            if !before.writes.contains(write) {
                write.conditions.push((condition.clone(), side));
            }
        }
    }
}

/// Adds a way to a point where several meet.
pub(super) fn meet(point: &mut Option<State>, state: &State) {
    match point {
        Some(point) => point.join(state),
        None if state.reachable => *point = Some(state.clone()),
        None => {}
    }
}
