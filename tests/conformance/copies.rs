//! Rows 141 to 147: copies, on every accelerator and on every two.

use std::collections::{LinkedList, VecDeque};

use amp::prelude::*;
use amp::{AcceleratorView, CopyDestination, CopySource, Element, Error, FitsRank};
use testkit::{assert_silent, everywhere, launch, new_views, pairs};

fn numbers(count: usize) -> Vec<i32> {
    (0..count as i32).map(|i| i * 7 % 1009).collect()
}

fn array<T: Element, const N: usize>(
    view: &AcceleratorView,
    extent: [usize; N],
    data: &[T],
) -> Array<T, N> {
    let builder = Array::builder(extent).on(view);
    builder.data(data).build().unwrap()
}

fn empty<T: Element, const N: usize>(view: &AcceleratorView, extent: [usize; N]) -> Array<T, N> {
    Array::builder(extent).on(view).build().unwrap()
}

#[test]
fn row_141_copies_in_all_directions() {
    let data = numbers(10 * 10 * 10);
    for [first, second] in pairs() {
        let source = array(&first, [10, 10, 10], &data);
        let mut to_array: Array<i32, 3> = empty(&second, [10, 10, 10]);
        copy(&source, &mut to_array).unwrap();
        assert_eq!(to_array.to_vec().unwrap(), data, "{first} to {second}");

        let mut host = vec![0; data.len()];
        let mut view = ArrayViewMut::new([10, 10, 10], &mut host).unwrap();
        copy(&source, &mut view).unwrap();
        view.synchronize().unwrap();
        drop(view);
        assert_eq!(host, data, "{first} to a view");

        let input = ArrayView::new([10, 10, 10], &data).unwrap();
        input.synchronize_to(&first).unwrap();
        let mut behind: Array<i32, 3> = empty(&second, [10, 10, 10]);
        copy(&input, &mut behind.view_mut()).unwrap();
        assert_eq!(behind.to_vec().unwrap(), data, "a view to {second}");

        let mut host = vec![0; data.len()];
        copy(&source, &mut host).unwrap();
        assert_eq!(host, data, "{first} to a slice");
    }
    assert_silent();
}

/// Staging arrays in both roles: `near` one view and `near` the other, with arrays, with each
/// other, with views, slices and iterators.
#[test]
fn row_141_staging_arrays_on_either_side() {
    let data = numbers(10 * 10 * 10);
    for [first, second] in pairs() {
        let near = |view: &AcceleratorView| Array::builder([10, 10, 10]).associated(view);
        let source = near(&first).data(&data).build().unwrap();
        assert_eq!(source.accelerator_view().accelerator(), Accelerator::cpu());
        assert_eq!(source.associated_accelerator_view(), first);

        let mut to_array: Array<i32, 3> = empty(&second, [10, 10, 10]);
        copy(&source, &mut to_array).unwrap();
        assert_eq!(to_array.to_vec().unwrap(), data, "staging to {second}");
        let mut back = near(&second).build().unwrap();
        copy(&to_array, &mut back).unwrap();
        assert_eq!(back.to_vec().unwrap(), data, "{second} to staging");
        let mut across = near(&first).build().unwrap();
        copy(&back, &mut across).unwrap();
        assert_eq!(across.to_vec().unwrap(), data, "staging to staging");

        let mut host = vec![0; data.len()];
        let mut view = ArrayViewMut::new([10, 10, 10], &mut host).unwrap();
        copy(&across, &mut view).unwrap();
        view.synchronize_to(&second).unwrap();
        let mut of_view: Array<i32, 3> = near(&first).build().unwrap();
        copy(&view, &mut of_view.view_mut()).unwrap();
        drop(view);
        assert_eq!(host, data, "staging to a view");
        assert_eq!(of_view.to_vec().unwrap(), data, "a view to staging");

        let filled = near(&first).build_from(data.iter().copied()).unwrap();
        let mut host = vec![0; data.len()];
        copy(&filled, &mut host).unwrap();
        assert_eq!(host, data, "an iterator to staging to a slice");
        let mut of_slice: Array<i32, 3> = near(&second).build().unwrap();
        copy(&host, &mut of_slice).unwrap();
        assert_eq!(of_slice.data().unwrap(), data, "a slice to staging");
    }
    assert_silent();
}

/// Two copies of one source, written by a kernel in between; the first holds what was there.
#[test]
fn row_141_a_copy_is_deep() {
    everywhere(|view| {
        let mut source = array(view, [100], &numbers(100));
        let mut kept: Array<i32, 1> = empty(view, [100]);
        copy(&source, &mut kept).unwrap();
        launch(view, 100, clear(&mut source)).unwrap();
        assert_eq!(kept.to_vec().unwrap(), numbers(100));
        assert_eq!(source.to_vec().unwrap(), [0; 100]);
    });
}

#[amp_kernel]
fn clear(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>) {
    a[idx] = 0;
}

/// From a source to a destination and back to a slice.
fn survives<T, S, D>(source: &S, destination: &mut D, expected: &[T])
where
    T: Element + PartialEq + std::fmt::Debug,
    S: CopySource<Element = T, Rank: FitsRank<<D as CopyDestination>::Rank>>,
    D: CopyDestination<Element = T> + CopySource<Element = T>,
{
    copy(source, destination).unwrap();
    let mut out = vec![T::zeroed(); expected.len()];
    copy(destination, &mut out).unwrap();
    assert_eq!(out, expected);
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Particle {
    place: [f32; 3],
    mass: f32,
    kind: u32,
}

#[test]
fn row_145_ranks_up_to_eight() {
    for [first, second] in pairs() {
        let four = numbers(3 * 4 * 5 * 6);
        let source = array(&first, [3, 4, 5, 6], &four);
        survives(&source, &mut empty(&second, [3, 4, 5, 6]), &four);
        let six: Vec<i64> = (0..729).map(|i| i << 33 | 5).collect();
        let source = array(&first, [3; 6], &six);
        survives(&source, &mut empty(&second, [3; 6]), &six);
        let seven: Vec<u64> = (0..128).map(|i| u64::MAX - i).collect();
        let source = array(&first, [2; 7], &seven);
        survives(&source, &mut empty(&second, [2; 7]), &seven);
        let eight: Vec<f32> = (0..256).map(|i| i as f32 / 3.0).collect();
        survives(&eight, &mut empty::<f32, 8>(&second, [2; 8]), &eight);
        let five: Vec<u32> = (0..32).collect();
        survives(&five, &mut empty::<u32, 5>(&second, [2; 5]), &five);
    }
    assert_silent();
}

/// `copy` takes what lies in one piece. A deque lies in two: an array is made of its iterator, and
/// parts of an array are copied to each piece.
#[test]
fn row_145_from_a_deque_and_to_one() {
    let number = |i: u16| f32::from(i) / 3.0;
    let mut deque: VecDeque<f32> = (100..256).map(number).collect();
    (0..100).rev().for_each(|i| deque.push_front(number(i)));
    let pieces = deque.as_slices();
    assert!(!pieces.0.is_empty() && !pieces.1.is_empty());
    for [first, second] in pairs() {
        let source = Array::builder([2; 8]).on(&first);
        let source = source.build_from(deque.iter().copied()).unwrap();
        let mut target: Array<f32, 8> = empty(&second, [2; 8]);
        copy(&source, &mut target).unwrap();

        let mut found = deque.clone();
        found.iter_mut().for_each(|value| *value = -1.0);
        let line = target.view_as(256).unwrap();
        let (front, back) = found.as_mut_slices();
        copy(&line.section(0, front.len()).unwrap(), front).unwrap();
        if !back.is_empty() {
            copy(&line.section(front.len(), back.len()).unwrap(), back).unwrap();
        }
        assert_eq!(found, deque, "{first} to {second}");

        // To an array that there is, from both pieces.
        let mut line = target.view_as_mut(256).unwrap();
        let (front, back) = deque.as_slices();
        let mut rest = line.section(front.len(), back.len()).unwrap();
        copy(back, &mut rest).unwrap();
        drop(rest);
        copy(front, &mut line.section(0, front.len()).unwrap()).unwrap();
        drop(line);
        assert!(target.to_vec().unwrap().iter().eq(&deque), "{second}");
    }
    assert_silent();
}

/// Goes forward only, and does not tell how many are left.
struct Forward<'a, T>(&'a [T]);

impl<T: Copy> Iterator for Forward<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }
}

#[test]
fn row_145_from_an_iterator_that_goes_forward_only() {
    let data = numbers(3000);
    for [first, second] in pairs() {
        let source = Array::builder([30, 100]).on(&first);
        let source = source.build_from(Forward(&data)).unwrap();
        let mut target = empty(&second, [30, 100]);
        survives(&source, &mut target, &data);
        // Back one by one, as an output iterator takes them.
        let mut list = LinkedList::new();
        let elements = target.to_vec().unwrap().into_iter();
        elements.for_each(|element: i32| list.push_back(element));
        assert!(list.iter().eq(&data), "{first} to {second}");
        let short = Array::builder([30, 101])
            .on(&first)
            .build_from(Forward(&data));
        assert!(matches!(short, Err(Error::SourceTooShort { .. })));
    }
    assert_silent();
}

#[test]
fn row_145_what_was_never_written_can_be_copied() {
    for [first, second] in pairs() {
        let source: Array<i32, 1> = empty(&first, [64]);
        survives(&source, &mut empty(&second, [64]), &[0; 64]);
        let undefined: ArrayViewMut<i32, 1> = ArrayViewMut::uninit(64).unwrap();
        copy(&undefined, &mut empty(&second, [64])).unwrap();
        copy(&source, &mut ArrayViewMut::uninit(64).unwrap()).unwrap();
    }
    assert_silent();
}

#[test]
fn row_145_structs_from_device_to_host_accelerator() {
    for [first, second] in pairs() {
        let particle = |i: u32| Particle {
            place: [i as f32, 0.5, -1.0],
            mass: 1.0 / i as f32,
            kind: i,
        };
        let particles: Vec<Particle> = (1..50).map(particle).collect();
        let source = array(&first, [49], &particles);
        survives(&source, &mut empty(&second, [49]), &particles);
        let collected = Array::builder(49).on(&first);
        let collected = collected.build_from(Forward(&particles)).unwrap();
        survives(&collected, &mut empty::<_, 1>(&second, [49]), &particles);
        survives(&particles, &mut empty::<_, 1>(&second, [49]), &particles);
    }
    assert_silent();
}

/// Two views stand for two devices where there are not two: nothing else is different.
#[test]
fn row_147_between_two_devices() {
    let views: Vec<_> = new_views().into_iter().chain(new_views()).collect();
    let data = numbers(5000);
    for first in &views {
        for second in &views {
            let source = array(first, [50, 100], &data);
            survives(&source, &mut empty(second, [50, 100]), &data);
            let mut target: Array<i32, 2> = empty(second, [50, 100]);
            survives(&source.view(), &mut target.view_mut(), &data);
        }
    }
    assert_silent();
}

#[test]
fn row_143_two_copies_of_one_source_are_under_way() {
    let data = numbers(10_000);
    for [first, second] in pairs() {
        let source = array(&first, [100, 100], &data);
        let (mut one, mut two) = (empty(&second, [100, 100]), empty(&first, [100, 100]));
        let copies = [copy_async(&source, &mut one), copy_async(&source, &mut two)];
        copies.into_iter().for_each(|copy| copy.wait().unwrap());
        assert_eq!(one.to_vec().unwrap(), data);
        assert_eq!(two.to_vec().unwrap(), data);

        let (mut here, mut there) = (vec![0; 10_000], vec![0; 10_000]);
        let mut view = ArrayViewMut::new([100, 100], &mut there).unwrap();
        let copies = [
            copy_async(&source, &mut here),
            copy_async(&source, &mut view),
        ];
        copies.into_iter().for_each(|copy| copy.wait().unwrap());
        drop(view);
        assert_eq!(here, data);
        assert_eq!(there, data);

        let read = ArrayView::new([100, 100], &data).unwrap();
        let copies = [copy_async(&read, &mut one), copy_async(&read, &mut two)];
        copies.into_iter().for_each(|copy| copy.wait().unwrap());
        assert_eq!(one.to_vec().unwrap(), data);
        assert_eq!(two.to_vec().unwrap(), data);

        let mut views = [0, 1].map(|_| ArrayViewMut::uninit([100, 100]).unwrap());
        let [first_view, second_view] = &mut views;
        first_view.synchronize_to(&first).unwrap();
        second_view.synchronize_to(&second).unwrap();
        let copies = [
            copy_async(&data, first_view),
            copy_async(&data, second_view),
        ];
        copies.into_iter().for_each(|copy| copy.wait().unwrap());
        for view in views {
            assert_eq!(view.to_vec().unwrap(), data);
        }
    }
    assert_silent();
}
