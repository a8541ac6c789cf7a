//! Helpers that take views, structs with views and references, called by the host too.

use amp::prelude::*;
use testkit::{input, launch};

#[amp_fn]
fn sum_of(a: &ArrayView<i32, 1>, from: usize, mut count: usize) -> i32 {
    let mut sum = 0;
    while count > 0 {
        count -= 1;
        sum += a[from + count];
    }
    sum
}

#[amp_fn]
fn put(o: &mut ArrayViewMut<i32, 2>, at: Index<2>, value: i32) -> i32 {
    let old = o[at];
    o[at] = value;
    o[[0, at[1]]] += old;
    old
}

#[amp_fn]
fn bump(x: &mut i32, by: &i32) {
    *x += *by * 1_000_000_000;
}

#[amp_fn]
fn greatest<T: Scalar, const N: usize>(a: &ArrayView<T, 1>, f: impl Fn(T) -> T) -> T {
    let mut best = f(a[0]);
    for i in 1..N {
        let x = f(a[i]);
        if x > best {
            best = x;
        }
    }
    best
}

#[amp_fn]
fn row_of(a: &ArrayView<i32, 2>, row: usize) -> ArrayView<'_, i32, 1> {
    a.row(row).section(1, 2)
}

#[amp_fn]
fn tail_of(a: &mut ArrayViewMut<i32, 1>, from: usize) -> ArrayViewMut<'_, i32, 1> {
    let rest = a.extent()[0] - from;
    a.section(from, rest)
}

#[amp_kernel]
fn all(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    table: &ArrayView<i32, 2>,
    work: &mut ArrayViewMut<i32, 2>,
    o: &mut ArrayViewMut<i32, 1>,
) {
    if idx[0] == 0 {
        o[0] = sum_of(a, 1, 3);
        o[1] = put(work, Index::new([1, 2]), 7);
        let mut x = 2;
        bump(&mut x, &a[3]);
        o[2] = x;
        o[3] = greatest::<i32, 4, _>(a, |x| -x);
        let row = row_of(table, 1);
        o[4] = row[1];
        let mut tail = tail_of(o, 5);
        tail[0] = 9;
        bump(&mut tail[1], &2);
    }
}

const NUMBERS: [i32; 6] = [5, -3, 8, 1, 2, -9];

#[test]
fn a_helper_with_views_is_the_same_on_the_host() {
    let (mut of_device, mut work) = ([1; 7], [1, 2, 3, 4, 5, 6]);
    let a = input(&NUMBERS);
    let table = ArrayView::new([2, 3], &NUMBERS).unwrap();
    for view in testkit::views() {
        of_device = [1; 7];
        work = [1, 2, 3, 4, 5, 6];
        let mut o = ArrayViewMut::new(7, &mut of_device).unwrap();
        let mut w = ArrayViewMut::new([2, 3], &mut work).unwrap();
        launch(&view, 1, all(&a, &table, &mut w, &mut o)).unwrap();
        drop((o, w));

        let (mut of_host, mut host_work) = ([1; 7], [1, 2, 3, 4, 5, 6]);
        {
            let mut o = ArrayViewMut::new(7, &mut of_host).unwrap();
            let mut w = ArrayViewMut::new([2, 3], &mut host_work).unwrap();
            o[0] = sum_of(&a, 1, 3);
            o[1] = put(&mut w, Index::new([1, 2]), 7);
            let mut x = 2;
            bump(&mut x, &a[3]);
            o[2] = x;
            o[3] = greatest::<i32, 4, _>(&a, |x| -x);
            o[4] = row_of(&table, 1)[1];
            let mut tail = tail_of(&mut o, 5);
            tail[0] = 9;
            bump(&mut tail[1], &2);
        }
        assert_eq!(of_host, of_device);
        assert_eq!(host_work, work);
    }
    assert_eq!(of_device, [6, 6, 1_000_000_002, 3, -9, 9, 2_000_000_001]);
    assert_eq!(work, [1, 2, 9, 4, 5, 7]);
}

/// Not by copies: what a device wrote is there, and what the host writes is what it reads next.
#[test]
fn a_helper_sees_what_kernels_wrote() {
    #[amp_kernel]
    fn double(idx: Index<1>, o: &mut ArrayViewMut<i32, 1>) {
        o[idx] *= 2;
    }
    #[amp_fn]
    fn first(o: &mut ArrayViewMut<i32, 1>) -> i32 {
        o[0] += 1;
        o[0]
    }
    for view in testkit::views() {
        let mut data = [3, 4];
        let mut o = ArrayViewMut::new(2, &mut data).unwrap();
        launch(&view, 2, double(&mut o)).unwrap();
        assert_eq!(first(&mut o), 7);
        launch(&view, 2, double(&mut o)).unwrap();
        drop(o);
        assert_eq!(data, [14, 16]);
    }
}

#[test]
fn a_section_is_lent_as_it_lies() {
    let table = ArrayView::new([2, 3], &NUMBERS).unwrap();
    let corner = table.section([0, 1], [2, 2]).unwrap();
    assert_eq!(row_of_two(&corner)[0], 2);
    #[amp_fn]
    fn row_of_two(a: &ArrayView<i32, 2>) -> ArrayView<'_, i32, 1> {
        a.row(1)
    }
}

#[test]
#[should_panic(expected = "index out of bounds: the extent is 6 but the index is 6")]
fn an_index_out_of_bounds_panics_on_the_host() {
    sum_of(&input(&NUMBERS), 4, 3);
}

#[test]
#[should_panic(expected = "every component must be at least 1")]
fn a_view_without_elements_panics_on_the_host() {
    let mut data = [1, 2];
    let mut o = ArrayViewMut::new(2, &mut data).unwrap();
    let _ = tail_of(&mut o, 2);
}

/// A view to read and one to write.
#[amp_struct]
struct Both<'a> {
    from: ArrayView<'a, i32, 1>,
    to: ArrayViewMut<'a, i32, 1>,
    factor: i32,
}

/// Another around it.
#[amp_struct]
struct Around<'a> {
    both: Both<'a>,
    offset: usize,
}

#[amp_fn]
fn scale(w: &mut Around, i: usize) -> i32 {
    w.both.to[i + w.offset] = w.both.from[i] * w.both.factor;
    read_back(&w.both, i + w.offset)
}

#[amp_fn]
fn read_back(b: &Both, i: usize) -> i32 {
    b.to[i] + 1
}

#[amp_fn]
fn written(b: &mut Both) -> ArrayViewMut<'_, i32, 1> {
    b.to.section(2, 2)
}

#[test]
fn a_helper_with_structs_of_views_is_callable_on_the_host() {
    let mut data = [0; 4];
    let mut around = Around {
        both: Both {
            from: input(&NUMBERS),
            to: ArrayViewMut::new(4, &mut data).unwrap(),
            factor: 10,
        },
        offset: 1,
    };
    assert_eq!(scale(&mut around, 2), 81);
    written(&mut around.both)[0] = 4;
    drop(around);
    assert_eq!(data, [0, 0, 4, 80]);
}
