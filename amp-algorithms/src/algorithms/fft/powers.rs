//! The kernels of passes over powers of two, for each type of numbers.
//!
//! A pass reads and writes the elements that one of [`kernels`](super::kernels) would, for a size of
//! `16 * SECOND`. A thread has sixteen points in registers: it transforms
//! them, exchanges them for those of the other threads of its column through tile memory, and does `16 / SECOND`
//! transforms of `SECOND` points. Results are multiplied by the twiddles of the next pass.
//!
//! Inverse transforms have real and imaginary parts exchanged, on the way in and out.
//!
//! Threads write tile memory at an index that is an exclusive or of their own with literals, by which the compiler
//! proves that all of it is written before it is read.

use crate::amp_struct;

/// What a pass does.
#[amp_struct]
pub struct PowerPass {
    /// Short transforms of a line of lines.
    pub columns: u32,
    /// Lines side by side, whose elements alternate in memory.
    pub lines: u32,
    /// Elements that the passes before have transformed.
    pub done: u32,
    /// Short transforms of all lines.
    pub count: u32,
    /// Elements that are left when the next pass is done; 0 if there is none.
    pub rest: u32,
    /// The bits of an index that `fine` is for.
    pub fine_bits: u32,
    pub inverts: u32,
}

macro_rules! power_kernels {
    ($module:ident: $type:ty, $pair:ident, $threads:literal threads, $points:literal points) => {
        pub mod $module {
            use super::super::kernels::$module::times;
            use super::PowerPass;
            use crate::__private::glam::$pair;
            use crate::prelude::*;

            pub const THREADS: usize = $threads;

            /// The product with the fourth root of unity, `-i`.
            #[amp_fn]
            fn quarter(x: $pair) -> $pair {
                $pair::new(x.y, -x.x)
            }

            /// The product with the eighth root of unity.
            #[amp_fn]
            fn eighth(x: $pair) -> $pair {
                $pair::new(x.x + x.y, x.y - x.x) * (0.5 as $type).sqrt()
            }

            /// The transform of two points that are `apart`, in place.
            #[amp_fn]
            fn two(x: &mut [$pair; 16], first: usize, apart: usize) {
                let (a, b) = (x[first], x[first + apart]);
                x[first] = a + b;
                x[first + apart] = a - b;
            }

            /// The transform of four points that are `apart`, in place.
            #[amp_fn]
            fn four(x: &mut [$pair; 16], first: usize, apart: usize) {
                let (a, b) = (x[first], x[first + apart]);
                let (c, d) = (x[first + 2 * apart], x[first + 3 * apart]);
                let (even, odd) = (a + c, b + d);
                let (less, turned) = (a - c, quarter(b - d));
                x[first] = even + odd;
                x[first + apart] = less + turned;
                x[first + 2 * apart] = even - odd;
                x[first + 3 * apart] = less - turned;
            }

            /// `16 / SIZE` transforms side by side, whose points alternate. [`place`] tells where the results are.
            #[amp_fn]
            fn transform<const SIZE: usize>(x: &mut [$pair; 16]) {
                if SIZE == 2 {
                    #[unroll]
                    for first in 0..8 {
                        two(x, first, 8);
                    }
                }
                if SIZE >= 4 {
                    #[unroll]
                    for first in 0..4 {
                        four(x, first, 4);
                    }
                }
                if SIZE == 8 {
                    x[6] = eighth(x[6]);
                    x[7] = eighth(x[7]);
                    x[10] = quarter(x[10]);
                    x[11] = quarter(x[11]);
                    x[14] = eighth(quarter(x[14]));
                    x[15] = eighth(quarter(x[15]));
                    #[unroll]
                    for first in 0..4 {
                        two(x, 4 * first, 2);
                        two(x, 4 * first + 1, 2);
                    }
                }
                if SIZE == 16 {
                    // The sixteenth root of unity, and its third and ninth powers.
                    let cosine = 0.923_879_532_511_286_7;
                    let sine = 0.382_683_432_365_089_8;
                    let root = $pair::new(cosine, -sine);
                    let third = $pair::new(sine, -cosine);
                    x[5] = times(x[5], root);
                    x[6] = eighth(x[6]);
                    x[7] = times(x[7], third);
                    x[9] = eighth(x[9]);
                    x[10] = quarter(x[10]);
                    x[11] = eighth(quarter(x[11]));
                    x[13] = times(x[13], third);
                    x[14] = eighth(quarter(x[14]));
                    x[15] = times(x[15], $pair::new(-cosine, sine));
                    #[unroll]
                    for first in 0..4 {
                        four(x, 4 * first, 1);
                    }
                }
            }

            /// Where a result of [`transform`] is. In the order of results, those of transforms side by side
            /// alternate.
            #[amp_fn]
            fn place<const SIZE: usize>(at: usize) -> usize {
                if SIZE >= 8 {
                    let (transform, result) = (at % (16 / SIZE), at / (16 / SIZE));
                    transform + result / 4 * (16 / SIZE) + result % 4 * 4
                } else {
                    at
                }
            }

            /// The thread of a tile that has a part of a column.
            #[amp_fn]
            fn thread_of<const SECOND: usize>(part: usize, column: usize, by_rows: bool) -> usize {
                if by_rows {
                    column * SECOND + part
                } else {
                    part * ($threads / SECOND) + column
                }
            }

            /// The part and column that a thread has.
            #[amp_fn]
            fn place_of<const SECOND: usize>(thread: usize, by_rows: bool) -> (usize, usize) {
                if by_rows {
                    (thread % SECOND, thread / SECOND)
                } else {
                    (thread / ($threads / SECOND), thread % ($threads / SECOND))
                }
            }

            #[amp_fn]
            fn exchanged(x: $pair, exchanges: bool) -> $pair {
                if exchanges { $pair::new(x.y, x.x) } else { x }
            }

            #[amp_kernel]
            pub fn pass<const SECOND: usize>(
                t_idx: TiledIndex<1, $threads>,
                pass: PowerPass,
                scale: $type,
                short: &ArrayView<$pair, 1>,
                coarse: &ArrayView<$pair, 1>,
                fine: &ArrayView<$pair, 1>,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                // Indices are limited to their arrays, which changes none of them, but costs less than
                // checks that the host cannot prove.
                #[tile_static]
                let mut points: [$pair; $points];
                let thread = t_idx.local[0];
                let (columns, lines) = (pass.columns as usize, pass.lines as usize);
                let (done, count) = (pass.done as usize, pass.count as usize);
                let inverts = pass.inverts != 0;
                let first_column = t_idx.tile[0] * ($threads / SECOND);
                // Neighbouring threads access neighbours: along columns if enough of them are side by side.
                let reads_rows = columns < $threads / SECOND;
                let writes_rows = done * lines < $threads / SECOND;

                let (part, column) = place_of::<SECOND>(thread, reads_rows);
                let column = (first_column + column).min(count - 1);
                let (line, column) = (column / columns, column % columns);
                let start = (line * 16 * SECOND + part) * columns + column;
                let mut x = [$pair::ZERO; 16];
                #[unroll]
                for k in 0..16 {
                    let value = from[(start + k * SECOND * columns).min(from.extent()[0] - 1)];
                    x[k] = exchanged(value, inverts);
                }
                transform::<16>(&mut x);
                // Threads that read a point each find it in a bank of its own.
                points[thread] = x[0];
                #[unroll]
                for k in 1..16 {
                    let twiddle = short[(k * part).min(short.extent()[0] - 1)];
                    points[k * $threads + (thread ^ k)] = times(x[place::<16>(k)], twiddle);
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();

                let (part, column) = place_of::<SECOND>(thread, writes_rows);
                #[unroll]
                for k in 0..16 {
                    let row = part + k % (16 / SECOND) * SECOND;
                    let writer = thread_of::<SECOND>(k / (16 / SECOND), column, reads_rows);
                    x[k] = points[(row * $threads + (writer ^ row)).min($points - 1)];
                }
                transform::<SECOND>(&mut x);

                let column = first_column + column;
                if column < count {
                    let (line, column) = (column / columns, column % columns);
                    let (place_of_column, beside) = (column / lines, column % lines);
                    let (group, place_in_group) = (place_of_column / done, place_of_column % done);
                    let start = (line * columns + group * done * lines) * 16 * SECOND + beside;
                    let rest = pass.rest as usize;
                    let next_row = group / rest.max(1);
                    #[unroll]
                    for other in 0..16 / SECOND {
                        let row = part + other * SECOND;
                        // Every sixteenth row has a twiddle that is as far from a coarse root.
                        let index = (place_in_group + row * done) * next_row * rest;
                        let distance = index & ((1 << pass.fine_bits) - 1);
                        let distance = fine[distance.min(fine.extent()[0] - 1)];
                        let first = index >> pass.fine_bits;
                        let step = (16 * done * next_row * rest) >> pass.fine_bits;
                        #[unroll]
                        for k in 0..SECOND {
                            let mut value = x[place::<SECOND>(k * (16 / SECOND) + other)];
                            if rest > 0 {
                                let near = coarse[(first + k * step).min(coarse.extent()[0] - 1)];
                                value = times(value, near + times(near, distance));
                            } else {
                                value *= scale;
                            }
                            let at = start + (place_in_group + (row + 16 * k) * done) * lines;
                            to[at.min(to.extent()[0] - 1)] = exchanged(value, inverts);
                        }
                    }
                }
            }
        }
    };
}

power_kernels!(of_f32: f32, Vec2, 256 threads, 4096 points);
power_kernels!(of_f64: f64, DVec2, 128 threads, 2048 points);
