//! [`CompletionFuture`]: the completion of work that goes on beside the host.
//!
//! A future goes on only while somebody waits for it, polls it or asks it: then it looks
//! how far the device is, takes the bytes that have arrived to where they belong, and runs
//! what stands behind `then`. Nothing does that behind the host's back, so a future may be
//! dropped, or forgotten, at any time. One that is polled and has to wait leaves an alarm
//! with the view, which wakes its task.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use crate::error::Result;
use crate::vulkan::{Alarm, Milestone};

/// What becomes of [`copy_async`](crate::copy_async) and its kin (`completion_future`, C++
/// AMP §3.4): the result, when the work is complete.
///
/// It is a [`Future`] of a [`Result`], for any executor, and without one
/// [`wait`](Self::wait) blocks.
///
/// A destination on the host is filled while the future is waited for or polled, and by
/// nobody else. Dropping the future gives that up: what has not arrived does not arrive.
/// Work that has been queued on the device goes on, and everything that is launched later
/// finds it complete.
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
#[must_use = "the work may go on, but its errors, and bytes for the host, come when the future is waited for"]
pub struct CompletionFuture<'a> {
    task: Box<dyn Advance + 'a>,
    alarm: Arc<Alarm>,
}

/// Goes on as far as it can.
trait Advance: Send + Sync {
    /// Returns the result if it is complete. `reach` says whether a milestone is reached,
    /// or waits until it is.
    fn advance(&self, reach: &mut Reach<'_>) -> Option<Result<()>>;
}

type Reach<'r> = dyn FnMut(&Milestone) -> Result<bool> + 'r;
type Finish<'a> = Box<dyn FnOnce() -> Result<()> + Send + 'a>;
type Next<'a> = Box<dyn FnOnce() -> CompletionFuture<'a> + Send + 'a>;

/// What there is to do. Not a part of the future itself, whose lifetime could not become
/// shorter then.
struct Task<'a>(Mutex<Stage<'a>>);

enum Stage<'a> {
    /// Milestones, the last one first, and what is done when they are reached.
    Await(Vec<Milestone>, Finish<'a>),
    /// A future and what comes after it.
    Then(CompletionFuture<'a>, Next<'a>),
    /// A future that a continuation has made.
    Last(CompletionFuture<'a>),
    Done(Result<()>),
    /// A continuation has panicked.
    Broken,
}

impl Advance for Task<'_> {
    fn advance(&self, reach: &mut Reach<'_>) -> Option<Result<()>> {
        let mut stage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            *stage = match std::mem::replace(&mut *stage, Stage::Broken) {
                Stage::Await(mut milestones, finish) => match reach_all(&mut milestones, reach) {
                    Ok(true) => Stage::Done(finish()),
                    Ok(false) => {
                        *stage = Stage::Await(milestones, finish);
                        return None;
                    }
                    Err(error) => Stage::Done(Err(error)),
                },
                Stage::Then(first, next) => match first.task.advance(reach) {
                    Some(Ok(())) => Stage::Last(next()),
                    Some(Err(error)) => Stage::Done(Err(error)),
                    None => {
                        *stage = Stage::Then(first, next);
                        return None;
                    }
                },
                Stage::Last(last) => match last.task.advance(reach) {
                    Some(result) => Stage::Done(result),
                    None => {
                        *stage = Stage::Last(last);
                        return None;
                    }
                },
                Stage::Done(result) => {
                    *stage = Stage::Done(result.clone());
                    return Some(result);
                }
                Stage::Broken => {
                    panic!("a completion future was used after its continuation panicked")
                }
            }
        }
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
            task: Box::new(Task(Mutex::new(stage))),
            alarm: Arc::default(),
        }
    }

    /// Work that is over.
    pub(crate) fn done(result: Result<()>) -> Self {
        Self::new(Stage::Done(result))
    }

    /// Work that is over when milestones are reached and then `finish` is done.
    pub(crate) fn after(
        milestones: Vec<Milestone>,
        finish: impl FnOnce() -> Result<()> + Send + 'a,
    ) -> Self {
        Self::new(Stage::Await(milestones, Box::new(finish)))
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
            if let Some(result) = self.task.advance(&mut wait) {
                return result;
            }
        }
    }

    /// Whether [`wait`](Self::wait) would return at once. Takes what has arrived to where it
    /// belongs, and runs what stands behind [`then`](Self::then) and is due.
    pub fn is_ready(&self) -> bool {
        self.task.advance(&mut Milestone::is_reached).is_some()
    }

    /// What is done when the work has completed without an error: `next`, and then what
    /// that returns, which is nothing, a [`Result`], or another future.
    ///
    /// `next` runs on the thread that waits for the new future, polls it or asks whether
    /// it is ready. After an error it does not run, and the error is the new future's.
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
        let next: Next<'b> = Box::new(move || next().into_future());
        CompletionFuture::new(Stage::Then(self, next))
    }
}

/// What a continuation of a [`CompletionFuture`] may return.
pub trait Continuation<'a>: sealed::Sealed {
    #[doc(hidden)]
    fn into_future(self) -> CompletionFuture<'a>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for crate::error::Result<()> {}
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
        match self.task.advance(&mut ring) {
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
