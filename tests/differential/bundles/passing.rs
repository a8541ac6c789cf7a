//! How structs with views reach a kernel and its helpers: borrowed, taken, copied, nested,
//! beside type parameters, in `kernel!`, and with more parts than fit into push constants.

use amp::prelude::*;
use amp::{Accelerator, QueuingMode};
use testkit::{assert_same, becomes, everywhere, input, launch};

use super::{Table, Work, look_up, numbers, store, table};

/// Three deep, as a tuple.
#[amp_struct]
struct Both<'a>(Work<'a>, Table<'a>, (u32, f32));

/// What only reads is passed by value as often as one likes.
#[amp_fn]
fn look_up_twice(t: Table, i: usize) -> i32 {
    look_up(&t, i) + look_up(&t, i + 1)
}

#[amp_kernel]
fn borrowed(idx: Index<1>, w: &mut Work, t: &Table, extra: i32) {
    let i = idx[0];
    store(w, i, look_up_twice(*t, i) + extra);
    w.out[w.from + idx] += look_up_twice(w.table, i);
}

#[amp_kernel]
fn taken(idx: Index<1>, mut w: Work<'_>, t: Table<'_>) {
    let i = idx[0];
    store(&mut w, i, look_up_twice(t, i) + 10);
    w.out[w.from + idx] += look_up_twice(w.table, i);
}

/// What both kernels leave in the six last of eight elements.
fn stored(a: &[i32], b: &[i32]) -> Vec<i32> {
    let at = |values: &[i32], i: usize| -values[2 * i];
    let both = |values: &[i32], i: usize| at(values, i) + at(values, i + 1);
    let mut expected = vec![1; 8];
    for i in 0..6 {
        expected[i + 2] = both(b, i) + 10 + at(a, i) + both(a, i);
    }
    expected
}

#[test]
fn borrowed_and_taken() {
    let (a, b) = (numbers(14), numbers(20));
    let expected = stored(&a, &b);
    everywhere(|view| {
        let mut data = vec![1; 8];
        let mut work = Work {
            table: table(&a),
            out: ArrayViewMut::new(8, &mut data).unwrap(),
            from: Index::new([2]),
        };
        launch(view, 6, borrowed(&mut work, &table(&b), 10)).unwrap();
        assert_same(&work.out.to_vec().unwrap(), &expected, &view.to_string());
        // The kernel's own views end with it, and bring back what it wrote.
        work.out[7] = 0;
        launch(view, 6, taken(work, table(&b))).unwrap();
        assert_same(&data, &expected, &view.to_string());
    });
}

#[amp_kernel]
fn deep(idx: Index<1>, b: &mut Both) {
    let i = idx[0];
    store(&mut b.0, i, look_up(&b.1, i) * b.2.0 as i32);
    let inner = look_up(&(b.0).table, i) + b.0.table.values.extent()[0] as i32;
    (*b).0.out[b.0.from + i] += inner + b.2.1 as i32;
}

#[test]
fn three_deep() {
    let (a, b) = (numbers(14), numbers(20));
    let expected: Vec<i32> = (0..7)
        .map(|i| -b[2 * i] * 3 - a[2 * i] - a[2 * i] + 14 + 2)
        .collect();
    everywhere(|view| {
        let mut data = vec![0; 7];
        let work = Work {
            table: table(&a),
            out: ArrayViewMut::new(7, &mut data).unwrap(),
            from: Index::new([0]),
        };
        let mut both = Both(work, table(&b), (3, 2.5));
        launch(view, 7, deep(&mut both)).unwrap();
        drop(both);
        assert_same(&data, &expected, &view.to_string());
    });
}

#[amp_struct]
struct Offsets<'a> {
    of: ArrayView<'a, u32, 1>,
}

#[amp_kernel(T = f32 | i32)]
fn scale<T: Scalar, const N: usize>(
    idx: Index<1>,
    b: &Offsets,
    out: &mut ArrayViewMut<T, 1>,
    by: T,
) {
    out[idx] = out[idx] * by + T::from_u32(b.of[idx] + N as u32);
}

#[test]
fn generic_kernels() {
    let of = [1, 2, 3];
    becomes([3], &[1, 2, 3], &[10, 13, 16], |view, out| {
        launch(
            view,
            3,
            scale::<i32, 7>(&Offsets { of: input(&of) }, out, 2),
        )
    });
    becomes([3], &[1.0, 2.0, 3.0], &[4.5, 6.0, 7.5], |view, out| {
        launch(
            view,
            3,
            scale::<f32, 3>(&Offsets { of: input(&of) }, out, 0.5),
        )
    });
}

/// So many arguments that they do not fit into push constants.
#[amp_struct]
struct Many<'a> {
    a: ArrayView<'a, i32, 3>,
    b: ArrayView<'a, i32, 4>,
    c: [u32; 9],
    d: ArrayViewMut<'a, i32, 2>,
    e: Index<2>,
    f: (bool, u8, i64),
}

#[amp_kernel]
fn many(idx: Index<2>, before: u32, m: &mut Many, after: u32) {
    let [i, j] = [idx[0], idx[1]];
    let flag = if m.f.0 { 1000 } else { 0 };
    m.d[m.e + idx] = m.a[[i, j, 1]]
        + m.b[[0, i, j, 0]] * 10
        + m.c[i + 7] as i32 * 100
        + flag
        + m.f.1 as i32
        + m.f.2 as i32
        + (before * after) as i32;
}

#[test]
fn many_parts() {
    let (a, b) = (numbers(8), numbers(8));
    let c = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    everywhere(|view| {
        let mut d = vec![0; 9];
        let mut m = Many {
            a: ArrayView::new([2, 2, 2], &a).unwrap(),
            b: ArrayView::new([2, 2, 2, 1], &b).unwrap(),
            c,
            d: ArrayViewMut::new([3, 3], &mut d).unwrap(),
            e: Index::new([1, 0]),
            f: (true, 200, -3),
        };
        launch(view, [2, 2], many(3, &mut m, 5)).unwrap();
        drop(m);
        let mut expected = vec![0; 9];
        for i in 0..2 {
            for j in 0..2 {
                let (x, y) = (a[4 * i + 2 * j + 1], b[2 * i + j]);
                let z = c[i + 7] as i32 * 100;
                expected[3 * (i + 1) + j] = x + y * 10 + z + 1000 + 200 - 3 + 15;
            }
        }
        assert_same(&d, &expected, &view.to_string());
    });
}

#[test]
fn a_kernel_in_an_expression() {
    let a = numbers(6);
    everywhere(|view| {
        let mut data = vec![0; 3];
        let mut work = Work {
            table: table(&a),
            out: ArrayViewMut::new(3, &mut data).unwrap(),
            from: Index::new([0]),
        };
        let add = 4;
        let kernel = kernel!(|idx: Index<1>| [work: &mut Work, add: i32] {
            store(work, idx[0], add);
        });
        launch(view, 3, kernel).unwrap();
        let borrowed = &mut work;
        let kernel = kernel!(|idx: Index<1>| [borrowed: &mut Work] {
            borrowed.out[idx] *= 2;
        });
        launch(view, 3, kernel).unwrap();
        drop(work);
        let expected = [0, 1, 2].map(|i| (4 - a[2 * i]) * 2);
        assert_same(&data, &expected, &view.to_string());
    });
}

#[amp_kernel]
fn filled(idx: Index<1>, w: &mut Work) {
    w.out[idx] = w.table.values[idx];
}

#[test]
fn arrays_in_a_struct_choose_where_a_kernel_runs() {
    let a = numbers(8);
    let b: Vec<i32> = a.iter().map(|x| x + 1).collect();
    for accelerator in Accelerator::all() {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let array = Array::builder(8).on(&view).data(&a).build().unwrap();
        let mut out = Array::<i32, 1>::builder(8).on(&view).build().unwrap();
        let other = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let elsewhere = Array::builder(8).on(&other).data(&b).build().unwrap();
        let mut work = Work {
            table: Table {
                values: array.view(),
                stride: 1,
                is_negated: false,
            },
            out: out.view_mut(),
            from: Index::new([0]),
        };
        parallel_for_each(Extent::new([8]), filled(&mut work)).unwrap();
        // A view of an array goes where the kernel runs.
        work.table.values = elsewhere.view();
        view.parallel_for_each(Extent::new([8]), filled(&mut work))
            .unwrap();
        drop(work);
        assert_eq!(out.to_vec().unwrap(), b, "{view}");
    }
}
