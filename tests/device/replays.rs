//! Replays beside others: who looks at what they write, on this thread or another; who else
//! waits; who is told of their faults.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, mpsc};

use amp::Error;
use amp::prelude::*;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use testkit::{assert_silent, everywhere, launch, new_views};

#[amp_kernel]
fn add_one(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] += 1;
}

const N: usize = 1000;

fn array(view: &AcceleratorView, data: &[u32]) -> Array<u32, 1> {
    let builder = Array::builder(data.len()).on(view).data(data);
    builder.build().unwrap()
}

fn in_use<T>(_: T) -> Error {
    Error::InvalidArgument("the data is in use".into())
}

/// An array of a `RefCell`, whose closure panics while the cell is borrowed elsewhere.
#[test]
fn a_replay_writes_nothing_that_a_ref_cell_has_lent() {
    everywhere(|view| {
        let cell = RefCell::new(array(view, &[0; N]));
        let graph = view
            .record(|g| g.parallel_for_each(N, add_one(&mut *cell.borrow_mut())))
            .unwrap();
        graph.replay().unwrap();
        for round in 1..4 {
            let guard = cell.borrow();
            let looked_at = guard.view();
            let first = &looked_at[0];
            assert_eq!(*first, round, "{view}");
            let replayed = catch_unwind(AssertUnwindSafe(|| graph.replay()));
            assert!(replayed.is_err(), "{view}: it wrote what was borrowed");
            view.wait().unwrap();
            assert_eq!((*first, looked_at[1]), (round, round), "{view}");
            drop(guard);
            graph.replay().unwrap();
        }
        assert_eq!(cell.borrow().to_vec().unwrap(), [4; N], "{view}");
    });
}

/// The host's elements in place, where it shares memory with the accelerator.
#[test]
fn a_replay_writes_nothing_that_the_host_has_in_place() {
    everywhere(|view| {
        if !view.accelerator().supports_cpu_shared_memory() {
            return;
        }
        let shared = Mutex::new(array(view, &[0; N]));
        let graph = view
            .record(|g| {
                let mut array = shared.try_lock().map_err(in_use)?;
                g.parallel_for_each(N, add_one(&mut *array))
            })
            .unwrap();
        for round in 0..4 {
            let mut array = shared.lock().unwrap();
            let elements = array.data().unwrap();
            assert!(graph.replay().is_err(), "{view}");
            view.wait().unwrap();
            assert_eq!((elements[6], elements[7]), (round, 11 * round));
            let elements = array.data_mut().unwrap();
            elements[7] += 10;
            assert!(graph.replay().is_err(), "{view}");
            assert_eq!((elements[6], elements[7]), (round, 11 * round + 10));
            drop(array);
            graph.replay().unwrap();
        }
        assert_eq!(shared.lock().unwrap()[7], 44, "{view}");
    });
}

type Slot = Mutex<Option<Array<u32, 1>>>;

/// Adds one to the array in a slot, if there is one.
fn in_slot(slot: &Slot) -> impl FnMut(&mut amp::Recording<'_>) -> amp::Result<()> {
    |g| match &mut *slot.lock().unwrap() {
        Some(array) => g.parallel_for_each(array.extent(), add_one(array)),
        None => Ok(()),
    }
}

#[test]
fn a_replay_writes_no_array_that_was_taken_out() {
    for looks in [false, true] {
        everywhere(|view| {
            let slot = Mutex::new(Some(array(view, &[0; N])));
            let graph = view.record(in_slot(&slot)).unwrap();
            graph.replay().unwrap();
            let mine = slot.lock().unwrap().take().unwrap();
            if looks {
                assert_eq!(mine.to_vec().unwrap(), [1; N], "{view}");
            }
            graph.replay().unwrap();
            graph.replay().unwrap();
            assert_eq!(mine.to_vec().unwrap(), [1; N], "{view}");
        });
    }
}

#[test]
fn a_replay_writes_an_array_that_was_put_in() {
    for looks in [false, true] {
        everywhere(|view| {
            let slot = Slot::default();
            let graph = view.record(in_slot(&slot)).unwrap();
            graph.replay().unwrap();
            for (start, n) in [(5, N), (70, N / 2)] {
                let new = array(view, &vec![start; n]);
                if looks {
                    assert_eq!(new.view()[n - 1], start, "{view}");
                }
                *slot.lock().unwrap() = Some(new);
                graph.replay().unwrap();
                graph.replay().unwrap();
                let found = slot.lock().unwrap().as_ref().unwrap().to_vec().unwrap();
                assert_eq!(found, vec![start + 2; n], "{view}");
            }
        });
    }
}

#[test]
fn a_replay_uses_two_arrays_as_they_are_swapped() {
    for looks in [false, true] {
        everywhere(|view| {
            let slots = Mutex::new((array(view, &[1; N]), array(view, &[100; N])));
            let graph = view
                .record(|g| {
                    let (from, to) = &mut *slots.lock().unwrap();
                    g.parallel_for_each(N, assign(from, to))?;
                    g.parallel_for_each(N, add_one(to))
                })
                .unwrap();
            for round in 1..6 {
                graph.replay().unwrap();
                let (from, to) = &mut *slots.lock().unwrap();
                std::mem::swap(from, to);
                if looks {
                    assert_eq!((from.view()[7], to.view()[7]), (round + 1, round), "{view}");
                }
            }
            let (from, to) = slots.into_inner().unwrap();
            assert_eq!(from.to_vec().unwrap(), [6; N], "{view}");
            assert_eq!(to.to_vec().unwrap(), [5; N], "{view}");
        });
    }
}

#[amp_kernel]
fn add(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>, summand: u32) {
    x[idx] += summand;
}

#[test]
fn a_replay_passes_a_value_that_has_changed() {
    for looks in [false, true] {
        everywhere(|view| {
            let state = Mutex::new((array(view, &[0; N]), 1, N));
            let graph = view
                .record(|g| {
                    let (array, summand, n) = &mut *state.lock().unwrap();
                    g.parallel_for_each(*n, add(array, *summand))
                })
                .unwrap();
            for (summand, n) in [(1, N), (1, N), (20, N), (300, N / 2), (1, N)] {
                let mut state = state.lock().unwrap();
                (state.1, state.2) = (summand, n);
                // Where the host can, it looks at the array in between.
                if looks && view.accelerator().supports_cpu_shared_memory() {
                    state.0.data_mut().unwrap();
                }
                drop(state);
                graph.replay().unwrap();
            }
            let (array, ..) = state.into_inner().unwrap();
            let mut expected = [23; N];
            expected[..N / 2].fill(323);
            assert_eq!(array.to_vec().unwrap(), expected, "{view}");
        });
    }
}

/// What the closure, or another thread after it, finds, although launches are queued later.
#[test]
fn a_launch_of_a_replay_comes_before_what_uses_its_data_next() {
    everywhere(|view| {
        let shared = Mutex::new((array(view, &[0; N]), array(view, &[0; N])));
        let graph = view
            .record(|g| {
                let (a, b) = &mut *shared.lock().unwrap();
                let before = a.to_vec()?[3];
                g.parallel_for_each(N, add_one(a))?;
                g.parallel_for_each(N, assign(a, b))?;
                // The second launch has read what was there.
                let mut after = before;
                if before > 0 || b.view()[0] > 0 {
                    after = a.view()[3];
                    a.copy_from(&[after + 10; N])?;
                }
                g.parallel_for_each(N, add_one(a))?;
                std::thread::scope(|scope| {
                    let found = scope.spawn(|| (a.to_vec().unwrap()[5], b.to_vec().unwrap()[5]));
                    let found = found.join().unwrap();
                    if after > before {
                        assert_eq!(found, (before + 12, before + 1), "{view}");
                    }
                });
                Ok(())
            })
            .unwrap();
        for round in 1..4 {
            graph.replay().unwrap();
            let (a, b) = &*shared.lock().unwrap();
            assert_eq!(a.to_vec().unwrap(), [12 * round; N], "{view}");
            assert_eq!(b.to_vec().unwrap(), [12 * round - 11; N], "{view}");
        }
    });
}

/// Launches that were made before the closure failed run on every accelerator.
#[test]
fn a_replay_whose_closure_fails_runs_what_was_launched() {
    everywhere(|view| {
        let fails = AtomicBool::new(false);
        let mut x = array(view, &[0; N]);
        let graph = view
            .record(|g| {
                g.parallel_for_each(N, add_one(&mut x))?;
                match fails.load(Ordering::Relaxed) {
                    true => Err(in_use(())),
                    false => g.parallel_for_each(N, add_one(&mut x)),
                }
            })
            .unwrap();
        for fail in [false, true, true, false] {
            fails.store(fail, Ordering::Relaxed);
            assert_eq!(graph.replay().is_err(), fail, "{view}");
        }
        drop(graph);
        assert_eq!(x.to_vec().unwrap(), [6; N], "{view}");
    });
}

/// The closure has given its array away: later calls launch nothing.
#[test]
fn a_replay_writes_nothing_that_was_given_away_and_is_looked_at() {
    everywhere(|view| {
        let mut slot = Some(array(view, &[0; N]));
        let (sender, receiver) = mpsc::channel();
        let graph = view
            .record(move |g| {
                if let Some(mut array) = slot.take() {
                    g.parallel_for_each(N, add_one(&mut array))?;
                    sender.send(array).map_err(in_use)?;
                }
                Ok(())
            })
            .unwrap();
        graph.replay().unwrap();
        let array = receiver.recv().unwrap();
        let looked_at = array.view();
        let first = &looked_at[0];
        let before = *first;
        for _ in 0..3 {
            graph.replay().unwrap();
            view.wait().unwrap();
            // Another view would bring what is new to the same place.
            assert_eq!((array.view()[1], *first), (before, before), "{view}");
        }
    });
}

/// A future has sent for elements that are to land on the host.
#[test]
fn a_replay_writes_nothing_that_is_on_its_way_to_the_host() {
    everywhere(|view| {
        let mut data = vec![0; N];
        let shared = Mutex::new(ArrayViewMut::new(N, &mut data).unwrap());
        let graph = view
            .record(|g| {
                let mut x = shared.try_lock().map_err(in_use)?;
                g.parallel_for_each(N, add_one(&mut *x))
            })
            .unwrap();
        for round in 1..4 {
            graph.replay().unwrap();
            let x = shared.lock().unwrap();
            let arrival = x.synchronize_async();
            assert!(graph.replay().is_err(), "{view}");
            arrival.wait().unwrap();
            assert_eq!(x[0], round, "{view}");
        }
        graph.replay().unwrap();
        drop(graph);
        drop(shared);
        assert_eq!(data, [4; N], "{view}");
    });
}

/// One thread replays while another looks, both by a lock.
#[test]
fn replays_and_looks_of_two_threads_exclude_each_other() {
    everywhere(|view| {
        let shared = Mutex::new(array(view, &[0; N]));
        let end = AtomicBool::new(false);
        let replayed = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !end.load(Ordering::Relaxed) {
                    let array = shared.lock().unwrap();
                    let looked_at = array.view();
                    let first = &looked_at[0];
                    let before = *first;
                    std::thread::yield_now();
                    assert_eq!((looked_at[N - 1], *first), (before, before), "{view}");
                }
            });
            let lock = |_| Error::InvalidArgument("poisoned".into());
            let graph = view.record(|g| {
                let mut array = shared.lock().map_err(lock)?;
                g.parallel_for_each(N, add_one(&mut *array))
            });
            let replayed = graph.and_then(|graph| (0..200).try_for_each(|_| graph.replay()));
            end.store(true, Ordering::Relaxed);
            replayed
        });
        replayed.unwrap();
        assert_eq!(shared.lock().unwrap().to_vec().unwrap(), [200; N], "{view}");
    });
}

/// The old recording still knows what ends in a later call.
#[test]
fn what_a_later_call_makes_end_is_refused_too() {
    everywhere(|view| {
        let captures = (Some(array(view, &[0; N])), false);
        let mut graph = view
            .record_with(captures, |g, (array, ends)| {
                if let Some(array) = array {
                    g.parallel_for_each(N, add_one(array))?;
                }
                if *ends {
                    *array = None;
                }
                Ok(())
            })
            .unwrap();
        graph.replay().unwrap();
        graph.captures_mut().1 = true;
        let error = graph.replay().unwrap_err();
        assert!(error.to_string().contains("record_with"), "{view}: {error}");
    });
}

/// A worker that waits for a replay may take up another one.
#[test]
fn workers_of_one_pool_replay_one_graph() {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for view in new_views() {
            let graph = view
                .record_with(array(&view, &[0; 100_000]), |g, x| {
                    g.parallel_for_each(100_000, add_one(x))
                })
                .unwrap();
            let replays = (0..64).into_par_iter().with_max_len(1);
            replays.for_each(|_| graph.replay().unwrap());
            let array = graph.into_captures();
            assert!(array.to_vec().unwrap() == [64; 100_000], "{view}");
        }
        sender.send(()).unwrap();
    });
    let ended = receiver.recv_timeout(std::time::Duration::from_secs(120));
    ended.expect("no worker waits for another");
    assert_silent();
}

#[amp_kernel]
fn look_up(idx: Index<1>, at: &ArrayView<u32, 1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] = x[at[idx] as usize] + 1;
}

/// Waiting for a replay returns its fault, although there are newer replays.
#[test]
fn a_newer_replay_hides_no_fault() {
    for view in new_views() {
        let captures = (array(&view, &[999; 100]), array(&view, &[5; 100]));
        let mut graph = view
            .record_with(captures, |g, (at, x)| {
                g.parallel_for_each(100, look_up(at, x))
            })
            .unwrap();
        for _ in 0..3 {
            graph.replay().unwrap();
            let marker = view.create_marker();
            for _ in 0..5 {
                graph.replay().unwrap();
            }
            let told = marker.wait();
            assert!(
                matches!(told, Err(Error::KernelFault(_))),
                "{view}: {told:?}"
            );
            let rest = view.wait();
            assert!(
                matches!(rest, Ok(()) | Err(Error::KernelFault(_))),
                "{rest:?}"
            );
            view.wait().unwrap();
        }
        // The order is that of the view, whatever is asked first.
        graph.replay().unwrap();
        let mut x = array(&view, &[5; 10]);
        let at = array(&view, &[777; 10]);
        for _ in 0..300 {
            launch(&view, 10, look_up(&at, &mut x)).unwrap();
        }
        match view.wait() {
            Err(Error::KernelFault(fault)) => assert!(fault.message.contains("999"), "{fault}"),
            other => panic!("{view}: {other:?}"),
        }
        let own: Vec<u32> = (0..100).collect();
        graph.captures_mut().0.copy_from(&own).unwrap();
        graph.replay().unwrap();
        view.wait().unwrap();
    }
    assert_silent();
}

#[amp_kernel]
fn assign(idx: Index<1>, from: &ArrayView<u32, 1>, to: &mut ArrayViewMut<u32, 1>) {
    to[idx] = from[idx];
}

/// An array that the closure reads, and has no more.
#[test]
fn a_replay_reads_nothing_that_was_let_go() {
    everywhere(|view| {
        let read = RefCell::new(Some(array(view, &[7; N])));
        let out = RefCell::new(array(view, &[0; N]));
        let graph = view
            .record(|g| {
                let read = read.borrow();
                let read = read.as_ref().ok_or(()).map_err(in_use)?;
                g.parallel_for_each(N, assign(read, &mut *out.borrow_mut()))
            })
            .unwrap();
        graph.replay().unwrap();
        assert_eq!(out.borrow().to_vec().unwrap(), [7; N], "{view}");
        drop(read.take());
        for _ in 0..2 {
            assert!(graph.replay().is_err(), "{view}");
        }
        for value in [9, 11] {
            *read.borrow_mut() = Some(array(view, &[value; N]));
            for _ in 0..2 {
                graph.replay().unwrap();
                assert_eq!(out.borrow().to_vec().unwrap(), [value; N], "{view}");
            }
        }
    });
}

/// What the closure makes each time is made of what there is then.
#[test]
fn what_the_closure_makes_is_new_in_each_replay() {
    everywhere(|view| {
        let (value, kept) = (RefCell::new(1), array(view, &[100; N]));
        let (calls, mut out) = (RefCell::new(0), array(view, &[0; N]));
        {
            let graph = view
                .record(|g| {
                    *calls.borrow_mut() += 1;
                    match *value.borrow() {
                        100 => g.parallel_for_each(N, assign(&kept, &mut out)),
                        value => {
                            g.parallel_for_each(N, assign(&array(view, &[value; N]), &mut out))
                        }
                    }
                })
                .unwrap();
            for next in [5, 6, 100, 100, 100] {
                *value.borrow_mut() = next;
                graph.replay().unwrap();
            }
            assert_eq!(calls.take(), 6, "{view}");
        }
        assert_eq!(out.to_vec().unwrap(), [100; N], "{view}");
    });
}

type Launches = Box<dyn FnMut(&mut amp::Recording<'_>) -> amp::Result<()> + Send>;

#[test]
fn a_graph_that_replays_itself_is_refused() {
    everywhere(|view| {
        let slot: Arc<OnceLock<amp::Graph<Launches>>> = Arc::default();
        let shared = Arc::new(Mutex::new(array(view, &[0; N])));
        let (own, x, (sender, receiver)) =
            (Arc::downgrade(&slot), Arc::clone(&shared), mpsc::channel());
        let launches: Launches = Box::new(move |g| {
            g.parallel_for_each(N, add_one(&mut *x.lock().unwrap()))?;
            if let Some(slot) = own.upgrade()
                && let Some(graph) = slot.get()
            {
                sender.send(graph.replay()).map_err(in_use)?;
            }
            Ok(())
        });
        let graph = slot.get_or_init(|| view.record(launches).unwrap());
        graph.replay().unwrap();
        let error = receiver.recv().unwrap().unwrap_err().to_string();
        assert!(error.contains("replays the graph"), "{view}: {error}");
        assert!(error.contains("when the closure has returned"), "{error}");
        graph.replay().unwrap();
        assert_eq!(shared.lock().unwrap().to_vec().unwrap(), [2; N], "{view}");
    });
}

/// What is about all launches of a view is about those that the closure has made, too.
#[test]
fn a_closure_waits_for_its_launches() {
    type Until = fn(&AcceleratorView) -> amp::Result<()>;
    let ends: [Until; 3] = [
        AcceleratorView::wait,
        |view| view.create_marker().wait(),
        |view| view.profile(|| Ok(())).map(|_| ()),
    ];
    for until in ends {
        for view in new_views() {
            let (at, x) = (array(&view, &[N as u32]), array(&view, &[0; N]));
            let mut found = Vec::new();
            let mut graph = view
                .record_with((at, x), |g, (at, x)| {
                    g.parallel_for_each(1, look_up(at, x))?;
                    found.push(until(&view).is_err());
                    g.parallel_for_each(N, add_one(x))
                })
                .unwrap();
            graph.replay().unwrap();
            graph.replay().unwrap();
            view.wait().unwrap();
            assert_eq!(graph.captures().1.to_vec().unwrap(), [2; N], "{view}");
            drop(graph);
            assert_eq!(found, [false, true, true], "{view}");
        }
    }
}

/// A flush sends the launches that the closure has made, which can be complete before it returns.
#[test]
fn a_closure_flushes_its_launches() {
    for view in new_views() {
        let x = array(&view, &[0; N]);
        let mut graph = view
            .record_with(x, |g, x| {
                g.parallel_for_each(N, add_one(x))?;
                let marker = view.create_marker();
                view.flush()?;
                while !marker.is_ready() {
                    std::thread::yield_now();
                }
                g.parallel_for_each(N, add_one(x))
            })
            .unwrap();
        for round in 1..3 {
            graph.replay().unwrap();
            assert_eq!(graph.captures().to_vec().unwrap(), [2 * round; N], "{view}");
        }
    }
}
