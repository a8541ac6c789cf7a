//! The model of memory: bytes, of which some are undefined.

use std::ops::Range;

use amp::__private::bytemuck;
use amp::Element;

/// What the bytes of a body of data must be.
#[derive(Clone)]
pub struct Model {
    bytes: Vec<u8>,
    /// Whether each byte has a value: not after it was discarded, until it is written.
    defined: Vec<bool>,
}

impl Model {
    pub fn of(words: &[u32]) -> Self {
        let bytes = bytemuck::cast_slice(words).to_vec();
        let defined = vec![true; bytes.len()];
        Self { bytes, defined }
    }

    pub fn undefine(&mut self, bytes: Range<usize>) {
        self.defined[bytes].fill(false);
    }

    /// The element at a byte, if it is defined in full.
    pub fn get<T: Element>(&self, at: usize) -> Option<T> {
        let bytes = at..at + size_of::<T>();
        let defined = self.defined[bytes.clone()].iter().all(|&defined| defined);
        defined.then(|| bytemuck::pod_read_unaligned(&self.bytes[bytes]))
    }

    /// Writes the element at a byte; `None` is one that depends on what is undefined.
    pub fn set<T: Element>(&mut self, at: usize, value: Option<T>) {
        let bytes = at..at + size_of::<T>();
        self.defined[bytes.clone()].fill(value.is_some());
        if let Some(value) = value {
            self.bytes[bytes].copy_from_slice(bytemuck::bytes_of(&value));
        }
    }

    /// Compares what was found in a place.
    #[track_caller]
    pub fn expect(&self, what: &str, place: &Place, found: &[impl Element]) {
        assert_eq!(found.len(), place.starts.len(), "{what}: elements");
        for (at, (&start, element)) in place.starts.iter().zip(found).enumerate() {
            for (k, &byte) in bytemuck::bytes_of(element).iter().enumerate() {
                let expected = self.bytes[start + k];
                assert!(
                    !self.defined[start + k] || expected == byte,
                    "{what}: byte {} (element {at}) is {byte} instead of {expected}",
                    start + k
                );
            }
        }
    }

    /// Takes the elements that were found at bytes, each byte of which is what it was or that
    /// of the new value, if both are defined.
    #[track_caller]
    pub fn expect_either<T: Element>(
        &mut self,
        starts: &[usize],
        values: &[Option<T>],
        found: &[T],
    ) {
        assert_eq!(found.len(), starts.len(), "given up: elements");
        for ((&start, value), element) in starts.iter().zip(values).zip(found) {
            for (k, &byte) in bytemuck::bytes_of(element).iter().enumerate() {
                let at = start + k;
                let new = value.as_ref().map(|value| bytemuck::bytes_of(value)[k]);
                let fits = !self.defined[at] || self.bytes[at] == byte;
                assert!(
                    fits || new.is_none_or(|new| new == byte),
                    "given up: byte {at} is {byte} instead of {} or {new:?}",
                    self.bytes[at]
                );
                // What is computed from undefined bytes is undefined.
                self.defined[at] &= value.is_some();
                self.bytes[at] = byte;
            }
        }
    }

    #[track_caller]
    pub fn expect_words(&self, what: &str, found: &[u32]) {
        self.expect(what, &Place::words(found.len()), found);
    }
}

/// Where the elements of a view are in the model, told for each of them.
#[derive(Clone, Debug)]
pub struct Place {
    pub extent: Vec<usize>,
    /// The first byte of each element, in row-major order.
    pub starts: Vec<usize>,
}

impl Place {
    /// Words from the first byte on.
    pub fn words(count: usize) -> Self {
        Self {
            extent: vec![count],
            starts: (0..count).map(|at| 4 * at).collect(),
        }
    }

    /// The index of an element.
    fn index(&self, mut at: usize) -> Vec<usize> {
        let mut index = vec![0; self.extent.len()];
        for (component, &length) in index.iter_mut().zip(&self.extent).rev() {
            *component = at % length;
            at /= length;
        }
        index
    }

    /// The elements whose indices are within a box.
    pub fn section(&self, origin: &[usize], extent: &[usize]) -> Self {
        let within = |&(at, _): &(usize, &usize)| {
            let index = self.index(at);
            let ranges = origin.iter().zip(extent);
            let mut pairs = index.iter().zip(ranges);
            pairs
                .all(|(&component, (&start, &length))| (start..start + length).contains(&component))
        };
        let inside = self.starts.iter().enumerate().filter(within);
        Self {
            extent: extent.to_vec(),
            starts: inside.map(|(_, &start)| start).collect(),
        }
    }

    /// The elements whose component 0 is `row`.
    pub fn row(&self, row: usize) -> Self {
        let length = self.starts.len() / self.extent[0];
        Self {
            extent: self.extent[1..].to_vec(),
            starts: self.starts[row * length..(row + 1) * length].to_vec(),
        }
    }

    /// The first elements in another shape.
    pub fn view_as(&self, extent: &[usize]) -> Self {
        Self {
            extent: extent.to_vec(),
            starts: self.starts[..extent.iter().product()].to_vec(),
        }
    }

    /// The bytes of elements of `from` bytes as elements of `to` bytes.
    pub fn reinterpret(&self, from: usize, to: usize) -> Self {
        let bytes: Vec<usize> = self.starts.iter().flat_map(|&at| at..at + from).collect();
        let starts: Vec<usize> = bytes.chunks(to).map(|element| element[0]).collect();
        Self {
            extent: vec![starts.len()],
            starts,
        }
    }
}
