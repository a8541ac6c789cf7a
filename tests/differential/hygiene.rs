//! Kernels that `macro_rules!` write: a name that the macro declares is not one that it is
//! given.

use amp::prelude::*;
use testkit::{gives, launch};

macro_rules! weighted {
    ($name:ident, $value:ident, $given:expr) => {
        #[amp_kernel]
        fn $name(idx: Index<1>, $value: i32, out: &mut ArrayViewMut<i32, 1>) {
            let value = 10;
            let sum = 'rounds: loop {
                let value = value * 100;
                for round in 0..3 {
                    if round + value > 1000 {
                        break 'rounds $given + round;
                    }
                }
            };
            out[idx] = value + 1000 * sum;
        }
    };
}

weighted!(of_same_names, value, {
    let round = value;
    round + 1
});

#[test]
fn names_of_a_macro_are_not_those_that_it_is_given() {
    gives(&[10 + 1000 * (7 + 1 + 1); 4], |view, out| {
        launch(view, 4, of_same_names(7, out))
    });
}
