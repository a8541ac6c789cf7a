//! Buffers that are not used any more, kept for the next array or view of about their size:
//! making one costs a call of the driver or two, and a series of launches over new views
//! asks for the same few sizes again and again.
//!
//! Each stream has a [`Pool`]. A buffer returns to it when its last handle goes, so no
//! command uses it any more. The pool keeps the youngest, up to a number and up to a part of
//! the device's memory, besides free chunks of staging memory; when memory is short, it gives
//! everything back ([`Reserve`]).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::super::device::Device;
use super::super::memory::Purpose;
use super::super::reserve::Reserve;
use super::Buffer;
use super::staging::Chunks;
use crate::types::memory::Tally;

/// Buffers that a pool keeps at most.
const BUFFERS: usize = 64;
/// A pool keeps at most one of so many parts of the device's memory.
const PART: u64 = 16;
/// Up to this size a buffer may be as much larger as it is than what it is taken for.
const SMALL: u64 = 64 << 10;

/// The buffers of a stream, in use and kept.
#[derive(Debug)]
pub(in crate::device::vulkan) struct Pool {
    /// Bytes that it keeps at most.
    most: u64,
    state: Mutex<State>,
    /// What its stream stages bytes in.
    pub(in crate::device::vulkan) chunks: Chunks,
}

#[derive(Debug, Default)]
struct State {
    /// Those in use.
    used: Tally,
    /// The oldest first.
    kept: VecDeque<Buffer>,
    /// Their bytes.
    bytes: u64,
}

/// Whether a buffer of `capacity` bytes is good for `bytes`.
fn fits(capacity: u64, bytes: u64) -> bool {
    let spare = if bytes <= SMALL { bytes } else { bytes / 4 };
    (bytes..=bytes + spare).contains(&capacity)
}

impl Pool {
    /// A new pool of a device.
    pub(in crate::device::vulkan) fn open(device: &Device) -> Arc<Self> {
        let pool = Arc::new(Self {
            most: device.facts.memory.data_heap() / PART,
            state: Mutex::default(),
            chunks: Chunks::default(),
        });
        let reserve: Weak<Self> = Arc::downgrade(&pool);
        device.reserves.add(reserve);
        pool
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A kept buffer for `bytes` bytes: the smallest that is large enough and not much too
    /// large.
    pub(in crate::device::vulkan) fn take(
        self: &Arc<Self>,
        bytes: u64,
        purpose: Purpose,
    ) -> Option<Arc<Buffer>> {
        let mut state = self.lock();
        let kept = state.kept.iter().enumerate();
        let fitting = kept
            .filter(|(_, buffer)| buffer.purpose() == purpose && fits(buffer.capacity(), bytes));
        let (place, _) = fitting.min_by_key(|(_, buffer)| buffer.capacity())?;
        let buffer = state.kept.remove(place)?;
        state.bytes -= buffer.capacity();
        state.used.add(buffer.capacity());
        Some(Arc::new(buffer.taken(bytes, self)))
    }

    /// Bytes that it keeps at most.
    pub(in crate::device::vulkan) fn most(&self) -> u64 {
        self.most
    }

    /// Bytes of the buffers in use.
    pub(in crate::device::vulkan) fn used(&self) -> u64 {
        self.lock().used.bytes()
    }

    /// Counts a new buffer as used.
    pub(super) fn add(&self, capacity: u64) {
        self.lock().used.add(capacity);
    }

    /// Counts a buffer as used no more that is not to be kept.
    pub(super) fn remove(&self, capacity: u64) {
        self.lock().used.remove(capacity);
    }

    /// Takes a buffer back that no command uses any more; it or older ones may go for good.
    pub(super) fn keep(&self, buffer: Buffer) {
        let mut gone = Vec::new();
        let mut state = self.lock();
        let capacity = buffer.capacity();
        state.used.remove(capacity);
        if capacity > self.most / 2 {
            gone.push(buffer);
        } else {
            state.bytes += capacity;
            state.kept.push_back(buffer);
            while state.bytes > self.most || state.kept.len() > BUFFERS {
                let Some(oldest) = state.kept.pop_front() else {
                    break;
                };
                state.bytes -= oldest.capacity();
                gone.push(oldest);
            }
        }
        // What goes, goes without the lock.
        drop(state);
    }
}

impl Reserve for Pool {
    /// Lets all kept buffers and free chunks go. Returns their bytes.
    fn trim(&self) -> u64 {
        let mut state = self.lock();
        let kept = std::mem::take(&mut state.kept);
        let bytes = std::mem::take(&mut state.bytes);
        drop(state);
        drop(kept);
        bytes + self.chunks.trim()
    }

    fn report(&self) -> (Tally, u64) {
        let state = self.lock();
        (state.used.clone(), state.bytes + self.chunks.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::search::adapters;
    use super::super::super::validation_messages;
    use super::*;

    #[test]
    fn a_buffer_is_good_for_what_fills_most_of_it() {
        assert!(fits(100, 100) && fits(200, 100) && !fits(201, 100) && !fits(99, 100));
        let mib = 1 << 20;
        assert!(fits(5 * mib / 4, mib) && !fits(5 * mib / 4 + 1, mib));
    }

    #[test]
    fn buffers_come_back_and_commands_on_them_stay_in_order() {
        for adapter in adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let first = stream.allocate(1000).unwrap();
            let (id, address) = (first.id, first.address());
            stream.upload(&first, &[(0, &[7; 1000])]).unwrap();
            // The open batch holds the buffer.
            stream.zero(&first).unwrap();
            drop(first);
            let second = stream.allocate(1000).unwrap();
            assert_ne!(second.id, id);
            stream.wait().unwrap();
            let third = stream.allocate(996).unwrap();
            assert_eq!((third.id, third.address()), (id, address));
            stream.upload(&third, &[(0, &[9; 996])]).unwrap();
            assert!(stream.upload(&third, &[(996, &[9; 4])]).is_err());
            let mut out = [0; 996];
            stream.download(&third, vec![(0, &mut out)]).unwrap();
            assert_eq!(out, [9; 996]);
            drop((second, third));
            assert_eq!(stream.memory().in_use(), 0);
            assert!(stream.memory().pooled() >= 2000);
            assert!(stream.trim().unwrap() >= 2000);
            assert_eq!(stream.memory().pooled(), 0);
        }
        assert_eq!(validation_messages(), 0);
    }

    #[test]
    fn a_pool_keeps_the_youngest_within_its_bounds() {
        for adapter in adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let sizes = (0..2 * BUFFERS as u64).map(|i| 4096 * (i + 1));
            let buffers: Vec<_> = sizes.map(|bytes| stream.allocate(bytes).unwrap()).collect();
            let youngest: u64 = buffers[BUFFERS..].iter().map(|it| it.capacity()).sum();
            assert_eq!(
                stream.memory().largest(),
                buffers.last().unwrap().capacity()
            );
            drop(buffers);
            assert_eq!(stream.memory().pooled(), youngest);
            stream.trim().unwrap();
            // One that is most of what may be kept is not.
            let most = stream.device.facts.memory.data_heap() / PART;
            if most <= 256 << 20 {
                drop(stream.allocate(most / 2 + 4096).unwrap());
                assert_eq!(stream.memory().pooled(), 0);
            }
        }
    }
}
