//! Rust that kernels do not see, under the names of what they do see.

/// Has the name of a function of `precise_math`.
pub fn cbrt(_: f32) -> f32 {
    42.0
}

/// Has the name of a fence.
pub fn all_memory_fence(_: &amp::TileBarrier) {}

/// Has the name of an atomic operation, and adds twice.
pub fn atomic_fetch_add(x: &mut u32, value: u32) -> u32 {
    *x += 2 * value;
    *x
}

/// Has the name of an operation of subgroups.
pub mod subgroup {
    /// Not the sum.
    pub fn reduce_add(x: u32) -> u32 {
        x
    }
}

macro_rules! reversed {
    ($name:ident) => {
        /// The fields of a struct that kernels see, in another order.
        #[derive(Clone, Copy)]
        pub struct $name {
            /// The second there.
            pub second: u32,
            /// The first there.
            pub first: u32,
        }
    };
}
reversed!(Ordered);

/// A length that is not marked.
pub const LENGTH: usize = 3;
