//! Transfer streams: transfers beside the kernels of a stream.
//!
//! Where a device has a queue to spare, a stream hands large transfers, and others that would
//! wait for launches they have nothing to do with, to a second stream there, its transfer stream. A
//! transfer there waits for the commands so far that use its buffer, and for no others; commands
//! from then on that use the buffer wait for it, as for a
//! [cross-stream use](super::cross_stream), and no others do. Buffers are shared between the families of both
//! queues, so nothing is handed over.
//!
//! A batch of a transfer stream has one transfer. If it cannot be sent, that is made on the queue
//! of the kernels: a transfer stream is never the reason why a transfer fails.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::super::buffer::Buffer;
use super::super::buffer::staging::Class;
use super::Stream;
use super::batch::Recorder;
use crate::types::error::Result;

/// Up to this size transfers wait for launches, which they may have to do with.
const SMALL: usize = Class::Small.bytes() as usize;
/// Up to this size transfers go with the launches if they need not wait for others: neither queue
/// waits for the other then.
const MEDIUM: usize = Class::Large.bytes() as usize;

/// The transfer stream of a stream.
#[derive(Default)]
pub(in crate::device::vulkan) struct TransferStream(Mutex<Opened>);

#[derive(Default)]
enum Opened {
    #[default]
    NotYet,
    /// There is no queue for it.
    Never,
    Stream(Arc<Stream>),
}

impl TransferStream {
    fn lock(&self) -> MutexGuard<'_, Opened> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The transfer stream, if there has been a use for it.
    pub(super) fn opened(&self) -> Option<Arc<Stream>> {
        match &*self.lock() {
            Opened::Stream(transfer_stream) => Some(Arc::clone(transfer_stream)),
            Opened::NotYet | Opened::Never => None,
        }
    }
}

/// Transfers of one buffer on a transfer stream.
pub(in crate::device::vulkan) struct Passage<'s> {
    owner: &'s Stream,
    pub(in crate::device::vulkan) transfer_stream: Arc<Stream>,
    /// The last batch of the owner that the transfers wait for.
    pub(in crate::device::vulkan) before: u64,
    /// Whether a batch of the transfer stream waits for it, and with that all later ones.
    has_entered: Cell<bool>,
}

impl Stream {
    /// The stream for large transfers, if there is a queue for them. What is clocked goes on
    /// the queue of the kernels, with them. A transfer stream that has ended is replaced; while
    /// that cannot be done, there is none.
    fn transfer_stream(&self) -> Option<Arc<Self>> {
        if self.clocks.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let mut opened = self.transfer_stream.lock();
        match &*opened {
            Opened::Stream(transfer_stream) if !transfer_stream.has_ended() => {
                return Some(Arc::clone(transfer_stream));
            }
            Opened::Never => return None,
            Opened::Stream(_) | Opened::NotYet => {}
        }
        match self.device.transfer_stream(&self.profiler, &self.pool) {
            Some(Ok(transfer_stream)) => {
                *opened = Opened::Stream(Arc::clone(&transfer_stream));
                Some(transfer_stream)
            }
            Some(Err(error)) => {
                tracing::warn!(%error, "a transfer goes on the queue of the kernels");
                None
            }
            None => {
                *opened = Opened::Never;
                None
            }
        }
    }

    /// Waits for all transfers on the transfer stream, so that their times are known.
    pub(crate) fn wait_for_transfers(&self) -> Result<()> {
        match self.transfer_stream.opened() {
            Some(transfer_stream) => self.unless_lost(transfer_stream.wait()),
            None => Ok(()),
        }
    }

    /// What came of something on the transfer stream. Nothing is lost with it that was not said to
    /// have failed, so if that is not for the device it is no matter.
    pub(super) fn unless_lost(&self, result: Result<()>) -> Result<()> {
        match result {
            Err(_) if !self.device.is_lost() => Ok(()),
            result => result,
        }
    }

    /// Begins transfers of so many bytes of a buffer on the transfer stream, if there is one and
    /// they are better there. All that has been recorded goes out, so as not to wait for what comes
    /// behind.
    pub(in crate::device::vulkan) fn passage(
        &self,
        buffer: &Arc<Buffer>,
        bytes: usize,
    ) -> Result<Option<Passage<'_>>> {
        let stays = bytes <= SMALL || bytes <= MEDIUM && !self.lock()?.has_launches_after(buffer);
        if stays {
            return Ok(None);
        }
        let Some(transfer_stream) = self.transfer_stream() else {
            return Ok(None);
        };
        let mut recorder = self.lock()?;
        if recorder.launches() > 0 {
            recorder.submit()?;
        }
        Ok(Some(Passage {
            owner: self,
            transfer_stream,
            before: recorder.send_uses(buffer)?,
            has_entered: Cell::new(false),
        }))
    }
}

impl Recorder {
    /// Whether launches are to be done that come after the last use of a buffer.
    fn has_launches_after(&self, buffer: &Buffer) -> bool {
        let completed = self.completed().unwrap_or_default();
        let done = completed.max(buffer.last_use());
        let mut batches = self.open.iter().chain(&self.flying);
        batches.any(|batch| batch.launches > 0 && batch.number > done)
    }
}

impl Passage<'_> {
    /// Lets the open batch of the transfer stream wait for the buffer.
    pub(super) fn enter(&self, transfer_stream: &mut Recorder) -> Result<()> {
        if self.has_entered.replace(true) {
            return Ok(());
        }
        // Also if it is complete: the transfer stream then sees what it wrote.
        transfer_stream.await_other(&self.owner.timeline, self.before)
    }

    /// Lets what uses the buffer from now on wait for the transfers.
    pub(in crate::device::vulkan) fn end(&self, buffer: &Arc<Buffer>) {
        let last = self.transfer_stream.lock_anyway().submitted();
        let mut owner = self.owner.lock_anyway();
        owner.add_cross_stream_use(buffer, &self.transfer_stream.timeline, last);
    }

    /// Waits for what the transfers have waited for, so that its faults are noted.
    pub(super) fn settle(&self) -> Result<()> {
        match self.before <= self.owner.completed.load(Ordering::Acquire) {
            true => Ok(()),
            false => self.owner.wait_until(self.before),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::search::discrete_adapters;
    use super::super::super::validation_messages;

    const SIZE: usize = (40 << 20) + 12;

    /// Large transfers of one buffer and small commands on it and on others take turns. The
    /// transfer stream is on the only queue where there is one, with the same waits.
    #[test]
    fn transfers_keep_the_order_of_what_uses_their_buffer() {
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let other = stream.allocate(4096).unwrap();
            let large = stream.allocate(SIZE as u64).unwrap();
            assert!(stream.passage(&large, SIZE).unwrap().is_some());
            let small = stream.passage(&other, 1 << 20).unwrap();
            assert!(small.is_none(), "there are no launches");
            let mut out = vec![0; SIZE];
            for round in 0..6u8 {
                stream.zero(&large).unwrap();
                stream.zero(&other).unwrap();
                stream.upload(&large, &[(0, &vec![round; SIZE])]).unwrap();
                stream.upload(&large, &[(77, &[100; 5])]).unwrap();
                stream.upload(&other, &[(0, &[round; 9])]).unwrap();
                let readback = stream.send_for(&large, vec![(0, 0..SIZE)]).unwrap();
                let readback = readback.unwrap();
                stream.zero(&large).unwrap();
                let mut few = [1; 10];
                stream.download(&other, vec![(0, &mut few)]).unwrap();
                assert_eq!(few, [[round; 9].as_slice(), &[0]].concat()[..]);
                readback
                    .land(|arrived| {
                        let range = arrived.range.clone();
                        arrived.read(range.start, &mut out[range]);
                    })
                    .unwrap();
                let is_right =
                    |at: usize| out[at] == if (77..82).contains(&at) { 100 } else { round };
                assert!((0..SIZE).all(is_right), "round {round}");
                stream.download(&large, vec![(0, &mut out)]).unwrap();
                assert!(out.iter().all(|&byte| byte == 0), "round {round}");
            }
            stream.wait().unwrap();
        }
        assert_eq!(validation_messages(), 0);
    }

    /// Who waits for a stream has waited for its transfer stream, too, which lets go of what it
    /// moved.
    #[test]
    fn a_buffer_that_was_moved_goes_with_the_next_wait() {
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let buffer = stream.allocate(SIZE as u64).unwrap();
            stream.upload(&buffer, &[(0, &vec![1; SIZE])]).unwrap();
            drop(buffer);
            stream.wait().unwrap();
            assert_eq!(stream.memory().in_use(), 0);
        }
        assert_eq!(validation_messages(), 0);
    }

    /// A buffer may go, and be used again from its pool, while the transfer stream still has it.
    #[test]
    fn a_buffer_may_go_with_transfers_on_their_way() {
        for adapter in discrete_adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            for round in 0..8u8 {
                let buffer = stream.allocate(SIZE as u64).unwrap();
                stream.upload(&buffer, &[(0, &vec![round; SIZE])]).unwrap();
                let readback = stream.send_for(&buffer, vec![(5, 0..SIZE - 5)]).unwrap();
                let readback = readback.unwrap();
                drop(buffer);
                if round % 2 == 1 {
                    let mut right = true;
                    readback
                        .land(|arrived| {
                            let mut bytes = vec![0; arrived.range.len()];
                            arrived.read(arrived.range.start, &mut bytes);
                            right &= bytes.iter().all(|&byte| byte == round);
                        })
                        .unwrap();
                    assert!(right, "round {round}");
                }
            }
        }
        assert_eq!(validation_messages(), 0);
    }
}
