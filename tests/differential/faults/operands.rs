//! Operands for which an operation has no value: division by zero and beyond the range, steps
//! of zero, bounds that contain nothing. Markers are those of `faults`.

use amp::prelude::*;
use amp::{Element, Error};
use testkit::{Same, launch, new_views};

use super::{faults_in, site, works};

fn faults<T: Element + Same>(
    what: (&str, &[usize], &str),
    before: &[T],
    after: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let source = (file!(), include_str!("operands.rs"));
    faults_in(source, what, before, after, launches);
}

macro_rules! division {
    ($kernel:ident, $operation:ident($x:ident, $y:ident: $ty:ty), $data:expr, $thread:expr, $message:literal, $after:expr) => {
        #[test]
        fn $operation() {
            let what = (stringify!($kernel), [$thread].as_slice(), $message);
            let values: Vec<$ty> = $data.to_vec();
            let zeros = vec![<$ty>::default(); values.len() / 2];
            faults(what, &zeros, &$after, |view, out| {
                let values = ArrayView::new([values.len() / 2, 2], &values)?;
                launch(view, out.extent(), $kernel(&values, out))
            });
        }
    };
}

#[amp_kernel]
fn divide(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
    out[idx] = 1 + x / y; //~ divide: x / y
}

division!(divide, division_by_zero(x, y: i32), [7, 2, 7, 0, -7, 2], 1, "attempt to divide by zero", [4, 1, -2]);

#[amp_kernel]
fn divide_min(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let (mut x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
    x /= y; //~ divide_min: x /= y
    out[idx] = x + 1;
}

division!(divide_min, division_that_overflows(x, y: i32), [i32::MIN, 1, i32::MIN, -1, 5, -1], 1, "attempt to divide with overflow", [i32::MIN + 1, 1, -4]);

#[amp_kernel]
fn remainder_min(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = v[[idx[0], 0]] % v[[idx[0], 1]] + 1; //~ remainder_min: v[[idx[0], 0]] % v[[idx[0], 1]]
}

division!(remainder_min, remainder_that_overflows(x, y: i32), [-7, 3, i32::MIN, -1], 1, "attempt to divide with overflow", [0, 1]);

#[amp_kernel]
fn remainder_u32(idx: Index<1>, v: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = 1 + v[[idx[0], 0]] % v[[idx[0], 1]]; //~ remainder_u32: v[[idx[0], 0]] % v[[idx[0], 1]]
}

division!(remainder_u32, remainder_by_zero(x, y: u32), [9, 4, 9, 0], 1, "attempt to divide by zero", [2, 1]);

#[amp_kernel]
fn divide_usize(idx: Index<1>, v: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let (x, y) = (v[[idx[0], 0]] as usize, v[[idx[0], 1]] as usize);
    out[idx] = (x / y + 2) as u32; //~ divide_usize: x / y
}

division!(divide_usize, division_of_usize(x, y: u32), [9, 4, 9, 0], 1, "attempt to divide by zero", [4, 2]);

#[amp_kernel]
fn euclid(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
    out[idx] = x.rem_euclid(y) + 1; //~ euclid: x.rem_euclid(y)
}

division!(euclid, remainder_of_euclid(x, y: i32), [-7, 3, -7, 0], 1, "attempt to divide by zero", [3, 1]);

#[amp_kernel]
fn ceiling(idx: Index<1>, v: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
    out[idx] = x.div_ceil(y) + 1; //~ ceiling: x.div_ceil(y)
}

division!(ceiling, division_rounded_up(x, y: u32), [7, 3, 7, 0], 1, "attempt to divide by zero", [4, 1]);

#[amp_kernel]
fn divide_index(idx: Index<1>, v: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let x = v[[idx[0], 0]] as usize;
    let y = v[[idx[0], 1]] as usize;
    let place = Index::new([x, 8]) / y; //~ divide_index: Index::new([x, 8]) / y
    out[idx] = (place[0] * 10 + place[1]) as u32;
}

division!(divide_index, division_of_an_index(x, y: u32), [6, 2, 6, 0], 1, "attempt to divide by zero", [34, 0]);

#[amp_kernel]
#[rustfmt::skip]
fn zero_step(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    for k in (3..9).step_by(i + i) { //~ zero_step: i + i
        out[i] += k;
    }
}

#[test]
fn a_step_of_zero_runs_the_loop_once() {
    let (line, column) = site(include_str!("operands.rs"), "zero_step");
    for view in new_views() {
        let mut data = [0; 3];
        {
            let mut out = ArrayViewMut::new(3, &mut data).unwrap();
            launch(&view, 3, zero_step(&mut out)).unwrap();
            let Err(Error::KernelFault(fault)) = out.synchronize() else {
                panic!("{view}: no fault")
            };
            assert_eq!((fault.line, fault.column), (line, column), "{view}");
            assert_eq!(fault.message, "step_by with a step of zero", "{view}");
            assert_eq!(fault.thread, [0], "{view}");
        }
        assert_eq!(data, [3, 15, 10], "{view}");
        works(&view);
    }
}

#[amp_kernel]
fn clamp_ints(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let low = idx[0] as i32;
    out[idx] = low.abs().clamp(low, 1) + 1; //~ clamp_ints: low.abs()
}

#[test]
fn bounds_in_the_wrong_order() {
    let what = ("clamp_ints", [2].as_slice(), "clamp with min > max");
    faults(what, &[0; 3], &[1, 2, 3], |view, out| {
        launch(view, 3, clamp_ints(out))
    });
}

#[amp_kernel]
fn clamp_floats(idx: Index<1>, bounds: &ArrayView<f32, 2>, out: &mut ArrayViewMut<f32, 1>) {
    let (low, high) = (bounds[[idx[0], 0]], bounds[[idx[0], 1]]);
    out[idx] = 1.0 + 2.5_f32.clamp(low, high); //~ clamp_floats: 2.5_f32.clamp(low, high)
}

#[test]
fn bounds_that_contain_nothing() {
    for bounds in [[3.0, 2.0], [f32::NAN, 2.0], [2.0, f32::NAN]] {
        let all = [[0.0, 1.0], bounds, [5.0, 5.0]];
        let what = ("clamp_floats", [1].as_slice(), "clamp with min > max");
        faults(what, &[0.0; 3], &[2.0, 3.5, 6.0], |view, out| {
            launch(
                view,
                3,
                clamp_floats(&ArrayView::new([3, 2], all.as_flattened())?, out),
            )
        });
    }
}
