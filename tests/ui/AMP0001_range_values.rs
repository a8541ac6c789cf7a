//! Ranges that are no values.

use amp::prelude::*;

#[amp_fn]
fn length(r: std::ops::Range<u32>) -> u32 {
    r.end - r.start
}

#[amp_kernel]
fn values(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let all = 0..=3;
    out[idx] = length(all);
    out[idx] = length(0..=3);
    out[idx] = length(..3);
}

#[amp_kernel]
fn visited(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let pair = (0..3, out[idx]);
    out[idx] = pair.0.map(|x| x * 2).sum::<u32>();
}

#[amp_kernel]
fn taken(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut r = 0..out[idx];
    out[idx] = r.by_ref().skip(2).take(3).sum::<u32>();
    out[idx] = r.by_ref().nth(2).unwrap_or(3);
}

#[amp_kernel]
fn argument(idx: Index<1>, r: std::ops::Range<u32>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = r.start;
}

#[amp_kernel]
fn elements(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let parts = [0..2, 2..4];
    out[idx] = parts[idx[0]].start;
}

#[amp_fn]
fn part(n: u32) -> std::ops::Range<usize> {
    0..n as usize
}

#[amp_kernel]
fn slices(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [1, 2, 3];
    for y in &x[part(out[idx])] {
        out[idx] += y;
    }
}

#[amp_fn]
fn included(r: std::ops::RangeInclusive<u32>) -> bool {
    r.is_empty()
}

#[amp_struct]
struct Tile {
    rows: std::ops::Range<u32>,
}

#[amp_enum]
enum Part {
    All,
    Rows(std::ops::Range<u32>),
}

#[amp_struct]
struct Lines<'a> {
    lines: ArrayView<'a, u32, 1>,
    used: std::ops::Range<u32>,
}

#[amp_kernel]
fn passed(idx: Index<1>, tile: Tile, part: Part, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = tile.rows.start;
}

#[amp_kernel]
fn kept(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let tiles = [Tile { rows: 0..2 }, Tile { rows: 2..4 }];
    out[idx] = tiles[idx[0]].rows.start;
}

#[amp_kernel]
fn shared(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut tile: Tile;
    tile.rows.start = 0;
    out[t_idx] = tile.rows.start;
}

#[amp_kernel]
fn written(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let all = 0..=out[idx];
    let bound = all.start;
    out[idx] = all.first();
}

/// What copies within a slice, and what exchanges two.
#[amp_kernel]
fn copied(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut v = [1, 2, 3];
    let w = [4, 5];
    v.copy_within(1.., 0);
    v.copy_within(..=1, 0);
    v.swap_with_slice(&w);
    out[idx] = v[0];
}

fn main() {}
