//! What kernels have to say: who is told of a fault, and who is shown what is printed.

use std::sync::{Arc, Mutex};

use amp::prelude::*;
use amp::{Error, copy};
use testkit::{assert_silent, launch, new_views};

#[amp_kernel]
fn behind(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx[0] + 1] = 9;
}

#[amp_kernel]
fn above(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>, y: &mut ArrayViewMut<u32, 1>) {
    x[idx] = 8;
    y[idx[0] + 3] = 8;
}

#[amp_kernel]
fn fill(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>, value: u32) {
    x[idx] = value;
}

#[amp_kernel]
fn say(idx: Index<1>, x: &ArrayView<u32, 1>) {
    println!("thread {} has {}", idx[0], x[idx]);
}

const N: usize = 40;

fn array(view: &AcceleratorView) -> Array<u32, 1> {
    Array::builder(N).on(view).build().unwrap()
}

/// The kernel whose fault is told.
#[track_caller]
fn told<T>(result: amp::Result<T>) -> Option<String> {
    match result {
        Ok(_) => None,
        Err(Error::KernelFault(fault)) => Some(fault.kernel),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn a_fault_is_told_to_who_looks_at_what_its_kernel_wrote() {
    for view in new_views() {
        let (mut a, mut b) = (array(&view), array(&view));
        for _ in 0..3 {
            launch(&view, N, behind(&mut a)).unwrap();
            launch(&view, N, fill(&mut b, 7)).unwrap();
            assert_eq!(b.to_vec().unwrap(), [7; N], "{view}: it was written well");
            assert_eq!(told(a.to_vec()).as_deref(), Some("behind"), "{view}");
            assert_eq!(told(a.to_vec()), None, "{view}: once");
            view.wait().unwrap();
        }
        let mut data = [1; N];
        let mut x = ArrayViewMut::new(N, &mut data).unwrap();
        launch(&view, N, behind(&mut x)).unwrap();
        launch(&view, N, fill(&mut b, 6)).unwrap();
        copy(&b, &mut [0; N]).unwrap();
        assert_eq!(told(x.synchronize()).as_deref(), Some("behind"), "{view}");
        x.synchronize().unwrap();
    }
    assert_silent();
}

#[amp_kernel]
fn doubled(idx: Index<1>, from: &ArrayView<u32, 1>, to: &mut ArrayViewMut<u32, 1>) {
    to[idx] = 2 * from[idx];
}

#[test]
fn a_fault_is_told_to_who_looks_at_what_came_of_it() {
    for view in new_views() {
        let (mut a, mut b, mut c, mut d) = (array(&view), array(&view), array(&view), array(&view));
        launch(&view, N, behind(&mut a)).unwrap();
        launch(&view, N, doubled(&a, &mut b)).unwrap();
        launch(&view, N, doubled(&b, &mut c)).unwrap();
        launch(&view, N, fill(&mut d, 7)).unwrap();
        assert_eq!(told(d.to_vec()), None, "{view}");
        assert_eq!(told(c.to_vec()).as_deref(), Some("behind"), "{view}");
        view.wait().unwrap();

        // The launches of a graph pass it on, and so do replays.
        let graph = view
            .record(|g| {
                g.parallel_for_each(N, doubled(&a, &mut b))?;
                g.parallel_for_each(N, doubled(&b, &mut c))
            })
            .unwrap();
        graph.replay().unwrap();
        drop(graph);
        assert_eq!(told(c.to_vec()), None, "{view}");
        launch(&view, N, behind(&mut a)).unwrap();
        let graph = view
            .record(|g| {
                g.parallel_for_each(N, doubled(&a, &mut b))?;
                g.parallel_for_each(N, doubled(&b, &mut c))
            })
            .unwrap();
        graph.replay().unwrap();
        drop(graph);
        assert_eq!(told(d.to_vec()), None, "{view}");
        assert_eq!(told(c.to_vec()).as_deref(), Some("behind"), "{view}");
        view.wait().unwrap();
    }
    assert_silent();
}

#[test]
fn each_reader_is_told_of_its_own_fault_and_who_waits_of_the_first() {
    for view in new_views() {
        let (mut a, mut b, mut c) = (array(&view), array(&view), array(&view));
        launch(&view, N, above(&mut b, &mut c)).unwrap();
        launch(&view, N, behind(&mut a)).unwrap();
        assert_eq!(told(a.to_vec()).as_deref(), Some("behind"), "{view}");
        // It wrote both, and one of their readers is told.
        assert_eq!(told(b.to_vec()).as_deref(), Some("above"), "{view}");
        assert_eq!(told(c.to_vec()), None, "{view}");

        launch(&view, N, above(&mut b, &mut c)).unwrap();
        launch(&view, N, behind(&mut a)).unwrap();
        assert_eq!(told(view.wait()).as_deref(), Some("above"), "{view}");
        for array in [&a, &b, &c] {
            assert_eq!(told(array.to_vec()), None, "{view}");
        }

        // Who looks at a copy is told of what its source had.
        launch(&view, N, behind(&mut a)).unwrap();
        launch(&view, N, above(&mut b, &mut c)).unwrap();
        let copied = copy(&a, &mut b).and_then(|()| b.to_vec());
        assert!(told(copied).is_some(), "{view}");
    }
    assert_silent();
}

#[test]
fn the_faults_of_a_replay_are_told_apart() {
    for view in new_views() {
        let captures = (array(&view), array(&view), array(&view));
        let mut graph = view
            .record_with(captures, |g, (a, b, c)| {
                g.parallel_for_each(N, fill(a, 3))?;
                g.parallel_for_each(N, behind(b))?;
                g.parallel_for_each(N, above(a, c))
            })
            .unwrap();
        graph.replay().unwrap();
        graph.replay().unwrap();
        let (a, b, c) = graph.captures();
        assert_eq!(told(b.to_vec()).as_deref(), Some("behind"), "{view}");
        assert_eq!(told(c.to_vec()).as_deref(), Some("above"), "{view}");
        assert_eq!(told(a.to_vec()), None, "{view}");
        view.wait().unwrap();
    }
    assert_silent();
}

#[test]
fn what_was_printed_is_shown_when_the_view_goes() {
    for view in new_views() {
        let texts = Arc::new(Mutex::new(Vec::new()));
        let shown = Arc::clone(&texts);
        view.set_print_hook(move |print| shown.lock().unwrap().push(print.text.clone()));
        let mut x = Array::builder(3)
            .on(&view)
            .data(&[5, 6, 7])
            .build()
            .unwrap();
        launch(&view, 3, say(&x)).unwrap();
        x.copy_from(&[1, 2, 3]).unwrap();
        launch(&view, 1, say(&x)).unwrap();
        drop((view, x));
        let wanted = ["0 has 5", "1 has 6", "2 has 7", "0 has 1"];
        let wanted = wanted.map(|text| format!("thread {text}\n"));
        assert_eq!(*texts.lock().unwrap(), wanted);
    }
    assert_silent();
}
