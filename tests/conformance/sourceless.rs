//! Row 137: sums and differences through views without a source, in the ways that the suite has.
//! Where it takes the address of an element in a kernel there is a view made of a view: kernels
//! have no pointers.

use amp::prelude::*;
use amp::profile::Activity;
use amp::{AcceleratorView, Error};
use testkit::numbers::random;
use testkit::{assert_silent, everywhere, launch, new_views, pairs};

const N: usize = 256;

type In<'a, 'v> = &'a ArrayView<'v, i32, 2>;
type Out<'a, 'v> = &'a mut ArrayViewMut<'v, i32, 2>;

fn numbers(seed: u64) -> Vec<i32> {
    random(seed)
        .map(|word| word as i32 / 4)
        .take(N * N)
        .collect()
}

/// Gives every accelerator two inputs and two views without a source, and requires the sums in
/// one of these, the differences in the other.
fn gives_both(way: impl Fn(&AcceleratorView, In<'_, '_>, In<'_, '_>, Out<'_, '_>, Out<'_, '_>)) {
    let (a, b) = (numbers(1370), numbers(1371));
    let both = || a.iter().zip(&b);
    let sums: Vec<i32> = both().map(|(a, b)| a + b).collect();
    let differences: Vec<i32> = both().map(|(a, b)| a - b).collect();
    everywhere(|view| {
        let in_a = ArrayView::new([N, N], &a).unwrap();
        let in_b = ArrayView::new([N, N], &b).unwrap();
        let mut sum = ArrayViewMut::uninit([N, N]).unwrap();
        let mut difference = ArrayViewMut::uninit([N, N]).unwrap();
        way(view, &in_a, &in_b, &mut sum, &mut difference);
        assert!(sum.to_vec().unwrap() == sums, "{view}");
        assert!(difference.to_vec().unwrap() == differences, "{view}");
    });
}

#[amp_kernel]
fn sum_and_difference(
    idx: Index<2>,
    a: &ArrayView<i32, 2>,
    b: &ArrayView<i32, 2>,
    sum: &mut ArrayViewMut<i32, 2>,
    difference: &mut ArrayViewMut<i32, 2>,
) {
    sum[idx] = a[idx] + b[idx];
    difference[idx] = a[idx] - b[idx];
}

fn whole(
    view: &AcceleratorView,
    a: In<'_, '_>,
    b: In<'_, '_>,
    sum: Out<'_, '_>,
    difference: Out<'_, '_>,
) {
    launch(view, a.extent(), sum_and_difference(a, b, sum, difference)).unwrap();
}

#[test]
fn row_137_whole_views() {
    gives_both(whole);
}

#[test]
fn row_137_sections_on_the_host() {
    gives_both(|view, a, b, sum, difference| {
        for origin in [[0, 0], [0, N / 2], [N / 2, 0], [N / 2, N / 2]] {
            let part = [N / 2, N / 2];
            let a = a.section(origin, part).unwrap();
            let b = b.section(origin, part).unwrap();
            let mut sum = sum.section(origin, part).unwrap();
            let mut difference = difference.section(origin, part).unwrap();
            whole(view, &a, &b, &mut sum, &mut difference);
        }
    });
}

#[amp_kernel]
fn by_sections(
    idx: Index<2>,
    a: &ArrayView<i32, 2>,
    b: &ArrayView<i32, 2>,
    sum: &mut ArrayViewMut<i32, 2>,
    difference: &mut ArrayViewMut<i32, 2>,
) {
    let (row, column) = (idx[0], idx[1]);
    let (top, left) = (row / 64 * 64, column / 3);
    let width = a.extent()[1] - left;
    let a = a.section([top, left], [64, width]);
    let b = b.section([row, 0], [1, a.extent()[1] + left]);
    let mut sums = sum.section([top, 0], [64, left + width]);
    sums[[row - top, column]] = a[[row - top, column - left]] + b[[0, column]];
    let mut differences = difference.section([row, column], [1, 1]);
    differences[[0, 0]] = a[[row - top, column - left]] - b[[0, column]];
}

#[test]
fn row_137_sections_in_the_kernel() {
    gives_both(|view, a, b, sum, difference| {
        launch(view, [N, N], by_sections(a, b, sum, difference)).unwrap();
    });
}

#[amp_kernel(T = i32 | f64)]
fn of_lines<T: Scalar>(
    idx: Index<1>,
    a: &ArrayView<T, 1>,
    b: &ArrayView<T, 1>,
    sum: &mut ArrayViewMut<T, 1>,
    difference: &mut ArrayViewMut<T, 1>,
) {
    sum[idx] = a[idx] + b[idx];
    difference[idx] = a[idx] - b[idx];
}

#[test]
fn row_137_projections_on_the_host() {
    gives_both(|view, a, b, sum, difference| {
        for row in 0..N {
            let (a, b) = (a.row(row).unwrap(), b.row(row).unwrap());
            let mut sum = sum.row(row).unwrap();
            let mut difference = difference.row(row).unwrap();
            launch(view, N, of_lines(&a, &b, &mut sum, &mut difference)).unwrap();
        }
    });
}

#[amp_kernel]
fn by_rows(
    idx: Index<2>,
    a: &ArrayView<i32, 2>,
    b: &ArrayView<i32, 2>,
    sum: &mut ArrayViewMut<i32, 2>,
    difference: &mut ArrayViewMut<i32, 2>,
) {
    let (row, column) = (idx[0], idx[1]);
    sum.row(row)[column] = a.row(row)[column] + b.row(row)[column];
    difference.row(row)[column] = a.row(row)[column] - b.row(row)[column];
}

#[test]
fn row_137_projections_in_the_kernel() {
    gives_both(|view, a, b, sum, difference| {
        launch(view, [N, N], by_rows(a, b, sum, difference)).unwrap();
    });
}

#[test]
fn row_137_refreshed_before_use() {
    gives_both(|view, a, b, sum, difference| {
        a.refresh();
        sum.refresh();
        difference.refresh();
        whole(view, a, b, sum, difference);
        sum.refresh();
        difference.section([0, 0], [N, 1]).unwrap().refresh();
    });
}

#[test]
fn row_137_discarded_before_use() {
    gives_both(|view, a, b, sum, difference| {
        sum.discard_data();
        difference.section([7, 0], [9, N]).unwrap().discard_data();
        whole(view, a, b, sum, difference);
    });
}

#[amp_kernel]
fn fill(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>, value: i32) {
    a[idx] = value;
}

#[amp_kernel]
fn add(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>, value: i32) {
    a[idx] += value;
}

/// Discarding clears nothing: a kernel on the same view still reads what is there.
#[test]
fn row_137_discarded_data_stays_where_it_is() {
    everywhere(|view| {
        let mut av = ArrayViewMut::<i32, 1>::uninit(64).unwrap();
        launch(view, 64, fill(&mut av, 3)).unwrap();
        av.discard_data();
        launch(view, 64, add(&mut av, 4)).unwrap();
        assert_eq!(av.to_vec().unwrap(), [7; 64], "{view}");
    });
}

#[test]
fn row_137_synchronised_at_once_and_later() {
    gives_both(|view, a, b, sum, difference| {
        whole(view, a, b, sum, difference);
        sum.synchronize().unwrap();
        difference.synchronize_async().wait().unwrap();
        pollster::block_on(sum.synchronize_async()).unwrap();
        difference.synchronize_to_async(view).wait().unwrap();
    });
}

/// What the host has of a view lies where it lay, for the view and for its parts.
#[test]
fn row_137_data_has_one_address() {
    gives_both(|view, a, b, sum, difference| {
        let before = sum.data().unwrap().as_ptr();
        whole(view, a, b, sum, difference);
        assert_eq!(sum.data().unwrap().as_ptr(), before, "{view}");
        assert_eq!(sum.data_mut().unwrap().as_ptr(), before, "{view}");
        assert_eq!(sum.as_view().data().unwrap().as_ptr(), before, "{view}");
        assert_eq!(&raw const sum[[0, 0]], before, "{view}");
        let third = &raw const sum.data().unwrap()[3 * N];
        assert_eq!(sum.row(3).unwrap().data().unwrap().as_ptr(), third);
        let rows = sum.section([3, 0], [4, N]).unwrap();
        assert_eq!(rows.data().unwrap().as_ptr(), third, "{view}");
        assert_ne!(difference.data().unwrap().as_ptr(), before, "{view}");
    });
}

/// The addresses of a view with a source are the source's.
#[test]
fn row_137_data_is_the_source() {
    let mut data = numbers(1372);
    let address = data.as_ptr();
    everywhere(|view| {
        let read = ArrayView::new([N, N], &data).unwrap();
        read.synchronize_to(view).unwrap();
        assert_eq!(read.data().unwrap().as_ptr(), address, "{view}");
    });
    let mut written = ArrayViewMut::new([N, N], &mut data).unwrap();
    assert_eq!(written.data().unwrap().as_ptr(), address);
    assert_eq!(written.data_mut().unwrap().as_ptr(), address);
}

#[amp_kernel]
fn words_as_doubles(
    idx: Index<1>,
    a: &ArrayView<u64, 1>,
    b: &ArrayView<u64, 1>,
    sum: &mut ArrayViewMut<u64, 1>,
    difference: &mut ArrayViewMut<u64, 1>,
) {
    let a = a.reinterpret::<f64>();
    let b = b.reinterpret::<f64>();
    sum.reinterpret::<f64>()[idx] = a[idx] + b[idx];
    difference.reinterpret::<f64>()[idx] = a[idx] - b[idx];
}

/// `reinterpret_as<double>`, outside the kernel and in it.
#[test]
fn row_137_other_elements() {
    let count = N * N;
    let fraction = |n: &i32| f64::from(*n) / 1024.0;
    let a: Vec<f64> = numbers(1373).iter().map(fraction).collect();
    let b: Vec<f64> = numbers(1374).iter().map(fraction).collect();
    let sums: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    everywhere(|view| {
        for in_the_kernel in [false, true] {
            let in_a = ArrayView::new(count, &a).unwrap();
            let in_b = ArrayView::new(count, &b).unwrap();
            let mut sum = ArrayViewMut::<u64, 1>::uninit(count).unwrap();
            let mut difference = ArrayViewMut::<u64, 1>::uninit(count).unwrap();
            let launched = if in_the_kernel {
                let (a, b) = (in_a.reinterpret().unwrap(), in_b.reinterpret().unwrap());
                launch(
                    view,
                    count,
                    words_as_doubles(&a, &b, &mut sum, &mut difference),
                )
            } else {
                let mut sum = sum.reinterpret().unwrap();
                let mut difference = difference.reinterpret().unwrap();
                launch(
                    view,
                    count,
                    of_lines(&in_a, &in_b, &mut sum, &mut difference),
                )
            };
            let has_doubles = view.accelerator().supports_double_precision();
            if !has_doubles && matches!(launched, Err(Error::UnsupportedFeature(_))) {
                continue;
            }
            launched.unwrap();
            let (sum, difference) = (sum.as_view(), difference.as_view());
            let sum = sum.reinterpret::<f64>().unwrap();
            let difference = difference.reinterpret::<f64>().unwrap();
            assert!(sum.to_vec().unwrap() == sums, "{view}");
            assert!(difference.to_vec().unwrap() == differences, "{view}");
        }
    });
}

/// The inputs are without a source too: kernels make them, and the host a part of them.
#[test]
fn row_137_inputs_without_a_source() {
    #[amp_kernel]
    fn copied(idx: Index<2>, from: &ArrayView<i32, 2>, to: &mut ArrayViewMut<i32, 2>) {
        to[idx] = from[idx];
    }
    gives_both(|view, a, b, sum, difference| {
        let mut own_a = ArrayViewMut::<i32, 2>::uninit([N, N]).unwrap();
        let mut own_b = ArrayViewMut::<i32, 2>::uninit([N, N]).unwrap();
        launch(view, [N, N], copied(a, &mut own_a)).unwrap();
        own_b.data_mut().unwrap().copy_from_slice(b.data().unwrap());
        own_b[[200, 7]] = 1;
        let mut lower = own_b.section([128, 0], [128, N]).unwrap();
        let from = b.section([128, 0], [128, N]).unwrap();
        launch(view, [128, N], copied(&from, &mut lower)).unwrap();
        drop(lower);
        whole(view, &own_a.as_view(), &own_b.as_view(), sum, difference);
    });
}

/// One accelerator after the other.
#[test]
fn row_137_sums_here_and_differences_there() {
    let (a, b) = (numbers(1375), numbers(1376));
    for [first, second] in pairs() {
        let in_a = ArrayView::new([N, N], &a).unwrap();
        let in_b = ArrayView::new([N, N], &b).unwrap();
        let [mut sum, mut difference, mut again, mut rest] =
            std::array::from_fn(|_| ArrayViewMut::<i32, 2>::uninit([N, N]).unwrap());
        whole(&first, &in_a, &in_b, &mut sum, &mut difference);
        // (a + b) - (a - b) and (a + b) + (a - b) halved are b and a.
        let (sum, difference) = (sum.as_view(), difference.as_view());
        whole(&second, &sum, &difference, &mut again, &mut rest);
        let halves = |view: &ArrayViewMut<'_, i32, 2>| -> Vec<i32> {
            view.to_vec().unwrap().iter().map(|n| n / 2).collect()
        };
        assert!(halves(&again) == a, "{first}, {second}");
        assert!(halves(&rest) == b, "{first}, {second}");
    }
    assert_silent();
}

#[amp_kernel]
fn twice(idx: Index<1>, a: &ArrayView<i32, 1>, b: &mut ArrayViewMut<i32, 1>) {
    b[idx] = 2 * a[idx];
}

/// The suite's Test15: it is not said where to run. It is where the input lives, on no default view;
/// the result is there, and is found in an array of that view.
#[test]
fn row_137_a_launch_goes_where_its_input_lives() {
    for view in new_views() {
        let a = Array::builder(N * N).on(&view).build_from(0..).unwrap();
        let mut array: Array<i32, 1> = Array::builder(N * N).on(&view).build().unwrap();
        let mut b = ArrayViewMut::uninit(N * N).unwrap();
        let (_, profile) = view
            .profile(|| {
                parallel_for_each(N * N, twice(&a.view(), &mut b))?;
                copy(&b, &mut array)
            })
            .unwrap();
        let activities = || profile.events().iter().map(|event| &event.activity);
        let launches = activities().filter(|it| matches!(it, Activity::Launch { .. }));
        assert_eq!(launches.count(), 1, "{view}");
        let found = array.to_vec().unwrap();
        assert!(found.into_iter().eq((0..).step_by(2).take(N * N)), "{view}");
    }
    assert_silent();
}

/// The kernel runs where the array behind a captured view lives, and finds its data there.
#[test]
fn row_137_a_launch_goes_to_the_array_behind_its_views() {
    everywhere(|view| {
        let data: Vec<i32> = (0..100).collect();
        let mut array = Array::builder(100).on(view).data(&data).build().unwrap();
        let mut part = array.section_mut(10, 50).unwrap();
        assert_eq!(part.source_accelerator_view(), *view);
        let before = part.as_view().to_vec().unwrap();
        parallel_for_each(50, add(&mut part, 1000)).unwrap();
        let after: Vec<i32> = before.iter().map(|value| value + 1000).collect();
        assert_eq!(array.to_vec().unwrap()[10..60], after, "{view}");
        let square = array.view_as([10, 10]).unwrap();
        assert_eq!(square.row(0).unwrap()[9], 9, "{view}");
    });
}
