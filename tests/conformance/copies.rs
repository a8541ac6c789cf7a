//! Rows 141 to 147: copies, on every accelerator and on every two.

use amp::prelude::*;
use amp::{AcceleratorView, CopyDestination, CopySource, Element};
use amp_tests::{assert_silent, everywhere, launch, new_views, pairs};

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
fn survives<T: Element + PartialEq + std::fmt::Debug>(
    source: &impl CopySource<Element = T>,
    destination: &mut (impl CopyDestination<Element = T> + CopySource<Element = T>),
    expected: &[T],
) {
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
        // What iterators give goes by a Vec.
        let collected: Vec<Particle> = particles.iter().copied().take(49).collect();
        survives(&collected, &mut empty::<_, 1>(&second, [49]), &particles);
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
        let copies = [copy_async(&read, &mut one), copy_async(&here, &mut two)];
        copies.into_iter().for_each(|copy| copy.wait().unwrap());
        assert_eq!(one.to_vec().unwrap(), data);
        assert_eq!(two.to_vec().unwrap(), data);
    }
    assert_silent();
}
