//! Profiles: what a view's device and the host did, and when.
//!
//! [`AcceleratorView::profile`] makes a [`Profile`] of what its closure does on the view:
//! each launch and each transfer with the time that it took on the device, and what the
//! host's threads did for the view, above all how long they waited. C++ AMP left this to
//! Visual Studio's Concurrency Visualizer.
//!
//! All times of a profile are on one axis. A device's clock is brought onto the host's by
//! reading both at about the same time, at the profile's start and at its end. While a
//! view is profiled the commands of each of its queues run one after another, so that the
//! time of each is its own; the commands of other views are not held up.
//!
//! A view's profiler (`device/profiler.rs`) collects; `summary.rs` and `trace.rs` show.

mod summary;
mod trace;

use std::time::{Duration, Instant};

use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::device::profiler::{Place, Times};
use crate::types::error::Result;
pub use crate::types::event::{Activity, Direction, Event, Lane, LaneKind};
pub use summary::{KernelTimes, TransferTimes};

/// What happened while a view was profiled: see [`AcceleratorView::profile`].
///
/// How it is shown ([`Display`](std::fmt::Display)) is for people: a table of the kernels,
/// the transfers and the host's doings. [`write_chrome_trace`](Self::write_chrome_trace)
/// is for viewers of traces.
#[derive(Clone, Debug)]
pub struct Profile {
    begin: Instant,
    duration: Duration,
    events: Vec<Event>,
}

impl Profile {
    /// Everything that happened, in the order of its start.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The time from the start of the profile to its end.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// The two profiles as one, on one axis of time: of two views, one of which was
    /// profiled while the other one was.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, QueuingMode};
    ///
    /// let cpu = Accelerator::cpu();
    /// let [a, b] = [QueuingMode::Automatic; 2].map(|mode| cpu.create_view(mode));
    /// let (a, b) = (a?, b?);
    /// let ((sum, of_b), of_a) = a.profile(|| b.profile(|| Ok(1 + 1)))?;
    /// assert_eq!(sum, 2);
    /// let both = of_a.merge(of_b);
    /// assert!(both.events().is_empty());
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        let begin = self.begin.min(other.begin);
        let end = (self.begin + self.duration).max(other.begin + other.duration);
        let shifted = |profile: Self| {
            let by = profile.begin - begin;
            let events = profile.events.into_iter();
            events.map(move |event| Event {
                start: event.start + by,
                ..event
            })
        };
        let mut events: Vec<_> = shifted(self).chain(shifted(other)).collect();
        events.sort_by_key(|event| event.start);
        Self {
            begin,
            duration: end - begin,
            events,
        }
    }
}

impl AcceleratorView {
    /// Profiles what `work` does on this view, from any thread: returns what `work` does,
    /// and the [`Profile`]. Waits for earlier work first, and for the profiled work.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::default()?.create_view(Default::default())?;
    /// let (numbers, profile) = view.profile(|| {
    ///     let array = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
    ///     array.to_vec()
    /// })?;
    /// assert_eq!(numbers, [1, 2, 3]);
    /// println!("{profile}");
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// Outside of profiles nothing is recorded. A device without timestamps is measured
    /// from the host: from when it is given a command to when the host sees it done.
    ///
    /// # Errors
    ///
    /// What `work` returns, or as [`wait`](Self::wait).
    pub fn profile<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, Profile)> {
        self.wait()?;
        let stream = match self.backend() {
            Backend::Cpu(_) => None,
            Backend::Vulkan(stream) => Some(stream),
        };
        stream.map_or(Ok(()), |stream| stream.wait_for_transfers())?;
        let first = stream.map(|stream| stream.anchor()).transpose()?;
        let session = self.profiler().start();
        let result = work()?;
        self.wait()?;
        stream.map_or(Ok(()), |stream| stream.wait_for_transfers())?;
        let last = stream.map(|stream| stream.anchor()).transpose()?;
        let clock = stream.and_then(|stream| stream.clock(first??, last??));
        let (begin, end, notes) = session.finish();
        let events = notes.into_iter().filter_map(|note| {
            let [start, end] = match note.times {
                Times::Host(times) => times,
                Times::Ticks(ticks, bits) => clock.as_ref()?.times(ticks, bits),
            };
            Some(Event {
                lane: self.lane(&note.place),
                activity: note.activity,
                start: start.saturating_duration_since(begin),
                duration: end.saturating_duration_since(start),
            })
        });
        let mut events: Vec<_> = events.collect();
        events.sort_by_key(|event| event.start);
        let profile = Profile {
            begin,
            duration: end - begin,
            events,
        };
        Ok((result, profile))
    }

    fn lane(&self, place: &Place) -> Lane {
        let accelerator = self.accelerator();
        let on_queue = |kind, name: &str, queue: usize| Lane {
            kind,
            place: accelerator.description().into(),
            device_path: accelerator.device_path().into(),
            name: format!("view {}, {name} {queue}", self.profiler().view_number()),
        };
        match place {
            Place::Queue(queue) => on_queue(LaneKind::Queue, "queue", *queue),
            Place::Transfers(queue) => on_queue(LaneKind::Transfers, "transfers of queue", *queue),
            Place::Thread(name) => Lane {
                kind: LaneKind::Thread,
                place: "host".into(),
                device_path: String::new(),
                name: name.to_string(),
            },
        }
    }
}
