//! Prints of kernels on their way to the terminal.
//!
//! A launch collects its prints; when it is complete they are sorted by thread
//! ([`in_order`]) and wait in their accelerator view's [`Printer`] for the next wait on
//! the view, or for its end. There they go to standard output and standard error, or to the
//! view's hook.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use amp_spirv::artifact::PRINT_RECORDS;

/// Where a print goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintStream {
    /// `print!`, `println!`.
    Stdout,
    /// `eprint!`, `eprintln!`, and what the run time says about prints.
    Stderr,
}

/// One print of a thread of a kernel (C++ AMP: `direct3d_printf`).
///
/// See [`AcceleratorView::set_print_hook`](crate::AcceleratorView::set_print_hook).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelPrint {
    /// The kernel's Rust name.
    pub kernel: String,
    /// Global index of the thread, most significant component first; empty for the line
    /// that counts what was dropped.
    pub thread: Vec<usize>,
    /// Where it goes.
    pub stream: PrintStream,
    /// The text, with its line break if it has one.
    pub text: String,
}

/// The prints of a complete launch as they are shown: threads in row-major order, the
/// prints of one thread in its own order (that of `prints`), then a line about those
/// of `count` that were not kept.
pub(crate) fn in_order(
    kernel: &str,
    mut prints: Vec<KernelPrint>,
    count: usize,
) -> Vec<KernelPrint> {
    prints.sort_by(|a, b| a.thread.cmp(&b.thread));
    let dropped = count.saturating_sub(prints.len());
    if dropped > 0 {
        prints.push(KernelPrint {
            kernel: kernel.to_owned(),
            thread: Vec::new(),
            stream: PrintStream::Stderr,
            text: format!(
                "kernel `{kernel}` printed {dropped} times more; a launch keeps the first \
                 {PRINT_RECORDS}\n"
            ),
        });
    }
    prints
}

type Hook = Arc<dyn Fn(&KernelPrint) + Send + Sync>;

/// What an accelerator view does with prints.
#[derive(Default)]
pub(crate) struct Printer {
    pending: Mutex<Vec<KernelPrint>>,
    hook: Mutex<Option<Hook>>,
}

impl Printer {
    /// Keeps the prints of a launch for the next wait.
    pub(crate) fn add(&self, prints: Vec<KernelPrint>) {
        if !prints.is_empty() {
            self.pending().extend(prints);
        }
    }

    pub(crate) fn set_hook(&self, hook: Option<Hook>) {
        let old = {
            let mut known = self.hook.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *known, hook)
        };
        // Without the lock: what it has captured may use the view.
        drop(old);
    }

    /// Shows what has been added, without a lock: a hook may use the view.
    pub(crate) fn show(&self) {
        let prints = std::mem::take(&mut *self.pending());
        if prints.is_empty() {
            return;
        }
        let mut rest = Rest {
            printer: self,
            prints: prints.into(),
        };
        let hook = {
            let hook = self.hook.lock().unwrap_or_else(PoisonError::into_inner);
            hook.clone()
        };
        while let Some(print) = rest.prints.pop_front() {
            match (&hook, print.stream) {
                (Some(hook), _) => hook(&print),
                (None, PrintStream::Stdout) => print!("{}", print.text),
                (None, PrintStream::Stderr) => eprint!("{}", print.text),
            }
        }
    }

    /// [`show`](Self::show), to the end although a hook panics, which has said so.
    pub(crate) fn show_all(&self) {
        while !self.pending().is_empty() {
            let _ = catch_unwind(AssertUnwindSafe(|| self.show()));
        }
    }

    fn pending(&self) -> MutexGuard<'_, Vec<KernelPrint>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prints that have not been shown, which a hook that panics leaves to the next wait.
struct Rest<'p> {
    printer: &'p Printer,
    prints: VecDeque<KernelPrint>,
}

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        self.printer.pending().splice(0..0, self.prints.drain(..));
    }
}

impl fmt::Debug for Printer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Printer").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(thread: usize, text: &str) -> KernelPrint {
        KernelPrint {
            kernel: "k".into(),
            thread: vec![thread],
            stream: PrintStream::Stdout,
            text: text.into(),
        }
    }

    #[test]
    fn threads_are_in_order_and_what_is_missing_is_counted() {
        let prints = vec![said(2, "a"), said(0, "b"), said(2, "c"), said(1, "d")];
        let texts = |prints: Vec<KernelPrint>| -> Vec<String> {
            prints.into_iter().map(|print| print.text).collect()
        };
        assert_eq!(
            texts(in_order("k", prints.clone(), 4)),
            ["b", "d", "a", "c"]
        );
        let more = texts(in_order("k", prints, 7));
        assert_eq!(
            more[4],
            "kernel `k` printed 3 times more; a launch keeps the first 16384\n"
        );
    }

    #[test]
    fn a_hook_takes_what_is_pending_once() {
        let (printer, seen) = (Printer::default(), Arc::new(Mutex::new(Vec::new())));
        let hook = Arc::clone(&seen);
        printer.set_hook(Some(Arc::new(move |print: &KernelPrint| {
            hook.lock().unwrap().push(print.text.clone());
        })));
        printer.add(vec![said(0, "one")]);
        printer.show();
        printer.show();
        assert_eq!(*seen.lock().unwrap(), ["one"]);
    }

    /// What a hook has captured may set another one when it goes.
    #[test]
    fn a_hook_that_goes_may_use_the_view() {
        struct Last(Arc<Printer>);
        impl Drop for Last {
            fn drop(&mut self) {
                self.0.set_hook(None);
            }
        }
        let printer = Arc::new(Printer::default());
        let last = Last(Arc::clone(&printer));
        let hook = move |_: &KernelPrint| {
            let _ = &last;
        };
        printer.set_hook(Some(Arc::new(hook)));
        printer.set_hook(None);
        assert_eq!(Arc::strong_count(&printer), 1);
    }

    #[test]
    fn a_hook_that_panics_leaves_the_rest_to_the_next_wait() {
        let (printer, seen) = (Printer::default(), Arc::new(Mutex::new(Vec::new())));
        let hook = Arc::clone(&seen);
        printer.set_hook(Some(Arc::new(move |print: &KernelPrint| {
            hook.lock().unwrap().push(print.text.clone());
            assert_ne!(print.text, "two", "on purpose");
        })));
        printer.add(
            ["one", "two", "three", "two", "four"]
                .map(|text| said(0, text))
                .into(),
        );
        assert!(catch_unwind(AssertUnwindSafe(|| printer.show())).is_err());
        assert_eq!(*seen.lock().unwrap(), ["one", "two"]);
        printer.add(vec![said(0, "five")]);
        printer.show_all();
        assert_eq!(
            *seen.lock().unwrap(),
            ["one", "two", "three", "two", "four", "five"]
        );
    }
}
