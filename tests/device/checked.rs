//! Checked mode: every seeded fault is found, with both its threads and both its lines, and nothing else is.

use amp::prelude::*;
use amp::{Accelerator, Domain, Error, Kernel, QueuingMode};

/// What the accelerator in checked mode reports of a launch.
fn launched<D: Domain>(domain: D, kernel: Kernel<'_, D::Index>) -> amp::Result<()> {
    let accelerator = Accelerator::find("cpu-checked")?;
    let view = accelerator.create_view(QueuingMode::Automatic)?;
    view.parallel_for_each(domain, kernel)?;
    view.wait()
}

/// The line of this file that ends with a remark.
fn line(remark: &str) -> u32 {
    let lines = include_str!("checked.rs").lines();
    let ends = |line: &str| line.ends_with(&format!("; // {remark}"));
    let found = (1..).zip(lines).find(|(_, line)| ends(line));
    found
        .unwrap_or_else(|| panic!("no line is remarked on by {remark:?}"))
        .0
}

/// Checks the fault of a launch: its thread, its line, and part of its message, where a remark in braces
/// stands for the place in the source.
#[track_caller]
fn assert_fault<D: Domain>(
    domain: D,
    kernel: Kernel<'_, D::Index>,
    (thread, remark): (&[usize], &str),
    expected: &str,
) {
    let expected = match expected.split_once('{') {
        Some((start, remark)) => {
            format!("{start}{}:{}:", file!(), line(remark.trim_end_matches('}')))
        }
        None => expected.to_owned(),
    };
    match launched(domain, kernel) {
        Err(Error::KernelFault(fault)) => {
            let found = (&*fault.thread, fault.line);
            assert_eq!(found, (thread, line(remark)), "{}", fault.message);
            assert!(fault.message.contains(&expected), "{}", fault.message);
        }
        other => panic!("a fault was expected, not {other:?}"),
    }
}

#[amp_struct]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Pair {
    left: u32,
    right: u32,
}

#[amp_kernel]
fn scatter(idx: Index<1>, to: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[to[idx] as usize] = idx[0] as u32; // scatters
}

#[test]
fn threads_that_write_one_element_race() {
    let mut out = [0_u32; 4];
    let to = [0_u32, 1, 2, 1];
    let out = &mut ArrayViewMut::from(&mut out);
    let to = ArrayView::from(&to);
    assert_fault(
        4,
        scatter(&to, out),
        (&[3], "scatters"),
        "writes an element of a view that thread [1] writes at {scatters}",
    );
    let to = [3_u32, 1, 2, 0];
    assert_eq!(launched(4, scatter(&ArrayView::from(&to), out)), Ok(()));
    assert_eq!(out.to_vec().unwrap(), [3, 1, 2, 0]);
}

#[amp_kernel]
fn shift(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>) {
    let next = a[(idx[0] + 1) % a.extent()[0]]; // reads the next
    a[idx] = next; // writes its own
}

#[test]
fn a_thread_that_writes_what_another_reads_races() {
    let mut a = [1_u32, 2, 3];
    assert_fault(
        3,
        shift(&mut ArrayViewMut::from(&mut a)),
        (&[1], "writes its own"),
        "writes an element of a view that thread [0] reads at {reads the next}",
    );
}

#[amp_kernel]
fn sums_of_tiles(
    t_idx: TiledIndex<1, 4>,
    by: u32,
    a: &ArrayView<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut part: [u32; 4];
    let i = t_idx.local[0];
    part[i] = a[t_idx];
    t_idx.barrier.wait();
    let other = part[i ^ by as usize]; // reads the part
    part[i] += other; // adds to its part
    t_idx.barrier.wait();
    if i == 0 {
        sums[t_idx.tile[0] / 2] = part[0]; // writes the sum
    }
}

#[test]
fn races_of_a_tile_and_of_tiles() {
    let (a, mut sums) = ([1_u32; 8], [0_u32; 2]);
    let (a, sums) = (&ArrayView::from(&a), &mut ArrayViewMut::from(&mut sums));
    let domain = || Extent::new([8]).tile::<4>();
    assert_fault(
        domain(),
        sums_of_tiles(1, a, sums),
        (&[1], "reads the part"),
        "a tile_static variable that thread [0] writes at {adds to its part}",
    );
    assert_fault(
        domain(),
        sums_of_tiles(0, a, sums),
        (&[4], "writes the sum"),
        "that thread [0] writes at {writes the sum}",
    );
}

#[amp_kernel]
fn mirrored(
    t_idx: TiledIndex<2, 2, 4>,
    by: usize,
    written: usize,
    a: &ArrayView<Pair, 2>,
    out: &mut ArrayViewMut<Pair, 2>,
) {
    #[tile_static]
    let mut tile: [[Pair; 4]; 2];
    let [i, j] = [t_idx.local[0], t_idx.local[1]];
    if j < written {
        tile[i][j].left = a[t_idx].left;
        tile[i][j].right = a[t_idx].right;
    }
    t_idx.barrier.wait_with_tile_static_memory_fence();
    let other = tile[i][3 - j]; // reads the mirrored
    out[[t_idx.global[0], t_idx.global[1] / by]].right = other.left; // writes half
}

#[test]
fn a_read_of_unwritten_tile_memory_is_a_fault() {
    let a = [Pair { left: 1, right: 2 }; 8];
    let mut out = [Pair::default(); 8];
    let a = &ArrayView::<_, 2>::new([2, 4], &a).unwrap();
    let out = &mut ArrayViewMut::<_, 2>::new([2, 4], &mut out).unwrap();
    let domain = || Extent::new([2, 4]).tile::<2, 4>();
    assert_eq!(launched(domain(), mirrored(1, 4, a, out)), Ok(()));
    assert_fault(
        domain(),
        mirrored(1, 3, a, out),
        (&[0, 0], "reads the mirrored"),
        "reads a tile_static variable that no thread of its tile has written",
    );
    assert_fault(
        domain(),
        mirrored(2, 4, a, out),
        (&[0, 1], "writes half"),
        "thread [0, 0] writes at {writes half}",
    );
}

#[amp_kernel]
fn accumulate(idx: Index<1>, from: &ArrayView<u32, 1>, sums: &mut ArrayViewMut<u32, 1>) {
    let start = from[idx]; // reads the start
    if start == 0 {
        sums[idx] = 1;
    }
    sums[idx] += start; // adds the start
}

#[test]
fn a_read_of_discarded_elements_is_a_fault() {
    let (mut from, mut sums) = ([0_u32, 0, 3], [7_u32; 5]);
    let mut sums = ArrayViewMut::from(&mut sums);
    {
        let from = ArrayView::from(&from);
        assert_eq!(launched(3, accumulate(&from, &mut sums)), Ok(()));
        sums.discard_data();
        assert_fault(
            3,
            accumulate(&from, &mut sums),
            (&[2], "adds the start"),
            "reads an element of a view that was discarded and not written since",
        );
        sums.section([2], [3]).unwrap().discard_data();
        assert_eq!(launched(2, accumulate(&from, &mut sums)), Ok(()));
    }
    let mut from = ArrayViewMut::from(&mut from);
    from.section([1], [1]).unwrap().discard_data();
    assert_eq!(launched(1, accumulate(&from, &mut sums)), Ok(()));
    assert_fault(
        2,
        accumulate(&from, &mut sums),
        (&[1], "reads the start"),
        "reads an element of a view that was discarded and not written since",
    );
}

#[amp_kernel]
fn wrong_fence(t_idx: TiledIndex<1, 4>, to: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut tile: [u32; 4];
    tile[to[t_idx] as usize] = 1;
    out[t_idx] = 1; // writes before
    t_idx.barrier.wait_with_tile_static_memory_fence();
    let own = tile[to[t_idx] as usize];
    out[to[t_idx] as usize] += own; // adds after
}

#[test]
fn a_barrier_orders_the_memory_that_it_names() {
    let mut out = [0_u32; 4];
    let out = &mut ArrayViewMut::from(&mut out);
    let domain = || Extent::new([4]).tile::<4>();
    let own = [0_u32, 1, 2, 3];
    assert_eq!(
        launched(domain(), wrong_fence(&ArrayView::from(&own), out)),
        Ok(())
    );
    let other = [3_u32, 2, 1, 0];
    assert_fault(
        domain(),
        wrong_fence(&ArrayView::from(&other), out),
        (&[0], "adds after"),
        "reads an element of a view that thread [3] writes at {writes before}",
    );
}

#[amp_kernel]
fn counted(
    idx: Index<1>,
    watch: u32,
    bins: &mut ArrayViewMut<u32, 1>,
    seen: &mut ArrayViewMut<u32, 1>,
) {
    atomic_fetch_add(&mut bins[idx[0] % 2], 1); // counts
    if idx[0] as u32 == watch {
        seen[0] = bins[0]; // watches
    } else if idx[0] == 3 {
        seen[1] = atomic_load(&mut bins[0]);
    }
}

#[test]
fn atomic_operations_race_with_others_only() {
    let (mut bins, mut seen) = ([0_u32; 2], [0_u32; 2]);
    let bins = &mut ArrayViewMut::from(&mut bins);
    let seen = &mut ArrayViewMut::from(&mut seen);
    assert_eq!(launched(8, counted(9, bins, seen)), Ok(()));
    assert_fault(
        8,
        counted(5, bins, seen),
        (&[5], "watches"),
        "reads an element of a view that thread [4] atomically changes at {counts}",
    );
}

#[amp_fn]
fn add(to: &mut u32, x: u32) {
    *to += x; // adds to a part
}

#[amp_kernel]
fn halves(idx: Index<1>, part: usize, out: &mut ArrayViewMut<Pair, 1>) {
    if idx[0] % part == 0 {
        add(&mut out[idx[0] / 2].left, 1);
    } else {
        out[idx[0] / 2].right += 1;
    }
}

#[test]
fn fields_of_an_element_are_checked_separately() {
    let mut out = [Pair::default(); 4];
    let out = &mut ArrayViewMut::from(&mut out);
    assert_eq!(launched(8, halves(2, out)), Ok(()));
    assert_fault(
        8,
        halves(1, out),
        (&[1], "adds to a part"),
        "thread [0] writes at {adds to a part}",
    );
}

#[amp_kernel]
fn blocks(idx: Index<1>, length: usize, out: &mut ArrayViewMut<u32, 1>) {
    let mut own = out.section([idx[0] * 2], [length]);
    for i in 0..own.extent()[0] {
        own[i] = i as u32; // writes its block
    }
}

#[test]
fn accesses_through_sections_are_checked() {
    let mut out = [0_u32; 9];
    let out = &mut ArrayViewMut::from(&mut out);
    assert_eq!(launched(4, blocks(2, out)), Ok(()));
    assert_fault(
        4,
        blocks(3, out),
        (&[1], "writes its block"),
        "thread [0] writes at {writes its block}",
    );
}

#[amp_kernel]
fn beyond(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx[0] * 2] = 1; // goes beyond
}

#[test]
fn other_faults_are_reported_in_checked_mode() {
    let mut out = [0_u32; 5];
    let out = &mut ArrayViewMut::from(&mut out);
    assert_fault(4, beyond(out), (&[3], "goes beyond"), "out of bounds");
}

#[amp_kernel]
fn last_tile_adds(
    t_idx: TiledIndex<1, 4>,
    parts: &mut ArrayViewMut<u32, 1>,
    done: &mut ArrayViewMut<u32, 1>,
    sum: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut is_last: u32;
    let i = t_idx.local[0];
    if i == 0 {
        parts[t_idx.tile[0]] = 1 + t_idx.tile[0] as u32;
        device_memory_fence();
        is_last = atomic_fetch_add(&mut done[0], 1);
        device_memory_fence();
    }
    t_idx.barrier.wait();
    if is_last == 3 && i == 1 {
        let mut total = 0;
        for tile in 0..4 {
            total += parts[tile];
        }
        sum[0] = total;
    }
}

#[test]
fn tiles_synchronised_by_atomics_do_not_race() {
    let (mut parts, mut done, mut sum) = ([0_u32; 4], [0_u32], [0_u32]);
    let parts = &mut ArrayViewMut::from(&mut parts);
    let done = &mut ArrayViewMut::from(&mut done);
    let sum = &mut ArrayViewMut::from(&mut sum);
    let domain = Extent::new([16]).tile::<4>();
    assert_eq!(launched(domain, last_tile_adds(parts, done, sum)), Ok(()));
    assert_eq!(sum.to_vec().unwrap(), [10]);
}
