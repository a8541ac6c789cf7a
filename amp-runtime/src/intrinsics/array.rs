//! [`ArrayMethods`]: the methods of arrays and slices whose results or faults depend on their steps.
//!
//! A closure that a sort is given may have effects, so that the CPU accelerator compares the same
//! elements in the same order as a device. A position that is out of bounds is a fault, not a panic.
//! Each method does the steps of its namesake in `amp-macros/src/language/core/slice.rs`.

use std::cmp::Ordering;
use std::ops::Range;

use crate::device::cpu::host_version::bounded::is_index;
use crate::device::cpu::host_version::fault;

/// The methods, which host versions call instead of those of slices.
pub trait ArrayMethods<T> {
    /// `a.swap(i, j)`
    fn amp_swap(&mut self, i: usize, j: usize);
    /// `a.copy_from_slice(from)`
    fn amp_copy_from_slice(&mut self, from: &[T])
    where
        T: Copy;
    /// `a.swap_with_slice(other)`
    fn amp_swap_with_slice(&mut self, other: &mut [T]);
    /// `a.copy_within(src, dest)`
    fn amp_copy_within(&mut self, src: Range<usize>, dest: usize)
    where
        T: Copy;
    /// `a.rotate_left(mid)`
    fn amp_rotate_left(&mut self, mid: usize);
    /// `a.rotate_right(k)`
    fn amp_rotate_right(&mut self, k: usize);
    /// `a.sort()`
    fn amp_sort(&mut self)
    where
        T: Ord;
    /// `a.sort_by(compare)`
    fn amp_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);
    /// `a.sort_by_key(key)`
    fn amp_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
    /// `a.binary_search(&x)`
    fn amp_binary_search(&self, wanted: &T) -> Result<usize, usize>
    where
        T: Ord;
    /// `a.binary_search_by(compare)`
    fn amp_binary_search_by(&self, compare: impl FnMut(&T) -> Ordering) -> Result<usize, usize>;
    /// `a.binary_search_by_key(&k, key)`
    fn amp_binary_search_by_key<K: Ord>(
        &self,
        wanted: &K,
        key: impl FnMut(&T) -> K,
    ) -> Result<usize, usize>;
    /// `a.partition_point(is_before)`
    fn amp_partition_point(&self, is_before: impl FnMut(&T) -> bool) -> usize;
    /// `a.sort_unstable()`
    fn amp_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.amp_sort();
    }
    /// `a.sort_unstable_by(compare)`
    fn amp_sort_unstable_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        self.amp_sort_by(compare);
    }
    /// `a.sort_unstable_by_key(key)`
    fn amp_sort_unstable_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        self.amp_sort_by_key(key);
    }
}

impl<T> ArrayMethods<T> for [T] {
    #[inline(always)]
    #[track_caller]
    fn amp_swap(&mut self, i: usize, j: usize) {
        let is_within = (is_index(i, self.len()), is_index(j, self.len()));
        if is_within == (true, true) {
            self.swap(i, j);
        }
    }

    #[inline(always)]
    #[track_caller]
    fn amp_copy_from_slice(&mut self, from: &[T])
    where
        T: Copy,
    {
        match self.len() == from.len() {
            true => self.copy_from_slice(from),
            false => fault(format_args!("copy_from_slice: slices of different lengths")),
        }
    }

    #[inline(always)]
    #[track_caller]
    fn amp_swap_with_slice(&mut self, other: &mut [T]) {
        match self.len() == other.len() {
            true => self.swap_with_slice(other),
            false => fault(format_args!("swap_with_slice: slices of different lengths")),
        }
    }

    #[inline(always)]
    #[track_caller]
    fn amp_copy_within(&mut self, src: Range<usize>, dest: usize)
    where
        T: Copy,
    {
        if src.start > src.end || src.end > self.len() {
            fault(format_args!("copy_within: a range that is out of bounds"));
        } else if dest > self.len() - src.len() {
            fault(format_args!("dest is out of bounds"));
        } else {
            self.copy_within(src, dest);
        }
    }

    #[inline(always)]
    #[track_caller]
    fn amp_rotate_left(&mut self, mid: usize) {
        match mid <= self.len() {
            true => self.rotate_left(mid),
            false => fault(format_args!("assertion failed: mid <= self.len()")),
        }
    }

    #[inline(always)]
    #[track_caller]
    fn amp_rotate_right(&mut self, k: usize) {
        match k <= self.len() {
            true => self.rotate_right(k),
            false => fault(format_args!("assertion failed: k <= self.len()")),
        }
    }

    #[inline(always)]
    fn amp_sort(&mut self)
    where
        T: Ord,
    {
        sort(self, |x, before| x < before);
    }

    #[inline(always)]
    fn amp_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        sort(self, |x, before| compare(x, before) == Ordering::Less);
    }

    #[inline(always)]
    fn amp_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        sort(self, |x, before| {
            let (own, other) = (key(x), key(before));
            own < other
        });
    }

    #[inline(always)]
    fn amp_binary_search(&self, wanted: &T) -> Result<usize, usize>
    where
        T: Ord,
    {
        search(self, |x| x.cmp(wanted))
    }

    #[inline(always)]
    fn amp_binary_search_by(&self, compare: impl FnMut(&T) -> Ordering) -> Result<usize, usize> {
        search(self, compare)
    }

    #[inline(always)]
    fn amp_binary_search_by_key<K: Ord>(
        &self,
        wanted: &K,
        mut key: impl FnMut(&T) -> K,
    ) -> Result<usize, usize> {
        search(self, |x| key(x).cmp(wanted))
    }

    #[inline(always)]
    fn amp_partition_point(&self, mut is_before: impl FnMut(&T) -> bool) -> usize {
        let found = search(self, |x| match is_before(x) {
            true => Ordering::Less,
            false => Ordering::Greater,
        });
        found.unwrap_or_else(|at| at)
    }
}

/// Searches by halves, as Rust 1.95 does.
#[inline(always)]
fn search<T>(items: &[T], mut compare: impl FnMut(&T) -> Ordering) -> Result<usize, usize> {
    let mut size = items.len();
    if size == 0 {
        return Err(0);
    }
    let mut base = 0;
    while size > 1 {
        let half = size / 2;
        if compare(&items[base + half]) != Ordering::Greater {
            base += half;
        }
        size -= half;
    }
    match compare(&items[base]) {
        Ordering::Equal => Ok(base),
        Ordering::Less => Err(base + 1),
        Ordering::Greater => Err(base),
    }
}

/// Sorts by insertion, which keeps the order of equal elements.
#[inline(always)]
fn sort<T>(items: &mut [T], mut is_less: impl FnMut(&T, &T) -> bool) {
    for i in 1..items.len() {
        let mut at = i;
        while at > 0 && is_less(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}
