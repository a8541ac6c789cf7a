//! glam's vectors and matrices in arrays, as arguments, and in the bodies of host versions.
//!
//! A host version leaves to glam what only moves components. What glam computes differently on
//! different hosts, or not as kernels do (its integers overflow), becomes a call of these functions or
//! of those that the compiler has in the kernel language, beside which these stand.
//!
//! Functions are named and ordered like glam's methods, receiver first.

mod integer;
mod matrix;

use glam::{
    BVec2, BVec3, BVec4, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, UVec2, UVec3,
    UVec4, Vec2, Vec3, Vec4,
};

pub use self::integer::{div, div_euclid, rem, rem_euclid};
pub use self::matrix::{Matrix, col, div_scalar, mul_matrix, mul_scalar, mul_vector, row};
use crate::device::cpu::place::{Elements, Place};
use crate::types::element::{DeviceValue, Element, Encoder};

/// A vector of glam's whose components are numbers.
pub trait Vector: Copy {
    /// Type of a component.
    type Component: Copy + PartialOrd;
    /// The vector of `bool` with as many components.
    type Mask: Copy;
    /// All components.
    type Array: Copy + AsRef<[Self::Component]> + AsMut<[Self::Component]>;

    /// The components in order.
    fn components(self) -> Self::Array;
    /// The vector with these components.
    fn of(components: Self::Array) -> Self;
    /// The mask with these components.
    fn mask(component: impl Fn(usize) -> bool) -> Self::Mask;
    /// The components of a mask.
    fn is_set(mask: Self::Mask, component: usize) -> bool;
}

macro_rules! vectors {
    ($($ty:ident<$component:ident, $count:literal>, $mask:ident [$($k:literal)*];)*) => {$(
        impl Vector for $ty {
            type Component = $component;
            type Mask = $mask;
            type Array = [$component; $count];

            #[inline(always)]
            fn components(self) -> Self::Array {
                self.to_array()
            }

            #[inline(always)]
            fn of(components: Self::Array) -> Self {
                Self::from_array(components)
            }

            #[inline(always)]
            fn mask(component: impl Fn(usize) -> bool) -> $mask {
                $mask::new($(component($k)),*)
            }

            #[inline(always)]
            fn is_set(mask: $mask, component: usize) -> bool {
                mask.test(component)
            }
        }

        impl Place for $ty {
            const LENGTH: usize = $count;
        }

        impl Elements for $ty {
            type Item = $component;

            #[inline(always)]
            fn items(&self) -> &[$component] {
                AsRef::<[$component; $count]>::as_ref(self)
            }

            #[inline(always)]
            fn items_mut(&mut self) -> &mut [$component] {
                AsMut::<[$component; $count]>::as_mut(self)
            }
        }
    )*};
}
vectors! {
    Vec2<f32, 2>, BVec2 [0 1];
    Vec3<f32, 3>, BVec3 [0 1 2];
    Vec4<f32, 4>, BVec4 [0 1 2 3];
    DVec2<f64, 2>, BVec2 [0 1];
    DVec3<f64, 3>, BVec3 [0 1 2];
    DVec4<f64, 4>, BVec4 [0 1 2 3];
    IVec2<i32, 2>, BVec2 [0 1];
    IVec3<i32, 3>, BVec3 [0 1 2];
    IVec4<i32, 4>, BVec4 [0 1 2 3];
    UVec2<u32, 2>, BVec2 [0 1];
    UVec3<u32, 3>, BVec3 [0 1 2];
    UVec4<u32, 4>, BVec4 [0 1 2 3];
}

macro_rules! elements {
    ($($align:literal: $($ty:ident)*;)*) => {$($(
        impl Element for $ty {
            const WORD: usize = $align;
            const WANTED_ALIGN: usize = <Self as DeviceValue>::WANTED_ALIGN;
        }

        impl DeviceValue for $ty {
            const ALIGN: usize = $align;
            const WANTED_ALIGN: usize = {
                let size = 1 << size_of::<$ty>().trailing_zeros();
                if size < 16 { size } else { 16 }
            };

            fn encode(&self, out: &mut Encoder) {
                out.bytes(bytemuck::bytes_of(self));
            }
        }

    )*)*};
}
// By the alignment of a component: a device asks for no more.
elements! {
    4: Vec2 Vec3 Vec4 IVec2 IVec3 IVec4 UVec2 UVec3 UVec4 Mat2 Mat3 Mat4;
    8: DVec2 DVec3 DVec4;
}

macro_rules! masks {
    ($($ty:ident [$($component:ident)*];)*) => {$(
        impl DeviceValue for $ty {
            const ALIGN: usize = 4;

            fn encode(&self, out: &mut Encoder) {
                $(self.$component.encode(out);)*
            }
        }

    )*};
}
masks! {
    BVec2 [x y];
    BVec3 [x y z];
    BVec4 [x y z w];
}

/// `vector` with each component replaced.
#[inline(always)]
pub fn map<V: Vector>(vector: V, f: impl Fn(V::Component) -> V::Component) -> V {
    let mut components = vector.components();
    for component in components.as_mut() {
        *component = f(*component);
    }
    V::of(components)
}

/// The same for a function that takes an argument too.
#[inline(always)]
pub fn map_with<V: Vector>(
    vector: V,
    argument: V::Component,
    f: impl Fn(V::Component, V::Component) -> V::Component,
) -> V {
    map(vector, |component| f(component, argument))
}

/// A vector from the components of two.
#[inline(always)]
pub fn zip<V: Vector, W: Vector<Mask = V::Mask>>(
    a: V,
    b: W,
    f: impl Fn(V::Component, W::Component) -> V::Component,
) -> V {
    let (mut a, b) = (a.components(), b.components());
    for (a, b) in a.as_mut().iter_mut().zip(b.as_ref()) {
        *a = f(*a, *b);
    }
    V::of(a)
}

/// A vector from the components of three.
#[inline(always)]
pub fn zip_with<V: Vector>(
    a: V,
    b: V,
    c: V,
    f: impl Fn(V::Component, V::Component, V::Component) -> V::Component,
) -> V {
    let (mut a, b, c) = (a.components(), b.components(), c.components());
    for (k, component) in a.as_mut().iter_mut().enumerate() {
        *component = f(*component, b.as_ref()[k], c.as_ref()[k]);
    }
    V::of(a)
}

/// A mask from the components of a vector.
#[inline(always)]
pub fn test<V: Vector>(vector: V, f: impl Fn(V::Component) -> bool) -> V::Mask {
    let components = vector.components();
    V::mask(|k| f(components.as_ref()[k]))
}

macro_rules! comparisons {
    ($($name:ident $op:tt;)*) => {$(
        #[doc = concat!("`a.", stringify!($name), "(b)`")]
        #[inline(always)]
        pub fn $name<V: Vector>(a: V, b: V) -> V::Mask {
            let (a, b) = (a.components(), b.components());
            V::mask(|k| a.as_ref()[k] $op b.as_ref()[k])
        }
    )*};
}
comparisons! {
    cmpeq ==;
    cmpne !=;
    cmplt <;
    cmple <=;
    cmpgt >;
    cmpge >=;
}

/// `V::select(mask, yes, no)`
#[inline(always)]
pub fn select<V: Vector>(mask: V::Mask, yes: V, no: V) -> V {
    let (yes, mut no) = (yes.components(), no.components());
    for (k, component) in no.as_mut().iter_mut().enumerate() {
        if V::is_set(mask, k) {
            *component = yes.as_ref()[k];
        }
    }
    V::of(no)
}
