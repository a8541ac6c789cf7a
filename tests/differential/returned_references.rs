//! Functions that return references, and indices of one's own types.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::prelude::*;
use testkit::{gives, input, launch, new_views, twice};

#[amp_module]
pub mod matrices {
    use std::ops::{AddAssign, Index, IndexMut, Mul};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Row {
        pub at: [i32; 3],
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Matrix {
        pub rows: [Row; 3],
    }

    #[derive(Clone, Copy)]
    pub struct Grid<const N: usize> {
        pub cells: [u32; N],
    }

    #[derive(Clone, Copy)]
    pub struct Point {
        pub x: i32,
        pub y: i32,
        pub z: i32,
        pub steps: u32,
    }

    impl Index<usize> for Row {
        type Output = i32;
        fn index(&self, i: usize) -> &Self::Output {
            &self.at[i]
        }
    }

    impl IndexMut<usize> for Row {
        fn index_mut(&mut self, i: usize) -> &mut Self::Output {
            &mut self.at[i]
        }
    }

    impl Index<usize> for Matrix {
        type Output = Row;
        fn index(&self, i: usize) -> &Row {
            &self.rows[i]
        }
    }

    impl IndexMut<usize> for Matrix {
        fn index_mut(&mut self, i: usize) -> &mut Row {
            &mut self.rows[i]
        }
    }

    impl Index<(usize, usize)> for Matrix {
        type Output = i32;
        fn index(&self, (row, column): (usize, usize)) -> &i32 {
            &self[row][column]
        }
    }

    impl IndexMut<(usize, usize)> for Matrix {
        fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut i32 {
            &mut self[row][column]
        }
    }

    impl AddAssign for Row {
        fn add_assign(&mut self, other: Row) {
            for i in 0..3 {
                self[i] += other[i];
            }
        }
    }

    impl Mul for Matrix {
        type Output = Matrix;
        fn mul(self, other: Matrix) -> Matrix {
            let mut product = Matrix {
                rows: [Row { at: [0; 3] }; 3],
            };
            for i in 0..3 {
                for j in 0..3 {
                    for k in 0..3 {
                        product[i][j] += self[i][k] * other[(k, j)];
                    }
                }
            }
            product
        }
    }

    impl<const N: usize> Index<u32> for Grid<N> {
        type Output = u32;
        fn index(&self, i: u32) -> &u32 {
            &self.cells[(i as usize * 7 + 1) % N]
        }
    }

    impl<const N: usize> IndexMut<u32> for Grid<N> {
        fn index_mut(&mut self, i: u32) -> &mut u32 {
            &mut self.cells[(i as usize * 7 + 1) % N]
        }
    }

    impl Index<usize> for Point {
        type Output = i32;
        fn index(&self, i: usize) -> &i32 {
            match i {
                0 => &self.x,
                1 => &self.y,
                2 => &self.z,
                _ => panic!("a point has no coordinate {i}"),
            }
        }
    }

    impl IndexMut<usize> for Point {
        fn index_mut(&mut self, i: usize) -> &mut i32 {
            match i {
                0 => &mut self.x,
                1 => &mut self.y,
                2 => &mut self.z,
                _ => panic!("a point has no coordinate {i}"),
            }
        }
    }

    impl Point {
        pub fn step(&mut self) -> &mut Self {
            self.steps += 1;
            self
        }

        pub fn larger(&self) -> &i32 {
            if self.x > self.y {
                return &self.x;
            }
            let z = self.z;
            { if z > self.y { &self.z } else { &self.y } }
        }

        pub fn next(&mut self, by: Option<u32>) -> &mut i32 {
            match by {
                Some(0) => return &mut self.x,
                Some(n) if n > 3 => &mut self.y,
                Some(n) => {
                    self.steps += n;
                    &mut self.step().z
                }
                None => self.next_of(1),
            }
        }

        fn next_of(&mut self, n: u32) -> &mut i32 {
            self.steps += n * 10;
            let at = self.steps as usize % 3;
            &mut self[at]
        }

        pub fn origin(&self) -> &i32 {
            if self.x > 3 { &self.x } else { &-7 }
        }
    }

    impl Matrix {
        pub fn row(&self, i: usize) -> &[i32] {
            &self.rows[i].at
        }

        pub fn part(&self, i: usize, from: usize) -> &[i32] {
            &self.row(i)[from..]
        }

        pub fn part_mut(&mut self, i: usize, from: usize) -> &mut [i32] {
            let row = &mut self.rows[i];
            row.at[2] += 1;
            &mut self.rows[i].at[from..]
        }

        pub fn whole(&self, i: usize) -> &[i32; 3] {
            &self.rows[i].at
        }
    }

    pub trait Corner {
        fn corner(&self) -> &i32;
        fn corner_mut(&mut self) -> &mut i32;
        fn above(&self) -> bool {
            *self.corner() > 4
        }
    }

    impl Corner for Matrix {
        fn corner(&self) -> &i32 {
            &self[(0, 0)]
        }
        fn corner_mut(&mut self) -> &mut i32 {
            &mut self[(0, 0)]
        }
    }

    impl Corner for Point {
        fn corner(&self) -> &i32 {
            self.larger()
        }
        fn corner_mut(&mut self) -> &mut i32 {
            self.next(None)
        }
    }

    pub fn raise<C: Corner>(corner: &mut C, by: i32) -> bool {
        *corner.corner_mut() += by;
        corner.above()
    }
}
use matrices::{Corner, Grid, Matrix, Point, Row, raise};

#[amp_fn]
fn matrix(x: i32) -> Matrix {
    let row = |at: i32| Row {
        at: [x % (at + 2), at - x, 2 * at + x],
    };
    Matrix {
        rows: [row(0), row(3), row(5)],
    }
}

#[amp_fn]
fn hash(m: &Matrix) -> i32 {
    let mut sum = 0;
    for i in 0..3 {
        for x in m.row(i) {
            sum = (sum * 31 + x) % 100_003;
        }
    }
    sum
}

#[amp_fn]
fn larger<'a, T: Scalar>(a: &'a T, b: &'a T) -> &'a T {
    if *a > *b { a } else { b }
}

#[amp_fn]
fn chosen<'a>(a: &'a mut i32, b: &'a mut i32, first: bool) -> &'a mut i32 {
    if first { a } else { b }
}

#[amp_fn]
fn half(a: &[i32]) -> &[i32] {
    &a[..a.len() / 2]
}

#[amp_fn]
fn half_mut(a: &mut [i32]) -> &mut [i32] {
    let middle = a.len() / 2;
    &mut a[middle..]
}

twice! {
    own_indices(x: i32) -> i32 = ((0..40).collect(),);
    {
        let mut m = matrix(x);
        let i = x as usize % 3;
        m[i][1] += 2;
        m[(1, i)] = m[0][i] * 3 - m[(2, 2)];
        m[2].at[i] -= 1;
        m[i] = m[1];
        let copy = m[i];
        m[0] += copy;
        let row = m[(i + 1) % 3];
        let r = &mut m[2];
        r[i] ^= row[0];
        r.at[0] += 5;
        let one = &m[1][i];
        let n = *one;
        let row = &mut m[0];
        row.at.iter_mut().for_each(|x| *x += n % 3);
        m[(2, 0)] <<= 1;
        let product = m * matrix(n % 7);
        hash(&product) + product[i].at[i] + raise(&mut m, n) as i32 + m[0][0]
    }
}

twice! {
    chosen_places(x: i32) -> i32 = ((0..40).collect(),);
    {
        let i = x as usize % 3;
        let mut p = Point { x, y: 20 - x, z: x * x % 11, steps: 0 };
        p[i] += 100;
        p[(i + 1) % 3] = p[i] - p[2];
        *p.next(Some(x as u32 % 5)) *= 3;
        let r = p.next(None);
        *r += 4;
        *r = *r * 2 + 1;
        let (mut a, mut b) = (x, 5);
        *chosen(&mut a, &mut b, i == 0) -= 9;
        let c = chosen(&mut a, &mut b, i == 1);
        let d = chosen(c, &mut p.z, x > 3);
        *d ^= 0x55;
        p.step().step().x += 1;
        *p.step().next(Some(2)) = p.steps as i32;
        let low = *larger(&a, &b) + larger(&2, &x) - p.origin();
        let above = raise(&mut p, 3);
        p[0] * 3 + p[1] * 5 + p[2] * 7 + p.steps as i32 + a * 11 + b * 13 + low + p.larger() + above as i32
    }
}

twice! {
    slices(x: i32) -> i32 = ((0..40).collect(),);
    {
        let i = x as usize % 3;
        let mut m = matrix(x);
        m.part_mut(i, 1)[0] = 7;
        m.part_mut(1, i)[0] += m[0][0];
        m.part_mut(2, 1).fill(x);
        m.part_mut(0, 0).reverse();
        for y in m.part_mut(i, i) {
            *y += 3;
        }
        let part = m.part(i, 1);
        let [a, b, c] = m.whole(1);
        let mut v = [x, 4, x * 2, 9, -x, 3, 8, 1];
        half_mut(&mut v)[1] += 10;
        half_mut(half_mut(&mut v)).swap(0, 1);
        let front = half(&v[1..]);
        let low: &[i32] = m.row(2);
        let most = match low {
            [first, .., last] if first > last => *first,
            [first, rest @ ..] => first + rest.len() as i32,
            [] => 0,
        };
        let middle: &[i32] = m.row(1);
        let last = middle.last().copied().unwrap_or(0);
        part.iter().sum::<i32>() + part.len() as i32 + a + b * c + m.part(2, i).iter().map(|x| x * 2).sum::<i32>()
            + front[0] * half(front).len() as i32 + v[7] * 3 + v[5] + hash(&m) + most + last
            + m.whole(0).iter().max().copied().unwrap_or(0) + m.row(0).contains(&3) as i32
    }
}

twice! {
    generic_types(x: u32) -> u32 = ((0..40).collect(),);
    {
        let mut g = Grid { cells: [x; 5] };
        g[x] += 3;
        g[x / 2] = g[x] * 2;
        let mut h = Grid { cells: [1_u32; 11] };
        h[g[x] % 20] ^= 6;
        let cell = &mut h[3];
        *cell += x;
        g[0] + g[1] * 3 + h[3] * 5 + h[x]
    }
}

#[amp_fn]
fn of_element(m: &Matrix, i: usize) -> i32 {
    let row = m.row(i);
    let first = &m[i][0];
    row[1] * first + m.part(i, 1).iter().sum::<i32>() + m.corner()
}

#[amp_fn]
fn change(m: &mut Matrix, i: usize) {
    m[i][1] += 7;
    m.part_mut(i, 1)[0] *= 2;
    m.part_mut(0, i).fill(i as i32);
    *m.corner_mut() -= m[1][i];
    m[2] = m[i];
}

#[amp_kernel]
fn elements(
    idx: Index<1>,
    from: &ArrayView<Matrix, 1>,
    n: &ArrayView<i32, 1>,
    to: &mut ArrayViewMut<Matrix, 1>,
    hashes: &mut ArrayViewMut<i32, 1>,
) {
    let i = idx[0] % 3;
    to[idx] = from[idx];
    to[idx][i][2] = of_element(&from[idx], i);
    to[idx][(1, i)] += half(&n[i..])[1] + from[idx].row(i)[0];
    change(&mut to[idx], i);
    for x in to[idx].part_mut(1, 0) {
        *x += 1;
    }
    to[idx].rows[1][i] ^= from[idx].part(2, 1).len() as i32;
    hashes[idx] = hash(&to[idx]);
}

#[test]
fn elements_of_views() {
    let n: Vec<i32> = (0..9).map(|x| x * x).collect();
    let from: Vec<Matrix> = (0..50).map(matrix).collect();
    let mut expected = from.clone();
    for (at, m) in expected.iter_mut().enumerate() {
        let i = at % 3;
        m[i][2] = of_element(&from[at], i);
        m[(1, i)] += half(&n[i..])[1] + from[at].row(i)[0];
        change(m, i);
        for x in m.part_mut(1, 0) {
            *x += 1;
        }
        m.rows[1][i] ^= from[at].part(2, 1).len() as i32;
    }
    let hashes: Vec<i32> = expected.iter().map(hash).collect();
    gives(&hashes, |view, out| {
        let mut to = from.clone();
        let mut to = ArrayViewMut::new(50, &mut to)?;
        launch(view, 50, elements(&input(&from), &input(&n), &mut to, out))
    });
}

#[amp_kernel]
fn tiles(t_idx: TiledIndex<1, 8>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut shared: [Matrix; 8];
    let i = t_idx.local[0];
    shared[i] = matrix(t_idx.global[0] as i32);
    shared[i][i % 3][1] += 5;
    t_idx.barrier.wait();
    let other = shared[7 - i];
    let mut sum = hash(&other) + shared[(i + 1) % 8].row(1)[i % 3] + shared[(i + 2) % 8][(1, 2)];
    t_idx.barrier.wait();
    shared[i].part_mut(0, 1).fill(sum);
    t_idx.barrier.wait();
    sum += shared[(i + 3) % 8].part(0, 1)[1];
    out[t_idx.global] = sum;
}

#[test]
fn elements_of_tiles() {
    let all: Vec<Matrix> = (0..16)
        .map(|x| {
            let mut m = matrix(x);
            m[x as usize % 8 % 3][1] += 5;
            m
        })
        .collect();
    let first = |tile: usize, i: usize| {
        let at = |i: usize| &all[tile * 8 + i];
        hash(at(7 - i)) + at((i + 1) % 8).row(1)[i % 3] + at((i + 2) % 8)[(1, 2)]
    };
    let expected: Vec<i32> = (0..16)
        .map(|x| first(x / 8, x % 8) + first(x / 8, (x % 8 + 3) % 8))
        .collect();
    gives(&expected, |view, out| {
        launch(view, amp::Extent::new([16]).tile::<8>(), tiles(out))
    });
}

#[amp_kernel]
fn coordinates(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let mut p = Point {
        x: 1,
        y: 2,
        z: 3,
        steps: 0,
    };
    p[idx[0] + 1] = 5;
    out[idx] = p[idx[0]] + p.x * 10 + p.y * 100 + p.z * 1000;
}

#[test]
fn a_panic_leaves_no_place() {
    for view in new_views() {
        let mut out = vec![0; 4];
        let mut result = ArrayViewMut::new(4, &mut out).unwrap();
        let fault = launch(&view, 4, coordinates(&mut result)).and_then(|()| result.synchronize());
        let fault = fault.unwrap_err().to_string();
        assert!(fault.contains("a point has no coordinate 3"), "{fault}");
        drop(result);
        assert_eq!(out, [3511, 5212, 3213, 3210]);
    }
}

#[amp_fn]
fn first_of<'a>(by: usize, values: &'a [u32]) -> &'a u32 {
    &values[by]
}

#[amp_kernel]
fn in_order(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut i = idx[0];
    // What is lent is made behind what the arguments before it do.
    let first = first_of(
        {
            i += 1;
            1
        },
        &a[i..],
    );
    out[idx] = *first;
}

#[test]
fn arguments_are_evaluated_in_order() {
    let values: Vec<u32> = (0..32).map(|x| x * 7 % 31).collect();
    gives(&values[2..], |view, out| {
        launch(view, out.extent(), in_order(&input(&values), out))
    });
}
