//! From a compute domain to workgroups, and back from a thread to its index.
//!
//! A tile is a workgroup. An untiled domain gets workgroups of 256 threads, spread over
//! the last dimensions so that neighbours in memory are neighbours in a workgroup. Where
//! that would need more workgroups in a dimension than the device has, or would leave
//! most threads of an untiled domain idle, workgroups are numbered linearly instead
//! (`SPEC_LINEAR`). A domain of more points than one dispatch should have takes several, one
//! after the other ([`Shape::next`]).

use amp_spirv::artifact::IndexWidth;

use crate::types::error::{Error, Result, times};
use crate::types::index::checked_size;

/// Points of a domain that a `usize` of a kernel can count, so that none of its sums with an
/// extent wraps where it has 64 bits.
fn max_points(index: IndexWidth) -> u64 {
    match index {
        IndexWidth::Bits32 => u32::MAX.into(),
        IndexWidth::Bits64 => i64::MAX as u64,
    }
}

/// Elements of a view that a kernel can address: SPIR-V takes the index of an element for
/// a signed number.
pub(crate) fn max_elements(index: IndexWidth) -> u64 {
    match index {
        IndexWidth::Bits32 => i32::MAX as u64,
        IndexWidth::Bits64 => i64::MAX as u64,
    }
}

/// What to do about what does not fit a kernel's indices.
pub(crate) fn remedy(index: IndexWidth) -> &'static str {
    match index {
        IndexWidth::Bits32 => ", or write `#[amp_kernel(index = 64)]`",
        IndexWidth::Bits64 => "",
    }
}

/// Points of a dispatch, which no kernel with indices of 32 bits has more of.
pub(crate) const POINTS: u64 = 1 << 32;
/// Threads of a tile that the programming model allows.
pub(crate) const MAX_TILE_THREADS: usize = 1024;
/// Threads of a workgroup over an untiled domain.
const THREADS: u32 = 256;
/// Threads that are at least neighbours in the last dimension, if it is that long: what a
/// device needs to read memory in whole lines.
const ROW: u32 = 32;
/// The same, where that leaves hardly more threads idle. An NVIDIA H200 reads memory 4 % faster. In
/// rows of 256 it does no better, and the rows of a workgroup share less of what they read: a product
/// of matrices reaches the power limit, and takes a sixth longer.
const LONG_ROW: u32 = 64;
/// A domain in which threads run several points still has so many threads: as many as the largest
/// devices run at a time, so that none of their processors is idle.
const MOST_THREADS: u64 = 1 << 18;

/// What a device can launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Workgroups in x, y and z.
    pub(crate) groups: [u32; 3],
    /// Threads of a workgroup in x, y and z.
    pub(crate) size: [u32; 3],
    /// Threads of a workgroup.
    pub(crate) threads: u32,
    /// Bytes of tile_static memory.
    pub(crate) tile_static: u32,
    /// Points that a dispatch should have at most: [`POINTS`].
    pub(crate) points: u64,
}

/// How a domain is cut into workgroups. All triples are x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Threads of a workgroup.
    pub(crate) size: [u32; 3],
    /// Workgroups.
    pub(crate) groups: [u32; 3],
    /// Whether workgroups are numbered linearly.
    pub(crate) linear: bool,
    /// Number of workgroups with threads in the domain, of all its dispatches, if they are
    /// numbered linearly.
    pub(crate) workgroups: u64,
    /// Whether they are tiles: then all workgroups that run have threads in the domain, for
    /// their kernel has no test, around which its barriers would stand.
    pub(crate) tiled: bool,
    /// Number of this dispatch's first workgroup.
    pub(crate) first: u64,
    /// How many points of the last dimension a thread runs, where a row has so many left.
    pub(crate) lanes: u32,
    /// How many threads of its tile a thread runs, as many apart as the workgroup has threads there.
    pub(crate) merged: [u32; 3],
}

/// Checks a domain, and the tile over it, against the programming model. What only a
/// device can refuse is left to [`Shape::new`].
pub(crate) fn check_domain(
    extent: &[usize],
    tile: Option<&[usize]>,
    merged: &[u32],
    index: IndexWidth,
) -> Result<()> {
    let invalid = |message: String| Err(Error::InvalidComputeDomain(message));
    if extent.is_empty() || extent.contains(&0) {
        let truncated = tile.map_or(String::new(), |tile| {
            let tile = times(tile);
            format!(
                ", and truncate() leaves none of an extent that is smaller than the tile {tile}"
            )
        });
        return invalid(format!(
            "{} has a component of 0; every component must be at least 1{truncated}",
            times(extent)
        ));
    }
    let total = extent
        .iter()
        .try_fold(1u64, |total, &n| total.checked_mul(n as u64));
    let most = max_points(index);
    if total.is_none_or(|total| total > most) {
        return invalid(format!(
            "{} has more than {most} points; launch over parts of it{}",
            times(extent),
            remedy(index)
        ));
    }
    let Some(tile) = tile else { return Ok(()) };
    let factors = merged.iter().map(|factor| *factor as usize);
    if tile.iter().zip(factors.clone()).any(|(d, by)| d % by != 0) {
        return invalid(format!(
            "a tile of {} cannot be divided among threads that run {} of it each; use a multiple \
             of that",
            times(tile),
            times(&factors.collect::<Vec<_>>())
        ));
    }
    let most = MAX_TILE_THREADS * factors.product::<usize>();
    if checked_size(tile).is_none_or(|threads| threads > most) {
        return invalid(format!(
            "a tile of {} has more than {most} threads; use a smaller tile",
            times(tile)
        ));
    }
    if extent.iter().zip(tile).any(|(n, d)| n % d != 0) {
        return invalid(format!(
            "tile {} does not divide extent {}; use pad() or truncate() on the tiled extent",
            times(tile),
            times(extent)
        ));
    }
    Ok(())
}

impl Shape {
    /// The shape for a domain that [`check_domain`] has passed, of its first dispatch.
    ///
    /// # Errors
    ///
    /// If the device cannot run so large a tile.
    pub(crate) fn new(
        extent: &[usize],
        tile: Option<&[usize]>,
        merged: &[u32],
        limits: &Limits,
    ) -> Result<Self> {
        match tile {
            Some(tile) => Self::tiled(extent, tile, merged, limits),
            None => Ok(Self::range(extent, limits)),
        }
    }

    /// The shape for an untiled domain whose threads run several points; nothing for a domain that
    /// leaves processors of a device idle then.
    pub(crate) fn wide(extent: &[usize], lanes: u32, limits: &Limits) -> Option<Self> {
        let threads = in_lanes(extent, lanes);
        let total = threads.iter().product::<usize>() as u64;
        (total >= MOST_THREADS).then(|| Self {
            lanes,
            ..Self::range(&threads, limits)
        })
    }

    fn tiled(extent: &[usize], tile: &[usize], factors: &[u32], limits: &Limits) -> Result<Self> {
        let (mut size, mut groups, mut merged) = ([1; 3], [1; 3], [1; 3]);
        // Dimension 0 is the most significant, x the least.
        for (axis, factor) in factors.iter().rev().enumerate() {
            merged[axis] = *factor;
        }
        for (axis, (n, d)) in extent.iter().zip(tile).rev().enumerate() {
            size[axis] = *d as u32 / merged[axis];
            groups[axis] = (n / d) as u64;
        }
        let threads: u32 = size.iter().product();
        let run = size[..tile.len()].iter().rev();
        let run: Vec<usize> = run.map(|n| *n as usize).collect();
        if threads > limits.threads || (0..3).any(|axis| size[axis] > limits.size[axis]) {
            return Err(Error::UnsupportedFeature(format!(
                "a tile of {} threads, where the device runs at most {} and, from the last \
                 dimension, {}; use a smaller tile",
                times(&run),
                limits.threads,
                times(&limits.size.map(|n| n as usize)),
            )));
        }
        let workgroups = groups.iter().product::<u64>();
        let fits = (0..3).all(|axis| groups[axis] <= limits.groups[axis].into());
        if fits && workgroups <= limits.points / u64::from(threads) {
            return Ok(Self {
                size,
                groups: groups.map(|groups| groups as u32),
                linear: false,
                workgroups: 0,
                tiled: true,
                first: 0,
                lanes: 1,
                merged,
            });
        }
        Ok(Self {
            merged,
            ..Self::linear(size, workgroups, true, limits)
        })
    }

    fn range(extent: &[usize], limits: &Limits) -> Self {
        let total = extent.iter().product::<usize>() as u64;
        // A power of two: then the number of no thread wraps.
        let threads = 1 << THREADS.min(limits.threads).min(limits.size[0]).ilog2();
        let row = [threads, 1, 1];
        if total < limits.points {
            let (lengths, size) = match extent {
                [rest @ .., rows, columns] => {
                    let lengths = [*columns, *rows, rest.iter().product()];
                    let lengths = lengths.map(|length| length as u32);
                    (lengths, block(lengths, limits))
                }
                _ => ([total as u32, 1, 1], row),
            };
            let groups = [0, 1, 2].map(|axis| lengths[axis].div_ceil(size[axis]));
            let fits = (0..3).all(|axis| groups[axis] <= limits.groups[axis]);
            let threads = [0, 1, 2].map(|axis| u64::from(groups[axis]) * u64::from(size[axis]));
            let idle = extent.len() > 1 && threads.iter().product::<u64>() > 2 * total;
            if fits && !idle {
                return Self {
                    size,
                    groups,
                    linear: false,
                    workgroups: 0,
                    tiled: false,
                    first: 0,
                    lanes: 1,
                    merged: [1; 3],
                };
            }
        }
        let workgroups = total.div_ceil(u64::from(threads));
        Self::linear(row, workgroups, false, limits)
    }

    /// The first dispatch of workgroups of a size that are numbered linearly.
    fn linear(size: [u32; 3], workgroups: u64, tiled: bool, limits: &Limits) -> Self {
        let x = workgroups.min(limits.groups[0].into());
        let threads: u32 = size.iter().product();
        let most = limits.points.div_ceil(u64::from(threads) * x);
        let y = most.min(limits.groups[1].into());
        let all = Self {
            size,
            groups: [x as u32, y as u32, 1],
            linear: true,
            workgroups,
            tiled,
            first: 0,
            lanes: 1,
            merged: [1; 3],
        };
        all.starting_at(0)
    }

    /// Its workgroups from one on, as many as it has at most.
    fn starting_at(&self, first: u64) -> Self {
        let [x, y, _] = self.groups.map(u64::from);
        let left = self.workgroups - first;
        let (x, rows) = match self.tiled {
            false => (x, left.div_ceil(x)),
            true if left < x => (left, 1),
            true => (x, left / x),
        };
        Self {
            groups: [x as u32, rows.min(y) as u32, 1],
            first,
            ..*self
        }
    }

    /// The dispatch after this one, if there is more of the domain.
    pub(crate) fn next(&self) -> Option<Self> {
        let [x, y, _] = self.groups.map(u64::from);
        let first = self.first + x * y;
        (self.linear && first < self.workgroups).then(|| self.starting_at(first))
    }

    /// A domain in tiles, most significant first.
    pub(crate) fn tiles(&self, extent: &[usize]) -> impl Iterator<Item = usize> {
        let axes = (0..extent.len()).rev();
        let tiles = extent.iter().zip(axes);
        tiles.map(|(n, axis)| n / self.tile(axis))
    }

    /// Threads of a tile along x, y or z, or of a workgroup.
    fn tile(&self, axis: usize) -> usize {
        self.size[axis] as usize * self.merged[axis] as usize
    }

    /// One of the indices of a thread: the inverse of what the kernel does, see
    /// [`amp_spirv::artifact`].
    pub(crate) fn thread(
        &self,
        extent: &[usize],
        workgroup: [u32; 3],
        local: [u32; 3],
        lane: u32,
    ) -> Vec<usize> {
        if self.tiled {
            let mut rest = lane;
            let mut local = local;
            for ((local, size), merged) in local.iter_mut().zip(self.size).zip(self.merged) {
                *local += rest % merged * size;
                rest /= merged;
            }
            return self.position(extent, workgroup, local);
        }
        let mut index = self.position(&in_lanes(extent, self.lanes), workgroup, local);
        if let (Some(last), Some(length)) = (index.last_mut(), extent.last()) {
            let lanes = self.lanes as usize;
            let runs = length / lanes;
            *last = match *last < runs {
                true => *last * lanes + lane as usize,
                false => *last + runs * (lanes - 1),
            };
        }
        index
    }

    /// The position of a thread in an extent of threads.
    fn position(&self, extent: &[usize], workgroup: [u32; 3], local: [u32; 3]) -> Vec<usize> {
        let rank = extent.len();
        let within = |group: usize, axis: usize| group * self.tile(axis) + local[axis] as usize;
        let at = |axis: usize| within(workgroup[axis] as usize, axis);
        let group = self.first as usize
            + workgroup[1] as usize * self.groups[0] as usize
            + workgroup[0] as usize;
        if self.tiled {
            let threads = (0..rank).map(|k| rank - 1 - k);
            return match self.linear {
                false => threads.map(at).collect(),
                true => {
                    let tile = decode(&self.tiles(extent).collect::<Vec<_>>(), group).into_iter();
                    tile.zip(threads)
                        .map(|(tile, axis)| within(tile, axis))
                        .collect()
                }
            };
        }
        if !self.linear {
            let flattened = rank.saturating_sub(2);
            let mut index = decode(&extent[..flattened], at(2));
            index.extend((0..rank - flattened).rev().map(at));
            return index;
        }
        decode(extent, group * self.size[0] as usize + local[0] as usize)
    }
}

/// The threads of a domain that run so many points of a row where it has so many left.
fn in_lanes(extent: &[usize], lanes: u32) -> Vec<usize> {
    let mut threads = extent.to_vec();
    if let Some(length) = threads.last_mut() {
        let lanes = lanes as usize;
        *length = *length / lanes + *length % lanes;
    }
    threads
}

/// The row of a workgroup for a length in x.
fn row(length: u32) -> u32 {
    let padded = |row: u32| u64::from(length).next_multiple_of(row.into());
    if padded(LONG_ROW) <= padded(ROW) / 8 * 9 {
        LONG_ROW
    } else {
        ROW
    }
}

/// A workgroup for lengths in x, y and z: a row, then as many rows as there is room
/// for, then whatever is left in x.
fn block(lengths: [u32; 3], limits: &Limits) -> [u32; 3] {
    let threads = THREADS.min(limits.threads);
    // The largest power of two that is useful for a length and fits the room.
    let fit = |length: u32, room: u32| {
        let useful = length.min(THREADS).next_power_of_two();
        if room == 0 {
            1
        } else {
            useful.min(1 << room.ilog2())
        }
    };
    let x = fit(lengths[0], row(lengths[0]).min(limits.size[0]));
    let y = fit(lengths[1], (threads / x).min(limits.size[1]));
    let z = fit(lengths[2], (threads / (x * y)).min(limits.size[2]));
    let x = fit(lengths[0], (threads / (y * z)).min(limits.size[0]));
    [x, y, z]
}

/// The row-major index at a flat position.
fn decode(extent: &[usize], mut position: usize) -> Vec<usize> {
    let mut index = vec![0; extent.len()];
    for (component, &length) in index.iter_mut().zip(extent).rev() {
        *component = position % length;
        position /= length;
    }
    index
}

#[cfg(test)]
mod tests;
