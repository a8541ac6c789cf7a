//! `match`, `matches!`, `if let`, `let ... else`: which arm is taken, what its names hold,
//! and where control goes from it.

use amp::prelude::*;
use testkit::numbers::pairs;
use testkit::{gives, launch, twice};

const SMALL: [u32; 9] = [0, 1, 2, 3, 5, 8, 13, 27, 100];
const SIGNED: [i32; 10] = [i32::MIN, -100, -5, -1, 0, 1, 4, 5, 99, i32::MAX];
const FLOATS: [f32; 13] = [
    f32::NAN,
    f32::NEG_INFINITY,
    -1.5,
    -1.0,
    -1e-40,
    -0.0,
    0.0,
    0.25,
    0.5,
    1.0,
    1.5,
    3e30,
    f32::INFINITY,
];
const HALF: f32 = 0.5;
const FIVE: i32 = 5;
const LAST: u32 = 27;

twice! {
    literals_and_ranges(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let c = match a { 0 => 10, 1..=2 => 20, 3..8 => 30, ..=8 => 40, 13 | 27 => 50, 28.. => 60, _ => 70 };
        let d = match b { 0..=10 => 1, 5..=20 => 2, 8..=30 => 3, _ => 4 };
        let e = match a + b { 0xffff_0000.. => 1, x @ (0 | 2 | 4) => x + 100, x @ 5..=9 => x + 200, x => x };
        c * 1_000_000 + d * 10_000 + e
    }
}

twice! {
    bytes(a: u8, b: u8) -> u32 = pairs(b"09afAFgz \n\xff\0");
    {
        let digit = |c: u8| match c {
            b'0'..=b'9' => c - b'0',
            b'a'..=b'f' => c - b'a' + 10,
            b'A'..=b'F' => c - b'A' + 10,
            b' ' | b'\n' => 254,
            _ => b'\xff',
        };
        let same = a == b'g' || b == b'\'';
        digit(a) as u32 * 1000 + digit(b) as u32 + same as u32 * 1_000_000 + b'A' as u32
    }
}

twice! {
    negative_numbers(a: i32, b: i32) -> i32 = pairs(&SIGNED);
    {
        let c = match a {
            -2147483648 => 1,
            -100..-1 => 2,
            -1 => 3,
            0 => 4,
            1 | 4 => 5,
            FIVE => 6,
            i32::MAX => 7,
            _ => 8,
        };
        let d = match b { ..=-5 => 1, -4..=-1 => 2, 0..FIVE => 3, FIVE.. => 4 };
        c * 10 + d
    }
}

twice! {
    floats(a: f32, b: f32) -> u32 = pairs(&FLOATS);
    {
        let c = match a {
            f32::INFINITY => 1,
            0.0 => 2,
            -1.5 | HALF => 3,
            f32::NEG_INFINITY..0.0 => 4,
            0.0..=1.0 => 5,
            x @ 1.0.. if x < b => 6,
            1e30.. => 7,
            _ => 8,
        };
        let d = match (a, f64::from(b)) {
            (..HALF, 0.25..0.5) => 1,
            (1.0, _) | (_, 1.0) => 2,
            (_, -1e300..=1e300) => 3,
            _ => 4,
        };
        let e = if let [0.0, y @ ..=-1.0] = [a, b] { y.to_bits() } else { 0 };
        e ^ (c * 10 + d + u32::from(matches!(b, 0.5..2.0)) * 100)
    }
}

twice! {
    guards_fall_through(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let c = match a {
            x if x > 50 => x,
            1 if b == 2 => 100,
            0..=5 if b > 10 => 200,
            y @ 0..=8 if y == b => 300 + y,
            1 | 2 if b > 1 => 400,
            1 => 500,
            z if z < b && { let w = z + b; w % 2 == 0 } => 600 + z,
            _ if b == 0 => 700,
            LAST => 800,
            _ => 900,
        };
        // The last arm that has no guard takes the rest; the one behind it is dead.
        #[allow(unreachable_patterns)]
        let d = match b { 0..=5 => 1, 6.. => 2, _ if a == 3 => 3 };
        c * 10 + d
    }
}

#[amp_enum]
enum Way {
    Still,
    Along(u32),
    Across { by: u32, back: bool },
    Both(u32, u32),
}

// A name has its value from the first pattern that matches.
twice! {
    names_in_several_patterns(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let c = match (a, b) { (0, n) | (n, 0) | (n @ 5..=13, _) => n + 1, (x, y) | (y, x) => x * 50 + y };
        let way = match a % 4 {
            0 => Way::Still,
            1 => Way::Along(b),
            2 => Way::Across { by: b + 1, back: b > 4 },
            _ => Way::Both(a, b),
        };
        let d = match way {
            Way::Along(n) | Way::Across { by: n, back: true } | Way::Both(8, n) => n,
            Way::Across { by: m, .. } | Way::Both(m @ (3 | 27), _) | Way::Both(_, m) => 100 + m,
            Way::Still => 7,
        };
        let e = if let (1 | 2, (Some(n), _) | (None, n)) = (a % 3, (a.checked_sub(b), b)) { n } else { 9 };
        let f = match [a, b] { [(0 | 1), n] | [n, 2 | 3] => n, [n, ..] => 2 * n };
        c.wrapping_mul(31).wrapping_add(1_000_000 * d + 10_000 * e + 100 * f)
    }
}

#[amp_fn]
fn tick(n: &mut u32, at: u32) -> bool {
    *n += 1;
    *n == at
}

twice! {
    guard_is_tried_once_for_each_alternative_that_matches(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut n = 0;
        let mut h = match (a, b) { (0, _) | (_, 0) if tick(&mut n, 9) => 100, _ => 0 };
        h = 31 * h + match (a, b) { (0 | _, 0 | 0..=5) if tick(&mut n, 4) => 1, _ => 2 };
        h = 31 * h + match a { x @ (0..=8 | 3..=13 | _) if tick(&mut n, x + 2) => x, x => x + 7 };
        h = 31 * h + match [(a, b), (b, a)] {
            [((0 | 1) | 0..=2, _) | (_, 8), (y, 0 | _)] if { n += y + 1; n % 3 == 0 } => n,
            _ => 5,
        };
        // Alternatives of several arms, in a loop that a guard leaves or takes up again.
        let mut rounds = 0;
        let seen = 'search: loop {
            rounds += 1;
            if rounds > 4 { break 0 }
            match (a + rounds, b) {
                (_, 5) | (2..8, _) if { n += 1; if n % 7 == 6 { break 'search n } n > 20 } => h += 1,
                (0..=9, _) | (_, 1 | 2) if { n += 2; if n % 5 == 0 { continue 'search } n > 12 } => h += 2,
                _ | _ if tick(&mut n, 8) => h += 3,
                _ => h += 4,
            }
        };
        let e = matches!((a, b), (_, 0..=8) | (1 | 2, _) if tick(&mut n, 6)) as u32;
        h.wrapping_mul(31).wrapping_add(1000 * seen + 100 * e + n)
    }
}

twice! {
    tuples_and_arrays(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let c = match (a, b) {
            (0, 0) => 1,
            (0, x) => x + 10,
            (x, 0) => x + 20,
            (x, y) if x == y => 30,
            (1..=3, 5 | 8 | 13) => 40,
            (mut x, y) => { x += y; x * 2 }
        };
        let d = match [a % 2, b % 2, (a + b) % 3] { [0, 0, x] => x, [1, y, 0] => 10 + y, [_, _, z] => 20 + z };
        let e = match ((a, b > 3), [a, b]) {
            ((0, true), [x, _]) => x + 1,
            (whole @ (1..=5, _), [_, y]) => whole.0 + y,
            ((x, false), pair) => x + pair[1],
            ((_, true), [_, (2 | 3 | 5)]) => 1000,
            ((n, flag), _) => n + flag as u32,
        };
        c * 1_000_000 + d * 10_000 + e
    }
}

twice! {
    bools(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let c = match a > b { true => 1, false => 2 };
        let d = match (a % 2 == 0, b % 2 == 0) { (true, true) => 3, (true, false) => 4, (false, x) => 5 + x as u32 };
        let e = match a == b { x if x => 1, _ => 0 };
        let f = matches!(a, 1..=5) as u32 + 2 * matches!(b, x if x > a) as u32
            + 4 * matches!((a, b), (0, _) | (_, 0)) as u32 + 8 * !matches!(a, 0 | 2 if b == 3,) as u32;
        c + d * 10 + e * 100 + f * 1000
    }
}

#[amp_fn]
fn sign(x: i32) -> i32 {
    match x {
        ..0 => -1,
        0 => 0,
        _ => 1,
    }
}

#[amp_fn]
fn early(x: u32, y: u32) -> u32 {
    let z = match x {
        0 => return 1000,
        1 if y > 3 => return 2000 + y,
        n @ (2 | 3) => n * 7,
        n => {
            if n == y {
                return n;
            }
            n + 1
        }
    };
    match y {
        0 | 1 => return z,
        _ => {}
    }
    match z {
        7..=30 => return z + 1,
        _ => return z + 2,
    }
}

twice! {
    positions_and_returns(a: i32, b: i32) -> i32 = pairs(&SIGNED);
    {
        let x = sign(match b { 0 => a, -1 | 1 => 0, n => n });
        let y = early(match a { 0..=5 => a as u32, _ => 8 }, match b { n @ 0.. => n as u32, _ => 1 });
        let z = match match a { ..0 => 0_u32, 0..10 => 1, _ => 2 } {
            0 => match b { 0 => 3, ..0 => 4, _ if a == -5 => 5, _ => 6 },
            1 => if let 0..=4 = b { 7 } else if let -1 = b { 8 } else { 9 },
            _ => 10,
        };
        let w = -match a { 4 => 2, _ => 3 } + match b { 4 => 5, _ => 6 };
        x.wrapping_mul(100_000).wrapping_add(y as i32).wrapping_mul(3).wrapping_add(z * 16 + w)
    }
}

twice! {
    loops(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut h = 0_u32;
        let mut i = 0;
        let found = 'outer: loop {
            i += 1;
            match i % 7 {
                0 if i > a => break i,
                1 | 2 => continue,
                3 => for k in 0..b {
                    match k {
                        0 => continue,
                        9 => break,
                        x if x * i > 300 => break 'outer x,
                        x if x % 5 == 4 => continue 'outer,
                        x => h = h.wrapping_mul(3).wrapping_add(x),
                    }
                },
                x => {
                    let mut x = x;
                    x += 1;
                    h += x;
                }
            }
            h = h.wrapping_add(1 << 20);
        };
        let mut n = a;
        while let 1.. = n {
            n = match n { 1 | 2 => 0, m if m % 2 == 0 => m / 2, _ => n - 1 };
            if n == 3 { continue; }
            h = h.wrapping_add(n);
            if n == 13 { break; }
        }
        h.wrapping_mul(31).wrapping_add(found)
    }
}

#[amp_fn]
fn let_else(a: u32, b: u32) -> u32 {
    let (x, 0..=13) = (a, b) else { return 1 };
    let 0..=30 = x else { return 2 };
    let (mut y, n @ (1 | 3 | 5 | 8)): (u32, u32) = (x, b) else {
        return match b {
            0 => 3,
            _ => 4,
        };
    };
    y += n;
    for i in 0..4 {
        let (0 | 2) = i else { continue };
        let 0..=20 = y else { break };
        y += 5;
    }
    #[allow(irrefutable_let_patterns)]
    let z = y else { return 5 };
    z * 10
}

twice! {
    let_else_leaves(a: u32, b: u32) -> u32 = pairs(&SMALL);
    { let_else(a, b) }
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Body {
    at: i32,
    weight: f32,
}

#[amp_kernel]
fn structs(idx: Index<1>, from: &ArrayView<Body, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = match from[idx] {
        cell if cell.weight > 1.5 => cell.at,
        cell => match (cell, cell.weight) {
            (c, w) if w < 0.0 => -c.at,
            (_, w) => w as i32,
        },
    };
    match out[idx] {
        7 => out[idx] = 70,
        0 => {}
        n => {
            if let 1..=3 = n {
                out[idx] += 100;
            }
        }
    }
}

#[test]
fn structs_are_bound_by_name() {
    let cells: Vec<Body> = [
        (7, 2.0),
        (5, -1.0),
        (4, 1.0),
        (2, 3.0),
        (9, 0.5),
        (-3, -4.0),
    ]
    .map(|(at, weight)| Body { at, weight })
    .to_vec();
    gives(&[70, -5, 101, 102, 0, 103], |view, out| {
        launch(view, cells.len(), structs(&testkit::input(&cells), out))
    });
}

const STEP: usize = 2;

#[amp_kernel]
fn tiles(t_idx: TiledIndex<1, 8>, mode: u32, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 8];
    let i = t_idx.local[0];
    shared[i] = match i {
        0 => 5,
        STEP => 7,
        n @ 3..6 => n as u32,
        n => 10 * n as u32,
    };
    match (mode, t_idx.tile[0]) {
        (0, _) => {}
        (1, 0) => {
            t_idx.barrier.wait();
            out[t_idx.global] = shared[7 - i];
        }
        (n, tile) if n > tile as u32 => {
            t_idx.barrier.wait();
            out[t_idx.global] = shared[(i + 1) % 8] + 1000;
        }
        _ => out[t_idx.global] = shared[i],
    }
}

#[test]
fn barriers_stand_in_arms_of_uniform_matches() {
    let shared = [5, 10, 7, 3, 4, 5, 60, 70];
    for mode in 0..3 {
        let expected: Vec<u32> = (0..24)
            .map(|at| match (mode, at / 8, at % 8) {
                (0, ..) => 0,
                (1, 0, i) => shared[7 - i],
                (n, tile, i) if n > tile as u32 => shared[(i + 1) % 8] + 1000,
                (_, _, i) => shared[i],
            })
            .collect();
        gives(&expected, |view, out| {
            launch(view, out.extent().tile::<8>(), tiles(mode, out))
        });
    }
}

#[amp_fn]
fn taken(x: u32) -> Option<u32> {
    if x.is_multiple_of(3) {
        None
    } else {
        Some(x / 2)
    }
}

twice! {
    chains_of_conditions(x: u32, y: u32) -> u32 = (
        (0..49).map(|i| i / 7).collect::<Vec<u32>>(), (0..49).map(|i| i % 7).collect::<Vec<u32>>()
    );
    {
        let mut calls = 0_u32;
        let mut called = |n: u32| {
            calls = calls * 4 + n;
            taken(n)
        };
        let mut found = 0;
        if x > 0 && let Some(a) = called(x) && a < y && let Some(b) = called(y) {
            found += 1 + a * b;
        }
        found += if let (Some(a), b @ (1 | 2 | 5)) = (called(x), y) && let 0 | 1 = a && x != 3 {
            10 * b
        } else if let Some(a) = called(y) && let Some(b) = called(a + x) && a != b {
            20 + a
        } else if x == 5 && let z @ 2.. = y {
            z * 100
        } else {
            7
        };
        for i in 0..9 {
            let value = if let Some(a) = taken(i + x) && a > 2 && let Some(b) = taken(a) {
                if b == 1 {
                    continue;
                }
                a + b
            } else {
                if i > 6 {
                    break;
                }
                i
            };
            found = found * 3 + value;
        }
        let mut rest = x * 9 + y;
        'outer: while rest > 1 && let Some(half) = taken(rest) && half != 4 {
            rest = half;
            while let Some(less) = taken(rest) && less > y {
                if less == 5 {
                    continue 'outer;
                }
                rest = less;
            }
            found += rest;
        }
        found.wrapping_mul(31).wrapping_add(calls)
    }
}
