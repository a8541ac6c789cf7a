//! Sharing the work of a launch out: first alone, then with others.
//!
//! To wake a thread and wait for it takes longer than many launches. So the calling thread begins
//! alone, with pieces that grow, and measures what they cost. Only when the rest costs so much that
//! others help, they are woken; the calling thread goes on meanwhile, and sleeps when there is
//! nothing left to take.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::apart;
use super::context::{Context, Sinks};
use crate::types::error::Result;

/// How long the calling thread works at least before it decides.
const MEASURED: Duration = Duration::from_micros(4);

/// What the rest costs at least if another thread is woken.
const WORTHWHILE: Duration = Duration::from_micros(40);

/// What a piece costs at least if several threads take pieces.
const PIECE: Duration = Duration::from_micros(10);

/// Pieces of work for each worker, so that they end at about the same time.
const PIECES: usize = 16;

/// How fast the pieces of a thread that works alone grow.
const GROWTH: usize = 4;

/// Takes the next piece of the work.
pub(super) type Take<'t> = dyn FnMut() -> Option<Range<usize>> + 't;

/// Runs `work` on the calling thread, and on others if that helps, `most` in all; each takes pieces
/// of `0..count` until there are none. The first error wins.
pub(super) fn share(
    count: usize,
    most: usize,
    sinks: &Sinks,
    work: &(dyn Fn(&Context<'_>, &mut Take<'_>) -> Result<()> + Sync),
) -> Result<()> {
    let context = Context::new(sinks);
    let mut alone = Alone::new(count);
    context.enter(|| work(&context, &mut || alone.take()))?;
    let left = alone.left();
    if left.is_empty() || sinks.faults.stopped() {
        return Ok(());
    }
    let workers = most.min(alone.helpful()).min(apart::count());
    let piece = alone.worth(PIECE).max(left.len() / (workers * PIECES));
    let queue = Queue::new(left, workers, piece);
    let failure = Mutex::new(None);
    apart::together(workers, &|worker| {
        let context = Context::new(sinks);
        if let Err(error) = context.enter(|| work(&context, &mut || queue.take(worker))) {
            failure
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert(error);
            sinks.faults.stop();
        }
    })?;
    failure
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .map_or(Ok(()), Err)
}

/// What the calling thread takes while it works alone.
struct Alone {
    count: usize,
    /// The last piece that it took.
    piece: Range<usize>,
    start: Instant,
    /// When it took that.
    taken: Instant,
    /// What a number of the piece before cost, in nanoseconds.
    cost: f64,
}

impl Alone {
    fn new(count: usize) -> Self {
        let now = Instant::now();
        Self {
            count,
            piece: 0..0,
            start: now,
            taken: now,
            cost: 0.0,
        }
    }

    /// The next piece, until others can help with the rest.
    fn take(&mut self) -> Option<Range<usize>> {
        let left = self.left();
        if left.is_empty() {
            return None;
        }
        let now = Instant::now();
        if !self.piece.is_empty() {
            self.cost = (now - self.taken).as_nanos() as f64 / self.piece.len() as f64;
            if now - self.start >= MEASURED && self.helpful() > 1 {
                return None;
            }
        }
        let size = (GROWTH * self.piece.len()).clamp(1, left.len());
        self.piece = left.start..left.start + size;
        self.taken = now;
        Some(self.piece.clone())
    }

    /// What it has not taken.
    fn left(&self) -> Range<usize> {
        self.piece.end..self.count
    }

    /// How many threads are of use for the rest.
    fn helpful(&self) -> usize {
        let cost = self.cost * self.left().len() as f64;
        (cost / WORTHWHILE.as_nanos() as f64) as usize + 1
    }

    /// How many numbers cost so much.
    fn worth(&self, cost: Duration) -> usize {
        ((cost.as_nanos() as f64 / self.cost.max(f64::MIN_POSITIVE)) as usize).max(1)
    }
}

/// Work that is not taken yet.
///
/// Each worker has a share, the same part of the numbers in launch after launch, so that what it has
/// written is still in its caches. When its share is empty, it takes from those of others.
struct Queue {
    shares: Vec<Share>,
    piece: usize,
}

/// The numbers from `next` to `end`, on a cache line of their own.
#[repr(align(128))]
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl Queue {
    fn new(numbers: Range<usize>, workers: usize, piece: usize) -> Self {
        let bound = |worker| numbers.start + numbers.len() * worker / workers;
        let share = |worker| Share {
            next: AtomicUsize::new(bound(worker)),
            end: bound(worker + 1),
        };
        Self {
            shares: (0..workers).map(share).collect(),
            piece,
        }
    }

    /// Takes the next piece.
    fn take(&self, worker: usize) -> Option<Range<usize>> {
        let (before, own) = self.shares.split_at(worker);
        own.iter()
            .chain(before)
            .find_map(|share| share.take(self.piece))
    }
}

impl Share {
    fn take(&self, piece: usize) -> Option<Range<usize>> {
        let past = |start: usize| start + piece.min(self.end - start);
        self.next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |start| {
                (start < self.end).then(|| past(start))
            })
            .ok()
            .map(|start| start..past(start))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Numbers that were taken, and how many workers took them.
    fn taken(count: usize, cost: Duration) -> (Vec<usize>, usize) {
        let (taken, workers) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        let shared = share(count, usize::MAX, &Sinks::default(), &|_, take| {
            workers.fetch_add(1, Ordering::Relaxed);
            while let Some(piece) = take() {
                thread::sleep(cost * piece.len() as u32);
                taken.lock().expect("nothing panics").extend(piece);
            }
            Ok(())
        });
        assert_eq!(shared, Ok(()));
        let mut taken = taken.into_inner().expect("nothing panics");
        taken.sort_unstable();
        (taken, workers.into_inner())
    }

    #[test]
    fn each_number_is_taken_once() {
        for count in [0, 1, 2, 100] {
            let all: Vec<usize> = (0..count).collect();
            assert_eq!(taken(count, Duration::ZERO).0, all);
            assert_eq!(taken(count, Duration::from_micros(100)).0, all);
        }
    }

    #[test]
    fn a_single_number_wakes_nobody() {
        assert_eq!(taken(1, Duration::from_millis(1)).1, 1);
    }

    #[test]
    fn costly_work_is_shared() {
        // The calling thread, alone and then with the others.
        let workers = taken(50, Duration::from_millis(1)).1;
        assert_eq!(workers, 1 + apart::count());
    }
}
