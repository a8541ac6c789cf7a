//! The kernel of scans on the CPU accelerator and on Vulkan devices in software.
//!
//! There tile memory is no faster than other memory, and barriers cost much. So each thread scans a block, in the order of
//! the kernel of [`scan`](super::scan).

use super::number::numbers::{Number, combined};
use super::number::of_numbers;
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::Element;
use crate::prelude::*;

/// A kernel like `__scan_kernel`, with its steps, whose threads scan a block each.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_whole_blocks_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<const STEP: u32, $($generics)*>(
            idx: Index<1>,
            input: &ArrayView<$element, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            totals: &mut ArrayViewMut<$element, 1>,
            initial: $element,
            $($capture: $captured,)*
        ) {
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            let start = idx[0] * 2048;
            let count = (input.extent()[0] - start).min(2048);
            let carried = STEP > 0 && idx[0] > 0;
            let mut carry = initial;
            if carried {
                carry = totals[idx[0].max(1) - 1];
            }
            // Of the rows before in the block, of the groups before in the row, and the result before a place.
            let mut rows = initial;
            let mut in_row = initial;
            let mut last = carry;
            let mut first = 0;
            while first < count {
                let is_first = first % 128 == 0;
                if is_first && first > 0 {
                    rows = if first > 128 { combine(rows, in_row) } else { in_row };
                }
                let mut before = rows;
                if STEP > 0 {
                    if !is_first {
                        before = if first > 128 { combine(rows, in_row) } else { in_row };
                    }
                    if carried {
                        before = if first > 0 { combine(carry, before) } else { carry };
                    }
                }
                let has_before = carried || first > 0;
                let mut sum = initial;
                #[unroll]
                for k in 0..8 {
                    let at = first + k;
                    if at < count {
                        let x = input[start + at];
                        sum = if k > 0 { combine(sum, x) } else { x };
                        if STEP > 0 {
                            let result = if has_before { combine(before, sum) } else { sum };
                            if STEP == 2 {
                                let has_last = carried || at > 0;
                                out[start + at] = if has_last { combine(initial, last) } else { initial };
                                last = result;
                            } else {
                                out[start + at] = result;
                            }
                        }
                    }
                }
                in_row = if is_first { sum } else { combine(in_row, sum) };
                first += 8;
            }
            if STEP == 0 {
                totals[idx] = if count > 128 { combine(rows, in_row) } else { in_row };
            }
        }
    };
}

of_numbers! {
    __scan_whole_blocks_kernel! {
        scan_whole_blocks_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}
