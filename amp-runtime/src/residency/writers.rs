//! The kernels whose faults a call that looks at data returns.
//!
//! They are those of the kernels that wrote it, and of those that wrote what it was copied or
//! computed from. Once a call has looked, and has returned them, they are forgotten. The views
//! that the data was computed from are not kept: the program may let their devices go. What is
//! left when the data goes is [shown](crate::unreported).

use crate::accelerator::{AcceleratorView, WeakView};
use crate::error::Result;
use crate::unreported::{DataId, Listener, show_abandoned};

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
pub(crate) struct Writers(Vec<Writer>);

impl Writers {
    /// Adds that kernels of a view wrote some data.
    pub(crate) fn insert(&mut self, view: &AcceleratorView, data: &DataId) {
        self.add(Writer::new(view, data));
    }

    fn add(&mut self, mut writer: Writer) {
        if self.0.iter().any(|known| known.covers(&writer)) {
            return;
        }
        if self.0.len() >= MOST {
            (writer.data, writer.listener) = (None, None);
            self.0.retain(|known| {
                let is_same = known.view == writer.view;
                if is_same && writer.kept.is_none() {
                    writer.kept.clone_from(&known.kept);
                }
                !is_same && !known.view.is_gone()
            });
        }
        self.0.push(writer);
    }

    /// Adds the writers of data from which this data was computed.
    pub(crate) fn add_all(&mut self, others: &Self) {
        for other in &others.0 {
            self.add(Writer {
                view: other.view.clone(),
                kept: None,
                data: other.data.clone(),
                listener: other.data.as_ref().and_then(DataId::listen),
            });
        }
    }

    /// Their faults will not be reported by this list.
    pub(crate) fn stop_listening(&mut self) {
        for writer in &mut self.0 {
            writer.listener = None;
        }
    }

    /// Shows what they have left to report and nothing else would: the data is gone.
    pub(super) fn abandon(mut self) {
        self.stop_listening();
        for writer in &self.0 {
            if let Some(view) = writer.view.upgrade() {
                show_abandoned(view.faults(), writer.data.as_ref());
            }
        }
    }

    /// Takes one out.
    pub(super) fn pop(&mut self) -> Option<Writer> {
        self.0.pop()
    }

    /// Returns the first fault of theirs that no call has returned.
    pub(crate) fn report(&self) -> Result<()> {
        self.0.iter().try_for_each(Writer::report)
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
        assert_eq!(writers.0.len(), MOST);
        for _ in 0..3 {
            writers.insert(&one, &Listener::new().data());
            let all = writers.0.iter().map(|writer| writer.data.clone());
            assert_eq!(all.collect::<Vec<_>>(), [Some(last.clone()), None]);
        }
    }
}
