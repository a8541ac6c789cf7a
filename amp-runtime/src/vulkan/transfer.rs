//! Copies between the host and a stream's buffers.
//!
//! Where the host sees a buffer, they are plain copies. Elsewhere they go through
//! chunks of staging memory ([`Load`]): small ones share a chunk, large ones go load by
//! load, so that the device moves one while the host copies the next.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use ash::vk;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::batch::Recorder;
use super::buffer::{Buffer, Purpose};
use super::guest::Foreign;
use super::lane::Passage;
use super::load::{Bytes, Load, loads};
use super::staging::Class;
use super::stream::Stream;
use crate::error::{Error, Result};
use crate::profile::Direction;

/// Up to this size an upload shares its chunk.
const SMALL: usize = 64 << 10;
/// Chunks on their way at a time.
const LOADS: usize = 4;
/// Bytes of chunks on their way at a time whose bytes will not be read.
const GIVEN_UP: u64 = LOADS as u64 * Class::Large.bytes();
/// Bytes between two pieces up to which a device copies them rather than start anew.
pub(super) const GAP: u64 = 256;
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
    /// Copies pieces, each with its offset, in ascending order, into a buffer, in the order
    /// of the stream's commands. The pieces have been read when it returns.
    pub(crate) fn upload(&self, buffer: &Arc<Buffer>, pieces: &[(u64, &[u8])]) -> Result<()> {
        self.upload_some(buffer, pieces, &mut 0)
    }

    /// [`upload`](Self::upload) that counts, if it fails too, how many bytes, the first ones,
    /// have come to the buffer or are on their way there.
    pub(crate) fn upload_some(
        &self,
        buffer: &Arc<Buffer>,
        pieces: &[(u64, &[u8])],
        sent: &mut usize,
    ) -> Result<()> {
        for (offset, data) in pieces {
            check(buffer, *offset, data.len())?;
        }
        let bytes: usize = pieces.iter().map(|(_, data)| data.len()).sum();
        let _span = tracing::trace_span!(target: "amp", "upload", bytes).entered();
        if buffer.is_mapped() {
            self.wait_for(buffer)?;
            self.time_transfer(Direction::Upload, bytes, || {
                for (offset, data) in pieces {
                    // SAFETY: no command so far uses the buffer any more. Later ones leave
                    // these bytes alone: they are stale in the copy that it is of some home,
                    // under that home's lock.
                    unsafe { buffer.write(*offset, data) };
                }
            });
            *sent += bytes;
            return Ok(());
        }
        self.stage(buffer, pieces, sent)
    }

    /// [`upload_some`](Self::upload_some) that does not wait for commands that use the buffer.
    pub(crate) fn upload_soon(
        &self,
        buffer: &Arc<Buffer>,
        pieces: &[(u64, &[u8])],
        sent: &mut usize,
    ) -> Result<()> {
        if self.has_at_hand(buffer) {
            return self.upload_some(buffer, pieces, sent);
        }
        for (offset, data) in pieces {
            check(buffer, *offset, data.len())?;
        }
        self.stage(buffer, pieces, sent)
    }

    /// Uploads by way of chunks.
    fn stage(&self, buffer: &Arc<Buffer>, pieces: &[(u64, &[u8])], sent: &mut usize) -> Result<()> {
        let bytes: usize = pieces.iter().map(|(_, data)| data.len()).sum();
        let class = match bytes <= SMALL {
            true => Class::Small,
            false => Class::Large,
        };
        let loads = loads(pieces.iter().copied(), class.bytes(), 0);
        let mut loads = loads.into_iter().peekable();
        if class == Class::Large
            && let Some(passage) = self.passage(buffer)?
        {
            let mut failed = Ok(());
            while let Some(load) = loads.peek()
                && failed.is_ok()
            {
                failed = passage.lane.send_load(buffer, load, Some(&passage));
                if failed.is_ok() {
                    *sent += load.bytes as usize;
                    loads.next();
                }
            }
            passage.end(buffer);
            self.unless_lost(failed)?;
        }
        for load in loads {
            match class {
                Class::Large => self.send_load(buffer, &load, None)?,
                _ => {
                    let mut recorder = self.lock()?;
                    let (chunk, start) = recorder.room(class, load.bytes)?;
                    self.time_staging(load.bytes, || load.fill(&chunk, start));
                    let regions = load.to_buffer(start);
                    recorder.copy(&chunk, buffer, &regions, Direction::Upload)?;
                    self.submit_if_due(&mut recorder)?;
                }
            }
            *sent += load.bytes as usize;
        }
        Ok(())
    }

    /// Sends a large load on its way.
    fn send_load(
        &self,
        buffer: &Arc<Buffer>,
        load: &Load<&[u8]>,
        passage: Option<&Passage<'_>>,
    ) -> Result<()> {
        let chunk = {
            let mut recorder = self.lock()?;
            while recorder.flying() >= LOADS {
                self.wait_for_oldest(&mut recorder)?;
            }
            self.chunk(&mut recorder, Class::Large)?
        };
        self.time_staging(load.bytes, || load.fill(&chunk, 0));
        let mut recorder = self.lock()?;
        let (regions, direction) = (load.to_buffer(0), Direction::Upload);
        match passage {
            None => {
                recorder.copy(&chunk, buffer, &regions, direction)?;
                recorder.lend(Class::Large, chunk)?;
                recorder.submit_by_and_by()
            }
            Some(passage) => {
                passage.enter(&mut recorder)?;
                recorder.copy_foreign(Foreign::Target, &chunk, buffer, &regions, direction)?;
                recorder.lend(Class::Large, chunk)?;
                recorder.submit_own()
            }
        }
    }

    /// A chunk. Where memory is short, or batches hold many that nothing else uses any more, what
    /// flies is completed first, and gives back what it holds.
    fn chunk(&self, recorder: &mut Recorder, class: Class) -> Result<Arc<Buffer>> {
        if !self.pool.chunks.has(class) {
            // The last one may be done with. If that cannot be asked, there will be another.
            let _ = recorder.recycle();
            while recorder.flying() > 0 && recorder.held(Purpose::Staging) > GIVEN_UP {
                self.wait_for_oldest(recorder)?;
            }
        }
        loop {
            match self.pool.chunks.take(&self.device, class) {
                Err(Error::OutOfMemory { .. }) if recorder.flying() > 0 => {
                    self.wait_for_oldest(recorder)?;
                }
                result => return result,
            }
        }
    }

    /// Copies bytes out of a buffer into pieces, each with its offset, in ascending order,
    /// when the commands recorded so far that use the buffer are complete.
    pub(crate) fn download(
        &self,
        buffer: &Arc<Buffer>,
        pieces: Vec<(u64, &mut [u8])>,
    ) -> Result<()> {
        self.bring(buffer, pieces, |out, from, offset| {
            // SAFETY: nothing writes there (`bring`).
            unsafe { from.read(offset, out) };
        })
    }

    /// Shows the bytes of each piece, in ascending order, when they can be read: in which
    /// buffer and from which offset on. Nothing writes them meanwhile.
    pub(super) fn bring<B: Bytes>(
        &self,
        buffer: &Arc<Buffer>,
        pieces: Vec<(u64, B)>,
        mut each: impl FnMut(B, &Buffer, u64),
    ) -> Result<()> {
        for (offset, piece) in &pieces {
            check(buffer, *offset, piece.len())?;
        }
        let bytes: usize = pieces.iter().map(|(_, piece)| piece.len()).sum();
        let _span = tracing::trace_span!(target: "amp", "download", bytes).entered();
        if buffer.is_mapped() {
            self.wait_for(buffer)?;
            self.time_transfer(Direction::Download, bytes, || {
                for (offset, piece) in pieces {
                    // No command so far writes the buffer any more; a new one that writes
                    // these bytes would need its home's lock, or the `&mut` of a view of them.
                    each(piece, buffer, offset);
                }
            });
            return Ok(());
        }
        let class = match bytes as u64 <= Class::Small.bytes() {
            true => Class::Small,
            false => Class::Large,
        };
        let mut loads = VecDeque::from(loads(pieces, class.bytes(), GAP));
        if class == Class::Large
            && let Some(passage) = self.passage(buffer)?
        {
            let lane = &passage.lane;
            let fetched = lane.fetch_all(buffer, &mut loads, class, Some(&passage), &mut each);
            passage.end(buffer);
            self.unless_lost(fetched)?;
            if loads.is_empty() {
                return passage.settle();
            }
        }
        self.fetch_all(buffer, &mut loads, class, None, &mut each)
    }

    /// Shows loads when they have come, and takes each from the front then.
    fn fetch_all<B: Bytes>(
        &self,
        buffer: &Arc<Buffer>,
        loads: &mut VecDeque<Load<B>>,
        class: Class,
        passage: Option<&Passage<'_>>,
        each: &mut impl FnMut(B, &Buffer, u64),
    ) -> Result<()> {
        // The first loads are on their way: where each arrives, and the batch that brings it.
        let mut flying = VecDeque::new();
        while !loads.is_empty() {
            let next = loads.get(flying.len()).filter(|_| flying.len() < LOADS);
            let sent = next.map(|load| self.fetch(buffer, &load.to_chunk(), class, passage));
            match sent {
                Some(Ok(next)) => {
                    flying.push_back(next);
                    continue;
                }
                Some(Err(Error::OutOfMemory { .. })) if !flying.is_empty() => {
                    // With fewer on their way at a time.
                }
                Some(Err(error)) => return Err(error),
                None => {}
            }
            if let Some((chunk, batch)) = flying.pop_front() {
                self.wait_until(batch)?;
                if let Some(load) = loads.pop_front() {
                    self.time_staging(load.bytes, || {
                        for (offset, piece) in load.into_pieces() {
                            each(piece, &chunk, offset);
                        }
                    });
                }
                self.pool.chunks.give_back(class, chunk);
            }
        }
        Ok(())
    }

    /// Sends for regions of a buffer. Returns the chunk that they come to, and the batch that
    /// brings them.
    pub(super) fn fetch(
        &self,
        buffer: &Arc<Buffer>,
        regions: &[vk::BufferCopy],
        class: Class,
        passage: Option<&Passage<'_>>,
    ) -> Result<(Arc<Buffer>, u64)> {
        let mut recorder = self.lock()?;
        let chunk = self.chunk(&mut recorder, class)?;
        let direction = Direction::Download;
        match passage {
            None => {
                recorder.copy(buffer, &chunk, regions, direction)?;
                recorder.submit()?;
            }
            Some(passage) => {
                passage.enter(&mut recorder)?;
                recorder.copy_foreign(Foreign::Source, buffer, &chunk, regions, direction)?;
                recorder.submit_own()?;
            }
        }
        Ok((chunk, recorder.submitted()))
    }

    /// Fills a buffer with zeroes, in the order of the stream's commands.
    pub(crate) fn zero(&self, buffer: &Arc<Buffer>) -> Result<()> {
        let mut recorder = self.lock()?;
        recorder.zero(buffer)?;
        self.submit_if_due(&mut recorder)
    }
}

/// Refuses a range that is not in the buffer; the driver would not notice.
pub(super) fn check(buffer: &Buffer, offset: u64, length: usize) -> Result<()> {
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

    /// No call has waited for the upload, but it is complete.
    #[test]
    fn a_download_has_the_chunk_of_the_upload_before_it() {
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let buffer = stream.allocate(1 << 20).unwrap();
            let mut data = vec![7; 1 << 20];
            stream.upload(&buffer, &[(0, &data)]).unwrap();
            stream.flush().unwrap();
            // SAFETY: no other thread has this device.
            unsafe { stream.device.raw().device_wait_idle() }.unwrap();
            stream.download(&buffer, vec![(0, &mut data)]).unwrap();
            drop(buffer);
            stream.wait().unwrap();
            let kept = stream.memory().pooled();
            assert!(kept < 2 * Class::Large.bytes(), "{kept} bytes");
        }
        assert_eq!(validation_messages(), 0);
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
                stream.upload(&buffer, &[(0, &data)]).unwrap();
                let mut out = vec![0; bytes];
                stream.download(&buffer, vec![(0, &mut out)]).unwrap();
                assert!(out == data, "{bytes} bytes on {adapter:?}");
            }
            // So many of them that they would fill a lot of memory together.
            let buffer = stream.allocate(SMALL as u64).unwrap();
            for i in 0..6000 {
                stream.upload(&buffer, &[(0, &[i as u8; SMALL])]).unwrap();
            }
            let mut out = vec![0; SMALL];
            stream.download(&buffer, vec![(0, &mut out)]).unwrap();
            assert!(out.iter().all(|&byte| byte == 5999_u32 as u8));
            let kept = stream.memory().pooled();
            assert!(kept < 160 << 20, "{kept} bytes of staging memory");
            // Many small ones share chunks.
            let buffer = stream.allocate(4000).unwrap();
            for i in 0..1000u32 {
                stream
                    .upload(&buffer, &[(u64::from(4 * i), &i.to_le_bytes())])
                    .unwrap();
            }
            let mut out = [0u32; 1000];
            stream
                .download(&buffer, vec![(0, bytemuck::cast_slice_mut(&mut out))])
                .unwrap();
            assert!(out.iter().zip(0..).all(|(&a, b)| a == b));
            assert!(stream.upload(&buffer, &[(3999, &[0; 2])]).is_err());
        }
        // Says something only with AMP_VALIDATION=1.
        assert_eq!(validation_messages(), 0);
    }

    /// Rows of a wider whole, near each other and far apart, few and many.
    #[test]
    fn staged_rows_leave_the_rest_alone() {
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            for (rows, width, row) in [(10, 100, 7), (9000, 40, 4), (300, 70_000, 60_000)] {
                let whole: Vec<u8> = (0..rows * width).map(|i| (i % 251) as u8).collect();
                let buffer = stream.allocate(whole.len() as u64).unwrap();
                stream.zero(&buffer).unwrap();
                let starts = (0..rows).map(|i| i * width + 3);
                let pieces = starts.clone().map(|at| (at as u64, &whole[at..at + row]));
                stream.upload(&buffer, &pieces.collect::<Vec<_>>()).unwrap();
                let mut out = vec![255; whole.len()];
                stream.download(&buffer, vec![(0, &mut out)]).unwrap();
                let within = |at: usize| (3..3 + row).contains(&(at % width));
                let is_right = |at: usize| out[at] == if within(at) { whole[at] } else { 0 };
                assert!((0..out.len()).all(is_right), "up, {rows} × {width}");

                stream.upload(&buffer, &[(0, &whole)]).unwrap();
                let mut out = vec![255; whole.len()];
                let places = out.chunks_mut(width).zip(starts);
                let places = places.map(|(line, at)| (at as u64, &mut line[3..3 + row]));
                stream.download(&buffer, places.collect()).unwrap();
                let is_right = |at: usize| out[at] == if within(at) { whole[at] } else { 255 };
                assert!((0..out.len()).all(is_right), "down, {rows} × {width}");
            }
        }
        assert_eq!(validation_messages(), 0);
    }
}
