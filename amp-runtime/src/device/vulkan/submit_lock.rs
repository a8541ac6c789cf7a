//! The lock between making pipelines and sending batches, for drivers that need one.
//!
//! In Vulkan one thread may make a pipeline while another sends a batch. With NVIDIA's driver
//! (580.159, on an H200) the first launch of a pipeline that came to be during another thread's
//! `vkQueueSubmit` may never end: the device hung in 13 of 597 processes whose threads all made
//! their first launch at once, and in none of 932 with this lock.
//!
//! Compiling a kernel takes long, and other threads should not wait for it. So for such a driver a
//! pipeline is made twice: without the lock, which compiles the kernel into the driver's cache, and
//! with it from there, in about 0.1 ms. Left out are submissions of the program itself.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The lock of a device, if its driver needs it.
pub(super) struct SubmitLock(Option<RwLock<()>>);

impl SubmitLock {
    pub(super) fn new(is_needed: bool) -> Self {
        Self(is_needed.then(RwLock::default))
    }

    /// Whether pipelines that are launched must be made with it.
    pub(super) fn is_needed(&self) -> bool {
        self.0.is_some()
    }

    /// Held while a batch is sent.
    pub(super) fn sending(&self) -> Option<RwLockReadGuard<'_, ()>> {
        let lock = self.0.as_ref()?;
        Some(lock.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Held while a pipeline is made.
    pub(super) fn making(&self) -> Option<RwLockWriteGuard<'_, ()>> {
        let lock = self.0.as_ref()?;
        Some(lock.write().unwrap_or_else(PoisonError::into_inner))
    }
}
