//! Copies of bytes from one home to another, or to other bytes of the same one.
//!
//! The bytes arrive where the target's data belongs. Those of a slice, or of a view without
//! a source, may arrive on a device that has a copy of both, and then need not leave it.
//! They come from the nearest place where they are current: the same stream, another one
//! of the device, the host, another device. Nothing becomes current in the source.

use std::sync::{Arc, MutexGuard};

use super::copies::{Copies, DeviceCopy};
use super::{Backend, Home, Ranges, Source, State};
use crate::error::Result;
use crate::vulkan::{Region, Stream};

/// Bytes that go from device to device by way of the host at a time.
const PORTION: usize = 16 << 20;

/// Where the bytes of a copy arrive.
enum Arrival {
    Host,
    Stream(Arc<Stream>),
}

/// The states of both homes, which may be one, locked.
struct Both<'s> {
    target: MutexGuard<'s, State>,
    /// Nothing if it is the target.
    source: Option<MutexGuard<'s, State>>,
}

impl<'s> Both<'s> {
    /// Locks in the order of addresses, so that two copies in opposite directions do not
    /// wait for each other.
    fn lock(source: &'s Home<'_>, target: &'s Home<'_>) -> Self {
        let (first, second) = (Arc::as_ptr(&source.ledger), Arc::as_ptr(&target.ledger));
        if first == second {
            return Self {
                target: target.lock(),
                source: None,
            };
        }
        if first < second {
            let source = source.lock();
            let target = target.lock();
            return Self {
                target,
                source: Some(source),
            };
        }
        let target = target.lock();
        Self {
            target,
            source: Some(source.lock()),
        }
    }

    fn source(&self) -> &State {
        self.source.as_ref().unwrap_or(&self.target)
    }
}

/// Copies bytes of a home to as many bytes of another, or of the same one if they are
/// disjoint. Returns when the bytes are on the host, or on their way in the order of the
/// stream that they arrive on.
pub(crate) fn copy(
    (source, from): (&Home<'_>, &Ranges),
    (target, to): (&Home<'_>, &Ranges),
) -> Result<()> {
    let mut both = Both::lock(source, target);
    let arrival = arrival(target, &both.target.copies, &both.source().copies, from);
    let regions = regions(from, to);
    match &arrival {
        Arrival::Host => to_host(source, both.source(), from, target, &regions)?,
        Arrival::Stream(stream) => {
            to_stream(source, &mut both, from, target, stream, &regions)?;
        }
    }
    let writers = both.source().writers.clone();
    let state = &mut *both.target;
    for writer in writers {
        if !state.writers.contains(&writer) {
            state.writers.push(writer);
        }
    }
    match arrival {
        Arrival::Host => state.copies.write_on_host(to),
        Arrival::Stream(stream) => target.ledger.written_on_stream(state, &stream, to),
    }
    Ok(())
}

fn arrival(target: &Home<'_>, to: &Copies, from: &Copies, bytes: &Ranges) -> Arrival {
    let is_there = |stream| from.missing_on_stream(stream, bytes).is_empty();
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

fn to_host(
    source: &Home<'_>,
    state: &State,
    from: &Ranges,
    target: &Home<'_>,
    regions: &[Region],
) -> Result<()> {
    let memory = target.memory()?;
    target.settle()?;
    for (place, there) in state
        .copies
        .places(from.clone(), |stream| stream.is_some().into())
    {
        let regions = within(regions, &there);
        match place {
            None => {
                let bytes = source.memory()?;
                source.settle()?;
                for Region {
                    from,
                    to,
                    bytes: length,
                } in regions
                {
                    memory
                        .refill(to..to + length)
                        .copy_from_slice(bytes.bytes(from..from + length));
                }
            }
            Some(copy) if let Some((here, pinned)) = target.pinned(&copy.stream) => {
                here.copy(pinned, &copy.stream, &copy.buffer, &regions)?;
                // The host has to look for it to arrive.
                target.ledger.epoch.advance();
            }
            Some(copy) => {
                let pieces = regions.iter().map(|region| {
                    let place = memory.refill(region.to..region.to + region.bytes);
                    (region.from as u64, place)
                });
                copy.stream.download(&copy.buffer, pieces.collect())?;
            }
        }
    }
    Ok(())
}

fn to_stream(
    source: &Home<'_>,
    both: &mut Both<'_>,
    from: &Ranges,
    target: &Home<'_>,
    stream: &Arc<Stream>,
    regions: &[Region],
) -> Result<()> {
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
                // The host has to look before it writes: the copy may be under way.
                source.ledger.epoch.advance();
            }
            None => {
                let memory = source.memory()?;
                source.settle()?;
                let pieces = regions.iter().map(|region| {
                    let bytes = memory.bytes(region.from..region.from + region.bytes);
                    (region.to as u64, bytes)
                });
                stream.upload(&buffer, &pieces.collect::<Vec<_>>())?;
            }
            Some(copy) if copy.stream.is_beside(stream) => {
                stream.copy(&buffer, &copy.stream, &copy.buffer, &regions)?;
            }
            Some(copy) => {
                for portion in portions(&regions) {
                    by_host(copy, |pieces| stream.upload(&buffer, pieces), &portion)?;
                }
            }
        }
    }
    Ok(())
}

/// Hands `upload` the bytes of some regions that another device has.
fn by_host(
    copy: &DeviceCopy,
    upload: impl FnOnce(&[(u64, &[u8])]) -> Result<()>,
    regions: &[Region],
) -> Result<()> {
    let mut staged = vec![0; regions.iter().map(|region| region.bytes).sum()];
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
fn regions(from: &Ranges, to: &Ranges) -> Vec<Region> {
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

/// Regions as far as they come from `some`.
fn within(regions: &[Region], some: &Ranges) -> Vec<Region> {
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
