//! What the running thread reports to its launch: faults, prints and, in checked mode, accesses.

use std::fmt;
use std::panic::Location;

use amp_spirv::artifact::FaultKind;

use super::check::{Checker, Kind, Wrong};
use super::context::Context;
use crate::device::print::PrintStream;
use crate::types::error::fault_message;

/// Reports a fault of the current thread at the caller. Outside of a launch, where a
/// kernel's function runs as plain Rust, it panics as Rust does.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn raise(kind: FaultKind, operands: [usize; 2]) {
    if !offer(Location::caller(), || fault_message(kind, operands)) {
        match kind {
            FaultKind::ArrayOutOfBounds => panic!(
                "index out of bounds: the len is {} but the index is {}",
                operands[1], operands[0]
            ),
            _ => panic!("{}", fault_message(kind, operands)),
        }
    }
}

/// Reports a fault in the user's words, as [`raise`] does.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn raise_with(words: fmt::Arguments<'_>) {
    if !offer(Location::caller(), || words.to_string()) {
        panic!("{words}");
    }
}

/// Offers a fault of the current thread to its launch; false if there is none.
fn offer(location: &'static Location<'static>, message: impl FnOnce() -> String) -> bool {
    let reported = Context::with_current(|context| {
        let (order, thread) = context.place();
        context.sink().offer(order, thread, Some(location), message);
    });
    reported.is_some()
}

/// Notes an access of the current thread in checked mode, and reports what is wrong with it.
#[inline(never)]
#[track_caller]
pub(super) fn access(address: usize, bytes: usize, kind: Kind) {
    let is_settled = kind == Kind::Read
        && Context::with_current(|context| {
            let checker = context.checker();
            checker.is_some_and(|checker| checker.is_settled(address, bytes))
        }) == Some(true);
    if !is_settled {
        note(address, bytes, kind);
    }
}

/// The same, apart from `access` so that a settled read does not save what this needs.
#[inline(never)]
#[track_caller]
fn note(address: usize, bytes: usize, kind: Kind) {
    let place = Location::caller();
    let wrong = Context::with_current(|context| {
        let checker = context.checker()?;
        checker.note(address..address + bytes, kind, context.thread(), place)
    });
    if let Some(Some(wrong)) = wrong {
        wrong_access(kind, &wrong, place);
    }
}

#[cold]
fn wrong_access(kind: Kind, wrong: &Wrong, place: &'static Location<'static>) {
    let message = Context::with_current(|context| {
        let checker = context.checker()?;
        Some(checker.message(kind, context.thread(), wrong))
    });
    if let Some(Some(message)) = message {
        offer(place, || message);
    }
}

/// Notes, in checked mode, that the current thread has called a fence for the memory of its tile or of the
/// launch.
pub(crate) fn fence() {
    Context::with_current(|context| context.checker().map(Checker::fence));
}

/// Notes, in checked mode, that the current thread has called a fence for what all tiles see.
pub(crate) fn device_fence() {
    Context::with_current(|context| {
        let checker = context.checker()?;
        checker.device_fence(context.thread());
        Some(())
    });
}

/// Prints for the current thread. Outside of a launch, where a kernel's function runs as
/// plain Rust, it prints as Rust does.
pub(super) fn say(stream: PrintStream, text: fmt::Arguments<'_>) {
    let said = Context::with_current(|context| {
        let (_, thread) = context.place();
        context.prints().add(thread, stream, text);
    });
    if said.is_none() {
        match stream {
            PrintStream::Stdout => print!("{text}"),
            PrintStream::Stderr => eprint!("{text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic = "attempt to divide with overflow"]
    fn outside_a_launch_it_is_a_panic() {
        raise(FaultKind::DivisionOverflow, [0, 0]);
    }

    #[test]
    #[should_panic = "no sum of 3"]
    fn outside_a_launch_words_are_a_panic() {
        raise_with(format_args!("no sum of {}", 3));
    }
}
