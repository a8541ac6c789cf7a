//! Comparison of what a kernel wrote with what the host computed.

use std::fmt::Debug;

use glam::{
    DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, UVec2, UVec3, UVec4, Vec2, Vec3,
    Vec4,
};

/// Elements that can be compared bit for bit.
pub trait Same: Debug {
    /// Whether two elements have the same bits, where a NaN is as good as another: Rust
    /// promises no more of the NaN that an operation makes.
    fn same(&self, other: &Self) -> bool;
}

macro_rules! same {
    (integers: $($integer:ty)*; floats: $($float:ty)*) => {
        $(
            impl Same for $integer {
                fn same(&self, other: &Self) -> bool {
                    self == other
                }
            }
        )*
        $(
            impl Same for $float {
                fn same(&self, other: &Self) -> bool {
                    self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
                }
            }
        )*
    };
}
same!(integers: i8 u8 i16 u16 i32 u32 i64 u64; floats: f32 f64 half::f16 half::bf16);

macro_rules! same_by_component {
    ($($ty:ty),+) => {$(
        impl Same for $ty {
            fn same(&self, other: &Self) -> bool {
                let (own, other) = (self.to_array(), other.to_array());
                own.iter().zip(&other).all(|(a, b)| a.same(b))
            }
        }
    )+};
}
same_by_component!(
    Vec2, Vec3, Vec4, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, UVec2, UVec3, UVec4
);

macro_rules! same_by_column {
    ($($ty:ty),+) => {$(
        impl Same for $ty {
            fn same(&self, other: &Self) -> bool {
                let (own, other) = (self.to_cols_array(), other.to_cols_array());
                own.iter().zip(&other).all(|(a, b)| a.same(b))
            }
        }
    )+};
}
same_by_column!(Mat2, Mat3, Mat4);

impl<T: Same, const N: usize> Same for [T; N] {
    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

/// Says that structs are compared by `==`.
#[macro_export]
macro_rules! same_by_eq {
    ($($ty:ty),+) => {$(
        impl $crate::Same for $ty {
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        }
    )+};
}

/// Requires that all elements are the same, and shows the first few that are not.
///
/// # Panics
///
/// If some are not.
#[track_caller]
pub fn assert_same<T: Same>(found: &[T], expected: &[T], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: number of elements");
    let wrong: Vec<String> = found
        .iter()
        .zip(expected)
        .enumerate()
        .filter(|(_, (found, expected))| !found.same(expected))
        .map(|(i, (found, expected))| format!("  [{i}] found {found:?}, expected {expected:?}"))
        .collect();
    assert!(
        wrong.is_empty(),
        "{what}: {} of {} elements are wrong:\n{}",
        wrong.len(),
        found.len(),
        wrong[..wrong.len().min(8)].join("\n")
    );
}
