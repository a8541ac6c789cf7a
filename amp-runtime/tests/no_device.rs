//! A machine without a Vulkan device has the CPU accelerator, and kernels run there. One
//! test, because it sets the environment of its process.

#[allow(dead_code)]
mod support;

use amp_runtime::{Accelerator, ArrayViewMut, parallel_for_each};

#[test]
fn the_cpu_takes_over() -> amp_runtime::Result<()> {
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        // SAFETY: the only test of the process.
        unsafe { std::env::set_var(variable, "/nonexistent.json") };
    }
    assert_eq!(Accelerator::all(), [Accelerator::cpu()]);
    assert_eq!(Accelerator::default()?, Accelerator::cpu());
    let mut x = ArrayViewMut::uninit(100)?;
    x.data_mut()?.fill(2.0);
    parallel_for_each(100, support::scale(&mut x, 4.0))?;
    assert_eq!(x[99], 8.0);
    Ok(())
}
