//! What is shown of failures that no call returns.

use std::sync::{Arc, Mutex};
use std::thread;

use ash::vk;

use super::ends::{fail, on_doubles};
use super::tell::tell;
use crate::{ArrayView, ArrayViewMut, QueuingMode, reset_unreported_hook, set_unreported_hook};

/// A view of a slice that cannot be brought back, which is dropped. Only who has been told of it
/// before knows.
#[test]
fn a_view_that_cannot_bring_its_data_back_says_so_once() {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let (hook, this) = (Arc::clone(&shown), thread::current().id());
    set_unreported_hook(move |error| {
        // Other tests of this process lose devices, too.
        if thread::current().id() == this {
            hook.lock().unwrap().push(error.to_string());
        }
    });
    on_doubles(|session, accelerator| {
        for is_told in [false, true] {
            let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
            view.set_print_hook(|_| ());
            let (ones, mut data) = ([1; 8], [7; 8]);
            let from = ArrayView::new(8, &ones).unwrap();
            let mut to = ArrayViewMut::new(8, &mut data).unwrap();
            view.parallel_for_each(8, tell(&from, &mut to, 0)).unwrap();
            fail(
                session,
                "get_semaphore_counter_value",
                vk::Result::ERROR_DEVICE_LOST,
            );
            if is_told {
                to.to_vec().unwrap_err();
            }
            drop(to);
            session.relent();
            let shown = std::mem::take(&mut *shown.lock().unwrap());
            assert_eq!(shown.len(), usize::from(!is_told), "{shown:?}");
            assert!(
                shown.iter().all(|error| error.contains("was removed")),
                "{shown:?}"
            );
            assert_eq!(data, [7; 8]);
        }
    });
    reset_unreported_hook();
}
