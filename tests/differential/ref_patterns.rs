//! `ref` and `ref mut` in patterns, and `@` in those of `let`.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::prelude::*;
use testkit::twice;

#[amp_enum]
enum Shape {
    Circle(f32),
    Rect { w: f32, h: f32 },
    Empty,
}

#[amp_struct]
struct Point {
    x: f32,
    y: f32,
}

twice! {
    by_reference(i: u32) -> f32 = ((0..12).collect(),);
    {
        let x = i as f32;
        let mut shape = match i % 3 {
            0 => Shape::Circle(x),
            1 => Shape::Rect { w: x, h: 2.0 },
            _ => Shape::Empty,
        };
        match shape {
            Shape::Circle(ref mut r) => *r += 1.0,
            Shape::Rect { ref mut w, .. } if *w > 3.0 => *w = 0.5,
            Shape::Rect { .. } | Shape::Empty => {}
        }
        let mut sum = match shape {
            Shape::Circle(ref r) if *r > 4.0 => *r,
            Shape::Rect { ref w, ref h } => *w * *h + w,
            _ => -1.0,
        };
        let mut pair = (x, [2.0, 3.0 + x]);
        {
            let (ref mut first, _) = pair;
            *first += 1.5;
        }
        let (ref first, [ref second, _]) = pair;
        sum += *first * 10.0 + second;
        let ref rest = pair.1;
        sum += rest[(i % 2) as usize];
        let point = Point { x: 1.0, y: x };
        let Point { ref x, y: ref other } = point;
        sum += *x - *other;
        let mut found = if i > 4 { Some(i) } else { None };
        if let Some(ref mut n) = found {
            *n *= 3;
        }
        let Some(ref n) = found else { return sum };
        while let Some(ref mut left) = found {
            if *left < 7 {
                break;
            }
            *left -= 5;
            sum += 0.25;
        }
        sum + matches!(found, Some(ref left) if *left > 4) as u32 as f32
    }
}

twice! {
    whole_and_parts(i: u32) -> f32 = ((0..12).collect(),);
    {
        let x = i as f32;
        let all @ (first, rest @ [second, third]) = (x, [x + 1.0, 2.0]);
        let mut moved @ Point { x: old, .. } = Point { x, y: 3.0 };
        moved.x += old + all.0;
        let (two @ [head, ..], last) = ([x, 4.0], 5.0);
        let point @ &Point { y, .. } = &moved;
        let values @ [a, .., b]: [f32; 4] = [1.0, x, 3.0, x * x];
        all.1[0] + first + rest[1] + second + third + moved.x + two[1] + head + last + point.x + y + values[1] + a + b
    }
}

#[amp_fn]
fn digit(text: &[u8; 4], at: usize) -> Option<u8> {
    let letter = &text[at];
    let digit = match letter {
        b'0'..=b'9' => letter - b'0',
        &b'a' => 10,
        b'b' | b'c' => letter - b'b' + 11,
        _ => return None,
    };
    Some(digit)
}

twice! {
    numbers_by_reference(i: u32) -> u32 = ((0..12).collect(),);
    {
        let text = [b'7', b'a', b'c', b'x'];
        let mut sum = match digit(&text, i as usize % 4) {
            Some(digit) => digit as u32,
            None => 100,
        };
        let given = &i;
        sum += match given {
            0 | 3 => 1000,
            2 => given + 2000,
            large if *large > 9 => large * 10_000,
            other => *other,
        };
        let mut changing = i;
        let place = &mut changing;
        match place {
            1 => *place = 9,
            small @ 2..=5 => *small *= 7,
            rest => *rest += 1,
        }
        let half = i as f32 / 2.0;
        let by_reference = &half;
        if let 1.5 = by_reference {
            sum += 500_000;
        }
        for letter in &text {
            sum += match letter {
                b'x' => 1,
                _ => 0,
            };
        }
        sum * 16 + changing
    }
}
