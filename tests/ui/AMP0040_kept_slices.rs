//! Slices that cannot be kept.

use amp::prelude::*;

#[amp_struct]
struct Alone<'a> {
    part: &'a [f32],
}

#[amp_fn]
fn part(a: &[f32]) -> (&[f32], usize) {
    (&a[1..], a.len())
}

#[amp_module]
mod readers {
    pub struct Reader<'a> {
        pub data: &'a [u32],
        pub pos: usize,
    }

    impl<'a> Reader<'a> {
        pub fn new(data: &'a [u32]) -> Self {
            Reader { data, pos: 0 }
        }

        pub fn first(&self) -> u32 {
            self.data[0]
        }

    }
}

#[amp_module]
mod writers {
    pub struct Writer<'a> {
        out: &'a mut [u32],
    }
}

#[amp_module]
mod wrong {
    use amp::prelude::*;

    pub struct Reader<'a> {
        pub data: &'a [u32],
    }

    impl Reader<'_> {
        pub fn clear(&mut self) {
            self.data[0] = 0;
        }

        pub fn reset(&self) {
            self.data = &self.data[1..];
        }
    }

    pub fn of_view(view: &ArrayView<u32, 1>) -> u32 {
        let reader = Reader { data: &view[1..] };
        reader.data[0]
    }

    pub fn of_other(floats: &[f32; 4]) -> u32 {
        let reader = Reader { data: floats };
        reader.data[0]
    }

    pub fn of_scalar(x: u32) -> u32 {
        let reader = Reader { data: x };
        reader.data[0]
    }
}

#[amp_module]
mod copies {
    pub struct Reader<'a> {
        pub data: &'a [u32],
    }

    fn larger<'a>(a: &'a [u32; 2], b: &'a [u32; 2]) -> &'a [u32; 2] {
        if a[0] < b[0] { b } else { a }
    }

    pub fn chosen(x: u32) -> u32 {
        let (a, b) = ([x, 2], [3, 4]);
        let reader = Reader { data: larger(&a, &b) };
        reader.data[0]
    }

    pub fn twice(x: u32, i: usize) -> u32 {
        let a = [[[x, 2], [3, 4]]; 2];
        let reader = Reader { data: &a[i][i] };
        reader.data[0]
    }
}

use readers::Reader;

#[amp_kernel]
fn given(idx: Index<1>, reader: Reader<'_>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = reader.first();
}

#[amp_kernel]
fn elements(idx: Index<1>, all: &ArrayView<Reader<'_>, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = all[idx].first();
}

#[amp_kernel]
fn lent(idx: Index<1>, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let reader = Reader::new(&a[1..]);
    out[idx] = reader.first();
}

#[amp_kernel]
fn tiled(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 4];
    #[tile_static]
    let mut slices: [&[u32]; 4];
    shared[t_idx.local[0]] = 1;
    t_idx.barrier.wait();
    let reader = Reader::new(&shared);
    out[t_idx] = reader.first();
}

#[amp_kernel]
fn of_copies(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = copies::chosen(1) + copies::twice(1, 1);
}

fn main() {}
