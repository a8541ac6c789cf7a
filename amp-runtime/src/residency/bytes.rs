//! Bytes that go into an allocation from outside and come out of it.

use super::between::{Pace, Underway, first};
use super::{Allocation, Host, Ranges, Source, same_place};
use crate::device::accelerator::view::Backend;
use crate::device::vulkan::Pages;
use crate::types::error::Result;

impl Allocation<'_> {
    /// Replaces bytes by those of `data`, which are as many, where the data belongs.
    pub(crate) fn write(&self, bytes: &Ranges, data: &[u8]) -> Result<()> {
        self.write_at(bytes, data, Pace::Now).map(|_| ())
    }

    /// [`write`](Self::write), and where the bytes are then.
    pub(crate) fn write_at(&self, bytes: &Ranges, data: &[u8], pace: Pace) -> Result<Underway> {
        let mut state = self.lock();
        if let Source::Array(view) = &self.source
            && let Backend::Vulkan(stream) = view.backend()
        {
            let buffer = self.copy_on(&mut state, stream)?;
            let mut rest = data;
            let pieces = bytes.iter().map(|range| {
                let (piece, behind) = rest.split_at(range.len());
                rest = behind;
                (range.start as u64, piece)
            });
            let pieces: Vec<_> = pieces.collect();
            let mut sent = 0;
            let result = match pace {
                Pace::Now => stream.upload_some(&buffer, &pieces, &mut sent),
                Pace::Later => stream.upload_soon(&buffer, &pieces, &mut sent),
            };
            let written = first(&same_place(bytes), sent);
            let written = written
                .iter()
                .map(|region| region.to..region.to + region.bytes);
            self.directory
                .written_on_stream(&mut state, stream, &written.collect());
            result?;
            Ok(Underway::queued(stream, &buffer))
        } else {
            let memory = self.memory()?;
            self.settle()?;
            let mut rest = data;
            for range in bytes.iter() {
                let (piece, behind) = rest.split_at(range.len());
                rest = behind;
                memory.refill(range).copy_from_slice(piece);
            }
            state.copies.write_on_host(bytes);
            Ok(Underway::default())
        }
    }

    /// Fills a new array with zeroes where it lives.
    pub(crate) fn zero(&self) -> Result<()> {
        let mut state = self.lock();
        if let Source::Array(view) = &self.source
            && let Backend::Vulkan(stream) = view.backend()
        {
            stream.zero(&self.copy_on(&mut state, stream)?)?;
            self.directory
                .written_on_stream(&mut state, stream, &self.whole);
        } else {
            let memory = self.memory()?;
            // Other new memory of the host is zero.
            if let Host::Shared(_) = self.host {
                memory.refill(0..self.whole.size()).fill(0);
            }
            state.copies.write_on_host(&self.whole);
        }
        Ok(())
    }

    /// Copies bytes out, one range after the other: from the host what is current there,
    /// the rest straight from the devices that have it. Nothing becomes current.
    pub(crate) fn read(&self, bytes: &Ranges, out: &mut [u8]) -> Result<()> {
        self.read_to(bytes, out, false)
    }

    /// [`read`](Self::read) to memory that is new and was not touched, or not.
    pub(crate) fn read_to(&self, bytes: &Ranges, out: &mut [u8], is_new: bool) -> Result<()> {
        let mut state = self.lock();
        let missing = state.copies.missing_on_host(bytes);
        let _pages = (is_new && !missing.is_empty()).then(|| Pages::of(out));
        let here = bytes.difference(&missing);
        if !here.is_empty() {
            let memory = self.memory()?;
            self.settle()?;
            for (start, piece) in pieces_of(out, bytes, &here) {
                let start = start as usize;
                piece.copy_from_slice(memory.bytes(start..start + piece.len()));
            }
        }
        for (stream, buffer, there) in state.copies.holders(missing) {
            state.note(stream.download(&buffer, pieces_of(out, bytes, &there)))?;
        }
        Ok(())
    }
}

/// The places in `out`, which has room for `bytes` one after the other, of those bytes
/// that are in `some`, and where these start.
fn pieces_of<'o>(mut out: &'o mut [u8], bytes: &Ranges, some: &Ranges) -> Vec<(u64, &'o mut [u8])> {
    let mut pieces = Vec::new();
    for range in bytes.iter() {
        let (mut place, behind) = std::mem::take(&mut out).split_at_mut(range.len());
        out = behind;
        let mut at = range.start;
        for wanted in some.intersection(&Ranges::of(range)).iter() {
            let behind = std::mem::take(&mut place).split_at_mut(wanted.start - at).1;
            let (piece, behind) = behind.split_at_mut(wanted.len());
            pieces.push((wanted.start as u64, piece));
            (place, at) = (behind, wanted.end);
        }
    }
    pieces
}
