//! The kernels whose faults a call that looks at data returns.
//!
//! They are those of the kernels that wrote it, and of those that wrote what it was copied or
//! computed from. Once a call has looked, and has returned them, they are forgotten. The views
//! that the data was computed from are not kept: the program may let their devices go. What is
//! left when the data goes is [shown](crate::device::unreported).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::device::accelerator::view::{AcceleratorView, WeakView};
use crate::device::unreported::{DataId, Listener, show_abandoned};
use crate::types::error::Result;

/// How many writers are told apart by what they wrote.
const MOST: usize = 32;

/// A view whose kernels wrote data.
#[derive(Clone, Debug)]
pub(super) struct Writer {
    view: WeakView,
    /// The view, if its kernels wrote these data themselves.
    kept: Option<AcceleratorView>,
    /// Which data; nothing if there are many.
    data: Option<DataId>,
    /// Keeps what it would report from being shown.
    listener: Option<Listener>,
}

impl Writer {
    fn new(view: &AcceleratorView, data: &DataId) -> Self {
        Self {
            view: view.downgrade(),
            kept: Some(view.clone()),
            data: Some(data.clone()),
            listener: data.listen(),
        }
    }

    /// Returns the first fault of its kernels that no call has returned.
    pub(super) fn report(&self) -> Result<()> {
        match (self.view.upgrade(), &self.data) {
            (Some(view), Some(data)) => view.report_by(|faults| faults.take_of(data)),
            (Some(view), None) => view.report(),
            (None, _) => Ok(()),
        }
    }

    /// Whether it stands for another one as well.
    fn covers(&self, other: &Self) -> bool {
        self.view == other.view
            && (self.kept.is_some() || other.kept.is_none())
            && (self.data.is_none() || self.data == other.data)
    }
}

/// The writers of data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writers {
    all: Vec<Writer>,
    /// What tells the list from all that are different; 0 if it has always been empty.
    version: u64,
    /// Versions of others that it has all writers of, the oldest one next to go.
    absorbed: Absorbed,
}

/// Some versions of lists.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Absorbed {
    versions: [u64; 8],
    next: usize,
}

impl Absorbed {
    /// Whether a list of this version adds nothing.
    pub(super) fn has(&self, version: u64) -> bool {
        version == 0 || self.versions.contains(&version)
    }

    fn note(&mut self, version: u64) {
        self.versions[self.next] = version;
        self.next = (self.next + 1) % self.versions.len();
    }
}

/// A version that no list has had.
fn next_version() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Writers {
    /// Adds that kernels of a view wrote some data.
    pub(crate) fn insert(&mut self, view: &AcceleratorView, data: &DataId) {
        let is_known = |known: &Writer| {
            known.kept.as_ref() == Some(view) && known.data.as_ref().is_none_or(|it| it == data)
        };
        if !self.all.iter().any(is_known) {
            self.add(Writer::new(view, data));
        }
    }

    /// What tells the list from all that are different.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// The versions of others that it has all writers of.
    pub(super) fn absorbed(&self) -> Absorbed {
        self.absorbed
    }

    fn add(&mut self, mut writer: Writer) {
        if self.all.iter().any(|known| known.covers(&writer)) {
            return;
        }
        if self.all.len() >= MOST {
            (writer.data, writer.listener) = (None, None);
            self.all.retain(|known| {
                let is_same = known.view == writer.view;
                if is_same && writer.kept.is_none() {
                    writer.kept.clone_from(&known.kept);
                }
                !is_same && !known.view.is_gone()
            });
        }
        self.all.push(writer);
        self.version = next_version();
    }

    /// Adds the writers of data from which this data was computed.
    pub(crate) fn add_all(&mut self, others: &Self) {
        if self.absorbed.has(others.version) {
            return;
        }
        for other in &others.all {
            self.add(Writer {
                view: other.view.clone(),
                kept: None,
                data: other.data.clone(),
                listener: other.data.as_ref().and_then(DataId::listen),
            });
        }
        self.absorbed.note(others.version);
    }

    /// Their faults will not be reported by this list.
    pub(crate) fn stop_listening(&mut self) {
        for writer in &mut self.all {
            writer.listener = None;
        }
    }

    /// Shows what they have left to report and nothing else would: the data is gone.
    pub(super) fn abandon(mut self) {
        self.stop_listening();
        for writer in &self.all {
            if let Some(view) = writer.view.upgrade() {
                show_abandoned(view.faults(), writer.data.as_ref());
            }
        }
    }

    /// Takes one out.
    pub(super) fn pop(&mut self) -> Option<Writer> {
        self.absorbed = Absorbed::default();
        self.version = next_version();
        self.all.pop()
    }

    /// Returns the first fault of theirs that no call has returned.
    pub(crate) fn report(&self) -> Result<()> {
        self.all.iter().try_for_each(Writer::report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Accelerator;

    #[test]
    fn a_writer_of_much_stands_for_all_that_its_view_wrote() {
        let [one, other] = [(); 2].map(|()| Accelerator::cpu().create_view(Default::default()));
        let (one, other) = (one.unwrap(), other.unwrap());
        let mut writers = Writers::default();
        for _ in 1..MOST {
            writers.insert(&one, &Listener::new().data());
        }
        let last = Listener::new().data();
        writers.insert(&other, &last);
        writers.insert(&other, &last);
        assert_eq!(writers.all.len(), MOST);
        for _ in 0..3 {
            writers.insert(&one, &Listener::new().data());
            let all = writers.all.iter().map(|writer| writer.data.clone());
            assert_eq!(all.collect::<Vec<_>>(), [Some(last.clone()), None]);
        }
    }
}
