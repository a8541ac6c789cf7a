//! Methods of numbers that have no result for some arguments. Markers are those of `faults`.

use amp::prelude::*;

use super::faults_in;

macro_rules! faults {
    ($($kernel:ident($x:ident, $y:ident: $ty:ident) => $call:expr, $fault:expr, $message:literal;)*) => {$(
        #[test]
        fn $kernel() {
            let source = (file!(), include_str!("numbers.rs"));
            let what = (stringify!($kernel), [1].as_slice(), $message);
            let ($x, $y): ($ty, $ty) = (100, 7);
            let after = [$call as u32, 0];
            let values = [$x, $y, $fault[0], $fault[1]];
            faults_in(source, what, &[1; 2], &after, |view, out| {
                let values = ArrayView::new([2, 2], &values)?;
                testkit::launch(view, 2, kernels::$kernel(&values, out))
            });
        }
    )*};
}

mod kernels {
    use amp::prelude::*;

    #[amp_kernel]
    pub fn base_two(idx: Index<1>, v: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let x = v[[idx[0], 0]];
        out[idx] = x.ilog2() + x.wrapping_shr(40).isqrt() - x.wrapping_shr(40).isqrt(); //~ base_two: x.ilog2()
    }

    #[amp_kernel]
    pub fn base_ten(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let x = v[[idx[0], 0]];
        out[idx] = i32::ilog10(x); //~ base_ten: i32::ilog10(x)
    }

    #[amp_kernel]
    pub fn any_base(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
        out[idx] = x.ilog(y); //~ any_base: x.ilog(y)
    }

    #[amp_kernel]
    pub fn small_base(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
        out[idx] = x.ilog(y); //~ small_base: x.ilog(y)
    }

    #[amp_kernel]
    pub fn root(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let first = 49_i32.isqrt();
        out[idx] = (v[[idx[0], 0]].isqrt() * first / 7) as u32; //~ root: v[[idx[0], 0]].isqrt()
    }

    #[amp_kernel]
    pub fn multiple(idx: Index<1>, v: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
        out[idx] = x.next_multiple_of(y); //~ multiple: x.next_multiple_of(y)
    }

    #[amp_kernel]
    pub fn saturating(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
        out[idx] = x.saturating_div(y) as u32; //~ saturating: x.saturating_div(y)
    }

    #[amp_kernel]
    pub fn overflowing(idx: Index<1>, v: &ArrayView<i32, 2>, out: &mut ArrayViewMut<u32, 1>) {
        let (x, y) = (v[[idx[0], 0]], v[[idx[0], 1]]);
        out[idx] = x.overflowing_rem_euclid(y).0 as u32; //~ overflowing: x.overflowing_rem_euclid(y)
    }
}

faults! {
    base_two(x, y: u32) => x.ilog2(), [0, y],
        "argument of integer logarithm must be positive";
    base_ten(x, y: i32) => x.ilog10(), [-5, y],
        "argument of integer logarithm must be positive";
    any_base(x, y: i32) => x.ilog(y), [0, 3],
        "argument of integer logarithm must be positive";
    small_base(x, y: i32) => x.ilog(y), [100, 1],
        "base of integer logarithm must be at least 2";
    root(x, y: i32) => x.isqrt(), [-1, y],
        "argument of integer square root cannot be negative";
    multiple(x, y: u32) => x.next_multiple_of(y), [5, 0], "attempt to divide by zero";
    saturating(x, y: i32) => x.saturating_div(y), [5, 0], "attempt to divide by zero";
    overflowing(x, y: i32) => x.overflowing_rem_euclid(y).0, [5, 0], "attempt to divide by zero";
}
