//! Recorded launches: hazards inside of replays, between them and with other work; what can
//! change between replays; prints.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use amp::KernelPrint;
use amp::prelude::*;
use amp::profile::Activity;
use testkit::{assert_silent, everywhere, launch, new_views, pairs};

/// Not commutative, so that the order of launches shows.
#[amp_kernel]
pub(super) fn affine(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>, factor: u32, summand: u32) {
    x[idx] = x[idx] * factor + summand;
}

/// Each element of `to` needs three of `from`.
#[amp_kernel]
pub(super) fn spread(idx: Index<1>, from: &ArrayView<u32, 1>, to: &mut ArrayViewMut<u32, 1>) {
    let n = from.extent()[0];
    let (before, behind) = ((idx[0] + n - 1) % n, (idx[0] + 1) % n);
    to[idx] = from[before] + 3 * from[idx] + 5 * from[behind];
}

pub(super) fn spread_here(from: &[u32]) -> Vec<u32> {
    let n = from.len();
    let at = |i: usize| from[i % n];
    let next = |i| {
        at(i + n - 1)
            .wrapping_add(at(i).wrapping_mul(3))
            .wrapping_add(at(i + 1).wrapping_mul(5))
    };
    (0..n).map(next).collect()
}

pub(super) const N: usize = 5000;

pub(super) fn numbers() -> Vec<u32> {
    (0..N as u32)
        .map(|i| i.wrapping_mul(2_654_435_761))
        .collect()
}

pub(super) fn array(view: &AcceleratorView, data: &[u32]) -> Array<u32, 1> {
    Array::builder(data.len())
        .on(view)
        .data(data)
        .build()
        .unwrap()
}

#[test]
fn launches_of_a_replay_wait_for_each_other_and_for_the_replay_before() {
    everywhere(|view| {
        let (mut a, mut b) = (array(view, &numbers()), array(view, &[0; N]));
        let graph = view
            .record(|g| {
                for _ in 0..7 {
                    g.parallel_for_each(N, spread(&a, &mut b))?;
                    g.parallel_for_each(N, spread(&b, &mut a))?;
                }
                Ok(())
            })
            .unwrap();
        for _ in 0..5 {
            graph.replay().unwrap();
        }
        drop(graph);
        let expected = (0..70).fold(numbers(), |data, _| spread_here(&data));
        assert!(a.to_vec().unwrap() == expected, "{view}");
    });
}

/// Recording runs nothing, and an empty graph does nothing.
#[test]
fn only_replays_run() {
    everywhere(|view| {
        let mut a = array(view, &[7; N]);
        let graph = view.record(|g| g.parallel_for_each(N, affine(&mut a, 2, 1)));
        drop(graph.unwrap());
        let empty = view.record(|_| Ok(())).unwrap();
        empty.replay().unwrap();
        view.wait().unwrap();
        assert!(a.to_vec().unwrap() == [7; N], "{view}");
    });
}

#[test]
fn replays_and_launches_keep_their_order() {
    everywhere(|view| {
        let a = array(view, &[1; N]);
        let mut graph = view
            .record_with(a, |g, a| {
                g.parallel_for_each(N, affine(a, 3, 1))?;
                g.parallel_for_each(N, affine(a, 5, 2))
            })
            .unwrap();
        let mut expected = 1_u32;
        for round in 0..20 {
            launch(view, N, affine(graph.captures_mut(), 7, round)).unwrap();
            expected = expected.wrapping_mul(7).wrapping_add(round);
            for _ in 0..=round % 3 {
                graph.replay().unwrap();
                expected = expected.wrapping_mul(3).wrapping_add(1);
                expected = expected.wrapping_mul(5).wrapping_add(2);
            }
        }
        assert!(
            graph.captures().to_vec().unwrap() == [expected; N],
            "{view}"
        );
    });
}

#[test]
fn values_can_change_between_replays() {
    everywhere(|view| {
        let captures = (array(view, &[1; N]), 2_u32);
        let mut graph = view
            .record_with(captures, |g, (a, factor)| {
                g.parallel_for_each(N, affine(a, *factor, 0))
            })
            .unwrap();
        graph.replay().unwrap();
        graph.captures_mut().1 = 5;
        graph.replay().unwrap();
        graph.replay().unwrap();
        // An old replay may still run when the new value is recorded.
        graph.captures_mut().1 = 7;
        graph.replay().unwrap();
        let (a, factor) = graph.into_captures();
        assert_eq!(factor, 7);
        assert!(a.to_vec().unwrap() == [2 * 5 * 5 * 7; N], "{view}");
    });
}

#[test]
fn values_behind_shared_references_change_between_replays() {
    everywhere(|view| {
        let factor = Cell::new(2);
        let mut a = array(view, &[1; N]);
        let graph = view
            .record(|g| g.parallel_for_each(N, affine(&mut a, factor.get(), 0)))
            .unwrap();
        graph.replay().unwrap();
        factor.set(3);
        graph.replay().unwrap();
        drop(graph);
        assert!(a.to_vec().unwrap() == [6; N], "{view}");
    });
}

/// The host sees each replay, and each replay what the host wrote.
#[test]
fn the_host_reads_and_writes_between_replays() {
    everywhere(|view| {
        let (mut data, table) = (vec![1_u32; N], numbers());
        let x = ArrayViewMut::new(N, &mut data).unwrap();
        let table = ArrayView::new(N, &table).unwrap();
        let mut y = ArrayViewMut::uninit(N).unwrap();
        y.discard_data();
        let mut graph = view
            .record_with((x, y), |g, (x, y)| {
                g.parallel_for_each(N, spread(&table, y))?;
                g.parallel_for_each(N, affine(x, 2, 1))
            })
            .unwrap();
        for round in 1..6_u32 {
            graph.replay().unwrap();
            assert_eq!(graph.captures().0[17], (2 << round) - 1, "{view}");
        }
        assert!(
            graph.captures().1.data().unwrap() == spread_here(&numbers()),
            "{view}"
        );
        graph.captures_mut().0[17] = 100;
        graph.captures_mut().1.data_mut().unwrap().fill(0);
        graph.replay().unwrap();
        let (x, y) = graph.captures();
        assert_eq!((x[16], x[17]), (127, 201), "{view}");
        assert_eq!(y.to_vec().unwrap(), spread_here(&numbers()), "{view}");
        drop(graph);
        assert_eq!(data[17], 201, "{view}");
    });
}

/// Every accelerator calls it as often, whatever has changed.
#[test]
fn each_replay_calls_the_closure_once() {
    for view in new_views() {
        let calls = AtomicUsize::new(0);
        let mut graph = view
            .record_with((array(&view, &[1; N]), 3), |g, (a, factor)| {
                calls.fetch_add(1, Ordering::Relaxed);
                g.parallel_for_each(N, affine(a, *factor, 0))
            })
            .unwrap();
        for round in 1..10 {
            graph.replay().unwrap();
            assert_eq!(calls.load(Ordering::Relaxed), 1 + round, "{view}");
            match round % 3 {
                0 => graph.captures_mut().1 += 1,
                1 => assert!(graph.captures().0.to_vec().is_ok()),
                _ => {}
            }
        }
    }
}

/// Other arrays are other launches.
#[test]
fn captured_arrays_can_be_exchanged() {
    everywhere(|view| {
        let captures = (array(view, &[1; N]), array(view, &[10; N]));
        let mut graph = view
            .record_with(captures, |g, (a, b)| {
                g.parallel_for_each(N, affine(a, 2, 0))?;
                g.parallel_for_each(N, affine(b, 3, 0))
            })
            .unwrap();
        graph.replay().unwrap();
        let (a, b) = graph.captures_mut();
        std::mem::swap(a, b);
        graph.replay().unwrap();
        graph.captures_mut().0 = array(view, &[7; N / 2 * 2]);
        graph.replay().unwrap();
        let (a, b) = graph.into_captures();
        assert_eq!(a.to_vec().unwrap()[N - 1], 14, "{view}");
        assert_eq!(b.to_vec().unwrap()[0], 2 * 3 * 3, "{view}");
    });
}

/// Data that another accelerator view has worked on comes back before the next replay.
#[test]
fn data_travels_between_replays_on_two_views() {
    for [first, second] in pairs() {
        let mut data = vec![1_u32; N];
        let x = ArrayViewMut::new(N, &mut data).unwrap();
        let mut graph = first
            .record_with(x, |g, x| g.parallel_for_each(N, affine(x, 3, 1)))
            .unwrap();
        let mut expected = 1_u32;
        for _ in 0..4 {
            graph.replay().unwrap();
            launch(&second, N, affine(graph.captures_mut(), 5, 2)).unwrap();
            expected = (expected.wrapping_mul(3) + 1).wrapping_mul(5) + 2;
        }
        drop(graph);
        assert!(data == [expected; N], "{first}, {second}");
    }
    assert_silent();
}

/// Graphs of two views over parts of one body of data.
#[test]
fn graphs_of_two_views_share_what_they_do_not_write() {
    for [first, second] in pairs() {
        let mut data = vec![1_u32; N];
        let mut x = ArrayViewMut::new(N, &mut data).unwrap();
        let (mut upper, mut lower) = x.split_at_mut(0, 1237).unwrap();
        let table = numbers();
        let table = ArrayView::new(N, &table).unwrap();
        let record = |view: &AcceleratorView, part: &mut ArrayViewMut<'_, u32, 1>| {
            let extent = part.extent();
            let graph = view.record(|g| {
                g.parallel_for_each(extent, spread(&table, part))?;
                g.parallel_for_each(extent, affine(part, 3, 1))
            });
            let graph = graph.unwrap();
            for _ in 0..3 {
                graph.replay().unwrap();
            }
        };
        record(&first, &mut upper);
        record(&second, &mut lower);
        drop(x);
        let expected = spread_here(&numbers());
        let expected = expected.iter().map(|x| x.wrapping_mul(3).wrapping_add(1));
        // `spread` wraps around the whole table, whatever part it writes.
        let first_part: Vec<u32> = expected.clone().take(1237).collect();
        assert!(data[..1237] == first_part, "{first}, {second}");
        let second_part: Vec<u32> = expected.take(N - 1237).collect();
        assert!(data[1237..] == second_part, "{first}, {second}");
    }
    assert_silent();
}

#[amp_kernel]
fn say(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] += 1;
    if idx[0] % 2 == 0 {
        println!("{} at {}", x[idx], idx[0]);
    }
}

/// The prints of a replay together, although replays follow each other at once.
#[test]
fn replays_print_one_after_the_other() {
    for view in new_views() {
        let said = Arc::new(Mutex::new(Vec::new()));
        let hook = Arc::clone(&said);
        view.set_print_hook(move |print: &KernelPrint| {
            hook.lock().unwrap().push(print.text.trim_end().to_owned());
        });
        let mut x = array(&view, &[0; 4]);
        let graph = view
            .record(|g| {
                g.parallel_for_each(4, say(&mut x))?;
                g.parallel_for_each(4, affine(&mut x, 10, 0))
            })
            .unwrap();
        for _ in 0..3 {
            graph.replay().unwrap();
        }
        view.wait().unwrap();
        let expected = [
            "1 at 0", "1 at 2", "11 at 0", "11 at 2", "111 at 0", "111 at 2",
        ];
        assert_eq!(*said.lock().unwrap(), expected, "{view}");
    }
    assert_silent();
}

/// Arguments that do not fit push constants.
#[amp_kernel]
fn sum_of_four(
    idx: Index<1>,
    a: &ArrayView<u32, 1>,
    b: &ArrayView<u32, 1>,
    c: &ArrayView<u32, 1>,
    d: &ArrayView<u32, 1>,
    more: [u32; 24],
    sum: &mut ArrayViewMut<u32, 1>,
) {
    let mut total = a[idx] + b[idx] + c[idx] + d[idx] + sum[idx];
    for x in more {
        total += x;
    }
    sum[idx] = total;
}

#[test]
fn many_arguments_are_kept() {
    everywhere(|view| {
        let a = array(view, &numbers());
        let captures = (array(view, &[0; N]), 1_u32);
        let mut graph = view
            .record_with(captures, |g, (sum, weight)| {
                for k in 0..5 {
                    let more = [k * *weight; 24];
                    g.parallel_for_each(N, sum_of_four(&a, &a, &a, &a, more, sum))?;
                }
                Ok(())
            })
            .unwrap();
        graph.replay().unwrap();
        graph.captures_mut().1 = 100;
        graph.replay().unwrap();
        let of = |x: u32| x.wrapping_mul(40).wrapping_add(24 * 10 * 101);
        let expected: Vec<u32> = numbers().into_iter().map(of).collect();
        assert!(graph.captures().0.to_vec().unwrap() == expected, "{view}");
    });
}

/// Replays that run keep what they need, even if the graph and its view are dropped.
#[test]
fn graphs_can_go_while_they_run() {
    for view in new_views() {
        let mut a = array(&view, &numbers());
        let mut b = array(&view, &[0; N]);
        for round in 0..10 {
            let graph = view
                .record(|g| {
                    g.parallel_for_each(N, spread(&a, &mut b))?;
                    g.parallel_for_each(N, spread(&b, &mut a))
                })
                .unwrap();
            graph.replay().unwrap();
            if round % 2 == 0 {
                std::mem::forget(graph);
            }
        }
        let expected = (0..20).fold(numbers(), |data, _| spread_here(&data));
        assert!(a.to_vec().unwrap() == expected, "{view}");
        // The arrays go first, then the graph, then the view.
        let graph = view.record_with((a, b), |g, (a, b)| g.parallel_for_each(N, spread(a, b)));
        let graph = graph.unwrap();
        graph.replay().unwrap();
        view.flush().unwrap();
        drop(view);
        graph.replay().unwrap();
        drop(graph.into_captures());
    }
    assert_silent();
}

#[test]
fn many_threads_replay_and_launch_on_one_view() {
    for view in new_views() {
        let (mut shared, mut own) = (
            array(&view, &[0; N]),
            [1, 2, 3].map(|x| array(&view, &[x; N])),
        );
        let graph = view
            .record(|g| {
                for _ in 0..4 {
                    g.parallel_for_each(N, affine(&mut shared, 1, 1))?;
                }
                Ok(())
            })
            .unwrap();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| (0..50).for_each(|_| graph.replay().unwrap()));
            }
            for array in &mut own {
                scope.spawn(|| {
                    let graph = view
                        .record(|g| g.parallel_for_each(N, affine(array, 3, 1)))
                        .unwrap();
                    (0..20).for_each(|_| graph.replay().unwrap());
                    drop(graph);
                    (0..20).for_each(|_| launch(&view, N, affine(array, 5, 2)).unwrap());
                });
            }
        });
        drop(graph);
        assert!(shared.to_vec().unwrap() == [600; N], "{view}");
        for (array, start) in own.iter().zip(1_u32..) {
            let step = |x: u32, factor: u32, summand| x.wrapping_mul(factor).wrapping_add(summand);
            let replayed = (0..20).fold(start, |x, _| step(x, 3, 1));
            let expected = (0..20).fold(replayed, |x, _| step(x, 5, 2));
            assert!(array.to_vec().unwrap() == [expected; N], "{view}");
        }
    }
    assert_silent();
}

#[test]
fn immediate_views_replay_at_once() {
    for accelerator in testkit::accelerators() {
        let view = accelerator.create_view(QueuingMode::Immediate).unwrap();
        let mut a = array(&view, &[1; N]);
        let graph = view
            .record(|g| g.parallel_for_each(N, affine(&mut a, 2, 1)))
            .unwrap();
        let time = view.elapsed(|| {
            graph.replay()?;
            graph.replay()
        });
        assert!(time.unwrap().as_nanos() > 0);
        drop(graph);
        assert!(a.to_vec().unwrap() == [7; N], "{view}");
    }
    assert_silent();
}

/// Launches and replays that a view's profile has of a replay.
fn activities(view: &AcceleratorView, replay: impl FnOnce() -> amp::Result<()>) -> (usize, usize) {
    let ((), profile) = view.profile(replay).unwrap();
    let count = |is: fn(&Activity) -> bool| {
        let events = profile.events().iter();
        events.filter(|event| is(&event.activity)).count()
    };
    (
        count(|activity| matches!(activity, Activity::Launch { .. })),
        count(|activity| matches!(activity, Activity::Replay { launches: 3 })),
    )
}

/// A device takes a replay for one command, unless the data of its launches is used
/// before all are made. The CPU accelerator takes it for its launches.
#[test]
fn profiles_have_replays() {
    for view in new_views() {
        let looks = Cell::new(false);
        let mut a = array(&view, &[1; N]);
        let graph = view
            .record(|g| {
                for k in 0..3 {
                    g.parallel_for_each(N, affine(&mut a, 2, 1))?;
                    if looks.get() && k == 1 {
                        a.to_vec()?;
                    }
                }
                Ok(())
            })
            .unwrap();
        let is_cpu = view.accelerator() == Accelerator::cpu();
        for look in [false, true, false] {
            looks.set(look);
            let expected = if is_cpu || look { (3, 0) } else { (0, 1) };
            let found = activities(&view, || graph.replay());
            assert_eq!(found, expected, "{view}: {look}");
        }
    }
    assert_silent();
}
