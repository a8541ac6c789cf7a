//! Timestamp queries of a device.

use std::sync::Arc;

use ash::vk;

use super::super::device::Device;
use crate::types::error::Result;

/// Timestamp queries.
pub(super) struct Queries {
    device: Arc<Device>,
    pool: vk::QueryPool,
    /// How many there are.
    pub(super) count: u32,
}

impl Queries {
    pub(super) fn new(device: &Arc<Device>, count: u32) -> Result<Arc<Self>> {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(count);
        // SAFETY: the queue has timestamps.
        let pool = device
            .with_room(|| unsafe { device.raw().create_query_pool(&info, None) })
            .map_err(|result| device.error("creating timestamps", result))?;
        Ok(Arc::new(Self {
            device: Arc::clone(device),
            pool,
            count,
        }))
    }

    /// Records the reset of all, which comes before they are stamped.
    ///
    /// # Safety
    ///
    /// The commands are being recorded, by this thread alone, and hold the queries.
    pub(super) unsafe fn reset(&self, commands: vk::CommandBuffer) {
        // SAFETY: the contract is the function's.
        unsafe {
            self.device
                .raw()
                .cmd_reset_query_pool(commands, self.pool, 0, self.count);
        }
    }

    /// Resets all at once. The device can do so (`resets_queries`).
    ///
    /// # Safety
    ///
    /// No batch that is not complete uses the queries.
    pub(super) unsafe fn reset_now(&self) {
        // SAFETY: the contract is the function's.
        unsafe { self.device.raw().reset_query_pool(self.pool, 0, self.count) };
    }

    /// Records a timestamp, taken when all commands before it are complete.
    ///
    /// # Safety
    ///
    /// As for [`reset`](Self::reset).
    pub(super) unsafe fn stamp(&self, commands: vk::CommandBuffer, query: u32) {
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the contract is the function's.
        unsafe {
            self.device
                .raw()
                .cmd_write_timestamp(commands, stage, self.pool, query);
        }
    }

    /// Two timestamps, whose batches are complete.
    pub(super) fn read(&self, first: u32) -> Result<[u64; 2]> {
        let mut stamps = [0u64; 2];
        // SAFETY: the pool has the queries; one that was not written is an error.
        unsafe {
            self.device.raw().get_query_pool_results(
                self.pool,
                first,
                &mut stamps,
                vk::QueryResultFlags::TYPE_64,
            )
        }
        .map_err(|result| self.device.error("reading timestamps", result))?;
        Ok(stamps)
    }
}

impl Drop for Queries {
    fn drop(&mut self) {
        // SAFETY: a batch that uses the queries holds them until it is complete.
        unsafe { self.device.raw().destroy_query_pool(self.pool, None) };
    }
}
