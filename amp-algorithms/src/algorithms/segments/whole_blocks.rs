//! The kernel of scans of segments on the CPU accelerator and on Vulkan devices in software, where each thread scans a
//! block, as in [`scan_whole_blocks`](crate::algorithms::scan_whole_blocks).

#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::Element;
use crate::algorithms::number::numbers::{Number, combined};
use crate::algorithms::number::of_numbers;
use crate::prelude::*;

/// A kernel like `__scan_segments_kernel`, whose threads scan a block each.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_segments_whole_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            idx: Index<1>,
            input: &ArrayView<$element, 1>,
            marks: &ArrayView<u32, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            totals: &mut ArrayViewMut<$element, 1>,
            total_marks: &mut ArrayViewMut<u32, 1>,
            step: u32,
            exclusive: bool,
            initial: $element,
            $($capture: $captured,)*
        ) {
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            let start = idx[0] * 2048;
            let count = (input.extent()[0] - start).min(2048);
            let carried = step == 1 && idx[0] > 0;
            let mut carry = initial;
            if carried {
                carry = totals[idx[0].max(1) - 1];
            }
            // Of the rows before in the block, of the groups before in the row, and the result before a place; and
            // whether a segment starts there.
            let mut rows = initial;
            let mut rows_open = false;
            let mut in_row = initial;
            let mut row_open = false;
            let mut last = carry;
            let mut first = 0;
            while first < count {
                let is_first = first % 128 == 0;
                if is_first && first > 0 {
                    rows = if first == 128 || row_open { in_row } else { combine(rows, in_row) };
                    rows_open = rows_open || row_open;
                }
                let mut before = rows;
                let mut is_open = rows_open;
                if !is_first {
                    before = if first < 128 || row_open { in_row } else { combine(rows, in_row) };
                    is_open = rows_open || row_open;
                }
                if carried && !is_open {
                    before = if first > 0 { combine(carry, before) } else { carry };
                }
                let has_before = carried || first > 0;
                let mut sum = initial;
                let mut opens = false;
                #[unroll]
                for k in 0..8 {
                    let at = first + k;
                    if at < count {
                        let x = input[start + at];
                        let starts = marks[start + at] != 0;
                        opens = opens || starts;
                        sum = if starts || k == 0 { x } else { combine(sum, x) };
                        if step > 0 {
                            let result = if has_before && !opens { combine(before, sum) } else { sum };
                            if exclusive {
                                let has_last = !starts && (carried || at > 0);
                                out[start + at] = if has_last { combine(initial, last) } else { initial };
                                last = result;
                            } else {
                                out[start + at] = result;
                            }
                        }
                    }
                }
                in_row = if is_first || opens { sum } else { combine(in_row, sum) };
                row_open = opens || !is_first && row_open;
                first += 8;
            }
            if step == 0 {
                totals[idx] = if count <= 128 || row_open { in_row } else { combine(rows, in_row) };
                total_marks[idx] = if rows_open || row_open { 1 } else { 0 };
            }
        }
    };
}

of_numbers! {
    __scan_segments_whole_kernel! {
        scan_segments_whole_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}
