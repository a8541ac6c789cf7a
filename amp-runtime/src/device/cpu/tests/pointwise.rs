//! Kernels whose threads keep to the elements at their own index.

use super::*;
use crate::device::cpu::{ArrayViewMut, WriteSlot, execute_pointwise};
use crate::types::index::Index;

/// Runs a kernel over two views, of which it writes the second.
fn run<const N: usize>(
    extent: [usize; N],
    (a, b): (RawView, RawView),
    kernel: impl Fn(Index<N>, u32, &mut ArrayViewMut<'_, u32, N>) + Copy + Send + Sync,
) -> Result<()> {
    let artifact = artifact::<Index<N>>(false);
    let launch = over(&artifact, &extent, vec![a, b]);
    execute_pointwise(
        &|views, points| {
            let a = views.write(WriteSlot::<u32, N>::new(0));
            let b = views.write(WriteSlot::<u32, N>::new(1));
            points.run((a, (b, ())), move |idx, (a, (mut b, ()))| {
                kernel(idx, a.place(idx).load(), &mut b);
            });
        },
        &launch,
    )
}

#[test]
fn each_thread_has_its_element() {
    let mut a: Vec<u32> = (0..3 * 1001).collect();
    let mut b = vec![1_u32; a.len()];
    let views = (view(&[3, 1001], &mut a), view(&[3, 1001], &mut b));
    let ran = run([3, 1001], views, |idx, a, b| {
        let place = b.place_mut(idx);
        place.store(place.load() + 2 * a);
    });
    assert_eq!(ran, Ok(()));
    assert!((0..).zip(&b).all(|(i, b)| *b == 2 * i + 1));
}

#[test]
fn what_is_outside_of_a_view_is_checked() {
    // The views end in other rows and columns than the domain.
    let mut a = vec![5_u32; 2 * 9];
    let mut b = vec![1_u32; 4 * 6];
    let views = (view(&[2, 9], &mut a), view(&[4, 6], &mut b));
    let ran = run([5, 7], views, |idx, a, b| b.place_mut(idx).store(a + 1));
    let fault = fault(ran);
    assert_eq!(fault.thread, [0, 6]);
    assert_eq!(
        fault.message,
        "index out of bounds: the extent is 6 but the index is 6"
    );
    assert_eq!(b, [[6; 12], [1; 12]].concat());
}

#[test]
fn rows_outside_of_a_view_are_checked() {
    let mut a = vec![5_u32; 2 * 4];
    let mut b = vec![1_u32; 3 * 4];
    let views = (view(&[2, 4], &mut a), view(&[3, 4], &mut b));
    let fault = fault(run([3, 4], views, |idx, a, b| {
        b.place_mut(idx).store(a + 1);
    }));
    assert_eq!(fault.thread, [2, 0]);
    assert_eq!(
        fault.message,
        "index out of bounds: the extent is 2 but the index is 2"
    );
    assert_eq!(b, [6, 6, 6, 6, 6, 6, 6, 6, 1, 1, 1, 1]);
}

#[test]
fn no_thread_reaches_the_element_of_another() {
    let (mut a, mut b) = (vec![5_u32; 4], vec![1_u32; 4]);
    let views = (view(&[4], &mut a), view(&[4], &mut b));
    let ran = run([4], views, |idx, a, b| {
        b.place_mut([(idx[0] + 1) % 4]).store(a);
    });
    let message = fault(ran).message;
    assert_eq!(
        message,
        "a thread of a pointwise kernel accesses the element of another"
    );
    assert_eq!(b, [1; 4]);
}
