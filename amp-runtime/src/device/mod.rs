//! What runs kernels: Vulkan devices and the CPU. The `unsafe` code of the crate is here.
//!
//! The layers above know a device as an [`accelerator::Accelerator`], and a queue of it as a
//! [`view::AcceleratorView`]. Behind them are two closed enums, [`accelerator::Device`] and
//! [`view::Backend`]: another kind of device is a folder beside `vulkan` and `cpu`, and a variant of
//! each. What kinds have in common is in the other files: compiled kernels (`code`), how a domain is
//! cut into workgroups (`shape`), prints, profiles, and faults that no call has returned
//! (`unreported`).

pub(crate) mod accelerator;
mod access;
pub(crate) mod code;
#[allow(unsafe_code)]
pub mod cpu;
mod ending;
pub(crate) mod print;
pub(crate) mod profiler;
pub(crate) mod shape;
pub(crate) mod unreported;
pub(crate) mod view;
#[allow(unsafe_code)]
pub(crate) mod vulkan;
