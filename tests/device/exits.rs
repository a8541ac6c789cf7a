//! The end of a process.

use std::env;
use std::process::{self, Command};
use std::thread;
use std::time::Duration;

use amp::prelude::*;

#[amp_kernel]
fn work_a_while(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    let mut value = x[idx];
    for i in 0..2000u32 {
        value = value * 3 + i;
    }
    x[idx] = value;
}

#[amp_kernel]
fn add_three(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] += 3;
}

/// Says that the process is one of its own.
const CHILD: &str = "AMP_TESTS_EXITS";

/// Lets a test run in a process of its own, several times, where `what` ends it.
fn several_times(test: &str, what: fn() -> !) {
    if env::var_os(CHILD).is_some() {
        what();
    }
    for _ in 0..5 {
        let child = Command::new(env::current_exe().unwrap())
            .args(["--exact", &format!("exits::{test}")])
            .env(CHILD, "1")
            .env("AMP_CACHE_DIR", "")
            .output()
            .unwrap();
        assert!(child.status.success(), "{child:?}");
    }
}

/// The device may be compiling the kernel then.
#[test]
fn a_process_may_end_with_a_launch_under_way() {
    several_times("a_process_may_end_with_a_launch_under_way", || {
        let mut data = vec![1; 1 << 16];
        let mut x = ArrayViewMut::new(1 << 16, &mut data).unwrap();
        let view = Accelerator::all()[0].default_view().unwrap();
        view.parallel_for_each(1 << 16, work_a_while(&mut x))
            .unwrap();
        view.flush().unwrap();
        process::exit(0);
    });
}

/// LLVM destroys at the end of the process what it made when it compiled the first kernel, and
/// lavapipe compiles the second one only when the end of the process sends its launch.
#[test]
fn a_second_kernel_may_be_compiled_while_the_process_ends() {
    several_times(
        "a_second_kernel_may_be_compiled_while_the_process_ends",
        || {
            let view = Accelerator::all()[0].default_view().unwrap();
            let mut x = Array::<u32, 1>::builder(64).on(&view).build().unwrap();
            view.parallel_for_each(64, work_a_while(&mut x)).unwrap();
            thread::sleep(Duration::from_millis(300));
            view.parallel_for_each(64, add_three(&mut x)).unwrap();
            process::exit(0);
        },
    );
}
