//! Prints of a launch on the CPU accelerator.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use amp_spirv::artifact::PRINT_RECORDS;

use crate::device::print::PrintStream;

/// A print of a launch.
pub(super) struct Said {
    /// Number of the thread in the launch.
    pub(super) thread: usize,
    pub(super) stream: PrintStream,
    pub(super) text: String,
}

/// Collects the prints of one launch; as on a device, the first ones are kept and the
/// others counted.
#[derive(Default)]
pub(super) struct PrintSink {
    kept: Mutex<(Vec<Said>, usize)>,
}

impl PrintSink {
    pub(super) fn add(&self, thread: usize, stream: PrintStream, text: fmt::Arguments<'_>) {
        // Not under the lock: formatting may run the user's code.
        let text = text.to_string();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.1 += 1;
        if kept.0.len() < PRINT_RECORDS as usize {
            kept.0.push(Said {
                thread,
                stream,
                text,
            });
        }
    }

    /// What was kept, and how many prints there were.
    pub(super) fn into_kept(self) -> (Vec<Said>, usize) {
        self.kept
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
