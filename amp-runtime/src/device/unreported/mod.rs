//! Faults that no call has returned yet.
//!
//! A fault is returned once: by the first wait for its accelerator view, or by the first look at
//! data that its kernel may have written, or that was computed from such data. A look at other
//! data leaves it to those.
//!
//! When the last of that data goes, only the accelerator view is left to return it, and few
//! programs ask there: so it is [shown](show()), and stays for the view's next wait. What has not
//! been shown when the view goes, or the process ends, is shown then.

mod show;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::types::error::KernelFault;

pub use show::{reset_unreported_hook, set_unreported_hook};
pub(crate) use show::{show, show_abandoned, show_all};

/// A body of data, which is told from all others, also after its end.
#[derive(Clone, Debug)]
pub(crate) struct DataId(Weak<()>);

/// Keeps a fault of a kernel that wrote a body of data from being shown: its holder may return
/// it.
#[derive(Clone, Debug)]
pub(crate) struct Listener(Arc<()>);

impl Listener {
    /// The first one, of new data.
    pub(crate) fn new() -> Self {
        Self(Arc::new(()))
    }

    /// The data.
    pub(crate) fn data(&self) -> DataId {
        DataId(Arc::downgrade(&self.0))
    }
}

impl PartialEq for Listener {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl DataId {
    /// Another listener, if there is one.
    pub(crate) fn listen(&self) -> Option<Listener> {
        self.0.upgrade().map(Listener)
    }

    fn has_listeners(&self) -> bool {
        self.0.strong_count() > 0
    }
}

impl PartialEq for DataId {
    fn eq(&self, other: &Self) -> bool {
        Weak::ptr_eq(&self.0, &other.0)
    }
}

/// A fault, and the data that its kernel may have written.
pub(crate) type Guilty = (KernelFault, Arc<[DataId]>);

/// How many faults of a view are kept.
const MOST: usize = 1024;

/// The faults of a view that no call has returned, in their order.
#[derive(Debug, Default)]
pub(crate) struct Unreported(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    fault: Box<KernelFault>,
    written: Vec<DataId>,
    /// Whether it has been shown.
    shown: bool,
}

/// The faults of a view, which launches and those who drop data share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults(Arc<Mutex<Unreported>>);

impl Faults {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Unreported> {
        // No step leaves a state that the next one misreads.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unreported {
    /// Keeps a fault, unless all who are to be told of it are told of an earlier one.
    pub(crate) fn add(&mut self, (fault, written): Guilty) {
        if self.0.iter().any(|earlier| earlier.written == *written) {
            return;
        }
        if self.0.len() == MOST {
            // Not the first, which the next wait returns.
            let shown = self.0.iter().skip(1).position(|entry| entry.shown);
            self.0.remove(1 + shown.unwrap_or(0));
        }
        self.0.push(Entry {
            fault: Box::new(fault),
            written: written.to_vec(),
            shown: false,
        });
    }

    /// Takes the first of all, in place of all; of those that have been shown only if there are
    /// no others.
    pub(crate) fn take(&mut self) -> Option<Box<KernelFault>> {
        let first = self.0.iter().position(|entry| !entry.shown);
        let first = self.0.drain(..).nth(first.unwrap_or(0));
        first.map(|entry| entry.fault)
    }

    /// Takes the first of a kernel that may have written these data, in place of all of such
    /// kernels, as far as others are not to be told of them.
    pub(crate) fn take_of(&mut self, data: &DataId) -> Option<Box<KernelFault>> {
        let wrote = |entry: &Entry| entry.written.contains(data);
        let first = self.0.iter().position(wrote)?;
        let first = self.0.remove(first);
        self.0.retain_mut(|Entry { written, .. }| {
            let count = written.len();
            written.retain(|other| other != data);
            written.len() == count || !written.is_empty()
        });
        Some(first.fault)
    }

    /// The first that has not been shown, which is shown now.
    fn first_to_show(&mut self) -> Option<KernelFault> {
        self.show_first(|_| true)
    }

    /// The first of a kernel that may have written these data, or any if no data is given,
    /// that has not been shown and has no listeners left; it is shown now.
    fn first_abandoned(&mut self, data: Option<&DataId>) -> Option<KernelFault> {
        self.show_first(|written| {
            data.is_none_or(|data| written.contains(data))
                && !written.iter().any(DataId::has_listeners)
        })
    }

    fn show_first(&mut self, which: impl Fn(&[DataId]) -> bool) -> Option<KernelFault> {
        let mut unshown = self.0.iter_mut().filter(|entry| !entry.shown);
        let first = unshown.find(|entry| which(&entry.written))?;
        first.shown = true;
        Some(KernelFault::clone(&first.fault))
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

    fn lines(faults: &[(u32, &[&DataId])]) -> Unreported {
        let mut unreported = Unreported::default();
        for (line, written) in faults {
            let written = written.iter().map(|&data| data.clone());
            unreported.add((fault(*line), written.collect()));
        }
        unreported
    }

    #[test]
    fn reading_data_returns_the_faults_of_that_data_only() {
        let [a, b, c] = &[(); 3].map(|()| Listener::new().data());
        let mut faults = lines(&[(1, &[]), (2, &[a]), (3, &[a, b]), (4, &[a])]);
        let mut line = |data| faults.take_of(data).map(|fault| fault.line);
        assert_eq!((line(c), line(a), line(a)), (None, Some(2), None));
        assert_eq!((line(b), line(b)), (Some(3), None));
        assert_eq!(faults.take().map(|fault| fault.line), Some(1));
        assert_eq!(faults.take(), None);
    }

    #[test]
    fn a_wait_returns_the_first_of_all_faults() {
        let a = &Listener::new().data();
        let mut faults = lines(&[(1, &[a]), (2, &[])]);
        assert_eq!(faults.take().map(|fault| fault.line), Some(1));
        assert_eq!((faults.take_of(a), faults.take()), (None, None));
    }

    #[test]
    fn dropped_data_prints_faults_that_no_call_can_return() {
        let [a, b] = &[(); 2].map(|()| Listener::new());
        let (other, of_b) = (b.clone(), b.data());
        let (a, gone) = (&a.data(), &Listener::new().data());
        let mut faults = lines(&[(1, &[gone, a]), (2, &[&of_b]), (3, &[gone]), (4, &[])]);
        let mut line = |data| faults.first_abandoned(data).map(|fault| fault.line);
        assert_eq!((line(Some(a)), line(Some(&of_b))), (None, None));
        assert_eq!((line(Some(gone)), line(Some(gone))), (Some(3), None));
        drop(other);
        assert_eq!(line(Some(&of_b)), None, "one listener is left");
        assert_eq!((line(None), line(None)), (Some(4), None));
        assert_eq!(faults.first_to_show().map(|fault| fault.line), Some(1));
    }

    /// What was shown is still returned, but nothing is that was shown before what was not.
    #[test]
    fn faults_that_were_shown_are_returned_last() {
        let mut faults = lines(&[(1, &[&Listener::new().data()]), (2, &[])]);
        assert_eq!(faults.first_to_show().map(|fault| fault.line), Some(1));
        assert_eq!(faults.take().map(|fault| fault.line), Some(2));
        let mut faults = lines(&[(1, &[])]);
        assert_eq!(faults.first_to_show().map(|fault| fault.line), Some(1));
        assert_eq!(faults.first_to_show(), None);
        assert_eq!(faults.take().map(|fault| fault.line), Some(1));
        assert_eq!(faults.take(), None);
    }

    #[test]
    fn so_many_are_kept_with_the_first() {
        let mut faults = Unreported::default();
        for line in 0..2 * MOST as u32 {
            faults.add((fault(line), [Listener::new().data()].into()));
        }
        assert_eq!(faults.0.len(), MOST);
        assert_eq!(faults.take().map(|fault| fault.line), Some(0));
    }
}
