//! The kernels of reductions and scans of segments.

#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::Element;
use crate::algorithms::number::numbers::{Number, combined};
use crate::algorithms::number::of_numbers;
use crate::prelude::*;

/// A kernel that reduces segments, each by so many threads: 32 or all 256.
#[doc(hidden)]
#[macro_export]
macro_rules! __reduce_segments_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
            input: &ArrayView<$element, 1>,
            offsets: &ArrayView<u32, 1>,
            out: &mut ArrayViewMut<$element, 1>,
            threads: usize,
            empty: $element,
            $($capture: $captured,)*
        ) {
            #[tile_static]
            let mut shared: [$element; 256];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            let thread = t_idx.local[0];
            let lane = thread % threads;
            let segment = t_idx.tile[0] * (256 / threads) + thread / threads;
            let exists = segment < out.extent()[0];
            let start = if exists { offsets[segment] as usize } else { 0 };
            let end = if exists { offsets[segment + 1] as usize } else { 0 };
            let first = start + lane;
            let mut sum = empty;
            let count = end.max(start) - start;
            if threads == 256 {
                if first < end {
                    sum = input[first];
                }
                let mut at = first + 256;
                while at + 3 * 256 < end {
                    let row = [input[at], input[at + 256], input[at + 2 * 256], input[at + 3 * 256]];
                    #[unroll]
                    for k in 0..4 {
                        sum = combine(sum, row[k]);
                    }
                    at += 4 * 256;
                }
                while at < end {
                    sum = combine(sum, input[at]);
                    at += 256;
                }
            } else {
                // Each thread does what eight do for a longer segment.
                let mut sums = [empty; 8];
                #[unroll]
                for k in 0..8 {
                    let mut at = first + 32 * k;
                    if at < end {
                        sums[k] = input[at];
                        at += 256;
                        while at < end {
                            sums[k] = combine(sums[k], input[at]);
                            at += 256;
                        }
                    }
                }
                #[unroll]
                for k in 0..4 {
                    if lane + 32 * k + 128 < count {
                        sums[k] = combine(sums[k], sums[k + 4]);
                    }
                }
                #[unroll]
                for k in 0..2 {
                    if lane + 32 * k + 64 < count {
                        sums[k] = combine(sums[k], sums[k + 2]);
                    }
                }
                sum = if lane + 32 < count { combine(sums[0], sums[1]) } else { sums[0] };
            }
            shared[thread] = sum;
            let mut half = threads / 2;
            t_idx.barrier.wait();
            while half > 0 {
                if lane < half && lane + half < count {
                    shared[thread] = combine(shared[thread], shared[thread + half]);
                }
                half /= 2;
                t_idx.barrier.wait();
            }
            if lane == 0 && exists {
                out[segment] = shared[thread];
            }
        }
    };
}

/// A kernel that scans blocks, with a mark at each element that starts a segment.
#[doc(hidden)]
#[macro_export]
macro_rules! __scan_segments_kernel {
    (
        #[$attribute:meta]
        $name:ident [$($generics:tt)*] [$($capture:ident: $captured:ty),*] $element:ty
        |$a:ident, $b:ident| { $combine:expr }
    ) => {
        #[$attribute]
        pub fn $name<$($generics)*>(
            t_idx: TiledIndex<1, 256>,
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
            #[tile_static]
            let mut elements: [$element; 2048];
            #[tile_static]
            let mut sums: [$element; 256];
            #[tile_static]
            let mut opened: [u32; 256];
            let combine = |$a: $element, $b: $element| -> $element { $combine };
            // Threads that access every eighth element, or every sixteenth sum, find each in a bank
            // of its own.
            let place = |at: usize| at ^ (at / 32 % 8);
            let sum_place = |at: usize| at ^ (at / 16 % 16);
            let lane = t_idx.local[0];
            let start = t_idx.tile[0] * 2048;
            let count = (input.extent()[0] - start).min(2048);
            #[unroll]
            for k in 0..8 {
                let at = lane + k * 256;
                elements[place(at)] = input[start + at.min(count - 1)];
            }
            t_idx.barrier.wait();
            // Each thread scans a group of eight elements. A bit says where a segment starts.
            let first = lane * 8;
            let own = count.max(first).min(first + 8) - first;
            let mut starts = 0_u32;
            let mut sum = elements[place(first)];
            let mut results = [sum; 8];
            #[unroll]
            for k in 0..8 {
                if k < own {
                    let x = elements[place(first + k)];
                    if marks[start + first + k] != 0 {
                        starts |= 1 << k;
                        sum = x;
                    } else if k > 0 {
                        sum = combine(sum, x);
                    }
                    results[k] = sum;
                }
            }
            sums[sum_place(lane)] = sum;
            opened[sum_place(lane)] = if starts != 0 { 1 } else { 0 };
            t_idx.barrier.wait();
            // Sixteen threads scan a row of sixteen sums each.
            let groups = (count + 7) / 8;
            let row_start = lane * 16;
            if lane < 16 {
                let row_end = groups.max(row_start).min(row_start + 16);
                let mut total = sums[sum_place(row_start)];
                let mut is_open = opened[sum_place(row_start)];
                for at in row_start + 1..row_end {
                    let next = sums[sum_place(at)];
                    let opens = opened[sum_place(at)];
                    total = if opens != 0 { next } else { combine(total, next) };
                    is_open |= opens;
                    sums[sum_place(at)] = total;
                    opened[sum_place(at)] = is_open;
                }
            }
            t_idx.barrier.wait();
            if step == 0 {
                if lane == 0 {
                    let mut total = sums[sum_place(groups.min(16) - 1)];
                    let mut is_open = opened[sum_place(groups.min(16) - 1)];
                    let mut at = 16;
                    while at < groups {
                        let last = sum_place(groups.min(at + 16) - 1);
                        total = if opened[last] != 0 { sums[last] } else { combine(total, sums[last]) };
                        is_open |= opened[last];
                        at += 16;
                    }
                    totals[t_idx.tile] = total;
                    total_marks[t_idx.tile] = is_open;
                }
            } else {
                let carried = step == 1 && t_idx.tile[0] > 0;
                let block = t_idx.tile[0].max(1) - 1;
                let carry = if carried { totals[block] } else { initial };
                // What comes before the group: in its block, and before that. A thread without elements combines none.
                let place_of_group = if own > 0 { lane } else { 0 };
                let mut before = sums[sum_place(15)];
                let mut is_open = if lane >= 16 { opened[sum_place(15)] } else { 0 };
                for row in 1..place_of_group / 16 {
                    let last = sum_place(row * 16 + 15);
                    before = if opened[last] != 0 { sums[last] } else { combine(before, sums[last]) };
                    is_open |= opened[last];
                }
                if place_of_group % 16 > 0 {
                    let last = sum_place(place_of_group - 1);
                    let is_first = lane < 16 || opened[last] != 0;
                    before = if is_first { sums[last] } else { combine(before, sums[last]) };
                    is_open |= opened[last];
                }
                if carried && is_open == 0 {
                    before = if place_of_group > 0 { combine(carry, before) } else { carry };
                }
                let has_before = carried || lane > 0;
                #[unroll]
                for k in 0..8 {
                    if k < own {
                        let mut x = results[k];
                        if has_before && starts & ((2 << k) - 1) == 0 {
                            x = combine(before, x);
                        }
                        elements[place(first + k)] = x;
                    }
                }
                t_idx.barrier.wait();
                for k in 0..8 {
                    let at = lane + k * 256;
                    if at < count {
                        if exclusive {
                            let mut x = initial;
                            if marks[start + at] == 0 {
                                if at > 0 {
                                    x = combine(initial, elements[place(at - 1)]);
                                } else if carried {
                                    x = combine(initial, carry);
                                }
                            }
                            out[start + at] = x;
                        } else {
                            out[start + at] = elements[place(at)];
                        }
                    }
                }
            }
        }
    };
}

of_numbers! {
    __reduce_segments_kernel! {
        reduce_segments_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}

of_numbers! {
    __scan_segments_kernel! {
        scan_segments_of_numbers [T: Element + Number, const OPERATION: u32] [] T
        |a, b| { combined(OPERATION, a, b) }
    }
}
