//! Subgroups of the CPU accelerator: [`SIZE`] neighbouring threads of a tile, the last of
//! which may be fewer.

use std::panic::Location;

use super::check::Ordered;
use super::context::Context;
use super::lanes::SIZE;
use super::report;

/// The running thread's lane.
///
/// # Panics
///
/// Outside of a launch of a kernel with operations of subgroups.
#[inline]
#[track_caller]
pub(crate) fn lane() -> usize {
    let thread = Context::with_current(|context| context.thread_of_tile());
    let Some(thread) = thread.flatten() else {
        outside()
    };
    thread % SIZE
}

/// Leaves `value` for the subgroup, waits for the tile, and looks at what all of the subgroup
/// have left, by lane.
///
/// # Panics
///
/// As [`lane`].
#[track_caller]
pub(crate) fn together<R>(value: u64, look: impl FnOnce(&[u64]) -> R) -> R {
    let place = Location::caller();
    let looked = Context::with_current(|context| {
        let thread = context.thread_of_tile()?;
        let turn = context.lanes().leave(thread, value);
        context
            .suspend((place, Ordered::Nothing))
            .then(|| context.lanes().of_subgroup(thread, turn, look))
    });
    looked.flatten().unwrap_or_else(|| outside())
}

/// Waits for the tile. In checked mode the accesses before and after are not compared: threads of
/// other subgroups are in step with these only here.
///
/// # Panics
///
/// As [`lane`].
#[track_caller]
pub(crate) fn barrier() {
    report::fence();
    together(0, |_| ());
}

#[cold]
#[track_caller]
fn outside() -> ! {
    panic!("a subgroup operation outside of a launch")
}
