//! Facts about [`mir`](crate::mir), one a file, each computed by one walk and then asked.
//!
//! * [`affine`]: integers as sums, and what one is more than another;
//! * [`effects`]: which memory code reads, writes and orders;
//! * [`alias`]: whether two accesses can touch the same memory;
//! * [`uniformity`]: what the values of threads vary along, of which [`varies`] is the lattice;
//! * [`pointwise`]: whether threads keep to the elements at their own index;
//! * [`loops`]: how deep loops are, and how often they go round.
//!
//! A fact holds for the code that it was computed from; a pass that changes the code computes it
//! anew. Facts speak of code that keeps the rules of [`mir`](crate::mir).

pub mod affine;
pub mod alias;
pub mod effects;
pub mod loops;
pub mod pointwise;
pub mod uniformity;
pub mod varies;

#[cfg(test)]
mod tests;
