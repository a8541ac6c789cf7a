//! Items that a macro of the user's repeats: what one expansion made is not taken for what
//! another made, though both stand in one place.

use amp::prelude::*;
use testkit::{becomes, launch};

macro_rules! steps {
    ($module:ident, $step:literal) => {
        mod $module {
            use amp::prelude::*;

            const STEP: u32 = $step * 10;

            #[amp_struct]
            #[derive(Clone, Copy)]
            pub struct Step {
                pub by: [u32; $step],
            }

            #[amp_fn]
            pub fn literal(x: u32) -> u32 {
                x + $step
            }

            #[amp_fn]
            pub fn constant(x: u32) -> u32 {
                x + STEP
            }

            #[amp_fn]
            pub fn of_struct(step: Step) -> u32 {
                let mut sum = 0;
                for by in step.by {
                    sum += by;
                }
                sum
            }

            #[amp_fn]
            pub fn kept(t_idx: TiledIndex<1, 4>) -> u32 {
                #[tile_static]
                let mut kept: u32;
                if t_idx.local[0] == 0 {
                    kept = $step;
                }
                t_idx.barrier.wait();
                kept
            }
        }
    };
}

steps!(one, 1);
steps!(two, 2);

#[amp_kernel]
fn both(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let literals = one::literal(100) * 1000 + two::literal(100);
    let constants = one::constant(100) * 1000 + two::constant(100);
    let structs = one::of_struct(one::Step { by: [3] }) + two::of_struct(two::Step { by: [5, 7] });
    out[idx] = literals + constants + structs;
}

#[test]
fn helpers_and_structs() {
    let expected = 101_102 + 110_120 + 3 + 5 + 7;
    becomes([2], &[0; 2], &[expected; 2], |view, out| {
        launch(view, 2, both(out))
    });
}

#[amp_kernel]
fn tiles(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    let first = one::kept(t_idx);
    let second = two::kept(t_idx);
    t_idx.barrier.wait();
    out[t_idx.global] = first * 10 + second + one::kept(t_idx) * 100;
}

#[test]
fn tile_memory() {
    becomes([8], &[0; 8], &[112; 8], |view, out| {
        launch(view, out.extent().tile::<4>(), tiles(out))
    });
}

/// The names are the caller's, all else the macro's; and the other way round.
macro_rules! named {
    ($first:ident, $second:ident, $name:ident) => {
        mod $first {
            use amp::prelude::*;

            #[amp_fn]
            pub fn $name() -> u32 {
                1
            }
        }
        mod $second {
            use amp::prelude::*;

            #[amp_fn]
            pub fn $name() -> u32 {
                2
            }
        }
    };
}

named!(here, there, number);

#[amp_kernel]
fn numbers(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = here::number() * 10 + there::number();
}

#[test]
fn names_that_a_macro_is_given() {
    becomes([1], &[0], &[12], |view, out| launch(view, 1, numbers(out)));
}

macro_rules! modules {
    ($module:ident, $scale:literal) => {
        #[amp_module]
        mod $module {
            pub struct Scale {
                pub by: u32,
            }

            impl Scale {
                pub fn of(self, x: u32) -> u32 {
                    x * self.by * $scale
                }
            }
        }
    };
}

modules!(single, 1);
modules!(double, 2);

#[amp_kernel]
fn scaled(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = single::Scale { by: 3 }.of(100) * 10_000 + double::Scale { by: 4 }.of(100);
}

#[test]
fn modules_with_methods() {
    becomes([1], &[0], &[3_000_800], |view, out| {
        launch(view, 1, scaled(out))
    });
}

/// Even the tokens are the same: only what they name around them is not.
macro_rules! in_both {
    ($($item:item)*) => {
        mod low {
            use amp::prelude::*;

            const LEVEL: u32 = 3;
            const LENGTH: usize = 1;

            $($item)*
        }
        mod high {
            use amp::prelude::*;

            const LEVEL: u32 = 4;
            const LENGTH: usize = 2;

            $($item)*
        }
    };
}

in_both! {
    #[amp_fn]
    pub fn level(x: u32) -> u32 {
        x * LEVEL
    }

    #[amp_module]
    pub mod methods {
        use super::LEVEL;

        #[derive(Clone, Copy)]
        pub struct Of {
            pub x: u32,
        }

        impl Of {
            pub fn level(self) -> u32 {
                self.x * LEVEL
            }
        }
    }

    #[amp_fn]
    pub fn first(t_idx: TiledIndex<1, 4>, x: u32) -> u32 {
        #[tile_static]
        let mut kept: [u32; LENGTH];
        if t_idx.local[0] == 0 {
            kept[LENGTH - 1] = x * LEVEL;
        }
        t_idx.barrier.wait();
        kept[LENGTH - 1]
    }
}

#[amp_kernel]
fn levels(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    let functions = low::level(100) * 10_000 + high::level(100);
    let methods = low::methods::Of { x: 1 }.level() * 10 + high::methods::Of { x: 1 }.level();
    let tiles = low::first(t_idx, 10_000_000) + high::first(t_idx, 100_000_000);
    out[t_idx.global] = functions + methods + tiles;
}

#[test]
fn items_with_all_their_tokens() {
    let expected = 3_000_400 + 34 + 430_000_000;
    becomes([4], &[0; 4], &[expected; 4], |view, out| {
        launch(view, out.extent().tile::<4>(), levels(out))
    });
}
