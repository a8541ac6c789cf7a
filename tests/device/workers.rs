//! Launches and rayon: neither waits for a worker that waits for the launch.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use amp::prelude::*;
use amp::{AcceleratorView, Variant};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use testkit::{assert_silent, new_views};

const N: usize = 20_000;
const TASKS: usize = 64;

#[amp_kernel]
fn add_one(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] += 1;
}

#[amp_kernel]
fn scale<const FACTOR: u32>(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] *= FACTOR;
}

/// Runs a test, and gives up some time.
fn ends(test: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        test();
        sender.send(()).unwrap();
    });
    let ended = receiver.recv_timeout(Duration::from_secs(120));
    ended.expect("no thread waits for another, and none panics");
    assert_silent();
}

fn locked(view: &AcceleratorView) -> Mutex<Array<u32, 1>> {
    Mutex::new(Array::builder(N).on(view).build().unwrap())
}

#[test]
fn workers_launch_with_a_lock_held() {
    ends(|| {
        for view in new_views() {
            let array = locked(&view);
            let tasks = (0..TASKS).into_par_iter().with_max_len(1);
            tasks.for_each(|_| {
                let mut array = array.lock().unwrap();
                view.parallel_for_each(N, add_one(&mut *array)).unwrap();
            });
            let found = array.lock().unwrap().to_vec().unwrap();
            assert!(found == [TASKS as u32; N], "{view}");
        }
    });
}

/// All workers wait for the thread that launches, which is not one of them.
#[test]
fn a_launch_needs_no_worker_of_the_program() {
    ends(|| {
        for view in new_views() {
            let array = Arc::new(locked(&view));
            let (sender, receiver) = mpsc::channel();
            let mut held = array.lock().unwrap();
            for _ in 0..4 * rayon::current_num_threads() {
                let (array, sender) = (Arc::clone(&array), sender.clone());
                rayon::spawn(move || {
                    drop(array.lock().unwrap());
                    sender.send(()).unwrap();
                });
            }
            view.parallel_for_each(N, add_one(&mut *held)).unwrap();
            view.prepare(&[
                Variant::new(N, scale::<3>(&mut *held)),
                Variant::new(N, scale::<5>(&mut *held)),
            ])
            .unwrap();
            assert!(held.to_vec().unwrap() == [1; N], "{view}");
            drop(held);
            drop(sender);
            assert_eq!(receiver.iter().count(), 4 * rayon::current_num_threads());
        }
    });
}

#[test]
fn workers_prepare_kernels_with_a_lock_held() {
    ends(|| {
        for view in new_views() {
            let array = locked(&view);
            let tasks = (0..TASKS).into_par_iter().with_max_len(1);
            tasks.for_each(|_| {
                let mut array = array.lock().unwrap();
                let variants = [
                    Variant::new(N, scale::<7>(&mut *array)),
                    Variant::new(N, scale::<11>(&mut *array)),
                    Variant::new(N, scale::<13>(&mut *array)),
                ];
                view.prepare(&variants).unwrap();
            });
        }
    });
}
