//! The Vulkan backend: everything that calls the driver, and with it nearly all
//! `unsafe` code of the crate.
//!
//! To the rest of the crate it offers three handles with safe methods: an [`Adapter`] is
//! a device that can run kernels, a [`Stream`] a queue of commands on it, a [`Buffer`]
//! memory on it. A launch is recorded into the stream's open [batch](stream::batch), which goes out
//! by the rules in [`stream`]; commands of a batch are ordered by [hazards](stream::hazard) only.
//!
//! Kernels receive device addresses in push constants. There are no descriptor sets, one
//! pipeline layout serves all kernels, and the loader is opened at run time: without it
//! there are no adapters.
//!
//! # Layers
//!
//! From the bottom to the top, each with those below it only:
//!
//! - [`sentry`], [`gate`], [`exit`]: the end of the process;
//! - [`instance`], and the [`facts`] of a physical device with what they are made of;
//! - [`device`], with its [`blocks`] of memory and its [`pipeline`]s;
//! - [`buffer`]s and what copies to them ([`copier`]), [`timeline`]s, and how pipelines are made
//!   ([`specialise`]);
//! - [`stream`]: its launches and their fault slots, then the recorder of [batches](stream::batch),
//!   then each kind of command;
//! - what is made of streams: probes of the device, [`Adapter`]s, and what other crates see.
//!
//! # Lock order
//!
//! A stream's recorder, then a pool, then the device's allocator or a queue, then the
//! [lock for submissions](submit_lock). Pipelines are made and large copies done with no lock of a
//! stream held.

mod adapter;
mod blocks;
mod buffer;
mod calibration;
mod convert;
mod copier;
mod debug;
mod device;
mod enabled;
mod exchange;
pub(crate) mod existing;
mod exit;
pub(crate) mod export;
mod exportable;
mod facts;
mod features;
mod float_atomics;
mod float_controls;
mod float_faults;
mod float_probe;
mod gate;
mod instance;
mod lavapipe;
mod load;
mod memory;
mod milestone;
#[cfg(test)]
mod mock;
mod pipeline;
mod pipeline_cache;
mod pipeline_file;
mod probe;
mod properties;
mod queues;
pub(crate) mod raw;
mod readback;
mod reserve;
mod search;
mod sentry;
mod specialise;
mod statistics;
mod stream;
mod subgroups;
mod submit_lock;
mod timeline;

pub(crate) use adapter::Adapter;
pub(crate) use buffer::Buffer;
pub(crate) use copier::Pages;
pub(crate) use debug::validation_messages;
pub(crate) use exchange::Region;
pub(crate) use exit::at_exit;
pub(crate) use milestone::Milestone;
pub(crate) use pipeline::Pipeline;
pub(crate) use readback::Readback;
#[cfg(test)]
pub(crate) use search::adapters;
#[cfg(test)]
pub(crate) use search::discrete_adapters;
pub(crate) use search::{Found, search};
pub(crate) use stream::Stream;
pub(crate) use stream::launch::{Access, Launch};
pub(crate) use stream::plans::Plan;
pub(crate) use stream::recorded::Recorded;
pub(crate) use timeline::alarm::Alarm;
