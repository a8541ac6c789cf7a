//! Operators of an enum whose name alone a function knows.

use amp::prelude::*;

macro_rules! items {
    () => {
        #[amp_module]
        mod items {
            pub enum Sign {
                PLUS,
                MINUS,
            }

            impl core::ops::Neg for Sign {
                type Output = u32;

                fn neg(self) -> u32 {
                    1
                }
            }
        }
    };
}
items!();

use items::Sign;

#[amp_fn]
fn negated(x: u32) -> u32 {
    -Sign::PLUS + x
}

#[amp_fn]
fn told(x: u32) -> u32 {
    let plus: Sign = Sign::PLUS;
    -plus + x
}

fn main() {}
