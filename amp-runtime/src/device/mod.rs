//! What runs kernels: Vulkan devices and the CPU. The `unsafe` code of the crate is here.
//!
//! The layers above know a device as an [`Accelerator`](accelerator::Accelerator), and a queue of it
//! as an [`AcceleratorView`](accelerator::view::AcceleratorView). Behind them are two closed enums,
//! [`accelerator::Device`] and [`accelerator::view::Backend`]: another kind of device is a folder
//! beside `vulkan` and `cpu`, and a variant of each. What kinds have in common is in the other files:
//! compiled kernels (`code`), how a domain is cut into workgroups (`shape`), prints, profiles, faults
//! that no call has returned (`unreported`), and how the host may access memory (`access`).

pub(crate) mod accelerator;
mod access;
pub(crate) mod code;
#[allow(unsafe_code)]
pub mod cpu;
pub(crate) mod print;
pub(crate) mod profiler;
pub(crate) mod shape;
pub(crate) mod unreported;
#[allow(unsafe_code)]
pub(crate) mod vulkan;
