//! What runs kernels: Vulkan devices and the CPU. All `unsafe` code of the crate is here.

#[allow(unsafe_code)]
pub mod cpu;
pub(crate) mod print;
pub(crate) mod profiler;
pub(crate) mod shape;
pub(crate) mod unreported;
#[allow(unsafe_code)]
pub(crate) mod vulkan;
