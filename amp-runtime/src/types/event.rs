//! What a profile consists of.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::types::error::times;

/// Something that took time: see [`Profile::events`](crate::profile::Profile::events).
///
/// ```
/// use amp_runtime::{Accelerator, Array};
///
/// let view = Accelerator::default()?.default_view()?;
/// let (_, profile) = view.profile(|| Array::<u8, 1>::builder(1 << 20).on(&view).build())?;
/// for event in profile.events() {
///     let (lane, name) = (&event.lane.name, event.activity.name());
///     println!("{:?} {lane}: {name} took {:?}", event.start, event.duration);
/// }
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Where it took place.
    pub lane: Lane,
    /// What it was.
    pub activity: Activity,
    /// When it started, counted from the start of the profile.
    pub start: Duration,
    /// How long it took.
    pub duration: Duration,
}

/// Where something takes place: a queue, its transfers, or a thread of the host.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Lane {
    /// What it is.
    pub kind: LaneKind,
    /// The accelerator's description, or `host`.
    pub place: String,
    /// The accelerator's [`device_path`](crate::Accelerator::device_path), which tells equal
    /// devices apart; nothing for the host.
    pub device_path: String,
    /// What distinguishes it from others there: the view with the number of its queue, or
    /// the name of the thread.
    pub name: String,
}

/// What a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LaneKind {
    /// Launches, in the order of a queue.
    Queue,
    /// Transfers: those that a queue makes, and those that the host makes itself because it
    /// sees the device's memory.
    Transfers,
    /// A thread of the host.
    Thread,
}

/// What took time.
///
/// ```
/// use amp_runtime::profile::Activity;
/// use amp_runtime::{Accelerator, Array};
///
/// let view = Accelerator::default()?.default_view()?;
/// let work = || Array::builder(1000).on(&view).data(&[1_u8; 1000]).build();
/// let (_, profile) = view.profile(work)?;
/// let moved = profile.events().iter().map(|event| match event.activity {
///     Activity::Transfer { bytes, .. } => bytes,
///     _ => 0,
/// });
/// // The CPU accelerator moves nothing: it works where the bytes are.
/// assert!([0, 1000].contains(&moved.sum()));
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Activity {
    /// A kernel ran. A domain of more than 2³² points takes several of these.
    Launch {
        /// The kernel's Rust name.
        kernel: Cow<'static, str>,
        /// Its domain.
        domain: Vec<usize>,
        /// Bytes of what it was given of arrays and views to read, and of what it was given
        /// to write: what it moves if it needs each element once.
        bytes: u64,
    },
    /// A graph was replayed ([`Graph::replay`](crate::Graph::replay)), which a device takes for
    /// one command.
    Replay {
        /// How many launches it has.
        launches: u32,
    },
    /// Bytes were moved.
    Transfer {
        /// From where to where.
        direction: Direction,
        /// How many.
        bytes: u64,
    },
    /// A thread copied bytes to or from memory that the device copies from or to.
    Staging {
        /// How many.
        bytes: u64,
    },
    /// A thread waited for the device.
    Wait,
    /// A thread had the driver compile a kernel.
    Pipeline {
        /// The kernel's Rust name.
        kernel: Cow<'static, str>,
        /// Whether the driver has found it in what was kept, from earlier processes too, if it
        /// says so.
        from_cache: Option<bool>,
    },
}

/// From where to where bytes are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Direction {
    /// From the host to the device.
    Upload,
    /// From the device to the host.
    Download,
    /// Within the device, or from one to another.
    Copy,
    /// From nowhere: zeroes are written.
    Fill,
}

impl Direction {
    /// Its name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Download => "download",
            Self::Copy => "copy",
            Self::Fill => "fill",
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Activity {
    /// The name of the kernel that ran, or of what was done.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Launch { kernel, .. } => kernel.as_ref().into(),
            Self::Replay { launches: 1 } => "replay of 1 launch".into(),
            Self::Replay { launches } => format!("replay of {launches} launches").into(),
            Self::Transfer { direction, .. } => direction.name().into(),
            Self::Staging { .. } => "staging".into(),
            Self::Wait => "wait".into(),
            Self::Pipeline { kernel, .. } => format!("pipeline of {kernel}").into(),
        }
    }

    /// Bytes that were moved, if that is what took time.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Self::Launch { bytes, .. } | Self::Transfer { bytes, .. } | Self::Staging { bytes } => {
                Some(*bytes)
            }
            Self::Replay { .. } | Self::Wait | Self::Pipeline { .. } => None,
        }
    }

    /// Whether the driver says that it had what was to be compiled.
    pub(crate) fn was_cached(&self) -> Option<bool> {
        match self {
            Self::Pipeline { from_cache, .. } => *from_cache,
            _ => None,
        }
    }

    /// The domain of a launch, as people write it: `64×32`.
    pub(crate) fn domain(&self) -> Option<String> {
        match self {
            Self::Launch { domain, .. } => Some(times(domain)),
            _ => None,
        }
    }

    /// The word for its kind that a trace's viewer can search for.
    pub(crate) fn category(&self) -> &'static str {
        match self {
            Self::Launch { .. } => "launch",
            Self::Replay { .. } => "replay",
            Self::Transfer { .. } => "transfer",
            Self::Staging { .. } => "staging",
            Self::Wait => "wait",
            Self::Pipeline { .. } => "pipeline",
        }
    }
}
