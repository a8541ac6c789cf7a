//! What the host makes of the kernels' accesses, and the comparison with all accelerators.

use amp::prelude::*;
use amp::{Error, KernelFault};
use testkit::{assert_same, assert_silent, new_views};

/// What the kernels read.
pub const DATA: [i32; 12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];

/// The greatest `usize` of a device.
pub const LAST: usize = u32::MAX as usize;

/// How the kernels gather what they read.
pub fn mix(sum: i32, value: i32) -> i32 {
    sum.wrapping_mul(31).wrapping_add(value)
}

/// What the host's accesses do: outside they read zero and write nothing, and the first
/// is remembered with the part of the kernel's source where it stands.
#[derive(Default)]
pub struct Host {
    fault: Option<(&'static str, String)>,
}

impl Host {
    pub fn fault(&mut self, text: &'static str, message: String) {
        self.fault.get_or_insert((text, message));
    }

    /// Whether an index of a view is in bounds.
    pub fn element(&mut self, text: &'static str, extent: usize, index: usize) -> bool {
        if index >= extent {
            let message =
                format!("index out of bounds: the extent is {extent} but the index is {index}");
            self.fault(text, message);
        }
        index < extent
    }

    /// An element of a view.
    pub fn read(&mut self, text: &'static str, data: &[i32], index: usize) -> i32 {
        if self.element(text, data.len(), index) {
            data[index]
        } else {
            0
        }
    }

    /// Whether an index of an array is in bounds.
    pub fn part(&mut self, text: &'static str, len: usize, index: usize) -> bool {
        if index >= len {
            let message =
                format!("index out of bounds: the length is {len} but the index is {index}");
            self.fault(text, message);
        }
        index < len
    }
}

/// The files with kernels.
const SOURCES: [(&str, &str); 4] = [
    ("arrays.rs", include_str!("arrays.rs")),
    ("bodies.rs", include_str!("bodies.rs")),
    ("data.rs", include_str!("data.rs")),
    ("ranges.rs", include_str!("ranges.rs")),
];

/// File, line and column of a text in the line that is marked with it.
fn site(mark: &str) -> (String, u32, u32) {
    let marker = format!("//~ {mark}");
    let lines = SOURCES.iter().flat_map(|(file, source)| {
        let numbered = source.lines().zip(1..);
        numbered.map(|(text, line)| (*file, line, text))
    });
    let (file, line, source) = lines
        .into_iter()
        .find(|(.., text)| text.trim_end().ends_with(&marker))
        .unwrap_or_else(|| panic!("no line is marked with `{mark}`"));
    let text = mark.split(" @ ").next().unwrap_or(mark);
    let column = source.find(text).expect("the mark itself contains it");
    (file!().replace("host.rs", file), line, column as u32 + 1)
}

/// Launches over `before` on every accelerator, and expects the result and the fault, if
/// any, of thread `thread`, that `host` has.
#[track_caller]
pub fn agrees(
    (kernel, thread, case): (&str, usize, &str),
    before: &[i32],
    host: impl Fn(&mut Host, &mut [i32]),
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, i32, 1>) -> amp::Result<()>,
) {
    let mut expected = before.to_vec();
    let mut emulation = Host::default();
    host(&mut emulation, &mut expected);
    let fault = emulation.fault.map(|(text, message)| {
        let (file, line, column) = site(text);
        KernelFault {
            kernel: kernel.to_owned(),
            file,
            line,
            column,
            thread: vec![thread],
            message,
        }
    });
    for view in new_views() {
        let mut data = before.to_vec();
        let mut out = ArrayViewMut::new(data.len(), &mut data).expect("data is not empty");
        launches(&view, &mut out).unwrap_or_else(|error| panic!("{view}, {case}: {error}"));
        let found = match out.synchronize() {
            Ok(()) => None,
            Err(Error::KernelFault(fault)) => Some(*fault),
            Err(error) => panic!("{view}, {case}: {error}"),
        };
        assert_eq!(found, fault, "{view}, {case}");
        drop(out);
        assert_same(&data, &expected, &format!("{view}, {case}"));
    }
    assert_silent();
}
