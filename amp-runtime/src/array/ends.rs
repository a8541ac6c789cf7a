//! Arrays as ends of copies.

use super::Array;
use crate::completion::CompletionFuture;
use crate::copy::{
    CopyDestination, CopySource, End, Rank, of_window, or_failed, sealed, to_array_later, to_window,
};
use crate::types::element::Element;
use crate::types::error::Result;

impl<T: Element, const N: usize> sealed::Sealed for Array<T, N> {}

impl<T: Element, const N: usize> CopySource for Array<T, N> {
    type Element = T;
    type Rank = Rank<N>;

    fn source(&self) -> End<'_> {
        of_window(&self.window)
    }
}

impl<T: Element, const N: usize> CopyDestination for Array<T, N> {
    type Element = T;
    type Rank = Rank<N>;

    type Future<'d>
        = CompletionFuture<'static>
    where
        Self: 'd;

    fn receive(&mut self, source: End<'_>) -> Result<()> {
        to_window(source, &self.window)
    }

    fn receive_async(&mut self, source: End<'_>) -> CompletionFuture<'static> {
        or_failed(to_array_later(source, &self.window))
    }
}
