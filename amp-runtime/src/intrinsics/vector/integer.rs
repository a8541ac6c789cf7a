//! Divisions of vectors of integers, each component of which may be a fault.

use super::Vector;
use crate::device::cpu::division::{self, Integer};

macro_rules! divisions {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of each component")]
        #[inline(always)]
        #[track_caller]
        pub fn $name<V: Vector<Component: Integer>>(a: V, b: V) -> V {
            let (mut a, b) = (a.components(), b.components());
            // Not a closure, which would be the place of a fault.
            for k in 0..b.as_ref().len() {
                a.as_mut()[k] = division::$name(a.as_ref()[k], b.as_ref()[k]);
            }
            V::of(a)
        }
    )*};
}
divisions!(div rem div_euclid rem_euclid);
