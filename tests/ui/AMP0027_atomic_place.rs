//! Atomic operations on what is no integer that several threads share.

use amp::prelude::*;

#[amp_kernel]
fn by_value(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_inc(counts[idx]);
}

#[amp_kernel]
fn by_shared_reference(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    atomic_fetch_add(&counts[idx], 2);
}

#[amp_kernel]
fn of_one_thread(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    let mut count = [0, 0];
    atomic_fetch_add(&mut count[1], counts[idx]);
    counts[idx] = count[1];
}

#[amp_kernel]
fn of_floats(idx: Index<1>, sums: &mut ArrayViewMut<f32, 1>) {
    atomic_fetch_max(&mut sums[0], idx[0] as f32);
}

#[amp_kernel]
fn of_floats_of_a_tile(t_idx: TiledIndex<1, 4>, sums: &mut ArrayViewMut<f64, 1>) {
    #[tile_static]
    let mut bits: f64;
    bits = 0.0;
    t_idx.barrier.wait();
    atomic_fetch_or(&mut bits, sums[t_idx]);
    t_idx.barrier.wait();
    sums[t_idx] = bits;
}

#[amp_kernel]
fn of_few_bits(idx: Index<1>, counts: &mut ArrayViewMut<u16, 1>) {
    atomic_fetch_inc(&mut counts[idx]);
}

#[amp_kernel]
fn of_sizes(t_idx: TiledIndex<1, 4>, counts: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut count: usize;
    atomic_store(&mut count, 0);
    counts[t_idx] = 0;
}

#[amp_fn]
fn count(place: &mut u32) {
    atomic_fetch_inc(place);
}

#[amp_kernel]
fn of_one_thread_by_reference(idx: Index<1>, counts: &mut ArrayViewMut<u32, 1>) {
    let mut mine = 0;
    count(&mut mine);
    counts[idx] = mine;
}

#[amp_fn]
fn of_a_reference_that_reads(place: &u32) -> u32 {
    atomic_load(place)
}

#[amp_module]
mod methods {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Counter {
        pub count: u32,
    }

    impl Counter {
        pub fn up(&mut self) {
            atomic_fetch_inc(&mut self.count);
        }
    }
}

#[amp_kernel]
fn of_an_array(t_idx: TiledIndex<1, 4>, sums: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 4];
    atomic_store(&mut shared, 1);
    sums[t_idx] = 0;
}

#[amp_kernel]
fn expects_a_value(idx: Index<1>, locks: &mut ArrayViewMut<u32, 1>) {
    while !atomic_compare_exchange(&mut locks[idx], 0, 1) {}
}

#[amp_kernel]
fn expects_what_others_see(t_idx: TiledIndex<1, 4>, locks: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut expected: u32;
    expected = 0;
    t_idx.barrier.wait();
    atomic_compare_exchange(&mut locks[t_idx], &mut expected, 1);
}

#[amp_fn]
fn greatest<T: amp::Atomic>(place: &mut T, value: T) -> T {
    atomic_fetch_max(place, value)
}

#[amp_fn]
fn sum<T: Scalar>(place: &mut T, value: T) -> T {
    atomic_fetch_add(place, value)
}

fn main() {}
