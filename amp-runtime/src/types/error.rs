//! Run-time errors. Each message says what was wanted, what was found and what to do.

use std::fmt;

use amp_spirv::artifact::FaultKind;

use crate::types::access::AccessType;
use crate::types::memory::Bytes;

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong at run time.
///
/// Its `Debug` is its `Display`: a program whose `main` returns a [`Result`] prints the message.
///
/// ```
/// use amp_runtime::{ArrayView, Error};
///
/// let error = ArrayView::new([4, 4], &[0.0f32; 15]).unwrap_err();
/// assert!(matches!(error, Error::SourceTooShort { elements: 16, found: 15, .. }));
/// assert!(format!("{error:?}").starts_with("an extent of 4×4 has 16 elements"));
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The domain of a launch is empty, too large, or not divisible into tiles.
    #[error("invalid compute domain: {0}")]
    InvalidComputeDomain(String),
    /// The extent of an array or view has a component of 0 or too many elements.
    #[error("invalid extent: {0}")]
    InvalidExtent(String),
    /// A slice has fewer elements than the extent over it.
    #[error(
        "an extent of {extent} has {elements} elements but the source only {found}; \
         pass at least {elements} elements or a smaller extent"
    )]
    SourceTooShort {
        /// The extent that was asked for, as `100×64`.
        extent: String,
        /// Its number of elements.
        elements: usize,
        /// Length of the slice.
        found: usize,
    },
    /// The two ends of a copy, one of them a slice, have different lengths.
    #[error(
        "a copy needs ends of one length, but the slice has {found} elements and the other end \
         {wanted}; take a part of the longer one"
    )]
    LengthMismatch {
        /// How many elements are wanted.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// The two ends of a copy have different extents.
    #[error(
        "a copy needs ends of one extent, but the source has {source_extent} and the destination \
         {destination}; take a section of the larger, or `view_as` for another shape"
    )]
    ExtentMismatch {
        /// The extent of the source, as `100×64`.
        source_extent: String,
        /// The extent of the destination.
        destination: String,
    },
    /// A section is not within the view that it is made from.
    #[error(
        "a section of {extent} at {origin} is not within the extent {whole}; origin + extent must \
         be at most that in every component"
    )]
    SectionOutOfBounds {
        /// Where the section was to start, as `(20, 22)`.
        origin: String,
        /// Its extent, as `5×5`.
        extent: String,
        /// The extent of the view.
        whole: String,
    },
    /// A view has no such row.
    #[error("there is no row {row}, for the view has {rows} rows; they count from 0")]
    RowOutOfBounds {
        /// The row that was asked for.
        row: usize,
        /// How many there are.
        rows: usize,
    },
    /// A view cannot be split like this: both parts need elements.
    #[error(
        "an extent of {extent} cannot be split at {at} along dimension {dimension}; dimensions \
         count from 0, and the position must be greater than 0 and less than the component"
    )]
    InvalidSplit {
        /// The dimension.
        dimension: usize,
        /// The first index of the second part.
        at: usize,
        /// The extent of the view.
        extent: String,
    },
    /// Bytes do not divide evenly into elements of another type.
    #[error(
        "{bytes} bytes are no whole number of elements of {element} bytes; take a section of a \
         multiple of that"
    )]
    IndivisibleBytes {
        /// How many bytes there are.
        bytes: usize,
        /// Size of an element of the other type.
        element: usize,
    },
    /// Elements of another type cannot start where the view does.
    #[error(
        "elements of the type start at multiples of {wanted} bytes, but the view starts {start} \
         bytes into memory that starts at a multiple of {memory}; use a view that starts at one, \
         or a slice of the other type"
    )]
    Misaligned {
        /// What the start must be a multiple of.
        wanted: usize,
        /// Bytes before the view.
        start: usize,
        /// What the address of the first of these is a multiple of.
        memory: usize,
    },
    /// The elements of a section are no slice, for they do not lie one after the other.
    #[error(
        "the elements of a section of {extent} are not contiguous, so they are no slice; use \
         `to_vec`, indexing, or its rows"
    )]
    NotContiguous {
        /// The extent of the section.
        extent: String,
    },
    /// The host cannot access the elements of an array where they are.
    #[error(
        "the host cannot {wanted} the array where it is, on {accelerator} with {access}; copy its \
         elements (`to_vec`, `copy_to`, `copy_from`), use its `view`, or build it with \
         `cpu_access` on an accelerator that shares memory with the host"
    )]
    NotAccessible {
        /// What the host wanted to do: `read` or `write`.
        wanted: &'static str,
        /// Description of the accelerator that the array lives on.
        accelerator: String,
        /// How the host may access the array.
        access: AccessType,
    },
    /// An array of ndarray cannot be viewed: its elements are not in row-major order, one
    /// after the other.
    #[error(
        "an ndarray of {shape} with strides {strides:?} is not in standard layout (row-major and \
         contiguous), so a view cannot be over it; copy it by `as_standard_layout()` and view \
         the copy"
    )]
    NotStandardLayout {
        /// Its shape, as `100×64`.
        shape: String,
        /// Its strides, in elements.
        strides: Vec<isize>,
    },
    /// A value passed to a kernel does not fit what the kernel takes.
    #[error("invalid argument: {0}")]
    InvalidArgument(String),
    /// The arrays of one launch live on different accelerator views.
    #[error(
        "the arrays of one launch must live on the accelerator view that it runs on, but kernel \
         `{kernel}` was to run on {first} and was given an array on {second}; launch it there, or \
         copy the array over"
    )]
    ViewMismatch {
        /// The kernel.
        kernel: String,
        /// Where the first array, or the launch itself, is.
        first: String,
        /// Where another array is.
        second: String,
    },
    /// No accelerator has the wanted name.
    #[error("no accelerator matches \"{wanted}\"{origin}; there are: {}", available.join(", "))]
    NoSuchAccelerator {
        /// What was asked for.
        wanted: String,
        /// Where it was asked, empty or in parentheses.
        origin: String,
        /// The accelerators that there are, as `description [path]`.
        available: Vec<String>,
    },
    /// The accelerator or the host has no memory left for a request. Everything is as it was
    /// before, and goes on; but a copy that has come to its limits midway has written a part
    /// of its target.
    #[error(
        "out of memory while {operation}: {accelerator} {}{}; free arrays, or use smaller ones",
        lacked(*bytes), at_most(*available)
    )]
    OutOfMemory {
        /// What was being done, as `allocating a buffer` or `making a kernel's pipeline`.
        operation: &'static str,
        /// Size of the request. `None` for what a driver needs for objects of its own: it says
        /// that there is no memory for them, but not how much they take.
        bytes: Option<u64>,
        /// Whose memory it is: the description of the accelerator, or `the host`.
        accelerator: String,
        /// Bytes that the memory which was asked for could provide in one piece, as far as
        /// that can be told.
        available: Option<u64>,
    },
    /// The accelerator cannot do what was asked of it.
    #[error("unsupported feature: {0}")]
    UnsupportedFeature(String),
    /// The device behind an accelerator view is gone, or takes no more commands from it. What
    /// only that view had is lost with it, the arrays on it among that.
    ///
    /// Slices keep what was last brought back to them, and views over them say so: reading
    /// what was lost is this error again, until it is written anew, discarded, or given up by
    /// [`refresh`](crate::ArrayViewMut::refresh). A new view of the accelerator
    /// ([`create_view`](crate::Accelerator::create_view), or
    /// [`default_view`](crate::Accelerator::default_view) again) opens the device anew.
    #[error("the accelerator view was removed: {reason}; create a new view and new arrays")]
    AcceleratorViewRemoved {
        /// What the driver said.
        reason: String,
    },
    /// A thread of a kernel did something that Rust would have panicked at.
    #[error("{0}")]
    KernelFault(Box<KernelFault>),
    /// The driver refused something that should have worked.
    #[error("{operation} failed: {reason}")]
    Driver {
        /// What was being done.
        operation: &'static str,
        /// What the driver said.
        reason: String,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The first fault of a launch: where it happened, in which thread, and what.
///
/// The faulting access did not happen: a read gave zero and a write was dropped. After a
/// failed `assert!` the thread went on; a `panic!` returned from its function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFault {
    /// The kernel's Rust name.
    pub kernel: String,
    /// Source file of the faulting operation.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Global index of the thread, most significant component first.
    pub thread: Vec<usize>,
    /// What went wrong, in the words of Rust's panic.
    pub message: String,
}

impl fmt::Display for KernelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "kernel `{}` faulted at {}:{}:{} in thread {:?}: {}",
            self.kernel, self.file, self.line, self.column, self.thread, self.message
        )
    }
}

impl std::error::Error for KernelFault {}

/// What there was not.
fn lacked(bytes: Option<u64>) -> String {
    match bytes {
        Some(bytes) => format!("could not provide {bytes} bytes ({})", Bytes(bytes)),
        None => "could not provide what the driver needs for that".into(),
    }
}

/// What there is of what was asked for.
fn at_most(available: Option<u64>) -> String {
    available.map_or(String::new(), |bytes| {
        format!(", of which it has at most {} in one piece", Bytes(bytes))
    })
}

/// Writes an extent as people do: `100×64`.
pub(crate) fn times(components: &[usize]) -> String {
    let parts: Vec<String> = components.iter().map(usize::to_string).collect();
    parts.join("×")
}

/// Writes an index as people do: `(20, 22)`.
pub(crate) fn point(components: &[usize]) -> String {
    let parts: Vec<String> = components.iter().map(usize::to_string).collect();
    format!("({})", parts.join(", "))
}

/// The words of a fault, the same on every accelerator. `operands` are those of
/// [`FaultKind`].
pub(crate) fn fault_message(kind: FaultKind, operands: [usize; 2]) -> String {
    let [index, bound] = operands;
    match kind {
        FaultKind::OutOfBounds => {
            format!("index out of bounds: the extent is {bound} but the index is {index}")
        }
        FaultKind::ArrayOutOfBounds => {
            format!("index out of bounds: the length is {bound} but the index is {index}")
        }
        FaultKind::Section => {
            format!(
                "section out of bounds: {bound} elements from {index} on are not within the view"
            )
        }
        FaultKind::Shape => {
            format!("view_as with more elements than the {index} of the view")
        }
        FaultKind::Elements => {
            format!("reinterpret of {index} elements, which is no multiple of {bound}")
        }
        FaultKind::DivisionByZero => "attempt to divide by zero".into(),
        FaultKind::DivisionOverflow => "attempt to divide with overflow".into(),
        FaultKind::ZeroStep => "step_by with a step of zero".into(),
        FaultKind::LoopCut => {
            let which = match index {
                0 => "this loop, or one within it",
                _ => "a loop of this kernel",
            };
            format!(
                "the driver ended {which}: lavapipe gives a thread 65535 rounds of all its loops \
                 together; do less in a launch, or use the CPU accelerator (AMP_ACCELERATOR=cpu)"
            )
        }
        FaultKind::EmptyClamp => "clamp with min > max".into(),
        _ => "a fault that this version of the run time does not know".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_what_rust_would_have_said() {
        let bounds = fault_message(FaultKind::OutOfBounds, [9, 4]);
        assert_eq!(
            bounds,
            "index out of bounds: the extent is 4 but the index is 9"
        );
        let array = fault_message(FaultKind::ArrayOutOfBounds, [9, 4]);
        assert_eq!(
            array,
            "index out of bounds: the length is 4 but the index is 9"
        );
    }

    #[test]
    fn messages_carry_the_numbers_and_the_remedy() {
        let short = Error::SourceTooShort {
            extent: times(&[4, 4]),
            elements: 16,
            found: 15,
        };
        assert_eq!(
            short.to_string(),
            "an extent of 4×4 has 16 elements but the source only 15; \
             pass at least 16 elements or a smaller extent"
        );
        let memory = |bytes, available| Error::OutOfMemory {
            operation: "allocating a buffer",
            bytes,
            accelerator: "A".into(),
            available,
        };
        assert_eq!(
            memory(Some(3 << 29), Some(1 << 20)).to_string(),
            "out of memory while allocating a buffer: A could not provide 1610612736 bytes \
             (1.50 GiB), of which it has at most 1.00 MiB in one piece; free arrays, or use \
             smaller ones"
        );
        assert_eq!(
            memory(None, None).to_string(),
            "out of memory while allocating a buffer: A could not provide what the driver needs \
             for that; free arrays, or use smaller ones"
        );
        let lengths = Error::LengthMismatch {
            wanted: 4,
            found: 3,
        };
        assert_eq!(
            lengths.to_string(),
            "a copy needs ends of one length, but the slice has 3 elements and the other end 4; \
             take a part of the longer one"
        );
        let missing = Error::NoSuchAccelerator {
            wanted: "x".into(),
            origin: " (from AMP_ACCELERATOR)".into(),
            available: vec!["A [a]".into(), "B [b]".into()],
        };
        assert_eq!(
            missing.to_string(),
            "no accelerator matches \"x\" (from AMP_ACCELERATOR); there are: A [a], B [b]"
        );
    }

    #[test]
    fn a_fault_reads_like_a_panic() {
        let fault = KernelFault {
            kernel: "k".into(),
            file: "src/a.rs".into(),
            line: 3,
            column: 9,
            thread: vec![1, 2],
            message: "attempt to divide by zero".into(),
        };
        let error = Error::KernelFault(Box::new(fault));
        assert_eq!(
            error.to_string(),
            "kernel `k` faulted at src/a.rs:3:9 in thread [1, 2]: attempt to divide by zero"
        );
        assert_eq!(
            format!("{error:?}"),
            error.to_string(),
            "as `main` prints it"
        );
    }
}
