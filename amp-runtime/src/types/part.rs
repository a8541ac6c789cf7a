//! Parts of a body of data: which of its bytes are a view's elements.

use crate::types::element::Element;
use crate::types::error::{Error, Result, point, times};
use crate::types::index::Extent;
use crate::types::ranges::Ranges;

/// The elements of a view of `N` dimensions, by where they lie in its allocation. Elements of
/// the last dimension are contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<const N: usize> {
    /// Bytes before the first element.
    start: usize,
    extent: [usize; N],
    /// Bytes from an element to the next in each dimension.
    strides: [usize; N],
}

/// The bytes that the start of a view of `U` is a multiple of in its allocation: what Rust asks,
/// and what kernels rely on, which move a vector as a whole if the size of an element
/// keeps the next ones in place.
fn alignment<U: Element>() -> usize {
    let kept = 1 << size_of::<U>().trailing_zeros().min(4);
    U::WANTED_ALIGN.min(kept).max(align_of::<U>())
}

/// What is wrong with an extent for elements of `size` bytes, or its number of elements.
pub(crate) fn size_of_extent(extent: &[usize], size: usize) -> Result<usize> {
    if extent.is_empty() || extent.contains(&0) {
        return Err(Error::InvalidExtent(format!(
            "{} has a component of 0; every component must be at least 1",
            times(extent)
        )));
    }
    if size == 0 {
        return Err(Error::InvalidArgument(
            "elements without a size; give them a field".into(),
        ));
    }
    let elements = extent
        .iter()
        .try_fold(1usize, |size, &component| size.checked_mul(component));
    let bytes = elements.and_then(|elements| elements.checked_mul(size));
    match (elements, bytes) {
        (Some(elements), Some(bytes)) if bytes <= isize::MAX as usize => Ok(elements),
        _ => Err(Error::InvalidExtent(format!(
            "{} elements of {size} bytes do not fit the address space; use a smaller extent",
            times(extent)
        ))),
    }
}

/// Checks the number of elements that there are against an extent over them.
pub(crate) fn check_source(extent: &[usize], size: usize, found: usize) -> Result<()> {
    let elements = size_of_extent(extent, size)?;
    if found < elements {
        return Err(Error::SourceTooShort {
            extent: times(extent),
            elements,
            found,
        });
    }
    Ok(())
}

impl<const N: usize> Part<N> {
    /// The elements of `size` bytes of an allocation that has as many as `extent` says, or more.
    pub(crate) fn whole(extent: Extent<N>, size: usize) -> Self {
        Self::contiguous(0, extent.into(), size)
    }

    fn contiguous(start: usize, extent: [usize; N], size: usize) -> Self {
        let mut strides = [size; N];
        for k in (1..N).rev() {
            strides[k - 1] = strides[k] * extent[k];
        }
        Self {
            start,
            extent,
            strides,
        }
    }

    /// The elements at a place behind byte `start`, whose distances are in elements of `size`
    /// bytes; nothing if there are none.
    pub(crate) fn at(
        start: usize,
        extent: [usize; N],
        strides: [usize; N],
        size: usize,
    ) -> Option<Self> {
        size_of_extent(&extent, size).ok()?;
        let strides = strides.map(|elements| elements * size);
        Some(Self {
            start,
            extent,
            strides,
        })
    }

    /// Bytes before the first element.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// How many elements there are in each dimension.
    pub(crate) fn extent(&self) -> &[usize; N] {
        &self.extent
    }

    /// Bytes from an element to the next in each dimension.
    pub(crate) fn strides(&self) -> &[usize; N] {
        &self.strides
    }

    /// Number of elements.
    pub(crate) fn elements(&self) -> usize {
        self.extent.iter().product()
    }

    /// Bytes from the first element to the one of `size` bytes at an index.
    ///
    /// # Panics
    ///
    /// If the index is out of bounds, as indexing a slice does.
    #[inline]
    #[track_caller]
    pub(crate) fn offset(&self, index: [usize; N], size: usize) -> usize {
        let mut offset = 0;
        for (k, component) in index.into_iter().enumerate() {
            assert!(
                component < self.extent[k],
                "index out of bounds: the extent is {} but the index is {component}",
                self.extent[k],
            );
            // A constant spares a load and most of a multiplication.
            let stride = if k + 1 == N { size } else { self.strides[k] };
            offset += component * stride;
        }
        offset
    }

    /// The elements from `origin` on, as many as `extent` says.
    pub(crate) fn section(&self, origin: [usize; N], extent: [usize; N]) -> Result<Self> {
        size_of_extent(&extent, self.strides[N - 1])?;
        let mut start = self.start;
        for k in 0..N {
            let end = origin[k].checked_add(extent[k]);
            if end.is_none_or(|end| end > self.extent[k]) {
                return Err(Error::SectionOutOfBounds {
                    origin: point(&origin),
                    extent: times(&extent),
                    whole: times(&self.extent),
                });
            }
            start += origin[k] * self.strides[k];
        }
        Ok(Self {
            start,
            extent,
            strides: self.strides,
        })
    }

    /// The elements whose component 0 is `row`.
    pub(crate) fn row<const M: usize>(&self, row: usize) -> Result<Part<M>> {
        const { assert!(M + 1 == N, "a row has one dimension less than its view") };
        if row >= self.extent[0] {
            return Err(Error::RowOutOfBounds {
                row,
                rows: self.extent[0],
            });
        }
        let mut part = Part {
            start: self.start + row * self.strides[0],
            extent: [0; M],
            strides: [0; M],
        };
        part.extent.copy_from_slice(&self.extent[1..]);
        part.strides.copy_from_slice(&self.strides[1..]);
        Ok(part)
    }

    /// The elements whose component `dimension` is below `at`, and the others.
    pub(crate) fn split(&self, dimension: usize, at: usize) -> Result<(Self, Self)> {
        let length = self.extent.get(dimension).copied().unwrap_or_default();
        if at == 0 || at >= length {
            return Err(Error::InvalidSplit {
                dimension,
                at,
                extent: times(&self.extent),
            });
        }
        let (mut first, mut second) = (*self, *self);
        first.extent[dimension] = at;
        second.extent[dimension] = length - at;
        second.start += at * self.strides[dimension];
        Ok((first, second))
    }

    /// Whether the elements are contiguous.
    pub(crate) fn is_contiguous(&self) -> bool {
        self.run().1 == 0
    }

    /// Bytes that are contiguous at each element of the dimensions in front, and the
    /// number of these dimensions.
    fn run(&self) -> (usize, usize) {
        let mut bytes = self.strides[N - 1];
        let mut front = N;
        while front > 0 && (self.strides[front - 1] == bytes || self.extent[front - 1] == 1) {
            bytes *= self.extent[front - 1];
            front -= 1;
        }
        (bytes, front)
    }

    /// The bytes of the elements.
    pub(crate) fn bytes(&self) -> Ranges {
        let (run, front) = self.run();
        let runs: usize = self.extent[..front].iter().product();
        let mut index = [0; N];
        let mut start = self.start;
        let mut next = || {
            let range = start..start + run;
            for k in (0..front).rev() {
                index[k] += 1;
                start += self.strides[k];
                if index[k] < self.extent[k] {
                    break;
                }
                start -= self.extent[k] * self.strides[k];
                index[k] = 0;
            }
            range
        };
        (0..runs).map(|_| next()).collect()
    }
}

impl Part<1> {
    /// The first elements in another shape.
    pub(crate) fn shaped<const M: usize>(&self, extent: [usize; M]) -> Result<Part<M>> {
        let size = self.strides[0];
        check_source(&extent, size, self.extent[0])?;
        Ok(Part::contiguous(self.start, extent, size))
    }
}

impl<const N: usize> Part<N> {
    /// The bytes of each row of elements as elements of type `U`, in an allocation whose memory starts
    /// at a multiple of `allocation` bytes.
    pub(crate) fn reinterpreted<U: Element>(&self, allocation: usize) -> Result<Self> {
        let size = size_of::<U>();
        let (rows, wanted) = (&self.strides[..N - 1], alignment::<U>());
        let bytes = self.extent[N - 1] * self.strides[N - 1];
        for bytes in rows.iter().copied().chain([bytes]) {
            if size == 0 || bytes % size != 0 {
                return Err(Error::IndivisibleBytes {
                    bytes,
                    element: size,
                });
            }
        }
        let is_aligned = |start: &usize| start.is_multiple_of(wanted);
        if !is_aligned(&self.start)
            || !rows.iter().all(is_aligned)
            || !allocation.is_multiple_of(align_of::<U>())
        {
            return Err(Error::Misaligned {
                wanted,
                start: self.start,
                memory: allocation,
            });
        }
        let mut part = *self;
        part.extent[N - 1] = bytes / size;
        part.strides[N - 1] = size;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole<const N: usize>(extent: [usize; N]) -> Part<N> {
        Part::whole(extent.into(), 4)
    }

    #[test]
    fn the_bytes_of_a_part_are_those_of_its_elements() {
        let cube = whole([4, 5, 6]);
        let parts = [
            cube,
            cube.section([1, 0, 0], [2, 5, 6]).unwrap(),
            cube.section([1, 2, 0], [3, 2, 6]).unwrap(),
            cube.section([0, 0, 5], [4, 5, 1]).unwrap(),
            cube.section([3, 4, 2], [1, 1, 3]).unwrap(),
            cube.section([2, 1, 1], [1, 3, 4]).unwrap(),
            cube.split(1, 2).unwrap().1,
        ];
        for part in parts {
            let mut bytes = Vec::new();
            for i in 0..part.extent[0] {
                for j in 0..part.extent[1] {
                    for k in 0..part.extent[2] {
                        let start = part.start + part.offset([i, j, k], 4);
                        bytes.push(start..start + 4);
                    }
                }
            }
            assert_eq!(part.bytes(), bytes.iter().cloned().collect(), "{part:?}");
            let runs = part.bytes().iter().count();
            assert_eq!(part.is_contiguous(), runs == 1, "{part:?}");
        }
    }

    #[test]
    fn origins_add_and_rows_drop_a_dimension() {
        let square = whole([10, 10]);
        let inner = square.section([2, 3], [5, 5]).unwrap();
        let inner = inner.section([1, 1], [2, 2]).unwrap();
        assert_eq!(inner.start + inner.offset([1, 1], 4), 4 * 45);
        let row: Part<1> = inner.row(1).unwrap();
        assert_eq!((row.start, row.extent, row.strides), (4 * 44, [2], [4]));
        let (upper, lower) = square.split(0, 4).unwrap();
        assert_eq!((upper.extent, lower.extent), ([4, 10], [6, 10]));
        assert_eq!(lower.start, 160);
    }

    #[test]
    fn sections_outside_of_the_extent_are_refused_with_numbers() {
        let square = whole([25, 25]);
        let outside = square.section([20, 22], [5, 5]).unwrap_err();
        assert_eq!(
            outside.to_string(),
            "a section of 5×5 at (20, 22) is not within the extent 25×25; origin + extent must \
             be at most that in every component"
        );
        let huge = square.section([usize::MAX, 0], [2, 1]);
        assert!(matches!(huge, Err(Error::SectionOutOfBounds { .. })));
        let empty = square.section([0, 0], [0, 5]);
        assert!(matches!(empty, Err(Error::InvalidExtent(_))));
        let row = square.row::<1>(25).unwrap_err();
        assert_eq!(row, Error::RowOutOfBounds { row: 25, rows: 25 });
        for (dimension, at) in [(0, 0), (0, 25), (1, 26), (2, 1)] {
            let split = square.split(dimension, at);
            assert!(
                matches!(split, Err(Error::InvalidSplit { .. })),
                "{split:?}"
            );
        }
        let ten = whole([10]);
        let large = ten.shaped([3, 4]).unwrap_err();
        assert!(matches!(
            large,
            Error::SourceTooShort {
                elements: 12,
                found: 10,
                ..
            }
        ));
        assert_eq!(ten.shaped([2, 4]).unwrap().extent, [2, 4]);
        let odd = ten.section([0], [5]).unwrap().reinterpreted::<f64>(16);
        assert_eq!(
            odd,
            Err(Error::IndivisibleBytes {
                bytes: 20,
                element: 8
            })
        );
        let later = ten.section([1], [2]).unwrap();
        assert!(matches!(
            later.reinterpreted::<f64>(16),
            Err(Error::Misaligned {
                wanted: 8,
                start: 4,
                ..
            })
        ));
        assert!(ten.reinterpreted::<f64>(4).is_err());
        assert_eq!(ten.reinterpreted::<f64>(8).unwrap().extent, [5]);
        assert_eq!(later.reinterpreted::<u8>(1).unwrap().extent, [8]);
    }

    #[test]
    fn rows_have_words() {
        let part = Part::whole([4, 5].into(), 12)
            .section([1, 2], [2, 3])
            .unwrap();
        let words = part.reinterpreted::<u32>(16).unwrap();
        assert_eq!(
            (words.start, words.extent, words.strides),
            (84, [2, 9], [60, 4])
        );
        assert!(part.reinterpreted::<u64>(16).is_err());
        assert!(part.reinterpreted::<[f32; 5]>(16).is_err());
    }
}
