//! Arrays full of random `f16` and `bf16`. A thread makes the four elements of a block of words.

use super::super::launcher::Launcher;
use super::fills::{Real, real, sealed};
use super::philox::generator::{self, Philox};
use crate::__private::half::{bf16, f16};
use crate::Result;
use crate::prelude::*;

/// The kernels of a type whose numbers below one, that far apart, are as many as given.
macro_rules! half {
    ($half:ident: $uniform:ident, $normal:ident, $count:literal) => {
        #[amp_kernel]
        fn $uniform(idx: Index<1>, from: Philox, to: &mut ArrayViewMut<$half, 1>) {
            let words = from.block(idx[0] as u32);
            for k in 0..4 {
                if 4 * idx[0] + k < to.extent()[0] {
                    // Other bits could be rounded up to 1.
                    let first_bits = words[k] / (u32::MAX / $count + 1);
                    to[4 * idx[0] + k] = $half::from_f32(first_bits as f32 / $count as f32);
                }
            }
        }

        #[amp_kernel]
        fn $normal(
            idx: Index<1>,
            from: Philox,
            mean: f32,
            deviation: f32,
            to: &mut ArrayViewMut<$half, 1>,
        ) {
            let words = from.block(idx[0] as u32);
            let [a, b] = generator::normals_f32(words[0], words[1]);
            let [c, d] = generator::normals_f32(words[2], words[3]);
            let numbers = [a, b, c, d];
            for k in 0..4 {
                if 4 * idx[0] + k < to.extent()[0] {
                    to[4 * idx[0] + k] = $half::from_f32(mean + deviation * numbers[k]);
                }
            }
        }

        impl sealed::Sealed for $half {}

        real!(
            $half: |on, from, to| on.launch(to.extent()[0].div_ceil(4), $uniform(from, to)),
            |mean, deviation| {
                let (mean, deviation) = (mean.to_f32(), deviation.to_f32());
                let blocks = to.extent()[0].div_ceil(4);
                on.launch(blocks, $normal(from, mean, deviation, to))
            }
        );
    };
}
half!(f16: uniform_f16, normal_f16, 2048);
half!(bf16: uniform_bf16, normal_bf16, 256);
