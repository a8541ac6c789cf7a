//! Methods of arrays that are no iterators: of local arrays, fields, and arrays behind references.

use amp::prelude::*;
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 100, 65_537, u32::MAX];
const FLOATS: [f32; 6] = [0.0, -0.0, 1.5, f32::NAN, f32::INFINITY, 1e-40];

#[amp_struct]
#[derive(Clone, Copy, PartialEq)]
struct Pair {
    one: u32,
    other: u32,
}

#[amp_fn]
fn turned(x: &mut [u32; 3]) {
    x.reverse();
}

twice! {
    mapped(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let a = [x, y, x ^ y, 5];
        let mut calls = 0_u32;
        let b = a.map(|v| {
            calls = calls.wrapping_mul(3).wrapping_add(v);
            v as f32 * 0.5
        });
        let c = [x].map(|v| v.wrapping_add(y));
        let d = a.map(|v| Pair { one: v, other: y }).map(|p| p.one.wrapping_mul(p.other));
        b[0].to_bits() ^ b[3].to_bits() ^ calls ^ c[0] ^ d[1].wrapping_add(d[2])
    }
}

twice! {
    contained(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let a = [1, y, 100];
        let pairs = [Pair { one: x, other: y }, Pair { one: y, other: 3 }];
        let wanted = Pair { one: 7, other: 3 };
        let mut found = u32::from(a.contains(&x));
        found += 2 * u32::from(pairs.contains(&wanted));
        found += 4 * u32::from([x, 7].contains(&y));
        found
    }
}

twice! {
    contained_floats(x: f32, y: f32) -> u32 = (FLOATS.repeat(6), FLOATS.map(|x| [x; 6]).concat());
    {
        u32::from([y, 2.0, 1.5].contains(&x)) + 2 * u32::from([x].contains(&x))
    }
}

twice! {
    written(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let mut a = [x, y, 3, 4, 5];
        let mut b = [x, y, 9, 2];
        let mut rows = [[x, y], [y, 1]];
        a.reverse();
        b.reverse();
        rows[1].reverse();
        rows[0].fill(x ^ 77);
        let mut c = (1_u32, [y, x, 4]);
        c.1.reverse();
        turned(&mut c.1);
        c.1.reverse();
        let mut d = [0_u16; 6];
        d.fill(x as u16);
        let mut sum = 0_u32;
        for v in a {
            sum = sum.wrapping_mul(31).wrapping_add(v);
        }
        for v in b {
            sum = sum.wrapping_mul(31).wrapping_add(v);
        }
        for v in c.1 {
            sum = sum.wrapping_mul(31).wrapping_add(v);
        }
        sum = sum.wrapping_mul(31).wrapping_add(rows[0][0] ^ rows[0][1]);
        sum.wrapping_mul(31).wrapping_add(rows[1][0]) ^ u32::from(d[5])
    }
}

#[amp_kernel]
fn shared(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut rows: [[u32; 3]; 4];
    let (local, i) = (t_idx.local[0], t_idx.global[0] as u32);
    rows[local].fill(i);
    rows[local][0] = 7;
    rows[local].reverse();
    turned(&mut rows[local]);
    rows[local].reverse();
    let twice = rows[local].map(|x| x * 2);
    out[t_idx.global] = twice[0] + 100 * twice[2] + 10_000 * u32::from(rows[local].contains(&i));
}

#[test]
fn in_tile_memory() {
    let expected: Vec<u32> = (0..8).map(|i| 2 * i + 1400 + 10_000).collect();
    gives(&expected, |view, out| {
        launch(view, Extent::new([8]).tile::<4>(), shared(out))
    });
}
