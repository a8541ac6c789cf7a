//! Readbacks: bytes on their way from a device to the host while the host does other things.
//!
//! The device copies them to chunks of staging memory. Only who lands the readback touches
//! the host's memory; a readback that is dropped leaves it alone, and its chunks go when the
//! device is done with them.

use std::ops::Range;
use std::sync::Arc;

use super::buffer::Buffer;
use super::load::{Load, loads};
use super::milestone::Milestone;
use super::stream::Stream;
use super::stream::transfer::GAP;
use crate::types::error::{Error, Result};

/// Bytes on their way to the host.
pub(crate) struct Readback {
    stream: Arc<Stream>,
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
    /// where it belongs at the destination. Nothing, if there is no memory for them to
    /// arrive in, or the transfer stream fails: then they are to be [delivered](Self::deliver).
    pub(crate) fn send_for(
        self: &Arc<Self>,
        buffer: &Arc<Buffer>,
        pieces: Vec<(u64, Range<usize>)>,
    ) -> Result<Option<Readback>> {
        for (offset, range) in &pieces {
            buffer.check(*offset, range.len())?;
        }
        let bytes: usize = pieces.iter().map(|(_, range)| range.len()).sum();
        let passage = self.passage(buffer, bytes)?;
        let stream = passage
            .as_ref()
            .map_or(self, |passage| &passage.transfer_stream);
        let mut flying = Vec::new();
        let mut last = 0;
        let fetched = loads(pieces, GAP).into_iter().try_for_each(|load| {
            let (chunk, batch) = stream.fetch(buffer, &load, passage.as_ref())?;
            flying.push((load, chunk));
            last = batch;
            Ok(())
        });
        let mut milestones = vec![Milestone::new(stream, last)];
        if let Some(passage) = &passage {
            milestones.push(Milestone::new(self, passage.before));
            passage.end(buffer);
        }
        match fetched {
            Ok(()) => Ok(Some(Readback {
                stream: Arc::clone(stream),
                loads: flying,
                milestones,
            })),
            Err(error) => {
                let by_transfer_stream = passage.is_some() && !self.device.is_lost();
                if !by_transfer_stream && !matches!(error, Error::OutOfMemory { .. }) {
                    return Err(error);
                }
                // If they cannot be waited for, their batches hold the chunks.
                if stream.wait_until(last).is_ok() {
                    for (load, chunk) in flying {
                        stream.pool.chunks.give_back(load.class, chunk);
                    }
                }
                Ok(None)
            }
        }
    }
}

impl Readback {
    /// Those of the arrival of the last byte, and of what the bytes were computed from.
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
            let class = load.class;
            self.stream.time_staging(load.bytes, || {
                for (offset, range) in load.into_pieces() {
                    each(Arrived {
                        range,
                        chunk: &chunk,
                        offset,
                    });
                }
            });
            self.stream.pool.chunks.give_back(class, chunk);
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

#[cfg(test)]
mod tests {
    use super::super::search::discrete_adapters;
    use super::super::validation_messages;

    /// No call lands them, and none waits.
    #[test]
    fn many_readbacks_that_are_given_up_take_little_memory() {
        for adapter in discrete_adapters() {
            let device = adapter.open().unwrap();
            let stream = device.stream(false).unwrap();
            for (bytes, readbacks) in [(100, 4000), (1 << 20, 60)] {
                let buffer = stream.allocate(bytes as u64).unwrap();
                stream.zero(&buffer).unwrap();
                for _ in 0..readbacks {
                    drop(stream.send_for(&buffer, vec![(0, 0..bytes)]).unwrap());
                }
                let taken = device.blocks().bytes().1;
                assert!(taken < 200 << 20, "{taken} bytes");
                stream.wait().unwrap();
                stream.trim().unwrap();
            }
        }
        assert_eq!(validation_messages(), 0);
    }

    /// Many short pieces far apart share chunks, and few of these are kept.
    #[test]
    fn a_column_takes_as_much_memory_as_it_has_bytes() {
        const ROWS: usize = 10_000;
        const WIDTH: usize = 5120;
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let buffer = stream.allocate((ROWS * WIDTH) as u64).unwrap();
            stream.zero(&buffer).unwrap();
            stream
                .upload(&buffer, &[(7 * WIDTH as u64, &[5; 4])])
                .unwrap();
            let column = (0..ROWS).map(|row| ((row * WIDTH) as u64, 4 * row..4 * row + 4));
            let readback = stream.send_for(&buffer, column.collect()).unwrap().unwrap();
            assert_eq!(readback.loads.len(), 1);
            let mut out = vec![1; 4 * ROWS];
            let land = |arrived: super::Arrived<'_>| {
                let range = arrived.range.clone();
                arrived.read(range.start, &mut out[range]);
            };
            readback.land(land).unwrap();
            assert!((0..4 * ROWS).all(|at| out[at] == if at / 4 == 7 { 5 } else { 0 }));

            let whole = vec![(0, 0..ROWS * WIDTH); 3];
            let readbacks = whole
                .into_iter()
                .map(|piece| stream.send_for(&buffer, vec![piece]));
            for readback in readbacks.collect::<Vec<_>>() {
                readback.unwrap().unwrap().land(|_| ()).unwrap();
            }
            assert!((32 << 20..48 << 20).contains(&stream.memory().pooled()));
            stream.wait().unwrap();
            stream.trim().unwrap();
            assert_eq!(stream.memory().pooled(), 0);
        }
        assert_eq!(validation_messages(), 0);
    }
}
