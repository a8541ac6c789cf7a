//! Functions of vectors of integers.

use super::Vector;

/// A vector of integers of 32 bits.
pub trait Integers: Vector {
    /// The counts of a shift, one for each component.
    type Counts: Vector<Component = u32>;
    /// `self << counts`
    fn shifted_left(self, counts: Self::Counts) -> Self;
    /// `self >> counts`
    fn shifted_right(self, counts: Self::Counts) -> Self;
}

macro_rules! integers {
    ($($ty:ident by $counts:ident;)*) => {$(
        impl Integers for glam::$ty {
            type Counts = glam::$counts;

            #[inline(always)]
            fn shifted_left(self, counts: Self::Counts) -> Self {
                let (mut components, counts) = (self.to_array(), counts.to_array());
                for (component, count) in components.iter_mut().zip(counts) {
                    *component = component.wrapping_shl(count);
                }
                Self::from_array(components)
            }

            #[inline(always)]
            fn shifted_right(self, counts: Self::Counts) -> Self {
                let (mut components, counts) = (self.to_array(), counts.to_array());
                for (component, count) in components.iter_mut().zip(counts) {
                    *component = component.wrapping_shr(count);
                }
                Self::from_array(components)
            }
        }
    )*};
}
integers! {
    IVec2 by UVec2;
    IVec3 by UVec3;
    IVec4 by UVec4;
    UVec2 by UVec2;
    UVec3 by UVec3;
    UVec4 by UVec4;
}

/// `a << counts`, which are masked.
#[inline(always)]
pub fn shl<V: Integers>(a: V, counts: V::Counts) -> V {
    a.shifted_left(counts)
}

/// `a >> counts`, which are masked.
#[inline(always)]
pub fn shr<V: Integers>(a: V, counts: V::Counts) -> V {
    a.shifted_right(counts)
}
