//! Generic structs, members and conversions that are used as what they are not.

use amp::prelude::*;

#[amp_module]
mod pairs {
    use amp::prelude::*;

    #[derive(Debug)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    impl<T: Scalar> Pair<T> {
        pub fn new(a: T, b: T) -> Self {
            Self { a, b }
        }

        pub fn nothing<U: Scalar>(self) -> u32 {
            0
        }

        pub fn shifted(self) -> T {
            self.a << 1
        }
    }

    #[derive(Debug)]
    pub struct Own {
        pub x: f32,
    }

    impl PartialOrd for Own {
        fn partial_cmp(&self, other: &Own) -> Option<core::cmp::Ordering> {
            self.x.partial_cmp(&other.x)
        }
    }

    impl PartialEq for Own {
        fn eq(&self, other: &Own) -> bool {
            self.x == other.x
        }
    }

    impl Default for Own {
        fn default() -> Self {
            Own { x: 1.0 }
        }
    }

}
use pairs::{Own, Pair};

#[amp_struct]
struct OfHost {
    x: f32,
}

impl Default for OfHost {
    fn default() -> Self {
        OfHost { x: 1.0 }
    }
}

#[amp_struct]
#[derive(Default)]
struct Holder {
    own: OfHost,
}

#[amp_kernel]
fn element(idx: Index<1>, c: &mut ArrayViewMut<Pair<f32>, 1>) {
    c[idx].a = 1.0;
}

#[amp_kernel]
fn arguments(idx: Index<1>, few: Pair, many: Pair<f32, i32>, c: &mut ArrayViewMut<f32, 1>) {
    let other = Pair::<f32, i32> { a: 1.0, b: 2.0 };
    let number: Own<f32> = Own { x: 1.0 };
    c[idx] = 1.0;
}

#[amp_kernel]
fn mixed(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let pair = Pair { a: 1.0, b: 2 };
    let made: Pair<i32> = Pair::new(1.0, 2.0);
    let rest = Pair { a: 1, ..Own { x: 1.0 } };
    let n = Pair::new(1, 2).nothing();
    c[idx] = made.a;
}

#[amp_kernel]
fn compared(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let (one, other) = (Own { x: 1.0 }, Own { x: 2.0 });
    if one < other || Pair::new(1, 2) == Pair::new(1, 3) {
        c[idx] = 1.0;
    }
    if (one, 1) == (other, 1) || (one, 1) < (other, 2) {
        c[idx] = 2.0;
    }
    if (1, 2) == (1.0, 2) {
        c[idx] = 3.0;
    }
}

#[amp_kernel]
fn converted(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let narrow: i16 = idx[0].into();
    let unknown = 1_u8.into();
    let own: Own = 1.0_f32.into();
    let holder = Holder::default();
    c[idx] = f32::from(1_i32);
}

fn main() {}
