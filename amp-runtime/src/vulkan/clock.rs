//! Measuring the time that commands take on the device, by its own clock.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ash::vk;

use super::device::Device;
use super::stream::Stream;
use crate::error::Result;

/// Two timestamp queries.
pub(super) struct Queries {
    device: Arc<Device>,
    pub(super) pool: vk::QueryPool,
}

impl Drop for Queries {
    fn drop(&mut self) {
        // SAFETY: a batch that uses the queries holds them until it is complete.
        unsafe { self.device.raw.destroy_query_pool(self.pool, None) };
    }
}

/// A measurement that runs.
pub(crate) struct Clock<'s> {
    stream: &'s Stream,
    queries: Option<Arc<Queries>>,
}

impl Drop for Clock<'_> {
    fn drop(&mut self) {
        self.stream.clocks.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Stream {
    /// Starts to measure. Launches from now on go out together when it stops, or on a
    /// flush or wait, so that the host's pace is not measured.
    pub(crate) fn start_clock(&self) -> Result<Clock<'_>> {
        self.clocks.fetch_add(1, Ordering::Relaxed);
        let mut clock = Clock {
            stream: self,
            queries: None,
        };
        if self.device.facts.tick.is_none() {
            return Ok(clock);
        }
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(2);
        // SAFETY: the queue has timestamps.
        let pool = unsafe { self.device.raw.create_query_pool(&info, None) }
            .map_err(|result| self.device.error("creating timestamps", result))?;
        let queries = Arc::new(Queries {
            device: Arc::clone(&self.device),
            pool,
        });
        self.lock()?.timestamp(&queries, true)?;
        clock.queries = Some(queries);
        Ok(clock)
    }

    /// Stops to measure: the time since the start, or `None` if the device has no clock.
    pub(crate) fn stop_clock(&self, clock: Clock<'_>) -> Result<Option<Duration>> {
        if let Some(queries) = &clock.queries {
            self.lock()?.timestamp(queries, false)?;
        }
        self.wait()?;
        let (Some(queries), Some(tick)) = (&clock.queries, self.device.facts.tick) else {
            return Ok(None);
        };
        let mut stamps = [0u64; 2];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: both queries were written by batches that are complete.
        unsafe {
            self.device
                .raw
                .get_query_pool_results(queries.pool, 0, &mut stamps, flags)
        }
        .map_err(|result| self.device.error("reading timestamps", result))?;
        let mask = u64::MAX >> (64 - self.device.facts.tick_bits.clamp(1, 64));
        let ticks = stamps[1].wrapping_sub(stamps[0]) & mask;
        Ok(Some(Duration::from_nanos(
            (ticks as f64 * f64::from(tick)) as u64,
        )))
    }
}
