//! Running work apart from the threads of our caller.
//!
//! A worker of rayon that waits for work which it has shared out takes up other work
//! meanwhile. If its caller holds a lock, that work may want the same one, and then no thread
//! goes on; nor does any if the caller is no worker but all workers wait for its lock. Any
//! caller may hold one, so what is shared out runs [`apart`]: on threads that run nothing
//! else, while the caller sleeps, or on these and the caller [`together`].

use std::sync::OnceLock;
use std::{panic, thread};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use super::meeting::Meeting;
use crate::types::error::{Error, Result};

/// Runs work that shares itself out over rayon's workers on threads of its own, and sleeps
/// meanwhile.
///
/// # Errors
///
/// [`Error::Driver`] if the system has no threads left; then nothing has run.
pub(crate) fn apart<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    let pool = workers().ok_or_else(none_left)?;
    asleep(|| pool.install(work))
}

/// Runs `work` on the calling thread, as number 0, and on others that are free before it returns, on
/// `count` in all, and waits until all have returned.
///
/// # Errors
///
/// As [`apart`].
pub(super) fn together(count: usize, work: &(dyn Fn(usize) + Sync)) -> Result<()> {
    if count <= 1 {
        work(0);
        return Ok(());
    }
    let pool = workers().ok_or_else(none_left)?;
    asleep(|| {
        let meeting = Meeting::new(work);
        for number in 1..count {
            let meeting = meeting.clone();
            pool.spawn(move || meeting.join(number));
        }
        meeting.hold();
    })
}

/// Runs work that waits for workers of our pool where it sleeps meanwhile: here, unless the calling
/// thread is another pool's worker, which would not sleep.
fn asleep<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    if rayon_core::current_thread_index().is_none() {
        return Ok(work());
    }
    thread::scope(|scope| {
        let sleeper = thread::Builder::new().name("amp launch".into());
        let done = sleeper.spawn_scoped(scope, work);
        let done = done.map_err(|_| none_left())?.join();
        Ok(done.unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}

fn none_left() -> Error {
    Error::Driver {
        operation: "starting threads for launches",
        reason: "the system has none left".into(),
    }
}

/// How many threads work that is run [`apart`] is shared out over.
pub(crate) fn count() -> usize {
    workers().map_or(1, ThreadPool::current_num_threads)
}

/// The threads, started when they are first needed.
fn workers() -> Option<&'static ThreadPool> {
    static WORKERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let pool = ThreadPoolBuilder::new().thread_name(|number| format!("amp worker {number}"));
        pool.build().ok()
    };
    WORKERS.get_or_init(start).as_ref()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

    use super::*;

    #[test]
    fn who_waits_takes_up_no_other_work() {
        let count = Mutex::new(0);
        (0..64).into_par_iter().with_max_len(1).for_each(|_| {
            let mut count = count.lock().expect("no thread panics");
            let share = || {
                (0..100)
                    .into_par_iter()
                    .with_max_len(1)
                    .for_each(|_| thread::yield_now());
            };
            apart(share).expect("it can be run");
            *count += 1;
        });
        assert_eq!(count.into_inner().expect("no thread panics"), 64);
    }
}
