//! Views: the elements of an array, or of some of it.

use super::{Value, number};
use crate::tree::Scalar;

/// What a view is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Its dimensions.
    pub extent: Vec<u32>,
    /// Row-major.
    pub elements: Vec<Value>,
}

/// A view of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Number of the array.
    pub array: usize,
    /// Its own dimensions.
    pub extent: Vec<u64>,
    /// Position of the first element.
    offset: usize,
    strides: Vec<u64>,
    /// Scalars that are read as others, of the same width.
    taken_as: Option<(Scalar, Scalar)>,
}

impl View {
    /// All of an array.
    pub fn whole(number: usize, array: &Array) -> Self {
        let extent: Vec<u64> = array.extent.iter().map(|&n| n.into()).collect();
        Self {
            array: number,
            offset: 0,
            strides: strides(&extent),
            extent,
            taken_as: None,
        }
    }

    /// Where an element is in the array, if the view has it.
    pub fn position(&self, index: &[u64]) -> Option<usize> {
        let inside = index.iter().zip(&self.extent).all(|(at, end)| at < end);
        inside.then(|| self.linear(index))
    }

    fn linear(&self, index: &[u64]) -> usize {
        self.offset + self.relative(index) as usize
    }

    /// The position from the view's start on.
    pub fn relative(&self, index: &[u64]) -> i128 {
        let steps = index.iter().zip(&self.strides);
        steps.map(|(a, b)| i128::from(*a) * i128::from(*b)).sum()
    }

    /// Where the element is that is so far from the view's start.
    pub fn at(&self, position: u64) -> Option<usize> {
        self.offset.checked_add(usize::try_from(position).ok()?)
    }

    /// An element as this view has it.
    pub fn taken(&self, element: Value) -> Value {
        match self.taken_as {
            Some((from, to)) => number::of_bits(to, number::to_bits(from, &element)),
            None => element,
        }
    }

    /// An element of this view as the array has it.
    pub fn given(&self, element: Value) -> Value {
        match self.taken_as {
            Some((from, to)) => number::of_bits(from, number::to_bits(to, &element)),
            None => element,
        }
    }

    /// The same without elements, of some dimensions.
    pub fn emptied(mut self, rank: usize) -> Self {
        self.extent = vec![0; rank];
        self.strides = vec![1; rank];
        self
    }

    /// A section, if it lies within.
    pub fn section(&self, origin: &[u64], extent: &[u64]) -> Option<Self> {
        let mut bounds = origin.iter().zip(extent).zip(&self.extent);
        let fits = bounds.all(|((&origin, &extent), &whole)| {
            origin.checked_add(extent).is_some_and(|end| end <= whole)
        });
        fits.then(|| Self {
            offset: self.linear(origin),
            extent: extent.to_vec(),
            ..self.clone()
        })
    }

    /// A row, if there is such.
    pub fn row(&self, row: u64) -> Option<Self> {
        (row < self.extent[0]).then(|| Self {
            offset: self.offset + (row * self.strides[0]) as usize,
            extent: self.extent[1..].to_vec(),
            strides: self.strides[1..].to_vec(),
            ..self.clone()
        })
    }

    /// The first elements of a view of rank 1 in another shape, if there are as many.
    pub fn shape(&self, extent: &[u64]) -> Option<Self> {
        let size = self.extent[0];
        extent.iter().try_fold(1_u64, |product, &length| {
            product.checked_mul(length).filter(|it| *it <= size)
        })?;
        Some(Self {
            extent: extent.to_vec(),
            strides: strides(extent),
            ..self.clone()
        })
    }

    /// The elements as others of the same width.
    pub fn reinterpreted(&self, from: Scalar, to: Scalar) -> Self {
        let from = self.taken_as.map_or(from, |(from, _)| from);
        Self {
            taken_as: Some((from, to)),
            ..self.clone()
        }
    }
}

/// Row-major: the last component steps by one. Those of what has no elements do not matter.
fn strides(extent: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; extent.len()];
    for k in (1..extent.len()).rev() {
        strides[k - 1] = extent[k].saturating_mul(strides[k]);
    }
    strides
}
