//! Copies between the host and a stream's buffers.
//!
//! Where the host works in a buffer's memory, they are plain copies, and so are reads of a few
//! bytes where it sees the memory at all. Elsewhere they go through chunks of staging memory
//! ([`Load`]): small ones share a chunk, others go load by load, so that the device moves one while
//! the host copies the next. They go by the [transfer stream](super::transfer_stream) if they are
//! large, or if they would have to wait for launches that they have nothing to do with.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::buffer::Buffer;
use super::super::buffer::staging::Class;
use super::super::copier::Copying;
use super::super::load::{Bytes, Load, loads};
use super::super::memory::Purpose;
use super::Stream;
use super::batch::Recorder;
use super::cross_stream::Foreign;
use super::transfer_stream::Passage;
use crate::types::error::{Error, Result};
use crate::types::event::Direction;

/// Up to this size an upload shares its chunk.
const SMALL: usize = 64 << 10;
/// Bytes of chunks on their way at a time whose bytes will not be read.
const GIVEN_UP: u64 = 32 << 20;
/// Bytes between two pieces up to which a device copies them rather than start anew.
pub(in crate::device::vulkan) const GAP: u64 = 256;
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
            buffer.check(*offset, data.len())?;
        }
        let bytes: usize = pieces.iter().map(|(_, data)| data.len()).sum();
        let _span = tracing::trace_span!(target: "amp", "upload", bytes).entered();
        if buffer.is_mapped() {
            self.wait_for(buffer)?;
            self.time_transfer(Direction::Upload, bytes, || {
                for (offset, data) in pieces {
                    // SAFETY: no command so far uses the buffer any more. Later ones leave
                    // these bytes alone: they are stale in the copy that it is of some allocation,
                    // under that allocation's lock.
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
            buffer.check(*offset, data.len())?;
        }
        self.stage(buffer, pieces, sent)
    }

    /// Uploads by way of chunks.
    fn stage(&self, buffer: &Arc<Buffer>, pieces: &[(u64, &[u8])], sent: &mut usize) -> Result<()> {
        let bytes: usize = pieces.iter().map(|(_, data)| data.len()).sum();
        let loads = loads(pieces.to_vec(), 0);
        if bytes <= SMALL {
            for load in loads {
                let mut recorder = self.lock()?;
                let (chunk, start) = recorder.room(Class::Small, load.bytes)?;
                self.time_staging(load.bytes, || load.fill(&chunk, start));
                let regions = load.to_buffer(start);
                recorder.copy(&chunk, buffer, &regions, Direction::Upload)?;
                self.submit_if_due(&mut recorder)?;
                *sent += load.bytes as usize;
            }
            return Ok(());
        }
        let mut rest = VecDeque::from(loads);
        if let Some(passage) = self.passage(buffer, bytes)? {
            let gone = passage
                .transfer_stream
                .send_loads(buffer, &mut rest, Some(&passage), sent);
            passage.end(buffer);
            self.unless_lost(gone)?;
        }
        self.send_loads(buffer, &mut rest, None, sent)
    }

    /// Sends loads on their way, each in a chunk for itself, and takes each from the front then:
    /// one goes while the next is copied to its chunk.
    fn send_loads(
        &self,
        buffer: &Arc<Buffer>,
        loads: &mut VecDeque<Load<&[u8]>>,
        passage: Option<&Passage<'_>>,
        sent: &mut usize,
    ) -> Result<()> {
        // The chunk that is filled with the first load.
        let mut filling: Option<(Arc<Buffer>, Copying<'_>)> = None;
        loop {
            let next = loads.get(usize::from(filling.is_some()));
            let chunk = next.map(|load| self.chunk_for(load, filling.is_some()));
            let next = match (next, chunk) {
                (Some(load), Some(Ok(chunk))) => {
                    // SAFETY: the chunk is new or ours, so nothing else uses it.
                    let copying = unsafe { Copying::to_chunk(&chunk, load.pieces()) }?;
                    Some((chunk, copying))
                }
                // With fewer at a time.
                (_, Some(Err(error))) if filling.is_none() => return Err(error),
                _ => None,
            };
            if let Some((chunk, copying)) = std::mem::replace(&mut filling, next)
                && let Some(load) = loads.front()
            {
                self.time_staging(load.bytes, || drop(copying));
                self.send_load(buffer, load, chunk, passage)?;
                *sent += load.bytes as usize;
                loads.pop_front();
            }
            if loads.is_empty() {
                return Ok(());
            }
        }
    }

    /// A chunk for a load to the device, beside one that is being filled or not, when few enough
    /// are on their way.
    fn chunk_for(&self, load: &Load<&[u8]>, beside: bool) -> Result<Arc<Buffer>> {
        let mut recorder = self.lock()?;
        while recorder.flying() + usize::from(beside) >= load.class.at_a_time() {
            self.wait_for_oldest(&mut recorder)?;
        }
        self.chunk(&mut recorder, load.class)
    }

    /// Sends a load on its way from its chunk.
    fn send_load(
        &self,
        buffer: &Arc<Buffer>,
        load: &Load<&[u8]>,
        chunk: Arc<Buffer>,
        passage: Option<&Passage<'_>>,
    ) -> Result<()> {
        let mut recorder = self.lock()?;
        let (regions, direction) = (load.to_buffer(0), Direction::Upload);
        match passage {
            None => {
                recorder.copy(&chunk, buffer, &regions, direction)?;
                recorder.lend(load.class, chunk)?;
                recorder.submit_by_and_by()
            }
            Some(passage) => {
                passage.enter(&mut recorder)?;
                recorder.copy_foreign(Foreign::Target, &chunk, buffer, &regions, direction)?;
                recorder.lend(load.class, chunk)?;
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
        self.deliver(buffer, pieces, |piece| piece)
    }

    /// [`download`](Self::download) of pieces whose places are asked for when they have arrived:
    /// those, and no others, have been written when this returns, if it fails too.
    pub(crate) fn deliver<'p, B: Bytes>(
        &self,
        buffer: &Arc<Buffer>,
        pieces: Vec<(u64, B)>,
        mut place: impl FnMut(B) -> &'p mut [u8],
    ) -> Result<()> {
        for (offset, piece) in &pieces {
            buffer.check(*offset, piece.len())?;
        }
        let bytes: usize = pieces.iter().map(|(_, piece)| piece.len()).sum();
        let _span = tracing::trace_span!(target: "amp", "download", bytes).entered();
        if buffer.is_read_by_host(bytes, pieces.len()) {
            self.wait_for(buffer)?;
            self.time_transfer(Direction::Download, bytes, || {
                for (offset, piece) in pieces {
                    // SAFETY: no command so far writes the buffer any more; a new one that writes
                    // these bytes would need its allocation's lock, or the `&mut` of a view of
                    // them.
                    unsafe { buffer.read(offset, place(piece)) };
                }
            });
            return Ok(());
        }
        let mut loads = VecDeque::from(loads(pieces, GAP));
        if let Some(passage) = self.passage(buffer, bytes)? {
            let transfer_stream = &passage.transfer_stream;
            let fetched = transfer_stream.fetch_all(buffer, &mut loads, Some(&passage), &mut place);
            if loads.is_empty() {
                // All has arrived, so that no command need wait for it.
                return passage.settle();
            }
            passage.end(buffer);
            self.unless_lost(fetched)?;
        }
        self.fetch_all(buffer, &mut loads, None, &mut place)
    }

    /// Brings loads to their places, and takes each from the front when it has arrived: some are
    /// on their way while one is copied.
    fn fetch_all<'p, B: Bytes>(
        &self,
        buffer: &Arc<Buffer>,
        loads: &mut VecDeque<Load<B>>,
        passage: Option<&Passage<'_>>,
        place: &mut impl FnMut(B) -> &'p mut [u8],
    ) -> Result<()> {
        // The first loads are on their way: where each arrives, and the batch that brings it.
        let mut flying = VecDeque::new();
        // The one that arrived last.
        let mut arrived: Option<Arrival<'p>> = None;
        while !loads.is_empty() {
            let busy = flying.len() + usize::from(arrived.is_some());
            let has_room = |load: &&Load<B>| busy < load.class.at_a_time();
            let next = loads.get(flying.len()).filter(has_room);
            let sent = next.map(|load| self.fetch(buffer, load, passage));
            match sent {
                Some(Ok(next)) => {
                    flying.push_back(next);
                    continue;
                }
                Some(Err(Error::OutOfMemory { .. })) if busy > 0 => {
                    // With fewer on their way at a time.
                }
                Some(Err(error)) => return Err(error),
                None => {}
            }
            let mut latest = None;
            if let Some((chunk, batch)) = flying.pop_front() {
                self.wait_until(batch)?;
                if let Some(load) = loads.pop_front() {
                    let (class, bytes) = (load.class, load.bytes);
                    let pieces = load.into_pieces().into_iter();
                    let pieces = pieces.map(|(offset, piece)| (offset, place(piece)));
                    // SAFETY: the batch that wrote the chunk is complete, and the chunk is ours.
                    let copying = unsafe { Copying::from_chunk(&chunk, pieces) }?;
                    latest = Some(Arrival {
                        class,
                        bytes,
                        chunk,
                        copying,
                    });
                }
            }
            if let Some(arrived) = std::mem::replace(&mut arrived, latest) {
                self.finish(arrived);
            }
        }
        arrived.into_iter().for_each(|last| self.finish(last));
        Ok(())
    }

    /// Waits until what has arrived is where it belongs.
    fn finish(&self, arrived: Arrival<'_>) {
        self.time_staging(arrived.bytes, || drop(arrived.copying));
        self.pool.chunks.give_back(arrived.class, arrived.chunk);
    }

    /// Sends for a load from a buffer. Returns the chunk that it comes to, and the batch that
    /// brings it.
    pub(in crate::device::vulkan) fn fetch<B>(
        &self,
        buffer: &Arc<Buffer>,
        load: &Load<B>,
        passage: Option<&Passage<'_>>,
    ) -> Result<(Arc<Buffer>, u64)> {
        let mut recorder = self.lock()?;
        let chunk = self.chunk(&mut recorder, load.class)?;
        let (regions, direction) = (load.to_chunk(), Direction::Download);
        match passage {
            None => {
                recorder.copy(buffer, &chunk, &regions, direction)?;
                recorder.submit()?;
            }
            Some(passage) => {
                passage.enter(&mut recorder)?;
                recorder.copy_foreign(Foreign::Source, buffer, &chunk, &regions, direction)?;
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

/// A load that has arrived in a chunk, and is copied from there.
struct Arrival<'p> {
    class: Class,
    bytes: u64,
    chunk: Arc<Buffer>,
    copying: Copying<'p>,
}

#[cfg(test)]
mod tests {
    use super::super::super::search::discrete_adapters;
    use super::super::super::validation_messages;
    use super::*;

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
            assert!(kept <= 2 * Class::Medium.bytes(), "{kept} bytes");
        }
        assert_eq!(validation_messages(), 0);
    }

    /// The host waits for what writes the few bytes that it reads itself, on either queue.
    #[test]
    fn few_bytes_are_what_was_written_last() {
        const SIZE: usize = 9 << 20;
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let buffer = stream.allocate(SIZE as u64).unwrap();
            let read = |offset: usize| {
                let mut bytes = [9; 4];
                let piece = (offset as u64, &mut bytes[..]);
                stream.download(&buffer, vec![piece]).unwrap();
                bytes
            };
            for round in 1..5 {
                stream.zero(&buffer).unwrap();
                assert_eq!(read(SIZE - 4), [0; 4]);
                let data = vec![round; SIZE];
                stream.upload(&buffer, &[(0, &data)]).unwrap();
                assert_eq!([read(0), read(SIZE - 4)], [[round; 4]; 2]);
                stream.upload(&buffer, &[(101, &[round + 9; 2])]).unwrap();
                assert_eq!(read(100), [round, round + 9, round + 9, round]);
            }
        }
        assert_eq!(validation_messages(), 0);
    }

    /// Sizes on both sides of every limit, through staging even where the device works
    /// in the host's memory.
    #[test]
    fn staged_bytes_arrive() {
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            for bytes in [4, SMALL, SMALL + 4, 300 << 10, (8 << 20) + 8, 90 << 20] {
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
