//! Points, shapes and tiles: the types that say where a thread is and how far an array
//! or a compute domain reaches (C++ AMP §4).
//!
//! Everything is row-major: component 0 is the most significant. Components are
//! `usize` and all arithmetic on them wraps, on the host as in a kernel, so that no
//! expression over indices panics for its size alone.
//!
//! Nothing here knows an accelerator. Whether a domain may be launched (no empty
//! dimension, tile within the limits, tile divides extent) is decided at the launch.

pub(crate) mod arithmetic;
mod barrier;
mod extent;
mod kernel;
mod point;
mod tiled;

pub use barrier::TileBarrier;
pub use extent::Extent;
pub(crate) use extent::checked_size;
pub use kernel::KernelIndex;
pub use point::Index;
pub use tiled::{TiledExtent, TiledIndex};
