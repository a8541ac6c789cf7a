//! Constants that are `Option`s and `Result`s, and statements under a condition.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use std::cmp::Ordering;

use amp::prelude::*;
use testkit::twice;

#[amp_struct]
struct Point {
    x: f32,
    y: [u32; 2],
}

const LIMIT: Option<f32> = Some(2.5);
const NONE: Option<[u32; 2]> = None;
const WRONG: Result<(u32, bool), i64> = Err(-3);
const RIGHT: Result<(u32, bool), i64> = Ok((7, true));
const PLACE: Option<Point> = Some(Point { x: -1.5, y: [3, 4] });
const NESTED: Option<Option<u8>> = Some(None);
const ORDER: Ordering = Ordering::Less;

mod elsewhere {
    pub const DEEP: std::option::Option<u8> = Some(200);
}

#[amp_module]
mod limits {
    pub const LOWEST: Option<i32> = Some(-4);

    pub fn clamped(x: i32) -> i32 {
        match LOWEST {
            Some(lowest) if x < lowest => lowest,
            _ => x,
        }
    }
}

twice! {
    optional(x: u32) -> u32 = ((0..16).collect(),);
    {
        const OWN: Option<i64> = Some(-5);
        let Some(limit) = LIMIT else { return 1 };
        let none = match NONE {
            Some([a, b]) => a + b,
            None => 7,
        };
        let told = |it: Result<(u32, bool), i64>| match it {
            Ok((a, true)) => a as i64,
            Ok((_, false)) => 100,
            Err(e) => e,
        };
        let results = [told(WRONG), told(RIGHT)];
        let place = PLACE.map_or(0.0, |it| it.x * it.y[1] as f32);
        let deep = elsewhere::DEEP.filter(|it| *it as u32 > x * 20).unwrap_or(9);
        let is_nested = NESTED == Some(None) && NESTED != None && LIMIT == Some(2.5);
        let order = if 3_i32.cmp(&(x as i32)) == ORDER { 1 } else { 0 };
        let own = OWN.unwrap() * results[0] + results[1];
        (limit * 8.0 + place) as i32 as u32
            + none * 1000
            + own as u32 * 10_000
            + deep as u32 * 1_000_000
            + is_nested as u32 * 500
            + order
            + (limits::clamped(x as i32 - 8) + 10) as u32 * 100_000
    }
}

twice! {
    conditional(x: u32) -> u32 = ((0..16).collect(),);
    {
        let mut y = x;
        #[cfg(any(unix, windows))]
        {
            y += 3;
        }
        #[cfg(not(any(unix, windows)))]
        y.wrapping_mul(3);
        #[cfg(test)]
        for i in 0..3 {
            y = y * 2 + i;
        }
        #[cfg(not(test))]
        if y > 3 {
            y = 0;
        }
        #[cfg(test)]
        let by = 5;
        #[cfg(not(test))]
        let by = 7;
        #[cfg(not(any()))]
        let mut sum: u32 = by;
        #[cfg(any())]
        let mut sum: u32 = by + 1;
        #[cfg(not(test))]
        assert!(y > 1_000_000, "not in a test");
        sum += y;
        #[cfg(any())]
        return 1;
        #[cfg(test)]
        {
            sum ^= 1;
        }
        #[cfg(any())]
        let sum = x;
        #[cfg(test)]
        let sum = sum / 2;
        let place = Point {
            #[cfg(test)]
            x: sum as f32 / 8.0,
            #[cfg(not(test))]
            x: 0.25,
            y: [1, 2],
        };
        let place = Point {
            #[cfg(not(test))]
            y: [0; 2],
            #[cfg(test)]
            y: [x, sum],
            ..place
        };
        match x {
            #[cfg(any())]
            0..8 => 0,
            #[cfg(not(any()))]
            n if n == 3 || n == 5 => n,
            #[cfg(any())]
            n if n == 4 || n == 6 => n,
            _ => (place.x * 4.0) as u32 + place.y[0] + place.y[1],
        }
    }
}
