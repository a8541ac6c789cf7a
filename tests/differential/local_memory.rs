//! The memory of a thread: local arrays up to the limit, and the stacks on which the CPU
//! accelerator has room for them however the kernel is compiled.

use std::thread;

use amp::prelude::*;
use testkit::{everywhere, gives, launch};

const LONG: usize = 8192;

/// Requires that launches leave `expected` in a view of zeroes, or that a device says that its
/// threads have no room for the arrays. Those of software have.
fn gives_or_is_refused(
    expected: &[u32],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, u32, 1>) -> amp::Result<()>,
) {
    everywhere(|view| {
        let mut data = vec![0; expected.len()];
        let mut out = ArrayViewMut::new(expected.len(), &mut data).unwrap();
        let result = launches(view, &mut out).and_then(|()| out.synchronize());
        drop(out);
        match result {
            Err(amp::Error::UnsupportedFeature(why)) if !view.accelerator().is_emulated() => {
                assert!(
                    why.contains("bytes of local arrays in each thread"),
                    "{why}"
                );
            }
            result => {
                result.unwrap_or_else(|error| panic!("{view}: {error}"));
                assert_eq!(data, expected, "{view}");
            }
        }
    });
}

#[amp_fn]
fn changed(mut x: [u32; LONG], k: usize) -> [u32; LONG] {
    x[k * 1000] += 7;
    x
}

#[amp_fn]
fn some(x: [u32; LONG], k: usize) -> u32 {
    x[k] + x[k * 1000] * 10 + x[LONG - 1] * 1000
}

#[amp_kernel]
fn by_value(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [idx[0] as u32; LONG];
    let y = changed(x, idx[0]);
    out[idx] = some(y, idx[0]);
}

#[amp_kernel]
fn by_value_in_tiles(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    let k = t_idx.global[0];
    let x = [k as u32; LONG];
    t_idx.barrier.wait();
    let y = changed(x, k);
    t_idx.barrier.wait();
    out[t_idx] = some(y, k);
}

#[test]
fn large_arrays_are_passed_by_value() {
    let expected: Vec<u32> = (0..8)
        .map(|k| {
            let changed = if k == 0 { k + 7 } else { k };
            changed + (k + 7) * 10 + k * 1000
        })
        .collect();
    gives_or_is_refused(&expected, |view, out| launch(view, 8, by_value(out)));
    gives_or_is_refused(&expected, |view, out| {
        launch(view, out.extent().tile::<4>(), by_value_in_tiles(out))
    });
}

/// The arrays of this function take all the memory of a thread.
#[amp_fn]
fn of_one_variable(k: usize) -> u32 {
    let mut x = [k as u32; 32_768];
    x[32_767] = 7;
    x[k] + x[32_767]
}

/// Half of it is the copy that the loop runs over.
#[amp_fn]
fn of_a_loop(k: usize) -> u32 {
    let x = [k as u32; 16_384];
    let mut sum = 0;
    for (i, v) in x.into_iter().enumerate() {
        sum += v + i as u32;
    }
    sum
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Rows {
    low: [u32; 2048],
    high: [[u32; 16]; 128],
}

#[amp_fn]
fn swapped(rows: Rows, k: usize) -> Rows {
    let mut high = [[k as u32; 16]; 128];
    high[3] = rows.high[k % 3];
    Rows {
        low: rows.low,
        high,
    }
}

#[amp_fn]
fn of_structs(k: usize) -> u32 {
    let rows = Rows {
        low: [k as u32; 2048],
        high: [[9; 16]; 128],
    };
    swapped(rows, k).low[k] + rows.high[k % 128][2]
}

#[amp_fn]
fn applied(f: impl Fn([u32; 8192]) -> u32, k: usize) -> u32 {
    f([k as u32; 8192])
}

#[amp_fn]
fn of_closures(k: usize) -> u32 {
    let by = [3; 8192];
    applied(|x| x[k] + by[k], k)
}

macro_rules! kernels {
    ($($name:ident: $plain:ident, $tiled:ident;)*) => {
        $(
            #[amp_kernel]
            fn $plain(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
                out[idx] = $name(idx[0]);
            }

            #[amp_kernel]
            fn $tiled(t_idx: TiledIndex<1, 16>, out: &mut ArrayViewMut<u32, 1>) {
                t_idx.barrier.wait();
                out[t_idx] = $name(t_idx.global[0]);
            }
        )*

        /// Runs all of them over so many threads.
        fn run_on_the_cpu(threads: usize) {
            let view = Accelerator::cpu().default_view().unwrap();
            let check = |name: &str, numbers: &[u32], expected: fn(usize) -> u32| {
                for (k, found) in numbers.iter().enumerate() {
                    assert_eq!(*found, expected(k), "{name} of {k}");
                }
            };
            $(
                let mut numbers = vec![0; threads];
                let mut out = ArrayViewMut::new(threads, &mut numbers).unwrap();
                view.parallel_for_each(threads, $plain(&mut out)).unwrap();
                drop(out);
                check(stringify!($plain), &numbers, |k| $name(k));
                let mut out = ArrayViewMut::new(threads, &mut numbers).unwrap();
                view.parallel_for_each(out.extent().tile::<16>(), $tiled(&mut out)).unwrap();
                drop(out);
                check(stringify!($tiled), &numbers, |k| $name(k));
            )*
        }
    };
}
kernels! {
    of_one_variable: one_variable, one_variable_in_tiles;
    of_a_loop: a_loop, a_loop_in_tiles;
    of_structs: structs, structs_in_tiles;
    of_closures: closures, closures_in_tiles;
}

#[test]
fn arrays_as_large_as_can_be_leave_room_on_the_stacks_of_the_cpu() {
    run_on_the_cpu(16);
    run_on_the_cpu(512);
}

/// What runs where it is launched needs no room there.
#[test]
fn large_arrays_do_not_overflow_the_stack_of_a_small_thread() {
    let small = thread::Builder::new().stack_size(192 << 10);
    let run = || {
        let mut numbers = [0; 16];
        let mut out = ArrayViewMut::new(16, &mut numbers).unwrap();
        let view = Accelerator::cpu().default_view().unwrap();
        view.parallel_for_each(16, one_variable(&mut out)).unwrap();
        drop(out);
        assert_eq!(numbers[5], 12);
    };
    small.spawn(run).unwrap().join().unwrap();
}

#[amp_kernel]
fn of_elements(idx: Index<1>, rows: &mut ArrayViewMut<Rows, 1>, out: &mut ArrayViewMut<u32, 1>) {
    rows[idx].low[1] = 5;
    for row in rows[idx].high {
        out[idx] += row[idx[0]];
    }
    out[idx] += swapped(rows[idx], 1).low[1];
}

#[test]
fn elements_with_large_arrays_leave_room_on_the_stack() {
    let before = Rows {
        low: [1; 2048],
        high: [[2; 16]; 128],
    };
    gives_or_is_refused(&[261; 4], |view, out| {
        let mut rows = [before; 4];
        let mut rows = ArrayViewMut::new(4, &mut rows)?;
        launch(view, 4, of_elements(&mut rows, out))
    });
}

#[amp_kernel]
fn generic<const N: usize>(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let x = [idx[0] as u32; N];
    let y = x;
    out[idx] = y[N - 1];
}

#[test]
fn arrays_of_generic_length_are_counted() {
    let expected: Vec<u32> = (0..16).collect();
    gives(&expected, |view, out| {
        launch(view, 16, generic::<4096>(out))?;
        match view.accelerator() == Accelerator::cpu() {
            true => launch(view, 16, generic::<16_384>(out)),
            false => Ok(()),
        }
    });
}
