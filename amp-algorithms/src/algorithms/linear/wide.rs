//! The numbers that products are summed as: those of the matrices, and `f32` for `f16` and `bf16`.

#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;

/// A module for a type of elements: to the type of sums and back, rounded once.
macro_rules! wide {
    ($($module:ident: $type:ident as $sum:ident, |$x:ident| $widened:expr, $narrowed:expr;)*) => {$(
        pub mod $module {
            use super::*;

            #[amp_fn]
            pub(crate) fn widened($x: $type) -> $sum {
                $widened
            }

            #[amp_fn]
            pub(crate) fn narrowed($x: $sum) -> $type {
                $narrowed
            }
        }
    )*};
}
wide! {
    of_f32: f32 as f32, |x| x, x;
    of_f64: f64 as f64, |x| x, x;
}
#[cfg(feature = "half")]
wide! {
    of_f16: f16 as f32, |x| x.to_f32(), f16::from_f32(x);
    of_bf16: bf16 as f32, |x| x.to_f32(), bf16::from_f32(x);
}
