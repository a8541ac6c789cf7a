//! What is kept for reuse on a device: when memory is short, all of it is given back.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::types::memory::Tally;

/// Something that keeps buffers.
pub(super) trait Reserve: Send + Sync {
    /// Lets all go that it keeps. Returns the bytes of that.
    fn trim(&self) -> u64;

    /// What is in use of what it has handed out, and the bytes that it keeps.
    fn report(&self) -> (Tally, u64);
}

/// All reserves of a device.
#[derive(Default)]
pub(super) struct Reserves(Mutex<Vec<Weak<dyn Reserve>>>);

impl Reserves {
    /// One more, as long as it is there.
    pub(super) fn add(&self, reserve: Weak<dyn Reserve>) {
        let mut reserves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reserves.retain(|reserve| reserve.strong_count() > 0);
        reserves.push(reserve);
    }

    /// All of them, outside of the lock.
    fn all(&self) -> Vec<Arc<dyn Reserve>> {
        let reserves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reserves.iter().filter_map(Weak::upgrade).collect()
    }

    /// Lets all go that they keep. Returns the bytes of that.
    pub(super) fn trim(&self) -> u64 {
        self.all().iter().map(|reserve| reserve.trim()).sum()
    }

    /// What is in use, and the bytes that are kept.
    pub(super) fn report(&self) -> (Tally, u64) {
        let mut all = (Tally::default(), 0);
        for (used, kept) in self.all().iter().map(|reserve| reserve.report()) {
            all.0.join(&used);
            all.1 += kept;
        }
        all
    }
}
