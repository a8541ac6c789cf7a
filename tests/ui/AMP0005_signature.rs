//! Signatures that kernels and helpers cannot have.

use amp::prelude::*;

#[amp_kernel]
async fn asynchronous(idx: Index<1>) {}

#[amp_kernel]
unsafe fn unchecked(idx: Index<1>) {}

#[amp_kernel]
extern "C" fn foreign(idx: Index<1>) {}

#[amp_kernel]
fn no_index() {}

#[amp_kernel]
fn index_last(c: &mut ArrayViewMut<f32, 1>, idx: Index<1>) {}

#[amp_kernel]
fn result(idx: Index<1>) -> f32 {
    1.0
}

#[amp_kernel]
fn two_tiled(t_idx: TiledIndex<1, 16>, other: TiledIndex<1, 16>) {}

#[amp_kernel]
fn unit_parameter(idx: Index<1>, u: ()) {}

#[amp_kernel]
fn barrier_parameter(t_idx: TiledIndex<1, 16>, b: &TileBarrier) {}

#[amp_kernel]
fn generic<T>(idx: Index<1>, x: T) {}

#[amp_kernel]
fn lifetime<'a>(idx: Index<1>, c: &'a mut ArrayViewMut<f32, 1>) {}

#[amp_fn]
fn const_parameter<const N: usize>(x: f32) -> f32 {
    x
}

#[amp_fn]
fn barrier_result(t_idx: TiledIndex<1, 16>) -> TileBarrier {
    t_idx.barrier
}

#[amp_fn]
fn never() -> ! {
    loop {}
}

const LENGTH: usize = size_of::<[u8; 4]>();

#[amp_kernel]
fn open_length(idx: Index<1>, a: [f32; LENGTH], b: (u32, [[i32; 2]; LENGTH])) {}

#[amp_kernel]
fn open_parameter<const N: usize>(idx: Index<1>, a: [f32; N]) {}

#[amp_kernel]
fn shared(idx: Index<1>, c: &ArrayViewMut<f32, 1>) {}

#[amp_kernel]
fn written(idx: Index<1>, c: &mut ArrayView<f32, 1>) {}

#[amp_kernel]
fn array(idx: Index<1>, a: &Array<f32, 1>) {}

#[amp_kernel]
fn attribute(idx: Index<1>, #[cfg(unix)] x: f32) {}

#[amp_kernel]
unsafe extern "C" fn variadic(idx: Index<1>, x: ...) {}

struct Type;

impl Type {
    #[amp_fn]
    fn method(&self, x: f32) -> f32 {
        x
    }

    #[amp_fn]
    pub fn associated(x: f32) -> f32 {
        2.0 * x
    }
}

trait Supplies {
    #[amp_fn]
    fn supplied(x: f32) -> f32 {
        2.0 * x
    }
}

macro_rules! counted {
    ($name:ident) => {
        #[amp_fn]
        impl $name {
            fn count(&self) -> u32 {
                1
            }
        }
    };
}
counted!(Type);

#[cfg(not(test))]
#[amp_fn]
impl Type {
    fn conditional(&self) -> f32 {
        1.0
    }
}

#[amp_kernel]
struct NotAFunction {
    x: f32,
}

#[amp_fn]
const NEITHER: f32 = 1.0;

#[amp_struct]
fn not_a_struct() {}

#[amp_struct]
enum Choice {
    One,
}

#[amp_enum]
struct NotAnEnum;

#[amp_module]
struct NotAModule;

#[amp_fn]
fn method(self) {}

#[amp_module]
mod signatures {
    pub struct Point {
        pub x: f32,
    }

    impl Point {
        pub async fn later(self) {}
    }

    #[amp_kernel(no_such_argument)]
    pub fn kernel(idx: Index<1>) {}

    #[amp_kernel]
    pub fn no_index(x: f32) {}
}

#[amp_struct]
struct Counted {
    n: u32,
}

#[amp_fn]
impl Counted {
    fn twice(&self) -> u32 {
        self.n * 2
    }
}

fn main() {}
