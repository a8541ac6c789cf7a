use std::collections::HashSet;

use super::*;

const LIMITS: Limits = Limits {
    groups: [65_535; 3],
    size: [1024, 1024, 64],
    threads: 1024,
    tile_static: 16_384,
    points: POINTS,
};

fn range(extent: &[usize]) -> Shape {
    Shape::new(extent, None, &[], &LIMITS).unwrap()
}

fn message(extent: &[usize], tile: Option<&[usize]>) -> String {
    let checked = check_domain(extent, tile, &[], IndexWidth::Bits32);
    checked.unwrap_err().to_string()
}

#[test]
fn a_domain_that_is_none_says_why() {
    assert_eq!(
        message(&[4, 0], None),
        "invalid compute domain: 4×0 has a component of 0; every component must be at least 1"
    );
    assert_eq!(
        message(&[4, 0], Some(&[2, 16])),
        "invalid compute domain: 4×0 has a component of 0; every component must be at least 1, \
         and truncate() leaves none of an extent that is smaller than the tile 2×16"
    );
    assert_eq!(
        message(&[65_536, 65_536], None),
        "invalid compute domain: 65536×65536 has more than 4294967295 points; \
         launch over parts of it, or write `#[amp_kernel(index = 64)]`"
    );
    assert!(message(&[usize::MAX, usize::MAX], None).contains("points"));
    assert_eq!(
        message(&[100, 64], Some(&[16, 16])),
        "invalid compute domain: tile 16×16 does not divide extent 100×64; \
         use pad() or truncate() on the tiled extent"
    );
    assert!(message(&[2048], Some(&[2048])).contains("more than 1024 threads"));
    let [narrow, wide] = [IndexWidth::Bits32, IndexWidth::Bits64];
    assert!(check_domain(&[65_537, 65_535], None, &[], narrow).is_ok());
    assert!(check_domain(&[1 << 31], Some(&[2]), &[], narrow).is_ok());
    assert!(message(&[1 << 32], Some(&[2])).contains("more than 4294967295 points"));
    assert!(check_domain(&[65_536, 65_536], None, &[], wide).is_ok());
    assert!(check_domain(&[1 << 19, 1 << 19], Some(&[32, 32]), &[], wide).is_ok());
    let message = check_domain(&[1 << 32, 1 << 31], None, &[], wide).unwrap_err();
    assert_eq!(
        message.to_string(),
        "invalid compute domain: 4294967296×2147483648 has more than 9223372036854775807 \
         points; launch over parts of it"
    );
}

#[test]
fn one_dimension_is_numbered_linearly_where_it_does_not_fit_a_row() {
    let shape = range(&[1000]);
    assert_eq!(
        shape,
        Shape {
            size: [256, 1, 1],
            groups: [4, 1, 1],
            linear: false,
            workgroups: 0,
            tiled: false,
            first: 0,
            lanes: 1,
            merged: [1; 3],
        }
    );
    assert_eq!(range(&[1]).size, [256, 1, 1]);
    assert!(!range(&[65_535 * 256]).linear);
    let more = range(&[65_535 * 256 + 1]);
    assert_eq!((more.linear, more.groups), (true, [65_535, 2, 1]));
    let all = range(&[u32::MAX as usize]);
    assert!(all.linear);
    assert_eq!(all.workgroups, 1 << 24);
    assert_eq!(all.groups, [65_535, 257, 1]);
    assert_eq!(all.next(), None);
    for (threads, row) in [(64, 65_535), (128, 65_535), (192, 65_535), (192, u32::MAX)] {
        let few = Limits {
            threads,
            groups: [row, 65_535, 65_535],
            ..LIMITS
        };
        let all = Shape::new(&[u32::MAX as usize], None, &[], &few).unwrap();
        assert_eq!(all.linear, row == 65_535);
        assert_eq!(all.next(), None, "{threads}");
        let [size, groups] = [all.size, all.groups].map(|it| u64::from(it[0]));
        if !all.linear {
            assert_eq!(size * groups, 1 << 32, "no thread's number wraps");
        }
    }
}

#[test]
fn a_large_domain_takes_several_dispatches() {
    for extent in [
        vec![(5 << 32) + 7],
        vec![1 << 20, 3, 1 << 14],
        vec![1 << 50],
    ] {
        let total = extent.iter().product::<usize>() as u64;
        let mut reached = 0;
        for shape in std::iter::successors(Some(range(&extent)), Shape::next).take(100) {
            assert!(shape.linear);
            assert_eq!(
                (shape.first, shape.workgroups),
                (reached, total.div_ceil(256))
            );
            assert!((1..=65_535).contains(&shape.groups[1]));
            reached += u64::from(shape.groups[0]) * u64::from(shape.groups[1]);
        }
        if total < 1 << 40 {
            assert!((total.div_ceil(256)..total / 256 + 65_536).contains(&reached));
        }
    }
    let first = range(&[(5 << 32) + 7]);
    let last = std::iter::successors(Some(first), Shape::next)
        .last()
        .unwrap();
    let group = (last.workgroups - 1 - last.first) as u32;
    let group = [group % last.groups[0], group / last.groups[0], 0];
    let end = last.thread(&[(5 << 32) + 7], group, [6, 0, 0], 0);
    assert_eq!(end, [(5 << 32) + 6]);
}

#[test]
fn two_dimensions_keep_rows_together() {
    assert_eq!(range(&[1024, 1024]).size, [64, 4, 1]);
    // Longer rows would leave a quarter of the threads idle.
    assert_eq!(range(&[1024, 90]).size, [32, 8, 1]);
    assert_eq!(range(&[1024, 1024]).groups, [16, 256, 1]);
    assert_eq!(range(&[1, 5000]).size, [256, 1, 1]);
    assert_eq!(range(&[5000, 4]).size, [4, 64, 1]);
    assert_eq!(range(&[10, 20, 30]).size, [32, 8, 1]);
    assert_eq!(range(&[10, 20, 30]).groups, [1, 3, 10]);
    assert_eq!(range(&[4, 4, 4, 4]).size, [4, 4, 16]);
}

#[test]
fn domains_beyond_the_limits_of_a_grid_are_linear() {
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
    let error = Shape::new(&[16, 16], Some(&[16, 16]), &[], &tiny)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("16×16") && error.contains("at most 128"),
        "{error}"
    );
    let shape = Shape::new(&[8, 4, 6], Some(&[2, 4, 3]), &[], &LIMITS).unwrap();
    assert_eq!((shape.size, shape.groups), ([3, 4, 2], [2, 1, 4]));
}

#[test]
fn tiles_that_a_grid_cannot_hold_are_linear() {
    let tiled =
        |extent: &[usize], tile: &[usize]| Shape::new(extent, Some(tile), &[], &LIMITS).unwrap();
    let fits = tiled(&[65_535 * 256], &[256]);
    assert_eq!((fits.linear, fits.groups), (false, [65_535, 1, 1]));
    let shape = tiled(&[1 << 26], &[256]);
    assert_eq!((shape.linear, shape.workgroups), (true, 1 << 18));
    // Four whole rows of the grid, and the tiles that are left.
    assert_eq!(shape.groups, [65_535, 4, 1]);
    let rest = shape.next().unwrap();
    assert_eq!((rest.first, rest.groups), (4 * 65_535, [4, 1, 1]));
    assert_eq!(rest.next(), None);
    assert_eq!(
        tiled(&[2, 70_000, 6], &[1, 1, 3])
            .tiles(&[2, 70_000, 6])
            .collect::<Vec<_>>(),
        [2, 70_000, 2]
    );
    let most = std::iter::successors(Some(tiled(&[u32::MAX as usize], &[1])), Shape::next);
    assert_eq!(most.count(), 2);
}

/// Every point of a domain comes from exactly one thread, in however many dispatches.
#[test]
fn threads_and_points_correspond() {
    for (extent, tile) in [
        (vec![300], None),
        (vec![7, 45], None),
        (vec![3, 5, 40], None),
        (vec![2, 3, 4, 5], None),
        (vec![70_000, 1, 1], None),
        (vec![8, 6], Some(vec![4, 3])),
        (vec![2 * 70_001], Some(vec![2])),
        (vec![2, 3 * 7], Some(vec![1, 3])),
        (vec![6, 4, 35], Some(vec![2, 1, 5])),
    ] {
        for points in [POINTS, 1000] {
            let limits = Limits {
                points,
                groups: [if points == POINTS { 65_535 } else { 3 }; 3],
                ..LIMITS
            };
            let tile = tile.as_deref();
            let first = Shape::new(&extent, tile, &[], &limits).unwrap();
            let mut seen = HashSet::new();
            for shape in std::iter::successors(Some(first), Shape::next) {
                walk(&shape, &extent, &mut seen);
            }
            assert_eq!(seen.len(), extent.iter().product::<usize>(), "{extent:?}");
        }
    }
}

/// The same where threads run several points.
#[test]
fn threads_and_runs_of_points_correspond() {
    let threads = MOST_THREADS as usize;
    for extent in [vec![4 * threads + 3], vec![514, 2055], vec![3, 700, 502]] {
        let first = Shape::wide(&extent, 4, &LIMITS).unwrap();
        let mut seen = HashSet::new();
        for shape in std::iter::successors(Some(first), Shape::next) {
            walk(&shape, &extent, &mut seen);
        }
        assert_eq!(seen.len(), extent.iter().product::<usize>(), "{extent:?}");
    }
    assert_eq!(Shape::wide(&[4 * threads - 4], 4, &LIMITS), None);
}

/// The same where threads of a tile are merged.
#[test]
fn threads_and_merged_ones_correspond() {
    let extent = [4, 12, 16];
    for groups in [65_535, 2] {
        let limits = Limits {
            groups: [groups; 3],
            ..LIMITS
        };
        let (tile, merged) = ([2, 6, 4], [1, 3, 2]);
        let first = Shape::new(&extent, Some(&tile), &merged, &limits).unwrap();
        assert_eq!(first.size, [2, 2, 2]);
        let mut seen = HashSet::new();
        for shape in std::iter::successors(Some(first), Shape::next) {
            let [gx, gy, gz] = shape.groups;
            for number in 0..gx * gy * gz * 8 * 6 {
                let (group, local, lane) = (number / 48, number / 6 % 8, number % 6);
                let at = [group % gx, group / gx % gy, group / gx / gy];
                let local = [local % 2, local / 2 % 2, local / 4];
                assert!(seen.insert(shape.thread(&extent, at, local, lane)));
            }
        }
        assert_eq!(seen.len(), extent.iter().product::<usize>());
    }
    let message = |tile: &[usize], merged: &[u32]| {
        let error = check_domain(tile, Some(tile), merged, IndexWidth::Bits32);
        error.unwrap_err().to_string()
    };
    assert!(check_domain(&[64, 64], Some(&[64, 64]), &[2, 2], IndexWidth::Bits32).is_ok());
    assert!(message(&[64, 128], &[2, 2]).contains("more than 4096 threads"));
    assert_eq!(
        message(&[63, 64], &[8, 8]),
        "invalid compute domain: a tile of 63×64 cannot be divided among threads that run 8×8 of \
         it each; use a multiple of that"
    );
}

/// Meets the threads of a dispatch that are in the domain.
fn walk(shape: &Shape, extent: &[usize], seen: &mut HashSet<Vec<usize>>) {
    let rows = in_lanes(extent, shape.lanes);
    let runs = extent[extent.len() - 1] / shape.lanes as usize * shape.lanes as usize;
    let [gx, gy, gz] = shape.groups;
    let [sx, sy, sz] = shape.size;
    for group in 0..gx * gy * gz {
        let at = [group % gx, group / gx % gy, group / gx / gy];
        let number = shape.first + u64::from(at[1] * gx + at[0]);
        if shape.linear && number >= shape.workgroups {
            assert!(!shape.tiled, "all workgroups of a tiled kernel run");
            continue;
        }
        for local in 0..sx * sy * sz {
            let local = [local % sx, local / sx % sy, local / sx / sy];
            let flat = number as usize * sx as usize + local[0] as usize;
            let plane = (at[2] * sz + local[2]) as usize;
            let outside = match (shape.tiled, shape.linear) {
                (true, _) => false,
                (false, true) => flat >= rows.iter().product(),
                (false, false) => {
                    plane >= extent[..extent.len().saturating_sub(2)].iter().product()
                }
            };
            let thread = shape.thread(extent, at, local, 0);
            if !outside && thread.iter().zip(extent).all(|(i, n)| i < n) {
                let (last, before) = thread.split_last().unwrap();
                let points = if *last < runs {
                    shape.lanes as usize
                } else {
                    1
                };
                for point in *last..last + points {
                    assert!(seen.insert([before, &[point]].concat()));
                }
            }
        }
    }
}
