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

twice! {
    moved(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let mut a = [x, y, 3, 4, 5, x ^ y];
        a.swap(0, 3);
        a.swap((x % 6) as usize, (y % 6) as usize);
        let mut b = a;
        b.rotate_left((x % 7) as usize);
        let mut c = a;
        c.rotate_right((y % 7) as usize);
        let mut d = [[0_u32; 3]; 2];
        d[1] = [x, 7, y];
        d.swap(0, 1);
        let mut sum = u32::from(a.is_empty());
        for part in [a, b, c] {
            for v in part.iter().rev() {
                sum = sum.wrapping_mul(31).wrapping_add(*v);
            }
        }
        sum ^ d[0][2].wrapping_mul(5)
    }
}

twice! {
    sorted(x: u32, y: u32) -> u32 = (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat());
    {
        let mut a = [x, y, 3, 100, x ^ y, 7, 0];
        let was = a.is_sorted();
        a.sort();
        let mut b = [(x, 1_u8), (3, 9), (y, 0), (3, 2)];
        b.sort_unstable();
        let mut compared = 0_u32;
        let mut c = [Pair { one: x & 3, other: 1 }, Pair { one: y & 3, other: 2 }, Pair { one: 1, other: 3 }];
        c.sort_by(|p, q| {
            compared = compared.wrapping_mul(3).wrapping_add(p.other * 4 + q.other);
            q.one.cmp(&p.one)
        });
        let mut d = a;
        d.sort_by_key(|v| *v % 5);
        d.sort_unstable_by(|p, q| (q % 3).cmp(&(p % 3)).then(p.cmp(q)));
        let mut sum = compared ^ u32::from(was) ^ 2 * u32::from(a.is_sorted());
        for v in a {
            sum = sum.wrapping_mul(31).wrapping_add(v);
        }
        for v in b {
            sum = sum.wrapping_mul(31).wrapping_add(v.0 ^ u32::from(v.1));
        }
        for v in c {
            sum = sum.wrapping_mul(31).wrapping_add(v.other);
        }
        for v in d {
            sum = sum.wrapping_mul(31).wrapping_add(v);
        }
        sum
    }
}

twice! {
    searched(x: u32) -> u32 = ((0..40).collect(),);
    {
        let a: [u32; 9] = [1, 3, 3, 3, 8, 13, 13, 21, 34];
        let told = |found: Result<usize, usize>| match found {
            Ok(i) => i as u32,
            Err(i) => 100 + i as u32,
        };
        let mut calls = 0;
        let by = a[..x as usize % 10].binary_search_by(|v| {
            calls += 1;
            (v / 2).cmp(&(x / 2))
        });
        let pairs = [(1, 0.5), (4, 0.1), (x, 3.0)];
        let key = pairs.binary_search_by_key(&4, |p| p.0);
        let rest = &a[1..];
        told(a.binary_search(&x)) + 1000 * told(by) + 1_000_000 * told(key) + 7 * calls
            + 31 * a.partition_point(|v| *v < x) as u32
            + rest.partition_point(|v| v % 2 == 1) as u32
    }
}

twice! {
    sorted_floats(x: f32, y: f32) -> u32 = (FLOATS.repeat(6), FLOATS.map(|x| [x; 6]).concat());
    {
        let mut a = [x, 1.0, y, -0.0, 0.0, -2.5];
        a.sort_by(f32::total_cmp);
        let mut b = [3.0, x.abs().min(9.0), 0.5];
        b.sort_by(|p, q| q.partial_cmp(p).unwrap());
        let mut sum = 0_u32;
        for v in a {
            sum = sum.wrapping_mul(31).wrapping_add(v.to_bits());
        }
        for v in b {
            sum = sum.wrapping_mul(31).wrapping_add(v.to_bits());
        }
        sum
    }
}

#[amp_kernel]
fn in_rows(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut rows: [[u32; 3]; 4];
    let (local, i) = (t_idx.local[0], t_idx.global[0] as u32);
    rows[local] = [i % 3, i % 2, 1];
    rows[local].sort();
    rows[local].swap(0, 2);
    rows[local].sort_by(|x, y| y.cmp(x));
    rows[local].rotate_left(2);
    out[t_idx.global] = rows[local][0] + 10 * rows[local][1] + 100 * rows[local][2];
}

#[test]
fn sorted_in_tile_memory() {
    let expected: Vec<u32> = (0..8_u32)
        .map(|i| {
            let mut row = [i % 3, i % 2, 1];
            row.sort();
            row.reverse();
            row.rotate_left(2);
            row[0] + 10 * row[1] + 100 * row[2]
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, Extent::new([8]).tile::<4>(), in_rows(out))
    });
}
