//! Stacks for coroutines, kept from launch to launch.
//!
//! A stack is address space with a guard page below; only what its thread touches is
//! memory. All of them begin at a page boundary, so the busy ends of a tile's stacks
//! would fall into the same few sets of the processor's cache. Each stack of a tile
//! therefore starts a little lower than the one before ([`Stack::colour`]).

use std::io;
use std::sync::{Mutex, PoisonError};

use corosensei::stack::{self, DefaultStack, StackPointer};

/// Address space of one stack. A kernel's locals and those of all it calls have to fit;
/// on a device they would be registers.
const STACK_BYTES: usize = 1 << 20;

/// How many stacks there may be at once. Linux allows a process 65 530 mappings by
/// default, and a stack takes two.
pub(super) const MAX_STACKS: usize = 1 << 14;

const CACHE_LINE: usize = 64;
const PAGE: usize = 4096;

static POOL: Mutex<Vec<Stack>> = Mutex::new(Vec::new());

/// The stack of one coroutine.
pub(super) struct Stack {
    inner: DefaultStack,
    /// How far below the end of `inner` this stack starts.
    colour: usize,
}

/// Takes `count` stacks from the pool, and makes those that it lacks.
pub(super) fn take(count: usize) -> io::Result<Vec<Stack>> {
    let mut stacks = {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = pool.len().saturating_sub(count);
        pool.split_off(rest)
    };
    while stacks.len() < count {
        let inner = DefaultStack::new(STACK_BYTES)?;
        stacks.push(Stack { inner, colour: 0 });
    }
    for (number, stack) in stacks.iter_mut().enumerate() {
        stack.colour = number * CACHE_LINE % PAGE;
    }
    Ok(stacks)
}

/// Gives stacks back to the pool.
pub(super) fn give_back(mut stacks: Vec<Stack>) {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    stacks.truncate(MAX_STACKS.saturating_sub(pool.len()));
    pool.append(&mut stacks);
}

// SAFETY: `base` is within the memory of `inner`, which reaches at least
// `STACK_BYTES - PAGE` bytes below it down to the guard page at `limit`; it is as
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
