//! Copies between the host and a stream's buffers.
//!
//! Where the host sees a buffer, they are plain copies. Elsewhere they go through
//! chunks of staging memory: small ones share a chunk, large ones go piece by piece, so
//! that the device moves one piece while the host copies the next.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::buffer::Buffer;
use super::staging::Class;
use super::stream::Stream;
use crate::error::{Error, Result};

/// Up to this size an upload shares its chunk.
const SMALL: usize = 64 << 10;
/// Chunks on their way at a time.
const PIECES: usize = 4;
/// From this size on, several threads copy.
const PARALLEL: usize = 1 << 20;
/// More threads than this do not copy faster.
const THREADS: usize = 8;

/// Copies bytes, with several threads if there are many.
pub(super) fn copy_bytes(target: &mut [u8], source: &[u8]) {
    // A worker of a pool that waits takes up other work meanwhile, which may want a lock
    // that our caller holds. So workers copy alone.
    if target.len() < PARALLEL || rayon::current_thread_index().is_some() {
        return target.copy_from_slice(source);
    }
    let Some(pool) = copiers() else {
        return target.copy_from_slice(source);
    };
    let part = target
        .len()
        .div_ceil(2 * pool.current_num_threads())
        .next_multiple_of(4096);
    let parts = target.par_chunks_mut(part).zip(source.par_chunks(part));
    pool.install(|| parts.for_each(|(target, source)| target.copy_from_slice(source)));
}

/// The threads that copy, started when first there is much to copy; `None` if there is
/// but one processor.
fn copiers() -> Option<&'static ThreadPool> {
    static COPIERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = ThreadPoolBuilder::new()
            .num_threads(processors.min(THREADS))
            .thread_name(|number| format!("amp copy {number}"));
        (processors > 1).then(|| pool.build().ok()).flatten()
    };
    COPIERS.get_or_init(start).as_ref()
}

impl Stream {
    /// Copies bytes into a buffer, in the order of the stream's commands. The bytes have
    /// been read when it returns.
    pub(crate) fn upload(&self, buffer: &Arc<Buffer>, offset: u64, data: &[u8]) -> Result<()> {
        check(buffer, offset, data.len())?;
        if buffer.is_mapped() {
            self.wait_for(buffer)?;
            // SAFETY: no command uses the buffer any more, and none will be recorded
            // meanwhile: the copy that it is of some home is stale, under that home's lock.
            unsafe { buffer.write(offset, data) };
            return Ok(());
        }
        if data.len() <= SMALL {
            let mut recorder = self.lock()?;
            let (chunk, start) = recorder.room(Class::Small, data.len() as u64)?;
            // SAFETY: the room is new, so nothing else uses it.
            unsafe { chunk.write(start, data) };
            return recorder.copy((&chunk, start), (buffer, offset), data.len() as u64);
        }
        let mut offset = offset;
        for piece in data.chunks(Class::Large.bytes() as usize) {
            let chunk = {
                let mut recorder = self.lock()?;
                while recorder.flying() >= PIECES {
                    self.wait_for_oldest(&mut recorder)?;
                }
                recorder.chunks.take(&self.device, Class::Large)?
            };
            // SAFETY: the chunk is ours.
            unsafe { chunk.write(0, piece) };
            let mut recorder = self.lock()?;
            recorder.copy((&chunk, 0), (buffer, offset), piece.len() as u64)?;
            recorder.lend(Class::Large, chunk)?;
            recorder.submit()?;
            offset += piece.len() as u64;
        }
        Ok(())
    }

    /// Copies bytes out of a buffer when the commands recorded so far that use it are
    /// complete.
    pub(crate) fn download(&self, buffer: &Arc<Buffer>, offset: u64, out: &mut [u8]) -> Result<()> {
        check(buffer, offset, out.len())?;
        if buffer.is_mapped() {
            self.wait_for(buffer)?;
            // SAFETY: no command writes the buffer any more; a new one would need its
            // home's lock, or the `&mut` of its array or view.
            unsafe { buffer.read(offset, out) };
            return Ok(());
        }
        let class = if out.len() as u64 <= Class::Small.bytes() {
            Class::Small
        } else {
            Class::Large
        };
        let mut offset = offset;
        let mut flying: VecDeque<(Arc<Buffer>, u64, &mut [u8])> = VecDeque::new();
        let mut result = Ok(());
        for piece in out.chunks_mut(class.bytes() as usize) {
            let sent = self.send_piece(buffer, offset, piece.len(), class);
            offset += piece.len() as u64;
            match sent {
                Ok((chunk, number)) => flying.push_back((chunk, number, piece)),
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
            if flying.len() == PIECES {
                result = self.land_piece(&mut flying, class);
                if result.is_err() {
                    break;
                }
            }
        }
        while result.is_ok() && !flying.is_empty() {
            result = self.land_piece(&mut flying, class);
        }
        result
    }

    /// Sends for a piece; the chunk that it comes in, and the batch that brings it.
    fn send_piece(
        &self,
        buffer: &Arc<Buffer>,
        offset: u64,
        bytes: usize,
        class: Class,
    ) -> Result<(Arc<Buffer>, u64)> {
        let mut recorder = self.lock()?;
        let chunk = recorder.chunks.take(&self.device, class)?;
        recorder.copy((buffer, offset), (&chunk, 0), bytes as u64)?;
        recorder.submit()?;
        Ok((chunk, recorder.submitted()))
    }

    /// Waits for the oldest piece and copies it out.
    fn land_piece(
        &self,
        flying: &mut VecDeque<(Arc<Buffer>, u64, &mut [u8])>,
        class: Class,
    ) -> Result<()> {
        let Some((chunk, number, piece)) = flying.pop_front() else {
            return Ok(());
        };
        self.wait_until(number)?;
        // SAFETY: the batch that wrote the chunk is complete, and the chunk is ours.
        unsafe { chunk.read(0, piece) };
        self.lock()?.chunks.give_back(class, chunk);
        Ok(())
    }

    /// Fills a buffer with zeroes, in the order of the stream's commands.
    pub(crate) fn zero(&self, buffer: &Arc<Buffer>) -> Result<()> {
        self.lock()?.zero(buffer)
    }
}

/// Refuses a range that is not in the buffer; the driver would not notice.
fn check(buffer: &Buffer, offset: u64, length: usize) -> Result<()> {
    match offset.checked_add(length as u64) {
        Some(end) if end <= buffer.bytes() => Ok(()),
        _ => Err(Error::Driver {
            operation: "copying",
            reason: format!(
                "{length} bytes at {offset} are not in a buffer of {} bytes",
                buffer.bytes()
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::adapter::discrete_adapters;
    use super::super::validation_messages;
    use super::*;

    #[test]
    fn large_copies_are_complete() {
        let source: Vec<u8> = (0..PARALLEL + 12_345)
            .map(|i| (i * 7 % 251) as u8)
            .collect();
        let mut target = vec![0; source.len()];
        copy_bytes(&mut target, &source);
        assert!(target == source);
    }

    /// Sizes on both sides of every limit, through staging even where the device works
    /// in the host's memory.
    #[test]
    fn staged_bytes_arrive() {
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            for bytes in [4, SMALL, SMALL + 4, 300 << 10, (16 << 20) + 8, 90 << 20] {
                let data: Vec<u8> = (0..bytes).map(|i| (i * 31 % 253) as u8).collect();
                let buffer = stream.allocate(bytes as u64).unwrap();
                assert!(!buffer.is_mapped());
                stream.zero(&buffer).unwrap();
                stream.upload(&buffer, 0, &data).unwrap();
                let mut out = vec![0; bytes];
                stream.download(&buffer, 0, &mut out).unwrap();
                assert!(out == data, "{bytes} bytes on {adapter:?}");
            }
            // Many small ones share chunks.
            let buffer = stream.allocate(4000).unwrap();
            for i in 0..1000u32 {
                stream
                    .upload(&buffer, u64::from(4 * i), &i.to_le_bytes())
                    .unwrap();
            }
            let mut out = [0u32; 1000];
            stream
                .download(&buffer, 0, bytemuck::cast_slice_mut(&mut out))
                .unwrap();
            assert!(out.iter().zip(0..).all(|(&a, b)| a == b));
            assert!(stream.upload(&buffer, 3999, &[0; 2]).is_err());
        }
        // Says something only with AMP_VALIDATION=1.
        assert_eq!(validation_messages(), 0);
    }
}
