//! Recorded launches that fault, and recordings that are refused.

use amp::Error;
use amp::prelude::*;
use testkit::{assert_silent, everywhere, new_views, pairs};

use super::graph::{N, affine, array, numbers, spread, spread_here};

#[amp_kernel]
fn look_up(idx: Index<1>, at: &ArrayView<u32, 1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] = x[at[idx] as usize] + 1;
}

#[test]
fn faults_of_replays_are_told_once() {
    for view in new_views() {
        let at: Vec<u32> = (0..100).collect();
        let captures = (array(&view, &at), array(&view, &[5; 100]));
        let mut graph = view
            .record_with(captures, |g, (at, x)| {
                g.parallel_for_each(100, affine(x, 1, 1))?;
                g.parallel_for_each(100, look_up(at, x))
            })
            .unwrap();
        graph.replay().unwrap();
        view.wait().unwrap();
        for _ in 0..3 {
            let mut wrong = at.clone();
            wrong[42] = 1000;
            graph.captures_mut().0.copy_from(&wrong).unwrap();
            graph.replay().unwrap();
            graph.replay().unwrap();
            match view.wait() {
                Err(Error::KernelFault(fault)) => {
                    assert_eq!((&*fault.kernel, &fault.thread[..]), ("look_up", &[42][..]));
                    assert!(fault.message.contains("the index is 1000"), "{fault}");
                    assert!(fault.file.ends_with("graph_errors.rs"), "{fault}");
                }
                other => panic!("{view}: {other:?}"),
            }
            view.wait().unwrap();
            graph.captures_mut().0.copy_from(&at).unwrap();
            graph.replay().unwrap();
            view.wait().unwrap();
        }
        // Who looks at the data is told as well.
        graph.captures_mut().0.copy_from(&[999; 100]).unwrap();
        graph.replay().unwrap();
        let told = graph.captures().1.to_vec();
        assert!(
            matches!(told, Err(Error::KernelFault(_))),
            "{view}: {told:?}"
        );
    }
    assert_silent();
}

#[test]
fn a_recording_refuses_what_a_launch_refuses() {
    for [first, second] in pairs() {
        let mut a = array(&second, &[1; N]);
        let error = first
            .record(|g| g.parallel_for_each(N, affine(&mut a, 2, 0)))
            .unwrap_err();
        assert!(matches!(&error, Error::ViewMismatch { kernel, .. } if kernel == "affine"));
        let error = second
            .record(|g| g.parallel_for_each(0, affine(&mut a, 2, 0)))
            .unwrap_err();
        assert!(matches!(error, Error::InvalidComputeDomain(_)), "{error}");
        assert!(a.to_vec().unwrap() == [1; N]);
        let own = second.record(|_| Err(Error::InvalidArgument("mine".into())));
        assert_eq!(own.unwrap_err().to_string(), "invalid argument: mine");
    }
}

/// A graph that could not be changed goes on as it is asked to, not as it was.
#[test]
fn a_change_that_is_refused_is_refused_at_each_replay() {
    everywhere(|view| {
        let mut graph = view
            .record_with((array(view, &[1; N]), N), |g, (a, n)| {
                g.parallel_for_each(*n, affine(a, 2, 0))
            })
            .unwrap();
        graph.replay().unwrap();
        graph.captures_mut().1 = 0;
        for _ in 0..2 {
            let error = graph.replay().unwrap_err();
            assert!(matches!(error, Error::InvalidComputeDomain(_)), "{error}");
        }
        graph.captures_mut().1 = N;
        graph.replay().unwrap();
        assert!(graph.captures().0.to_vec().unwrap() == [4; N], "{view}");
    });
}

#[test]
fn what_the_closure_makes_may_be_read_but_not_written() {
    everywhere(|view| {
        let table = numbers();
        let mut out = array(view, &[0; N]);
        let graph = view
            .record(|g| {
                let table = ArrayView::new(N, &table)?;
                g.parallel_for_each(N, spread(&table, &mut out))?;
                // A view of an array is the array.
                g.parallel_for_each(10, affine(&mut out.section_mut([5], [10])?, 2, 0))
            })
            .unwrap();
        graph.replay().unwrap();
        graph.replay().unwrap();
        drop(graph);
        let mut expected = spread_here(&table);
        expected[5..15]
            .iter_mut()
            .for_each(|x| *x = x.wrapping_mul(2));
        assert!(out.to_vec().unwrap() == expected, "{view}");

        let mut data = vec![0_u32; N];
        let error = view
            .record(|g| {
                let mut x = ArrayViewMut::new(N, &mut data)?;
                g.parallel_for_each(N, affine(&mut x, 2, 1))
            })
            .unwrap_err();
        let text = error.to_string();
        assert!(text.contains("kernel `affine` writes"), "{view}: {text}");
        assert!(text.contains("record_with"), "{view}: {text}");
    });
}
