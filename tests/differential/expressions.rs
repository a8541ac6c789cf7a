//! Kernels in expressions, which take variables of the scope around them.

use amp::prelude::*;
use amp_test_helpers::scaled;
use testkit::{becomes, gives, input, launch};

#[amp_fn]
fn tripled(x: f32) -> f32 {
    3.0 * x
}

#[test]
fn captured_variables_are_bound() {
    becomes(
        [4],
        &[1.0, 2.0, 3.0, 4.0],
        &[2.5, 5.0, 7.5, 10.0],
        |view, out| {
            let s = 2.5;
            launch(
                view,
                4,
                kernel!(|idx: Index<1>| [out: &mut ArrayViewMut<f32, 1>, s: f32] { out[idx] *= s; }),
            )
        },
    );
}

#[test]
fn a_kernel_is_a_value() -> amp::Result<()> {
    let (a, b) = ([1.0f32, 2.0, 3.0, 4.0], [0.5f32; 4]);
    let mut sum = [0.0f32; 4];
    let (a, b) = (ArrayView::new([2, 2], &a)?, ArrayView::new([2, 2], &b)?);
    let mut c = ArrayViewMut::new([2, 2], &mut sum)?;
    let kernel = kernel!(|idx: Index<2>| [
        a: &ArrayView<f32, 2>,
        b: &ArrayView<f32, 2>,
        c: &mut ArrayViewMut<f32, 2>,
    ] {
        c[idx] = a[idx] + b[idx];
    });
    parallel_for_each([2, 2], kernel)?;
    c.synchronize()?;
    drop(c);
    assert_eq!(sum, [1.5, 2.5, 3.5, 4.5]);
    Ok(())
}

#[test]
fn helpers_and_constants_are_seen() {
    const OFFSET: f32 = 0.25;
    let expected: Vec<f32> = (0..8).map(|i| scaled(tripled(i as f32)) + OFFSET).collect();
    let data: Vec<f32> = (0..8).map(|i| i as f32).collect();
    gives(&expected, |view, out| {
        let data = input(&data);
        launch(
            view,
            8,
            kernel!(|idx: Index<1>| [data: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>] {
                out[idx] = scaled(tripled(data[idx])) + OFFSET;
            }),
        )
    });
}

#[test]
fn tiles_and_several_in_one_scope() {
    becomes([4], &[1, 2, 3, 4], &[20, 10, 40, 30], |view, out| {
        let reversed = kernel!(|t_idx: TiledIndex<1, 2>| [out: &mut ArrayViewMut<i32, 1>] {
            #[tile_static]
            let mut shared: [i32; 2];
            shared[t_idx.local[0]] = out[t_idx];
            t_idx.barrier.wait();
            out[t_idx] = shared[1 - t_idx.local[0]];
        });
        launch(view, Extent::new([4]).tile::<2>(), reversed)?;
        let factor = 10;
        let scaled = kernel!(|idx: Index<1>| [out: &mut ArrayViewMut<i32, 1>, factor: i32] {
            out[idx] *= factor
        });
        launch(view, 4, scaled)
    });
}

#[test]
fn an_array_is_captured_as_it_is() -> amp::Result<()> {
    let mut array = Array::new(3, &[1u32, 2, 3])?;
    for round in 0..3u32 {
        parallel_for_each(
            3,
            kernel!(|idx: Index<1>| [array: &mut ArrayViewMut<u32, 1>, round: u32] {
                array[idx] += round;
            }),
        )?;
    }
    assert_eq!(array.to_vec()?, [4, 5, 6]);
    Ok(())
}
