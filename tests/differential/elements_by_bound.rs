//! Elements of type parameters of which bounds alone tell what they have: written, swapped, sliced, and out
//! of bounds, where they are numbers, tuples and structs.

use amp::prelude::*;
use testkit::{gives, gives_and_faults, launch};

device_and_host! {
    #[derive(Clone, Copy)]
    pub struct Heap<T, const N: usize> {
        pub items: [T; N],
        pub len: usize,
    }

    impl<T: Ord + Copy + Default, const N: usize> Heap<T, N> {
        pub fn new() -> Self {
            Heap { items: [T::default(); N], len: 0 }
        }

        pub fn push(&mut self, item: T) {
            let mut i = self.len;
            self.items[i] = item;
            self.len += 1;
            while i > 0 {
                let parent = (i - 1) / 2;
                if self.items[parent] >= self.items[i] {
                    break;
                }
                self.items.swap(parent, i);
                i = parent;
            }
        }

        pub fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            self.items.swap(0, self.len);
            let mut i = 0;
            loop {
                let mut largest = i;
                for child in [2 * i + 1, 2 * i + 2] {
                    if child < self.len && self.items[child] > self.items[largest] {
                        largest = child;
                    }
                }
                if largest == i {
                    break;
                }
                self.items.swap(i, largest);
                i = largest;
            }
            Some(self.items[self.len])
        }

        pub fn last(&self) -> Option<T> {
            self.items[..self.len].last().copied()
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
    pub struct Job {
        pub cost: i32,
        pub at: u32,
    }

    /// Pairs of what a parameter stands for, and a number.
    pub struct Counted<T> {
        pub all: [(T, u32); 4],
    }

    impl<T: PartialEq + Copy> Counted<T> {
        pub fn note(&mut self, x: T) {
            for i in 0..4 {
                if self.all[i].1 == 0 {
                    self.all[i].0 = x;
                }
                if self.all[i].0 == x {
                    self.all[i].1 += 1;
                    break;
                }
            }
        }
    }

    pub fn hash(of: &[u32; 8]) -> u32 {
        let mut numbers: Heap<u32, 8> = Heap::new();
        let mut pairs = Heap::<(u32, i8), 8>::new();
        let mut jobs = Heap::<Job, 8>::new();
        let mut counted = Counted { all: [(Job { cost: 0, at: 0 }, 0); 4] };
        for (i, &x) in of.iter().enumerate() {
            numbers.push(x);
            pairs.push((x % 3, -(i as i8)));
            jobs.push(Job { cost: x as i32 % 5 - 2, at: i as u32 });
            counted.note(Job { cost: 1, at: x % 4 });
        }
        let mut hash = numbers.last().map_or(1, |x| x ^ 5);
        while let (Some(x), Some((y, i)), Some(job)) = (numbers.pop(), pairs.pop(), jobs.pop()) {
            hash = hash.wrapping_mul(31).wrapping_add(x);
            hash = hash.wrapping_mul(31).wrapping_add(y << 8 | i as u8 as u32);
            hash = hash.wrapping_mul(31).wrapping_add(job.cost as u32 ^ job.at);
        }
        for (job, count) in counted.all {
            hash = hash.wrapping_mul(7).wrapping_add(count * 5 + job.at);
        }
        hash
    }
}

#[amp_kernel]
fn hashes(idx: Index<1>, x: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let row = x.row(idx[0]);
    let mut own = [0; 8];
    own.copy_from_slice(&row[..]);
    out[idx] = device::hash(&own);
}

#[test]
fn a_heap_of_any_ordered_type() {
    let x: Vec<u32> = (0..32 * 8_u32)
        .map(|i| i.wrapping_mul(0x9E37_79B9) >> (i % 29))
        .collect();
    let expected: Vec<u32> = x
        .chunks_exact(8)
        .map(|row| host::hash(row.try_into().unwrap()))
        .collect();
    let x = ArrayView::new([32, 8], &x).unwrap();
    gives(&expected, |view, out| {
        launch(view, out.extent(), hashes(&x, out))
    });
}

#[amp_fn]
fn at<T: PartialOrd + Copy>(all: &mut [T; 2], i: usize, new: T) -> T {
    all[i] = new;
    all.swap(0, i);
    all[i]
}

#[amp_kernel]
fn outside(idx: Index<1>, i: usize, out: &mut ArrayViewMut<u32, 1>) {
    let mut pairs = [(1_u32, 2_u8), (3, 4)];
    let (a, b) = at(&mut pairs, i, (7, 8));
    out[idx] = a + u32::from(b) + 10 * pairs[0].0 + 100 * pairs[1].0;
}

#[test]
fn out_of_bounds_there_are_zeroes() {
    gives_and_faults(&[310], |view, out| launch(view, 1, outside(2, out)));
}

/// Slices of elements that no bound says to be `Copy`, as Rust needs none to move them.
#[amp_module]
mod moved {
    use std::cmp::Ordering;

    pub fn turn<T>(items: &mut [T]) {
        for i in 0..items.len() / 2 {
            items.swap(i, items.len() - 1 - i);
        }
        items.rotate_left(1);
    }

    pub fn order<T: Ord>(items: &mut [T], wanted: &T) -> usize {
        items.sort();
        items
            .binary_search(wanted)
            .unwrap_or_else(|place| 10 + place)
    }

    pub fn order_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
        items.sort_by(compare);
    }
}

fn turned_and_sorted(i: u32) -> [u32; 4] {
    let mut a = [i % 5, 2, 7 - i % 3, 1];
    a.reverse();
    a.rotate_left(1);
    let mut b = a;
    b.sort();
    let found = b.binary_search(&2).unwrap_or_else(|place| 10 + place);
    [a[0] + 10 * a[3], found as u32, b[0], b[3]]
}

#[amp_kernel]
fn turn_and_sort(idx: Index<1>, out: &mut ArrayViewMut<[u32; 4], 1>) {
    let i = idx[0] as u32;
    let mut a = [i % 5, 2, 7 - i % 3, 1];
    moved::turn(&mut a);
    let mut b = a;
    let found = moved::order(&mut b, &2);
    let mut c = a;
    moved::order_by(&mut c, |x, y| y.cmp(x));
    out[idx] = [a[0] + 10 * a[3], found as u32, c[3], c[0]];
}

#[test]
fn elements_without_bounds_are_moved() {
    let expected: Vec<[u32; 4]> = (0..20).map(turned_and_sorted).collect();
    gives(&expected, |view, out| launch(view, 20, turn_and_sort(out)));
}
