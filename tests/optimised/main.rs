//! Tests of what the CPU accelerator runs by rows, compiled with optimisation: only then do kernels have versions
//! for an extended instruction set, which run where the processor has that.

#[path = "../differential/pointwise.rs"]
mod pointwise;
#[path = "../differential/rows.rs"]
mod rows;
