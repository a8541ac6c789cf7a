//! Flights: bytes on their way from a device to the host while the host does other things.
//!
//! The device copies them to chunks of staging memory. Only who lands the flight touches
//! the host's memory; a flight that is dropped leaves it alone, and its chunks go when the
//! device is done with them.

use std::ops::Range;
use std::sync::Arc;

use super::buffer::Buffer;
use super::load::{Load, loads};
use super::milestone::Milestone;
use super::staging::Class;
use super::stream::Stream;
use super::transfer::{GAP, check};
use crate::error::Result;

/// Bytes on their way to the host.
pub(crate) struct Flight {
    stream: Arc<Stream>,
    class: Class,
    loads: Vec<(Load<Range<usize>>, Arc<Buffer>)>,
    milestones: Vec<Milestone>,
}

/// Bytes that have arrived.
pub(crate) struct Arrived<'c> {
    /// Where they belong.
    pub(crate) range: Range<usize>,
    chunk: &'c Buffer,
    offset: u64,
}

impl Stream {
    /// Sends for pieces of a buffer, each with its offset there, in ascending order, and
    /// where it belongs at the destination.
    pub(crate) fn send_for(
        self: &Arc<Self>,
        buffer: &Arc<Buffer>,
        pieces: Vec<(u64, Range<usize>)>,
    ) -> Result<Flight> {
        for (offset, range) in &pieces {
            check(buffer, *offset, range.len())?;
        }
        let bytes: usize = pieces.iter().map(|(_, range)| range.len()).sum();
        let class = match bytes as u64 <= Class::Small.bytes() {
            true => Class::Small,
            false => Class::Large,
        };
        let passage = match class {
            Class::Large => self.passage(buffer)?,
            _ => None,
        };
        let stream = passage.as_ref().map_or(self, |passage| passage.lane);
        let mut flying = Vec::new();
        let mut last = 0;
        let fetched = loads(pieces, class.bytes(), GAP)
            .into_iter()
            .try_for_each(|load| {
                let regions = load.to_chunk();
                let (chunk, batch) = stream.fetch(buffer, &regions, class, passage.as_ref())?;
                flying.push((load, chunk));
                last = batch;
                Ok(())
            });
        let mut milestones = vec![Milestone::new(stream, last)];
        if let Some(passage) = passage {
            milestones.push(Milestone::new(self, passage.before));
            let ended = passage.end(buffer);
            fetched.and(ended)?;
        } else {
            fetched?;
        }
        Ok(Flight {
            stream: Arc::clone(stream),
            class,
            loads: flying,
            milestones,
        })
    }
}

impl Flight {
    /// Behind the arrival of the last byte, and behind what the bytes come of.
    pub(crate) fn milestones(&self) -> &[Milestone] {
        &self.milestones
    }

    /// Waits until all has arrived.
    pub(crate) fn wait(&self) -> Result<()> {
        self.milestones.iter().try_for_each(Milestone::wait)
    }

    /// Waits until all has arrived, and shows it piece by piece.
    pub(crate) fn land(self, mut each: impl FnMut(Arrived<'_>)) -> Result<()> {
        self.wait()?;
        for (load, chunk) in self.loads {
            self.stream.time_staging(load.bytes, || {
                for (offset, range) in load.into_pieces() {
                    each(Arrived {
                        range,
                        chunk: &chunk,
                        offset,
                    });
                }
            });
            self.stream.lock()?.chunks.give_back(self.class, chunk);
        }
        Ok(())
    }
}

impl Arrived<'_> {
    /// Copies out the bytes from the one that belongs at `start` on.
    pub(crate) fn read(&self, start: usize, out: &mut [u8]) {
        let skipped = (start - self.range.start) as u64;
        // SAFETY: the batch that wrote the chunk is complete, and the chunk is ours.
        unsafe { self.chunk.read(self.offset + skipped, out) };
    }
}
