//! Files that others include: each sees what the other declares.

use amp::prelude::*;
use testkit::{becomes, launch};

#[amp_fn]
fn beside(x: i32) -> i32 {
    x * 3
}

#[amp_struct]
struct Shift {
    by: i32,
}

include!("included/kernels.in");

mod deeper {
    use amp::prelude::*;

    #[amp_fn]
    fn beside(x: i32) -> i32 {
        x * 5
    }

    #[amp_struct]
    pub struct Shift {
        pub by: i32,
    }

    include!("included/kernels.in");
}

#[amp_kernel]
fn outside(i: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    c[i] = in_the_file(c[i]) + deeper::in_the_file(c[i]);
}

#[test]
fn a_file_sees_what_includes_it() {
    becomes([2], &[1, 2], &[7, 10], |view, c| {
        launch(view, 2, included(Shift { by: 4 }, c))
    });
    becomes([2], &[1, 2], &[9, 14], |view, c| {
        launch(view, 2, deeper::included(deeper::Shift { by: 4 }, c))
    });
    becomes([2], &[1, 2], &[10, 18], |view, c| {
        launch(view, 2, outside(c))
    });
}
