//! Slices and arrays that patterns take apart, and halves of slices.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all, irrefutable_let_patterns)]

use amp::prelude::*;
use testkit::{gives, twice};

const SEVEN: i32 = 7;

twice! {
    matched_by_length(x: u32) -> u32 = ((0..64).collect(),);
    {
        let n = x as usize;
        let v = [x as i32 % 4, 7, -2, x as i32 % 3, 5, x as i32];
        let s = &v[n % 5..];
        let short = &v[..n % 4];
        let one = match s {
            [] => 0,
            [a] => *a,
            [0, b] => 10 + b,
            [a, b] if a > b => 20 + a - b,
            [a, -3..=3, c] => 30 + a * c,
            [SEVEN, rest @ ..] => 40 + rest.iter().sum::<i32>(),
            [first, middle @ .., last] if middle.len() > 2 => 50 + first * last + middle[1],
            [s, ..] => 60 + s,
        };
        let two = match &v[n % 3..n % 3 + n % 4] {
            [] | [_] => 100,
            [_, _, _] => 200,
            whole => 300 + whole[0] + whole.len() as i32,
        };
        let mut three = 0;
        if let [a, .., b] = short {
            three += a * 2 + b;
        } else if let &[] = &v[..n % 2] {
            three = 77;
        }
        let mut left = n % 6;
        while let [others @ .., last] = &v[..left] {
            three = three * 3 + last + others.len() as i32;
            left -= 1;
        }
        if let &[a, _, b] = short {
            three += a - b;
        }
        if matches!(s, [1 | 2, ..]) {
            three += 1000;
        }
        (one as u32).wrapping_mul(31).wrapping_add(two as u32).wrapping_mul(31).wrapping_add(three as u32)
    }
}

#[amp_fn]
fn rest_of_array(a: &[u32; 4]) -> u32 {
    match a {
        [0, rest @ ..] => rest[2],
        [x, mid @ .., y] if mid[0] > *x => mid.iter().sum::<u32>() * 10 + y,
        [head @ .., 3] => head.len() as u32,
        [x, ..] => *x,
    }
}

twice! {
    arrays_with_a_rest(x: u32) -> u32 = ((0..64).collect(),);
    {
        let v = [x % 3, x % 5, 2, x % 4];
        let all = [v, [4, 5, 6, x]];
        let one = if let [a, rest @ ..] = &v { a * 100 + rest[1] } else { 0 };
        let two = match &all[x as usize % 2] {
            [rest @ .., 2 | 3 | 7] => rest[0] * 10 + rest.len() as u32,
            [_, two @ .., _] => two[0] + two[1],
        };
        rest_of_array(&v) * 10_000 + one + two
    }
}

twice! {
    alternatives(x: u32) -> u32 = ((0..80).collect(),);
    {
        let n = x as usize;
        let v = [x % 3, x / 9 % 3, 2, x / 4 % 4, 0, x % 5];
        match &v[n % 5..] {
            [0, a] | [a, 0] => 10 + a,
            [a, 1, ..] | [.., a, 2] if *a > 1 || n % 2 == 0 => 20 + a,
            [] | [_] | [_, _] => 30,
            [1, rest @ ..] | [_, rest @ .., 3] | [0, _, rest @ ..] => 40 + rest.iter().sum::<u32>(),
            whole => 50 + whole[1],
        }
    }
}

#[amp_fn]
fn first_two(s: &[u32]) -> u32 {
    let [mut a, b, ..] = *s else { return 500 };
    a += 1;
    a * 10 + b
}

#[amp_fn]
fn pair(of: &[u32; 2]) -> u32 {
    let [a, b] = *of else { return 0 };
    match *of {
        [0, _] => b,
        [a, 1..=3] => a * 3,
        [c, d] => a * c + b * d,
    }
}

twice! {
    behind_references(x: u32) -> u32 = ((0..80).collect(),);
    {
        let n = x as usize;
        let mut v = [x % 3, x / 9 % 3, 2, x / 4 % 4, 0, x % 5];
        let s = &v[n % 7..];
        let mut sum = match *s {
            [] | [_] => 30,
            [0, a] | [a, 0] => 10 + a,
            [1, b, ref rest @ ..] => b + rest.iter().sum::<u32>(),
            [ref a, mut b, 2 | 3, ..] => {
                b += *a;
                b * 40
            }
            (_) => 60,
        };
        if let [a, .., b] = *s {
            sum = sum * 3 + a + b;
        }
        if matches!(*s, [0 | 1, ..]) {
            sum += 1000;
        }
        sum = sum * 7 + first_two(s) + pair(&[x % 4, x / 4 % 5]);
        let t = &mut v[n % 5..];
        sum = sum * 7 + match *t {
            [a, b] => {
                t[0] = b + 1;
                t[1] = a + 2;
                a * 7 + b
            }
            [a, .., b] if a < b => {
                t[0] = 50;
                a + b
            }
            _ => 3,
        };
        let [first, .., last] = *t else { return sum };
        t[0] += 1;
        sum = sum * 7 + first * 3 + last;
        sum * 7 + v.iter().fold(0, |sum, x| sum * 3 + x)
    }
}

twice! {
    let_or_leave(x: u32) -> u32 = ((0..32).collect(),);
    {
        let n = x as usize;
        let pairs = [(x, 1), (2, x / 2), (3, 4), (x % 3, 6)];
        let mut sum = 0_u32;
        for round in 0..5 {
            let all = &pairs[..(n + round) % 5];
            let [(a, b), w, ..] = all else {
                sum += 1;
                continue;
            };
            sum = sum.wrapping_mul(5).wrapping_add(a + b * w.0 + w.1);
            let [(2.., _), .., all @ (_, 4 | 6)] = all else { continue };
            sum += all.0 + 100;
        }
        let v = [x % 2, 5, x % 7];
        let Some((first, v)) = v[n % 4..].split_first() else { return sum };
        let Some((v, rest)) = v.split_last() else { return sum ^ *first };
        sum.wrapping_add(*first * 1000 + *v * 100 + rest.len() as u32)
    }
}

twice! {
    rests_of_arrays(x: u32) -> u32 = ((0..32).collect(),);
    {
        let v = [x, x % 3, 7, x / 2];
        let [first, mut rest @ ..] = v;
        rest[1] += first;
        let [a, others @ .., _] = &v;
        let tail = match [rest[0] % 2, rest[1] % 2, rest[2]] {
            [0, tail @ ..] => tail,
            [head @ .., last] if last > 4 => head,
            [.., b, c] => [c, b],
        };
        let sum: u32 = others.iter().sum();
        first + 2 * rest[1] + 3 * tail[0] + 5 * tail[1] + 7 * sum + 11 * a
    }
}

twice! {
    parts_that_may_be_there(x: u32) -> u32 = ((0..48).collect(),);
    {
        let n = x as usize;
        let v = [x, x % 3, 7, x / 2, 1];
        let s = &v[n % 3..];
        let mut sum = match s.split_last() {
            Some((z, init)) if *z > x => *z + init[0],
            Some((&z, init)) => z * 3 + init.len() as u32,
            None => 2,
        };
        sum += s.get(n % 4..n % 5).map_or(50, |w| w.iter().sum::<u32>() + w.len() as u32);
        sum += s.get(..=n % 6).is_some() as u32 * 100;
        sum += match s.get(n % 7..) {
            Some(part) => part.len() as u32 * 1000,
            None => 9000,
        };
        sum += s.split_first().map(|(a, rest)| a * 2 + rest[0]).unwrap_or(1);
        if let Some(part) = s.get(4_294_967_295..) {
            sum += part[0];
        }
        let Some(part) = s.get(1..=2) else { return sum };
        sum * 2 + part[1]
    }
}

twice! {
    halves_that_are_written(x: u32) -> u32 = ((0..24).collect(),);
    {
        let mut v = [x, 1, 2, 3, x % 5, 5];
        let (left, right) = v.split_at_mut((x % 7) as usize);
        for (a, b) in left.iter_mut().zip(right.iter()) {
            *a += 10 * b;
        }
        if left.len() > 0 && right.len() > 1 {
            right[1] = left[0] ^ 3;
            let (one, two) = right.split_at_mut(1);
            one[0] += two[0];
            two[0] = 77;
        }
        left.reverse();
        v.iter().fold(0_u32, |sum, x| sum.wrapping_mul(31).wrapping_add(*x))
    }
}

twice! {
    found_slices(a: u32, b: u32) -> u32 = testkit::numbers::pairs(&[0, 1, 2, 3, 4, 5, 6]);
    {
        let mut v = [a, b, 3, a + b, 9, b * b, 7];
        let x = &v[a as usize..];
        let mut sum = match x.split_first() {
            Some((y, [])) => *y + 100,
            Some((y, [z])) => *y * 2 + *z,
            Some((y, [_, z, .., w])) if *y > 2 => *y * 3 + *z + *w,
            Some((y, [_, rest @ ..])) => *y + rest.iter().sum::<u32>(),
            None => 7,
        };
        if let Some([y, z]) = x.get(1..b as usize) {
            sum += 1000 + y * z;
        }
        let mut parts = x.chunks(b as usize + 1);
        while let Some([y, .., z]) = parts.next() {
            sum = sum * 3 + y * z;
        }
        sum += x.chunks(3).any(|part| matches!(part, [_, _])) as u32;
        for [y, .., z] in x.array_windows::<4>() {
            sum ^= y * z;
        }
        if let Some((first, rest)) = v[b as usize..].split_first_mut() {
            for x in rest.iter_mut() {
                *x += *first;
            }
            *first = rest.len() as u32;
        }
        let Some((last, rest)) = v.split_last_mut() else { return sum };
        *last ^= sum;
        rest.reverse();
        match rest[a as usize..].split_first_mut() {
            Some((y, [z, ..])) => std::mem::swap(y, z),
            Some((y, [])) => *y += 5,
            None => sum += 1,
        }
        v.iter().fold(sum, |sum, x| sum.wrapping_mul(31).wrapping_add(*x))
    }
}

#[amp_fn]
fn merge(a: &mut [u32], at: usize) -> u32 {
    let (low, high) = a.split_at_mut(at);
    for i in 0..low.len() {
        if i < high.len() && low[i] > high[i] {
            std::mem::swap(&mut low[i], &mut high[i]);
        }
    }
    low.len() as u32
}

#[amp_kernel]
fn tile_halves(t_idx: TiledIndex<1, 8>, at: usize, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; 8];
    let i = t_idx.local[0];
    part[i] = (t_idx.global[0] as u32 * 37) % 23;
    let mut own = [i as u32, 3, 2, 1];
    let count = merge(&mut own, at % 4);
    t_idx.barrier.wait();
    if i == 0 {
        merge(&mut part, at);
        let (_, last) = part.split_at_mut(6);
        last[1] += 1;
    }
    t_idx.barrier.wait();
    out[t_idx.global] = match &part[i..] {
        [one] => *one,
        [a, .., b] => a * 100 + b,
        [] => 0,
    } + own[0] * 10_000
        + count * 100_000;
}

#[test]
fn halves_of_tile_memory() {
    for at in [0, 3, 4, 8] {
        let mut expected = Vec::new();
        for tile in 0..3_u32 {
            let mut part: Vec<u32> = (0..8).map(|i| ((tile * 8 + i) * 37) % 23).collect();
            for i in 0..at.min(8 - at) {
                if part[i] > part[at + i] {
                    part.swap(i, at + i);
                }
            }
            part[7] += 1;
            for i in 0..8 {
                let mut own = [i as u32, 3, 2, 1];
                let middle = at % 4;
                for k in 0..middle.min(4 - middle) {
                    if own[k] > own[middle + k] {
                        own.swap(k, middle + k);
                    }
                }
                let value = match &part[i..] {
                    [one] => *one,
                    [a, .., b] => a * 100 + b,
                    [] => 0,
                };
                expected.push(value + own[0] * 10_000 + middle as u32 * 100_000);
            }
        }
        gives(&expected, |view, out| {
            view.parallel_for_each(out.extent().tile::<8>(), tile_halves(at, out))
        });
    }
}

mod cases {
    use amp::prelude::*;

    device_and_host! {
        #[derive(Clone, Copy, PartialEq)]
        pub enum Op {
            Push(i32),
            Load { from: i32 },
            Neg,
        }

        pub fn folded(code: &[Op]) -> i32 {
            match code {
                [Op::Push(a), Op::Neg, ..] => -*a,
                [Op::Load { from: x }, Op::Load { from: y }, ..] if x == y => 100 + x,
                [Op::Push(x @ 1..=5), rest @ .., Op::Push(y)] => x * 10 + y + rest.len() as i32,
                [.., Op::Load { from }] => *from + 1000,
                [] => 7,
                [Op::Push(x), ..] | [_, Op::Push(x), ..] => *x + 2000,
                _ => 3,
            }
        }

        pub fn options(v: &[Option<i32>]) -> i32 {
            if let [Some(x), None, ..] = v {
                return *x;
            }
            let [.., Some(y)] = v else { return 50 };
            *y * 2
        }

        pub fn written(code: &mut [Op]) -> i32 {
            match code {
                [Op::Load { from: x }, Op::Push(y), rest @ ..] => {
                    *x += 1;
                    std::mem::swap(x, y);
                    rest.len() as i32
                }
                [Op::Push(a), ..] => {
                    *a += 1;
                    30
                }
                _ => 0,
            }
        }

        pub fn all(x: u32) -> i32 {
            let n = x as usize;
            let op = |k: u32| match (x >> k) % 4 {
                0 => Op::Push((x >> k) as i32 % 7),
                1 => Op::Load { from: x as i32 % 3 },
                2 => Op::Neg,
                _ => Op::Push(3),
            };
            let mut code = [op(0), op(1), op(2), op(3)];
            let options_of = [Some(n as i32), None, Some(4)];
            let one = folded(&code[n % 4..]) + folded(&code[..n % 5]) * 3;
            let two = options(&options_of[n % 3..]) + options(&options_of[..n % 3]);
            let three = written(&mut code[n % 3..]);
            one + two * 5 + three * 7 + folded(&code) * 11
        }
    }

    all_agree!(elements_are_tested_and_taken_apart: i32, 100);
}
