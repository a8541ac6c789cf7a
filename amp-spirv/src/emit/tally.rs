//! What was done about indices and barriers, for the [`Counts`] of the artifact.
//!
//! Everything is counted once, by where it stands in the source: a loop in two versions
//! emits its indices twice, with checks and without.

use std::collections::HashSet;

use crate::artifact::Counts;
use crate::ir::Expr;

/// See the module's documentation. Nodes are known by their addresses, which do not change
/// while a module is emitted.
#[derive(Default)]
pub(super) struct Tally {
    checked: HashSet<usize>,
    hoisted: HashSet<usize>,
    proven: HashSet<usize>,
    barriers: HashSet<usize>,
    relaxed: HashSet<usize>,
}

fn key(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}

impl Tally {
    /// An index that is checked here.
    pub fn checked(&mut self, index: &Expr) {
        self.checked.insert(key(index));
    }

    /// An index that was checked before its loop.
    pub fn hoisted(&mut self, index: &Expr) {
        self.hoisted.insert(key(index));
    }

    /// An index that needs no check.
    pub fn proven(&mut self, index: &Expr) {
        self.proven.insert(key(index));
    }

    /// A barrier, and whether it leaves out views that it would order.
    pub fn barrier(&mut self, barrier: &Expr, relaxed: bool) {
        self.barriers.insert(key(barrier));
        if relaxed {
            self.relaxed.insert(key(barrier));
        }
    }

    /// The numbers.
    pub fn counts(&self) -> Counts {
        let number = |set: &HashSet<usize>| set.len() as u32;
        Counts {
            checked: self.checked.difference(&self.hoisted).count() as u32,
            hoisted: number(&self.hoisted),
            proven: number(&self.proven),
            barriers: number(&self.barriers),
            relaxed: number(&self.relaxed),
        }
    }
}
