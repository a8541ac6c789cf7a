//! Faults that nobody has been told of.
//!
//! A fault is told once: to whoever first waits for its view, or looks at data that its kernel
//! may have written, or that came of it. Who looks at other data is not bothered with it, and
//! leaves it to those.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::KernelFault;

/// A body of data, which is told from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataId(u64);

impl DataId {
    /// That of a new one.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A fault, and the data that its kernel may have written.
pub(crate) type Guilty = (KernelFault, Arc<[DataId]>);

/// How many faults of a view are kept.
const MOST: usize = 1024;

/// The faults of a view that nobody has been told of, in their order.
#[derive(Debug, Default)]
pub(crate) struct Unreported(Vec<(Box<KernelFault>, Vec<DataId>)>);

impl Unreported {
    /// Keeps a fault, unless all who are to be told of it are told of an earlier one.
    pub(crate) fn add(&mut self, (fault, written): Guilty) {
        if self.0.iter().any(|(_, earlier)| *earlier == *written) {
            return;
        }
        if self.0.len() == MOST {
            // Not the first, which whoever waits is told.
            self.0.remove(1);
        }
        self.0.push((Box::new(fault), written.to_vec()));
    }

    /// Takes the first of all, in place of all.
    pub(crate) fn take(&mut self) -> Option<Box<KernelFault>> {
        let first = self.0.drain(..).next();
        first.map(|(fault, _)| fault)
    }

    /// Takes the first of a kernel that may have written these data, in place of all of such
    /// kernels, as far as others are not to be told of them.
    pub(crate) fn take_of(&mut self, data: DataId) -> Option<Box<KernelFault>> {
        let first = self
            .0
            .iter()
            .position(|(_, written)| written.contains(&data))?;
        let (fault, _) = self.0.remove(first);
        self.0.retain_mut(|(_, written)| {
            let count = written.len();
            written.retain(|other| *other != data);
            written.len() == count || !written.is_empty()
        });
        Some(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: u32) -> KernelFault {
        KernelFault {
            kernel: "k".into(),
            file: "a.rs".into(),
            line,
            column: 1,
            thread: vec![0],
            message: "on purpose".into(),
        }
    }

    fn lines(faults: &[(u32, &[DataId])]) -> Unreported {
        let mut unreported = Unreported::default();
        for (line, written) in faults {
            unreported.add((fault(*line), (*written).into()));
        }
        unreported
    }

    #[test]
    fn who_looks_at_data_is_told_of_its_faults_alone() {
        let [a, b, c] = [(); 3].map(|()| DataId::new());
        let mut faults = lines(&[(1, &[]), (2, &[a]), (3, &[a, b]), (4, &[a])]);
        let mut line = |data| faults.take_of(data).map(|fault| fault.line);
        assert_eq!((line(c), line(a), line(a)), (None, Some(2), None));
        assert_eq!((line(b), line(b)), (Some(3), None));
        assert_eq!(faults.take().map(|fault| fault.line), Some(1));
        assert_eq!(faults.take(), None);
    }

    #[test]
    fn who_waits_is_told_the_first_in_place_of_all() {
        let a = DataId::new();
        let mut faults = lines(&[(1, &[a]), (2, &[])]);
        assert_eq!(faults.take().map(|fault| fault.line), Some(1));
        assert_eq!((faults.take_of(a), faults.take()), (None, None));
    }

    #[test]
    fn so_many_are_kept_with_the_first() {
        let mut faults = Unreported::default();
        for line in 0..2 * MOST as u32 {
            faults.add((fault(line), [DataId::new()].into()));
        }
        assert_eq!(faults.0.len(), MOST);
        assert_eq!(faults.take().map(|fault| fault.line), Some(0));
    }
}
