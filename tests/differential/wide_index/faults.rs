//! Faults and messages, which tell all the bits of an index.

use std::sync::{Arc, Mutex};

use amp::prelude::*;
use amp::{Error, KernelFault};
use testkit::{assert_silent, launch, new_views};

/// Launches on every accelerator over one thread, and tells the fault.
fn fault_of(
    launch_on: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, u32, 1>) -> amp::Result<()>,
    check: impl Fn(&KernelFault),
) {
    for view in new_views() {
        let mut data = [0_u32; 24];
        let mut out = ArrayViewMut::new(24, &mut data).unwrap();
        launch_on(&view, &mut out).unwrap();
        let Err(Error::KernelFault(fault)) = view.wait() else {
            panic!("{view}: no fault")
        };
        check(&fault);
        drop(out);
        assert_eq!(data, [0; 24], "{view}");
    }
    assert_silent();
}

fn says(
    message: &str,
    launch_on: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, u32, 1>) -> amp::Result<()>,
) {
    fault_of(launch_on, |fault| assert_eq!(fault.message, message));
}

#[amp_kernel(index = 64)]
fn element(idx: Index<1>, at: usize, out: &mut ArrayViewMut<u32, 1>) {
    out[idx[0] + at] = 1;
}

#[amp_kernel(index = 64)]
fn array(idx: Index<1>, at: usize, out: &mut ArrayViewMut<u32, 1>) {
    let table = [1, 2, 3];
    out[idx] = table[at];
}

#[amp_kernel(index = 64)]
fn grid_element(idx: Index<1>, at: Index<2>, out: &mut ArrayViewMut<u32, 1>) {
    let mut grid = out.view_as([4, 6]);
    grid[at] = 1 + idx[0] as u32;
}

#[test]
fn indices_out_of_bounds() {
    // The lowest 32 bits of each are in bounds.
    for at in [1 << 32, (5 << 33) + 2, 1 << 63, usize::MAX - 0xffff_ffff] {
        let extent = format!("index out of bounds: the extent is 24 but the index is {at}");
        says(&extent, |view, out| launch(view, 1, element(at, out)));
        let length = format!("index out of bounds: the length is 3 but the index is {at}");
        says(&length, |view, out| launch(view, 1, array(at, out)));
        let rows = format!("index out of bounds: the extent is 6 but the index is {at}");
        says(&rows, |view, out| {
            launch(view, 1, grid_element(Index::new([1, at]), out))
        });
    }
}

#[amp_kernel(index = 64)]
fn section(idx: Index<1>, origin: usize, length: usize, out: &mut ArrayViewMut<u32, 1>) {
    let mut part = out.section([origin], [length]);
    part[idx] = 1;
}

#[amp_kernel(index = 64)]
fn shape(idx: Index<1>, rows: usize, columns: usize, out: &mut ArrayViewMut<u32, 1>) {
    let mut part = out.view_as([rows, columns]);
    part[[idx[0], 0]] = 1;
}

#[amp_kernel(index = 64)]
fn row(idx: Index<1>, row: usize, out: &mut ArrayViewMut<u32, 1>) {
    let mut grid = out.view_as([4, 6]);
    let mut part = grid.row(row);
    part[idx] = 1;
}

#[test]
fn views_that_do_not_fit() {
    let far = 1 << 32;
    says(
        &format!("section out of bounds: 2 elements from {far} on are not within the view"),
        |view, out| launch(view, 1, section(far, 2, out)),
    );
    let long = usize::MAX - 3;
    says(
        &format!("section out of bounds: {long} elements from 5 on are not within the view"),
        |view, out| launch(view, 1, section(5, long, out)),
    );
    // The products are 0 modulo 2³² and modulo 2⁶⁴.
    for (rows, columns) in [(1 << 16, 1 << 16), (1 << 32, 1 << 32), (3, 1 << 63)] {
        says(
            "view_as with more elements than the 24 of the view",
            |view, out| launch(view, 1, shape(rows, columns, out)),
        );
    }
    says(
        &format!("index out of bounds: the extent is 4 but the index is {far}"),
        |view, out| launch(view, 1, row(far, out)),
    );
}

#[amp_kernel(index = 64)]
fn divided(idx: Index<1>, by: usize, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = (idx[0] + (1 << 40)) as u32 / (by as u32 + 1) + ((1 << 40) / by) as u32;
}

#[amp_kernel(index = 64)]
fn wordy(idx: Index<2>, n: usize, at: isize, out: &mut ArrayViewMut<u32, 1>) {
    assert!(
        n < 1 << 40,
        "{n} and {at:x} and {} of {idx:?} in {:?}",
        7_u8,
        out.extent()
    );
    out[idx[1]] = 0;
}

#[test]
fn words_of_faults() {
    says("attempt to divide by zero", |view, out| {
        launch(view, 1, divided(0, out))
    });
    let (n, at) = (usize::MAX - 5, -(1 << 35));
    says(
        &format!("{n} and {at:x} and 7 of Index([0, 0]) in Extent([24])"),
        |view, out| launch(view, [1, 1], wordy(n, at, out)),
    );
}

#[amp_kernel(index = 64)]
fn prints(idx: Index<2>, n: usize) {
    println!(
        "{idx:?} {:?} {n:#x} {:?}",
        idx + [n, 0],
        (idx[1] as isize - 7, [n; 2])
    );
}

#[test]
fn prints_tell_all_bits() {
    let n = (1 << 50) + 1;
    for view in new_views() {
        let heard = Arc::new(Mutex::new(String::new()));
        let text = Arc::clone(&heard);
        view.set_print_hook(move |print| *text.lock().unwrap() += &print.text);
        launch(&view, [1, 2], prints(n)).unwrap();
        view.wait().unwrap();
        let line = |k: isize| {
            format!(
                "Index([0, {k}]) Index([{n}, {k}]) {n:#x} ({}, [{n}, {n}])\n",
                k - 7
            )
        };
        assert_eq!(*heard.lock().unwrap(), line(0) + &line(1), "{view}");
    }
    assert_silent();
}
