//! What is wrong in items that a macro makes, which the call of the macro is told.

use amp::prelude::*;

#[amp_module]
mod bits {
    pub trait Bits {
        fn parity(self) -> u32;
    }

    macro_rules! impl_bits {
        ($($ty:ty),+) => {
            $(impl Bits for $ty {
                fn parity(self) -> u32 {
                    self.count_units() % 2
                }
            })+
        };
    }

    impl_bits!(u8);

    pub fn odd(x: u8) -> bool {
        x.parity() == 1
    }
}

fn main() {}
