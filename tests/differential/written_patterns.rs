//! Patterns whose names write: of slices and arrays behind `&mut`, and by `ref mut` among other names.

use amp::prelude::*;
use testkit::{gives, twice};

#[amp_struct]
struct Stack {
    v: [u32; 6],
    n: u32,
}

#[amp_fn]
impl Stack {
    fn ends(&mut self) -> u32 {
        if let [a, middle @ .., b] = &mut self.v[..self.n as usize] {
            *a += *b;
            middle.fill(2);
            return *a;
        }
        let [p, .., q] = &mut self.v;
        *p = *q + 1;
        *q = 0;
        self.v[0]
    }

    fn push(&mut self) {
        let n = self.n as usize;
        let [a, rest @ ..] = &mut self.v;
        *a = 3;
        rest[n % 5] += *a;
        self.n += 1;
    }
}

#[amp_fn]
fn join(a: &mut u32, b: &mut u32) {
    *a += 1;
    *b += *a;
}

#[amp_fn]
fn first(a: &u32) -> u32 {
    *a
}

#[amp_fn]
fn split(s: &mut [u32]) -> u32 {
    let [a, b, rest @ ..] = s else {
        return s.len() as u32;
    };
    join(a, b);
    join(&mut rest[0], a);
    let (left, right) = rest.split_at_mut(2);
    join(&mut left[1], &mut right[0]);
    for x in rest.iter_mut() {
        *x += first(a);
    }
    rest.len() as u32
}

#[amp_fn]
fn of_arrays(s: &mut [[u32; 2]]) {
    match s {
        [[a, 0], ..] => *a = 1,
        [.., [_, b]] if *b > 3 => *b = 2,
        [x, y] => std::mem::swap(x, y),
        [[a, b], middle @ .., [c, d]] => {
            *a += *d;
            *b += *c;
            for m in middle {
                m[0] += 1;
            }
        }
        _ => {}
    }
}

#[amp_fn]
fn of_pairs(s: &mut [(u32, u32)]) {
    if let [(a, b), .., (c, _)] = s {
        *a += 1;
        *b = *c;
    }
}

#[amp_fn]
fn row(x: u32) -> [u32; 8] {
    let mut x = x.wrapping_mul(0x9e37_79b9) | 1;
    std::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x % 7
    })
}

twice! {
    slices_to_write(x: u32) -> u32 = ((0..200).collect(),);
    {
        let mut v = row(x);
        let n = v.len();
        if let [a, b, ..] = &mut v[x as usize % 3..] {
            *a += 1;
            std::mem::swap(a, b);
            v[2] = 7;
        }
        let s = &mut v[..n - x as usize % 8];
        match s {
            [] => {}
            [one] => *one += 4,
            [_, b, .., _, y] if *b < *y => {
                *b = *y;
                s[0] = 1;
            }
            [s, .., t] => {
                *s = 4;
                *t = 5;
            }
        }
        for part in v.chunks_mut(3) {
            match part {
                [a] => *a += 1,
                [a, b] => *a = *b,
                [a, b, c] => {
                    *c = *a + *b;
                    *a = 0;
                }
                _ => {}
            }
        }
        while let [a, .., b] = &mut v[1..] {
            *a += *b + 1;
            if *a > 20 {
                break;
            }
        }
        let used = split(&mut v) + split(&mut v[7..]);
        match &v[..] {
            whole @ [a, ..] if *a > 2 => v[1] ^ whole.len() as u32,
            all @ [_, _, rest @ ..] => all[1] + rest[0],
            _ => 0,
        };
        v.iter().fold(used, |sum, x| sum.wrapping_mul(31).wrapping_add(*x))
    }
}

twice! {
    parts_to_write(x: u32) -> u32 = ((0..200).collect(),);
    {
        let [a, b, c, d, e, f, g, _] = row(x);
        let mut stack = Stack { v: [a, b, c, d, e, f], n: g };
        let found = stack.ends();
        stack.push();
        let mut arrays = [[a, b], [c, d], [e, f]];
        of_arrays(&mut arrays);
        of_arrays(&mut arrays[..2]);
        let mut pairs = [(a, b), (c, d), (e, f)];
        of_pairs(&mut pairs[g as usize % 3..]);
        let mut sum = found + stack.n;
        for x in stack.v.iter().chain(arrays.iter().flatten()) {
            sum = sum.wrapping_mul(31).wrapping_add(*x);
        }
        for (x, y) in &pairs {
            sum = sum.wrapping_mul(31).wrapping_add(*x * 8 + *y);
        }
        sum
    }
}

#[amp_struct]
struct Mixed {
    a: u32,
    b: (u32, Option<u32>),
}

twice! {
    some_by_reference(x: u32) -> u32 = ((0..200).collect(),);
    {
        let v = row(x);
        let mut s = Mixed { a: v[0], b: (v[1], v[2].checked_sub(3)) };
        match s {
            Mixed { ref mut a, b: (n, Some(k)) } if *a < k => *a += n + k,
            Mixed { a, b: (ref mut m, None) } => *m += a,
            Mixed { b: (0 | 1, ref mut q), .. } => *q = None,
            _ => {}
        }
        let mut pair = (v[3], v[4]);
        {
            let (ref mut a, mut b) = pair;
            b += 1;
            *a += b;
        }
        let (ref c, d) = pair;
        let found = match v {
            [a, 0, ..] => a,
            [.., b @ (1 | 3), _] => b * 2,
            [ref a, .., ref z] if a < z => a + 1,
            all => all[3],
        };
        let Some((ref e, f)) = v[5].checked_sub(2).map(|v| (v, v + 1)) else {
            return s.a + s.b.0 * 7 + c * 11 + d;
        };
        s.a + s.b.0 * 7 + s.b.1.unwrap_or(9) * 31 + c * 11 + d * 5 + found * 3 + e * f
    }
}

/// Tile memory and elements of views are written by the same names.
#[amp_kernel]
fn shared(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; 4];
    let i = t_idx.local[0];
    part[i] = t_idx.global[0] as u32 * 5 % 7;
    t_idx.barrier.wait();
    if i == 0 {
        if let [a, rest @ ..] = &mut part[1..] {
            *a += 10;
            rest[0] += *a;
        }
        let all = &mut out[t_idx.global[0]..];
        if let [a, b, ..] = all {
            *a = part[1];
            *b = part[2];
        }
    }
    t_idx.barrier.wait();
    if i > 1 {
        out[t_idx.global] = part[i];
    }
}

#[test]
fn shared_memory_is_written() {
    let mut expected = Vec::new();
    for tile in 0..3 {
        let mut part: Vec<u32> = (0..4).map(|i| (tile * 4 + i) * 5 % 7).collect();
        part[1] += 10;
        part[2] += part[1];
        expected.extend([part[1], part[2], part[2], part[3]]);
    }
    gives(&expected, |view, out| {
        view.parallel_for_each(out.extent().tile::<4>(), shared(out))
    });
}

#[amp_enum]
#[derive(Clone, Copy)]
enum Lift {
    Idle { floor: u32 },
    Moving { up: bool, floor: u32 },
}

testkit::twice! {
    alternatives_that_always_match(n: u32, m: u32) -> u32 = ((0..9).collect(), (3..12).collect());
    {
        let lift = if n % 2 == 0 { Lift::Idle { floor: m } } else { Lift::Moving { up: n > 4, floor: n } };
        let (Lift::Idle { floor } | Lift::Moving { floor, .. }) = lift;
        let made: Result<u32, u32> = if m > 6 { Ok(n) } else { Err(m) };
        let (Ok(x) | Err(x)) = made;
        floor * 100 + x
    }
}
