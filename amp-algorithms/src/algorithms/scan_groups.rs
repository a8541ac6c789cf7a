//! The kernel of scans on Vulkan devices in software.
//!
//! Such a device runs threads in the lanes of vectors, and a vector loads its elements one by one, wherever they are.
//! So each thread loads and stores its group of eight elements itself, where the kernel of [`scan`](super::scan)
//! takes them through tile memory. Such a device also runs both sides of an `if`, with lanes switched off, but ends a
//! loop as soon as all lanes have left it. The order of the operations is that of the other kernel.

use super::number::numbers::{Number, combined};
use super::number::of_numbers;
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::Element;
use crate::prelude::*;

/// A kernel like `__scan_kernel`, with its steps, whose threads load and store groups of elements.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_groups_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<const STEP: u32, $($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            totals: &mut ArrayViewMut<$element, 1>,
            initial: $element,
            $($capture: $captured,)*
        ) {
            // Of groups, of rows of them, and the last results of groups.
            #[tile_static]
            let mut sums: [$element; 256];
            #[tile_static]
            let mut rows: [$element; 16];
            #[tile_static]
            let mut lasts: [$element; 256];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            let lane = t_idx.local[0];
            let start = t_idx.tile[0] * 2048;
            let count = (input.extent()[0] - start).min(2048);
            let first = lane * 8;
            let own = count.max(first).min(first + 8) - first;
            let mut sum = input[start + first.min(count - 1)];
            let mut results = [sum; 8];
            #[unroll]
            for k in 1..8 {
                let next = input[start + (first + k).min(count - 1)];
                if k < own {
                    sum = combine(sum, next);
                }
                results[k] = sum;
            }
            sums[lane] = sum;
            t_idx.barrier.wait_with_tile_static_memory_fence();
            let groups = (count + 7) / 8;
            if lane < 16 {
                let row_start = lane * 16;
                let mut total = sums[row_start];
                for at in row_start + 1..groups.min(row_start + 16) {
                    total = combine(total, sums[at]);
                    if STEP > 0 {
                        sums[at] = total;
                    }
                }
                rows[lane] = total;
            }
            t_idx.barrier.wait_with_tile_static_memory_fence();
            let before_lane = lane.max(1) - 1;
            let mut before = rows[0];
            if STEP == 0 {
                if lane == 0 {
                    #[unroll]
                    for row in 1..16 {
                        let next = rows[row];
                        if row * 16 < groups {
                            before = combine(before, next);
                        }
                    }
                    totals[t_idx.tile] = before;
                }
            } else {
                let carried = t_idx.tile[0] > 0;
                let mut carry = initial;
                if carried {
                    carry = totals[t_idx.tile[0].max(1) - 1];
                }
                // A thread without elements combines none.
                let place_of_group = if own > 0 { lane } else { 0 };
                #[unroll]
                for row in 1..15 {
                    let next = rows[row];
                    if row < place_of_group / 16 {
                        before = combine(before, next);
                    }
                }
                let in_row = sums[before_lane];
                if place_of_group % 16 > 0 {
                    before = if lane >= 16 {
                        combine(before, in_row)
                    } else {
                        in_row
                    };
                }
                if carried {
                    before = if place_of_group > 0 {
                        combine(carry, before)
                    } else {
                        carry
                    };
                }
                let has_before = own > 0 && (carried || lane > 0);
                #[unroll]
                for k in 0..8 {
                    if has_before {
                        results[k] = combine(before, results[k]);
                    }
                }
                if STEP == 2 {
                    // The results that stand before the elements.
                    lasts[lane] = results[7];
                    t_idx.barrier.wait_with_tile_static_memory_fence();
                    let mut last = carry;
                    if lane > 0 {
                        last = lasts[before_lane];
                    }
                    #[unroll]
                    for k in 0..8 {
                        let next = results[k];
                        results[k] = initial;
                        if has_before || k > 0 && own > 0 {
                            results[k] = combine(initial, last);
                        }
                        last = next;
                    }
                }
                #[unroll]
                for k in 0..8 {
                    if k < own {
                        out[start + first + k] = results[k];
                    }
                }
            }
        }
    };
}

of_numbers! {
    __scan_groups_kernel! {
        scan_groups_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}
