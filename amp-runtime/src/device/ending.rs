//! What views have left to show when the process ends, which default views live to see.

use std::sync::{Mutex, PoisonError, Weak};
use std::time::Instant;

use super::view::ViewInner;
use crate::device::vulkan;

static VIEWS: Mutex<Vec<Weak<ViewInner>>> = Mutex::new(Vec::new());

/// From now on the end of the process shows what a view has left.
pub(super) fn note(view: Weak<ViewInner>) {
    vulkan::at_exit(show_rest);
    let mut views = VIEWS.lock().unwrap_or_else(PoisonError::into_inner);
    views.retain(|view| view.strong_count() > 0);
    views.push(view);
}

fn show_rest(deadline: Instant) {
    let views = VIEWS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for view in views.iter().filter_map(Weak::upgrade) {
        view.show_rest(Some(deadline));
        // The process ends; nothing is closed by its last handlers.
        std::mem::forget(view);
    }
}
