//! Traits with parameters: as bounds, and several `impl` blocks of one trait for one type, of which the written
//! arguments, those of the call or the type of its value choose; against the same module as plain Rust.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    pub trait Tag<T> {
        fn tag(&self) -> u64;
    }

    pub struct X(pub u32);

    impl Tag<u8> for X {
        fn tag(&self) -> u64 {
            self.0 as u64 + 1
        }
    }

    impl Tag<u16> for X {
        fn tag(&self) -> u64 {
            self.0 as u64 + 1000
        }
    }

    pub fn a(x: u32) -> u64 {
        Tag::<u16>::tag(&X(x))
    }

    pub fn tag_as<T, U: Tag<T>>(u: &U) -> u64 {
        u.tag()
    }

    pub fn b(x: u32) -> u64 {
        tag_as::<u16, X>(&X(x)) + 3 * tag_as::<u8, X>(&X(x))
    }

    pub fn g<U: Tag<u16>>(u: U) -> u64 {
        u.tag() + U::tag(&u) + Tag::<u16>::tag(&u) + <U as Tag<u16>>::tag(&u)
    }

    pub fn c(x: u32) -> u64 {
        g(X(x))
    }

    pub fn two<U>(u: U) -> u64
    where
        U: Tag<u8> + Tag<u16>,
    {
        <U as Tag<u8>>::tag(&u) * 10 + <U as Tag<u16>>::tag(&u) + Tag::<u8>::tag(&u)
    }

    pub fn d(x: u32) -> u64 {
        two(X(x))
    }

    pub trait Conv<T> {
        fn conv(&self) -> T;
        fn twice(&self) -> (T, T) {
            (self.conv(), self.conv())
        }
    }

    impl Conv<u8> for X {
        fn conv(&self) -> u8 {
            self.0 as u8
        }
    }

    impl Conv<u64> for X {
        fn conv(&self) -> u64 {
            self.0 as u64 * 2
        }
    }

    pub fn f(x: u32) -> u64 {
        let a: u8 = X(x).conv();
        let b: u64 = X(x).conv();
        a as u64 + b + <X as Conv<u8>>::conv(&X(3)) as u64
    }

    pub fn conv_to<T, U: Conv<T>>(u: &U) -> T {
        u.conv()
    }

    pub fn e(x: u32) -> u64 {
        let a: u8 = conv_to(&X(x));
        let b: u64 = conv_to(&X(x));
        a as u64 + b * 3
    }

    pub fn tw(x: u32) -> u64 {
        let a: (u8, u8) = X(x).twice();
        let b: (u64, u64) = X(x).twice();
        a.0 as u64 + b.1
    }

    fn take(x: u64) -> u64 {
        x + 1
    }

    pub fn h(x: u32) -> u64 {
        take(X(x).conv()) + take(Conv::<u64>::conv(&X(x))) + Conv::<u8>::conv(&X(x)) as u64
    }

    pub trait Put<T> {
        fn put(&mut self, x: T);
    }

    impl Put<u8> for X {
        fn put(&mut self, x: u8) {
            self.0 += x as u32;
        }
    }

    impl Put<f32> for X {
        fn put(&mut self, x: f32) {
            self.0 += 100 * x as u32;
        }
    }

    pub fn p(x: u32) -> u64 {
        let mut y = X(x);
        y.put(3);
        y.put(2.0);
        put_both(&mut y, 1.5, 7u8);
        y.0 as u64
    }

    pub fn put_both<A, B, P: Put<A> + Put<B>>(p: &mut P, a: A, b: B) {
        <P as Put<A>>::put(p, a);
        Put::<B>::put(p, b)
    }

    #[derive(Clone, Copy)]
    pub struct Pair<T>(pub T, pub T);

    pub trait Scale<S = f32>: Copy {
        fn scale(self, s: S) -> Self;
    }

    impl Scale for Pair<f32> {
        fn scale(self, s: f32) -> Self {
            Pair(self.0 * s, self.1 * s)
        }
    }

    impl Scale<u32> for Pair<f32> {
        fn scale(self, s: u32) -> Self {
            Pair(self.0 + s as f32, self.1)
        }
    }

    impl<T: Copy + std::ops::Mul<Output = T>> Scale<(T, T)> for Pair<T> {
        fn scale(self, s: (T, T)) -> Self {
            Pair(self.0 * s.0, self.1 * s.1)
        }
    }

    pub fn sc<V: Scale>(v: V) -> V {
        v.scale(2.0)
    }

    pub trait Both<T>: Scale + Scale<(T, T)> {
        fn n(&self) -> T;
    }

    impl Both<f32> for Pair<f32> {
        fn n(&self) -> f32 {
            self.0 - self.1
        }
    }

    pub fn bo<T: Copy, V: Both<T>>(v: V) -> T {
        let w = <V as Scale<(T, T)>>::scale(v, (v.n(), v.n()));
        w.n()
    }

    pub fn all(x: u32) -> u64 {
        a(x) + b(x) + c(x) + d(x) + f(x) + e(x) + tw(x) + h(x) + p(x) + q(x)
    }

    pub fn q(x: u32) -> u64 {
        let p = sc(Pair(x as f32, 3.0));
        let r = p.scale(7u32).scale((2.0, 0.5));
        (r.0 + r.1 + bo(p)) as u64
    }
}

all_agree!(blocks_are_chosen_by_the_arguments_of_their_traits: u64, 40);

#[amp_struct]
struct Count(u32);

#[amp_fn]
trait Into2<T> {
    const K: u32 = 4;

    fn made(&self) -> T;

    fn sum(self, other: T) -> T
    where
        Self: Sized;
}

#[amp_fn]
impl Into2<u8> for Count {
    fn made(&self) -> u8 {
        self.0 as u8
    }

    fn sum(self, other: u8) -> u8 {
        other + self.0 as u8
    }
}

#[amp_fn]
impl Into2<u64> for Count {
    const K: u32 = 9;

    fn made(&self) -> u64 {
        self.0 as u64 * 2
    }

    fn sum(self, other: u64) -> u64 {
        other * self.0 as u64
    }
}

#[amp_fn]
impl Into2<f32> for u32 {
    fn made(&self) -> f32 {
        *self as f32 / 2.0
    }

    fn sum(self, other: f32) -> f32 {
        other + self as f32
    }
}

#[amp_fn]
fn made_of<T, U: Into2<T>>(u: U) -> T {
    let made = u.made();
    u.sum(made)
}

#[amp_fn]
fn fixed(u: impl Into2<u64>) -> u64 {
    let made = u.made();
    u.sum(made + 1)
}

#[amp_fn]
fn each<T: Copy, U: Into2<T>, const N: usize>(u: &[U; N]) -> [T; N] {
    let mut made = [u[0].made(); N];
    for i in 0..N {
        made[i] = u[i].made();
    }
    made
}

#[amp_fn]
fn total<T: std::ops::Add<Output = T> + Default, U: Into2<T>>(u: &[U]) -> T {
    u.iter().map(|u| u.made()).fold(T::default(), |a, b| a + b)
}

#[amp_fn]
fn beside(x: u32) -> u64 {
    let small: u8 = made_of(Count(x % 10));
    let large: u64 = made_of(Count(x));
    let only = made_of(x);
    let made: [u64; 2] = each(&[Count(x), Count(2)]);
    let sum: u64 = total(&[Count(x), Count(3)]);
    let halves: f32 = total(&[x, 3]);
    let chosen = if x > 3 { Count(1).made() } else { 3_u8 };
    small as u64
        + large
        + only as u64
        + fixed(Count(x))
        + made[0]
        + made[1]
        + sum
        + halves as u64
        + chosen as u64
}

#[amp_kernel]
fn of_marked_items(idx: Index<1>, out: &mut ArrayViewMut<u64, 1>) {
    out[idx] = beside(idx[0] as u32);
}

#[test]
fn those_of_marked_items_too() {
    let expected: Vec<u64> = (0..40).map(beside).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), of_marked_items(out))
    });
}
