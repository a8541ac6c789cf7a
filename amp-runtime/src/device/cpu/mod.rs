//! The CPU accelerator: it runs a kernel's host version.
//!
//! A launch begins on the calling thread and is shared out (`share`) over rayon's threads, of a
//! pool of our own (`apart`), if that is worth it. Threads are iterations of a loop, or of one loop for each
//! region between barriers and what else they do together (`group`). Where the kernel cannot be cut so, each
//! thread of a tile is a coroutine, and they take turns from barrier to barrier on one processor (`tile`).
//!
//! What would be a panic in plain Rust (an index out of bounds, a division by zero) is
//! a fault here as on a device: the thread goes on with zero or without the write,
//! and the launch returns an error that names the place.
//!
//! This folder holds `unsafe` code, because all threads of a launch write to the same
//! arrays through [`ArrayViewMut`]. Every access is checked against the extent, so a
//! kernel cannot leave its arrays; and it is a relaxed atomic one (`shared`), so that two
//! threads that touch one element without a barrier between are a mistake of the kernel, as
//! in C++ AMP, but nothing undefined. Threads that keep to the elements at their own index need
//! neither (`view::own`).

mod apart;
pub(crate) mod arithmetic;
pub(crate) mod atomic;
pub mod bounded;
pub(crate) mod check;
mod context;
pub(crate) mod division;
mod execute;
mod extended;
mod fault;
mod group;
pub mod host_version;
pub(crate) mod lanes;
mod line;
mod meeting;
pub(crate) mod memory;
mod numbering;
pub(crate) mod place;
mod pool;
mod print;
mod properties;
mod reference;
pub(crate) mod report;
mod run;
mod share;
pub(crate) mod shared;
mod slot;
pub(crate) mod spot;
mod stack;
pub(crate) mod subgroup;
mod threads;
pub(crate) mod tile;
mod tile_memory;
mod tile_static;
mod view;
mod views;
mod zero;

#[cfg(test)]
mod tests;

pub(crate) use apart::apart;
pub(crate) use execute::{Launch, execute, execute_checked, execute_in_turns, execute_pointwise};
pub use extended::{Extended, ExtendedPointwise};
pub(crate) use extended::{extended, extended_pointwise};
pub use group::{Group, PerThread, Row};
pub use slot::{ReadSlot, WriteSlot};
pub use threads::{Checked, Points, Threads, Turns};
pub use tile_static::TileStatic;
pub use view::own::{OwnView, OwnViewMut, PointViews};
pub use view::{ArrayView, ArrayViewMut, Located};
pub(crate) use views::{ElementType, LaunchMemory, RawView};
pub use views::{OwnViews, Views};
