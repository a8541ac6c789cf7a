//! The end of a process.

use std::env;
use std::process::{self, Command};

use amp::prelude::*;

#[amp_kernel]
fn work_a_while(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    let mut value = x[idx];
    for i in 0..2000u32 {
        value = value * 3 + i;
    }
    x[idx] = value;
}

/// Says that the process is one of its own.
const CHILD: &str = "AMP_TESTS_EXITS";

fn end_with_a_launch_under_way() -> ! {
    let mut data = vec![1; 1 << 16];
    let mut x = ArrayViewMut::new(1 << 16, &mut data).unwrap();
    let view = Accelerator::all()[0].default_view().unwrap();
    view.parallel_for_each(1 << 16, work_a_while(&mut x))
        .unwrap();
    view.flush().unwrap();
    process::exit(0);
}

/// The device may be compiling the kernel then.
#[test]
fn a_process_may_end_with_a_launch_under_way() {
    if env::var_os(CHILD).is_some() {
        end_with_a_launch_under_way();
    }
    for _ in 0..5 {
        let child = Command::new(env::current_exe().unwrap())
            .args([
                "--exact",
                "exits::a_process_may_end_with_a_launch_under_way",
            ])
            .env(CHILD, "1")
            .env("AMP_CACHE_DIR", "")
            .output()
            .unwrap();
        assert!(child.status.success(), "{child:?}");
    }
}
