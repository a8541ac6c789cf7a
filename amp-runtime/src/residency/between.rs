//! Copies of bytes from one allocation to another, or to other bytes of the same one.
//!
//! The bytes arrive where the target's data belongs. Those of a slice, or of a view without
//! a source, may arrive on a device that has a copy of both, and then need not leave it.
//! They come from the nearest place where they are current: the same stream, another one
//! of the device, the host, another device. Nothing becomes current in the source.

use std::ops::Range;
use std::sync::{Arc, MutexGuard};

use super::copies::{Copies, DeviceCopy};
use super::{Allocation, Backend, Ranges, Source, State, out_of_memory};
use crate::device::cpu::memory::{HostMemory, zeroes};
use crate::device::vulkan::{Buffer, Milestone, Readback, Region, Stream};
use crate::types::error::Result;

/// Bytes that go from device to device by way of the host at a time.
const PORTION: usize = 16 << 20;

/// Where the bytes of a copy arrive.
enum Arrival {
    Host,
    Stream(Arc<Stream>),
}

/// The states of both allocations, which may be one, locked.
struct Both<'s> {
    target: MutexGuard<'s, State>,
    /// Nothing if it is the target.
    source: Option<MutexGuard<'s, State>>,
}

impl<'s> Both<'s> {
    /// Locks in the order of addresses, so that two copies in opposite directions do not
    /// wait for each other.
    fn lock(source: &'s Allocation<'_>, target: &'s Allocation<'_>) -> Self {
        for allocation in [source, target] {
            allocation.queue_users();
        }
        let (first, second) = (
            Arc::as_ptr(&source.directory),
            Arc::as_ptr(&target.directory),
        );
        if first == second {
            return Self {
                target: target.directory.lock(),
                source: None,
            };
        }
        if first < second {
            let source = source.directory.lock();
            let target = target.directory.lock();
            return Self {
                target,
                source: Some(source),
            };
        }
        let target = target.directory.lock();
        Self {
            target,
            source: Some(source.directory.lock()),
        }
    }

    fn source(&self) -> &State {
        self.source.as_ref().unwrap_or(&self.target)
    }
}

/// When the bytes of a copy are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// When the call returns, as far as they go to the host.
    Now,
    /// When what the call returns is complete: the call does not wait for the device, if
    /// it need not.
    Later,
}

/// What is still to be done when bytes have been sent on their way.
#[derive(Default)]
pub(crate) struct Underway {
    /// What is to be landed on the host. Until then these bytes of a copy's target are what
    /// they were.
    pub(crate) readbacks: Vec<Readback>,
    /// Buffers that commands of their streams write.
    pub(super) queued: Vec<(Arc<Stream>, Arc<Buffer>)>,
}

impl Underway {
    pub(super) fn queued(stream: &Arc<Stream>, buffer: &Arc<Buffer>) -> Self {
        Self {
            readbacks: Vec::new(),
            queued: vec![(Arc::clone(stream), Arc::clone(buffer))],
        }
    }

    /// Whether nothing is left to be done by a device.
    pub(crate) fn has_arrived(&self) -> bool {
        self.readbacks.is_empty() && self.queued.is_empty()
    }

    /// Behind all that devices have to do.
    pub(crate) fn milestones(&self) -> Result<Vec<Milestone>> {
        let queued = self.queued.iter();
        let queued = queued.map(|(stream, buffer)| stream.mark_uses(buffer));
        let readbacks = self
            .readbacks
            .iter()
            .flat_map(Readback::milestones)
            .cloned();
        queued.chain(readbacks.map(Ok)).collect()
    }
}

/// Copies bytes of an allocation to as many bytes of another, or of the same one if they are
/// disjoint.
pub(crate) fn copy(
    (source, from): (&Allocation<'_>, &Ranges),
    (target, to): (&Allocation<'_>, &Ranges),
    pace: Pace,
) -> Result<Underway> {
    let mut both = Both::lock(source, target);
    let regions = regions(from, to);
    // What has been written or queued, whether all goes well or not.
    let mut written = Ranges::default();
    let underway = match arrival(target, &both.target.copies, &both.source().copies, from) {
        Arrival::Host => {
            target.settle()?;
            let memory = target.memory()?;
            let memory = (memory, Some(target));
            let state = both.source();
            let underway = to_host(source, state, from, memory, &regions, pace, &mut written);
            both.target.copies.write_on_host(&written);
            underway
        }
        Arrival::Stream(stream) => {
            let ends = (source, target);
            let buffer = to_stream(ends, &mut both, from, &stream, &regions, &mut written);
            let state = &mut both.target;
            target.directory.written_on_stream(state, &stream, &written);
            buffer.map(|buffer| Underway::queued(&stream, &buffer))
        }
    };
    let writers = both.source().writers.clone();
    both.target.writers.add_all(&writers);
    underway
}

fn arrival(target: &Allocation<'_>, to: &Copies, from: &Copies, bytes: &Ranges) -> Arrival {
    // A stream that has ended has nothing more to give or take.
    let is_there = |stream: &Arc<Stream>| {
        !stream.has_ended() && from.missing_on_stream(stream, bytes).is_empty()
    };
    match &target.source {
        Source::Array(view) => match view.backend() {
            Backend::Vulkan(stream) => Arrival::Stream(Arc::clone(stream)),
            Backend::Cpu(_) => Arrival::Host,
        },
        Source::Host | Source::Nowhere => {
            let mut common = to.iter().map(|copy| &copy.stream);
            if let Some(stream) = common.find(|stream| is_there(stream)) {
                return Arrival::Stream(Arc::clone(stream));
            }
            let on_host = from.missing_on_host(bytes).is_empty();
            let mut streams = from.iter().map(|copy| &copy.stream);
            match streams.find(|stream| is_there(stream)) {
                Some(stream) if !on_host && matches!(target.source, Source::Nowhere) => {
                    Arrival::Stream(Arc::clone(stream))
                }
                _ => Arrival::Host,
            }
        }
    }
}

/// Copies regions of an allocation to memory of the host, which is that of `target` if it is of an
/// allocation. `written` becomes what has been written or queued there, if it fails too.
pub(super) fn to_host(
    source: &Allocation<'_>,
    state: &State,
    from: &Ranges,
    (memory, target): (&HostMemory<'_>, Option<&Allocation<'_>>),
    regions: &[Region],
    pace: Pace,
    written: &mut Ranges,
) -> Result<Underway> {
    let mut underway = Underway::default();
    let host_first = pace == Pace::Now || source.is_settled();
    let rank = |stream: Option<&Arc<Stream>>| u32::from(stream.is_some() == host_first);
    for (place, there) in state.copies.places(from.clone(), rank) {
        let regions = within(regions, &there);
        match place {
            None => {
                let bytes = source.memory()?;
                source.settle()?;
                for region in &regions {
                    let piece = bytes.bytes(region.from..region.from + region.bytes);
                    memory.refill(place_of(region)).copy_from_slice(piece);
                }
                written.insert(&places_of(&regions));
            }
            Some(copy)
                if let Some(target) = target
                    && let Some((here, pinned)) = target.pinned(&copy.stream) =>
            {
                here.copy(pinned, &copy.stream, &copy.buffer, &regions)?;
                written.insert(&places_of(&regions));
                underway.queued.push((Arc::clone(here), Arc::clone(pinned)));
                // The host has to look for it to arrive.
                target.directory.epoch.advance();
            }
            Some(DeviceCopy { stream, buffer, .. }) => {
                let pieces = || {
                    let pieces = regions.iter();
                    let pieces = pieces.map(|region| (region.from as u64, place_of(region)));
                    pieces.collect()
                };
                if pace == Pace::Later
                    && !stream.has_at_hand(buffer)
                    && let Some(readback) = stream.send_for(buffer, pieces())?
                {
                    underway.readbacks.push(readback);
                    continue;
                }
                let mut places = Vec::new();
                let delivered = stream.deliver(buffer, pieces(), |place: Range<usize>| {
                    places.push(place.clone());
                    memory.refill(place)
                });
                written.insert(&places.into_iter().collect());
                delivered?;
            }
        }
    }
    Ok(underway)
}

/// Copies regions of an allocation to the target's copy on a stream. `written` becomes what has
/// been queued there, if it fails too.
fn to_stream(
    (source, target): (&Allocation<'_>, &Allocation<'_>),
    both: &mut Both<'_>,
    from: &Ranges,
    stream: &Arc<Stream>,
    regions: &[Region],
    written: &mut Ranges,
) -> Result<Arc<Buffer>> {
    let buffer = target.copy_on(&mut both.target, stream)?;
    let rank = |place: Option<&Arc<Stream>>| match place {
        Some(other) if Arc::ptr_eq(other, stream) => 0,
        Some(other) if other.is_beside(stream) => 1,
        None => 2,
        Some(_) => 3,
    };
    for (place, there) in both.source().copies.places(from.clone(), rank) {
        let regions = within(regions, &there);
        match place {
            None if let Some((here, pinned)) = source.pinned(stream) => {
                stream.copy(&buffer, here, pinned, &regions)?;
                written.insert(&places_of(&regions));
                // The host has to look before it writes: the copy may be under way.
                source.directory.epoch.advance();
            }
            None => {
                let memory = source.memory()?;
                source.settle()?;
                let pieces = regions.iter().map(|region| {
                    let bytes = memory.bytes(region.from..region.from + region.bytes);
                    (region.to as u64, bytes)
                });
                let mut sent = 0;
                let result = stream.upload_soon(&buffer, &pieces.collect::<Vec<_>>(), &mut sent);
                written.insert(&places_of(&first(&regions, sent)));
                result?;
            }
            Some(copy) if copy.stream.is_beside(stream) => {
                stream.copy(&buffer, &copy.stream, &copy.buffer, &regions)?;
                written.insert(&places_of(&regions));
            }
            Some(copy) => {
                for portion in portions(&regions) {
                    let mut sent = 0;
                    let upload =
                        |pieces: &[(u64, &[u8])]| stream.upload_some(&buffer, pieces, &mut sent);
                    let result = by_host(copy, upload, &portion);
                    written.insert(&places_of(&first(&portion, sent)));
                    result?;
                }
            }
        }
    }
    Ok(buffer)
}

/// Hands `upload` the bytes of some regions that another device has.
fn by_host(
    copy: &DeviceCopy,
    upload: impl FnOnce(&[(u64, &[u8])]) -> Result<()>,
    regions: &[Region],
) -> Result<()> {
    let bytes = regions.iter().map(|region| region.bytes).sum();
    let mut staged = zeroes(bytes).ok_or_else(|| out_of_memory(bytes))?;
    let (mut down, mut up) = (Vec::new(), Vec::new());
    let mut rest = &mut staged[..];
    for region in regions {
        let (piece, behind) = rest.split_at_mut(region.bytes);
        down.push((region.from as u64, piece));
        rest = behind;
    }
    copy.stream.download(&copy.buffer, down)?;
    let mut rest = &staged[..];
    for region in regions {
        let (piece, behind) = rest.split_at(region.bytes);
        up.push((region.to as u64, piece));
        rest = behind;
    }
    upload(&up)
}

/// What lies together in both, in ascending order.
pub(super) fn regions(from: &Ranges, to: &Ranges) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut places = to.iter();
    let mut place = 0..0;
    for mut range in from.iter() {
        while !range.is_empty() {
            if place.is_empty() {
                match places.next() {
                    Some(next) => place = next,
                    None => return regions,
                }
            }
            let bytes = range.len().min(place.len());
            regions.push(Region {
                from: range.start,
                to: place.start,
                bytes,
            });
            range.start += bytes;
            place.start += bytes;
        }
    }
    regions
}

/// Where the bytes of a region arrive.
fn place_of(region: &Region) -> Range<usize> {
    region.to..region.to + region.bytes
}

fn places_of(regions: &[Region]) -> Ranges {
    regions.iter().map(place_of).collect()
}

/// The first bytes of regions.
pub(super) fn first(regions: &[Region], mut bytes: usize) -> Vec<Region> {
    let mut parts = Vec::new();
    for &region in regions {
        if bytes == 0 {
            break;
        }
        let some = region.bytes.min(bytes);
        parts.push(Region {
            bytes: some,
            ..region
        });
        bytes -= some;
    }
    parts
}

/// Regions as far as they come from `some`.
pub(super) fn within(regions: &[Region], some: &Ranges) -> Vec<Region> {
    let mut parts = Vec::new();
    for region in regions {
        let whole = Ranges::of(region.from..region.from + region.bytes);
        for part in some.intersection(&whole).iter() {
            parts.push(Region {
                from: part.start,
                to: region.to + (part.start - region.from),
                bytes: part.len(),
            });
        }
    }
    parts
}

/// Regions in groups of few bytes each.
fn portions(regions: &[Region]) -> Vec<Vec<Region>> {
    let mut portions: Vec<(usize, Vec<Region>)> = Vec::new();
    for &(mut region) in regions {
        while region.bytes > 0 {
            if portions.last().is_none_or(|(size, _)| *size == PORTION) {
                portions.push((0, Vec::new()));
            }
            let Some((size, portion)) = portions.last_mut() else {
                break;
            };
            let bytes = region.bytes.min(PORTION - *size);
            portion.push(Region { bytes, ..region });
            *size += bytes;
            region.from += bytes;
            region.to += bytes;
            region.bytes -= bytes;
        }
    }
    portions.into_iter().map(|(_, portion)| portion).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(regions: &[Region]) -> Vec<[usize; 3]> {
        let numbers = |region: &Region| [region.from, region.to, region.bytes];
        regions.iter().map(numbers).collect()
    }

    #[test]
    fn regions_end_where_either_side_does() {
        let from: Ranges = [0..10, 20..30].into_iter().collect();
        let to: Ranges = [100..104, 110..126].into_iter().collect();
        let all = regions(&from, &to);
        assert_eq!(parts(&all), [[0, 100, 4], [4, 110, 6], [20, 116, 10]]);
        let some: Ranges = [2..5, 9..22].into_iter().collect();
        let some = within(&all, &some);
        assert_eq!(
            parts(&some),
            [[2, 102, 2], [4, 110, 1], [9, 115, 1], [20, 116, 2]]
        );
    }

    #[test]
    fn the_first_bytes_are_of_the_first_regions() {
        let from: Ranges = [0..10, 20..30].into_iter().collect();
        let all = regions(&from, &from);
        assert!(first(&all, 0).is_empty());
        assert_eq!(parts(&first(&all, 12)), [[0, 0, 10], [20, 20, 2]]);
        assert_eq!(first(&all, 20), all);
    }

    #[test]
    fn portions_are_full_but_for_the_last() {
        let regions = [(0, PORTION + 1), (3 * PORTION, PORTION / 2)];
        let regions = regions.map(|(from, bytes)| Region {
            from,
            to: from + 7,
            bytes,
        });
        let portions = portions(&regions);
        assert_eq!(parts(&portions[0]), [[0, 7, PORTION]]);
        assert_eq!(
            parts(&portions[1]),
            [
                [PORTION, PORTION + 7, 1],
                [3 * PORTION, 3 * PORTION + 7, PORTION / 2]
            ]
        );
    }
}
