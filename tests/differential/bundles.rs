//! Structs with views: borrowed, taken, nested, passed on, with methods, and with views made
//! from their views.

use amp::prelude::*;
use amp::{Accelerator, QueuingMode};
use amp_tests::{assert_same, becomes, everywhere, gives, input, launch};
use glam::Vec3;

use super::faults::faults_in;

/// Read only, so it may be copied.
#[amp_struct]
struct Table<'a> {
    values: ArrayView<'a, i32, 1>,
    stride: usize,
    is_negated: bool,
}

/// A view that is written, beside a struct of others.
#[amp_struct]
struct Work<'a> {
    table: Table<'a>,
    out: ArrayViewMut<'a, i32, 1>,
    from: Index<1>,
}

/// Three deep, as a tuple.
#[amp_struct]
struct Both<'a>(Work<'a>, Table<'a>, (u32, f32));

fn table(values: &[i32]) -> Table<'_> {
    Table {
        values: input(values),
        stride: 2,
        is_negated: true,
    }
}

fn numbers(count: i32) -> Vec<i32> {
    (0..count).map(|i| i * i - 7 * i + 3).collect()
}

#[amp_fn]
fn look_up(t: &Table, i: usize) -> i32 {
    let value = t.values[i * t.stride];
    if t.is_negated { -value } else { value }
}

/// What only reads is passed by value as often as one likes.
#[amp_fn]
fn look_up_twice(t: Table, i: usize) -> i32 {
    look_up(&t, i) + look_up(&t, i + 1)
}

#[amp_fn]
fn store(w: &mut Work, i: usize, value: i32) {
    w.out[w.from + i] = value + look_up(&w.table, i);
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

/// A block of a matrix, and what is made from its views.
#[amp_struct]
struct Blocks<'a> {
    of: ArrayView<'a, i32, 2>,
    sums: ArrayViewMut<'a, i32, 2>,
    bits: ArrayView<'a, f32, 1>,
}

#[amp_fn]
fn weighted(a: &ArrayView<i32, 1>) -> i32 {
    let mut sum = 0;
    for i in 0..a.extent()[0] {
        sum = sum * 3 + a[i];
    }
    sum
}

#[amp_fn]
fn set(row: &mut ArrayViewMut<i32, 1>, at: usize, value: i32) {
    row[at] = value;
}

/// Reads a view that could be written.
#[amp_fn]
fn read_back(b: &Blocks, i: usize) -> i32 {
    let row = b.sums.row(i);
    weighted(&row) + weighted(&b.sums.row(i).section(0, 1)) + b.sums[[i, 0]]
}

#[amp_kernel]
fn blocks(idx: Index<1>, b: &mut Blocks) {
    let i = idx[0];
    let block = b.of.section([i, 1], [2, 2]);
    let sum = weighted(&block.row(0)) + 10 * weighted(&block.row(1));
    set(&mut b.sums.row(i), 0, sum);
    let bits = b.bits.reinterpret::<u32>();
    let mut row = b.sums.row(i);
    let mut rest = row.section(1, 2);
    rest[0] = bits[i] as i32;
    rest[1] = 5;
    let read = read_back(b, i);
    b.sums.section([i, 2], [1, 1])[[0, 0]] = read;
}

#[test]
fn views_made_from_fields() {
    let of = numbers(16);
    let bits = [1.5f32, -2.0, 0.25];
    let expected: Vec<i32> = (0..3)
        .flat_map(|i| {
            let at = |row: usize, column: usize| of[4 * row + column];
            let of_row = |row| at(row, 1) * 3 + at(row, 2);
            let sum = of_row(i) + 10 * of_row(i + 1);
            let second = bits[i].to_bits() as i32;
            let all = sum
                .wrapping_mul(3)
                .wrapping_add(second)
                .wrapping_mul(3)
                .wrapping_add(5);
            [sum, second, all.wrapping_add(sum).wrapping_add(sum)]
        })
        .collect();
    everywhere(|view| {
        let mut data = vec![0; 9];
        let mut b = Blocks {
            of: ArrayView::new([4, 4], &of).unwrap(),
            sums: ArrayViewMut::new([3, 3], &mut data).unwrap(),
            bits: input(&bits),
        };
        launch(view, 3, blocks(&mut b)).unwrap();
        drop(b);
        assert_same(&data, &expected, &view.to_string());
    });
}

/// Methods see the views of `self`, by reference and by value.
#[amp_module]
mod methods {
    use amp::prelude::*;
    use glam::Vec3;

    #[amp_struct]
    pub struct Cloud<'a> {
        pub at: ArrayView<'a, Vec3, 1>,
        pub speed: ArrayViewMut<'a, Vec3, 1>,
        pub pull: f32,
    }

    #[amp_struct]
    pub struct Line<'a> {
        pub of: ArrayView<'a, f32, 2>,
    }

    pub trait Summed {
        fn sum(&self, i: usize) -> f32;

        fn twice(&self, i: usize) -> f32 {
            self.sum(i) + self.sum(i)
        }
    }

    impl Summed for Line<'_> {
        fn sum(&self, i: usize) -> f32 {
            let row = self.of.row(i);
            let mut sum = 0.0;
            for j in 0..row.extent()[0] {
                sum += row[j];
            }
            sum
        }
    }

    impl Line<'_> {
        const SCALE: f32 = 2.0;

        fn scaled(self, i: usize, by: f32) -> f32 {
            self.twice(i) * by * Self::SCALE
        }

        fn first_of(a: &Self, b: &Line<'_>) -> f32 {
            a.of[[0, 0]] + b.of[[0, 1]]
        }
    }

    impl Cloud<'_> {
        fn force(&self, i: usize) -> Vec3 {
            let mut sum = Vec3::ZERO;
            let others = self.at.section(0, i + 1);
            for j in 0..others.extent()[0] {
                sum += (others[j] - self.at[i]) * self.pull;
            }
            sum
        }

        fn push(&mut self, i: usize, time: f32) {
            let force = self.force(i);
            let mut own = self.speed.section(i, 1);
            own[0] += force * time;
        }
    }

    #[amp_kernel]
    pub fn advance(idx: Index<1>, cloud: &mut Cloud, time: f32) {
        cloud.push(idx[0], time);
        cloud.push(idx[0], time * 2.0);
    }

    #[amp_kernel]
    pub fn sums(idx: Index<1>, line: &Line, out: &mut ArrayViewMut<f32, 1>) {
        let i = idx[0];
        out[i] = line.sum(i) + line.scaled(i, 0.5) + Line::first_of(line, line);
    }
}

#[test]
fn methods_of_structs_with_views() {
    let at: Vec<Vec3> = (0..5)
        .map(|i| Vec3::new(i as f32, 1.0, -0.5 * i as f32))
        .collect();
    let expected: Vec<Vec3> = (0..5)
        .map(|i| {
            let mut speed = Vec3::ONE;
            for time in [0.25, 0.5] {
                let mut force = Vec3::ZERO;
                for other in &at[..=i] {
                    force += (*other - at[i]) * 0.5;
                }
                speed += force * time;
            }
            speed
        })
        .collect();
    everywhere(|view| {
        let mut speed = vec![Vec3::ONE; 5];
        let mut cloud = methods::Cloud {
            at: input(&at),
            speed: ArrayViewMut::new(5, &mut speed).unwrap(),
            pull: 0.5,
        };
        launch(view, 5, methods::advance(&mut cloud, 0.25)).unwrap();
        drop(cloud);
        assert_eq!(speed, expected, "{view}");
    });
    let line = [1.0, 2.0, 3.0, 4.0f32];
    gives(&[3.0 + 6.0 + 3.0, 7.0 + 14.0 + 3.0], |view, out| {
        let line = methods::Line {
            of: ArrayView::new([2, 2], &line)?,
        };
        launch(view, 2, methods::sums(&line, out))
    });
}

/// Closures, generic helpers, loops and atomics around a field; a tile that works on it.
#[amp_struct]
struct Bins<'a> {
    counts: ArrayViewMut<'a, u32, 1>,
    of: ArrayView<'a, u32, 1>,
    width: u32,
}

#[amp_fn]
fn count(t_idx: TiledIndex<1, 4>, bins: &mut Bins) {
    #[tile_static]
    let mut own: [u32; 4];
    let local = t_idx.local[0];
    own[local] = bins.of[t_idx.global] / bins.width;
    t_idx.barrier.wait();
    let bin = own[3 - local] as usize;
    atomic_fetch_add(&mut bins.counts[bin], 1);
    t_idx.barrier.wait();
}

#[amp_kernel]
fn tally(t_idx: TiledIndex<1, 4>, bins: &mut Bins) {
    count(t_idx, bins);
    let wide = |i: usize| bins.of[i] / (bins.width * 2);
    let bin = wide(t_idx.global[0]) as usize;
    for _ in 0..2 {
        atomic_fetch_add(&mut bins.counts[bin], 10);
    }
}

#[test]
fn tiles_atomics_and_closures() {
    let of: Vec<u32> = (0..12).map(|i| i * 5 % 12).collect();
    let mut expected = vec![0; 4];
    for value in &of {
        expected[*value as usize / 3] += 1;
        expected[*value as usize / 6] += 20;
    }
    everywhere(|view| {
        let mut counts = vec![0; 4];
        let mut bins = Bins {
            counts: ArrayViewMut::new(4, &mut counts).unwrap(),
            of: input(&of),
            width: 3,
        };
        launch(view, Extent::new([12]).tile::<4>(), tally(&mut bins)).unwrap();
        drop(bins);
        assert_same(&counts, &expected, &view.to_string());
    });
}

#[amp_kernel(T = f32 | i32)]
fn scale<T: Scalar, const N: usize>(idx: Index<1>, b: &Bins2, out: &mut ArrayViewMut<T, 1>, by: T) {
    out[idx] = out[idx] * by + T::from_u32(b.of[idx] + N as u32);
}

#[amp_struct]
struct Bins2<'a> {
    of: ArrayView<'a, u32, 1>,
}

#[test]
fn generic_kernels() {
    let of = [1, 2, 3];
    becomes([3], &[1, 2, 3], &[10, 13, 16], |view, out| {
        launch(view, 3, scale::<i32, 7>(&Bins2 { of: input(&of) }, out, 2))
    });
    becomes([3], &[1.0, 2.0, 3.0], &[4.5, 6.0, 7.5], |view, out| {
        launch(
            view,
            3,
            scale::<f32, 3>(&Bins2 { of: input(&of) }, out, 0.5),
        )
    });
}

#[amp_fn]
fn third(t: &Table) -> i32 {
    t.values[2] //~ outside: t.values
}

#[amp_kernel]
fn outside(idx: Index<1>, t: &Table, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = third(t) + 1;
}

#[amp_kernel]
fn too_long(idx: Index<1>, t: &Table, out: &mut ArrayViewMut<i32, 1>) {
    let part = t.values.section(1, 2); //~ too_long: t.values
    out[idx] = part.extent()[0] as i32;
}

#[test]
fn faults_in_fields() {
    let source = (file!(), include_str!("bundles.rs"));
    let a = numbers(2);
    let what = (
        "outside",
        [0].as_slice(),
        "index out of bounds: the extent is 2 but the index is 2",
    );
    faults_in(source, what, &[9; 1], &[1], |view, out| {
        launch(view, 1, outside(&table(&a), out))
    });
    let what = ("too_long", [0].as_slice(), SECTION);
    faults_in(source, what, &[9; 1], &[0], |view, out| {
        launch(view, 1, too_long(&table(&a), out))
    });
}

const SECTION: &str = "section out of bounds: 2 elements from 1 on are not within the view";

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
