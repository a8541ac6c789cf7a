//! Synchronisation that goes on beside the host.

use super::{ArrayView, ArrayViewMut, Window};
use crate::AcceleratorView;
use crate::completion::CompletionFuture;
use crate::residency::{Allocation, Underway};
use crate::types::element::Element;
use crate::types::error::Result;
use crate::types::ranges::Ranges;

impl<const N: usize> Window<'_, N> {
    /// A future of what `start` has started for the elements.
    fn complete<'s>(
        &'s self,
        start: impl FnOnce(&Allocation<'_>, &Ranges) -> Result<Underway>,
    ) -> CompletionFuture<'s> {
        let allocation = self.allocation();
        let begin = || {
            let readbacks = start(allocation, self.bytes())?.readbacks;
            // The readbacks are uses, too.
            Ok((readbacks, allocation.mark_uses()?))
        };
        match begin() {
            Ok((readbacks, milestones)) => CompletionFuture::after(milestones, move || {
                allocation.land(readbacks)?;
                allocation.take_fault()
            }),
            Err(error) => CompletionFuture::done(Err(error)),
        }
    }
}

impl<T: Element, const N: usize> ArrayViewMut<'_, T, N> {
    /// Starts to bring what kernels wrote of the elements back to the slice (or array) that
    /// the view is over, as [`synchronize`](Self::synchronize) does at once.
    ///
    /// The elements arrive in the slice when the future is waited for or polled. Dropping
    /// it loses nothing: they come when something looks at them next.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut data = [0i32; 6];
    /// let mut view = ArrayViewMut::new([2, 3], &mut data)?;
    /// view[[1, 2]] = 7;
    /// view.synchronize_async().wait()?;
    /// drop(view);
    /// assert_eq!(data[5], 7);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The future's result is that of [`synchronize`](Self::synchronize).
    pub fn synchronize_async(&self) -> CompletionFuture<'_> {
        self.window()
            .complete(|allocation, bytes| allocation.send_to_source(bytes))
    }
}

macro_rules! common {
    ($view:ident) => {
        impl<T: Element, const N: usize> $view<'_, T, N> {
            /// Starts to bring the elements to an accelerator view, as
            /// [`synchronize_to`](Self::synchronize_to) does at once (C++ AMP §5.2.3).
            ///
            /// ```
            /// use amp_runtime::{Accelerator, ArrayViewMut};
            ///
            /// let device = Accelerator::default()?.default_view()?;
            /// let mut data = vec![1.0_f32; 1000];
            /// let view = ArrayViewMut::new(1000, &mut data)?;
            /// let there = view.synchronize_to_async(&device);
            /// // The host does something else, and then:
            /// there.wait()?;
            /// # Ok::<(), amp_runtime::Error>(())
            /// ```
            ///
            /// # Errors
            ///
            /// The future's result is that of [`synchronize_to`](Self::synchronize_to), or a
            /// fault of a kernel that wrote the elements.
            pub fn synchronize_to_async(&self, view: &AcceleratorView) -> CompletionFuture<'_> {
                self.window()
                    .complete(|allocation, bytes| allocation.send_to_view(view, bytes))
            }
        }
    };
}

common!(ArrayView);
common!(ArrayViewMut);
