//! The kernels of transforms, for each type of numbers.
//!
//! A pass transforms lines of `size * columns` elements, a factor `size` of their length at a time, as
//! Stockham's algorithm does: it reads elements that are `columns` apart, multiplies them by
//! twiddles, transforms them, and writes them where the next pass expects them. The short transform itself goes through
//! stages of small radices in tile memory, by the same algorithm.
//!
//! Twiddles come from two tables: any root of unity of the length is near one of `coarse`, and `fine` has
//! the relative distances, so that their product is rounded little.

use crate::amp_struct;

/// What a pass does.
#[amp_struct]
pub struct Pass {
    /// Elements of a short transform.
    pub size: u32,
    /// Short transforms of a tile of threads.
    pub width: u32,
    /// Short transforms of a line of lines.
    pub columns: u32,
    /// Lines side by side, whose elements alternate in memory.
    pub lines: u32,
    /// Elements that the passes before have transformed.
    pub done: u32,
    /// Short transforms of all lines.
    pub count: u32,
    /// By which the index of a twiddle is multiplied.
    pub step: u32,
    /// The bits of an index that `fine` is for.
    pub fine_bits: u32,
    /// Whether twiddles are conjugated.
    pub inverts: u32,
}

/// How a chirp transform reads and writes its lines.
#[amp_struct]
pub struct Chirp {
    /// Elements of a line, and of what it is padded to.
    pub length: u32,
    pub padded: u32,
    /// Lines side by side.
    pub lines: u32,
    pub inverts: u32,
}

/// The last three lengths of a spectrum: 1 where there are fewer.
#[amp_struct]
pub struct Lengths {
    pub outer: u32,
    pub middle: u32,
    pub inner: u32,
}

macro_rules! transform_kernels {
    ($module:ident: $type:ty, $pair:ident, $points:literal points) => {
        pub mod $module {
            use super::{Chirp, Lengths, Pass};
            use crate::__private::glam::$pair;
            use crate::prelude::*;

            pub const THREADS: usize = 256;
            /// Elements that a tile of threads transforms.
            pub const POINTS: usize = $points;

            /// The product of two complex numbers.
            #[amp_fn]
            pub fn times(a: $pair, b: $pair) -> $pair {
                $pair::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
            }

            /// A root of unity of the length.
            #[amp_fn]
            fn root(
                coarse: &ArrayView<$pair, 1>,
                fine: &ArrayView<$pair, 1>,
                bits: u32,
                index: usize,
            ) -> $pair {
                let (near, distance) = (index >> bits, index & ((1 << bits) - 1));
                let near = coarse[near.min(coarse.extent()[0] - 1)];
                near + times(near, fine[distance.min(fine.extent()[0] - 1)])
            }

            /// A twiddle, conjugated for inverse transforms.
            #[amp_fn]
            fn turned(twiddle: $pair, inverts: u32) -> $pair {
                if inverts != 0 {
                    $pair::new(twiddle.x, -twiddle.y)
                } else {
                    twiddle
                }
            }

            /// `-i * x`, or `i * x` for inverse transforms.
            #[amp_fn]
            fn quarter(x: $pair, inverts: u32) -> $pair {
                if inverts != 0 {
                    $pair::new(-x.y, x.x)
                } else {
                    $pair::new(x.y, -x.x)
                }
            }

            #[amp_kernel]
            pub fn pass(
                t_idx: TiledIndex<1, THREADS>,
                pass: Pass,
                scale: $type,
                radices: &ArrayView<u32, 1>,
                short: &ArrayView<$pair, 1>,
                coarse: &ArrayView<$pair, 1>,
                fine: &ArrayView<$pair, 1>,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                // Indices are limited to their arrays, which changes none of them, but costs less than
                // checks that the host cannot prove.
                const LAST: usize = POINTS - 1;
                #[tile_static]
                let mut points: [[$pair; POINTS]; 2];
                let thread = t_idx.local[0];
                let (size, width) = (pass.size as usize, pass.width as usize);
                let (columns, lines) = (pass.columns as usize, pass.lines as usize);
                let done = pass.done as usize;
                let first = t_idx.tile[0] * width;
                let here = width.min(pass.count as usize - first);

                for at in (thread..size * width).step_by(THREADS) {
                    let (row, column) = (at / width, at % width);
                    // Columns behind the last are transformed too, and not written.
                    let mut value = $pair::new(0.0, 0.0);
                    if column < here {
                        let (line, column) =
                            ((first + column) / columns, (first + column) % columns);
                        value = from[(line * columns * size + row * columns + column)
                            .min(from.extent()[0] - 1)];
                        if done > 1 {
                            let index = (column / lines % done) * row * pass.step as usize;
                            let twiddle = root(coarse, fine, pass.fine_bits, index);
                            value = times(value, turned(twiddle, pass.inverts));
                        }
                    }
                    points[0][at.min(LAST)] = value;
                }
                t_idx.barrier.wait();

                let mut inner = 1;
                for stage in 0..radices.extent()[0] {
                    let now = stage % 2;
                    let radix = (radices[stage] as usize).max(1);
                    let apart = size / radix;
                    let step = apart / inner;
                    if radix == 4 {
                        for at in (thread..apart * width).step_by(THREADS) {
                            let (row, column) = (at / width, at % width);
                            let place = row % inner;
                            let turn = place * step;
                            let a = points[now][(row * width + column).min(LAST)];
                            let b = times(
                                points[now][((row + apart) * width + column).min(LAST)],
                                turned(short[turn.min(short.extent()[0] - 1)], pass.inverts),
                            );
                            let c = times(
                                points[now][((row + 2 * apart) * width + column).min(LAST)],
                                turned(short[(2 * turn).min(short.extent()[0] - 1)], pass.inverts),
                            );
                            let d = times(
                                points[now][((row + 3 * apart) * width + column).min(LAST)],
                                turned(short[(3 * turn).min(short.extent()[0] - 1)], pass.inverts),
                            );
                            let (even, odd) = (a + c, b + d);
                            let (less, turned) = (a - c, quarter(b - d, pass.inverts));
                            let first = ((row - place) * 4 + place) * width + column;
                            points[1 - now][first.min(LAST)] = even + odd;
                            points[1 - now][(first + inner * width).min(LAST)] = less + turned;
                            points[1 - now][(first + 2 * inner * width).min(LAST)] = even - odd;
                            points[1 - now][(first + 3 * inner * width).min(LAST)] = less - turned;
                        }
                    } else {
                        for at in (thread..size * width).step_by(THREADS) {
                            let (result, column) = (at / width, at % width);
                            // Which transform of the radix, and which of its results.
                            let place = result % inner;
                            let (group, number) = (result / inner / radix, result / inner % radix);
                            let turn = place * step + number * apart;
                            let row = group * inner + place;
                            let mut sum = points[now][(row * width + column).min(LAST)];
                            for term in 1..radix {
                                let index = term * turn % size;
                                let twiddle =
                                    turned(short[index.min(short.extent()[0] - 1)], pass.inverts);
                                sum += times(
                                    points[now][((row + term * apart) * width + column).min(LAST)],
                                    twiddle,
                                );
                            }
                            points[1 - now][at.min(LAST)] = sum;
                        }
                    }
                    t_idx.barrier.wait();
                    inner = (inner * radix).max(1);
                }

                let now = radices.extent()[0] % 2;
                // Neighbouring threads write neighbours: along columns, or along the short transform.
                let by_columns = done * lines >= width;
                for at in (thread..size * width).step_by(THREADS) {
                    let (row, column) = if by_columns {
                        (at / width, at % width)
                    } else {
                        (at % size, at / size)
                    };
                    if column < here {
                        let value = points[now][(row * width + column).min(LAST)] * scale;
                        let (line, column) =
                            ((first + column) / columns, (first + column) % columns);
                        let (place, beside) = (column / lines, column % lines);
                        let start = (place - place % done) * size + place % done;
                        let place = line * columns * size + (start + row * done) * lines + beside;
                        to[place.min(to.extent()[0] - 1)] = value;
                    }
                }
            }

            /// Multiplies lines by a chirp, and pads them with zeros.
            #[amp_kernel]
            pub fn pad(
                idx: Index<1>,
                chirp: Chirp,
                twiddles: &ArrayView<$pair, 1>,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                let (length, padded) = (chirp.length as usize, chirp.padded as usize);
                let lines = chirp.lines as usize;
                let (line, at) = (idx[0] / padded, idx[0] % padded);
                let mut value = $pair::ZERO;
                if at < length {
                    let start = line / lines * lines * length + line % lines;
                    value = times(
                        from[start + at * lines],
                        turned(twiddles[at], chirp.inverts),
                    );
                }
                to[idx] = value;
            }

            /// Multiplies transformed lines by the transform of the chirp.
            #[amp_kernel]
            pub fn convolve(
                idx: Index<1>,
                chirp: Chirp,
                spectrum: &ArrayView<$pair, 1>,
                points: &mut ArrayViewMut<$pair, 1>,
            ) {
                let at = idx[0] % chirp.padded as usize;
                points[idx] = times(points[idx], turned(spectrum[at], chirp.inverts));
            }

            /// Multiplies the padded lines by the chirp once more, and puts them back.
            #[amp_kernel]
            pub fn unpad(
                idx: Index<1>,
                chirp: Chirp,
                scale: $type,
                twiddles: &ArrayView<$pair, 1>,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                let (length, padded) = (chirp.length as usize, chirp.padded as usize);
                let lines = chirp.lines as usize;
                let (column, place) = (idx[0] % lines, idx[0] / lines);
                let (group, at) = (place / length, place % length);
                let value = from[(group * lines + column) * padded + at];
                to[idx] = times(value, turned(twiddles[at], chirp.inverts)) * scale;
            }

            /// Makes spectra of the transforms of lines, of which even numbers were real parts and odd ones
            /// imaginary parts.
            #[amp_kernel]
            pub fn join(
                idx: Index<1>,
                roots: &ArrayView<$pair, 1>,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                let half = roots.extent()[0] - 1;
                let (line, at) = (idx[0] / (half + 1), idx[0] % (half + 1));
                let a = from[line * half + at % half];
                let b = turned(from[line * half + (half - at) % half], 1);
                let odd = times(quarter(a - b, 0), roots[at]);
                to[idx] = (a + b + odd) * 0.5;
            }

            /// Undoes [`join`], and doubles the results. Where spectra of real numbers are real, what is not is
            /// ignored.
            #[amp_kernel]
            pub fn part(
                idx: Index<1>,
                roots: &ArrayView<$pair, 1>,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                let half = roots.extent()[0] - 1;
                let (line, at) = (idx[0] / half, idx[0] % half);
                let mut a = from[line * (half + 1) + at];
                let mut b = turned(from[line * (half + 1) + half - at], 1);
                if at == 0 {
                    a.y = 0.0;
                    b.y = 0.0;
                }
                let odd = times(a - b, turned(roots[at], 1));
                to[idx] = a + b + quarter(odd, 1);
            }

            /// Makes numbers complex.
            #[amp_kernel]
            pub fn complex(
                idx: Index<1>,
                from: &ArrayView<$type, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                to[idx] = $pair::new(from[idx], 0.0);
            }

            /// Keeps the first half of each line of a spectrum.
            #[amp_kernel]
            pub fn halve(
                idx: Index<2>,
                length: usize,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 2>,
            ) {
                to[idx] = from[idx[0] * length + idx[1]];
            }

            /// Restores the second half of each line, which has the conjugates of the first, at the
            /// negative frequencies.
            #[amp_kernel]
            pub fn unhalve(
                idx: Index<1>,
                lengths: Lengths,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$pair, 1>,
            ) {
                let (outer, middle) = (lengths.outer as usize, lengths.middle as usize);
                let inner = lengths.inner as usize;
                let half = inner / 2 + 1;
                let (row, at) = (idx[0] / inner, idx[0] % inner);
                if at < half {
                    to[idx] = from[row * half + at];
                } else {
                    let (column, plane) = (row % middle, row / middle);
                    let (place, group) = (plane % outer, plane / outer);
                    let (column, place) = ((middle - column) % middle, (outer - place) % outer);
                    let row = (group * outer + place) * middle + column;
                    to[idx] = turned(from[row * half + inner - at], 1);
                }
            }

            /// Takes the real parts.
            #[amp_kernel]
            pub fn real(
                idx: Index<1>,
                from: &ArrayView<$pair, 1>,
                to: &mut ArrayViewMut<$type, 1>,
            ) {
                to[idx] = from[idx].x;
            }
        }
    };
}

transform_kernels!(of_f32: f32, Vec2, 2048 points);
transform_kernels!(of_f64: f64, DVec2, 1024 points);
