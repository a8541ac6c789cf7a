//! Functions of vectors of floats.

use super::{Component, Signed, Vector, clamp, dot, map, zip};

/// A float.
pub trait Float: Signed {
    /// The float nearest to `value`.
    fn number(value: f64) -> Self;
    /// `self.sqrt()`
    fn sqrt(self) -> Self;
    /// `self.is_finite()`
    fn is_finite(self) -> bool;
    /// `self.is_nan()`
    fn is_nan(self) -> bool;
    /// `self.mul_add(a, b)`
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// `self.copysign(sign)`
    fn copysign(self, sign: Self) -> Self;
    /// `self.floor()`
    fn floor(self) -> Self;
    /// `self.ceil()`
    fn ceil(self) -> Self;
    /// `self.trunc()`
    fn trunc(self) -> Self;
    /// `self.round()`
    fn round(self) -> Self;
    /// `self.fract()`
    fn fract(self) -> Self;
}

macro_rules! float {
    ($($ty:ident)*) => {$(
        impl Float for $ty {
            #[inline(always)]
            fn number(value: f64) -> Self {
                value as $ty
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }

            #[inline(always)]
            fn is_finite(self) -> bool {
                self.is_finite()
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }

            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.mul_add(a, b)
            }

            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                self.copysign(sign)
            }

            #[inline(always)]
            fn floor(self) -> Self {
                self.floor()
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                self.ceil()
            }

            #[inline(always)]
            fn trunc(self) -> Self {
                self.trunc()
            }

            #[inline(always)]
            fn round(self) -> Self {
                self.round()
            }

            #[inline(always)]
            fn fract(self) -> Self {
                self.fract()
            }
        }
    )*};
}
float!(f32 f64);

/// A vector of floats.
pub trait Floats: Vector<Component: Float> {}

impl<V: Vector<Component: Float>> Floats for V {}

macro_rules! transcendental {
    ($($name:ident)*) => {$(
        #[doc = concat!("`a.", stringify!($name), "()`")]
        #[inline(always)]
        pub fn $name<V: Vector<Component = f32>>(a: V) -> V {
            map(a, f32::$name)
        }
    )*};
}
transcendental!(exp exp2 ln log2 sin cos);

macro_rules! unary {
    ($($name:ident)*) => {$(
        #[doc = concat!("`a.", stringify!($name), "()`")]
        #[inline(always)]
        pub fn $name<V: Floats>(a: V) -> V {
            map(a, Float::$name)
        }
    )*};
}
unary!(sqrt floor ceil trunc round fract);

/// `a * s`
#[inline(always)]
fn scale<V: Floats>(a: V, s: V::Component) -> V {
    map(a, |component| component.mul(s))
}

#[inline(always)]
fn plus<V: Floats>(a: V, b: V) -> V {
    zip(a, b, Component::add)
}

#[inline(always)]
fn minus<V: Floats>(a: V, b: V) -> V {
    zip(a, b, Component::sub)
}

#[inline(always)]
fn zero<V: Floats>() -> V {
    V::splat(V::Component::number(0.0))
}

#[inline(always)]
fn one<V: Floats>() -> V::Component {
    V::Component::number(1.0)
}

/// `a.copysign(sign)`
#[inline(always)]
pub fn copysign<V: Floats>(a: V, sign: V) -> V {
    zip(a, sign, Float::copysign)
}

/// `a.mul_add(b, c)`
#[inline(always)]
pub fn mul_add<V: Floats>(a: V, b: V, c: V) -> V {
    let (mut a, b, c) = (a.components(), b.components(), c.components());
    for (k, component) in a.as_mut().iter_mut().enumerate() {
        *component = component.mul_add(b.as_ref()[k], c.as_ref()[k]);
    }
    V::of(a)
}

/// `a.powf(n)`
#[inline(always)]
pub fn powf<V: Vector<Component = f32>>(a: V, n: f32) -> V {
    map(a, |component| component.powf(n))
}

/// `a.recip()`
#[inline(always)]
pub fn recip<V: Floats>(a: V) -> V {
    map(a, |component| one::<V>().div(component))
}

/// `a.fract_gl()`
#[inline(always)]
pub fn fract_gl<V: Floats>(a: V) -> V {
    minus(a, floor(a))
}

/// `a.is_nan_mask()`
#[inline(always)]
pub fn is_nan_mask<V: Floats>(a: V) -> V::Mask {
    let components = a.components();
    V::mask(|k| components.as_ref()[k].is_nan())
}

/// `a.is_finite_mask()`
#[inline(always)]
pub fn is_finite_mask<V: Floats>(a: V) -> V::Mask {
    let components = a.components();
    V::mask(|k| components.as_ref()[k].is_finite())
}

/// `a.is_nan()`
#[inline(always)]
pub fn is_nan<V: Floats>(a: V) -> bool {
    a.components()
        .as_ref()
        .iter()
        .any(|component| component.is_nan())
}

/// `a.is_finite()`
#[inline(always)]
pub fn is_finite<V: Floats>(a: V) -> bool {
    a.components()
        .as_ref()
        .iter()
        .all(|component| component.is_finite())
}

/// `a.saturate()`
#[inline(always)]
pub fn saturate<V: Floats>(a: V) -> V {
    clamp(a, zero(), V::splat(one::<V>()))
}

/// `a.length()`
#[inline(always)]
pub fn length<V: Floats>(a: V) -> V::Component {
    dot(a, a).sqrt()
}

/// `a.length_recip()`
#[inline(always)]
pub fn length_recip<V: Floats>(a: V) -> V::Component {
    one::<V>().div(length(a))
}

/// `a.distance(b)`
#[inline(always)]
pub fn distance<V: Floats>(a: V, b: V) -> V::Component {
    length(minus(a, b))
}

/// `a.normalize()`
#[inline(always)]
pub fn normalize<V: Floats>(a: V) -> V {
    scale(a, length_recip(a))
}

/// `a.normalize_or(fallback)`
#[inline(always)]
pub fn normalize_or<V: Floats>(a: V, fallback: V) -> V {
    let recip = length_recip(a);
    if recip.is_finite() && recip > V::Component::number(0.0) {
        scale(a, recip)
    } else {
        fallback
    }
}

/// `a.normalize_or_zero()`
#[inline(always)]
pub fn normalize_or_zero<V: Floats>(a: V) -> V {
    normalize_or(a, zero())
}

/// `a.is_normalized()`
#[inline(always)]
pub fn is_normalized<V: Floats>(a: V) -> bool {
    dot(a, a).sub(one::<V>()).abs() <= V::Component::number(2e-4)
}

/// `a.project_onto(b)`
#[inline(always)]
pub fn project_onto<V: Floats>(a: V, b: V) -> V {
    scale(b, dot(a, b).div(dot(b, b)))
}

/// `a.reject_from(b)`
#[inline(always)]
pub fn reject_from<V: Floats>(a: V, b: V) -> V {
    minus(a, project_onto(a, b))
}

/// `a.project_onto_normalized(b)`
#[inline(always)]
pub fn project_onto_normalized<V: Floats>(a: V, b: V) -> V {
    scale(b, dot(a, b))
}

/// `a.reject_from_normalized(b)`
#[inline(always)]
pub fn reject_from_normalized<V: Floats>(a: V, b: V) -> V {
    minus(a, project_onto_normalized(a, b))
}

/// `a.reflect(normal)`
#[inline(always)]
pub fn reflect<V: Floats>(a: V, normal: V) -> V {
    let twice = V::Component::number(2.0).mul(dot(a, normal));
    minus(a, scale(normal, twice))
}

/// `a.refract(normal, eta)`
#[inline(always)]
pub fn refract<V: Floats>(a: V, normal: V, eta: V::Component) -> V {
    let cosine = dot(normal, a);
    let k = one::<V>().sub(eta.mul(eta).mul(one::<V>().sub(cosine.mul(cosine))));
    if k >= V::Component::number(0.0) {
        minus(scale(a, eta), scale(normal, eta.mul(cosine).add(k.sqrt())))
    } else {
        zero()
    }
}

/// `a.lerp(b, s)`
#[inline(always)]
pub fn lerp<V: Floats>(a: V, b: V, s: V::Component) -> V {
    plus(scale(a, one::<V>().sub(s)), scale(b, s))
}

/// `a.midpoint(b)`
#[inline(always)]
pub fn midpoint<V: Floats>(a: V, b: V) -> V {
    scale(plus(a, b), V::Component::number(0.5))
}

/// `a.move_towards(b, d)`
#[inline(always)]
pub fn move_towards<V: Floats>(a: V, b: V, d: V::Component) -> V {
    let way = minus(b, a);
    let length = length(way);
    if length <= d || length <= V::Component::number(1e-4) {
        return b;
    }
    plus(a, scale(map(way, |component| component.div(length)), d))
}

/// `a`, made as long as `limit`.
#[inline(always)]
fn with_length<V: Floats>(a: V, limit: V::Component) -> V {
    let length = length(a);
    scale(map(a, |component| component.div(length)), limit)
}

/// `a.clamp_length(min, max)`
#[inline(always)]
pub fn clamp_length<V: Floats>(a: V, min: V::Component, max: V::Component) -> V {
    if dot(a, a) < min.mul(min) {
        with_length(a, min)
    } else {
        clamp_length_max(a, max)
    }
}

/// `a.clamp_length_max(max)`
#[inline(always)]
pub fn clamp_length_max<V: Floats>(a: V, max: V::Component) -> V {
    if dot(a, a) > max.mul(max) {
        with_length(a, max)
    } else {
        a
    }
}

/// `a.clamp_length_min(min)`
#[inline(always)]
pub fn clamp_length_min<V: Floats>(a: V, min: V::Component) -> V {
    if dot(a, a) < min.mul(min) {
        with_length(a, min)
    } else {
        a
    }
}

/// `a.abs_diff_eq(b, max)`
#[inline(always)]
pub fn abs_diff_eq<V: Floats>(a: V, b: V, max: V::Component) -> bool {
    let difference = minus(a, b).components();
    difference
        .as_ref()
        .iter()
        .all(|component| component.abs() <= max)
}

/// `a.step(b)`
#[inline(always)]
pub fn step<V: Floats>(a: V, b: V) -> V {
    let (zero, one) = (V::Component::number(0.0), one::<V>());
    zip(a, b, |a, b| if b < a { zero } else { one })
}

/// `a.smoothstep(from, to)`
#[inline(always)]
pub fn smoothstep<V: Floats>(a: V, from: V, to: V) -> V {
    let t = saturate(zip(minus(a, from), minus(to, from), Component::div));
    map(t, |t| {
        let rest = V::Component::number(3.0).sub(V::Component::number(2.0).mul(t));
        t.mul(t).mul(rest)
    })
}
