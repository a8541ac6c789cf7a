//! Timing each command while its view is profiled: two timestamps around it.
//!
//! A barrier keeps a timed command from starting before those in front of it are complete,
//! so that its time is its own. A queue without timestamps is timed from the host: by when
//! the batch went out and when it was seen to be complete.

use std::sync::Arc;
use std::time::Instant;

use ash::vk;

use super::super::device::Device;
use super::Stream;
use super::queries::Queries;
use super::role::Role;
use crate::device::profiler::{Note, Place, Profiler, Times};
use crate::types::event::{Activity, Direction};

/// Timestamps of a pool: enough for a full batch of launches.
const QUERIES: u32 = 512;

/// What a recorder times with.
pub(super) struct Timing {
    profiler: Arc<Profiler>,
    role: Role,
    /// Valid bits of the queue's timestamps, 0 if there are none.
    bits: u32,
    /// Pools that no batch uses.
    spare: Vec<Arc<Queries>>,
    /// When the last batch that was timed from the host was seen to be complete.
    seen: Option<Instant>,
}

/// The timed commands of a batch.
#[derive(Default)]
pub(super) struct Timed {
    commands: Vec<Command>,
    /// The pools, the one in use last.
    pools: Vec<Arc<Queries>>,
    /// Queries of the pool in use that are taken.
    taken: u32,
    /// When the batch went out.
    sent: Option<Instant>,
}

struct Command {
    place: Place,
    activity: Activity,
    stamps: Option<Stamps>,
}

/// The place of two timestamps: a pool of the batch, and the first query.
#[derive(Clone, Copy)]
struct Stamps {
    pool: usize,
    first: u32,
}

/// A command that is being timed.
pub(super) struct Started(Option<Stamps>);

impl Timing {
    pub(super) fn new(profiler: &Arc<Profiler>, device: &Device, role: Role) -> Self {
        let facts = &device.facts;
        let bits = match (role, facts.transfers) {
            (Role::Kernels, _) => facts.tick_bits,
            (Role::Transfers, Some(queue)) if facts.resets_queries => queue.tick_bits,
            (Role::Transfers, _) => 0,
        };
        Self {
            profiler: Arc::clone(profiler),
            role,
            bits: facts.tick.map_or(0, |_| bits),
            spare: Vec::new(),
            seen: None,
        }
    }

    /// Starts to time the next command of a batch, if the view is profiled. A device that
    /// has no more timestamps runs it all the same.
    pub(super) fn start(
        &mut self,
        device: &Arc<Device>,
        commands: vk::CommandBuffer,
        timed: &mut Timed,
    ) -> Option<Started> {
        if !self.profiler.is_on() {
            return None;
        }
        if self.bits == 0 {
            return Some(Started(None));
        }
        let is_full = |pool: &Arc<Queries>| timed.taken + 2 > pool.count;
        if timed.pools.last().is_none_or(is_full) {
            let pool = match self.spare.pop() {
                Some(pool) => pool,
                None => match Queries::new(device, QUERIES) {
                    Ok(pool) => pool,
                    Err(error) => {
                        tracing::warn!(%error, "a command is not timed");
                        return None;
                    }
                },
            };
            // SAFETY: the command buffer is being recorded by this thread alone (the
            // recorder's lock), and the batch holds the pool; no other one uses it.
            unsafe {
                match self.role {
                    Role::Kernels => pool.reset(commands),
                    Role::Transfers => pool.reset_now(),
                }
            }
            timed.pools.push(pool);
            timed.taken = 0;
        }
        let pool = timed.pools.len() - 1;
        let first = timed.taken;
        timed.taken += 2;
        // SAFETY: as above.
        unsafe {
            device.raw().cmd_pipeline_barrier(
                commands,
                self.role.stages(),
                self.role.stages(),
                vk::DependencyFlags::empty(),
                &[],
                &[],
                &[],
            );
            timed.pools[pool].stamp(commands, first);
        }
        Some(Started(Some(Stamps { pool, first })))
    }

    /// Stops to time a command, which was this.
    pub(super) fn stop(
        &mut self,
        Started(stamps): Started,
        commands: vk::CommandBuffer,
        timed: &mut Timed,
        (place, activity): (Place, Activity),
    ) {
        if let Some(Stamps { pool, first }) = stamps {
            // SAFETY: as in `start`.
            unsafe { timed.pools[pool].stamp(commands, first + 1) };
        }
        timed.commands.push(Command {
            place,
            activity,
            stamps,
        });
    }

    /// Notes that a batch goes out.
    pub(super) fn send(timed: &mut Timed) {
        if !timed.commands.is_empty() {
            timed.sent = Some(Instant::now());
        }
    }

    /// Reads the times of a batch that is complete.
    pub(super) fn settle(&mut self, timed: Timed) {
        for command in timed.commands {
            let times = match command.stamps {
                Some(Stamps { pool, first }) => match timed.pools[pool].read(first) {
                    Ok(stamps) => Times::Ticks(stamps, self.bits),
                    Err(error) => {
                        tracing::warn!(%error, "a command's time is not known");
                        continue;
                    }
                },
                None => {
                    let now = Instant::now();
                    let sent = timed.sent.unwrap_or(now);
                    // The batch before kept this one from starting.
                    let start = self.seen.map_or(sent, |seen| seen.max(sent));
                    self.seen = Some(now);
                    Times::Host([start, now])
                }
            };
            self.profiler.add(Note {
                place: command.place,
                activity: command.activity,
                times,
            });
        }
        self.spare.extend(timed.pools);
    }
}

impl Stream {
    /// Moves bytes on this thread, which profiles see as a transfer.
    pub(super) fn time_transfer<R>(
        &self,
        direction: Direction,
        bytes: usize,
        work: impl FnOnce() -> R,
    ) -> R {
        let bytes = bytes as u64;
        let what = || {
            (
                Place::Transfers(self.queue),
                Activity::Transfer { direction, bytes },
            )
        };
        self.profiler.timed(what, work)
    }

    /// Copies bytes on this thread that the device moves too.
    pub(in crate::device::vulkan) fn time_staging<R>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> R,
    ) -> R {
        let what = || (Place::here(), Activity::Staging { bytes });
        self.profiler.timed(what, work)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::super::adapter::Adapter;
    use super::super::super::search::{adapters_with_clock, discrete_adapters};
    use super::super::super::validation_messages;
    use crate::array::Array;
    use crate::device::accelerator::Accelerator;
    use crate::device::accelerator::view::QueuingMode;
    use crate::profile::Profile;
    use crate::types::event::{Activity, Direction, LaneKind};

    /// More than a load, so that it goes by the queue for transfers.
    const BYTES: u64 = 40 << 20;

    /// Moves many bytes to a view and back.
    fn profile(adapter: Adapter) -> Profile {
        let accelerator = Accelerator::new_vulkan(adapter);
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let data = vec![7_u8; BYTES as usize];
        let work = || {
            let array = Array::builder(data.len()).on(&view).data(&data).build()?;
            array.to_vec()
        };
        let (back, profile) = view.profile(work).unwrap();
        assert!(back == data);
        profile
    }

    fn assert_complete(profile: &Profile) {
        let [up, down] = &profile.transfers()[..] else {
            panic!("{profile}");
        };
        assert_eq!((up.direction, up.bytes), (Direction::Upload, BYTES));
        assert_eq!((down.direction, down.bytes), (Direction::Download, BYTES));
        // The clocks are read one after the other, and the thread may have to wait between.
        let end = profile.duration() + Duration::from_secs(1);
        for event in profile.events() {
            assert!(event.duration > Duration::ZERO, "{event:?}");
            assert!(event.start + event.duration <= end, "{event:?}");
        }
    }

    #[test]
    fn staged_bytes_are_timed_on_the_device_and_on_the_host() {
        for adapter in discrete_adapters() {
            let profile = profile(adapter);
            assert_complete(&profile);
            let staged = profile.events().iter().map(|event| match event.activity {
                Activity::Staging { bytes } => {
                    assert_eq!(event.lane.kind, LaneKind::Thread);
                    bytes
                }
                _ => 0,
            });
            assert_eq!(staged.sum::<u64>(), 2 * BYTES);
            let moved = profile.transfers();
            assert!(moved.iter().all(|it| it.transfers > 1), "{profile}");
        }
        assert_eq!(validation_messages(), 0);
    }

    #[test]
    fn a_device_without_clock_is_timed_from_the_host() {
        for mut adapter in adapters_with_clock(None, 0) {
            adapter.work_elsewhere();
            let profile = profile(adapter);
            assert_complete(&profile);
            let mut end = Duration::ZERO;
            for event in profile.events() {
                if event.lane.kind == LaneKind::Transfers {
                    assert!(event.start >= end, "{profile:?}");
                    end = event.start + event.duration;
                }
            }
        }
        assert_eq!(validation_messages(), 0);
    }
}
