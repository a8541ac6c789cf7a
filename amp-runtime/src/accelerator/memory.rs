//! What memory accelerators have, and who has it.

use crate::device::accelerator::Accelerator;
use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::device::cpu;
use crate::types::error::Result;
use crate::types::memory::{HeapReport, MemoryReport};

impl Accelerator {
    /// What memory it has, and what of it this process has: for all its views together. For
    /// the CPU accelerator, and for its views, it is what the library has allocated on the
    /// host: arrays, and the host's copies of other data.
    pub fn memory(&self) -> MemoryReport {
        match self.adapter() {
            Some(adapter) => adapter.memory(),
            None => of_host(),
        }
    }
}

impl AcceleratorView {
    /// What this view has of the accelerator's memory: its arrays and copies of data, and
    /// what it keeps for reuse.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, ArrayViewMut, QueuingMode};
    ///
    /// let view = Accelerator::default()?.create_view(QueuingMode::Automatic)?;
    /// let mut data = vec![0.0f32; 1 << 20];
    /// let floats = ArrayViewMut::new(1 << 20, &mut data)?;
    /// floats.synchronize_to(&view)?;
    /// println!("{}", view.memory());
    /// drop(floats);
    /// // A view of as many floats would be given the same memory. Now it goes back.
    /// view.trim()?;
    /// assert_eq!(view.memory().pooled(), 0);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn memory(&self) -> MemoryReport {
        match self.backend() {
            Backend::Vulkan(stream) => stream.memory(),
            Backend::Cpu(_) => of_host(),
        }
    }

    /// Releases the buffers that the view keeps for reuse, and unused blocks of the device's
    /// memory. Returns the number of bytes that the view has released; always 0 for views of
    /// the CPU accelerator. Waits for everything launched so far.
    ///
    /// # Errors
    ///
    /// [`Error::AcceleratorViewRemoved`](crate::Error::AcceleratorViewRemoved).
    pub fn trim(&self) -> Result<u64> {
        match self.backend() {
            Backend::Vulkan(stream) => stream.trim(),
            Backend::Cpu(_) => Ok(0),
        }
    }
}

fn of_host() -> MemoryReport {
    let used = cpu::memory::used();
    let available = |what| cpu::memory::of_system(what);
    let heap = available("MemTotal").map(|bytes| HeapReport {
        bytes,
        is_local: false,
        budget: available("MemAvailable").map(|left| left + used.bytes()),
        used: Some(used.bytes()),
    });
    MemoryReport {
        name: Accelerator::cpu().to_string(),
        allocated: used.bytes(),
        in_use: used.bytes(),
        pooled: 0,
        largest: used.largest(),
        heaps: heap.into_iter().collect(),
    }
}
