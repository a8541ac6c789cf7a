//! [`CompletionFuture`]: the completion of work that goes on beside the host.
//!
//! A future goes on only while it is waited for, polled or asked: then it looks
//! how far the device is, takes the bytes that have arrived to where they belong, and runs
//! what stands behind `then`. Nothing does that behind the host's back, so a future may be
//! dropped, or forgotten, at any time. One that is polled and has to wait leaves an alarm
//! with the view, which wakes its task.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use crate::device::vulkan::{Alarm, Milestone};
use crate::types::error::Result;

/// The result of an asynchronous operation such as [`copy_async`](crate::copy_async)
/// (`completion_future`, C++ AMP §4.6).
///
/// It is a [`Future`] of a [`Result`], for any executor; without an executor,
/// [`wait`](Self::wait) blocks.
///
/// A destination on the host is filled only while the future is waited for or polled. Dropping
/// the future cancels that: the bytes that have not arrived do not arrive. Work that is queued
/// on the device continues, and is complete before everything that is launched later.
///
/// ```
/// use amp_runtime::{Accelerator, Array, copy_async};
///
/// let view = Accelerator::cpu().default_view()?;
/// let mut array: Array<i32, 1> = Array::builder(4).on(&view).build()?;
/// let mut out = [0; 4];
/// copy_async(&[1, 2, 3, 4], &mut array).wait()?;
/// copy_async(&array, &mut out).then(|| println!("there")).wait()?;
/// assert_eq!(out, [1, 2, 3, 4]);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[must_use = "the work may go on, but its errors, and bytes for the host, are delivered when the future is waited for"]
pub struct CompletionFuture<'a> {
    work: Box<dyn Work + 'a>,
    alarm: Arc<Alarm>,
}

/// What there is to do. Not a part of the future itself, whose lifetime could not become
/// shorter then.
trait Work: Send + Sync {
    /// Goes on as far as it can. Returns the result if it is complete. `reach` says whether a
    /// milestone is reached, or waits until it is.
    fn advance(&self, reach: &mut Reach<'_>) -> Option<Result<()>>;

    /// All that is to be done.
    fn into_stage<'b>(self: Box<Self>) -> Stage<'b>
    where
        Self: 'b;
}

type Reach<'r> = dyn FnMut(&Milestone) -> Result<bool> + 'r;
type Finish<'a> = Box<dyn FnOnce() -> Result<()> + Send + 'a>;

/// What comes after something; its lifetime can become shorter, which that of a function
/// that returns a future cannot.
trait Next: Send {
    fn run<'b>(self: Box<Self>) -> CompletionFuture<'b>
    where
        Self: 'b;
}

struct Call<'a>(Box<dyn FnOnce() -> CompletionFuture<'a> + Send + 'a>);

impl Next for Call<'_> {
    fn run<'b>(self: Box<Self>) -> CompletionFuture<'b>
    where
        Self: 'b,
    {
        (self.0)()
    }
}

/// How far the work has come. A list and not a tree: neither going on nor letting go of a
/// long chain recurses.
struct Stage<'a> {
    now: Now<'a>,
    /// What comes after it, one after the other.
    then: VecDeque<Box<dyn Next + 'a>>,
}

enum Now<'a> {
    /// Milestones, the last one first, and what is done when they are reached.
    Await(Vec<Milestone>, Finish<'a>),
    Done(Result<()>),
    /// A thread goes on with it.
    Busy,
    /// A continuation has panicked.
    Broken,
}

struct Task<'a>(Mutex<Stage<'a>>);

impl<'a> Task<'a> {
    fn lock(&self) -> MutexGuard<'_, Stage<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The stage, unless another thread has it.
    fn take(&self) -> Option<Taken<'_, 'a>> {
        let mut stage = self.lock();
        let busy = Stage {
            now: Now::Busy,
            then: VecDeque::new(),
        };
        match stage.now {
            Now::Busy => None,
            _ => Some(Taken {
                task: self,
                stage: std::mem::replace(&mut *stage, busy),
            }),
        }
    }
}

/// A stage in the hands of who goes on with it, without the lock: what it calls may ask for
/// the future again. It returns to its task in the end.
struct Taken<'t, 'a> {
    task: &'t Task<'a>,
    stage: Stage<'a>,
}

impl Drop for Taken<'_, '_> {
    fn drop(&mut self) {
        std::mem::swap(&mut *self.task.lock(), &mut self.stage);
    }
}

impl Work for Task<'_> {
    fn advance(&self, reach: &mut Reach<'_>) -> Option<Result<()>> {
        let mut taken = self.take()?;
        let stage = &mut taken.stage;
        loop {
            let result = match std::mem::replace(&mut stage.now, Now::Broken) {
                Now::Await(mut milestones, finish) => match reach_all(&mut milestones, reach) {
                    Ok(true) => finish(),
                    Ok(false) => {
                        stage.now = Now::Await(milestones, finish);
                        return None;
                    }
                    Err(error) => Err(error),
                },
                Now::Done(result) => result,
                Now::Busy | Now::Broken => {
                    panic!("a completion future was used after its continuation panicked")
                }
            };
            let next = match &result {
                Ok(()) => stage.then.pop_front(),
                Err(_) => None,
            };
            let Some(next) = next else {
                stage.now = Now::Done(result.clone());
                stage.then.clear();
                return Some(result);
            };
            let Stage { now, then } = next.run().work.into_stage();
            stage.now = now;
            for next in then.into_iter().rev() {
                stage.then.push_front(next);
            }
        }
    }

    fn into_stage<'b>(self: Box<Self>) -> Stage<'b>
    where
        Self: 'b,
    {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn reach_all(milestones: &mut Vec<Milestone>, reach: &mut Reach<'_>) -> Result<bool> {
    while let Some(next) = milestones.last() {
        if !reach(next)? {
            return Ok(false);
        }
        milestones.pop();
    }
    Ok(true)
}

impl<'a> CompletionFuture<'a> {
    fn new(stage: Stage<'a>) -> Self {
        Self {
            work: Box::new(Task(Mutex::new(stage))),
            alarm: Arc::default(),
        }
    }

    fn beginning_with(now: Now<'a>) -> Self {
        Self::new(Stage {
            now,
            then: VecDeque::new(),
        })
    }

    /// Work that is over.
    pub(crate) fn done(result: Result<()>) -> Self {
        Self::beginning_with(Now::Done(result))
    }

    /// Work that is over when milestones are reached and then `finish` is done.
    pub(crate) fn after(
        milestones: Vec<Milestone>,
        finish: impl FnOnce() -> Result<()> + Send + 'a,
    ) -> Self {
        Self::beginning_with(Now::Await(milestones, Box::new(finish)))
    }

    /// Waits until the work is complete.
    ///
    /// # Errors
    ///
    /// What went wrong with the work: its arguments do not fit, a kernel that it depends
    /// on has faulted and nothing has reported that yet
    /// ([`Error::KernelFault`](crate::Error::KernelFault)), there is no memory left, the
    /// device is lost.
    pub fn wait(self) -> Result<()> {
        let mut wait = |milestone: &Milestone| milestone.wait().map(|()| true);
        loop {
            if let Some(result) = self.work.advance(&mut wait) {
                return result;
            }
        }
    }

    /// Whether [`wait`](Self::wait) would return at once. Copies the bytes that have arrived to
    /// their destination, and runs the continuations of [`then`](Self::then) that are due. While
    /// another thread does so, the result is `false`.
    pub fn is_ready(&self) -> bool {
        self.work.advance(&mut Milestone::is_reached).is_some()
    }

    /// Runs `next` when the work has completed without an error, and then waits for its result,
    /// which is `()`, a [`Result`], or another future.
    ///
    /// `next` runs on the thread that waits for the new future, polls it or asks whether
    /// it is ready. After an error it does not run, and the new future returns the error.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array, copy_async};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let first: Array<i32, 1> = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
    /// let mut second: Array<i32, 1> = Array::builder(3).on(&view).build()?;
    /// let (mut here, mut there) = ([0; 3], [0; 3]);
    /// copy_async(&first, &mut here)
    ///     .then(|| copy_async(&first, &mut second))
    ///     .wait()?;
    /// copy_async(&second, &mut there).wait()?;
    /// assert_eq!(here, there);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn then<'b, C>(self, next: impl FnOnce() -> C + Send + 'b) -> CompletionFuture<'b>
    where
        'a: 'b,
        C: Continuation<'b>,
    {
        let mut stage: Stage<'b> = self.work.into_stage();
        let next = Call(Box::new(move || next().into_future()));
        stage.then.push_back(Box::new(next));
        CompletionFuture::new(stage)
    }
}

/// What a continuation of a [`CompletionFuture`] may return: nothing, a result, or a further
/// future, which then is to be waited for, too. (C++ AMP §4.6, `then`, takes the first only.)
///
/// ```
/// use amp_runtime::{Accelerator, Array, Error, copy_async};
///
/// let view = Accelerator::default()?.default_view()?;
/// let array = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
/// let (mut first, mut second) = ([0; 3], [0; 3]);
/// let copies = copy_async(&array, &mut first)
///     .then(|| println!("one copy is there"))
///     .then(|| copy_async(&array, &mut second))
///     .then(|| Err(Error::InvalidArgument("that was enough".into())));
/// // What a continuation fails with, the future fails with.
/// assert!(matches!(copies.wait(), Err(Error::InvalidArgument(_))));
/// assert_eq!((first, second), ([1, 2, 3], [1, 2, 3]));
/// # Ok::<(), amp_runtime::Error>(())
/// ```
pub trait Continuation<'a>: sealed::Sealed {
    #[doc(hidden)]
    fn into_future(self) -> CompletionFuture<'a>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for crate::types::error::Result<()> {}
    impl Sealed for super::CompletionFuture<'_> {}
}

impl<'a> Continuation<'a> for () {
    fn into_future(self) -> CompletionFuture<'a> {
        CompletionFuture::done(Ok(()))
    }
}

impl<'a> Continuation<'a> for Result<()> {
    fn into_future(self) -> CompletionFuture<'a> {
        CompletionFuture::done(self)
    }
}

impl<'a, 'b: 'a> Continuation<'a> for CompletionFuture<'b> {
    fn into_future(self) -> CompletionFuture<'a> {
        self
    }
}

impl Future for CompletionFuture<'_> {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Before the look at the milestones: what is reached after it rings.
        self.alarm.set(context.waker());
        let mut ring = |milestone: &Milestone| {
            let reached = milestone.is_reached()?;
            if !reached {
                milestone.ring(&self.alarm);
            }
            Ok(reached)
        };
        match self.work.advance(&mut ring) {
            Some(result) => {
                self.alarm.clear();
                Poll::Ready(result)
            }
            None => Poll::Pending,
        }
    }
}

impl fmt::Debug for CompletionFuture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompletionFuture").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn done() -> CompletionFuture<'static> {
        CompletionFuture::done(Ok(()))
    }

    #[test]
    fn long_chains_do_not_recurse() {
        let count = AtomicU32::new(0);
        let chain = || {
            (0..200_000).fold(done(), |chain: CompletionFuture<'_>, number| {
                let count = &count;
                chain.then(move || assert_eq!(count.fetch_add(1, Ordering::Relaxed), number))
            })
        };
        drop(chain());
        let all = chain();
        assert!(all.is_ready());
        all.wait().unwrap();
        assert_eq!(count.load(Ordering::Relaxed), 200_000);

        fn turn(number: u32) -> CompletionFuture<'static> {
            match number {
                0 => done(),
                _ => done().then(move || turn(number - 1)).then(|| ()),
            }
        }
        turn(200_000).wait().unwrap();
    }

    #[test]
    fn continuations_of_continuations_come_first() {
        let order = Mutex::new(Vec::new());
        let say = |number: u32| {
            let order = &order;
            move || order.lock().unwrap().push(number)
        };
        let inner = || done().then(say(2)).then(say(3));
        done().then(say(1)).then(inner).then(say(4)).wait().unwrap();
        assert_eq!(*order.lock().unwrap(), [1, 2, 3, 4]);
    }

    #[test]
    fn a_continuation_may_ask_for_its_own_future() {
        let cell = Arc::new(OnceLock::<CompletionFuture<'static>>::new());
        let own = Arc::downgrade(&cell);
        let future = done().then(move || {
            let own = own.upgrade().unwrap();
            assert!(!own.get().unwrap().is_ready(), "it runs");
        });
        cell.set(future).unwrap();
        assert!(cell.get().unwrap().is_ready());
    }

    #[test]
    fn a_future_whose_continuation_panicked_is_broken() {
        let future = done().then(|| assert!(done().wait().is_err(), "on purpose"));
        let ask = || catch_unwind(AssertUnwindSafe(|| future.is_ready()));
        assert!(ask().is_err());
        let again = ask().unwrap_err();
        assert!(again.downcast_ref::<&str>().unwrap().contains("used after"));
    }
}
