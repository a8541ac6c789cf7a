//! Running a launch apart from the threads of our caller.
//!
//! A worker of rayon that waits for a launch takes up other work meanwhile. If its caller
//! holds a lock, that work may want the same one, and then nobody goes on. So who launches
//! with a lock held launches [`apart`]: on threads that run nothing else, while the caller
//! sleeps.

use std::sync::OnceLock;
use std::{panic, thread};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};

/// Runs work on threads of its own, and sleeps meanwhile.
pub(crate) fn apart(work: &(dyn Fn() -> Result<()> + Sync)) -> Result<()> {
    let pool = launchers().ok_or_else(|| Error::Driver {
        operation: "starting threads for recorded launches",
        reason: "the system has none left".into(),
    })?;
    if rayon::current_thread_index().is_none() {
        return pool.install(work);
    }
    // Another pool's worker would not sleep.
    thread::scope(|scope| {
        let done = scope.spawn(|| pool.install(work)).join();
        done.unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}

/// The threads, started when they are first needed.
fn launchers() -> Option<&'static ThreadPool> {
    static LAUNCHERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let pool = ThreadPoolBuilder::new().thread_name(|number| format!("amp replay {number}"));
        pool.build().ok()
    };
    LAUNCHERS.get_or_init(start).as_ref()
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
            let mut count = count.lock().expect("nobody panics");
            let share = || {
                (0..100)
                    .into_par_iter()
                    .with_max_len(1)
                    .for_each(|_| thread::yield_now());
                Ok(())
            };
            apart(&share).expect("it can be run");
            *count += 1;
        });
        assert_eq!(count.into_inner().expect("nobody panics"), 64);
    }
}
