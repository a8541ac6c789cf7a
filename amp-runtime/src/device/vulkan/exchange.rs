//! Copies from buffer to buffer on a device, within a stream and between two.
//!
//! A copy between streams is a command of the stream that the bytes go to. Its batch
//! waits for the last batch of the other stream that uses the source, and goes out at
//! once; what the other stream does with the source from then on waits for it (a cross-stream use
//! of its recorder). So each stream's commands see the copy as if it were one of their own, and
//! every wait is for a batch that went out before: streams cannot wait for each other in a circle.

use std::sync::Arc;

use ash::vk;

use super::buffer::Buffer;
use super::stream::Stream;
use super::stream::cross_stream::Foreign;
use crate::types::error::Result;
use crate::types::event::Direction;

/// Bytes that a copy moves together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Where they start in the source.
    pub(crate) from: usize,
    /// Where they start in the target.
    pub(crate) to: usize,
    /// How many they are; at least one.
    pub(crate) bytes: usize,
}

/// How many they are together.
fn bytes_of(regions: &[Region]) -> usize {
    regions.iter().map(|region| region.bytes).sum()
}

impl Stream {
    /// Whether buffers of both streams are memory of one open device.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.device, &other.device)
    }

    /// Copies regions of `source`, a buffer of `other`, to `target`, a buffer of this
    /// stream, in the order of both streams' commands. The streams are
    /// [beside](Self::is_beside) each other; regions do not overlap. If it fails, nothing has
    /// been queued, or this stream has ended.
    pub(crate) fn copy(
        &self,
        target: &Arc<Buffer>,
        other: &Self,
        source: &Arc<Buffer>,
        regions: &[Region],
    ) -> Result<()> {
        for region in regions {
            source.check(region.from as u64, region.bytes)?;
            target.check(region.to as u64, region.bytes)?;
        }
        let _span =
            tracing::trace_span!(target: "amp", "copy", bytes = bytes_of(regions)).entered();
        let copies = regions.iter().map(|region| vk::BufferCopy {
            src_offset: region.from as u64,
            dst_offset: region.to as u64,
            size: region.bytes as u64,
        });
        let copies: Vec<_> = copies.collect();
        if std::ptr::eq(self, other) {
            let mut recorder = self.lock()?;
            recorder.copy(source, target, &copies, Direction::Copy)?;
            recorder.count_launch()?;
            return self.submit_if_due(&mut recorder);
        }
        let before = other.send_uses(source)?;
        let batch = {
            let mut recorder = self.lock()?;
            // What has been recorded need not wait for the other stream.
            recorder.submit()?;
            recorder.await_other(&other.timeline, before)?;
            let (foreign, copied) = (Foreign::Source, Direction::Copy);
            recorder.copy_foreign(foreign, source, target, &copies, copied)?;
            recorder.submit_own()?;
            self.keep_up(&mut recorder);
            recorder.submitted()
        };
        let mut other = other.lock_anyway();
        other.add_cross_stream_use(source, &self.timeline, batch);
        Ok(())
    }

    /// Sends what has been recorded that uses a buffer of this stream. Returns the number
    /// of the last batch that does.
    pub(super) fn send_uses(&self, buffer: &Arc<Buffer>) -> Result<u64> {
        let mut recorder = self.lock()?;
        let number = recorder.send_uses(buffer)?;
        self.keep_up(&mut recorder);
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::{adapters, discrete_adapters};
    use super::super::validation_messages;
    use super::*;

    /// Bytes go from stream to stream and back many times, and both streams write to the
    /// buffers in between.
    #[test]
    fn streams_hand_bytes_to_each_other_in_order() {
        for adapter in adapters().into_iter().chain(discrete_adapters()) {
            let device = adapter.open().unwrap();
            let one = device.stream(false).unwrap();
            let other = device.stream(true).unwrap();
            let here = one.allocate(4096).unwrap();
            let there = other.allocate(4096).unwrap();
            one.zero(&here).unwrap();
            other.zero(&there).unwrap();
            let halves = [(0, 2048), (2048, 0)];
            for round in 0..100u8 {
                one.upload(&here, &[(u64::from(round), &[round; 100])])
                    .unwrap();
                let regions = halves.map(|(from, to)| Region {
                    from,
                    to,
                    bytes: 2048,
                });
                other.copy(&there, &one, &here, &regions).unwrap();
                one.upload(&here, &[(0, &[0; 4096])]).unwrap();
                one.copy(&here, &other, &there, &regions).unwrap();
                other.zero(&there).unwrap();
            }
            let mut out = vec![9; 4096];
            one.download(&here, vec![(0, &mut out)]).unwrap();
            let is_right = |at: usize| usize::from(out[at]) == if at < 99 { at } else { 99 };
            assert!((0..199).all(is_right), "{out:?}");
            assert!(out[199..].iter().all(|&byte| byte == 0));
            let outside = Region {
                from: 4000,
                to: 0,
                bytes: 97,
            };
            assert!(one.copy(&here, &other, &there, &[outside]).is_err());
        }
        assert_eq!(validation_messages(), 0);
    }

    /// No call waits for either stream, but for batches that are too far behind.
    #[test]
    fn a_long_series_of_copies_holds_few_batches() {
        for adapter in adapters() {
            let device = adapter.open().unwrap();
            let [one, other] = [(); 2].map(|()| device.stream(false).unwrap());
            let (here, there) = (one.allocate(64).unwrap(), other.allocate(64).unwrap());
            let all = Region {
                from: 0,
                to: 0,
                bytes: 64,
            };
            for _ in 0..4500 {
                one.copy(&here, &other, &there, &[all]).unwrap();
                one.flush().unwrap();
            }
            for stream in [&one, &other] {
                assert!(stream.lock().unwrap().flying() < 4200);
            }
        }
        assert_eq!(validation_messages(), 0);
    }

    /// A stream may go while another still waits for its batches.
    #[test]
    fn a_stream_may_be_dropped_with_copies_on_their_way() {
        for adapter in adapters() {
            let device = adapter.open().unwrap();
            let one = device.stream(false).unwrap();
            let here = one.allocate(1 << 20).unwrap();
            for value in 0..20u8 {
                let other = device.stream(false).unwrap();
                let there = other.allocate(1 << 20).unwrap();
                other.upload(&there, &[(0, &vec![value; 1 << 20])]).unwrap();
                let all = Region {
                    from: 0,
                    to: 0,
                    bytes: 1 << 20,
                };
                one.copy(&here, &other, &there, &[all]).unwrap();
                drop((other, there));
            }
            let mut out = vec![0; 1 << 20];
            one.download(&here, vec![(0, &mut out)]).unwrap();
            assert!(out.iter().all(|&byte| byte == 19));
        }
        assert_eq!(validation_messages(), 0);
    }
}
