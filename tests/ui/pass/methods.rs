//! Methods beside others of their names: what Rust calls is what the kernel calls.
#![deny(warnings)]

use amp::prelude::*;
use items::{Convert, Get, Numbers, generic, pair};

#[amp_module]
mod items {
    use amp::prelude::*;

    pub trait Get {
        fn get(&self, i: usize) -> u32;

        fn with<S: Scalar>(&self, s: S, f: impl Fn(S) -> S) -> S;
    }

    pub trait Convert<T> {
        fn convert(&self, x: T) -> T;
    }

    pub struct Pair<T> {
        pub one: T,
        pub others: [T; 2],
    }

    impl<T: Scalar> Get for Pair<T> {
        fn get(&self, i: usize) -> u32 {
            i as u32
        }

        fn with<S: Scalar>(&self, s: S, f: impl Fn(S) -> S) -> S {
            f(s)
        }
    }

    impl<T: Scalar> Convert<T> for Pair<u32> {
        fn convert(&self, x: T) -> T {
            x
        }
    }

    pub fn pair() -> Pair<u32> {
        Pair {
            one: 1,
            others: [2, 3],
        }
    }

    pub fn generic<G: Get + Copy>(one: G, other: &G) -> u32 {
        let sum = one.get(1) + other.get(2) + one.with(3_u32, |x| x + 1);
        sum + G::get(&one, 3) + Get::get(other, 4)
    }

    pub struct Numbers<'a> {
        pub data: ArrayViewMut<'a, u32, 1>,
    }

    impl Numbers<'_> {
        pub fn number(&self, i: usize) -> u32 {
            self.data[i]
        }

        pub fn put(&mut self, i: usize, x: u32) {
            self.data[i] = x;
        }

        pub fn first(n: u32) -> u32 {
            n
        }
    }
}

mod of_types_that_have_no_name_here {
    mod outer {
        #[amp::amp_module]
        mod inner {
            use amp::prelude::*;

            pub enum Kind {
                Small,
                Large,
            }

            impl Kind {
                pub fn number(self) -> u32 {
                    match self {
                        Kind::Small => 1,
                        Kind::Large => 2,
                    }
                }
            }

            pub struct Row<T, const N: usize> {
                pub cells: [T; N],
            }

            impl<T: Scalar, const N: usize> Row<T, N> {
                pub fn at(&self, i: usize) -> T {
                    self.cells[i]
                }

                pub fn kind(&self) -> Kind {
                    if N > 4 { Kind::Large } else { Kind::Small }
                }
            }

            pub fn row() -> Row<u32, 2> {
                Row { cells: [1, 2] }
            }
        }

        pub use inner::row;
    }

    use amp::prelude::*;
    use outer::row;

    #[amp_kernel]
    pub fn k(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
        let (one, rows) = (row(), [row(), row()]);
        o[idx] = one.at(0) + rows[1].at(1) + one.kind().number();
    }
}

/// Takes references where built-in methods take values.
trait Mine {
    fn abs(&self) -> f32;
}

impl Mine for f32 {
    fn abs(&self) -> f32 {
        1.0
    }
}

/// Everything has it, after its own methods.
trait OfAll {
    fn sqrt(&self) -> u32 {
        1
    }

    fn describe(&self) -> u32 {
        2
    }
}

impl<T> OfAll for T {}

#[amp_kernel]
fn values(idx: Index<1>, o: &mut ArrayViewMut<u32, 1>) {
    let pair = pair();
    let mut sum = pair.get(1) + pair.with(2_u32, |x| x * 2) + pair.convert(3_u32);
    sum += pair.convert(2.0_f32) as u32 + pair.clone().one + pair.others.len() as u32;
    sum += generic(pair, &pair) + (-1.5_f32).abs().sqrt() as u32;
    for x in pair.others.iter() {
        sum += x;
    }
    for (n, x) in pair.others.iter().enumerate().rev() {
        sum += *x + n as u32;
    }
    for x in pair.others.iter().copied() {
        sum += x;
    }
    for (n, x) in pair.others.into_iter().enumerate() {
        sum += x + n as u32;
    }
    let mut others = pair.others;
    for x in others.iter_mut() {
        *x += 1;
    }
    for n in (0..10_u32).rev().step_by(2) {
        sum += n;
    }
    for n in (0..=3).rev() {
        sum += n;
    }
    let wide: u64 = sum.into();
    let extent = o.extent();
    sum += extent.size() as u32 + extent.contains(idx) as u32 + wide as u32 + others[0];
    sum += o.section(0, 1).extent()[0] as u32 + idx.to_array()[0].min(3).max(1) as u32;
    o[idx] = sum;
}

#[amp_kernel]
fn views(t: TiledIndex<1, 2>, a: &ArrayView<f32, 2>, mut n: Numbers<'_>) {
    t.barrier.wait();
    let row = a.row(0);
    let part = a.section([0, 0], [1, 1]);
    let sum = row[0] + part[[0, 0]] + a.row(0).extent()[0] as f32;
    n.put(0, sum as u32 + Numbers::first(1));
    n.data[t.global] = n.number(0);
    t.barrier.wait_with_all_memory_fence();
}

#[amp_fn]
fn references(x: &f32, y: &mut f32, v: &ArrayView<f32, 1>) -> f32 {
    *y += x.ceil();
    y.max(1.0) + x.floor() + v.extent()[0] as f32
}

fn main() -> amp::Result<()> {
    let (mut data, mut others) = ([0; 2], [0; 2]);
    let mut o = ArrayViewMut::new(2, &mut data)?;
    let a = ArrayView::new([1, 2], &[1.0, 2.0])?;
    parallel_for_each(2, values(&mut o))?;
    parallel_for_each(2, of_types_that_have_no_name_here::k(&mut o))?;
    let data = ArrayViewMut::new(2, &mut others)?;
    parallel_for_each(Extent::new([2]).tile::<2>(), views(&a, Numbers { data }))?;
    let sum = references(&1.0, &mut 2.0, &ArrayView::new(1, &[1.0])?);
    assert_eq!(sum + Mine::abs(&2.0), 6.0);
    assert_eq!(4_u8.describe() + "".sqrt(), 3);
    Ok(())
}
