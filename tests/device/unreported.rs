//! Errors that no call returns: they are shown once.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use amp::prelude::*;
use amp::{Error, Result, reset_unreported_hook, set_unreported_hook};
use testkit::{assert_silent, everywhere, launch, new_views};

#[amp_kernel]
fn unheard_shift(idx: Index<1>, a: &ArrayView<u32, 1>, b: &mut ArrayViewMut<u32, 1>) {
    b[idx] = a[idx + 1];
}

#[amp_kernel]
fn unheard_both(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, b: &mut ArrayViewMut<u32, 1>) {
    b[idx] = a[idx + 1];
    a[idx] = 0;
}

#[amp_kernel]
fn unheard_copy(idx: Index<1>, a: &ArrayView<u32, 1>, b: &mut ArrayViewMut<u32, 1>) {
    b[idx] = a[idx];
}

/// What a hook has been shown of the kernels above, in a test that no other one runs beside.
struct Shown {
    texts: Arc<Mutex<Vec<String>>>,
    _alone: MutexGuard<'static, ()>,
}

impl Shown {
    fn start() -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = Arc::new(Mutex::new(Vec::new()));
        let hook = Arc::clone(&texts);
        set_unreported_hook(move |error| {
            // Other tests of this process drop what has faulted, too.
            if error.to_string().contains("`unheard_") {
                hook.lock().unwrap().push(error.to_string());
            }
        });
        Self {
            texts,
            _alone: alone,
        }
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.texts.lock().unwrap())
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        reset_unreported_hook();
    }
}

fn is_fault(result: Result<()>) -> bool {
    matches!(result, Err(Error::KernelFault(_)))
}

#[test]
fn a_fault_that_no_call_returned_is_shown_once_when_its_view_goes() {
    let shown = Shown::start();
    let (source, mut out) = ([1; 16], [0; 16]);
    for view in new_views() {
        let a = ArrayView::new(16, &source).unwrap();
        let mut b = ArrayViewMut::new(16, &mut out).unwrap();
        launch(&view, 16, unheard_shift(&a, &mut b)).unwrap();
        let (left, right) = b.into_split_at(0, 8).unwrap();
        drop(left);
        assert_eq!(shown.take(), [""; 0], "there is another half");
        drop(right);
        let texts = shown.take();
        assert_eq!(texts.len(), 1, "{view}: {texts:?}");
        assert!(texts[0].contains("`unheard_shift` faulted at"), "{texts:?}");
        assert!(
            texts[0].contains("in thread [15]: index out of bounds"),
            "{texts:?}"
        );
        assert_eq!(out[..15], source[..15]);
        assert!(
            is_fault(view.wait()),
            "the accelerator view still returns it"
        );
        drop(view);
        assert_eq!(shown.take(), [""; 0]);
    }
    assert_silent();
}

#[test]
fn a_fault_that_a_call_returned_is_not_shown() {
    let shown = Shown::start();
    let (source, mut out) = ([1; 16], [0; 16]);
    for view in new_views() {
        let a = ArrayView::new(16, &source).unwrap();
        let mut b = ArrayViewMut::new(16, &mut out).unwrap();
        launch(&view, 16, unheard_shift(&a, &mut b)).unwrap();
        assert!(is_fault(b.synchronize()));
        launch(&view, 16, unheard_shift(&a, &mut b)).unwrap();
        assert!(is_fault(view.wait()));
        launch(&view, 16, unheard_shift(&a, &mut b)).unwrap();
        assert!(b.to_vec().is_err());
        drop((b, view));
        assert_eq!(shown.take(), [""; 0]);
    }
}

/// The fault of a kernel that wrote several views, or views that others were computed from,
/// waits for the last of them.
#[test]
fn a_fault_is_not_shown_while_a_view_could_return_it() {
    let shown = Shown::start();
    let source = [1; 16];
    for view in new_views() {
        let (mut one, mut two) = ([1; 16], [0; 16]);
        let mut a = ArrayViewMut::new(16, &mut one).unwrap();
        let mut b = ArrayViewMut::new(16, &mut two).unwrap();
        launch(&view, 16, unheard_both(&mut a, &mut b)).unwrap();
        drop(a);
        assert_eq!(shown.take(), [""; 0]);
        drop(b);
        assert_eq!(shown.take().len(), 1, "{view}");
        assert!(is_fault(view.wait()));

        let a = ArrayView::new(16, &source).unwrap();
        let mut between = ArrayViewMut::uninit(16).unwrap();
        let mut b = ArrayViewMut::new(16, &mut two).unwrap();
        launch(&view, 16, unheard_shift(&a, &mut between)).unwrap();
        launch(&view, 16, unheard_copy(&between.as_view(), &mut b)).unwrap();
        drop(between);
        assert!(is_fault(b.synchronize()), "{view}");
        drop((b, view));
        assert_eq!(shown.take(), [""; 0]);
    }
}

/// A device may not have run the kernel when the array goes.
#[test]
fn the_fault_of_an_array_that_is_gone_is_shown_when_the_accelerator_view_goes() {
    let shown = Shown::start();
    let source = [1; 16];
    for view in new_views() {
        let name = view.to_string();
        let a = ArrayView::new(16, &source).unwrap();
        let mut b: Array<u32, 1> = Array::builder(16).on(&view).build().unwrap();
        launch(&view, 16, unheard_shift(&a, &mut b)).unwrap();
        drop((b, a, view));
        assert_eq!(shown.take().len(), 1, "{name}");
    }
}

#[test]
fn a_panicking_thread_prints_no_faults() {
    let shown = Shown::start();
    let source = [1; 16];
    for view in new_views() {
        let failed = catch_unwind(AssertUnwindSafe(|| {
            let mut out = [0; 16];
            let a = ArrayView::new(16, &source).unwrap();
            let mut b = ArrayViewMut::new(16, &mut out).unwrap();
            launch(&view, 16, unheard_shift(&a, &mut b)).unwrap();
            std::panic::resume_unwind(Box::new("on purpose"));
        }));
        assert!(failed.is_err());
        assert_eq!(shown.take(), [""; 0]);
        let name = view.to_string();
        drop(view);
        assert_eq!(
            shown.take().len(),
            1,
            "{name}: it is left to the accelerator view"
        );
    }
}

/// So that a test can fail by it.
#[test]
fn the_panic_of_a_hook_is_that_of_the_thread() {
    let _alone = Shown::start();
    set_unreported_hook(|error| {
        if error.to_string().contains("`unheard_") {
            panic!("seen: {error}");
        }
    });
    let source = [1; 16];
    for view in new_views() {
        let mut out = [0; 16];
        let failed = catch_unwind(AssertUnwindSafe(|| {
            let a = ArrayView::new(16, &source).unwrap();
            let mut b = ArrayViewMut::new(16, &mut out).unwrap();
            launch(&view, 16, unheard_shift(&a, &mut b)).unwrap();
        }));
        let panic = failed.unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(text.starts_with("seen: kernel `unheard_shift`"), "{text}");
        assert_eq!(out[0], 1);
        assert!(is_fault(view.wait()));
    }
}

/// Says that the process is one of its own, and what it does.
const CHILD: &str = "AMP_TESTS_UNREPORTED";

/// The shortest program: the out-of-bounds access of README's, with its accelerator view that
/// never goes. Of the array it may not even know the fault when the process ends.
fn child(what: &str) {
    let source = [1; 16];
    let a = ArrayView::new(16, &source).unwrap();
    match what {
        "view" => {
            let mut out = [0; 16];
            let mut b = ArrayViewMut::new(16, &mut out).unwrap();
            parallel_for_each(16, unheard_shift(&a, &mut b)).unwrap();
            drop(b);
            eprintln!("after the view");
        }
        "array" => {
            let mut b = Array::zeroed(16).unwrap();
            parallel_for_each(16, unheard_shift(&a, &mut b)).unwrap();
            eprintln!("after the launch");
        }
        _ => unreachable!("no other is started"),
    }
    std::process::exit(0);
}

#[test]
fn the_shortest_program_does_not_swallow_an_access_out_of_bounds() {
    if let Ok(what) = env::var(CHILD) {
        child(&what);
    }
    everywhere(|view| {
        for what in ["view", "array"] {
            let test = "unreported::the_shortest_program_does_not_swallow_an_access_out_of_bounds";
            let child = Command::new(env::current_exe().unwrap())
                .args(["--exact", test, "--nocapture"])
                .env(CHILD, what)
                .env("AMP_ACCELERATOR", view.accelerator().device_path())
                .output()
                .unwrap();
            assert!(child.status.success(), "{child:?}");
            let said = String::from_utf8(child.stderr).unwrap();
            let faults = said.matches("amp: unreported error: kernel `unheard_shift` faulted at");
            assert_eq!(faults.count(), 1, "{view}, {what}: {said}");
            if what == "view" {
                let at = |text| said.find(text).unwrap();
                assert!(at("unreported") < at("after the view"), "{said}");
            }
        }
    });
}
