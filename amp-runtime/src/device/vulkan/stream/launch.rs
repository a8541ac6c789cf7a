//! Launches: what they are, and the one way to record them, into a batch or into a command buffer
//! that batches execute.
//!
//! A launch's argument block is its push constants. One that does not fit these goes to a
//! buffer, and its address is pushed instead.

use std::ops::Deref;
use std::sync::Arc;

use amp_spirv::artifact::{Artifact, PUSH_CONSTANT_BYTES};
use ash::vk;

use super::super::buffer::Buffer;
use super::super::device::Device;
use super::super::pipeline::Pipeline;
use super::hazard::Mode;
use crate::device::shape::Shape;
use crate::device::unreported::DataId;
use crate::types::error::{Error, Result};
use crate::types::event::Activity;
use crate::types::message::Writer;

/// A buffer that a launch uses.
#[derive(Clone)]
pub(crate) struct Access {
    /// The buffer.
    pub(crate) buffer: Arc<Buffer>,
    /// The data in it.
    pub(crate) data: DataId,
    /// Whether the kernel reads it.
    pub(crate) reads: bool,
    /// Whether the kernel writes it.
    pub(crate) writes: bool,
}

/// A launch, ready to be recorded.
pub(crate) struct Launch<'k> {
    /// The kernel.
    pub(crate) artifact: &'static Artifact,
    /// What turns its messages into text.
    pub(crate) writers: &'static [Writer],
    /// Its pipeline for this shape.
    pub(crate) pipeline: Pipeline,
    /// Its workgroups.
    pub(crate) shape: Shape,
    /// Its domain.
    pub(crate) extent: &'k [usize],
    /// Whether its faults are checked for.
    pub(crate) checked: bool,
    /// The argument block, but for the address of the fault slot.
    pub(crate) block: &'k mut [u8],
    /// What it uses.
    pub(crate) accesses: &'k [Access],
    /// Bytes that it may read and bytes that it may write, if the view is profiled.
    pub(crate) bytes: u64,
}

impl Launch<'_> {
    /// Refuses an argument block that cannot be passed.
    pub(super) fn check_block(&self) -> Result<()> {
        let length = self.block.len();
        let fits = self.artifact.spilled || length <= PUSH_CONSTANT_BYTES as usize;
        match length.is_multiple_of(4) && length >= 8 && fits {
            true => Ok(()),
            false => Err(Error::InvalidArgument(format!(
                "the argument block of kernel `{}` has {length} bytes, where at least 8, \
                 multiples of 4 and at most {PUSH_CONSTANT_BYTES} in push constants are possible",
                self.artifact.name
            ))),
        }
    }

    /// Whether it may have something to tell.
    pub(super) fn is_watched(&self) -> bool {
        self.artifact.print_words > 0 || self.checked && !self.artifact.faults.is_empty()
    }

    /// The buffers that it uses.
    pub(super) fn uses(&self) -> impl Iterator<Item = (&Arc<Buffer>, Mode)> + Clone {
        self.accesses.iter().filter_map(|access| {
            let mode = match (access.reads, access.writes) {
                (_, true) => Mode::Writes,
                (true, false) => Mode::Reads,
                (false, false) => return None,
            };
            Some((&access.buffer, mode))
        })
    }

    /// The data that it may write.
    pub(super) fn written(&self) -> Written {
        let written = self.accesses.iter().filter(|access| access.writes);
        written.map(|access| access.data.clone()).collect()
    }

    /// Puts the address of a fault slot into the argument block.
    pub(super) fn set_slot(&mut self, slot: u64) {
        self.block[..8].copy_from_slice(&slot.to_le_bytes());
    }

    /// What to push, if the argument block goes to `room`, a place in a buffer, or to the
    /// push constants.
    ///
    /// # Safety
    ///
    /// No command may use the room.
    pub(super) unsafe fn push(&self, room: Option<(&Buffer, u64)>) -> Push<'_> {
        let Some((buffer, offset)) = room else {
            return Push::Block(self.block);
        };
        // SAFETY: by contract.
        unsafe { buffer.write(offset, self.block) };
        Push::Address((buffer.address() + offset).to_le_bytes())
    }

    /// What profiles call it.
    pub(super) fn activity(&self) -> Activity {
        Activity::Launch {
            kernel: self.artifact.name.clone(),
            domain: self.extent.to_vec(),
            bytes: self.bytes,
        }
    }
}

/// The data that a launch may write: mostly one body.
pub(super) enum Written {
    One(DataId),
    Others(Arc<[DataId]>),
}

impl FromIterator<DataId> for Written {
    fn from_iter<I: IntoIterator<Item = DataId>>(data: I) -> Self {
        let mut data = data.into_iter();
        match (data.next(), data.next()) {
            (Some(one), None) => Self::One(one),
            (one, two) => Self::Others(one.into_iter().chain(two).chain(data).collect()),
        }
    }
}

impl Written {
    /// All of it.
    pub(super) fn to_shared(&self) -> Arc<[DataId]> {
        match self {
            Self::One(one) => [one.clone()].into(),
            Self::Others(others) => Arc::clone(others),
        }
    }
}

/// The push constants of a launch.
pub(super) enum Push<'k> {
    /// Its argument block.
    Block(&'k [u8]),
    /// Where that is.
    Address([u8; 8]),
}

impl Deref for Push<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Push::Block(block) => block,
            Push::Address(address) => address,
        }
    }
}

/// The pipeline that a command buffer has bound.
#[derive(Default)]
pub(super) struct Bound(vk::Pipeline);

impl Bound {
    /// Records a launch.
    ///
    /// # Safety
    ///
    /// The command buffer, always the same one, must be being recorded by this thread alone,
    /// and who holds it must hold every buffer that the kernel uses.
    pub(super) unsafe fn dispatch(
        &mut self,
        device: &Device,
        commands: vk::CommandBuffer,
        launch: &Launch<'_>,
        push: &Push<'_>,
    ) {
        debug_assert!(push.len() <= PUSH_CONSTANT_BYTES as usize);
        let (pipeline, layout) = (launch.pipeline.0, device.pipelines.layout);
        let [x, y, z] = launch.shape.groups;
        let raw = device.raw();
        // SAFETY: the command buffer is being recorded, by this thread alone (contract);
        // pipelines live as long as the device; the push constants fit the layout
        // (`check_block`) and the groups the device's limits (`Shape`).
        unsafe {
            if self.0 != pipeline {
                let point = vk::PipelineBindPoint::COMPUTE;
                raw.cmd_bind_pipeline(commands, point, pipeline);
            }
            let stage = vk::ShaderStageFlags::COMPUTE;
            raw.cmd_push_constants(commands, layout, stage, 0, push);
            raw.cmd_dispatch(commands, x, y, z);
        }
        self.0 = pipeline;
    }

    /// Notes that it is not known any more what is bound.
    pub(super) fn forget(&mut self) {
        self.0 = vk::Pipeline::null();
    }
}
