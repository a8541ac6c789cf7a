//! What Rust would panic at: the first fault is reported with its place, thread and
//! words, alike on all accelerators; what did not happen leaves no trace; the
//! accelerator view works on.
//!
//! A comment `//~ name: text` in a kernel says where the fault of that name is: at
//! `text` in that line.

mod bounds;
mod lockstep;
mod numbers;
mod operands;
mod rounds;
mod told;

use amp::prelude::*;
use amp::{Element, Error, KernelFault};
use testkit::{Same, assert_same, assert_silent, launch, new_views};

const DATA: [i32; 9] = [10, 11, 12, 13, 14, 15, 16, 17, 18];

/// Line and column of the fault called `name` in a source file.
pub fn site(source: &str, name: &str) -> (u32, u32) {
    let marker = format!("//~ {name}: ");
    let (line, text) = source
        .lines()
        .enumerate()
        .find(|(_, text)| text.contains(&marker))
        .unwrap_or_else(|| panic!("no marker for {name}"));
    let (code, wanted) = text.split_once(&marker).expect("the line has the marker");
    let column = code
        .find(wanted)
        .unwrap_or_else(|| panic!("`{wanted}` is not in its line"));
    (line as u32 + 1, column as u32 + 1)
}

/// Launches over `before` on every accelerator; expects the fault that stands at the
/// marker of the kernel's name in a source file, given by name and text, and `after` in
/// memory.
pub fn faults_in<T: Element + Same>(
    (file, source): (&str, &str),
    (kernel, thread, message): (&str, &[usize], &str),
    before: &[T],
    after: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let (line, column) = site(source, kernel);
    let expected = KernelFault {
        kernel: kernel.to_owned(),
        file: file.to_owned(),
        line,
        column,
        thread: thread.to_vec(),
        message: message.to_owned(),
    };
    for view in new_views() {
        let mut data = before.to_vec();
        {
            let mut out = ArrayViewMut::new(data.len(), &mut data).unwrap();
            launches(&view, &mut out).unwrap_or_else(|error| panic!("{view}: {error}"));
            match out.synchronize() {
                Err(Error::KernelFault(fault)) => assert_eq!(*fault, expected, "{view}"),
                other => panic!("{view}: no fault but {other:?}"),
            }
            view.wait()
                .unwrap_or_else(|error| panic!("{view}: a second report: {error}"));
        }
        assert_same(&data, after, &view.to_string());
        works(&view);
    }
    assert_silent();
}

#[amp_kernel]
fn fine(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] += idx[0] as u32;
}

/// Requires that a view still runs kernels.
pub fn works(view: &AcceleratorView) {
    let mut data = [1, 1, 1];
    let mut out = ArrayViewMut::new(3, &mut data).unwrap();
    launch(view, 3, fine(&mut out)).unwrap();
    out.synchronize()
        .unwrap_or_else(|error| panic!("{view}: after a fault: {error}"));
    drop(out);
    assert_eq!(data, [1, 2, 3], "{view}");
}
