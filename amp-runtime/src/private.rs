//! What the expansion of the macros calls. Not for programs: it changes without notice.

#[cfg(feature = "half")]
#[doc(hidden)]
pub use crate::types::number::halves as half;
#[doc(hidden)]
pub use crate::{
    device::cpu::{self, ReadSlot, WriteSlot, host_version},
    extended,
    intrinsics::{array::ArrayMethods, integer::Integer},
    kernel::{
        binding::Binding,
        bundle::{Bind, Bundle},
        lent::{Found, Lender, Lent, found, found_mut},
        resolved::{
            Claim, Defined, Id, IsTrait, MethodOfAKernel, NoTrait, OfTrait, Same, TypeOf, constant,
            holds, is_scalar, proven, same_function, same_type, same_value, witness,
        },
        source::{Bound, Capture, ReadSource, WriteSource},
        spec,
    },
    launch::home,
    types::{
        element::{DeviceValue, Encoder, greatest},
        index::KernelIndex,
        message::{Writer, operand},
    },
    view::{rows_as, rows_as_mut},
};
#[doc(hidden)]
pub use amp_spirv::artifact::{Artifact, Embedded, FaultKind, ParamKind, Wide};
#[doc(hidden)]
pub use bytemuck;
#[cfg(feature = "image")]
#[doc(hidden)]
pub use image;
#[cfg(feature = "ndarray")]
#[doc(hidden)]
pub use ndarray;
#[cfg(feature = "glam")]
#[doc(hidden)]
pub use {crate::vector, glam};

/// The macros by which kernels speak. Where a kernel calls one by its name alone, rustc finds this
/// name ambiguous unless it means the same macro.
#[doc(hidden)]
pub mod macros {
    pub use std::{
        assert, assert_eq, assert_ne, debug_assert, debug_assert_eq, debug_assert_ne, eprint,
        eprintln, matches, panic, print, println, todo, unimplemented, unreachable,
    };
}

/// The derives that mean something to kernels, for the same purpose.
#[doc(hidden)]
pub mod derives {
    pub use std::{
        clone::Clone,
        cmp::{PartialEq, PartialOrd},
        default::Default,
    };
}

/// Runs work that shares itself out over rayon's workers on the threads for launches on the CPU, and
/// sleeps meanwhile.
#[doc(hidden)]
pub fn apart<R: Send>(work: impl FnOnce() -> R + Send) -> crate::Result<R> {
    crate::device::cpu::apart(work)
}

/// How many messages the Vulkan validation layer has sent in this process. It is on
/// if the environment says `AMP_VALIDATION=1` and the layer is installed.
#[doc(hidden)]
pub fn validation_messages() -> u64 {
    crate::device::vulkan::validation_messages()
}

/// How many pipelines the device of a view has made of a kernel; 0 on the CPU accelerator.
#[doc(hidden)]
pub fn pipelines_of<I>(view: &crate::AcceleratorView, kernel: &crate::Kernel<'_, I>) -> usize {
    match view.backend() {
        crate::device::accelerator::view::Backend::Vulkan(stream) => {
            stream.pipelines_of(kernel.artifact())
        }
        crate::device::accelerator::view::Backend::Cpu(_) => 0,
    }
}
