//! Many host threads on one accelerator view and on several.
//!
//! `tests/tsan/run.sh -p amp-tests --test device` has ThreadSanitizer look at what one thread
//! sees of another's memory.

use std::thread;

use amp::prelude::*;
use amp::profile::Profile;
use amp::{
    Accelerator, AcceleratorView, ArrayBuilder, CompletionFuture, Error, Graph, KernelPrint,
    QueuingMode, Variant,
};
use testkit::{accelerators, assert_silent, launch, new_views};

const _: () = {
    const fn may_be_used_by_any_thread<T: Send + Sync>() {}
    may_be_used_by_any_thread::<Accelerator>();
    may_be_used_by_any_thread::<AcceleratorView>();
    may_be_used_by_any_thread::<Array<f32, 2>>();
    may_be_used_by_any_thread::<ArrayBuilder<'_, f32, 2>>();
    may_be_used_by_any_thread::<ArrayView<'_, f32, 2>>();
    may_be_used_by_any_thread::<ArrayViewMut<'_, f32, 2>>();
    may_be_used_by_any_thread::<Kernel<'_, Index<2>>>();
    may_be_used_by_any_thread::<Variant>();
    may_be_used_by_any_thread::<Graph<fn(), Array<f32, 2>>>();
    may_be_used_by_any_thread::<Profile>();
    may_be_used_by_any_thread::<CompletionFuture<'_>>();
    may_be_used_by_any_thread::<KernelPrint>();
    may_be_used_by_any_thread::<Error>();
};

const THREADS: usize = 8;
const ROUNDS: u32 = 30;
const LENGTH: usize = 300;

#[amp_kernel]
fn mix(idx: Index<1>, round: u32, a: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = out[idx] * 31 + a[idx] + round;
}

fn mixed(input: &[u32], out: &mut [u32], round: u32) {
    for (x, a) in out.iter_mut().zip(input) {
        *x = x.wrapping_mul(31).wrapping_add(*a).wrapping_add(round);
    }
}

/// What one thread does on a view, beside the others: launches, copies of every kind,
/// markers and waits, on data of its own and on an input that all read.
fn work(view: &AcceleratorView, shared: &ArrayView<'_, u32, 1>, seed: usize) -> Vec<u32> {
    let start: Vec<u32> = (0..LENGTH).map(|i| (i * seed) as u32).collect();
    let mut data = start.clone();
    let mut out = ArrayViewMut::new(LENGTH, &mut data).unwrap();
    let mut array = Array::builder(LENGTH).on(view).build().unwrap();
    for round in 0..ROUNDS {
        launch(view, LENGTH, mix(round, shared, &mut out)).unwrap();
        match (round as usize + seed) % 6 {
            0 => copy(&out, &mut array).unwrap(),
            1 => view.flush().unwrap(),
            2 => {
                let future = copy_async(&out, &mut array);
                view.create_marker().wait().unwrap();
                future.wait().unwrap();
                copy(&array, &mut out).unwrap();
            }
            3 => out.synchronize_async().wait().unwrap(),
            4 => drop(copy_async(&out, &mut vec![0; LENGTH])),
            _ => view.wait().unwrap(),
        }
    }
    drop(out);
    data
}

fn expected(shared: &[u32], seed: usize) -> Vec<u32> {
    let mut data: Vec<u32> = (0..LENGTH).map(|i| (i * seed) as u32).collect();
    (0..ROUNDS).for_each(|round| mixed(shared, &mut data, round));
    data
}

/// Runs `work` on many threads, the `seed`-th on the view that `view_of` says.
fn together(view_of: impl Fn(usize) -> AcceleratorView + Sync) {
    let shared: Vec<u32> = (0..LENGTH as u32).map(|i| i * i).collect();
    let input = ArrayView::new(LENGTH, &shared).unwrap();
    let (input, view_of) = (&input, &view_of);
    thread::scope(|scope| {
        let threads =
            (0..THREADS).map(|seed| scope.spawn(move || work(&view_of(seed), input, seed)));
        let threads: Vec<_> = threads.collect();
        for (seed, thread) in threads.into_iter().enumerate() {
            assert!(thread.join().unwrap() == expected(&shared, seed), "{seed}");
        }
    });
    assert_silent();
}

#[test]
fn many_threads_work_on_one_view() {
    for view in new_views() {
        together(|_| view.clone());
    }
}

#[test]
fn many_threads_work_on_views_of_their_own() {
    for accelerator in accelerators() {
        together(|seed| {
            let mode = match seed % 2 {
                0 => QueuingMode::Automatic,
                _ => QueuingMode::Immediate,
            };
            accelerator.create_view(mode).unwrap()
        });
    }
}

#[test]
fn many_threads_work_on_all_accelerators() {
    let views: Vec<_> = new_views().into_iter().chain(new_views()).collect();
    together(|seed| views[seed % views.len()].clone());
}

/// Threads take turns with one array, on all views in turn.
#[test]
fn an_array_goes_from_thread_to_thread() {
    let input = [1; LENGTH];
    let input = ArrayView::new(LENGTH, &input).unwrap();
    let views = new_views();
    let mut data = vec![0; LENGTH];
    let mut out = ArrayViewMut::new(LENGTH, &mut data).unwrap();
    for round in 0..20 {
        let (out, input, view) = (&mut out, &input, &views[round % views.len()]);
        thread::scope(|scope| {
            scope.spawn(move || launch(view, LENGTH, mix(round as u32, input, out)).unwrap());
        });
    }
    drop(out);
    let mut wanted = vec![0; LENGTH];
    (0..20).for_each(|round| mixed(&[1; LENGTH], &mut wanted, round));
    assert_eq!(data, wanted);
    assert_silent();
}

/// The first of many threads to look at what a kernel wrote brings it to the host, and all of
/// them see it.
#[test]
fn many_threads_look_at_what_a_kernel_wrote() {
    let input: Vec<u32> = (0..LENGTH as u32).collect();
    let input = ArrayView::new(LENGTH, &input).unwrap();
    for view in new_views() {
        let mut wanted = vec![0; LENGTH];
        let mut data = wanted.clone();
        let mut out = ArrayViewMut::new(LENGTH, &mut data).unwrap();
        for round in 0..ROUNDS {
            launch(&view, LENGTH, mix(round, &input, &mut out)).unwrap();
            mixed(&input.to_vec().unwrap(), &mut wanted, round);
            let (out, wanted) = (&out.as_view(), &wanted);
            let see = |first: usize| {
                let part = out.section([first], [LENGTH - first]).unwrap();
                for i in first..LENGTH {
                    assert_eq!(out[i], wanted[i], "{i}");
                    assert_eq!(part[i - first], wanted[i], "{i} in a part");
                }
            };
            let see = &see;
            thread::scope(|scope| {
                (0..THREADS).for_each(|seed| _ = scope.spawn(move || see(seed * 10)));
            });
        }
    }
    assert_silent();
}
