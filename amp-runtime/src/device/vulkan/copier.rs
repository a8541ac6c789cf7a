//! Threads that copy bytes: one alone copies a fourth or less of what a device moves.
//!
//! What is to be copied is cut into parts, which wait in one queue for all who copy. A thread that
//! waits for its parts takes parts from the queue itself, its own or others', so that nothing
//! waits for a thread to wake up. A thread that copies a part takes no lock meanwhile, so the threads
//! help whatever locks are held by who waits.
//!
//! When no part is left, the threads get pages for [new memory](Pages) that will be copied to: that
//! takes the system as long as it takes to copy them.

use std::any::Any;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// Bytes of a part.
const PART: usize = 128 << 10;
/// Bytes for each of which a thread is called.
const CALL: usize = 512 << 10;
/// More threads than this do not copy faster.
const THREADS: usize = 12;
/// Up to this size memory gets its pages while it is copied to.
const FEW: usize = 4 << 20;
/// Bytes of pages that are got at a time: a large page of most systems.
const PAGE: usize = 2 << 20;

/// Bytes that some thread is to copy.
struct Part {
    to: *mut u8,
    from: *const u8,
    bytes: usize,
    /// The parts that are left of what it is a part of.
    left: Arc<AtomicUsize>,
}

// SAFETY: the bytes stay where they are until no part is left, whatever thread copies them.
unsafe impl Send for Part {}

impl Part {
    fn copy(self) {
        // SAFETY: both ends are of a `Copying`, which has them until no part is left; no other
        // part has bytes of `to`.
        unsafe { std::ptr::copy_nonoverlapping(self.from, self.to, self.bytes) };
        self.left.fetch_sub(1, Ordering::Release);
    }
}

/// A page that memory is to get.
struct Page {
    start: usize,
    /// Of those that are not there yet.
    of: Arc<()>,
}

/// What the threads have to do.
struct Work {
    parts: VecDeque<Part>,
    /// Pages to get when there are no parts.
    pages: VecDeque<Page>,
}

fn work() -> MutexGuard<'static, Work> {
    static WORK: Mutex<Work> = Mutex::new(Work {
        parts: VecDeque::new(),
        pages: VecDeque::new(),
    });
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something that is to be done. Returns whether there was anything.
fn do_some() -> bool {
    let mut work = work();
    if let Some(part) = work.parts.pop_front() {
        drop(work);
        part.copy();
        return true;
    }
    let page = work.pages.pop_front();
    drop(work);
    page.map(|page| advise(page.start..page.start + PAGE, MADV_POPULATE_WRITE))
        .is_some()
}

/// Has threads come for so many bytes. Without any, the waiting thread copies alone.
fn call(bytes: usize) {
    static CALLED: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = ThreadPoolBuilder::new()
            .num_threads(processors.min(THREADS))
            .thread_name(|number| format!("amp copy {number}"));
        (processors > 1).then(|| pool.build().ok()).flatten()
    };
    let calls = bytes / CALL;
    if calls > 0
        && let Some(threads) = CALLED.get_or_init(start)
    {
        for _ in 0..calls.min(threads.current_num_threads()) {
            threads.spawn(|| while do_some() {});
        }
    }
}

/// What has memory.
pub(super) type Keeper = Arc<dyn Any + Send + Sync>;

/// Bytes that are being copied. They have been copied when it is dropped, and it is dropped before
/// anything else is done with them.
pub(super) struct Copying<'p> {
    left: Arc<AtomicUsize>,
    /// What has the memory at one end of them stays as long.
    _keeper: Option<Keeper>,
    pieces: PhantomData<&'p mut [u8]>,
}

impl<'p> Copying<'p> {
    /// Begins to copy bytes to others, as many of them.
    pub(super) fn between(to: &'p mut [u8], from: &'p [u8]) -> Self {
        assert_eq!(to.len(), from.len());
        // SAFETY: both are borrowed for `'p`.
        unsafe { Self::of(None, [(to.as_mut_ptr(), from.as_ptr(), to.len())]) }
    }

    /// Begins to copy pieces: to where, from where, and how many bytes.
    ///
    /// # Safety
    ///
    /// Both ends of each are borrowed for `'p`, or are of what the keeper has: then nothing writes
    /// what is copied, and nothing else uses what it is copied to, until that is done.
    pub(super) unsafe fn of(
        keeper: Option<Keeper>,
        pieces: impl IntoIterator<Item = (*mut u8, *const u8, usize)>,
    ) -> Self {
        let left = Arc::new(AtomicUsize::new(0));
        let (mut parts, mut total) = (Vec::new(), 0);
        for (to, from, length) in pieces {
            total += length;
            for start in (0..length).step_by(PART) {
                parts.push(Part {
                    to: to.wrapping_add(start),
                    from: from.wrapping_add(start),
                    bytes: PART.min(length - start),
                    left: Arc::clone(&left),
                });
            }
        }
        left.store(parts.len(), Ordering::Relaxed);
        work().parts.extend(parts);
        call(total);
        Self {
            left,
            _keeper: keeper,
            pieces: PhantomData,
        }
    }
}

impl Drop for Copying<'_> {
    fn drop(&mut self) {
        while self.left.load(Ordering::Acquire) > 0 {
            let part = work().parts.pop_front();
            match part {
                Some(part) => part.copy(),
                // Others copy the last ones.
                None => std::thread::yield_now(),
            }
        }
    }
}

/// Copies bytes, with several threads if there are many.
pub(super) fn copy_bytes(to: &mut [u8], from: &[u8]) {
    match to.len() < CALL {
        true => to.copy_from_slice(from),
        false => drop(Copying::between(to, from)),
    }
}

/// Pages that new memory gets, before it is copied to. What is left is given up when it is dropped,
/// and nothing is done to the memory any more.
pub(crate) struct Pages(Arc<()>);

impl Pages {
    /// Begins to get pages for memory that was allocated and not been touched, and will be
    /// written, all of it. Only its address matters, so the memory may be used meanwhile.
    pub(crate) fn of(memory: &mut [u8]) -> Self {
        let range = memory.as_ptr_range();
        let start = range.start.addr().next_multiple_of(PAGE);
        let pages = start..(range.end.addr() / PAGE * PAGE).max(start);
        let of = Arc::new(());
        if pages.len() > FEW {
            advise(pages.clone(), MADV_HUGEPAGE);
            let each = pages.clone().step_by(PAGE);
            work().pages.extend(each.map(|start| Page {
                start,
                of: Arc::clone(&of),
            }));
            call(pages.len());
        }
        Self(of)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        work().pages.retain(|page| !Arc::ptr_eq(&page.of, &self.0));
        // Others get the last ones.
        while Arc::strong_count(&self.0) > 1 {
            std::thread::yield_now();
        }
    }
}

const MADV_HUGEPAGE: c_int = 14;
/// Gets pages without a change of what is in them. Linux has it from 5.14 on.
const MADV_POPULATE_WRITE: c_int = 23;

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn madvise(start: *mut c_void, length: usize, advice: c_int) -> c_int;
}

/// Tells the system what will be done with memory, by its addresses. If it cannot make use of
/// that, nothing is lost.
fn advise(memory: Range<usize>, advice: c_int) {
    #[cfg(target_os = "linux")]
    // SAFETY: neither advice changes what is in memory, whatever owns it, and for addresses without
    // memory the call returns an error.
    unsafe {
        let start = std::ptr::without_provenance_mut(memory.start);
        madvise(start, memory.len(), advice);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, advice);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_copies_are_complete() {
        let source: Vec<u8> = (0..(9 << 20) + 12_345)
            .map(|i| (i * 7 % 251) as u8)
            .collect();
        let mut target = vec![0; source.len()];
        let pages = Pages::of(&mut target);
        copy_bytes(&mut target, &source);
        drop(pages);
        assert!(target == source);
        assert!(work().pages.is_empty());
    }

    /// Memory may be freed when what gets its pages is dropped, even if another thread gets some just then.
    #[test]
    fn no_page_is_got_after_the_end() {
        for _ in 0..50 {
            let mut memory = vec![0_u8; 32 << 20];
            let pages = Pages::of(&mut memory);
            let of = Arc::downgrade(&pages.0);
            let is_mine = |page: &Page| Arc::ptr_eq(&page.of, &pages.0);
            // Until a thread gets one, if there are threads.
            for _ in 0..1000 {
                let waiting = work().pages.iter().filter(|page| is_mine(page)).count();
                if waiting + 1 < of.strong_count() {
                    break;
                }
                std::thread::yield_now();
            }
            drop(pages);
            assert_eq!(of.strong_count(), 0);
        }
    }

    /// Who waits takes parts of others, too, and they theirs.
    #[test]
    fn many_copy_at_a_time() {
        let source: Vec<u8> = (0..3 << 20).map(|i| (i % 241) as u8).collect();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for length in [0, 1, PART, source.len() - 1] {
                        let mut target = vec![0; length];
                        drop(Copying::between(&mut target, &source[..length]));
                        assert!(target == source[..length]);
                    }
                });
            }
        });
    }
}
