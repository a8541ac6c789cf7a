//! Operations of `f32`.

use amp::AcceleratorView;
use amp::prelude::*;

use super::operands::triples;
use super::operation::{self, Row};

operations! {
    (x: f32, y: f32, z: f32): (Vec<f32>, Vec<f32>, Vec<f32>) = triples();
    add -> f32 { x + y }
    subtract -> f32 { x - y }
    multiply -> f32 { x * y }
    divide -> f32 { x / y }
    remainder -> f32 { x % y }
    rem_euclid -> f32 { x.rem_euclid(y) }
    div_euclid -> f32 { x.div_euclid(y) }
    recip -> f32 { x.recip() }
    sqrt -> f32 { x.sqrt() }
    mul_add -> f32 { x.mul_add(y, z) }
    negate -> f32 { -x }
    abs -> f32 { x.abs() }
    copysign -> f32 { x.copysign(y) }
    signum -> f32 { x.signum() }
    flipped -> f32 { f32::from_bits(x.to_bits() ^ 0x8000_0000) }
    bits -> u32 { if x.is_nan() { 0 } else { x.to_bits() } }
    moved -> f32 { if y.is_sign_negative() { x } else { z } }
    min -> f32 { if x == y { x } else { x.min(y) } }
    max -> f32 { if x == y { x } else { x.max(y) } }
    clamp -> f32 { if z.abs() <= y { x.clamp(z, y) } else { y } }
    floor -> f32 { x.floor() }
    ceil -> f32 { x.ceil() }
    trunc -> f32 { x.trunc() }
    round -> f32 { x.round() }
    round_ties_even -> f32 { x.round_ties_even() }
    fract -> f32 { x.fract() }
    equal -> u32 { (x == y) as u32 }
    unequal -> u32 { (x != y) as u32 }
    less -> u32 { (x < y) as u32 }
    less_equal -> u32 { (x <= y) as u32 }
    greater -> u32 { (x > y) as u32 }
    greater_equal -> u32 { (x >= y) as u32 }
    is_zero -> u32 { (x == 0.0) as u32 }
    is_negative -> u32 { (x < 0.0) as u32 }
    chosen -> f32 { if x < y { x } else { y } }
    to_i32 -> i32 { x as i32 }
    to_u32 -> u32 { x as u32 }
    from_i32 -> f32 { x.to_bits() as i32 as f32 }
    from_u32 -> f32 { x.to_bits() as f32 }
    sum_of_product -> f32 { x * y + z }
    difference_of_products -> f32 { x * y - z * y }
    quotient_of_sum -> f32 { (x + y) / z }
    square_root_of_sum -> f32 { (x * x + y * y).sqrt() }
}
