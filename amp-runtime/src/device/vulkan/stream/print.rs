//! Print buffers: where the threads of a launch leave what they print.
//!
//! A launch of a kernel that prints has a buffer of its own until its batch is complete.
//! The buffers are made when they are first needed, and shared by the launches of a
//! stream one after the other.

use std::sync::Arc;

use amp_spirv::artifact::{
    MESSAGE_WORDS, MessageKind, PRINT_HEADER_BYTES, PRINT_OPERANDS, PRINT_RECORDS,
};

use super::super::buffer::Buffer;
use super::super::device::Device;
use super::super::memory::Purpose;
use super::fault::Watch;
use crate::device::print::{KernelPrint, PrintStream, in_order};
use crate::types::error::Result;
use crate::types::message;

/// Launches that print and can be unfinished at one time.
const BUFFERS: usize = 8;
/// A buffer has room for the records of any kernel.
const BYTES: u64 =
    PRINT_HEADER_BYTES as u64 + 4 * PRINT_RECORDS as u64 * (PRINT_OPERANDS + MESSAGE_WORDS) as u64;

/// The print buffers of a stream.
#[derive(Default)]
pub(super) struct PrintBuffers {
    free: Vec<Arc<Buffer>>,
    made: usize,
}

impl PrintBuffers {
    /// A buffer with no prints, or `None` if all are in use.
    pub(super) fn take(&mut self, device: &Arc<Device>) -> Result<Option<Arc<Buffer>>> {
        let buffer = match self.free.pop() {
            Some(buffer) => buffer,
            None if self.made == BUFFERS => return Ok(None),
            None => {
                let buffer = Self::make(device)?;
                self.made += 1;
                buffer
            }
        };
        Ok(Some(buffer))
    }

    /// A new buffer with no prints.
    pub(super) fn make(device: &Arc<Device>) -> Result<Arc<Buffer>> {
        let buffer = Buffer::new(device, BYTES, Purpose::Staging)?;
        // SAFETY: the buffer is new.
        unsafe { buffer.write(0, &[0; 4]) };
        Ok(buffer)
    }

    /// Gives a launch's buffer back, and tells what the launch printed.
    ///
    /// # Safety
    ///
    /// The launch must be complete.
    pub(super) unsafe fn give_back(
        &mut self,
        buffer: &Arc<Buffer>,
        watch: &Watch,
    ) -> Vec<KernelPrint> {
        self.free.push(Arc::clone(buffer));
        // SAFETY: by contract.
        unsafe { Self::look(buffer, watch) }
    }

    /// Takes what a launch printed out of its buffer.
    ///
    /// # Safety
    ///
    /// The launch must be complete.
    pub(super) unsafe fn look(buffer: &Arc<Buffer>, watch: &Watch) -> Vec<KernelPrint> {
        let mut count = 0u32;
        // SAFETY: only the launch uses its buffer, and it is complete (contract).
        unsafe { buffer.read(0, bytemuck::bytes_of_mut(&mut count)) };
        let stride = watch.artifact.print_words as usize;
        let records = count.min(PRINT_RECORDS) as usize;
        let mut words = vec![0u32; records * stride];
        if !words.is_empty() {
            let bytes = bytemuck::cast_slice_mut(&mut words);
            // SAFETY: as above; so many records were written.
            unsafe { buffer.read(u64::from(PRINT_HEADER_BYTES), bytes) };
        }
        // SAFETY: as above.
        unsafe { buffer.write(0, &[0; 4]) };
        let prints = words
            .chunks_exact(stride.max(1))
            .map(|record| decode(record, watch));
        in_order(&watch.artifact.name, prints.collect(), count as usize)
    }
}

/// The print that a record describes.
fn decode(record: &[u32], watch: &Watch) -> KernelPrint {
    let artifact = watch.artifact;
    let triple = |at: usize| [record[at], record[at + 1], record[at + 2]];
    let messages = (artifact.messages.len() as u32).max(1);
    let (lane, number) = (record[0] / messages, record[0] % messages);
    let kind = artifact.messages.get(number as usize).map(|it| it.kind);
    let operands = &record[PRINT_OPERANDS as usize..];
    KernelPrint {
        kernel: artifact.name.to_string(),
        thread: (watch.shape).thread(&watch.extent, triple(1), triple(4), lane),
        stream: match kind {
            Some(MessageKind::Stdout) => PrintStream::Stdout,
            _ => PrintStream::Stderr,
        },
        text: message::text(artifact, watch.writers, number, operands)
            .unwrap_or_else(|| format!("an unknown message of kernel `{}`\n", artifact.name)),
    }
}
