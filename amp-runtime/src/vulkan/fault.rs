//! Fault slots: where a kernel says what went wrong, and the error that becomes of it.
//!
//! Each launch of a kernel that can fault has a slot of its own until its batch is
//! complete. All slots lie in one buffer that the host sees.

use std::sync::Arc;

use amp_spirv::artifact::{Artifact, FAULT_SLOT_BYTES, FaultKind};

use super::buffer::{Buffer, Purpose};
use super::device::Device;
use crate::error::{KernelFault, Result, fault_message};
use crate::shape::Shape;

/// Launches that can be unfinished at one time.
const SLOTS: u32 = 4096;
const WORDS: usize = FAULT_SLOT_BYTES as usize / 4;

/// The slots of a stream.
pub(super) struct FaultSlots {
    buffer: Arc<Buffer>,
    /// Zeroed and in no launch's hands.
    free: Vec<u32>,
}

/// A launch that may have faulted.
pub(super) struct Watch {
    slot: u32,
    artifact: &'static Artifact,
    shape: Shape,
    extent: Vec<usize>,
}

impl FaultSlots {
    pub(super) fn new(device: &Arc<Device>) -> Result<Self> {
        // One more: slot 0 belongs to launches that are not watched.
        let bytes = u64::from((SLOTS + 1) * FAULT_SLOT_BYTES);
        let buffer = Buffer::new(device, bytes, Purpose::Staging)?;
        // SAFETY: the buffer is new.
        unsafe { buffer.write(0, &vec![0; bytes as usize]) };
        Ok(Self {
            buffer,
            free: (1..=SLOTS).rev().collect(),
        })
    }

    /// Address of the slot of launches that nobody watches.
    pub(super) fn unwatched(&self) -> u64 {
        self.buffer.address()
    }

    /// A slot for a launch with its address, or `None` if all are in use.
    pub(super) fn take(
        &mut self,
        artifact: &'static Artifact,
        shape: Shape,
        extent: &[usize],
    ) -> Option<(Watch, u64)> {
        let slot = self.free.pop()?;
        let address = self.buffer.address() + offset(slot);
        Some((
            Watch {
                slot,
                artifact,
                shape,
                extent: extent.to_vec(),
            },
            address,
        ))
    }

    /// Gives a slot back. Returns the launch's fault if it had one.
    ///
    /// # Safety
    ///
    /// The launch must be complete.
    pub(super) unsafe fn give_back(&mut self, watch: &Watch) -> Option<KernelFault> {
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
            fault = Some(decode(&words, watch));
        }
        self.free.push(watch.slot);
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
    let thread = watch
        .shape
        .thread(artifact, &watch.extent, triple(2), triple(5));
    let site = artifact.faults.get(words[1] as usize);
    let file = site.and_then(|site| artifact.files.get(site.file as usize));
    KernelFault {
        kernel: artifact.name.to_string(),
        file: file.map_or_else(|| "(unknown)".into(), |file| file.to_string()),
        line: site.map_or(0, |site| site.line),
        column: site.map_or(0, |site| site.column),
        thread,
        message: message(artifact, site.map(|site| site.kind), words[8], words[9]),
    }
}

/// What Rust would have said, from the operands in the slot.
fn message(artifact: &Artifact, kind: Option<FaultKind>, first: u32, second: u32) -> String {
    let words = match kind {
        Some(FaultKind::Message(number)) => artifact.messages.get(number as usize),
        _ => None,
    };
    if let Some(words) = words {
        return words.to_string();
    }
    match kind {
        Some(kind) => fault_message(kind, [first as usize, second as usize]),
        None => format!("unknown fault with operands {first} and {second}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use amp_spirv::artifact::FaultSite;

    #[test]
    fn a_slot_becomes_an_error_with_place_and_thread() {
        let site = FaultSite {
            kind: FaultKind::OutOfBounds,
            file: 0,
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
            files: vec!["src/main.rs".into()].into(),
            faults: vec![site, assertion].into(),
            messages: vec!["no sum".into()].into(),
            ..Artifact::default()
        }));
        let shape = Shape {
            size: [32, 8, 1],
            groups: [2, 2, 1],
            linear: false,
            workgroups: 0,
        };
        let watch = Watch {
            slot: 1,
            artifact,
            shape,
            extent: vec![16, 64],
        };
        let words = [1, 0, 1, 1, 0, 3, 2, 0, 70, 64, 2, 2, 1, 0, 0, 0];
        let fault = decode(&words, &watch);
        assert_eq!(
            (fault.line, fault.column, fault.thread),
            (12, 5, vec![10, 35])
        );
        assert_eq!(
            fault.message,
            "index out of bounds: the extent is 64 but the index is 70"
        );
        let mut words = words;
        words[1] = 1;
        assert_eq!(decode(&words, &watch).message, "no sum");
    }
}
