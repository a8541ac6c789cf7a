//! How a view knows without a lock that the host has its elements.
//!
//! An [`Epoch`] counts how often the host has lost something: that a byte of it is
//! current, or that it has the only current copy of one. A [`Seen`] is what a view has
//! found out about its own bytes, and in which epoch. In the same epoch it still holds.
//! In another one the view has to ask again.
//!
//! Whatever makes a finding stale is done by a thread that has borrowed the view or has exclusive access
//! to its bytes. So it happens before the next read of the view on any thread, and that read sees the
//! advanced epoch without further ordering.
//!
//! `tests/loom.rs` runs this file with atomics that are seen in every order.

use super::atomic::{AtomicU64, Ordering};

/// What the host has of a view's bytes, added to the epoch of the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The host's copy is current.
    Current = 1,
    /// The host's copy is the only current one, so the host may write to it.
    Only = 2,
}

/// Counts the losses of the host, in steps that leave room for a [`Finding`].
#[derive(Debug, Default)]
pub(super) struct Epoch(AtomicU64);

impl Epoch {
    #[inline]
    pub(super) fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// The host has lost something.
    pub(super) fn advance(&self) {
        self.0.fetch_add(4, Ordering::Relaxed);
    }
}

/// A view's last finding.
#[derive(Debug, Default)]
pub(crate) struct Seen(AtomicU64);

impl Seen {
    /// Whether the host's copy is current. If another thread has found that out, what it
    /// has brought to the host is seen too.
    #[inline]
    pub(crate) fn is_current(&self, epoch: u64) -> bool {
        // Both findings say so.
        self.0.load(Ordering::Acquire).wrapping_sub(epoch + 1) < 2
    }

    /// Whether the host has the only current copy, asked by who has the view alone.
    #[inline]
    pub(crate) fn is_only(&mut self, epoch: u64) -> bool {
        *self.0.get_mut() == epoch + Finding::Only as u64
    }

    /// Notes a finding, with the epoch as it was before the question.
    pub(crate) fn note(&self, epoch: u64, finding: Finding) {
        self.0.store(epoch + finding as u64, Ordering::Release);
    }
}

/// What holds for a view holds for its parts.
impl Clone for Seen {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.0.load(Ordering::Acquire)))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn findings_hold_for_their_epoch() {
        let (epoch, mut seen) = (Epoch::default(), Seen::default());
        assert!(!seen.is_current(epoch.now()) && !seen.is_only(epoch.now()));
        seen.note(epoch.now(), Finding::Current);
        assert!(seen.is_current(epoch.now()) && !seen.is_only(epoch.now()));
        seen.note(epoch.now(), Finding::Only);
        assert!(seen.is_current(epoch.now()) && seen.is_only(epoch.now()));
        let part = seen.clone();
        epoch.advance();
        for mut seen in [seen, part] {
            assert!(!seen.is_current(epoch.now()) && !seen.is_only(epoch.now()));
        }
    }
}
