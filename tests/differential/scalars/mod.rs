//! Every scalar type: operators, methods and casts of each, at the ends of their ranges
//! and for random values.

mod bytes;
mod casts;
mod data;
mod doubles;
mod halves;
mod integers;
mod overflow;
mod rest;
mod rounding;

use testkit::numbers::{WIDE, pairs, random_wide};

/// All pairs of edges, and random ones, cut down to an integer type by `cut`.
fn integers<T: Copy>(cut: impl Fn(i64) -> T + Copy) -> (Vec<T>, Vec<T>) {
    let (mut x, mut y) = pairs(&WIDE.map(cut));
    let random = |seed| random_wide(seed).map(move |word| cut(word.cast_signed()));
    x.extend(random(21).take(1500));
    y.extend(random(22).take(1500));
    (x, y)
}
