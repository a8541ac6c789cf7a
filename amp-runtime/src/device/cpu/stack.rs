//! Stacks of the size that a kernel needs, kept from launch to launch.
//!
//! The compiler counts what a thread of a kernel needs. Threads of a tile that meet at barriers
//! are coroutines, each with a stack; other threads run one after the other on the stack of their
//! worker if they need little, or on one of these ([`with_room`]).
//!
//! A stack is address space with a guard page below; only what its thread touches is
//! memory. All of them begin at a page boundary, so the busy ends of a tile's stacks
//! would fall into the same few sets of the processor's cache. Each stack of a tile
//! therefore starts a little lower than the one before ([`Stack::colour`]).

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, PoisonError};

use corosensei::on_stack;
use corosensei::stack::{self, DefaultStack, StackPointer};

use crate::types::error::{Error, Result};

/// A kernel that needs no more than this runs where its worker is.
const LITTLE: u64 = 128 << 10;

/// What the kernel calls needs this much: the run time, and what a panic runs through.
const RUN_TIME: u64 = 512 << 10;

/// Address space of a stack at least.
const MIN_BYTES: usize = 1 << 20;

/// How many stacks there may be at once. Linux allows a process 65 530 mappings by
/// default, and a stack takes two.
pub(super) const MAX_STACKS: usize = 1 << 14;

/// Address space of the stacks that are kept.
const MAX_KEPT: usize = MAX_STACKS * MIN_BYTES;

const CACHE_LINE: usize = 64;
const PAGE: usize = 4096;

/// Stacks that nothing runs on, by size.
static POOL: Mutex<BTreeMap<usize, Vec<Stack>>> = Mutex::new(BTreeMap::new());

/// The stack of one coroutine.
pub(super) struct Stack {
    inner: DefaultStack,
    /// Its address space, in bytes.
    size: usize,
    /// How far below the end of `inner` this stack starts.
    colour: usize,
}

/// The address space of a stack for a thread that needs as many bytes: one of few sizes, so that
/// stacks can be used again.
fn size(need: u64) -> usize {
    // More than any system has: it refuses that.
    const LARGEST: usize = usize::MAX / 4 + 1;
    usize::try_from(need.saturating_add(RUN_TIME))
        .ok()
        .and_then(usize::checked_next_power_of_two)
        .map_or(LARGEST, |size| size.clamp(MIN_BYTES, LARGEST))
}

/// Takes `count` stacks for threads that need as many bytes each from the pool, and makes those
/// that it lacks.
///
/// # Errors
///
/// [`Error::UnsupportedFeature`] if the system has no room for one.
pub(super) fn take(count: usize, need: u64) -> Result<Vec<Stack>> {
    let size = size(need);
    let mut stacks = {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = pool.entry(size).or_default();
        kept.split_off(kept.len().saturating_sub(count))
    };
    while stacks.len() < count {
        let inner = DefaultStack::new(size).map_err(|error| refused(count, size, &error))?;
        stacks.push(Stack {
            inner,
            size,
            colour: 0,
        });
    }
    for (number, stack) in stacks.iter_mut().enumerate() {
        stack.colour = number * CACHE_LINE % PAGE;
    }
    Ok(stacks)
}

fn refused(count: usize, size: usize, error: &io::Error) -> Error {
    Error::UnsupportedFeature(format!(
        "this kernel needs {count} stacks of {size} bytes at a time on the CPU accelerator, but \
         the system refused one ({error}); use a smaller tile or smaller local arrays, or allow \
         the process more memory"
    ))
}

/// Gives stacks back to the pool.
pub(super) fn give_back(stacks: Vec<Stack>) {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let kept: usize = pool.iter().map(|(size, stacks)| size * stacks.len()).sum();
    let mut room = MAX_KEPT.saturating_sub(kept);
    for stack in stacks {
        if stack.size <= room {
            room -= stack.size;
            pool.entry(stack.size).or_default().push(stack);
        }
    }
}

/// Runs threads of a kernel that need as many bytes of stack, one after the other.
///
/// # Errors
///
/// [`Error::UnsupportedFeature`] if the system has no room for a stack; then nothing has run.
pub(super) fn with_room<R>(need: u64, work: impl FnOnce() -> R) -> Result<R> {
    if need <= LITTLE {
        return Ok(work());
    }
    let mut stacks = take(1, need)?;
    let result = on_stack(&mut stacks[0], work);
    give_back(stacks);
    Ok(result)
}

// SAFETY: `base` is within the memory of `inner`, which reaches at least
// `MIN_BYTES - PAGE` bytes below it down to the guard page at `limit`; it is as
// aligned as that of `inner`, since a colour is a multiple of a cache line.
unsafe impl stack::Stack for Stack {
    #[inline]
    fn base(&self) -> StackPointer {
        let base = self.inner.base();
        StackPointer::new(base.get() - self.colour).unwrap_or(base)
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.inner.limit()
    }

    #[cfg(windows)]
    fn teb_fields(&self) -> stack::StackTebFields {
        self.inner.teb_fields()
    }

    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.inner
            .update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::stack::Stack as _;
    use super::*;

    #[test]
    fn a_stack_has_what_its_thread_needs() {
        for need in [0, 1 << 20, (1 << 20) + 1, 40 << 20] {
            let stack = take(1, need).expect("there is room").remove(0);
            let bytes = stack.inner.base().get() - stack.inner.limit().get();
            assert!(bytes as u64 >= need + RUN_TIME, "{bytes} for {need}");
        }
    }

    #[test]
    fn stacks_are_used_again_by_size() {
        // No other test takes as large ones.
        let need = 100 << 20;
        let first = take(1, need).expect("there is room");
        let limit = first[0].inner.limit();
        give_back(first);
        let small = take(1, 0).expect("there is room");
        assert_ne!(small[0].inner.limit(), limit);
        let again = take(1, need / 2 + (40 << 20)).expect("there is room");
        assert_eq!(again[0].inner.limit(), limit);
    }

    #[test]
    fn a_stack_that_no_system_has_is_an_error() {
        let error = take(1, u64::MAX).err().expect("no system has this");
        assert!(
            error.to_string().contains("smaller local arrays"),
            "{error}"
        );
    }
}
