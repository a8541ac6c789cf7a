//! Operations of `f64`.

use amp::AcceleratorView;
use amp::prelude::*;

use super::operands::wide_triples;
use super::operation::{self, Row};

operations! {
    (x: f64, y: f64, z: f64): (Vec<f64>, Vec<f64>, Vec<f64>) = wide_triples();
    add -> f64 { x + y }
    subtract -> f64 { x - y }
    multiply -> f64 { x * y }
    divide -> f64 { x / y }
    remainder -> f64 { x % y }
    rem_euclid -> f64 { x.rem_euclid(y) }
    div_euclid -> f64 { x.div_euclid(y) }
    sqrt -> f64 { x.sqrt() }
    mul_add -> f64 { x.mul_add(y, z) }
    negate -> f64 { -x }
    abs -> f64 { x.abs() }
    min -> f64 { if x == y { x } else { x.min(y) } }
    max -> f64 { if x == y { x } else { x.max(y) } }
    clamp -> f64 { if z.abs() <= y { x.clamp(z, y) } else { y } }
    floor -> f64 { x.floor() }
    ceil -> f64 { x.ceil() }
    trunc -> f64 { x.trunc() }
    round -> f64 { x.round() }
    round_ties_even -> f64 { x.round_ties_even() }
    equal -> u32 { (x == y) as u32 }
    less -> u32 { (x < y) as u32 }
    less_equal -> u32 { (x <= y) as u32 }
    is_negative -> u32 { (x < 0.0) as u32 }
    to_f32 -> f32 { x as f32 }
    to_i32 -> i32 { x as i32 }
    to_u32 -> u32 { x as u32 }
    to_i64 -> i64 { x as i64 }
    to_u64 -> u64 { x as u64 }
    from_i64 -> f64 { x.to_bits() as i64 as f64 }
    from_u64 -> f64 { x.to_bits() as f64 }
    f32_from_i64 -> f32 { x.to_bits() as i64 as f32 }
    f32_from_u64 -> f32 { x.to_bits() as f32 }
    sum_of_product -> f64 { x * y + z }
    difference_of_products -> f64 { x * y - z * y }
    square_root_of_sum -> f64 { (x * x + y * y).sqrt() }
}
