//! Views of the host as the host versions of helpers take them: how the host calls a helper.
//!
//! ```text
//! trace(ray, &spheres)  ─►  host_version(ray, &spheres.lent())     elements are brought to the host
//! ```
//!
//! A view that a helper returns is one of the host version's too. The host's is found by where its
//! elements lie.

use std::any::type_name;

use crate::device::cpu::{self, Located};
use crate::types::element::Element;
use crate::view::{ArrayPartMut, ArrayView, ArrayViewMut, Window};

/// A view of the host, or a struct with views, that a helper takes.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a helper does not know `{Self}` as a view or a struct with views",
    note = "pass a reference to an `ArrayView` or `ArrayViewMut`, or mark the struct with \
            `#[amp_struct]`"
)]
pub trait Lent {
    /// What the host version takes.
    type HostVersion;

    /// The same elements, on the host.
    ///
    /// # Panics
    ///
    /// If they have to come from a device that is lost.
    fn lent(self) -> Self::HostVersion;
}

/// What has the elements of a view that a helper returns.
#[doc(hidden)]
pub trait Lender {
    /// The elements at a place, if they are among its own.
    fn find<U, const M: usize>(&self, place: &Located<U, M>) -> Option<Found<'_, M>>;
}

/// Elements of a view.
#[doc(hidden)]
#[derive(Debug)]
pub struct Found<'a, const M: usize>(Window<'a, M>);

impl<'a, T: Element, const N: usize> Lent for &'a ArrayView<'_, T, N> {
    type HostVersion = cpu::ArrayView<'a, T, N>;

    #[track_caller]
    fn lent(self) -> Self::HostVersion {
        self.window().lent()
    }
}

impl<'a, T: Element, const N: usize> Lent for &'a mut ArrayView<'_, T, N> {
    type HostVersion = cpu::ArrayView<'a, T, N>;

    #[track_caller]
    fn lent(self) -> Self::HostVersion {
        self.window().lent()
    }
}

/// Of a struct that is only read.
impl<'a, T: Element, const N: usize> Lent for &'a ArrayViewMut<'_, T, N> {
    type HostVersion = cpu::ArrayViewMut<'a, T, N>;

    #[track_caller]
    fn lent(self) -> Self::HostVersion {
        cpu::ArrayViewMut::only_read(self.window().lent())
    }
}

impl<'a, T: Element, const N: usize> Lent for &'a mut ArrayViewMut<'_, T, N> {
    type HostVersion = cpu::ArrayViewMut<'a, T, N>;

    #[track_caller]
    fn lent(self) -> Self::HostVersion {
        self.window_mut().lent_mut()
    }
}

macro_rules! lender {
    ($($view:ident)*) => {$(
        impl<T: Element, const N: usize> Lender for $view<'_, T, N> {
            fn find<U, const M: usize>(&self, place: &Located<U, M>) -> Option<Found<'_, M>> {
                self.window().find_part(place).map(Found)
            }
        }
    )*};
}
lender!(ArrayView ArrayViewMut);

/// The view of the host for one that a host version returned.
///
/// # Panics
///
/// If it has no elements, as no view of the host may be.
#[doc(hidden)]
#[track_caller]
pub fn found<'a, T: Element, const M: usize>(
    source: &'a impl Lender,
    place: &Located<T, M>,
) -> ArrayView<'a, T, M> {
    ArrayView::over(find(source, place))
}

/// The same of one that may be written.
///
/// # Panics
///
/// As [`found`].
#[doc(hidden)]
#[track_caller]
pub fn found_mut<'a, T: Element, const M: usize>(
    source: &'a mut impl Lender,
    place: &Located<T, M>,
) -> ArrayViewMut<'a, T, M> {
    ArrayPartMut::over(find(source, place)).into()
}

#[track_caller]
fn find<'a, T: Element, const M: usize>(
    source: &'a impl Lender,
    place: &Located<T, M>,
) -> Window<'a, M> {
    match source.find(place) {
        Some(Found(window)) => window,
        None => panic!(
            "a helper returned a view of `{}` with the extent {:?}; on the host every component \
             must be at least 1",
            type_name::<T>(),
            place.extent()
        ),
    }
}
