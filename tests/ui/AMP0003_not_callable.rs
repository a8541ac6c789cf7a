//! Calls of functions whose source kernels do not see (C++ AMP §2.3.2.1).

use amp::prelude::*;

fn plain(x: f32) -> f32 {
    x + 1.0
}

struct Maker;

impl Maker {
    fn make() -> f32 {
        1.0
    }
}

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_kernel]
fn sibling(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = plain(c[idx]);
}

/// A helper must not do it either.
#[amp_fn]
fn helper(x: f32) -> f32 {
    plain(x)
}

#[amp_kernel]
fn other_functions(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = std::hint::black_box(1);
    c[idx] = f32::from(1_u32);
    let a = Vec::new();
    let b = Box::new(1.0);
    let d = String::from("x");
    let e = Rc::new(1.0);
    let f = Arc::new(1);
    let g = std::mem::transmute(1.0);
    let h = Array::zeroed(1);
    let i = ArrayViewMut::uninit(16);
    let j = std::ptr::read_volatile(c);
    std::mem::forget(c[0]);
}

#[amp_kernel]
fn no_functions(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, n: f32) {
    c[idx] = n(1.0);
    c[idx] = (n)(1.0);
    let f = |x: f32| x;
    c[idx] = f(1.0);
    c[idx] = Pair(1.0, 2.0);
}

mod elsewhere {
    pub fn plain(x: f32) -> f32 {
        x + 1.0
    }
}

/// In another module.
#[amp_kernel]
fn foreign(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = elsewhere::plain(c[idx]);
}

mod imports {
    use super::elsewhere::plain as other;
    use amp::prelude::*;

    #[amp_kernel]
    fn imported(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
        c[idx] = other(c[idx]);
    }
}

mod globs {
    use super::*;

    /// What a glob brings is not certain: rustc says that there is no macro.
    #[amp_kernel]
    fn by_glob(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
        c[idx] = plain(c[idx]);
    }
}

/// Nothing of this name anywhere.
#[amp_kernel]
fn absent(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = no_such_function(c[idx]);
}

#[amp_kernel]
fn member(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    c[idx] = Maker::make();
}

mod standard {
    use amp::prelude::*;
    use std::cmp::{max, min as least};
    use std::mem;
    use std::time::Duration;

    #[amp_kernel]
    fn from_std(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
        c[idx] = max(c[idx], 1) + least(c[idx], 2);
        mem::forget(c[0]);
    }

    #[amp_kernel]
    fn typed_by_std(idx: Index<1>, time: Duration) {}
}

#[amp_module]
mod ends {
    pub struct Stack {
        pub items: [u32; 4],
        pub len: usize,
    }

    impl Stack {
        pub fn skip(&mut self) {
            self.len -= 1;
            drop(self.items[self.len]);
        }
    }
}

fn main() {}
