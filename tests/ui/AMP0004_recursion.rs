//! Functions that call themselves: devices have no call stack.

use amp::prelude::*;

#[amp_fn]
fn factorial(n: u32) -> u32 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

#[amp_fn]
fn is_even(n: u32) -> bool {
    if n == 0 { true } else { is_odd(n - 1) }
}

#[amp_fn]
fn is_odd(n: u32) -> bool {
    if n == 0 { false } else { is_even(n - 1) }
}

#[amp_fn]
fn first(n: u32) -> u32 {
    second(n)
}

#[amp_fn]
fn second(n: u32) -> u32 {
    third(n)
}

#[amp_fn]
fn third(n: u32) -> u32 {
    first(n)
}

#[amp_fn]
fn with_turbofish<T: Scalar>(x: T, n: i32) -> T {
    if n == 0 { x } else { with_turbofish::<T>(x, n - 1) }
}

#[amp_fn]
fn there<T: Scalar>(x: T, n: i32) -> T {
    if n == 0 { x } else { back::<T>(x, n - 1) }
}

#[amp_fn]
fn back<T: Scalar>(x: T, n: i32) -> T {
    self::there::<T>(x, n)
}

#[amp_kernel]
fn kernel(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    kernel(c);
}

#[amp_struct]
struct List {
    value: u32,
    next: List,
}

/// A caller of a broken helper has no error of its own.
#[amp_kernel]
fn caller(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    c[idx] = factorial(5) + first(2) + with_turbofish(1, 2) + there(1, 2);
}

/// Functions in a body are functions too.
#[amp_kernel]
fn nested(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    fn even(x: u32) -> bool {
        x == 0 || odd(x - 1)
    }
    fn odd(x: u32) -> bool {
        x != 0 && even(x - 1)
    }
    c[idx] = even(c[idx]) as u32;
}

#[amp_module]
mod members {
    pub struct Count {
        pub n: u32,
    }

    impl Count {
        pub fn down(self) -> u32 {
            if self.n == 0 { 0 } else { Count { n: self.n - 1 }.down() }
        }

        pub fn even(&self) -> bool {
            self.n == 0 || odd(Count { n: self.n - 1 })
        }
    }

    pub fn odd(count: Count) -> bool {
        !count.even()
    }

    impl std::ops::Neg for Count {
        type Output = Count;
        fn neg(self) -> Count {
            -self
        }
    }
}

/// Not reported again.
#[amp_kernel]
fn counts(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    c[idx] = members::Count { n: 3 }.down();
}

fn main() {}
