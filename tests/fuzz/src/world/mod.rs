//! What every random kernel is launched with: its domain, its parameters, their values.

use amp_spirv::tree::AtomicOp;

mod inputs;
mod item;
mod param;
mod shape;

pub use inputs::{Inputs, float, number};
pub use item::{ITEM, Item, item};
pub use param::Param;
pub use shape::Shape;

/// Words of a thread in the view `words`.
pub const ROW: u32 = 4;

/// Bytes of a thread in the view `bytes_out`: no whole words, so that threads write to
/// bytes of the same word.
pub const BYTES: u32 = 3;

/// The extents of the view `matrix`.
pub const MATRIX: [usize; 2] = [3, 5];

/// The extents of the view `bytes`.
pub const TABLE: [usize; 2] = [2, 7];

/// How many elements of `cells` and `signed_cells` are changed by one atomic operation.
/// There are as many for each of [`ATOMICS`], in order.
pub const CELLS: u32 = 3;

/// Atomic operations whose order makes no difference: all threads do the same to a cell.
pub const ATOMICS: [AtomicOp; 6] = [
    AtomicOp::Add,
    AtomicOp::Min,
    AtomicOp::Max,
    AtomicOp::And,
    AtomicOp::Or,
    AtomicOp::Xor,
];
