//! Fault slots: where a kernel says what went wrong, and the error that is made from it.
//!
//! Each launch of a kernel that can fault has a slot of its own until its batch is
//! complete. All slots lie in one buffer that the host sees.

use std::sync::Arc;

use amp_spirv::artifact::{
    Artifact, FAULT_OPERANDS, FAULT_SLOT_BYTES, FAULT_SLOT_PRINTS, FaultKind, IndexWidth,
};

use super::super::buffer::Buffer;
use super::super::device::Device;
use super::super::memory::Purpose;
use super::launch::{Launch, Written};
use crate::device::shape::Shape;
use crate::device::unreported::Guilty;
use crate::types::error::{KernelFault, Result, fault_message};
use crate::types::lengths::Lengths;
use crate::types::message::{self, Writer, operand};

/// Launches of a stream that can be unfinished at one time.
pub(super) const SLOTS: u32 = 4096;
const WORDS: usize = FAULT_SLOT_BYTES as usize / 4;

/// The slots of a stream, or of what is recorded.
pub(super) struct FaultSlots {
    buffer: Arc<Buffer>,
    /// Zeroed and in no launch's hands.
    free: Vec<u32>,
}

/// A launch that may have something to tell.
pub(super) struct Watch {
    slot: u32,
    pub(super) artifact: &'static Artifact,
    pub(super) writers: &'static [Writer],
    pub(super) shape: Shape,
    pub(super) extent: Lengths,
    /// The data that it may write.
    pub(super) written: Written,
    /// Where its prints are, if its kernel prints.
    pub(super) prints: Option<Arc<Buffer>>,
}

impl FaultSlots {
    /// So many of them.
    pub(super) fn new(device: &Arc<Device>, slots: u32) -> Result<Self> {
        // One more: slot 0 belongs to launches that are not watched.
        let bytes = offset(slots + 1);
        let buffer = Buffer::new(device, bytes, Purpose::Staging)?;
        // SAFETY: the buffer is new.
        unsafe { buffer.write(0, &vec![0; bytes as usize]) };
        Ok(Self {
            buffer,
            free: (1..=slots).rev().collect(),
        })
    }

    /// Address of the slot of launches whose faults are not reported.
    pub(super) fn unwatched(&self) -> u64 {
        self.buffer.address()
    }

    /// A slot for a launch with its address, or `None` if all are in use.
    pub(super) fn take(
        &mut self,
        launch: &Launch<'_>,
        prints: Option<Arc<Buffer>>,
    ) -> Option<(Watch, u64)> {
        let slot = self.free.pop()?;
        if let Some(buffer) = &prints {
            let place = offset(slot) + u64::from(FAULT_SLOT_PRINTS);
            // SAFETY: no launch has the slot.
            unsafe { self.buffer.write(place, &buffer.address().to_le_bytes()) };
        }
        let watch = Watch {
            slot,
            artifact: launch.artifact,
            writers: launch.writers,
            shape: launch.shape,
            extent: launch.extent.into(),
            written: launch.written(),
            prints,
        };
        Some((watch, self.buffer.address() + offset(slot)))
    }

    /// Keeps the slots for ever, for launches may still write there.
    pub(super) fn leak(&self) {
        std::mem::forget(Arc::clone(&self.buffer));
    }

    /// Whether there is a slot for a launch.
    pub(super) fn has_free(&self) -> bool {
        !self.free.is_empty()
    }

    /// Gives a slot back. Returns the launch's fault if it had one, with what it may have
    /// written.
    ///
    /// # Safety
    ///
    /// The launch must be complete.
    pub(super) unsafe fn give_back(&mut self, watch: &Watch) -> Option<Guilty> {
        // SAFETY: by contract.
        let fault = unsafe { self.look(watch) };
        self.free.push(watch.slot);
        fault
    }

    /// Whether a launch has left a fault. If it is not complete, it may be about to.
    pub(super) fn is_set(&self, watch: &Watch) -> bool {
        let flag = self.buffer.word(offset(watch.slot));
        flag.is_some_and(|flag| flag != 0)
    }

    /// Takes the fault of a launch, if it had one, out of its slot.
    ///
    /// # Safety
    ///
    /// The launch must be complete, as often as it was sent.
    pub(super) unsafe fn look(&self, watch: &Watch) -> Option<Guilty> {
        let mut words = [0u32; WORDS];
        let offset = offset(watch.slot);
        // SAFETY: only the launch uses its slot, and it is complete (contract).
        unsafe {
            self.buffer
                .read(offset, bytemuck::bytes_of_mut(&mut words[0]))
        };
        let mut fault = None;
        if words[0] != 0 {
            // SAFETY: as above.
            unsafe {
                self.buffer
                    .read(offset, bytemuck::cast_slice_mut(&mut words));
                self.buffer.write(offset, &[0; FAULT_SLOT_BYTES as usize]);
            }
            fault = Some((decode(&words, watch), watch.written.to_shared()));
        }
        fault
    }
}

fn offset(slot: u32) -> u64 {
    u64::from(slot) * u64::from(FAULT_SLOT_BYTES)
}

/// The error that the words of a slot describe.
fn decode(words: &[u32; WORDS], watch: &Watch) -> KernelFault {
    let artifact = watch.artifact;
    let triple = |at: usize| [words[at], words[at + 1], words[at + 2]];
    let site = artifact.faults.get(words[1] as usize);
    let lane = site.map_or(0, |site| site.lane);
    let thread = (watch.shape).thread(&watch.extent, triple(2), triple(5), lane);
    let file = site.and_then(|site| artifact.files.get(site.file as usize));
    KernelFault {
        kernel: artifact.name.to_string(),
        file: file.map_or_else(|| "(unknown)".into(), |file| file.to_string()),
        line: site.map_or(0, |site| site.line),
        column: site.map_or(0, |site| site.column),
        thread,
        message: message(watch, site.map(|site| site.kind), words),
    }
}

/// What Rust would have said, from the operands in the slot.
fn message(watch: &Watch, kind: Option<FaultKind>, words: &[u32; WORDS]) -> String {
    let operands = &words[FAULT_OPERANDS as usize..];
    let number = |k: usize| match watch.artifact.index {
        IndexWidth::Bits32 => operand::usize(operands, k),
        IndexWidth::Bits64 => operand::wide_usize(operands, 2 * k),
    };
    let (first, second) = (number(0), number(1));
    let own = match kind {
        Some(FaultKind::Message(number)) => {
            message::text(watch.artifact, watch.writers, number, operands)
        }
        _ => None,
    };
    match (own, kind) {
        (Some(own), _) => own,
        (None, Some(kind)) => fault_message(kind, [first, second]),
        (None, None) => format!("unknown fault with operands {first} and {second}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use amp_spirv::artifact::{FaultSite, Message, MessageKind};

    #[test]
    fn a_slot_becomes_an_error_with_place_and_thread() {
        let site = FaultSite {
            kind: FaultKind::OutOfBounds,
            file: 0,
            lane: 0,
            line: 12,
            column: 5,
        };
        let assertion = FaultSite {
            kind: FaultKind::Message(0),
            ..site
        };
        let artifact: &'static Artifact = Box::leak(Box::new(Artifact {
            name: "k".into(),
            spirv: Vec::new().into(),
            rank: 2,
            tiled: false,
            has_barrier: false,
            params: Vec::new().into(),
            block_bytes: 8,
            spilled: false,
            constant_bytes: Vec::new().into(),
            features: Vec::new().into(),
            files: vec!["src/main.rs".into()].into(),
            faults: vec![site, assertion].into(),
            messages: vec![Message {
                kind: MessageKind::Fault,
                format: "no sum of {0}".into(),
            }]
            .into(),
            ..Artifact::default()
        }));
        let shape = Shape {
            size: [32, 8, 1],
            groups: [2, 2, 1],
            linear: false,
            workgroups: 0,
            tiled: false,
            first: 0,
            lanes: 1,
            merged: [1; 3],
        };
        let watch = Watch {
            slot: 1,
            artifact,
            writers: &[|words| format!("no sum of {0}", message::operand::i32(words, 0))],
            shape,
            extent: [16, 64].into_iter().collect(),
            written: [].into_iter().collect(),
            prints: None,
        };
        let mut words = [0; WORDS];
        words[..10].copy_from_slice(&[1, 0, 1, 1, 0, 3, 2, 0, 70, 64]);
        let fault = decode(&words, &watch);
        assert_eq!(
            (fault.line, fault.column, fault.thread),
            (12, 5, vec![10, 35])
        );
        assert_eq!(
            fault.message,
            "index out of bounds: the extent is 64 but the index is 70"
        );
        words[1] = 1;
        words[8] = -7i32 as u32;
        assert_eq!(decode(&words, &watch).message, "no sum of -7");
    }

    /// Kernels that could not be waited for may still write to their slots.
    #[test]
    fn buffers_of_running_kernels_are_leaked_with_them() {
        for adapter in super::super::super::search::adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let slots = {
                let mut recorder = stream.lock().unwrap();
                recorder.leak();
                Arc::downgrade(&recorder.faults.buffer)
            };
            drop(stream);
            assert_eq!(slots.strong_count(), 1);
        }
    }
}
