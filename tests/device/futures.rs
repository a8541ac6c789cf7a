//! `copy_async`, `synchronize_async` and markers: their futures, waited for and polled, under
//! two executors, dropped and forgotten.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use amp::prelude::*;
use amp::{AcceleratorView, Error};
use testkit::{assert_silent, everywhere, launch, new_views, pairs};

const LENGTH: usize = 5000;

/// Adds 1 to each element, slowly, so that what comes behind it has to wait.
#[amp_kernel]
fn slow_increment(idx: Index<1>, rounds: u32, a: &mut ArrayViewMut<u32, 1>) {
    let mut x = a[idx];
    for i in 0..rounds {
        x = (x ^ i) ^ i;
    }
    a[idx] = x + 1;
}

#[amp_kernel]
fn behind_the_end(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>) {
    a[idx[0] + 1] = 1;
}

fn numbers() -> Vec<u32> {
    (0..LENGTH as u32).collect()
}

fn incremented(by: u32) -> Vec<u32> {
    (by..LENGTH as u32 + by).collect()
}

fn array(view: &AcceleratorView) -> Array<u32, 1> {
    let builder = Array::builder(LENGTH).on(view);
    builder.data(&numbers()).build().unwrap()
}

fn increment(view: &AcceleratorView, array: &mut Array<u32, 1>) {
    launch(view, LENGTH, slow_increment(rounds(view), array)).unwrap();
}

/// As many as a device takes some milliseconds over; the CPU accelerator, which is complete
/// when the launch returns, need not.
fn rounds(view: &AcceleratorView) -> u32 {
    match view.accelerator() == amp::Accelerator::cpu() {
        true => 1,
        false => 10_000,
    }
}

#[test]
fn a_copy_holds_what_was_there_when_it_started() {
    everywhere(|view| {
        let mut source = array(view);
        increment(view, &mut source);
        let (mut first, mut second) = (vec![0; LENGTH], vec![0; LENGTH]);
        let one = copy_async(&source, &mut first);
        increment(view, &mut source);
        let two = copy_async(&source, &mut second);
        source.copy_from(&vec![9; LENGTH]).unwrap();
        two.wait().unwrap();
        one.wait().unwrap();
        assert_eq!(first, incremented(1), "{view}");
        assert_eq!(second, incremented(2), "{view}");
        assert_eq!(source.to_vec().unwrap(), [9; LENGTH], "{view}");
    });
}

#[test]
fn a_slice_has_been_read_and_an_array_may_be_used_when_the_call_returns() {
    everywhere(|view| {
        let mut target = array(view);
        increment(view, &mut target);
        let mut data = numbers();
        let future = copy_async(&data, &mut target);
        data.fill(7);
        increment(view, &mut target);
        let mut other = array(view);
        let between = copy_async(&target, &mut other);
        increment(view, &mut other);
        assert_eq!(target.to_vec().unwrap(), incremented(1), "{view}");
        assert_eq!(other.to_vec().unwrap(), incremented(2), "{view}");
        between.wait().unwrap();
        future.wait().unwrap();
    });
}

#[test]
fn futures_go_in_every_direction() {
    for [first, second] in pairs() {
        let mut source = array(&first);
        increment(&first, &mut source);
        let (wanted, half) = (incremented(1), LENGTH / 2);

        let mut target = array(&second);
        copy_async(&source, &mut target).wait().unwrap();
        assert_eq!(target.to_vec().unwrap(), wanted);

        let mut data = numbers();
        let mut view = ArrayViewMut::new(LENGTH, &mut data).unwrap();
        copy_async(&source, &mut view).wait().unwrap();
        assert_eq!(view[half], half as u32 + 1);
        launch(&second, LENGTH, slow_increment(1, &mut view)).unwrap();
        copy_async(&source, &mut view).wait().unwrap();
        assert_eq!(view.to_vec().unwrap(), wanted);
        // Of the two halves, one goes from the device and one from the host.
        let mut upper = view.section(0, half).unwrap();
        launch(&first, half, slow_increment(0, &mut upper)).unwrap();
        drop(upper);
        copy_async(&view, &mut target).wait().unwrap();
        let mut fresh = vec![0; LENGTH];
        copy_async(&view, &mut fresh).wait().unwrap();
        let mut other = ArrayViewMut::uninit(LENGTH).unwrap();
        copy_async(&view, &mut other).wait().unwrap();
        let mixed = [&incremented(2)[..half], &wanted[half..]].concat();
        assert_eq!(target.to_vec().unwrap(), mixed);
        assert_eq!(fresh, mixed);
        assert_eq!(other.to_vec().unwrap(), mixed);

        let table = target.view_as([50, 100]).unwrap();
        let mut corner = [0; 12];
        let section = table.section([20, 30], [4, 3]).unwrap();
        copy_async(&section, &mut corner).wait().unwrap();
        let of = |i: usize| mixed[(20 + i / 3) * 100 + 30 + i % 3];
        assert_eq!(corner, std::array::from_fn(of));
        let mut spread = vec![0; 50 * 100];
        let mut whole = ArrayViewMut::new([50, 100], &mut spread).unwrap();
        let mut place = whole.section([46, 97], [4, 3]).unwrap();
        copy_async(&section, &mut place).wait().unwrap();
        drop(place);
        drop(whole);
        assert_eq!(spread[4897..4900], corner[6..9]);
        assert_eq!(spread.iter().filter(|&&x| x != 0).count(), 12);
    }
    assert_silent();
}

#[test]
fn futures_are_awaited_under_pollster() {
    everywhere(|view| {
        let mut source = array(view);
        let mut out = vec![0; LENGTH];
        pollster::block_on(async {
            for round in 1..=5 {
                increment(view, &mut source);
                copy_async(&source, &mut out).await.unwrap();
                assert_eq!(out, incremented(round), "{view}");
            }
            increment(view, &mut source);
            view.create_marker().await.unwrap();
            copy_async(&out, &mut source).await.unwrap();
        });
        assert_eq!(source.to_vec().unwrap(), incremented(5), "{view}");
    });
}

#[test]
fn futures_are_awaited_under_tokio() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let tasks = new_views().into_iter().chain(new_views()).flat_map(|view| {
        (1..5).map(move |rounds| {
            let view = view.clone();
            async move {
                let mut source = array(&view);
                let mut out = vec![0; LENGTH];
                for _ in 0..rounds {
                    increment(&view, &mut source);
                    copy_async(&source, &mut out).await?;
                    tokio::task::yield_now().await;
                    copy_async(&out, &mut source).await?;
                }
                view.create_marker().await?;
                assert_eq!(out, incremented(rounds));
                amp::Result::<()>::Ok(())
            }
        })
    });
    runtime.block_on(async {
        let mut running = Vec::new();
        for task in tasks {
            running.push(tokio::spawn(task));
        }
        for task in running {
            task.await.unwrap().unwrap();
        }
    });
    assert_silent();
}

/// Futures of one task, which all leave their alarms with their views.
#[test]
fn one_task_awaits_several_at_once() {
    let views: Vec<_> = new_views().into_iter().chain(new_views()).collect();
    let mut sources: Vec<_> = views.iter().map(array).collect();
    let mut outs = vec![vec![0; LENGTH]; views.len()];
    let mut futures = Vec::new();
    for ((view, source), out) in views.iter().zip(&mut sources).zip(&mut outs) {
        increment(view, source);
        futures.push(copy_async(source, out));
        futures.push(view.create_marker());
    }
    pollster::block_on(poll_fn(|context| {
        futures.retain_mut(|future| match Pin::new(future).poll(context) {
            Poll::Ready(result) => {
                result.unwrap();
                false
            }
            Poll::Pending => true,
        });
        match futures.is_empty() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    }));
    drop(futures);
    for out in outs {
        assert_eq!(out, incremented(1));
    }
    assert_silent();
}

#[derive(Default)]
struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A future may move to another task: the last that polled it is woken.
#[test]
fn the_last_task_that_polled_is_woken() {
    everywhere(|view| {
        let mut source = array(view);
        let mut out = vec![0; LENGTH];
        for _ in 0..20 {
            increment(view, &mut source);
        }
        let mut future = copy_async(&source, &mut out);
        let (first, last) = (Arc::<Count>::default(), Arc::<Count>::default());
        let mut poll = |count: &Arc<Count>| {
            let waker = Waker::from(Arc::clone(count));
            let mut context = Context::from_waker(&waker);
            Pin::new(&mut future).poll(&mut context)
        };
        let pending = poll(&first).is_pending() && poll(&last).is_pending();
        view.wait().unwrap();
        while pending && last.0.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        assert_eq!(poll(&last), Poll::Ready(Ok(())));
        assert_eq!(poll(&last), Poll::Ready(Ok(())), "a second time");
        drop(future);
        assert_eq!(out, incremented(20), "{view}");
    });
}

#[test]
fn continuations_follow_each_other() {
    everywhere(|view| {
        let arrays: Vec<_> = (0..7).map(|_| array(view)).collect();
        let mut arrays = arrays.into_iter();
        let mut source = arrays.next().unwrap();
        increment(view, &mut source);
        let steps = AtomicUsize::new(0);
        let mut out = vec![0; LENGTH];
        let cell = std::sync::Mutex::new(source);
        let mut future = view.create_marker();
        for mut next in arrays {
            let (cell, steps) = (&cell, &steps);
            future = future.then(move || {
                let mut source = cell.lock().unwrap();
                let copy = copy_async(&*source, &mut next);
                *source = next;
                copy.then(move || _ = steps.fetch_add(1, Ordering::Relaxed))
            });
        }
        let future = future.then(|| copy_async(&*cell.lock().unwrap(), &mut out));
        assert_eq!(steps.load(Ordering::Relaxed), 0);
        while !future.is_ready() {
            std::thread::yield_now();
        }
        future.wait().unwrap();
        assert_eq!(steps.into_inner(), 6);
        assert_eq!(out, incremented(1), "{view}");
    });
}

#[test]
fn an_error_ends_a_chain() {
    everywhere(|view| {
        let source = array(view);
        let wrong = || {
            let mut short = [0; 3];
            copy_async(&source, &mut short).wait()
        };
        let mismatch = Error::LengthMismatch {
            wanted: LENGTH,
            found: 3,
        };
        assert_eq!(wrong(), Err(mismatch.clone()));
        let ran = AtomicUsize::new(0);
        let run = || _ = ran.fetch_add(1, Ordering::Relaxed);
        let chain = view.create_marker().then(run).then(wrong).then(run);
        assert_eq!(pollster::block_on(chain), Err(mismatch));
        assert_eq!(ran.into_inner(), 1);
    });
}

#[test]
fn a_future_that_is_dropped_or_forgotten_touches_nothing_later() {
    everywhere(|view| {
        let mut source = array(view);
        for forget in [false, true] {
            let mut out = vec![u32::MAX; LENGTH];
            increment(view, &mut source);
            let mut future = copy_async(&source, &mut out);
            let waker = Waker::noop();
            let polled = Pin::new(&mut future).poll(&mut Context::from_waker(waker));
            match forget {
                true => std::mem::forget(future),
                false => drop(future),
            }
            let seen = out.clone();
            view.wait().unwrap();
            assert_eq!(out, seen);
            if polled.is_pending() {
                assert_eq!(out, vec![u32::MAX; LENGTH]);
            }
            drop(out);

            let mut data = numbers();
            let mut target = ArrayViewMut::new(LENGTH, &mut data).unwrap();
            std::mem::forget(copy_async(&source, &mut target));
            let whole = target.to_vec().unwrap();
            assert!(whole == numbers() || whole == source.to_vec().unwrap());

            let mut target = array(view);
            increment(view, &mut source);
            std::mem::forget(copy_async(&source, &mut target));
            assert_eq!(target.to_vec().unwrap(), source.to_vec().unwrap());
        }
    });
}

#[test]
fn synchronisation_goes_on_beside_the_host() {
    for [view, other] in pairs() {
        let mut data = numbers();
        let mut target = ArrayViewMut::new(LENGTH, &mut data).unwrap();
        for round in 1..4 {
            launch(&view, LENGTH, slow_increment(rounds(&view), &mut target)).unwrap();
            let future = target.synchronize_async();
            if round == 2 {
                // The host is faster.
                assert_eq!(target[5], 7);
            }
            match round {
                3 => std::mem::forget(future),
                _ => future.wait().unwrap(),
            }
            target.synchronize_to_async(&other).wait().unwrap();
            assert_eq!(target[LENGTH - 1], (LENGTH - 1) as u32 + round);
        }
        drop(target);
        assert_eq!(data, incremented(3));

        let mut home = array(&view);
        let mut part = home.section_mut(100, 50).unwrap();
        launch(&other, 50, slow_increment(rounds(&other), &mut part)).unwrap();
        pollster::block_on(part.synchronize_async()).unwrap();
        assert_eq!(home.to_vec().unwrap()[99..102], [99, 101, 102]);
    }
    assert_silent();
}

/// Each fault is told once, by whichever future or wait asks first.
#[test]
fn faults_come_with_the_future() {
    for view in new_views() {
        let is_fault = |result: amp::Result<()>| {
            assert!(matches!(result, Err(Error::KernelFault(_))), "{result:?}");
            view.wait().unwrap();
        };
        let mut a = array(&view);
        let mut out = vec![0; LENGTH];
        let mut other = array(&view);
        let fault = |a: &mut Array<u32, 1>| launch(&view, LENGTH, behind_the_end(a)).unwrap();

        fault(&mut a);
        is_fault(view.create_marker().wait());
        fault(&mut a);
        is_fault(pollster::block_on(copy_async(&a, &mut out)));
        assert_eq!(out[1..], [1; LENGTH - 1]);
        fault(&mut a);
        is_fault(copy_async(&a, &mut other).wait());
        fault(&mut a);
        is_fault(a.view_mut().synchronize_async().wait());
        fault(&mut a);
        drop(copy_async(&a, &mut out));
        let told = view.wait();
        assert!(matches!(told, Err(Error::KernelFault(_))), "{told:?}");
        copy_async(&a, &mut out).wait().unwrap();
    }
    assert_silent();
}

#[test]
fn markers_are_ready_when_all_before_them_is_complete() {
    for view in new_views() {
        let mut a = array(&view);
        view.create_marker().wait().unwrap();
        for _ in 0..10 {
            increment(&view, &mut a);
        }
        let marker = view.create_marker();
        increment(&view, &mut a);
        let last = view.create_marker();
        view.flush().unwrap();
        while !marker.is_ready() {
            std::thread::yield_now();
        }
        view.wait().unwrap();
        assert!(last.is_ready() && marker.is_ready());
        last.wait().unwrap();
        assert_eq!(a.to_vec().unwrap(), incremented(11));
    }
    assert_silent();
}

/// More than one chunk of staging memory, and the last one partly.
#[test]
fn large_copies_come_whole() {
    everywhere(|view| {
        let data: Vec<u64> = (0..5_000_001)
            .map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .collect();
        let mut array: Array<u64, 1> = Array::builder(data.len()).on(view).build().unwrap();
        copy_async(&data, &mut array).wait().unwrap();
        let mut out = vec![0; data.len()];
        let section = array.section(3, data.len() - 3).unwrap();
        copy_async(&section, &mut out[3..]).wait().unwrap();
        assert!(out[3..] == data[3..] && out[..3] == [0; 3], "{view}");
    });
}
