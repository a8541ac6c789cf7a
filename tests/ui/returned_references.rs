use amp::prelude::*;

#[amp_module]
mod types {
    use std::ops::{Index, IndexMut};

    pub struct Row {
        pub at: [f32; 4],
    }

    pub struct Grid {
        pub rows: [[f32; 4]; 2],
        pub named: [f32; 4],
    }

    impl Index<usize> for Row {
        type Output = f32;
        fn index(&self, i: usize) -> &f32 {
            &self.at[i]
        }
    }

    impl Index<usize> for Grid {
        type Output = [f32; 4];
        fn index(&self, i: usize) -> &[f32; 4] {
            println!("row {i}");
            &self.rows[i]
        }
    }

    impl IndexMut<usize> for Grid {
        fn index_mut(&mut self, i: usize) -> &mut [f32; 4] {
            &mut self.rows[i]
        }
    }

    impl Row {
        pub fn first(&mut self) -> &mut f32 {
            &mut self.at[0]
        }

        pub fn all(&self) -> &[f32] {
            &self.at
        }
    }

    pub fn not_to_write(mut row: Row) {
        row[0] = 1.0; //~ AMP0019
    }

    pub fn not_by_floats(row: &Row) -> f32 {
        row[0.5] + row[0..2][0] //~ AMP0013
    }

    pub fn visited(mut grid: Grid) -> f32 {
        for x in grid[0].iter_mut().skip(1) {
            *x = 0.0; //~ AMP0040
        }
        grid[1].iter().sum::<f32>() //~ AMP0040
    }
}
use types::Row;

#[amp_struct]
struct Views<'a> {
    values: ArrayView<'a, f32, 1>,
}

#[amp_struct]
struct Plain {
    x: f32,
}

#[amp_fn]
fn not_indexed(plain: Plain) -> f32 {
    plain[0] //~ AMP0013
}

#[amp_fn]
fn one_of_two<'a>(a: &'a [f32], b: &'a [f32], first: bool) -> &'a [f32] {
    if first { a } else { b } //~ AMP0040
}

#[amp_fn]
fn or_a_panic(a: &[f32; 4], i: usize) -> &[f32] {
    if i > 4 { //~ AMP0040
        panic!("no part");
    }
    &a[i..]
}

#[amp_fn]
fn of_a_loop(a: &[f32; 4]) -> &f32 {
    for x in a.iter() {
        if *x > 1.0 {
            return x; //~ AMP0040
        }
    }
    &a[0]
}

#[amp_fn]
fn of_a_view<'a>(views: &'a Views, i: usize) -> &'a f32 {
    &views.values[i] //~ AMP0040
}

#[amp_fn]
fn of_a_variable(a: &f32) -> &f32 {
    let b = *a;
    &b
}

#[amp_fn]
fn first(a: &[f32; 4]) -> &f32 {
    &a[0]
}

#[amp_fn]
fn other_types(a: &[f32; 4]) -> f32 {
    *first(a) = 1.0; //~ AMP0019
    let pair = (first(a), 1.0); //~ AMP0040
    let value: f32 = first(a); //~ AMP0009
    value + pair.1
}

#[amp_fn]
fn a_value(a: &[f32; 4]) -> &f32 {
    a[0] //~ AMP0009
}

#[amp_fn]
fn waits<'a>(t_idx: TiledIndex<1, 8>, a: &'a f32) -> &'a f32 { //~ AMP0029
    t_idx.barrier.wait();
    a
}

#[amp_fn]
fn named(row: &Row) -> f32 {
    match row.all() { //~ AMP0014
        [x, ..] => *x,
        [] => 0.0,
    }
}

#[amp_kernel]
fn elements(t_idx: TiledIndex<1, 8>, rows: &mut ArrayViewMut<Row, 1>, out: &mut ArrayViewMut<f32, 1>) {
    let first = rows[t_idx.global].first(); //~ AMP0040
    *first = 1.0;
    let all = rows[t_idx.global].all(); //~ AMP0040
    for x in rows[t_idx.global].all() { //~ AMP0040
        t_idx.barrier.wait();
        out[t_idx.global] = *x;
    }
    atomic_fetch_add(rows[t_idx.global].first(), 1.0); //~ AMP0027
}

#[amp_kernel]
fn returns(idx: Index<1>, a: &mut ArrayViewMut<f32, 1>) -> &f32 { //~ AMP0005
    &1.0
}

fn main() {}
