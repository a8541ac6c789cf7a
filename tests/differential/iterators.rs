//! Chains of iterators: what they yield, in which order their closures run, where they stop, and what
//! they make of nothing; over ranges, arrays, views and tile memory.

use amp::prelude::*;
use testkit::{becomes, gives, input, launch, twice};

const FLOATS: [f32; 10] = [
    0.0,
    -0.0,
    1.5,
    -2.25,
    1e-40,
    3e38,
    7.0,
    f32::NAN,
    f32::INFINITY,
    0.1,
];
const NUMBERS: [i32; 10] = [0, 1, 2, 3, 5, 8, -1, -7, 20_011, -9999];

#[amp_fn]
fn square(x: f32) -> f32 {
    x * x
}

#[amp_fn]
fn spread(x: f32) -> [f32; 8] {
    [x, -x, x * 0.3, 2.0, x + 1.0, -0.0, x * x, 0.7]
}

#[amp_fn]
fn scattered(n: i32) -> [i32; 8] {
    [
        n,
        n.wrapping_mul(7) % 11,
        3,
        n / 2,
        n % 5,
        3,
        n.wrapping_sub(9) % 7,
        1,
    ]
}

twice! {
    floats(f: f32, g: f32) -> f32 = (FLOATS.repeat(10), FLOATS.map(|x| [x; 10]).concat());
    {
        let (x, y) = (spread(f), spread(g));
        let mut sum: f32 = x.iter().sum();
        sum += x.iter().map(|v| v * v).sum::<f32>().sqrt();
        sum += x.iter().zip(y.iter()).map(|(a, b)| a * b).sum::<f32>();
        sum += x.iter().zip(&y).map(|(a, b)| (a - b) * (a - b)).product::<f32>();
        sum += (0..8).map(|j| x[j] * y[7 - j]).sum::<f32>();
        sum += x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        sum += x.iter().fold(f32::INFINITY, |a, &b| a.min(b));
        sum += x.iter().fold(1.0, |x, y| x * 0.5 + y);
        sum += x.iter().filter(|&&v| v > 0.0).count() as f32;
        sum += x.iter().filter(|v| **v > 0.0).sum::<f32>();
        sum += x.iter().enumerate().map(|(j, v)| j as f32 * v).sum::<f32>();
        sum += x.iter().take_while(|&&v| v > -5.0).count() as f32;
        sum += x.iter().skip_while(|v| **v > 0.0).map(|v| v.abs()).sum::<f32>();
        sum += x.iter().chain(y.iter()).sum::<f32>();
        sum += x.iter().copied().map(f32::abs).reduce(f32::max).unwrap();
        sum += x.iter().copied().reduce(|a, b| a * 0.5 + b).unwrap_or(3.0);
        sum += x.iter().nth(2).copied().unwrap_or(0.0) + x.iter().nth(8).copied().unwrap_or(0.5);
        sum += x.iter().zip(y).zip(x).map(|((a, b), c)| a * b + c).sum::<f32>();
        sum += (0..8).zip(x).map(|(j, v)| j as f32 + v).sum::<f32>();
        sum += (0..).zip(x.iter()).map(|(j, v)| (j * 2) as f32 * v).sum::<f32>();
        sum += x.iter().zip(1..=5).map(|(v, j)| (j * 2) as f32 * v).sum::<f32>();
        sum += x.iter().zip((0..6).rev()).map(|(v, j)| j as f32 * v).sum::<f32>();
        sum += x.iter().cloned().map(square).filter(|v| v.is_finite()).last().unwrap_or(-1.0);
        sum += x.iter().eq(y.iter()) as u32 as f32 + 2.0 * x.iter().ne(y.iter()) as u32 as f32;
        sum
    }
}

// The sum of no floats is -0.0.
twice! {
    nothing(f: f32) -> u32 = (FLOATS.to_vec(),);
    {
        let x = spread(f);
        let none: f32 = x.iter().skip(8).sum();
        let ones: f32 = x.iter().take(0).product();
        let wide: f64 = x.iter().skip(9).map(|v| *v as f64).sum();
        let zeroes: f32 = x.iter().filter(|v| **v == 0.0).sum();
        none.to_bits() ^ ones.to_bits().rotate_left(1) ^ (wide.to_bits() >> 32) as u32 ^ zeroes.to_bits().rotate_left(3)
    }
}

twice! {
    repeated(n: i32, m: i32) -> i32 = (NUMBERS.repeat(10), NUMBERS.map(|x| [x; 10]).concat());
    {
        let (x, y) = (scattered(n), [n, m, 7]);
        let count = (m.unsigned_abs() % 13) as usize;
        let mut sum = x.iter().zip(y.iter().cycle()).fold(1, |a, (v, w)| a % 9973 * 5 ^ v ^ w.wrapping_mul(3));
        sum ^= y.iter().cycle().skip(2).take(count).fold(1, |a, v| a % 9973 * 5 ^ v);
        sum ^= y.iter().copied().map(|v| v ^ 3).cycle().take(count).fold(1, |a, v| a % 9973 * 5 ^ v);
        sum ^= (0..3).cycle().take(count).fold(1, |a, v| a % 9973 * 3 ^ v);
        sum ^= (1..4).map(|v| v * 2).cycle().zip(x).fold(1, |a, (v, w)| a % 9973 * 7 + v ^ w);
        sum ^= (0..0).cycle().take(3).count() as i32 + y[3..].iter().cycle().count() as i32;
        for (j, v) in y.iter().rev().cycle().enumerate() {
            if j > count {
                break;
            }
            sum = sum % 9973 * 3 + v;
        }
        sum ^= x.array_windows().map(|[a, b]| a % 100 * (b % 100)).sum::<i32>();
        sum ^= x.array_windows().filter(|[a, _, b]| a < b).count() as i32 ^ x.array_windows().all(|&[a, b]| a < b) as i32;
        for [a, b] in y.array_windows() {
            sum ^= a.wrapping_sub(*b);
        }
        sum ^ [n, m].into_iter().flat_map(std::iter::once).fold(0, |a, v| a % 9973 * 3 ^ v)
    }
}

twice! {
    compared(n: i32, m: i32) -> i32 = (NUMBERS.repeat(10), NUMBERS.map(|x| [x; 10]).concat());
    {
        let (x, y) = (scattered(n), scattered(m));
        let mut bits = 0;
        for k in 0..3 {
            let a = &x[k..];
            let b = &y[..7 - k];
            bits = bits * 3 % 9973 + a.iter().lt(b.iter()) as i32 + (a.iter().le(b) as i32) * 2 + (a.iter().gt(b.iter()) as i32) * 4;
            bits = bits * 3 % 9973 + a.iter().ge(b.iter()) as i32 + (a.iter().eq(a.iter()) as i32) * 2 + (a.iter().ne(b.iter().take(1)) as i32) * 4;
            bits = bits * 5 % 9973 + a.iter().rev().cmp(b.iter().rev()) as i32 + 1;
            bits = bits * 5 % 9973 + a.iter().cmp(a.iter().take(3)) as i32 + a.iter().take(2).cmp(a.iter()) as i32 * 3 + 5;
            bits = bits * 5 % 9973 + a.iter().map(|v| v % 3).partial_cmp(b.iter().map(|v| v % 3)).map_or(2, |o| o as i32) + 1;
            bits = bits * 3 % 9973 + (0..4).map(|j| a[j] % 2).is_sorted() as i32 + a.iter().is_sorted_by_key(|v| *v % 4) as i32 * 2;
            bits = bits * 3 % 9973 + a.iter().take(2).is_sorted_by(|v, w| v > w) as i32 + a.iter().skip(9).is_sorted() as i32 * 2;
            bits = bits * 3 % 9973 + a[..2].is_sorted_by(|v, w| v < w) as i32 + x.is_sorted_by_key(|v| v % 2) as i32 * 2;
            bits = bits * 3 % 9973 + a.iter().zip(b).eq(b.iter().zip(a.iter())) as i32;
        }
        bits
    }
}

twice! {
    compared_floats(f: f32, g: f32) -> u32 = (FLOATS.repeat(10), FLOATS.map(|x| [x; 10]).concat());
    {
        let (x, y) = ([1.0, f, g], [1.0, g, f]);
        let order = match x.iter().partial_cmp(y.iter()) {
            Some(order) => order as i32 as u32 & 3,
            None => 2,
        };
        let all = [x.iter().lt(&y), x.iter().le(&y), x.iter().gt(&y), x.iter().ge(&y), x.iter().eq(&y), x.iter().is_sorted()];
        all.iter().fold(order, |bits, bit| bits * 2 + *bit as u32)
    }
}

twice! {
    integers(n: i32, m: i32) -> i32 = (NUMBERS.repeat(10), NUMBERS.map(|x| [x; 10]).concat());
    {
        let (x, y) = (scattered(n), scattered(m));
        let mut sum: i32 = x.iter().fold(0, |a, b| a.wrapping_mul(31) ^ b);
        sum ^= *x.iter().max().unwrap() ^ x.iter().copied().min().unwrap_or(0);
        sum ^= x.iter().any(|&v| v == 3) as i32 | (x.iter().all(|v| *v > -5) as i32) << 1;
        sum ^= x.iter().position(|&v| v > 2).unwrap_or(99) as i32;
        sum ^= x.iter().rposition(|&v| v == 3).unwrap_or(77) as i32 * 3;
        sum ^= x.iter().find(|&&v| v > 3).copied().unwrap_or(-1);
        sum ^= (0..100).filter(|k| k % 3 == 0).sum::<i32>() ^ (1..=10).product::<i32>();
        sum ^= *x.iter().min_by_key(|v| (**v % 9 - 4).abs()).unwrap();
        sum ^= x.iter().copied().max_by_key(|v| v % 4).unwrap_or(5);
        sum ^= (0..8).max_by_key(|&j| x[j] % 3).unwrap() as i32 * 5;
        sum ^= (0..8).min_by_key(|&j| x[j] % 3).unwrap() as i32 * 7;
        sum ^= x.iter().enumerate().max_by_key(|(_, v)| **v % 8).map(|(j, _)| j).unwrap() as i32 * 11;
        sum ^= x.iter().enumerate().min_by_key(|p| *p.1).unwrap().0 as i32 * 13;
        sum ^= (0..4).flat_map(|a| (0..4).map(move |b| a * b)).sum::<i32>() * 17;
        sum ^= (0..3).flat_map(|r| (r..3).map(move |c| (r, c))).map(|(r, c)| x[r] % 5 * (y[c] % 5)).sum::<i32>();
        sum ^= x.iter().filter_map(|&v| if v > 0 { Some(v % 100) } else { None }).sum::<i32>() * 19;
        sum ^= x.iter().last().copied().unwrap() ^ x.iter().rev().next().map_or(3, |v| v % 7);
        sum ^= x.iter().try_fold(0i32, |s, &v| s.checked_add(v)).unwrap_or(-1);
        sum ^= x.iter().try_fold(0i32, |s, &v| if v < 0 { Err(s) } else { Ok(s ^ v) }).unwrap_or_else(|e| e + 1);
        sum ^= x.iter().find_map(|&v| (v > 3).then_some(v % 50 * 2)).unwrap_or(0);
        sum ^= x.iter().map(|v| v.count_ones()).sum::<u32>() as i32 * 23;
        sum ^= x.iter().rev().enumerate().map(|(p, d)| d << p).fold(0, |a: i32, b| a ^ b);
        sum ^= x.iter().skip(1).step_by(3).fold(1, |a, b| a % 9973 * 3 ^ b);
        sum ^= x.iter().step_by(3).skip(1).rev().fold(1, |a, b| a % 9973 * 3 ^ b);
        sum ^= x.iter().filter(|v| *v % 2 != 0).skip(1).step_by(2).take(2).fold(1, |a, b| a % 9973 * 3 ^ b);
        sum ^= x.iter().rev().take(5).rev().skip(1).fold(1, |a, b| a % 9973 * 5 ^ b);
        sum ^= x.iter().zip(y.iter().skip(2)).enumerate().rev().fold(1, |a, (j, (v, w))| a % 9973 * 5 ^ (j as i32 + v - w));
        sum ^= x.iter().chain(&y).rev().enumerate().filter(|(j, v)| j % 2 == 0 && **v > 0).fold(1, |a, (j, v)| a % 9973 * 7 ^ v ^ j as i32);
        sum ^= x.iter().scan(1, |s, v| { *s = *s * 5 % 97 + v % 8; (*s != 50).then_some(*s) }).skip(1).fold(0, |a, v| a * 3 % 9973 + v);
        for (a, b) in (0..sum % 6).scan((0, 1), |s, _| { *s = (s.1, s.0 + s.1); Some(*s) }) {
            sum = sum / 3 + a * b;
        }
        sum ^= x.iter().map(|v| v % 8).map_while(|v| if v < 6 { Some(v + 1) } else { None }).fold(1, |a, v| a % 9973 * 9 + v);
        sum ^= std::iter::successors(Some(1), |v| if *v < 1000 { Some(v * 3) } else { None }).sum::<i32>();
        sum ^= std::iter::repeat(2).take(n.rem_euclid(9) as usize).product::<i32>();
        sum ^= std::iter::repeat_n(y[0] % 7, 3).chain(std::iter::once(y[1])).fold(1, |a, b| a * 11 ^ b);
        sum ^= (3..).step_by(4).take(5).chain(20..=22).fold(1, |a, b| a % 9973 * 5 ^ b);
        sum ^= x.iter().take_while(|v| **v != 3).chain(y.iter().take(2)).chain(&x).fold(1, |a, b| a % 9973 * 3 ^ b);
        sum ^= (0..6).flat_map(|r| (0..).map(move |c| r * c).take_while(move |v| *v < 9 && r > 0).take(4)).take(9).fold(1, |a, b| a % 9973 * 5 ^ b);
        sum ^= (0..n % 20).len() as i32 * 29 + x.iter().skip(3).len() as i32;
        sum ^= x.iter().find(|v| **v > 100).is_some() as i32 * 2 + x.iter().max().is_none() as i32;
        sum ^= *x.iter().find(|v| **v % 2 == 1).unwrap_or(&9);
        let grid = [[n, 3], [m, 7]];
        sum ^= *[n, m, 3].iter().max().unwrap() ^ *grid[n as usize & 1].iter().min_by(|a, b| a.cmp(b)).unwrap();
        sum ^= [n, m, 3][..2].iter().fold(1, |a, b| a % 9973 * 7 ^ b) ^ (&[n, m][1..] != &[n]) as i32;
        sum
    }
}

// A literal in one part of a chain has the type of the other part's items.
twice! {
    literals_in_a_part_of_a_chain(n: i32, m: i32) -> u32 = (NUMBERS.repeat(10), NUMBERS.map(|n| [n; 10]).concat());
    {
        let (n, x) = (n as u32 % 5, [n as u32, m as u32]);
        let mut sum = 0_u32;
        for k in (0..n).chain(std::iter::repeat(0).take(1)) {
            sum = sum.rotate_left(3) ^ k.reverse_bits();
        }
        for k in std::iter::once(9).chain(x.iter().copied()).rev() {
            sum = sum.rotate_left(3) ^ k.count_ones();
        }
        for k in (2..4).chain([7, 8]).chain(n..n + 2) {
            sum = sum.rotate_left(3) ^ k.swap_bytes();
        }
        for k in x.into_iter().filter(|k| k % 3 == 0).chain(5..).take(4) {
            sum = sum.rotate_left(3) ^ k.leading_zeros();
        }
        for (i, k) in (0..n).map(|k| k ^ 77).chain(std::iter::repeat(1)).enumerate().skip(1).take(7) {
            sum = sum.rotate_left(3) ^ k.reverse_bits() ^ i as u32;
        }
        for k in x.iter().chain(&[3]) {
            sum = sum.rotate_left(3) ^ k.reverse_bits();
        }
        sum ^= (0..3).chain(x).fold(1, |sum: u32, k| sum.rotate_left(5) ^ k.trailing_zeros());
        let left = (0..n).chain(std::iter::repeat_n(6, 2)).map(|k| k.reverse_bits());
        sum ^ left.fold(1, |sum: u32, k| sum.rotate_left(1) ^ k)
    }
}

// Closures of a chain run interleaved, and no further than the end asks.
twice! {
    order(n: i32) -> i32 = (NUMBERS.to_vec(),);
    {
        let x = scattered(n);
        let (mut log, mut seen) = (1_i32, 0_i32);
        let mut calls = 0;
        let found = x.iter()
            .inspect(|v| log = log % 9973 * 3 + **v % 4)
            .map(|v| { calls += 1; v % 10 })
            .filter(|v| *v != 3)
            .skip_while(|v| *v < 2 || *v == 6)
            .take(2)
            .inspect(|v| seen = seen % 9973 * 5 + v)
            .any(|v| v == 4);
        let (mut pairs, mut others) = (0, 0);
        for (a, b) in x.iter().map(|v| { pairs += 1; *v }).zip(x.iter().skip(3).map(|v| { others += 100; *v })) {
            log = log % 9973 * 7 + a % 5 - b % 3;
        }
        let taken = x.iter().map(|_| { calls += 1000; 1 }).take(0).sum::<i32>();
        let all = (0..5).flat_map(|r| { calls += 10; (0..r).map(move |c| r * c) }).take(4).sum::<i32>();
        log ^ seen ^ calls << 3 ^ pairs << 9 ^ others << 2 ^ found as i32 ^ taken ^ all << 1
    }
}

// A `return` and a `?` leave the closure that they stand in.
twice! {
    closures(n: i32) -> i32 = (NUMBERS.to_vec(),);
    {
        let x = scattered(n);
        let odd = |v: i32| v % 2 != 0;
        let by_place = |v: &i32| *v % 3;
        let early = x.iter().map(|&v| { if v > 4 { return 4; } v }).fold(1, |a, b| a % 9973 * 3 + b);
        let mut writes = 0;
        let late = x.iter().map(|&v| { writes += 1; if v > 4 { return 4; } v }).fold(1, |a, b| a % 9973 * 3 + b);
        _ = (0..9).try_for_each(|k| { if k > n { return None; } writes += k; Some(()) });
        writes += x.iter().try_for_each(|&v| if v == n { Err(v) } else { Ok(()) }).is_err() as i32;
        let halves = x.iter().filter_map(|&v| { let half = v.checked_sub(2)?; half.checked_mul(3) }).fold(0, |a: i32, b| a ^ b);
        let typed = x.iter().map(|v: &i32| -> i32 { *v ^ 1 }).filter(|v: &i32| *v > 0).map(|v: i32| v % 9).sum::<i32>();
        let named = x.iter().copied().filter(|v| odd(*v)).map(odd).count() as i32 + x.iter().map(by_place).sum::<i32>();
        let some = x.iter().copied().map(Some).filter_map(|v| v.filter(|v| *v > 1)).map(|v| v % 10).sum::<i32>();
        early ^ halves ^ late ^ writes << 6 ^ typed << 2 ^ named << 4 ^ some
    }
}

twice! {
    loops(n: i32) -> i32 = (NUMBERS.to_vec(),);
    {
        let x = scattered(n);
        let mut z = x;
        let mut sum = 1_i32;
        for (a, b) in z.iter_mut().zip(x.iter().rev()) {
            *a = a.wrapping_mul(3) ^ b;
        }
        z.iter_mut().enumerate().filter(|(j, _)| j % 2 == 1).for_each(|(j, v)| *v = *v + j as i32);
        z.iter_mut().skip(6).for_each(|v| *v *= 2);
        for (j, (a, b)) in x.iter().zip(z.iter()).enumerate() {
            if j == 2 { continue; }
            if j == 7 { break; }
            sum = sum % 9973 * 5 ^ (a - b) ^ j as i32;
        }
        'outer: for (j, v) in x.iter().enumerate().skip(1) {
            for w in z.iter().take(j) {
                if *w > *v { continue 'outer; }
                if *w == 77 { break 'outer; }
                sum = sum % 9973 * 3 + w % 5;
            }
        }
        'pairs: for (a, b) in (0..5).flat_map(|a| (a..5).map(move |b| (a, b))) {
            if a + b == 3 { continue; }
            for c in 0..3 {
                if b * c == 6 { continue 'pairs; }
                if a * b * c > 20 { break 'pairs; }
                sum = sum % 9973 * 3 ^ a ^ b << c;
            }
        }
        for v in x.iter().chain(z.iter()) {
            if *v == 3 { continue; }
            if *v > 1000 { break; }
            sum = sum % 9973 * 7 ^ v;
        }
        for j in (0..20).filter(|j| j % 2 == 1).take(4) { sum += j; }
        for (i, row) in [[1, 2], [3, n % 100], [5, 6]].iter().enumerate().skip(1) {
            for (j, v) in row.iter().enumerate().rev() {
                sum = sum % 9973 * 3 + v * (i + 2 * j) as i32;
            }
        }
        let grid = [[n % 7, 2, 3], [4, n % 5, 6]];
        sum ^= grid.iter().flatten().fold(1, |a, b| a % 9973 * 3 + b);
        sum ^= grid.iter().map(|row| row.iter().sum::<i32>()).max().unwrap();
        for (a, b) in [(1, n), (n % 3, 4)].iter() { sum = sum % 9973 * 3 + a - b; }
        sum ^ z.iter().fold(0, |a, b| a % 9973 * 3 ^ b)
    }
}

// What a chain finds is named again where it is a reference.
twice! {
    found(n: i32) -> i32 = (NUMBERS.to_vec(),);
    {
        let x = scattered(n);
        let mut sum = if let Some(v) = x.iter().find(|v| **v > 3) { *v } else { -1 };
        sum ^= match x.iter().enumerate().max_by_key(|(j, v)| (**v % 4, *j)) {
            Some((j, &v)) => v * 3 + j as i32,
            None => 0,
        };
        sum ^= match (0..3).zip(x.iter()).last() { Some((j, v)) => j + v, None => 9 };
        if let Some(j) = x.iter().position(|&v| v == 0) { sum ^= 8 + j as i32; }
        let Some(v) = x.iter().copied().find(|v| *v % 2 == 0) else { return sum + 1 };
        sum ^= x.iter().min().map_or(5, |v| v % 3) + x.iter().max().and_then(|v| v.checked_add(1)).unwrap_or(2);
        sum ^ v + x.iter().next().is_some_and(|v| *v > 0) as i32
    }
}

#[amp_struct]
struct Samples {
    values: [f32; 4],
    count: u32,
}

#[amp_fn]
fn mean(samples: &Samples) -> f32 {
    samples
        .values
        .iter()
        .take(samples.count as usize)
        .sum::<f32>()
        / samples.count as f32
}

#[amp_fn]
fn norm<const N: usize>(x: &[f32; N]) -> f32 {
    x.iter().map(|v| v * v).sum::<f32>().sqrt()
}

#[amp_fn]
fn dot(x: &[f32; 4], y: &[f32; 4]) -> f32 {
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(y) {
        sum += a * *b;
    }
    sum
}

#[amp_fn]
fn scale<T: Scalar, const N: usize>(x: &mut [T; N], by: T) {
    x.iter_mut().for_each(|v| *v = *v * by);
}

#[amp_kernel]
fn of_places(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    samples: &mut ArrayViewMut<Samples, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    samples[idx]
        .values
        .iter_mut()
        .zip(a.iter().skip(idx[0]))
        .for_each(|(v, x)| *v += x);
    let mut local = samples[idx].values;
    scale(&mut local, 0.5);
    let near = a
        .iter()
        .enumerate()
        .filter(|(i, _)| i.abs_diff(idx[0]) < 3)
        .map(|(_, x)| x)
        .sum::<f32>();
    out[idx] = mean(&samples[idx]) + norm(&local) + near + dot(&local, &[0.5, 1.0, 2.0, -1.0]);
    out[idx] += samples[idx].values.iter().copied().fold(0.0, f32::max);
}

#[test]
fn places_are_sources() {
    let a: Vec<f32> = (0..9).map(|i| i as f32 * 0.7 - 2.0).collect();
    let samples: Vec<Samples> = (0..6)
        .map(|i| Samples {
            values: [i as f32, 1.0, -2.0, 0.5],
            count: 1 + i % 4,
        })
        .collect();
    let mut expected = Vec::new();
    for (i, sample) in samples.iter().enumerate() {
        let mut sample = *sample;
        sample
            .values
            .iter_mut()
            .zip(a.iter().skip(i))
            .for_each(|(v, x)| *v += x);
        let local = sample.values.map(|v| v * 0.5);
        let near = a
            .iter()
            .enumerate()
            .filter(|(j, _)| j.abs_diff(i) < 3)
            .map(|(_, x)| x)
            .sum::<f32>();
        let mean = sample
            .values
            .iter()
            .take(sample.count as usize)
            .sum::<f32>()
            / sample.count as f32;
        let norm = local.iter().map(|v| v * v).sum::<f32>().sqrt();
        let dot = local
            .iter()
            .zip([0.5, 1.0, 2.0, -1.0])
            .fold(0.0, |s, (a, b)| s + a * b);
        expected.push(mean + norm + near + dot + sample.values.iter().copied().fold(0.0, f32::max));
    }
    gives(&expected, |view, out| {
        let mut samples = Array::builder(6).on(view).data(&samples[..]).build()?;
        let a = input(&a);
        launch(view, 6, of_places(&a, &mut samples, out))
    });
}

#[amp_kernel]
fn over_views(idx: Index<1>, a: &ArrayView<f32, 2>, out: &mut ArrayViewMut<f32, 2>) {
    let row = a.row(idx[0]);
    let mut own = out.row(idx[0]);
    let mut sum = 0.0;
    for x in row.iter() {
        sum += x;
    }
    for (i, x) in own.iter_mut().enumerate() {
        *x = sum * i as f32;
    }
    for &x in row.iter().rev() {
        sum = sum * 0.5 + x;
    }
    for (i, x) in row.iter().copied().enumerate() {
        own[i] += sum - x;
    }
}

#[test]
fn loops_visit_the_elements_of_views() {
    let a: Vec<f32> = (0..35).map(|i| (i * 11 % 17) as f32).collect();
    let mut expected = Vec::new();
    for row in a.chunks(5) {
        let first: f32 = row.iter().fold(0.0, |sum, x| sum + x);
        let second = row.iter().rev().fold(first, |sum, x| sum * 0.5 + x);
        let of_row = row.iter().enumerate();
        expected.extend(of_row.map(|(i, x)| first * i as f32 + (second - x)));
    }
    becomes([7, 5], &[0.0; 35], &expected, |view, out| {
        let a = ArrayView::new([7, 5], &a)?;
        launch(view, 7, over_views(&a, out))
    });
}

#[amp_kernel]
fn of_tiles(t_idx: TiledIndex<1, 16>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; 16];
    part[t_idx.local[0]] = a[t_idx.global];
    t_idx.barrier.wait();
    let before: u32 = part.iter().take(t_idx.local[0]).sum();
    let largest = part.iter().copied().max().unwrap();
    for step in (0..3).filter(|step| step % 2 == 0) {
        t_idx.barrier.wait();
        part[t_idx.local[0]] += step;
        t_idx.barrier.wait();
    }
    out[t_idx.global] =
        before ^ largest << 8 ^ part.iter().rev().zip(0..).map(|(x, i)| x * i).sum::<u32>() << 16;
}

#[test]
fn tile_memory_is_a_source() {
    let a: Vec<u32> = (0..32).map(|i| i * 7 % 19).collect();
    let mut expected = Vec::new();
    for tile in a.chunks(16) {
        let after: Vec<u32> = tile.iter().map(|x| x + 2).collect();
        let sum: u32 = after.iter().rev().zip(0..).map(|(x, i)| x * i).sum();
        for i in 0..16 {
            let before: u32 = tile.iter().take(i).sum();
            expected.push(before ^ tile.iter().max().unwrap() << 8 ^ sum << 16);
        }
    }
    gives(&expected, |view, out| {
        let a = input(&a);
        launch(view, Extent::from(32).tile::<16>(), of_tiles(&a, out))
    });
}
