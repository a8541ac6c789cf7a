//! Parameters: every type by value, many views, more than push constants hold.

use amp::prelude::*;
use amp_test_helpers::shapes::{Point, Rect};
use testkit::{becomes, everywhere, gives, input, launch};

#[amp_kernel]
fn values(
    idx: Index<1>,
    yes: bool,
    no: bool,
    count: usize,
    signed: i32,
    unsigned: u32,
    float: f32,
    out: &mut ArrayViewMut<u32, 1>,
    pair: (i32, f32),
    nested: (bool, (u32, [usize; 2]), Point),
    at: Index<3>,
    space: Extent<2>,
    table: [[i32; 3]; 2],
    rect: Rect,
    flags: [bool; 2],
) {
    let mut all = [0_u32; 24];
    all[0] = yes as u32 * 2 + no as u32;
    all[1] = count as u32;
    all[2] = signed as u32;
    all[3] = unsigned;
    all[4] = float.to_bits();
    all[5] = pair.0 as u32;
    all[6] = pair.1.to_bits();
    all[7] = nested.0 as u32;
    all[8] = nested.1.0;
    all[9] = nested.1.1[1] as u32;
    all[10] = nested.2.y.to_bits();
    all[11] = at[2] as u32;
    all[12] = space.size() as u32;
    all[13] = table[1][2] as u32;
    all[14] = table[idx[0] % 2][idx[0] % 3] as u32;
    all[15] = rect.corners[1].x.to_bits();
    all[16] = rect.material;
    all[17] = flags[0] as u32 * 2 + flags[1] as u32;
    let (first, second) = pair;
    all[18] = (first as f32 * second) as u32;
    // A parameter is a variable of its thread.
    let mut mine = table;
    mine[0][0] += idx[0] as i32;
    all[19] = mine[0][0] as u32;
    if idx[0] < 24 {
        out[idx] = all[idx[0]];
    }
}

#[test]
fn values_of_all_types_arrive() {
    let rect = Rect {
        corners: [Point { x: 1.0, y: 2.0 }, Point { x: 3.5, y: 4.0 }],
        material: 77,
    };
    let table = [[1, 2, 3], [-4, -5, -6]];
    let expected: [u32; 24] = std::array::from_fn(|i| match i {
        0 => 2,
        1 => 4_000_000_000,
        2 => -5_i32 as u32,
        3 => u32::MAX,
        4 => (-0.0_f32).to_bits(),
        5 => 9,
        6 => 2.5_f32.to_bits(),
        7 => 1,
        8 => 11,
        9 => 13,
        10 => 0.125_f32.to_bits(),
        11 => 23,
        12 => 30,
        13 => -6_i32 as u32,
        14 => table[0][2] as u32,
        15 => 3.5_f32.to_bits(),
        16 => 77,
        17 => 1,
        18 => 22,
        19 => 20,
        _ => 0,
    });
    gives(&expected, |view, out| {
        let nested = (true, (11, [12, 13]), Point { x: 0.0, y: 0.125 });
        let kernel = values(
            true,
            false,
            4_000_000_000,
            -5,
            u32::MAX,
            -0.0,
            out,
            (9, 2.5),
            nested,
            Index::new([21, 22, 23]),
            Extent::new([5, 6]),
            table,
            rect,
            [false, true],
        );
        assert!(kernel.artifact().spilled, "more than push constants hold");
        launch(view, 24, kernel)
    });
}

#[amp_kernel]
fn many_views(
    idx: Index<2>,
    a: &ArrayView<i32, 2>,
    b: &ArrayView<f32, 2>,
    c: &ArrayView<u32, 2>,
    d: &ArrayView<Point, 2>,
    e: &ArrayView<i32, 1>,
    f: &mut ArrayViewMut<i32, 2>,
    g: &mut ArrayViewMut<f32, 2>,
    h: &mut ArrayViewMut<Point, 2>,
) {
    let sum = a[idx] + b[idx] as i32 + c[idx] as i32 + d[idx].x as i32 + e[idx[1]];
    f[idx] = sum;
    g[idx] += sum as f32 * 0.5;
    h[idx].y = g[idx];
}

#[test]
fn many_views_spill_into_a_buffer() {
    let a: Vec<i32> = (0..12).collect();
    let b: Vec<f32> = (0..12).map(|i| i as f32 * 10.0).collect();
    let c: Vec<u32> = (0..12).map(|i| i * 100).collect();
    let d: Vec<Point> = (0..12)
        .map(|i| Point {
            x: i as f32,
            y: 7.0,
        })
        .collect();
    let e = [1000, 2000, 3000];
    let sums: Vec<i32> = (0..12).map(|i| i * 112 + e[i as usize % 3]).collect();
    everywhere(|view| {
        let extent = [4, 3];
        let a = ArrayView::new(extent, &a).unwrap();
        let b = ArrayView::new(extent, &b).unwrap();
        let c = ArrayView::new(extent, &c).unwrap();
        let points = ArrayView::new(extent, &d).unwrap();
        let e = input(&e);
        let (mut f, mut g, mut h) = (vec![0; 12], vec![1.0; 12], d.clone());
        for round in 1..=3 {
            {
                let mut f = ArrayViewMut::new(extent, &mut f).unwrap();
                let mut g = ArrayViewMut::new(extent, &mut g).unwrap();
                let mut h = ArrayViewMut::new(extent, &mut h).unwrap();
                let kernel = many_views(&a, &b, &c, &points, &e, &mut f, &mut g, &mut h);
                assert!(kernel.artifact().spilled, "more than push constants hold");
                launch(view, extent, kernel).unwrap();
            }
            for i in 0..12 {
                let total = 1.0 + sums[i] as f32 * 0.5 * round as f32;
                assert_eq!((f[i], g[i]), (sums[i], total), "{view}");
                assert_eq!(
                    h[i],
                    Point {
                        x: i as f32,
                        y: total
                    },
                    "{view}"
                );
            }
        }
    });
}

#[amp_kernel]
fn small_table(idx: Index<1>, table: [u32; 16], out: &mut ArrayViewMut<u32, 1>, add: u32) {
    out[idx] += table[idx[0] % 16] * 2 + add;
}

#[test]
fn every_launch_has_arguments_of_its_own() {
    // Many launches in flight, each with other values: none may see another's.
    let expected: Vec<u32> = (0..64)
        .map(|i| (0..200).map(|round| (i % 16 + round) * 2 + round * 3).sum())
        .collect();
    becomes([64], &[0; 64], &expected, |view, out| {
        for round in 0..200 {
            let table = std::array::from_fn(|i| i as u32 + round);
            launch(view, 64, small_table(table, out, round * 3))?;
        }
        Ok(())
    });
}

#[amp_kernel]
#[allow(unused_variables)]
fn unused(idx: Index<1>, a: &ArrayView<f32, 3>, b: bool, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = 5;
}

#[test]
fn parameters_may_be_unused() {
    let a = [0.5; 8];
    gives(&[5; 3], |view, out| {
        let a = ArrayView::new([2, 2, 2], &a)?;
        launch(view, 3, unused(&a, true, out))
    });
}

#[test]
fn a_usize_that_no_device_can_hold_is_refused() {
    everywhere(|view| {
        let mut out = ArrayViewMut::<u32, 1>::uninit(24).unwrap();
        let kernel = large(&mut out, 1 << 32);
        let error = launch(view, 24, kernel).unwrap_err();
        assert!(
            matches!(error, amp::Error::InvalidArgument(_)),
            "{view}: {error}"
        );
    });
}

#[amp_kernel]
fn large(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>, n: usize) {
    out[idx] = n as u32;
}
