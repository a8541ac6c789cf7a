//! Whose faults somebody who looks at data is to be told.
//!
//! They are those of the kernels that wrote it, and of those that wrote what it was copied or
//! computed from. Once somebody has looked, and has been told, they are forgotten.

use crate::accelerator::AcceleratorView;
use crate::error::Result;
use crate::unreported::DataId;

/// How many writers are told apart by what they wrote.
const MOST: usize = 32;

/// A view whose kernels wrote data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Writer {
    view: AcceleratorView,
    /// Which data; nothing if there are many.
    data: Option<DataId>,
}

impl Writer {
    fn new(view: &AcceleratorView, data: DataId) -> Self {
        Self {
            view: view.clone(),
            data: Some(data),
        }
    }

    /// Returns the first fault of its kernels that nobody has been told of.
    pub(super) fn report(&self) -> Result<()> {
        match self.data {
            Some(data) => self.view.report_by(|faults| faults.take_of(data)),
            None => self.view.report(),
        }
    }

    /// Whether it stands for another one as well.
    fn covers(&self, other: &Self) -> bool {
        self.view == other.view && (self.data.is_none() || self.data == other.data)
    }
}

/// The writers of data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writers(Vec<Writer>);

impl Writers {
    /// Adds that kernels of a view wrote some data.
    pub(crate) fn insert(&mut self, view: &AcceleratorView, data: DataId) {
        self.add(&Writer::new(view, data));
    }

    fn add(&mut self, writer: &Writer) {
        if self.0.iter().any(|known| known.covers(writer)) {
            return;
        }
        let mut writer = writer.clone();
        if self.0.len() >= MOST {
            writer.data = None;
            self.0.retain(|known| known.view != writer.view);
        }
        self.0.push(writer);
    }

    pub(crate) fn add_all(&mut self, others: &Self) {
        others.0.iter().for_each(|other| self.add(other));
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
            writers.add(&Writer::new(&one, DataId::new()));
        }
        let last = Writer::new(&other, DataId::new());
        writers.add(&last);
        writers.add(&last);
        assert_eq!(writers.0.len(), MOST);
        for _ in 0..3 {
            writers.add(&Writer::new(&one, DataId::new()));
            assert_eq!(writers.0.len(), 2);
        }
        assert!(writers.0.contains(&last));
    }
}
