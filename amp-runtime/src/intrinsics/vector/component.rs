//! Functions of all vectors, by what their components can do.

use super::{Vector, fold, map, zip};
use crate::device::cpu::division;

/// A number, with the arithmetic that kernels have.
pub trait Component: Copy + PartialOrd {
    /// `self + other`
    fn add(self, other: Self) -> Self;
    /// `self - other`
    fn sub(self, other: Self) -> Self;
    /// `self * other`
    fn mul(self, other: Self) -> Self;
    /// `self / other`
    fn div(self, other: Self) -> Self;
    /// `self % other`
    fn rem(self, other: Self) -> Self;
    /// `self.div_euclid(other)`
    fn div_euclid(self, other: Self) -> Self;
    /// `self.rem_euclid(other)`
    fn rem_euclid(self, other: Self) -> Self;
}

/// A number that can be negative.
pub trait Signed: Component {
    /// `-self`
    fn neg(self) -> Self;
    /// `self.abs()`
    fn abs(self) -> Self;
    /// `self.signum()`
    fn signum(self) -> Self;
}

macro_rules! integer {
    ($($ty:ident)*) => {$(
        impl Component for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            #[track_caller]
            fn div(self, other: Self) -> Self {
                division::div(self, other)
            }

            #[inline(always)]
            #[track_caller]
            fn rem(self, other: Self) -> Self {
                division::rem(self, other)
            }

            #[inline(always)]
            #[track_caller]
            fn div_euclid(self, other: Self) -> Self {
                division::div_euclid(self, other)
            }

            #[inline(always)]
            #[track_caller]
            fn rem_euclid(self, other: Self) -> Self {
                division::rem_euclid(self, other)
            }
        }
    )*};
}
integer!(i32 u32);

impl Signed for i32 {
    #[inline(always)]
    fn neg(self) -> Self {
        self.wrapping_neg()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.wrapping_abs()
    }

    #[inline(always)]
    fn signum(self) -> Self {
        self.signum()
    }
}

macro_rules! float {
    ($($ty:ident)*) => {$(
        impl Component for $ty {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self - other
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self * other
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self / other
    }

    #[inline(always)]
    fn rem(self, other: Self) -> Self {
        self % other
    }

    #[inline(always)]
    fn div_euclid(self, other: Self) -> Self {
        self.div_euclid(other)
    }

    #[inline(always)]
    fn rem_euclid(self, other: Self) -> Self {
        self.rem_euclid(other)
    }
}

impl Signed for $ty {
    #[inline(always)]
    fn neg(self) -> Self {
        -self
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn signum(self) -> Self {
        self.signum()
    }
}
    )*};
}
float!(f32 f64);

macro_rules! binary {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of each component")]
        #[inline(always)]
        #[track_caller]
        pub fn $name<V: Vector>(a: V, b: V) -> V {
            let (mut a, b) = (a.components(), b.components());
            // Not a closure, which would be the place of a fault.
            for k in 0..b.as_ref().len() {
                a.as_mut()[k] = Component::$name(a.as_ref()[k], b.as_ref()[k]);
            }
            V::of(a)
        }
    )*};
}
binary!(add sub mul div rem div_euclid rem_euclid);

macro_rules! unary {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of each component")]
        #[inline(always)]
        pub fn $name<V: Vector<Component: Signed>>(a: V) -> V {
            map(a, Signed::$name)
        }
    )*};
}
unary!(neg abs signum);

#[inline(always)]
fn least<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

#[inline(always)]
fn greatest<T: PartialOrd>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

/// `a.min(b)`
#[inline(always)]
pub fn min<V: Vector>(a: V, b: V) -> V {
    zip(a, b, least)
}

/// `a.max(b)`
#[inline(always)]
pub fn max<V: Vector>(a: V, b: V) -> V {
    zip(a, b, greatest)
}

/// `a.clamp(low, high)`
#[inline(always)]
pub fn clamp<V: Vector>(a: V, low: V, high: V) -> V {
    min(max(a, low), high)
}

/// `pick(x, pick(y, z))`
#[inline(always)]
fn extreme<V: Vector>(
    a: V,
    pick: impl Fn(V::Component, V::Component) -> V::Component,
) -> V::Component {
    let components = a.components();
    let components = components.as_ref();
    let (last, others) = (
        components[components.len() - 1],
        &components[..components.len() - 1],
    );
    others
        .iter()
        .rev()
        .fold(last, |picked, component| pick(*component, picked))
}

/// `a.min_element()`
#[inline(always)]
pub fn min_element<V: Vector>(a: V) -> V::Component {
    extreme(a, least)
}

/// `a.max_element()`
#[inline(always)]
pub fn max_element<V: Vector>(a: V) -> V::Component {
    extreme(a, greatest)
}

/// `a.element_sum()`
#[inline(always)]
pub fn element_sum<V: Vector>(a: V) -> V::Component {
    fold(a, Component::add)
}

/// `a.element_product()`
#[inline(always)]
pub fn element_product<V: Vector>(a: V) -> V::Component {
    fold(a, Component::mul)
}

/// `a.dot(b)`
#[inline(always)]
pub fn dot<V: Vector>(a: V, b: V) -> V::Component {
    element_sum(zip(a, b, Component::mul))
}

/// `a.dot_into_vec(b)`
#[inline(always)]
pub fn dot_into_vec<V: Vector>(a: V, b: V) -> V {
    V::splat(dot(a, b))
}

/// `a.length_squared()`
#[inline(always)]
pub fn length_squared<V: Vector>(a: V) -> V::Component {
    dot(a, a)
}

/// `a.distance_squared(b)`
#[inline(always)]
pub fn distance_squared<V: Vector>(a: V, b: V) -> V::Component {
    length_squared(zip(a, b, Component::sub))
}

/// `p * q - r * s`
#[inline(always)]
pub(super) fn difference<T: Component>(p: T, q: T, r: T, s: T) -> T {
    p.mul(q).sub(r.mul(s))
}

/// `a.cross(b)`
#[inline(always)]
pub fn cross<T: Component, V: Vector<Component = T, Array = [T; 3]>>(a: V, b: V) -> V {
    let ([ax, ay, az], [bx, by, bz]) = (a.components(), b.components());
    V::of([
        difference(ay, bz, by, az),
        difference(az, bx, bz, ax),
        difference(ax, by, bx, ay),
    ])
}

/// `a.perp()`
#[inline(always)]
pub fn perp<T: Signed, V: Vector<Component = T, Array = [T; 2]>>(a: V) -> V {
    let [x, y] = a.components();
    V::of([y.neg(), x])
}

/// `a.perp_dot(b)`
#[inline(always)]
pub fn perp_dot<T: Component, V: Vector<Component = T, Array = [T; 2]>>(a: V, b: V) -> T {
    let ([ax, ay], [bx, by]) = (a.components(), b.components());
    difference(ax, by, ay, bx)
}

/// `a.rotate(b)`
#[inline(always)]
pub fn rotate<T: Component, V: Vector<Component = T, Array = [T; 2]>>(a: V, b: V) -> V {
    let ([ax, ay], [bx, by]) = (a.components(), b.components());
    V::of([difference(ax, bx, ay, by), ay.mul(bx).add(ax.mul(by))])
}
