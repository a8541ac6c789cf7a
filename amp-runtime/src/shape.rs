//! From a compute domain to workgroups, and back from a thread to its index.
//!
//! A tile is a workgroup. An untiled domain gets workgroups of 256 threads, spread over
//! the last dimensions so that neighbours in memory are neighbours in a workgroup; where
//! that would need more workgroups in a dimension than the device has, or would leave
//! most threads idle, the domain is numbered linearly instead (`SPEC_LINEAR`).

use amp_spirv::artifact::Artifact;

use crate::error::{Error, Result, times};
use crate::index::checked_size;

/// Points of a domain that a 32-bit `usize` can count.
pub(crate) const MAX_COUNT: u64 = u32::MAX as u64;
/// Elements of a view that a kernel can address: SPIR-V takes the index of an element for
/// a signed number.
pub(crate) const MAX_ELEMENTS: u64 = i32::MAX as u64;
/// Tiles in one dimension that every accelerator runs.
const MAX_TILES: usize = 65_535;
/// Threads of a tile that the programming model allows.
const MAX_TILE_THREADS: usize = 1024;
/// Threads of a workgroup over an untiled domain.
const THREADS: u32 = 256;
/// Threads that are neighbours in the last dimension, if it is that long: what a device
/// needs to read memory in whole lines.
const ROW: u32 = 32;

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
    /// Number of workgroups with threads in the domain, if they are numbered linearly.
    pub(crate) workgroups: u32,
}

/// Checks a domain, and the tile over it, against the programming model. What only a
/// device can refuse is left to [`Shape::new`].
pub(crate) fn check_domain(extent: &[usize], tile: Option<&[usize]>) -> Result<()> {
    let invalid = |message: String| Err(Error::InvalidComputeDomain(message));
    if extent.is_empty() || extent.contains(&0) {
        return invalid(format!(
            "{} has a component of 0; every component must be at least 1",
            times(extent)
        ));
    }
    let total = extent
        .iter()
        .try_fold(1u64, |total, &n| total.checked_mul(n as u64));
    if total.is_none_or(|total| total > MAX_COUNT) {
        return invalid(format!(
            "{} has more than {MAX_COUNT} points; launch over parts of it",
            times(extent)
        ));
    }
    let Some(tile) = tile else { return Ok(()) };
    if checked_size(tile).is_none_or(|threads| threads > MAX_TILE_THREADS) {
        return invalid(format!(
            "a tile of {} has more than {MAX_TILE_THREADS} threads; use a smaller tile",
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
    if extent.iter().zip(tile).any(|(n, d)| n / d > MAX_TILES) {
        return invalid(format!(
            "extent {} has more than {MAX_TILES} tiles {} in a dimension; \
             use larger tiles or launch over parts of it",
            times(extent),
            times(tile)
        ));
    }
    Ok(())
}

impl Shape {
    /// The shape for a domain that [`check_domain`] has passed.
    ///
    /// # Errors
    ///
    /// If the device cannot run so large a tile.
    pub(crate) fn new(extent: &[usize], tile: Option<&[usize]>, limits: &Limits) -> Result<Self> {
        match tile {
            Some(tile) => Self::tiled(extent, tile, limits),
            None => Ok(Self::range(extent, limits)),
        }
    }

    fn tiled(extent: &[usize], tile: &[usize], limits: &Limits) -> Result<Self> {
        let (mut size, mut groups) = ([1; 3], [1; 3]);
        // Dimension 0 is the most significant, x the least.
        for (axis, (n, d)) in extent.iter().zip(tile).rev().enumerate() {
            size[axis] = *d as u32;
            groups[axis] = (n / d) as u32;
        }
        let threads: u32 = size.iter().product();
        if threads > limits.threads || (0..3).any(|axis| size[axis] > limits.size[axis]) {
            return Err(Error::UnsupportedFeature(format!(
                "a tile of {} threads, where the device runs at most {} and, from the last \
                 dimension, {}; use a smaller tile",
                times(tile),
                limits.threads,
                times(&limits.size.map(|n| n as usize)),
            )));
        }
        Ok(Self {
            size,
            groups,
            linear: false,
            workgroups: groups.iter().product(),
        })
    }

    fn range(extent: &[usize], limits: &Limits) -> Self {
        let total: usize = extent.iter().product();
        if let [rest @ .., rows, columns] = extent {
            let lengths = [
                *columns as u32,
                *rows as u32,
                rest.iter().product::<usize>() as u32,
            ];
            let size = block(lengths, limits);
            let groups = [0, 1, 2].map(|axis| lengths[axis].div_ceil(size[axis]));
            let fits = (0..3).all(|axis| groups[axis] <= limits.groups[axis]);
            let threads = [0, 1, 2].map(|axis| u64::from(groups[axis]) * u64::from(size[axis]));
            let idle = threads.iter().product::<u64>() > 2 * total as u64;
            if fits && !idle {
                return Self {
                    size,
                    groups,
                    linear: false,
                    workgroups: 0,
                };
            }
        }
        let threads = THREADS.min(limits.threads).min(limits.size[0]);
        let workgroups = (total as u64).div_ceil(u64::from(threads)) as u32;
        let x = workgroups.min(limits.groups[0]);
        let groups = [x, workgroups.div_ceil(x), 1];
        Self {
            size: [threads, 1, 1],
            groups,
            linear: true,
            workgroups,
        }
    }

    /// The index of a thread: the inverse of what the kernel does, see
    /// [`amp_spirv::artifact`].
    pub(crate) fn thread(
        &self,
        artifact: &Artifact,
        extent: &[usize],
        workgroup: [u32; 3],
        local: [u32; 3],
    ) -> Vec<usize> {
        let rank = extent.len();
        let at = |axis: usize| {
            workgroup[axis] as usize * self.size[axis] as usize + local[axis] as usize
        };
        if artifact.tiled {
            return (0..rank).map(|k| at(rank - 1 - k)).collect();
        }
        if !self.linear {
            let mut index = decode(&extent[..rank - 2], at(2));
            index.extend([at(1), at(0)]);
            return index;
        }
        let group = workgroup[1] as usize * self.groups[0] as usize + workgroup[0] as usize;
        decode(extent, group * self.size[0] as usize + local[0] as usize)
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
    let x = fit(lengths[0], ROW.min(limits.size[0]));
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
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        groups: [65_535; 3],
        size: [1024, 1024, 64],
        threads: 1024,
        tile_static: 16_384,
    };

    fn artifact(tiled: bool, rank: u32) -> Artifact {
        Artifact {
            name: "k".into(),
            spirv: Vec::new().into(),
            rank,
            tiled,
            has_barrier: false,
            params: Vec::new().into(),
            block_bytes: 0,
            spilled: false,
            constant_bytes: Vec::new().into(),
            features: Vec::new().into(),
            files: Vec::new().into(),
            faults: Vec::new().into(),
            messages: Vec::new().into(),
            ..Artifact::default()
        }
    }

    fn range(extent: &[usize]) -> Shape {
        Shape::new(extent, None, &LIMITS).unwrap()
    }

    fn message(extent: &[usize], tile: Option<&[usize]>) -> String {
        check_domain(extent, tile).unwrap_err().to_string()
    }

    #[test]
    fn a_domain_that_is_none_says_why() {
        assert_eq!(
            message(&[4, 0], None),
            "invalid compute domain: 4×0 has a component of 0; every component must be at least 1"
        );
        assert_eq!(
            message(&[65_536, 65_536], None),
            "invalid compute domain: 65536×65536 has more than 4294967295 points; \
             launch over parts of it"
        );
        assert!(message(&[usize::MAX, usize::MAX], None).contains("points"));
        assert_eq!(
            message(&[100, 64], Some(&[16, 16])),
            "invalid compute domain: tile 16×16 does not divide extent 100×64; \
             use pad() or truncate() on the tiled extent"
        );
        assert!(message(&[2048], Some(&[2048])).contains("more than 1024 threads"));
        assert!(message(&[65_536 * 2], Some(&[2])).contains("more than 65535 tiles"));
        assert!(check_domain(&[65_537, 65_535], None).is_ok());
        assert!(check_domain(&[65_535 * 2], Some(&[2])).is_ok());
    }

    #[test]
    fn one_dimension_is_numbered_linearly() {
        let shape = range(&[1000]);
        assert_eq!(
            shape,
            Shape {
                size: [256, 1, 1],
                groups: [4, 1, 1],
                linear: true,
                workgroups: 4
            }
        );
        let all = range(&[u32::MAX as usize]);
        assert_eq!(all.workgroups, 1 << 24);
        assert_eq!(all.groups, [65_535, 257, 1]);
    }

    #[test]
    fn two_dimensions_keep_rows_together() {
        assert_eq!(range(&[1024, 1024]).size, [32, 8, 1]);
        assert_eq!(range(&[1024, 1024]).groups, [32, 128, 1]);
        assert_eq!(range(&[1, 5000]).size, [256, 1, 1]);
        assert_eq!(range(&[5000, 4]).size, [4, 64, 1]);
        assert_eq!(range(&[10, 20, 30]).size, [32, 8, 1]);
        assert_eq!(range(&[10, 20, 30]).groups, [1, 3, 10]);
        assert_eq!(range(&[4, 4, 4, 4]).size, [4, 4, 16]);
    }

    #[test]
    fn what_a_grid_cannot_hold_is_linear() {
        // 2^32 - 1 points, with too many workgroups in x.
        assert!(range(&[3, 5, 286_331_153]).linear);
        // Too many in z.
        assert!(range(&[16 * 65_536, 3, 3]).linear);
        // 17 columns leave nearly half of the threads idle, which is still worth the rows.
        assert!(!range(&[64, 17]).linear);
    }

    #[test]
    fn the_device_bounds_a_tile() {
        let tiny = Limits {
            threads: 128,
            size: [128, 128, 64],
            ..LIMITS
        };
        let error = Shape::new(&[16, 16], Some(&[16, 16]), &tiny)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("16×16") && error.contains("at most 128"),
            "{error}"
        );
        let shape = Shape::new(&[8, 4, 6], Some(&[2, 4, 3]), &LIMITS).unwrap();
        assert_eq!((shape.size, shape.groups), ([3, 4, 2], [2, 1, 4]));
    }

    /// Every point of a domain comes from exactly one thread.
    #[test]
    fn threads_and_points_correspond() {
        for (extent, tile) in [
            (vec![300], None),
            (vec![7, 45], None),
            (vec![3, 5, 40], None),
            (vec![2, 3, 4, 5], None),
            (vec![70_000, 1, 1], None),
            (vec![8, 6], Some(vec![4, 3])),
        ] {
            let tile = tile.as_deref();
            let shape = Shape::new(&extent, tile, &LIMITS).unwrap();
            let artifact = artifact(tile.is_some(), extent.len() as u32);
            let mut seen = std::collections::HashSet::new();
            for z in 0..shape.groups[2] {
                for y in 0..shape.groups[1] {
                    for x in 0..shape.groups[0] {
                        for lz in 0..shape.size[2] {
                            for ly in 0..shape.size[1] {
                                for lx in 0..shape.size[0] {
                                    let group = y * shape.groups[0] + x;
                                    if shape.linear
                                        && (group as usize * 256 + lx as usize)
                                            >= extent.iter().product()
                                    {
                                        continue;
                                    }
                                    if !shape.linear
                                        && tile.is_none()
                                        && (z * shape.size[2] + lz) as usize
                                            >= extent[..extent.len() - 2].iter().product()
                                    {
                                        continue;
                                    }
                                    let thread =
                                        shape.thread(&artifact, &extent, [x, y, z], [lx, ly, lz]);
                                    if thread.iter().zip(&extent).all(|(i, n)| i < n) {
                                        assert!(seen.insert(thread));
                                    }
                                }
                            }
                        }
                    }
                }
            }
            assert_eq!(seen.len(), extent.iter().product::<usize>(), "{extent:?}");
        }
    }
}
