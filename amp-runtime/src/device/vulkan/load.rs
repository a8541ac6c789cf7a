//! Loads: pieces of host memory as they travel together through a chunk of staging memory.

use std::ops::Range;
use std::sync::Arc;

use ash::vk;

use super::buffer::Buffer;
use super::buffer::staging::Class;

/// Regions of one copy command; far more than this and drivers take long over it.
pub(super) const REGIONS: usize = 4096;

/// Host memory that can be cut.
pub(crate) trait Bytes: Sized {
    fn len(&self) -> usize;
    fn cut(self, at: usize) -> (Self, Self);
}

impl Bytes for &[u8] {
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl Bytes for &mut [u8] {
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// Where in a destination they go.
impl Bytes for Range<usize> {
    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let middle = self.start + at;
        (self.start..middle, middle..self.end)
    }
}

/// Pieces that fill a chunk at most.
pub(super) struct Load<B> {
    /// Each with its offset in the chunk.
    pieces: Vec<(u64, B)>,
    /// What the device copies: `src_offset` in its buffer, `dst_offset` in the chunk.
    regions: Vec<vk::BufferCopy>,
    /// Bytes of the chunk that it takes.
    pub(super) bytes: u64,
    /// How many it may take.
    room: u64,
    /// The chunk that it needs.
    pub(super) class: Class,
}

/// Shares the pieces of a transfer, which come with their offsets in the device's buffer in
/// ascending order, out to chunks of one class. Pieces at most `gap` bytes apart are one region, and
/// the bytes between them travel too.
pub(super) fn loads<B: Bytes>(pieces: Vec<(u64, B)>, gap: u64) -> Vec<Load<B>> {
    let bytes = pieces.iter().map(|(_, piece)| piece.len() as u64).sum();
    let class = Class::of_transfer(bytes);
    let room = |before, left| room(before, left).min(class.bytes());
    share(pieces, bytes, gap, |before, left| {
        Load::new(class, room(before, left))
    })
}

/// The bytes that a load may have, when so many have been shared out and so many are left. The
/// device waits for the first load, and the host for the last: they are short.
fn room(before: u64, left: u64) -> u64 {
    let most = before.min(left / 2);
    let least = Class::Medium.bytes();
    (most / least * least).max(least)
}

/// Shares pieces that have so many bytes out to loads, of which `next` makes the next one when so
/// many bytes have been shared out and so many are left.
fn share<B: Bytes>(
    pieces: Vec<(u64, B)>,
    bytes: u64,
    gap: u64,
    next: impl Fn(u64, u64) -> Load<B>,
) -> Vec<Load<B>> {
    let mut loads: Vec<Load<B>> = Vec::new();
    let (mut before, mut left) = (0, bytes);
    for (mut offset, mut piece) in pieces {
        while piece.len() > 0 {
            let started = loads.last_mut().and_then(|load| {
                let start = load.reach(offset, gap)?;
                Some((load, start))
            });
            let Some((load, start)) = started else {
                loads.push(next(before, left));
                continue;
            };
            let bytes = (load.room - start).min(piece.len() as u64);
            let (part, rest) = piece.cut(bytes as usize);
            load.pieces.push((start, part));
            load.bytes = start + bytes;
            (before, left) = (before + bytes, left.saturating_sub(bytes));
            if let Some(region) = load.regions.last_mut() {
                region.size = offset + bytes - region.src_offset;
            }
            (offset, piece) = (offset + bytes, rest);
        }
    }
    loads
}

impl<B> Load<B> {
    fn new(class: Class, room: u64) -> Self {
        Self {
            pieces: Vec::new(),
            regions: Vec::new(),
            bytes: 0,
            room,
            class,
        }
    }

    /// Where in the chunk the bytes from `offset` of the device's buffer on go, if there is
    /// room; the last region is theirs then.
    fn reach(&mut self, offset: u64, gap: u64) -> Option<u64> {
        if let Some(last) = self.regions.last() {
            let skipped = offset - (last.src_offset + last.size);
            if skipped <= gap {
                let start = self.bytes + skipped;
                return (start < self.room).then_some(start);
            }
        }
        if self.bytes >= self.room {
            return None;
        }
        self.regions.push(vk::BufferCopy {
            src_offset: offset,
            dst_offset: self.bytes,
            size: 0,
        });
        Some(self.bytes)
    }

    /// The pieces, each with its offset in the chunk.
    pub(super) fn pieces(&self) -> &[(u64, B)] {
        &self.pieces
    }

    /// As [`pieces`](Self::pieces), by value.
    pub(super) fn into_pieces(self) -> Vec<(u64, B)> {
        self.pieces
    }

    /// The regions of a copy from the device's buffer to the start of a chunk.
    pub(super) fn to_chunk(&self) -> Vec<vk::BufferCopy> {
        self.regions.clone()
    }

    /// The regions of a copy from a chunk, where the load starts at `start`, to the
    /// device's buffer.
    pub(super) fn to_buffer(&self, start: u64) -> Vec<vk::BufferCopy> {
        let turned = self.regions.iter().map(|region| vk::BufferCopy {
            src_offset: region.dst_offset + start,
            dst_offset: region.src_offset,
            size: region.size,
        });
        turned.collect()
    }
}

impl Load<&[u8]> {
    /// Copies the pieces to a chunk, where the load starts at `start`.
    pub(super) fn fill(&self, chunk: &Arc<Buffer>, start: u64) {
        for (offset, piece) in &self.pieces {
            // SAFETY: the room in the chunk is new or ours, so nothing else uses it.
            unsafe { chunk.write(start + offset, piece) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The regions of a load, and the offsets and lengths of its pieces.
    type Plan = (Vec<[u64; 3]>, Vec<[u64; 2]>);

    fn plan(pieces: &[(u64, usize)], room: u64, gap: u64) -> Vec<Plan> {
        let data = [0; 100];
        let pieces = pieces
            .iter()
            .map(|&(offset, bytes)| (offset, &data[..bytes]));
        let plan = share(pieces.collect(), 0, gap, |_, _| {
            Load::new(Class::Small, room)
        });
        let plan = plan.into_iter().map(|load| {
            let regions = load.regions.iter();
            let regions = regions.map(|region| [region.src_offset, region.dst_offset, region.size]);
            let pieces = load.pieces.iter();
            let pieces = pieces.map(|(offset, piece)| [*offset, piece.len() as u64]);
            (regions.collect(), pieces.collect())
        });
        plan.collect()
    }

    #[test]
    fn pieces_fill_one_chunk_after_the_other() {
        assert_eq!(
            plan(&[(0, 10), (20, 5)], 8, 0),
            [
                (vec![[0, 0, 8]], vec![[0, 8]]),
                (vec![[8, 0, 2], [20, 2, 5]], vec![[0, 2], [2, 5]]),
            ]
        );
    }

    #[test]
    fn the_first_and_the_last_loads_are_short() {
        let sizes = |mebibytes: usize| {
            let loads = loads(vec![(0, 0..mebibytes << 20)], 0).into_iter();
            let sizes = loads.map(|load| load.bytes >> 20);
            sizes.collect::<Vec<_>>()
        };
        assert_eq!(sizes(40), [1, 1, 2, 4, 8, 8, 8, 4, 2, 1, 1]);
        assert_eq!(sizes(3), [1, 1, 1]);
        assert_eq!(loads(vec![(0, 0..1000)], 0)[0].class, Class::Small);
    }

    #[test]
    fn near_pieces_are_one_region() {
        assert_eq!(
            plan(&[(4, 4), (10, 4), (30, 4)], 100, 4),
            [(vec![[4, 0, 10], [30, 10, 4]], vec![[0, 4], [6, 4], [10, 4]])]
        );
        // The gap has no room.
        assert_eq!(
            plan(&[(0, 7), (10, 4)], 8, 4),
            [
                (vec![[0, 0, 7]], vec![[0, 7]]),
                (vec![[10, 0, 4]], vec![[0, 4]])
            ]
        );
    }

    #[test]
    fn many_regions_fill_one_chunk() {
        let pieces: Vec<_> = (0..5000).map(|at| (2 * at, 1)).collect();
        let plan = plan(&pieces, 1 << 20, 0);
        assert_eq!((plan.len(), plan[0].0.len()), (1, 5000));
    }
}
