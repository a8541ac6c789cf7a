//! Whose faults somebody who looks at data is to be told.
//!
//! They are those of the kernels that wrote it, and of those that wrote what it was copied or
//! computed from. Once somebody has looked, and has been told, they are forgotten. The views
//! of what data comes of are not kept: the program may let their devices go.

use crate::accelerator::{AcceleratorView, WeakView};
use crate::error::Result;
use crate::unreported::DataId;

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
}

impl Writer {
    fn new(view: &AcceleratorView, data: DataId) -> Self {
        Self {
            view: view.downgrade(),
            kept: Some(view.clone()),
            data: Some(data),
        }
    }

    /// Returns the first fault of its kernels that nobody has been told of.
    pub(super) fn report(&self) -> Result<()> {
        match (self.view.upgrade(), self.data) {
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
    pub(crate) fn insert(&mut self, view: &AcceleratorView, data: DataId) {
        self.add(Writer::new(view, data));
    }

    fn add(&mut self, mut writer: Writer) {
        if self.0.iter().any(|known| known.covers(&writer)) {
            return;
        }
        if self.0.len() >= MOST {
            writer.data = None;
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

    /// Adds the writers of data that these come of.
    pub(crate) fn add_all(&mut self, others: &Self) {
        for other in &others.0 {
            self.add(Writer {
                view: other.view.clone(),
                kept: None,
                data: other.data,
            });
        }
    }

    /// Takes one out.
    pub(super) fn pop(&mut self) -> Option<Writer> {
        self.0.pop()
    }

    /// Returns the first fault of theirs that nobody has been told of.
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
            writers.insert(&one, DataId::new());
        }
        let last = DataId::new();
        writers.insert(&other, last);
        writers.insert(&other, last);
        assert_eq!(writers.0.len(), MOST);
        for _ in 0..3 {
            writers.insert(&one, DataId::new());
            let all = writers.0.iter().map(|writer| writer.data);
            assert_eq!(all.collect::<Vec<_>>(), [Some(last), None]);
        }
    }
}
