//! Assignments that take a value apart: `[a, .., b] = v`, `(c[0], s.x) = f()`, `Point { x, .. } = p`.

use amp::prelude::*;
use testkit::twice;

#[amp_struct]
struct Point {
    x: u32,
    y: u32,
    z: [u32; 2],
}

#[amp_struct]
struct Pair(u32, u32);

#[amp_struct]
struct Both<T> {
    a: T,
    b: T,
}

#[amp_fn]
fn next(x: u32) -> (u32, u32) {
    (x + 1, x * 3)
}

#[amp_fn]
fn exchange(pair: &mut (u32, u32), other: &mut u32) {
    (pair.0, *other) = (*other, pair.1);
}

twice! {
    arrays_and_rests(x: u32) -> u32 = ((0..40).collect(),);
    {
        let v = [x, x * 7 % 11, x % 5, 9];
        let (mut a, mut b);
        let [mut c, mut d, ..] = v;
        [c, d] = [d, c + 1];
        [a, .., b] = v;
        (a, ..) = (a + b, c, d);
        (.., b) = (c, d, a * 2);
        let mut w = v;
        [w[0], _, w[d as usize % 4], w[1]] = [w[1], w[2], w[0], w[0] + w[3]];
        ([a, _], (c, ..)) = ([b, 1], (a, 2, 3));
        [..] = w;
        (_, (d, _)) = (d, (d + 1, [a; 3]));
        w.iter().fold(a + 3 * b + 5 * c + 7 * d, |sum, w| sum * 3 + w)
    }
}

twice! {
    structs_and_places(x: u32) -> u32 = ((0..40).collect(),);
    {
        let (mut p, (mut y, mut z)): (Point, (u32, [u32; 2]));
        p = Point { x, y: x + 1, z: [2, x % 3] };
        Point { y, z, .. } = p;
        Pair(p.x, z[p.z[1] as usize % 2]) = Pair(y, p.x * 5);
        Point { x: y, y: p.z[0], z: [_, p.y] } = p;
        (p.z[1], y) = next(p.x);
        let mut pair = (x, y);
        exchange(&mut pair, &mut y);
        Both { a: [pair.0, z[0]], b: [pair.1, _] } = Both { a: z, b: [y, x] };
        Both::<u32> { a: y, .. } = Both { a: p.z[1], b: 0 };
        _ = next(x);
        [p.x, p.y, p.z[0], p.z[1], pair.0, pair.1, y, z[0], z[1]].iter().fold(0, |sum, w| sum * 3 + w)
    }
}

twice! {
    in_loops(x: u32) -> u32 = ((0..40).collect(),);
    {
        let (mut i, mut j) = (0, 7);
        let mut v = [x, 2, x / 2, 4, x % 7, 6, 7, 8];
        while i < j {
            [v[i], v[j]] = [v[j], v[i]];
            [i, j] = [i + 1, j - 1];
        }
        let mut sums = [0; 2];
        for (i, w) in v.iter().enumerate() {
            Both { a: sums[i % 2], b: sums[1] } = Both { a: sums[0] + w, b: sums[1] * 3 + i as u32 };
        }
        sums[0] * 1000 + sums[1] % 1000
    }
}
