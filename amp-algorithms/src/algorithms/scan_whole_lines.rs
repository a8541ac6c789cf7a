//! The kernel of scans of rows and columns on the CPU accelerator and on Vulkan devices in software.
//!
//! There tile memory is no faster than other memory, and barriers cost much. So each thread scans a line, in the order of
//! the kernel of [`scan_lines`](super::scan_lines).

use super::number::numbers::{Number, combined};
use super::number::of_numbers;
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::Element;
use crate::prelude::*;

/// A kernel whose threads scan a line each.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_whole_lines_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            idx: Index<1>,
            input: &ArrayView<$element, 2>,
            out: &mut ArrayViewMut<$element, 2>,
            by_rows: bool,
            exclusive: bool,
            initial: $element,
            $($capture: $captured,)*
        ) {
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            let line = idx[0];
            let count = if by_rows { input.extent()[1] } else { input.extent()[0] };
            // Of the parts before, of the groups before in the part, and the result before a place.
            let mut carry = initial;
            let mut in_part = initial;
            let mut last = initial;
            let mut start = 0;
            while start < count {
                let is_first = start % 64 == 0;
                if is_first && start > 0 {
                    carry = if start > 64 { combine(carry, in_part) } else { in_part };
                    last = carry;
                }
                let mut before = carry;
                if !is_first {
                    before = if start > 64 { combine(carry, in_part) } else { in_part };
                }
                let mut sum = initial;
                #[unroll]
                for k in 0..8 {
                    let at = start + k;
                    if at < count {
                        let row = if by_rows { line } else { at };
                        let column = if by_rows { at } else { line };
                        let x = input[[row, column]];
                        sum = if k > 0 { combine(sum, x) } else { x };
                        let result = if start > 0 { combine(before, sum) } else { sum };
                        if exclusive {
                            out[[row, column]] = if at > 0 { combine(initial, last) } else { initial };
                            last = result;
                        } else {
                            out[[row, column]] = result;
                        }
                    }
                }
                in_part = if is_first { sum } else { combine(in_part, sum) };
                start += 8;
            }
        }
    };
}

of_numbers! {
    __scan_whole_lines_kernel! {
        scan_whole_lines_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}
