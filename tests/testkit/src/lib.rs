//! What the tests share: the accelerators to run on, launches whose SPIR-V is validated,
//! data, comparison of results bit for bit and with files, and kernels that several use.
//!
//! | variable | with the value `1` |
//! |---|---|
//! | `AMP_REQUIRE_VULKAN` | a machine without a Vulkan device fails |
//! | `AMP_REQUIRE_SPIRV_VAL` | a machine without `spirv-val` fails |
//! | `BLESS` | files of expected results are written instead of compared |
//! | `AMP_LARGE` | tests of large data run |
//! | `AMP_VALIDATION` | Vulkan's validation layer is on, and any message fails |

#![forbid(unsafe_code)]

pub mod compare;
pub mod numbers;
pub mod products;
mod snapshot;
mod spirv_val;
#[macro_use]
mod table;

use amp::{Accelerator, AcceleratorView, Domain, Element, Kernel, QueuingMode};
use amp::{ArrayView, ArrayViewMut};

pub use compare::{Same, assert_same};
pub use snapshot::{assert_binary_file, assert_file};
pub use spirv_val::validate;
pub use table::assert_table;

/// Whether the environment insists on something.
fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "1")
}

/// Every accelerator: the Vulkan devices, and the CPU accelerator.
///
/// # Panics
///
/// If the environment says `AMP_REQUIRE_VULKAN=1` and there is no Vulkan device: a test
/// run that is meant to cover devices must not pass without one.
pub fn accelerators() -> Vec<Accelerator> {
    let all = Accelerator::all();
    let vulkan = all
        .iter()
        .any(|accelerator| accelerator.device_path() != "cpu");
    let required = is_set("AMP_REQUIRE_VULKAN");
    assert!(
        vulkan || !required,
        "AMP_REQUIRE_VULKAN=1, but there is no Vulkan device"
    );
    all
}

/// The default view of every accelerator.
pub fn views() -> Vec<AcceleratorView> {
    accelerators()
        .iter()
        .map(|accelerator| {
            accelerator
                .default_view()
                .expect("a listed accelerator can be used")
        })
        .collect()
}

/// Whether the environment asks for large data (`AMP_LARGE=1`), for which a machine needs
/// memory to spare and a device that is no software.
pub fn large_is_asked_for() -> bool {
    is_set("AMP_LARGE")
}

/// A new view of every accelerator: tests whose kernels fault take these, so that no
/// other test is told.
pub fn new_views() -> Vec<AcceleratorView> {
    accelerators()
        .iter()
        .map(|accelerator| {
            accelerator
                .create_view(QueuingMode::Automatic)
                .expect("a listed accelerator can be used")
        })
        .collect()
}

/// Every pair of accelerators in both orders, and two views of each accelerator.
pub fn pairs() -> Vec<[AcceleratorView; 2]> {
    let (first, second) = (views(), new_views());
    let pairs = first
        .iter()
        .flat_map(|a| second.iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| [a.clone(), b.clone()]).collect()
}

/// Launches a kernel whose SPIR-V has been validated.
///
/// # Errors
///
/// As [`AcceleratorView::parallel_for_each`].
///
/// # Panics
///
/// If `spirv-val` finds fault with the kernel.
pub fn launch<D: Domain>(
    view: &AcceleratorView,
    domain: D,
    kernel: Kernel<'_, D::Index>,
) -> amp::Result<()> {
    spirv_val::validate(kernel.artifact());
    view.parallel_for_each(domain, kernel)
}

/// A view of rank 1 for a kernel to read.
pub fn input<T: Element>(data: &[T]) -> ArrayView<'_, T, 1> {
    ArrayView::new(data.len(), data).expect("test data is not empty")
}

/// Runs a test on every accelerator, and requires that the validation layer is silent.
pub fn everywhere(test: impl Fn(&AcceleratorView)) {
    for view in views() {
        test(&view);
    }
    assert_silent();
}

/// Runs launches on every accelerator, each time over a fresh copy of `before`, and
/// requires that all leave `expected` there, bit for bit.
pub fn becomes<T: Element + Same, const N: usize>(
    extent: [usize; N],
    before: &[T],
    expected: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, N>) -> amp::Result<()>,
) {
    everywhere(|view| {
        let mut data = before.to_vec();
        let mut out = ArrayViewMut::new(extent, &mut data).expect("test data fits its extent");
        launches(view, &mut out)
            .and_then(|()| out.synchronize())
            .unwrap_or_else(|error| panic!("{view}: {error}"));
        drop(out);
        assert_same(&data, expected, &view.to_string());
    });
}

/// [`becomes`] for kernels that write all elements of a zeroed view of rank 1.
pub fn gives<T: Element + Same>(
    expected: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let before = vec![<T as amp::__private::bytemuck::Zeroable>::zeroed(); expected.len()];
    becomes([expected.len()], &before, expected, launches);
}

/// [`gives`] for kernels that fault, and leave `expected` all the same.
pub fn gives_and_faults<T: Element + Same>(
    expected: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    for view in new_views() {
        let mut data = vec![<T as amp::__private::bytemuck::Zeroable>::zeroed(); expected.len()];
        let mut out = ArrayViewMut::new(data.len(), &mut data).expect("test data is not empty");
        let left = launches(&view, &mut out).and_then(|()| out.synchronize());
        assert!(matches!(left, Err(amp::Error::KernelFault(_))), "{view}");
        drop(out);
        assert_same(&data, expected, &view.to_string());
    }
    assert_silent();
}

/// Requires that the validation layer has sent nothing.
///
/// # Panics
///
/// If it has.
pub fn assert_silent() {
    let messages = amp::__private::validation_messages();
    assert_eq!(
        messages, 0,
        "the validation layer has something to say, see above"
    );
}
