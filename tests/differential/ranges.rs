//! `for` over ranges: both ends, backwards, by steps, at the ends of the types; and `contains`.

use amp::prelude::*;
use testkit::numbers::pairs;
use testkit::twice;

/// Starts and ends whose ranges are short or empty.
fn close_i32() -> (Vec<i32>, Vec<i32>) {
    let (mut start, mut end) = pairs(&[-3, -1, 0, 1, 2, 5, 9]);
    for (a, b) in [
        (i32::MAX - 3, i32::MAX),
        (i32::MAX, i32::MAX),
        (i32::MIN, i32::MIN + 4),
        (i32::MIN, i32::MIN),
        (i32::MAX, i32::MIN),
        (i32::MAX - 1, i32::MAX),
    ] {
        start.push(a);
        end.push(b);
    }
    (start, end)
}

fn close_u32() -> (Vec<u32>, Vec<u32>) {
    let (mut start, mut end) = pairs(&[0, 1, 2, 5, 9]);
    for (a, b) in [
        (u32::MAX - 3, u32::MAX),
        (u32::MAX, u32::MAX),
        (u32::MAX, 0),
    ] {
        start.push(a);
        end.push(b);
    }
    (start, end)
}

// Each loop folds what it sees, in order, into a hash.
twice! {
    of_i32(a: i32, b: i32) -> u32 = close_i32();
    {
        let mut h: u32 = 17;
        for i in a..b { h = h.wrapping_mul(31).wrapping_add(i as u32); }
        for i in a..=b { h = h.wrapping_mul(33).wrapping_add(i as u32); }
        for i in (a..b).rev() { h = h.wrapping_mul(37).wrapping_add(i as u32); }
        for i in (a..=b).rev() { h = h.wrapping_mul(39).wrapping_add(i as u32); }
        for i in (a..b).step_by(2) { h = h.wrapping_mul(41).wrapping_add(i as u32); }
        for i in (a..=b).step_by(3) { h = h.wrapping_mul(43).wrapping_add(i as u32); }
        for i in (a..b).step_by(2).rev() { h = h.wrapping_mul(47).wrapping_add(i as u32); }
        for i in (a..b).rev().step_by(2) { h = h.wrapping_mul(53).wrapping_add(i as u32); }
        for i in (a..=b).rev().step_by(3) { h = h.wrapping_mul(59).wrapping_add(i as u32); }
        for i in (a..=b).step_by(100) { h = h.wrapping_mul(67).wrapping_add(i as u32); }
        for i in (a..b).step_by(1) { h = h.wrapping_mul(71).wrapping_add(i as u32); }
        h
    }
}

twice! {
    of_u32(a: u32, b: u32) -> u32 = close_u32();
    {
        let mut h: u32 = 17;
        for i in a..b { h = h.wrapping_mul(31).wrapping_add(i); }
        for i in a..=b { h = h.wrapping_mul(33).wrapping_add(i); }
        for i in (a..b).rev() { h = h.wrapping_mul(37).wrapping_add(i); }
        for i in (a..=b).rev() { h = h.wrapping_mul(39).wrapping_add(i); }
        for i in (a..b).step_by(2) { h = h.wrapping_mul(41).wrapping_add(i); }
        for i in (a..=b).step_by(3) { h = h.wrapping_mul(43).wrapping_add(i); }
        for i in (a..b).step_by(2).rev() { h = h.wrapping_mul(47).wrapping_add(i); }
        for i in (a..=b).rev().step_by(2) { h = h.wrapping_mul(53).wrapping_add(i); }
        h
    }
}

// A usize ends at 2³² on a device and at 2⁶⁴ on the CPU: only what both have in common.
twice! {
    of_usize(a: u32, b: u32) -> u32 = close_u32();
    {
        let a = a as usize;
        let b = b as usize;
        let mut h: u32 = 17;
        for i in a..b { h = h.wrapping_mul(31).wrapping_add(i as u32); }
        for i in a..=b { h = h.wrapping_mul(33).wrapping_add(i as u32); }
        for i in (a..b).rev() { h = h.wrapping_mul(37).wrapping_add(i as u32); }
        for i in (a..=b).rev() { h = h.wrapping_mul(39).wrapping_add(i as u32); }
        for i in (a..b).step_by(2) { h = h.wrapping_mul(41).wrapping_add(i as u32); }
        for i in (a..b).rev().step_by(2) { h = h.wrapping_mul(53).wrapping_add(i as u32); }
        h
    }
}

twice! {
    at_the_ends_of_types(a: u32, b: u32) -> u32 = (vec![0, 5, 100], vec![3, 1, 7]);
    {
        let mut h: u32 = a;
        // Steps that would pass the end of the type.
        for i in (u32::MAX - 10..=u32::MAX).step_by(4) { h = h.wrapping_mul(31).wrapping_add(i); }
        for i in (u32::MAX - 10..u32::MAX).step_by(1000) { h = h.wrapping_mul(31).wrapping_add(i); }
        for i in (0..=10_u32).rev().step_by(4) { h = h.wrapping_mul(31).wrapping_add(i); }
        for i in (i32::MAX - 10..=i32::MAX).step_by(3) { h = h.wrapping_mul(31).wrapping_add(i as u32); }
        for i in (i32::MIN..i32::MIN + 10).rev().step_by(3) { h = h.wrapping_mul(31).wrapping_add(i as u32); }
        for i in (i32::MIN..i32::MAX).step_by(1_000_000_000) { h = h.wrapping_mul(31).wrapping_add(i as u32); }
        for i in (i32::MIN..=i32::MAX).rev().step_by(1_500_000_000) { h = h.wrapping_mul(31).wrapping_add(i as u32); }
        for i in (0..=u32::MAX).step_by(1 << 31) { h = h.wrapping_mul(31).wrapping_add(i); }
        for i in (0..b as usize).step_by(4_294_967_295) { h = h.wrapping_mul(31).wrapping_add(i as u32); }
        for _ in 0..b { h = h.wrapping_add(1); }
        for _i in (0..b).rev() { h = h.wrapping_mul(3); }
        h
    }
}

twice! {
    bounds_are_evaluated_once(a: u32, b: u32) -> u32 = pairs(&[0, 1, 4]);
    {
        let mut end = a + b;
        let mut step = 1;
        let mut h = 0;
        for i in 0..end {
            end += 1;
            h = h * 3 + i;
            let i = i + 10;
            h += i;
        }
        for i in ({ h += 1; a }..{ h *= 2; end }).step_by({ h += 5; step }) {
            step += 1;
            h = h.wrapping_mul(5).wrapping_add(i);
        }
        h.wrapping_add(end).wrapping_add(step as u32)
    }
}

twice! {
    jumps(a: u32, b: u32) -> u32 = pairs(&[0, 1, 2, 3, 7, 12]);
    {
        let mut h = 1_u32;
        for i in 0..a {
            if i % 3 == 1 { continue; }
            if i > b { break; }
            h = h.wrapping_mul(31).wrapping_add(i);
        }
        'outer: for i in (0..a).rev() {
            for j in (0..=b).step_by(2) {
                if i == j { continue 'outer; }
                if i + j > 15 { break 'outer; }
                if j > 8 { break; }
                h = h.wrapping_mul(37).wrapping_add(i * 100 + j);
            }
            h = h.wrapping_mul(41);
        }
        for i in 0..100 {
            for j in 0..100 {
                if i * j > a + b { return h.wrapping_add(i * 1000 + j); }
                h += 1;
            }
        }
        h
    }
}

twice! {
    contains_integers(a: i32, b: i32) -> u32 = close_i32();
    {
        let low = a;
        let mut h = 1_u32;
        for x in -4..12 {
            h = h.wrapping_mul(3) + (a..b).contains(&x) as u32;
            h = h.wrapping_mul(3) + (a..=b).contains(&x) as u32;
            h = h.wrapping_mul(3) + (a..).contains(&x) as u32;
            h = h.wrapping_mul(3) + (..b).contains(&x) as u32;
            h = h.wrapping_mul(3) + (..=b).contains(&(x / 2)) as u32;
        }
        for x in [a, b, i32::MIN, i32::MAX] {
            let by_reference = &x;
            if !(low..b).contains(by_reference) && (0..low).contains(&b) || (a..=b).contains(by_reference) {
                h = h.wrapping_mul(5).wrapping_add(1);
            }
        }
        h
    }
}

twice! {
    contains_floats(a: f32, b: f32) -> u32
        = pairs(&[f32::NAN, -0.0, 0.0, 1.0, 2.5, f32::INFINITY, f32::NEG_INFINITY]);
    {
        let mut h = 1_u32;
        for x in [a, b, 0.0, -0.0, 1.0, f32::NAN, f32::INFINITY] {
            h = h.wrapping_mul(3) + (a..b).contains(&x) as u32;
            h = h.wrapping_mul(3) + (a..=b).contains(&x) as u32;
            h = h.wrapping_mul(3) + (a..).contains(&x) as u32;
            h = h.wrapping_mul(3) + (..b).contains(&x) as u32;
            h = h.wrapping_mul(3) + (..=b).contains(&x) as u32;
            h = h.wrapping_mul(3) + (0.0..1.0).contains(&(x * 0.5)) as u32;
        }
        h
    }
}

// The bounds first, each once, then the item.
twice! {
    contains_in_order(a: u32, b: u32) -> u32 = pairs(&[0, 1, 2, 5, 9]);
    {
        let mut h = 1_u32;
        let inside = ({ h = h * 3 + 1; a }..={ h *= 5; h % 7 + b }).contains(&{ h += 2; h % 8 });
        h * 2 + inside as u32
    }
}
