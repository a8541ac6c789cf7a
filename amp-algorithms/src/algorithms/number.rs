//! What the ready-made operations do, for all numbers by one kernel: which operation it is, is a
//! constant that the device's pipeline is specialised for.

/// Calls a macro with the kernel of all numbers: with its attribute, and what describes it besides.
#[cfg(not(feature = "half"))]
macro_rules! of_numbers {
    ($kernel:ident! { $($described:tt)* }) => {
        $kernel! {
            #[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f32 | f64)]
            $($described)*
        }
    };
}

/// The same, with the floats of the crate `half`.
#[cfg(feature = "half")]
macro_rules! of_numbers {
    ($kernel:ident! { $($described:tt)* }) => {
        $kernel! {
            #[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f32 | f64 | f16 | bf16)]
            $($described)*
        }
    };
}

pub(super) use of_numbers;

/// The module, with an implementation for each type: by its operations for `&`, `|` and `^`, which floats do not have
/// and never use, and by what an index is as such a number.
macro_rules! numbers {
    ($($number:ident: $and:tt $or:tt $xor:tt, |$index:ident| $from:expr;)*) => {
        #[crate::amp_module]
        #[allow(missing_docs)]
        pub mod numbers {
            #[cfg(feature = "half")]
            use crate::__private::half::{bf16, f16};

            pub trait Number: Copy {
                fn sum(self, other: Self) -> Self;
                fn product(self, other: Self) -> Self;
                fn is_less(self, other: Self) -> bool;
                fn is_equal(self, other: Self) -> bool;
                fn and(self, other: Self) -> Self;
                fn or(self, other: Self) -> Self;
                fn xor(self, other: Self) -> Self;
                fn from_index(index: usize) -> Self;
            }

            $(impl Number for $number {
                fn sum(self, other: Self) -> Self {
                    self + other
                }
                fn product(self, other: Self) -> Self {
                    self * other
                }
                fn is_less(self, other: Self) -> bool {
                    self < other
                }
                fn is_equal(self, other: Self) -> bool {
                    self == other
                }
                fn and(self, other: Self) -> Self {
                    self $and other
                }
                fn or(self, other: Self) -> Self {
                    self $or other
                }
                fn xor(self, other: Self) -> Self {
                    self $xor other
                }
                fn from_index($index: usize) -> Self {
                    $from
                }
            })*

            /// The result of the operation with a number: see `operation::ready_made`.
            pub fn combined<T: Number>(operation: u32, a: T, b: T) -> T {
                match operation {
                    0 => a.sum(b),
                    1 => a.product(b),
                    // What is no number is less than all others.
                    2 => if a.is_less(b) || !b.is_equal(b) { a } else { b },
                    3 => if b.is_less(a) || !b.is_equal(b) { a } else { b },
                    4 => a.and(b),
                    5 => a.or(b),
                    _ => a.xor(b),
                }
            }
        }
    };
}

/// With the numbers of Rust, and others.
macro_rules! and_others {
    ($($other:tt)*) => {
        numbers! {
            i8: & | ^, |index| index as i8;
            u8: & | ^, |index| index as u8;
            i16: & | ^, |index| index as i16;
            u16: & | ^, |index| index as u16;
            i32: & | ^, |index| index as i32;
            u32: & | ^, |index| index as u32;
            i64: & | ^, |index| index as i64;
            u64: & | ^, |index| index as u64;
            f32: + + +, |index| index as f32;
            f64: + + +, |index| index as f64;
            $($other)*
        }
    };
}
#[cfg(not(feature = "half"))]
and_others! {}
#[cfg(feature = "half")]
and_others! {
    f16: + + +, |index| f16::from_f32(index as f32);
    bf16: + + +, |index| bf16::from_f32(index as f32);
}
