//! Names that must not be taken for something else.

use amp::prelude::*;

mod helpers {
    use amp::prelude::*;

    #[amp_fn]
    pub fn sum(x: f32, y: f32) -> f32 {
        x + y
    }
}

use helpers::sum as add;

mod globs {
    use super::*;

    #[amp_kernel]
    pub fn through_globs(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
        c[idx] = add(c[idx], helpers::sum(1.0, 2.0));
    }
}

const N: usize = 4;

#[amp_enum]
enum Axis {
    X,
    Y,
}

struct Limits;

impl Limits {
    const MOST: u32 = 9;
}

/// What is written as a constant is may be one, or a variant.
#[amp_kernel]
fn capitals(idx: Index<1>, axis: Axis, c: &mut ArrayViewMut<u32, 1>) {
    let other = if axis == Axis::X { Axis::Y } else { Axis::X };
    c[idx] = other as u32 + Limits::MOST + Axis::Y as u32;
}

#[amp_fn]
fn own(x: f32) -> f32 {
    x
}

/// A variable may have the name of a helper that it is computed by.
#[amp_kernel]
fn shadowed(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let own = own(c[idx]);
    let own = own + own;
    c[idx] = own;
}

/// A lint level may stand on a statement.
#[amp_kernel]
fn lint(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    #[allow(unused_variables)]
    let unused = 1;
    const HALF: f32 = 0.5;
    c[idx] = HALF * N as f32;
}

fn nested() {
    /// The module has another function of this name, which is not for kernels.
    #[amp_fn]
    fn plain(x: f32) -> f32 {
        x
    }

    #[amp_kernel]
    fn inner(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
        c[idx] = plain(c[idx]);
    }

    let _ = inner(&mut ArrayViewMut::new(1, &mut [0.0]).unwrap());
}

fn plain(x: f32) -> f32 {
    x
}

macro_rules! kernels {
    ($($name:ident),*) => {
        $(
            #[amp_kernel]
            fn $name(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
                c[idx] = own(c[idx]);
            }
        )*
    };
}

kernels!(first, second);

fn main() {
    let mut data = [1.0];
    let mut c = ArrayViewMut::new(1, &mut data).unwrap();
    let _ = globs::through_globs(&mut c);
    let _ = shadowed(&mut c);
    let _ = lint(&mut c);
    let _ = first(&mut c);
    let _ = second(&mut c);
    nested();
    plain(1.0);
}
