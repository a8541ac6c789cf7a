//! Operations of subgroups, whatever a device takes for one: results are compared with what
//! follows from each thread's tile, `subgroup::size()` and `subgroup::index()`.
//!
//! Which threads form a subgroup is learnt from the device: in each, one thread is elected to
//! take a number for it, and all note which number they got.

use amp::prelude::*;
use testkit::numbers::random;
use testkit::{becomes, everywhere, input, launch};

/// What each thread got, in this order: size, index, number of the subgroup; then what
/// operations gave.
const WIDTH: usize = 24;

#[amp_kernel]
fn every_operation<const N: usize>(
    t_idx: TiledIndex<1, N>,
    ints: &ArrayView<i32, 1>,
    bits: &ArrayView<u32, 1>,
    next: &mut ArrayViewMut<u32, 1>,
    out: &mut ArrayViewMut<u32, 2>,
) {
    let g = t_idx.global[0];
    let (size, index) = (subgroup::size(), subgroup::index());
    let mut number = 0;
    let elected = subgroup::elect();
    if elected {
        number = atomic_fetch_inc(&mut next[0]);
    }
    // All others have zero.
    number = subgroup::reduce_add(number);
    let (x, y) = (ints[g], bits[g]);
    let z = y as f32;
    let ballot = subgroup::ballot(y & 4 != 0);
    let row = [
        size as u32,
        index as u32,
        number,
        elected as u32,
        subgroup::reduce_add(x) as u32,
        subgroup::reduce_min(x) as u32,
        subgroup::reduce_max(x) as u32,
        subgroup::inclusive_add(x) as u32,
        subgroup::exclusive_add(x) as u32,
        subgroup::reduce_add(y),
        subgroup::reduce_min(y),
        subgroup::reduce_max(y),
        subgroup::inclusive_add(y),
        subgroup::exclusive_add(y),
        subgroup::broadcast(x, 0) as u32,
        subgroup::shuffle(y, size - 1 - index),
        subgroup::shuffle(y, index + 3),
        subgroup::shuffle_xor(x, 1) as u32,
        subgroup::shuffle_xor(z, 5).to_bits(),
        subgroup::reduce_max(z).to_bits(),
        subgroup::any(y % 8 == 7) as u32,
        subgroup::all(y % 8 != 7) as u32,
        ballot[0],
        ballot[1] | ballot[2] | ballot[3],
    ];
    for k in 0..WIDTH {
        out[[g, k]] = row[k];
    }
}

/// What the threads of one subgroup have to have got; `lanes` are their numbers, by lane.
fn expected(lanes: &[Option<usize>], number: u32, ints: &[i32], bits: &[u32]) -> Vec<Vec<u32>> {
    let present: Vec<usize> = lanes.iter().copied().flatten().collect();
    let x = |lane: usize| lanes.get(lane).copied().flatten().map_or(0, |g| ints[g]);
    let y = |lane: usize| lanes.get(lane).copied().flatten().map_or(0, |g| bits[g]);
    let xs: Vec<i32> = present.iter().map(|g| ints[*g]).collect();
    let ys: Vec<u32> = present.iter().map(|g| bits[*g]).collect();
    let add_x = |xs: &[i32]| xs.iter().fold(0, |sum: i32, x| sum.wrapping_add(*x));
    let add_y = |ys: &[u32]| ys.iter().fold(0, |sum: u32, y| sum.wrapping_add(*y));
    let mut ballot = [0_u32; 4];
    for (lane, g) in lanes.iter().enumerate() {
        if g.is_some_and(|g| bits[g] & 4 != 0) {
            ballot[lane / 32] |= 1 << (lane % 32);
        }
    }
    let mut rows = Vec::new();
    let mut before = 0;
    for (lane, g) in lanes.iter().enumerate() {
        let Some(g) = *g else { continue };
        rows.push(vec![
            lanes.len() as u32,
            lane as u32,
            number,
            u32::MAX,
            add_x(&xs) as u32,
            *xs.iter().min().unwrap() as u32,
            *xs.iter().max().unwrap() as u32,
            add_x(&xs[..=before]) as u32,
            add_x(&xs[..before]) as u32,
            add_y(&ys),
            *ys.iter().min().unwrap(),
            *ys.iter().max().unwrap(),
            add_y(&ys[..=before]),
            add_y(&ys[..before]),
            x(0) as u32,
            y(lanes.len() - 1 - lane),
            y(lane + 3),
            x(lane ^ 1) as u32,
            (y(lane ^ 5) as f32).to_bits(),
            (ys.iter().map(|y| *y as f32).fold(0.0, f32::max)).to_bits(),
            ys.iter().any(|y| y % 8 == 7).into(),
            ys.iter().all(|y| y % 8 != 7).into(),
            ballot[0],
            ballot[1] | ballot[2] | ballot[3],
        ]);
        before += 1;
        let _ = g;
    }
    rows
}

fn check<const N: usize>(view: &AcceleratorView, tiles: usize) {
    let threads = tiles * N;
    let words = random(N as u64).take(threads);
    let ints: Vec<i32> = words.map(|word| word as i32).collect();
    let bits: Vec<u32> = ints.iter().map(|x| (*x as u32).rotate_left(9)).collect();
    let (mut next, mut found) = ([0], vec![0; threads * WIDTH]);
    {
        let (ints, bits) = (input(&ints), input(&bits));
        let mut next = ArrayViewMut::new(1, &mut next).unwrap();
        let mut out = ArrayViewMut::new([threads, WIDTH], &mut found).unwrap();
        let domain = Extent::new([threads]).tile::<N>();
        let kernel = every_operation::<N>(&ints, &bits, &mut next, &mut out);
        launch(view, domain, kernel).unwrap();
    }
    let rows: Vec<&[u32]> = found.chunks(WIDTH).collect();
    let size = rows[0][0] as usize;
    assert!(size.is_power_of_two() && size <= 128, "{view}: {size}");
    let mut threads_seen = 0;
    for number in 0..next[0] {
        let mut lanes = vec![None; size];
        for (g, row) in rows.iter().enumerate() {
            if row[2] == number {
                let lane = &mut lanes[row[1] as usize];
                assert_eq!(*lane, None, "{view}: two threads in one lane");
                *lane = Some(g);
            }
        }
        let present: Vec<usize> = lanes.iter().copied().flatten().collect();
        threads_seen += present.len();
        let tile = present[0] / N;
        assert!(present.iter().all(|g| g / N == tile), "{view}: {present:?}");
        let elected = present.iter().filter(|g| rows[**g][3] == 1).count();
        assert_eq!(elected, 1, "{view}");
        for (g, mut row) in present.iter().zip(expected(&lanes, number, &ints, &bits)) {
            row[3] = rows[*g][3];
            assert_eq!(rows[*g], row, "{view}: thread {g} of {lanes:?}");
        }
    }
    assert_eq!(threads_seen, threads, "{view}");
}

#[test]
fn whole_subgroups_agree() {
    everywhere(|view| check::<128>(view, 3));
}

#[test]
fn the_last_subgroup_of_a_tile_may_be_smaller() {
    everywhere(|view| {
        check::<1>(view, 3);
        check::<5>(view, 4);
        check::<37>(view, 2);
        check::<100>(view, 2);
    });
}

/// A sum of the tile: by subgroup first, in loops and behind barriers, in a helper.
#[amp_fn]
fn tile_sum(t_idx: TiledIndex<2, 8, 16>, value: f32) -> f32 {
    #[tile_static]
    let mut sums: [f32; 128];
    let i = t_idx.local[0] * 16 + t_idx.local[1];
    sums[i] = 0.0;
    t_idx.barrier.wait();
    let sum = subgroup::reduce_add(value);
    if subgroup::elect() {
        sums[i] = sum;
    }
    t_idx.barrier.wait();
    let mut total = 0.0;
    for k in 0..128 {
        total += sums[k];
    }
    t_idx.barrier.wait();
    total
}

#[amp_kernel]
fn rounds(
    t_idx: TiledIndex<2, 8, 16>,
    data: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 2>,
    count: usize,
) {
    let mut x = data[t_idx];
    for k in 0..count {
        let total = tile_sum(t_idx, x);
        if t_idx.tile[0] == k {
            x = subgroup::shuffle_xor(x, 0) + 1.0;
        }
        x += total;
    }
    out[t_idx] = x;
}

#[test]
fn a_tile_sums_up_by_subgroups() {
    // Whole numbers, whose sums are exact in any order.
    let data: Vec<f32> = (0..32 * 32).map(|i| (i % 7) as f32).collect();
    let mut expected = data.clone();
    let tile = |g: usize| (g / 32 / 8, g % 32 / 16);
    for k in 0..3 {
        let before = expected.clone();
        for (g, x) in expected.iter_mut().enumerate() {
            let others = before.iter().enumerate();
            let total: f32 = others
                .filter(|(other, _)| tile(*other) == tile(g))
                .map(|(_, x)| x)
                .sum();
            if tile(g).0 == k {
                *x += 1.0;
            }
            *x += total;
        }
    }
    testkit::becomes([32, 32], &[0.0; 1024], &expected, |view, out| {
        let data = ArrayView::new([32, 32], &data)?;
        let domain = out.extent().tile::<8, 16>();
        launch(view, domain, rounds(&data, out, 3))
    });
}

#[amp_kernel]
fn shuffles_in_known_rounds(t_idx: TiledIndex<1, 32>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 32];
    let mut sum = 0;
    for _ in 0..2 {
        shared[t_idx.local[0]] = 1;
        t_idx.barrier.wait();
        sum += shared[shared[22] as usize] + subgroup::shuffle(shared[28], 0);
        t_idx.barrier.wait();
    }
    out[t_idx] = sum + shared[t_idx.tile_origin[0]];
}

// NVIDIA's compiler crashed on what all threads load and shuffle.
#[test]
fn shuffled_in_known_rounds() {
    testkit::becomes([32], &[0; 32], &[5; 32], |view, out| {
        launch(
            view,
            out.extent().tile::<32>(),
            shuffles_in_known_rounds(out),
        )
    });
}

/// One lane after the other adds to what its subgroup has in tile memory; counts what any of them
/// finds to be wrong.
#[amp_kernel]
fn in_turns(t_idx: TiledIndex<1, 96>, wrong: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut sums: [u32; 96];
    let own = t_idx.local[0] as u32 + 1;
    let slot = subgroup::reduce_min(own) as usize - 1;
    sums[t_idx.local[0]] = 0;
    t_idx.barrier.wait();
    for lane in 0..subgroup::size() {
        let before = subgroup::reduce_add(if subgroup::index() < lane { own } else { 0 });
        if sums[slot] != before {
            wrong[t_idx.global] += 1;
        }
        subgroup::barrier();
        if subgroup::index() == lane {
            sums[slot] += own;
        }
        subgroup::barrier();
    }
    if sums[slot] != subgroup::reduce_add(own) {
        wrong[t_idx.global] += 1;
    }
}

#[test]
fn barriers_of_subgroups_order_tile_memory() {
    becomes([960], &[0; 960], &[0; 960], |view, wrong| {
        let domain = wrong.extent().tile::<96>();
        launch(view, domain, in_turns(wrong))
    });
}
