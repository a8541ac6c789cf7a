//! A profile as a table: by kernel, by direction of transfers, and by what the host did.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::{Event, Profile};
use crate::types::event::{Activity, Direction};

/// The launches of a kernel in a profile: see [`Profile::kernels`].
///
/// ```
/// use amp_runtime::Accelerator;
///
/// let view = Accelerator::default()?.default_view()?;
/// let (_, profile) = view.profile(|| {
///     // Launches come here.
///     Ok(())
/// })?;
/// for times in profile.kernels() {
///     let rate = times.bytes as f64 / times.total.as_secs_f64();
///     println!("{}: {} times, {:.1} GB/s", times.kernel, times.launches, rate / 1e9);
/// }
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelTimes {
    /// The kernel's Rust name.
    pub kernel: Cow<'static, str>,
    /// How often it ran.
    pub launches: usize,
    /// How long all launches took together.
    pub total: Duration,
    /// How long a launch took: half of them took at most that.
    pub median: Duration,
    /// Bytes of all launches together, as in [`Activity::Launch`].
    pub bytes: u64,
}

/// The transfers of one direction in a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransferTimes {
    /// From where to where.
    pub direction: Direction,
    /// How many.
    pub transfers: usize,
    /// How long all took together.
    pub total: Duration,
    /// How long one took: half of them took at most that.
    pub median: Duration,
    /// Bytes of all together.
    pub bytes: u64,
}

/// Events of one name.
#[derive(Default)]
struct Group {
    durations: Vec<Duration>,
    bytes: u64,
}

impl Group {
    fn add(&mut self, event: &Event) {
        self.durations.push(event.duration);
        self.bytes += event.activity.bytes().unwrap_or(0);
    }

    fn total(&self) -> Duration {
        self.durations.iter().sum()
    }

    fn median(&self) -> Duration {
        let mut durations = self.durations.clone();
        durations.sort();
        let middle = durations.len().saturating_sub(1) / 2;
        durations.get(middle).copied().unwrap_or_default()
    }
}

/// The events of which `name` tells one, by it.
fn groups<'p, N: Ord>(
    profile: &'p Profile,
    name: impl Fn(&'p Activity) -> Option<N>,
) -> BTreeMap<N, Group> {
    let mut groups = BTreeMap::<N, Group>::new();
    for event in profile.events() {
        if let Some(name) = name(&event.activity) {
            groups.entry(name).or_default().add(event);
        }
    }
    groups
}

impl Profile {
    /// The kernels that ran, those first that took most.
    pub fn kernels(&self) -> Vec<KernelTimes> {
        let by_name = groups(self, |activity| match activity {
            Activity::Launch { kernel, .. } => Some(kernel),
            _ => None,
        });
        let kernels = by_name.into_iter().map(|(kernel, group)| KernelTimes {
            kernel: kernel.clone(),
            launches: group.durations.len(),
            total: group.total(),
            median: group.median(),
            bytes: group.bytes,
        });
        let mut kernels: Vec<_> = kernels.collect();
        kernels.sort_by_key(|kernel| std::cmp::Reverse(kernel.total));
        kernels
    }

    /// The transfers, by direction.
    pub fn transfers(&self) -> Vec<TransferTimes> {
        let by_direction = groups(self, |activity| match activity {
            Activity::Transfer { direction, .. } => Some(*direction),
            _ => None,
        });
        let transfers = by_direction.into_iter();
        let transfers = transfers.map(|(direction, group)| TransferTimes {
            direction,
            transfers: group.durations.len(),
            total: group.total(),
            median: group.median(),
            bytes: group.bytes,
        });
        transfers.collect()
    }

    /// How long threads of the host waited for the device, together.
    pub fn waited(&self) -> Duration {
        let waits = self.events().iter();
        let waits = waits.filter(|event| event.activity == Activity::Wait);
        waits.map(|event| event.duration).sum()
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows: Vec<[String; 5]> = Vec::new();
        let mut add = |name: &str, count: usize, total, median, bytes: Option<u64>| {
            rows.push([
                name.into(),
                count.to_string(),
                format!("{total:.1?}"),
                format!("{median:.1?}"),
                bytes.map_or("-".into(), |bytes| rate(bytes, total)),
            ]);
        };
        for it in self.kernels() {
            add(&it.kernel, it.launches, it.total, it.median, Some(it.bytes));
        }
        for it in self.transfers() {
            let name = it.direction.name();
            add(name, it.transfers, it.total, it.median, Some(it.bytes));
        }
        let replays = groups(self, |activity| match activity {
            Activity::Replay { .. } => Some(activity.name()),
            _ => None,
        });
        for (name, it) in replays {
            add(&name, it.durations.len(), it.total(), it.median(), None);
        }
        let on_host = groups(self, |activity| match activity {
            Activity::Launch { .. } | Activity::Replay { .. } | Activity::Transfer { .. } => None,
            other => Some(other.name()),
        });
        for (name, group) in on_host {
            let bytes = (group.bytes > 0).then_some(group.bytes);
            let count = group.durations.len();
            add(
                &format!("host: {name}"),
                count,
                group.total(),
                group.median(),
                bytes,
            );
        }

        write!(f, "profile of {:.1?}", self.duration())?;
        let head = ["", "count", "total", "median", "bytes/s"].map(String::from);
        let all = || std::iter::once(&head).chain(&rows);
        let widths: [usize; 5] = std::array::from_fn(|column| {
            let widths = all().map(|row| row[column].chars().count());
            widths.max().unwrap_or(0)
        });
        for row in all() {
            let [name, numbers @ ..] = row;
            write!(f, "\n  {name:<0$}", widths[0])?;
            for (number, width) in numbers.iter().zip(&widths[1..]) {
                write!(f, "  {number:>width$}")?;
            }
        }
        Ok(())
    }
}

/// Bytes in a time, for people.
fn rate(bytes: u64, time: Duration) -> String {
    if time.is_zero() {
        return "-".into();
    }
    let rate = bytes as f64 / time.as_secs_f64();
    let (factor, unit) = match rate {
        1e9.. => (1e9, "GB/s"),
        1e6.. => (1e6, "MB/s"),
        1e3.. => (1e3, "kB/s"),
        _ => (1.0, "B/s"),
    };
    format!("{:.1} {unit}", rate / factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::event::{Lane, LaneKind};
    use std::time::Instant;

    fn profile(events: Vec<(Activity, u64)>) -> Profile {
        let events = events.into_iter().map(|(activity, micros)| Event {
            lane: Lane {
                kind: LaneKind::Queue,
                place: "a GPU".into(),
                device_path: "vulkan:1".into(),
                name: "view 1, queue 0".into(),
            },
            activity,
            start: Duration::ZERO,
            duration: Duration::from_micros(micros),
        });
        Profile {
            begin: Instant::now(),
            duration: Duration::from_millis(2),
            events: events.collect(),
        }
    }

    fn launch(kernel: &'static str) -> Activity {
        Activity::Launch {
            kernel: kernel.into(),
            domain: vec![8, 4],
            bytes: 3000,
        }
    }

    #[test]
    fn kernels_come_by_their_total() {
        let profile = profile(vec![
            (launch("b"), 3),
            (launch("a"), 1),
            (launch("b"), 9),
            (Activity::Wait, 40),
            (launch("b"), 5),
            (Activity::Wait, 2),
        ]);
        let [b, a] = &profile.kernels()[..] else {
            panic!("two kernels");
        };
        assert_eq!((&*a.kernel, a.launches, a.bytes), ("a", 1, 3000));
        assert_eq!((&*b.kernel, b.launches, b.bytes), ("b", 3, 9000));
        assert_eq!(b.total, Duration::from_micros(17));
        assert_eq!(b.median, Duration::from_micros(5));
        assert_eq!(profile.waited(), Duration::from_micros(42));
    }

    #[test]
    fn the_table_is_aligned() {
        let upload = Activity::Transfer {
            direction: Direction::Upload,
            bytes: 4_000_000,
        };
        let profile = profile(vec![
            (launch("scale"), 3),
            (upload, 500),
            (Activity::Wait, 1500),
            (Activity::Wait, 200),
        ]);
        assert_eq!(
            profile.to_string(),
            "profile of 2.0ms\n\
             \x20             count    total   median   bytes/s\n\
             \x20 scale           1    3.0µs    3.0µs  1.0 GB/s\n\
             \x20 upload          1  500.0µs  500.0µs  8.0 GB/s\n\
             \x20 host: wait      2    1.7ms  200.0µs         -"
        );
    }

    #[test]
    fn rates_have_the_largest_unit() {
        let second = Duration::from_secs(1);
        assert_eq!(rate(999, second), "999.0 B/s");
        assert_eq!(rate(2_500, second), "2.5 kB/s");
        assert_eq!(rate(2_500_000, second), "2.5 MB/s");
        assert_eq!(rate(1, Duration::ZERO), "-");
    }
}
