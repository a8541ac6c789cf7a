//! The kernels whose SPIR-V is written down, each as small as it can be.

use amp::prelude::*;
use glam::{IVec4, Vec3, Vec4};

#[amp_kernel]
pub fn add_arrays(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    b: &ArrayView<i32, 1>,
    sum: &mut ArrayViewMut<i32, 1>,
) {
    sum[idx] = a[idx] + b[idx];
}

#[amp_kernel]
pub fn mat_mul_simple(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    product: &mut ArrayViewMut<f32, 2>,
) {
    let (row, col) = (idx[0], idx[1]);
    let mut sum = 0.0;
    for inner in 0..a.extent()[1] {
        sum += a[[row, inner]] * b[[inner, col]];
    }
    product[idx] = sum;
}

/// An assertion costs a comparison and a branch; a panic leaves.
#[amp_kernel]
pub fn asserts(idx: Index<1>, a: &ArrayView<i32, 1>, c: &mut ArrayViewMut<i32, 1>) {
    let x = a[idx];
    assert!(x >= 0);
    if x == 7 {
        panic!("seven");
    }
    c[idx] = x;
}

const TS: usize = 2;

#[amp_kernel]
pub fn mat_mul_tiled(
    t_idx: TiledIndex<2, TS, TS>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    product: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut loc_a: [[f32; TS]; TS];
    #[tile_static]
    let mut loc_b: [[f32; TS]; TS];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    for i in (0..a.extent()[1]).step_by(TS) {
        loc_a[row][col] = a[[t_idx.global[0], col + i]];
        loc_b[row][col] = b[[row + i, t_idx.global[1]]];
        t_idx.barrier.wait();
        for k in 0..TS {
            sum += loc_a[row][k] * loc_b[k][col];
        }
        t_idx.barrier.wait();
    }
    product[t_idx.global] = sum;
}

/// A kernel with accesses to tile memory and to a view on both sides of a barrier.
macro_rules! barrier {
    ($wait:ident) => {
        #[amp_kernel]
        pub fn $wait(t_idx: TiledIndex<1, 8>, v: &mut ArrayViewMut<u32, 1>) {
            #[tile_static]
            let mut shared: [u32; 8];
            let i = t_idx.local[0];
            shared[i] = 1;
            v[t_idx.global] = 2;
            t_idx.barrier.$wait();
            v[t_idx.global] += shared[i];
        }
    };
}

barrier!(wait);
barrier!(wait_with_all_memory_fence);
barrier!(wait_with_global_memory_fence);
barrier!(wait_with_tile_static_memory_fence);

/// The view is written after the barrier only.
#[amp_kernel]
pub fn wait_without_global_memory(
    t_idx: TiledIndex<1, 8>,
    a: &ArrayView<u32, 1>,
    v: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut shared: [u32; 8];
    let i = t_idx.local[0];
    shared[i] = a[t_idx.global];
    t_idx.barrier.wait();
    v[t_idx.global] = shared[7 - i];
}

/// A fence in divergent code with writes on both sides.
macro_rules! fence {
    ($name:ident, $fence:ident) => {
        #[amp_kernel]
        pub fn $name(t_idx: TiledIndex<1, 8>, v: &mut ArrayViewMut<u32, 1>) {
            #[tile_static]
            let mut last: u32;
            if t_idx.local[0] == 7 {
                v[t_idx.global] = 1;
                $fence(&t_idx.barrier);
                v[t_idx.global] += 2;
                last = 3;
            }
        }
    };
}

fence!(all_fence, all_memory_fence);
fence!(global_fence, global_memory_fence);
fence!(tile_static_fence, tile_static_memory_fence);

#[amp_kernel]
pub fn rank_3(idx: Index<3>, v: &mut ArrayViewMut<u32, 3>) {
    v[idx] = (idx[0] + idx[1] * idx[2]) as u32;
}

#[amp_struct]
#[derive(Default)]
pub struct Body {
    pub place: [f32; 3],
    pub mass: f32,
}

#[amp_kernel]
pub fn struct_elements(idx: Index<1>, bodies: &mut ArrayViewMut<Body, 1>) {
    let body = bodies[idx];
    bodies[idx].place[1] += body.mass;
    bodies[0] = body;
}

#[amp_fn]
fn row_sum(a: &ArrayView<i32, 2>, row: usize) -> i32 {
    let mut sum = 0;
    for column in 0..a.extent()[1] {
        sum += a[[row, column]];
    }
    sum
}

#[amp_kernel]
pub fn helper_with_a_view(idx: Index<1>, a: &ArrayView<i32, 2>, v: &mut ArrayViewMut<i32, 1>) {
    v[idx] = row_sum(a, idx[0]);
}

/// A section moves the address; a view's own loop is tried against its extent.
#[amp_kernel]
pub fn sections(idx: Index<1>, a: &ArrayView<i32, 2>, c: &mut ArrayViewMut<u32, 1>) {
    let part = a.section([1, 0], [2, 3]);
    let mut words = c.reinterpret::<i32>();
    words[idx] = row_sum(&part, idx[0]) + part.row(1)[2];
}

#[amp_kernel]
pub fn labelled_loops(idx: Index<1>, a: &ArrayView<u32, 2>, v: &mut ArrayViewMut<u32, 1>) {
    let mut found = 0;
    'rows: for row in 0..a.extent()[0] {
        for column in 0..a.extent()[1] {
            if a[[row, column]] == 0 {
                continue 'rows;
            }
            if a[[row, column]] == 1 {
                break 'rows;
            }
        }
        found += 1;
    }
    v[idx] = found;
}

#[amp_kernel]
pub fn unrolled(idx: Index<1>, v: &mut ArrayViewMut<u32, 1>) {
    #[unroll]
    for k in 0..4 {
        for j in 0..k {
            v[idx] += j;
        }
    }
    #[unroll]
    while v[idx] < 7 {
        v[idx] += 1;
    }
}

#[amp_kernel]
pub fn ranges(idx: Index<1>, to: i32, step: usize, v: &mut ArrayViewMut<i32, 1>) {
    for k in (0..to).rev() {
        v[idx] += k;
    }
    for k in (0..=to).step_by(step) {
        v[idx] -= k;
    }
}

#[amp_kernel]
pub fn spilled_arguments(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &ArrayView<f32, 2>,
    weights: [f32; 9],
    choice: (bool, usize),
    body: Body,
    v: &mut ArrayViewMut<f32, 2>,
) {
    let sum = a[idx] + b[idx] * c[idx];
    v[idx] = if choice.0 {
        sum * weights[8]
    } else {
        body.place[2]
    };
}

/// Scopes: the queue family for views, the tile for tile_static variables. What reads a
/// flag again and again is volatile, and the fence orders the elements of views.
#[amp_kernel]
pub fn atomics(
    t_idx: TiledIndex<1, 4>,
    counts: &mut ArrayViewMut<u32, 1>,
    greatest: &mut ArrayViewMut<i32, 1>,
) {
    #[tile_static]
    let mut least: i32;
    least = 0;
    t_idx.barrier.wait();
    atomic_fetch_min(&mut least, greatest[t_idx]);
    atomic_fetch_max(&mut greatest[0], 7);
    let mut expected = 3;
    if atomic_compare_exchange(&mut counts[t_idx], &mut expected, 4) {
        device_memory_fence();
        atomic_store(&mut counts[1], expected);
    }
    while atomic_load(&mut counts[2]) == 0 {}
}

/// Integers of 64 bits want a capability; floats of a tile are kept as integers of their bits.
#[amp_kernel]
pub fn atomic_types(t_idx: TiledIndex<1, 4>, counts: &mut ArrayViewMut<i64, 1>) {
    #[tile_static]
    let mut sums: [f32; 4];
    sums[t_idx.local[0]] = 0.5;
    atomic_fetch_max(&mut counts[0], 7);
    t_idx.barrier.wait();
    atomic_fetch_add(&mut sums[1], 0.25);
    t_idx.barrier.wait();
    counts[t_idx] = sums[1] as i64;
}

/// Each operation that some device does wrong asks for that.
#[amp_kernel]
pub fn exact_floats(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x = c[idx];
    c[idx] = if x < 0.0 { x * x + 1.0 } else { x.sqrt() };
}

/// The device's own instructions.
#[amp_kernel(fast_math)]
pub fn fast_math(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let x = c[idx];
    c[idx] = if x < 0.0 { x * x + 1.0 } else { x.sqrt() };
}

/// Four words are one access, aligned to 16 bytes; three words are aligned to 4.
#[amp_kernel]
pub fn vector_elements(
    idx: Index<1>,
    a: &ArrayView<Vec4, 1>,
    b: &ArrayView<IVec4, 1>,
    c: &ArrayView<Vec3, 1>,
    v: &mut ArrayViewMut<Vec4, 1>,
) {
    v[idx] = a[idx] * b[idx].w as f32 + c[idx].extend(1.0);
}

/// One instruction each, but for the shuffle: its lane has to be there.
#[amp_kernel]
pub fn subgroups(t_idx: TiledIndex<1, 4>, c: &mut ArrayViewMut<f32, 1>) {
    let x = c[t_idx];
    let sum = subgroup::inclusive_add(x) - subgroup::reduce_min(x);
    let any = subgroup::any(sum > 0.5);
    if any && subgroup::size() > 3 {
        c[t_idx] = sum;
    }
    let other = subgroup::shuffle_xor(x, 1);
    let elected = subgroup::elect();
    if elected {
        c[t_idx] = other;
    }
}

#[amp_fn(fast_math)]
fn fast_length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// Exact but for its helper.
#[amp_kernel]
pub fn fast_helper(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = fast_length(c[idx], 2.0) * 3.0 + 1.0;
}

/// Extents, strides and sums of 64 bits; the position in the array is known to fit 32.
#[amp_kernel(index = 64)]
pub fn wide_index(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    from: usize,
    out: &mut ArrayViewMut<f32, 2>,
) {
    let weights = [0.5, 2.0];
    out[idx] = a[[idx[0], idx[1] + from]] * weights[idx[0] % 2];
}
