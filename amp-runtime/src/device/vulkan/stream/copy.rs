//! Commands that move bytes between buffers, or fill them.

use std::sync::Arc;

use ash::vk;

use super::super::buffer::Buffer;
use super::super::device::Device;
use super::super::load::REGIONS;
use super::batch::Recorder;
use super::cross_stream::Foreign;
use super::hazard::Mode;
use crate::device::profiler::Place;
use crate::types::error::Result;
use crate::types::event::{Activity, Direction};

impl Recorder {
    /// Records a copy of regions from a buffer to another.
    pub(in crate::device::vulkan) fn copy(
        &mut self,
        source: &Arc<Buffer>,
        target: &Arc<Buffer>,
        regions: &[vk::BufferCopy],
        direction: Direction,
    ) -> Result<()> {
        self.prepare([(source, Mode::Reads), (target, Mode::Writes)].into_iter())?;
        self.copy_regions(source, target, regions, direction)
    }

    /// Records a copy of regions from a buffer to another, one of which is of another stream,
    /// whose commands this batch waits for.
    pub(in crate::device::vulkan) fn copy_foreign(
        &mut self,
        foreign: Foreign,
        source: &Arc<Buffer>,
        target: &Arc<Buffer>,
        regions: &[vk::BufferCopy],
        direction: Direction,
    ) -> Result<()> {
        let (own, other) = match foreign {
            Foreign::Source => ((target, Mode::Writes), source),
            Foreign::Target => ((source, Mode::Reads), target),
        };
        self.prepare([own].into_iter())?;
        // Not noted as a use: its number counts batches of its own stream.
        self.open()?.buffers.push(Arc::clone(other));
        self.copy_regions(source, target, regions, direction)
    }

    /// Records a copy between buffers that the open batch is prepared for.
    fn copy_regions(
        &mut self,
        source: &Buffer,
        target: &Buffer,
        regions: &[vk::BufferCopy],
        direction: Direction,
    ) -> Result<()> {
        let bytes = regions.iter().map(|region| region.size).sum();
        self.transfer(direction, bytes, |device, commands| {
            for some in regions.chunks(REGIONS) {
                // SAFETY: the command buffer is being recorded, by this thread alone; callers
                // pass ranges within the buffers, none of them empty; the batch holds both.
                unsafe {
                    device
                        .raw()
                        .cmd_copy_buffer(commands, source.raw, target.raw, some)
                };
            }
        })
    }

    /// Records the filling of a whole buffer with zeroes.
    pub(in crate::device::vulkan) fn zero(&mut self, buffer: &Arc<Buffer>) -> Result<()> {
        self.prepare([(buffer, Mode::Writes)].into_iter())?;
        self.transfer(Direction::Fill, buffer.bytes(), |device, commands| {
            // SAFETY: the command buffer is being recorded, by this thread alone; the batch
            // holds the buffer.
            unsafe {
                device
                    .raw()
                    .cmd_fill_buffer(commands, buffer.raw, 0, vk::WHOLE_SIZE, 0)
            };
        })
    }

    /// Records a command that moves bytes.
    fn transfer(
        &mut self,
        direction: Direction,
        bytes: u64,
        record: impl FnOnce(&Device, vk::CommandBuffer),
    ) -> Result<()> {
        let activity = Activity::Transfer { direction, bytes };
        let what = |queue| (Place::Transfers(queue), activity);
        self.command(direction.name(), what, |device, batch| {
            record(device, batch.commands);
        })
    }
}
