//! What the ready-made operations do, for all numbers by one kernel: which operation it is, is a
//! constant that the device's pipeline is specialised for.

/// The module, with an implementation for each type.
macro_rules! numbers {
    (integers: $($integer:ident)*; floats: $($float:ident)*) => {
        #[crate::amp_module]
        #[allow(missing_docs)]
        pub mod numbers {
            use crate::Scalar;

            /// A number with the operations that only integers have; floats never use them.
            pub trait Number: Copy {
                fn and(self, other: Self) -> Self;
                fn or(self, other: Self) -> Self;
                fn xor(self, other: Self) -> Self;
            }

            $(impl Number for $integer {
                fn and(self, other: Self) -> Self {
                    self & other
                }
                fn or(self, other: Self) -> Self {
                    self | other
                }
                fn xor(self, other: Self) -> Self {
                    self ^ other
                }
            })*

            $(impl Number for $float {
                fn and(self, other: Self) -> Self {
                    self + other
                }
                fn or(self, other: Self) -> Self {
                    self + other
                }
                fn xor(self, other: Self) -> Self {
                    self + other
                }
            })*

            /// The result of the operation with a number: see `operation::ready_made`.
            pub fn combined<T: Scalar + Number>(operation: u32, a: T, b: T) -> T {
                match operation {
                    0 => a + b,
                    1 => a * b,
                    // What is no number is less than all others.
                    2 => if a < b || b != b { a } else { b },
                    3 => if a > b || b != b { a } else { b },
                    4 => a.and(b),
                    5 => a.or(b),
                    _ => a.xor(b),
                }
            }
        }
    };
}
numbers!(integers: i8 u8 i16 u16 i32 u32 i64 u64; floats: f32 f64);
