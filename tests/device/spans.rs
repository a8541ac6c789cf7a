//! The spans that programs with a `tracing` subscriber see.

use std::sync::{Arc, Mutex};

use amp::prelude::*;
use testkit::{assert_silent, new_views};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[amp_kernel]
fn triple(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] *= 3;
}

#[amp_kernel]
fn double(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] *= 2;
}

/// Notes the spans of this thread, with their fields.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

struct Fields<'n>(&'n mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        *self.0 += &format!(" {field}={value:?}");
    }
}

impl Subscriber for Notes {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target() == "amp"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut note = span.metadata().name().to_owned();
        span.record(&mut Fields(&mut note));
        let mut notes = self.0.lock().unwrap();
        notes.push(note);
        Id::from_u64(notes.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn launches_transfers_and_pipelines_are_spans() {
    for view in new_views() {
        let notes = Notes::default();
        let numbers = tracing::subscriber::with_default(notes.clone(), || {
            let mut x = Array::builder(5).on(&view).data(&[1, 2, 3, 4, 5]).build()?;
            view.parallel_for_each(5, double(&mut x))?;
            x.to_vec()?;
            // Other tests, without a subscriber, may have come to a span at the same time.
            tracing::callsite::rebuild_interest_cache();
            x.copy_from(&[1, 2, 3, 4, 5])?;
            view.parallel_for_each(5, triple(&mut x))?;
            x.to_vec()
        });
        assert_eq!(numbers.unwrap(), [3, 6, 9, 12, 15], "{view}");
        let notes = notes.0.lock().unwrap();
        let has = |start: &str| notes.iter().any(|note| note.starts_with(start));
        assert!(
            has("launch kernel=\"triple\" extent=[5]"),
            "{view}: {notes:?}"
        );
        if view.accelerator() != Accelerator::cpu() {
            assert!(has("upload bytes=20"), "{view}: {notes:?}");
            assert!(has("download bytes=20"), "{view}: {notes:?}");
            assert!(has("pipeline kernel=\"triple\" size="), "{view}: {notes:?}");
        }
    }
    assert_silent();
}
