//! What memory there is, and who has it.

use std::collections::BTreeMap;
use std::fmt;

/// What an accelerator or a view of it has of memory, as it was when the report was made.
/// It is written for people:
///
/// ```
/// use amp_runtime::{Accelerator, Array};
///
/// let view = Accelerator::default()?.default_view()?;
/// let array: Array<f32, 1> = Array::builder(1 << 20).on(&view).build()?;
/// let report = view.accelerator().memory();
/// assert!(report.in_use() >= 4 << 20);
/// println!("{report}");
/// # Ok::<(), amp_runtime::Error>(())
/// ```
///
/// ```text
/// llvmpipe (LLVM 15.0.6, 256 bits): 4.00 MiB in use, the largest buffer 4.00 MiB
///   kept for reuse: 0 bytes
///   allocated: 16.00 MiB
///   heap 0, the device's: 2.00 GiB
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryReport {
    pub(crate) name: String,
    pub(crate) allocated: u64,
    pub(crate) in_use: u64,
    pub(crate) pooled: u64,
    pub(crate) largest: u64,
    pub(crate) heaps: Vec<HeapReport>,
}

impl MemoryReport {
    /// Bytes that have been asked of the driver or the system: in use, kept for reuse, and
    /// the rest of blocks of which parts are.
    pub fn allocated(&self) -> u64 {
        self.allocated
    }

    /// Bytes of arrays, of views' copies, and of what moves data.
    pub fn in_use(&self) -> u64 {
        self.in_use
    }

    /// Bytes that are kept for reuse. [`AcceleratorView::trim`](crate::AcceleratorView::trim) gives
    /// them back.
    pub fn pooled(&self) -> u64 {
        self.pooled
    }

    /// Bytes of the largest array or copy.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// The memory that there is.
    pub fn heaps(&self) -> &[HeapReport] {
        &self.heaps
    }
}

impl fmt::Display for MemoryReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} in use, the largest buffer {}",
            self.name,
            Bytes(self.in_use),
            Bytes(self.largest)
        )?;
        writeln!(f, "  kept for reuse: {}", Bytes(self.pooled))?;
        write!(f, "  allocated: {}", Bytes(self.allocated))?;
        for (number, heap) in self.heaps.iter().enumerate() {
            write!(f, "\n  heap {number}, {heap}")?;
        }
        Ok(())
    }
}

/// One kind of memory that an accelerator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapReport {
    pub(crate) bytes: u64,
    pub(crate) is_local: bool,
    pub(crate) budget: Option<u64>,
    pub(crate) used: Option<u64>,
}

impl HeapReport {
    /// Its size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it is the device's own.
    pub fn is_local(&self) -> bool {
        self.is_local
    }

    /// Bytes that this process can use of it in all, before allocations fail or become slow,
    /// by the driver's estimate; `None` if that gives none.
    pub fn budget(&self) -> Option<u64> {
        self.budget
    }

    /// Bytes that this process uses of it, by the driver's estimate; `None` if that gives
    /// none.
    pub fn used(&self) -> Option<u64> {
        self.used
    }
}

impl fmt::Display for HeapReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = match self.is_local {
            true => "the device's",
            false => "the host's",
        };
        write!(f, "{whose}: {}", Bytes(self.bytes))?;
        if let Some(budget) = self.budget {
            write!(f, ", budget {}", Bytes(budget))?;
        }
        if let Some(used) = self.used {
            write!(f, ", used {}", Bytes(used))?;
        }
        Ok(())
    }
}

/// A number of bytes, which is written as people do.
///
/// ```
/// use amp_runtime::Bytes;
///
/// assert_eq!(Bytes(512).to_string(), "512 bytes");
/// assert_eq!(Bytes(3 << 29).to_string(), "1.50 GiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let Self(bytes) = *self;
        if bytes < 1024 {
            return write!(f, "{bytes} bytes");
        }
        let power = (bytes.ilog2() / 10) as usize;
        let number = bytes as f64 / (1_u64 << (10 * power)) as f64;
        write!(f, "{number:.2} {}", UNITS[power - 1])
    }
}

/// Pieces of memory, counted by their sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    bytes: u64,
    counts: BTreeMap<u64, u64>,
}

impl Tally {
    /// Of nothing.
    pub(crate) const fn new() -> Self {
        Self {
            bytes: 0,
            counts: BTreeMap::new(),
        }
    }

    /// Counts a piece.
    pub(crate) fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
        *self.counts.entry(bytes).or_default() += 1;
    }

    /// Counts a piece no longer.
    pub(crate) fn remove(&mut self, bytes: u64) {
        if let Some(count) = self.counts.get_mut(&bytes) {
            *count -= 1;
            self.bytes -= bytes;
            if *count == 0 {
                self.counts.remove(&bytes);
            }
        }
    }

    /// Counts all pieces of another.
    pub(crate) fn join(&mut self, other: &Self) {
        self.bytes += other.bytes;
        for (bytes, count) in &other.counts {
            *self.counts.entry(*bytes).or_default() += count;
        }
    }

    /// Bytes of all pieces.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes of the largest.
    pub(crate) fn largest(&self) -> u64 {
        self.counts.keys().next_back().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_for_people() {
        let sizes = [0, 1023, 1024, 1536 << 10, 5 << 30, u64::MAX];
        assert_eq!(
            sizes.map(|size| Bytes(size).to_string()),
            [
                "0 bytes",
                "1023 bytes",
                "1.00 KiB",
                "1.50 MiB",
                "5.00 GiB",
                "16.00 EiB"
            ]
        );
    }

    #[test]
    fn a_tally_knows_its_largest() {
        let mut tally = Tally::new();
        for bytes in [5, 9, 9, 2] {
            tally.add(bytes);
        }
        tally.remove(9);
        assert_eq!((tally.bytes(), tally.largest()), (16, 9));
        tally.remove(9);
        tally.remove(77);
        assert_eq!((tally.bytes(), tally.largest()), (7, 5));
        let mut both = tally.clone();
        both.join(&tally);
        assert_eq!((both.bytes(), both.largest()), (14, 5));
    }
}
