//! Views that helpers return, methods among them, and views that blocks make for a `let`.

use amp::prelude::*;
use testkit::{assert_same, becomes, everywhere, gives, input, launch};

use super::faults::faults_in;

#[amp_fn]
fn rows_of(a: &ArrayView<i32, 2>, i: usize) -> ArrayView<'_, i32, 2> {
    let from = i * 2;
    a.section([from, 0], [2, a.extent()[1]])
}

/// Of what another returns, and without the lifetime.
#[amp_fn]
fn column_of(a: &ArrayView<i32, 2>, i: usize, j: usize) -> ArrayView<i32, 2> {
    let mine = rows_of(a, i);
    mine.section([0, j], [2, 1])
}

/// What another returns, as it is.
#[amp_fn]
fn first_column(a: &ArrayView<i32, 2>, i: usize) -> ArrayView<'_, i32, 2> {
    column_of(a, i, 0)
}

#[amp_kernel]
fn columns(idx: Index<2>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 2>) {
    let column = column_of(a, idx[0], idx[1]);
    let first = first_column(a, idx[0]);
    let whole = (rows_of(a, 1));
    out[idx] = column[[0, 0]] + column[[1, 0]] * 100 + first[[1, 0]] * 10_000 + whole[[0, 0]];
}

#[test]
fn sections_of_sections() {
    let a: Vec<i32> = (1..=12).collect();
    let at = |i: usize, j: usize| a[3 * i + j];
    let expected: Vec<i32> = (0..2)
        .flat_map(|i| {
            (0..3).map(move |j| {
                at(2 * i, j) + at(2 * i + 1, j) * 100 + at(2 * i + 1, 0) * 10_000 + at(2, 0)
            })
        })
        .collect();
    becomes([2, 3], &[0; 6], &expected, |view, out| {
        launch(view, [2, 3], columns(&ArrayView::new([4, 3], &a)?, out))
    });
}

/// Does something before it returns a part that can be written.
#[amp_fn]
fn own_part(c: &mut ArrayViewMut<i32, 1>, i: usize, count: &mut i32) -> ArrayViewMut<'_, i32, 1> {
    for k in 0..3 {
        if k == 1 {
            continue;
        }
        c[3 * i + k] += 5;
        *count += 1;
    }
    c.section(3 * i, 3)
}

#[amp_kernel]
fn written(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let mut count = 0;
    for _ in 0..2 {
        let mut part = own_part(c, idx[0], &mut count);
        part[1] += count;
        part.section(2, 1)[0] *= 2;
    }
    let mut last = {
        let at = 3 * idx[0] + 2;
        count += 1;
        c.section(at, 1)
    };
    last[0] += count;
}

#[test]
fn parts_that_are_written() {
    let each = [10, 2 + 4, (5 * 2 + 5) * 2 + 5];
    let expected: Vec<i32> = each.iter().cycle().take(9).copied().collect();
    becomes([9], &[0; 9], &expected, |view, c| {
        launch(view, 3, written(c))
    });
}

#[amp_module]
mod methods {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Matrix<'a> {
        pub cells: ArrayViewMut<'a, i32, 2>,
        pub first: usize,
    }

    impl Matrix<'_> {
        fn row(&self, i: usize) -> ArrayView<'_, i32, 1> {
            self.cells.row(self.first + i)
        }

        fn row_mut(&mut self, i: usize) -> ArrayViewMut<'_, i32, 1> {
            let row = self.first + i;
            self.cells.row(row)
        }

        fn sum(&self, i: usize) -> i32 {
            let row = self.row(i);
            let mut sum = 0;
            for j in 0..row.extent()[0] {
                sum += row[j];
            }
            sum
        }
    }

    #[amp_fn]
    fn tail(m: &Matrix, i: usize, from: usize) -> ArrayView<'_, i32, 1> {
        let row = m.row(i);
        row.section(from, m.cells.extent()[1] - from)
    }

    #[amp_kernel]
    pub fn sums(idx: Index<1>, m: &mut Matrix) {
        let sum = m.sum(idx[0]);
        let rest = tail(m, idx[0], 1);
        let second = rest[0];
        let mut row = m.row_mut(idx[0]);
        row[0] = sum;
        let row = Matrix::row(m, idx[0]);
        let first = row[0];
        m.row_mut_of(idx[0], first * 10 + second);
    }

    impl Matrix<'_> {
        fn row_mut_of(&mut self, i: usize, value: i32) {
            let mut row = self.row_mut(i);
            row[1] = value;
        }
    }
}

#[test]
fn methods_that_return_views() {
    everywhere(|view| {
        let mut cells: Vec<i32> = (1..=6).collect();
        let mut m = methods::Matrix {
            cells: ArrayViewMut::new([3, 2], &mut cells).unwrap(),
            first: 1,
        };
        launch(view, 2, methods::sums(&mut m)).unwrap();
        drop(m);
        assert_same(&cells, &[1, 2, 7, 74, 11, 116], &view.to_string());
    });
}

#[amp_fn]
fn window(a: &ArrayView<i32, 1>, i: usize) -> ArrayView<'_, i32, 1> {
    // After a failed assertion a thread goes on.
    assert!(i < 100, "{i}");
    a.section(i, 2) //~ past_the_end: a.section
}

#[amp_kernel]
fn past_the_end(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    let mine = window(a, idx[0] + 1);
    out[idx] = mine.extent()[0] as i32;
}

#[test]
fn a_fault_where_the_view_is_made() {
    let source = (file!(), include_str!("returned_views.rs"));
    let message = "section out of bounds: 2 elements from 1 on are not within the view";
    let what = ("past_the_end", [0].as_slice(), message);
    faults_in(source, what, &[9], &[0], |view, out| {
        launch(view, 1, past_the_end(&input(&[1, 2]), out))
    });
    gives(&[2], |view, out| {
        launch(view, 1, past_the_end(&input(&[1, 2, 3]), out))
    });
}
