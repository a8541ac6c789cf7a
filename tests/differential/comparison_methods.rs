//! Methods of what is compared, `x.lt(&y)`, `x.eq(&y)`, and `classify` of floats.

use std::num::FpCategory;

use amp::prelude::*;
use testkit::numbers::{DOUBLES, FLOATS, pairs};
use testkit::twice;

#[amp_struct]
#[derive(PartialEq, PartialOrd)]
struct Pair {
    a: f32,
    b: u32,
}

/// Without an order.
#[amp_struct]
#[derive(PartialEq)]
struct Place {
    x: f32,
}

#[amp_enum]
#[derive(PartialEq, PartialOrd)]
#[repr(u32)]
enum Size {
    Small,
    Large,
}

twice! {
    comparisons_of_floats(x: f32, y: f32) -> u32 = pairs(&FLOATS);
    {
        let of_numbers = [x.eq(&y), x.ne(&y), x.lt(&y), x.le(&y), x.gt(&y), x.ge(&y)];
        let (p, q) = (Pair { a: x, b: 1 }, Pair { a: y, b: 2 });
        let of_structs = [p.eq(&q), p.ne(&q), p.lt(&q), p.le(&q), p.gt(&q), p.ge(&q)];
        let (s, t) = (Place { x }, Place { x: y });
        let (small, large) = (if x < y { Size::Small } else { Size::Large }, Size::Large);
        let others = [
            s.eq(&t),
            s.ne(&t),
            (x, 1).lt(&(y, 2)),
            [x, y].ge(&[y, x]),
            small.lt(&large),
            small.eq(&large),
            true.gt(&(x < y)),
            (x.to_bits() as i32).le(&(y.to_bits() as i32)),
        ];
        let mut bits = 0;
        for bit in of_numbers.into_iter().chain(of_structs).chain(others) {
            bits = bits << 1 | bit as u32;
        }
        bits
    }
}

twice! {
    categories(x: f32) -> u32 = (FLOATS.to_vec(),);
    {
        let category = x.classify();
        let number = match category {
            FpCategory::Nan => 1,
            FpCategory::Infinite => 2,
            FpCategory::Zero => 3,
            FpCategory::Subnormal => 4,
            FpCategory::Normal => 5,
        };
        number * 2 + (category == FpCategory::Normal) as u32
    }
}

twice! {
    categories_of_doubles(x: f64) -> u32 = (DOUBLES.to_vec(),);
    {
        match x.classify() {
            FpCategory::Zero | FpCategory::Subnormal => 1,
            FpCategory::Normal => 2,
            other if other == FpCategory::Nan => 3,
            _ => 4,
        }
    }
}
