//! Structs with views in them, as kernels take them: part by part.
//!
//! What an `#[amp_struct]` with views becomes implements these traits, by way of those of
//! its fields. On a device, and for residency and hazards, each view of it is an argument
//! of its own.

use crate::device::cpu::{self, ReadSlot, WriteSlot};
use crate::kernel::binding::Binding;
use crate::types::element::Element;
use crate::view::{ArrayPartMut, ArrayView, ArrayViewMut};

/// A view, or a struct with views.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a kernel does not know `{Self}` as a struct with views",
    note = "mark the struct with `#[amp_struct]`"
)]
pub trait Bundle {
    /// What the host version has in its stead.
    type HostVersion<'t>;
    /// Where the host version finds its parts.
    type Slots: Copy + Send + Sync + 'static;

    /// What the host version has in a launch over these views.
    fn open<'t>(slots: Self::Slots, views: cpu::Views<'t>) -> Self::HostVersion<'t>;

    /// What is opened, for one thread of the launch.
    fn for_thread<'t>(opened: &Self::HostVersion<'t>) -> Self::HostVersion<'t>;
}

/// How a kernel takes a [`Bundle`]: by reference, or for itself.
#[doc(hidden)]
pub trait Bind<'a> {
    /// Where the host version finds its parts.
    type Slots;

    /// Its parts are the next parameters.
    fn bind(self, binding: &mut Binding<'a>) -> Self::Slots;
}

impl<T: Element, const N: usize> Bundle for ArrayView<'_, T, N> {
    type HostVersion<'t> = cpu::ArrayView<'t, T, N>;
    type Slots = ReadSlot<T, N>;

    #[inline(always)]
    fn open<'t>(slot: Self::Slots, views: cpu::Views<'t>) -> Self::HostVersion<'t> {
        views.read(slot)
    }

    #[inline(always)]
    fn for_thread<'t>(opened: &Self::HostVersion<'t>) -> Self::HostVersion<'t> {
        opened.for_thread()
    }
}

impl<T: Element, const N: usize> Bundle for ArrayViewMut<'_, T, N> {
    type HostVersion<'t> = cpu::ArrayViewMut<'t, T, N>;
    type Slots = WriteSlot<T, N>;

    #[inline(always)]
    fn open<'t>(slot: Self::Slots, views: cpu::Views<'t>) -> Self::HostVersion<'t> {
        views.write(slot)
    }

    #[inline(always)]
    fn for_thread<'t>(opened: &Self::HostVersion<'t>) -> Self::HostVersion<'t> {
        opened.for_thread()
    }
}

impl<'a, T: Element, const N: usize> Bind<'a> for &'a ArrayView<'_, T, N> {
    type Slots = ReadSlot<T, N>;

    fn bind(self, binding: &mut Binding<'a>) -> Self::Slots {
        binding.read(self)
    }
}

impl<'a, T: Element, const N: usize> Bind<'a> for &'a mut ArrayView<'_, T, N> {
    type Slots = ReadSlot<T, N>;

    fn bind(self, binding: &mut Binding<'a>) -> Self::Slots {
        binding.read(self)
    }
}

impl<'a, T: Element, const N: usize> Bind<'a> for ArrayView<'a, T, N> {
    type Slots = ReadSlot<T, N>;

    fn bind(self, binding: &mut Binding<'a>) -> Self::Slots {
        binding.read_own(self)
    }
}

macro_rules! written {
    ($($view:ident)*) => {$(
        impl<'a, T: Element, const N: usize> Bind<'a> for &'a mut $view<'_, T, N> {
            type Slots = WriteSlot<T, N>;

            fn bind(self, binding: &mut Binding<'a>) -> Self::Slots {
                binding.write(self)
            }
        }

        impl<'a, T: Element, const N: usize> Bind<'a> for $view<'a, T, N> {
            type Slots = WriteSlot<T, N>;

            fn bind(self, binding: &mut Binding<'a>) -> Self::Slots {
                binding.write_own(self.into())
            }
        }
    )*};
}
written!(ArrayViewMut ArrayPartMut);
