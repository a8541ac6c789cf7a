//! Operations of `f16` and `bf16`, which devices compute as `f32`. What takes one number is
//! tried on all of them in `tests/differential/scalars/halves.rs`; here are pairs.

/// The operations of one of the two.
macro_rules! halves {
    ($module:ident $float:ident $seed:literal) => {
        pub mod $module {
            use amp::AcceleratorView;
            use amp::prelude::*;
            use half::$float;

            use super::super::operands::half_pairs;
            use super::super::operation::{self, Row};

            operations! {
                (x: $float, y: $float): (Vec<$float>, Vec<$float>) =
                    half_pairs($seed, $float::from_bits);
                add -> $float { x + y }
                subtract -> $float { x - y }
                multiply -> $float { x * y }
                divide -> $float { x / y }
                remainder -> $float { x % y }
                sum_of_product -> $float { x * y + x }
                min -> $float { if x == y { x } else { x.min(y) } }
                max -> $float { if x == y { x } else { x.max(y) } }
                copysign -> $float { x.copysign(y) }
                equal -> u32 { (x == y) as u32 }
                less -> u32 { (x < y) as u32 }
                less_equal -> u32 { (x <= y) as u32 }
                root -> $float { $float::from_f32(x.to_f32().sqrt()) }
                mul_add -> $float { $float::from_f32(x.to_f32().mul_add(y.to_f32(), y.to_f32())) }
                negate -> $float { -x }
                to_f32 -> f32 { x.to_f32() }
                to_f64 -> f64 { x.to_f64() }
                from_f32 -> $float {
                    $float::from_f32(f32::from_bits((x.to_bits() as u32) << 16 | y.to_bits() as u32))
                }
            }
        }
    };
}

halves!(f16 f16 60);
halves!(bf16 bf16 61);
