//! The end of a process.

use std::env;
use std::fs;
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

/// Says what a process of its own does.
const CHILD: &str = "AMP_TESTS_EXITS";
const OPEN: &str = "open";

/// Lets a test run in processes of its own, one after the other, which `what` ends.
fn several_times(test: &str, what: fn() -> !) {
    in_processes(test, 5, "", |_| what());
}

/// Lets a test run in so many processes of its own, or `AMP_EXIT_PROCESSES`, one after the other,
/// with `AMP_VALIDATION` set. `what` is told their numbers. Before each of them another process
/// opens the device, so that Mesa has cached what it compiles for that, and nothing else.
fn in_processes(test: &str, count: u64, validation: &str, what: impl FnOnce(u64)) {
    match env::var(CHILD) {
        Ok(role) if role == OPEN => return drop(Accelerator::all()[0].default_view().unwrap()),
        Ok(number) => return what(number.parse().unwrap()),
        Err(_) => {}
    }
    let wanted = env::var("AMP_EXIT_PROCESSES");
    let count = wanted.map_or(count, |count| count.parse().unwrap());
    let cache = env::temp_dir().join(format!("amp-{test}-{}", process::id()));
    for number in 0..count {
        for role in [OPEN, &number.to_string()] {
            let child = Command::new(env::current_exe().unwrap())
                .args(["--exact", &format!("exits::{test}")])
                .env(CHILD, role)
                .env("AMP_CACHE_DIR", "")
                .env("MESA_SHADER_CACHE_DIR", &cache)
                .env("AMP_VALIDATION", validation)
                .output()
                .unwrap();
            assert!(child.status.success(), "{child:?}");
        }
        // Only Mesa makes it.
        let _ = fs::remove_dir_all(&cache);
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

#[amp_kernel]
fn add<const N: u32>(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx] += N;
}

/// Allocates, makes pipelines, launches, copies, waits and drops arrays, without end.
fn use_everything(view: &AcceleratorView, first: usize) -> amp::Result<()> {
    let mut kept = Vec::new();
    for round in first.. {
        let n = 64 + 1000 * (round % 5);
        let mut x = Array::<u32, 1>::builder(n).on(view).build()?;
        match round % 4 {
            0 => view.parallel_for_each(n, add::<1>(&mut x))?,
            1 => view.parallel_for_each(n, add::<2>(&mut x))?,
            2 => view.parallel_for_each(n, add::<3>(&mut x))?,
            _ => view.parallel_for_each(n, add::<4>(&mut x))?,
        }
        if round % 3 == 0 {
            x.to_vec()?;
        }
        if round % 7 == 0 {
            view.wait()?;
        }
        kept.push(x);
        if kept.len() > 5 {
            kept.clear();
        }
    }
    Ok(())
}

/// Makes views, each for a few commands, without end.
fn come_and_go(accelerator: &Accelerator) -> amp::Result<()> {
    loop {
        let view = accelerator.create_view(QueuingMode::Automatic)?;
        let mut x = Array::<u32, 1>::builder(64).on(&view).build()?;
        view.parallel_for_each(64, add::<1>(&mut x))?;
        x.to_vec()?;
    }
}

/// Four threads on two views and one on views of its own work for a while, and go on.
fn leave_threads_at_work() {
    let accelerator = &Accelerator::all()[0];
    let views = [
        accelerator.default_view().unwrap(),
        accelerator.create_view(QueuingMode::Automatic).unwrap(),
    ];
    for (first, view) in views.iter().cycle().take(4).cloned().enumerate() {
        thread::spawn(move || use_everything(&view, first));
    }
    thread::spawn(|| come_and_go(&Accelerator::all()[0]));
    thread::sleep(Duration::from_millis(30));
}

/// The validation layer and drivers destroy then what their functions use.
#[test]
fn main_may_return_while_other_threads_launch() {
    in_processes(
        "main_may_return_while_other_threads_launch",
        10,
        "1",
        |_| leave_threads_at_work(),
    );
}

#[test]
fn a_process_may_exit_while_other_threads_launch() {
    in_processes(
        "a_process_may_exit_while_other_threads_launch",
        10,
        "1",
        |_| {
            leave_threads_at_work();
            process::exit(0);
        },
    );
}

/// Handlers of `exit` that LLVM registers while it compiles would run first then.
#[test]
fn a_thread_without_a_device_may_exit_while_others_launch() {
    in_processes(
        "a_thread_without_a_device_may_exit_while_others_launch",
        10,
        "1",
        |_| {
            leave_threads_at_work();
            let _ = thread::spawn(|| process::exit(0)).join();
        },
    );
}

/// Opens a device on a thread of its own, and goes on while that takes its time.
fn leave_a_device_opening(number: u64) {
    thread::spawn(|| {
        let view = Accelerator::all()[0].default_view().unwrap();
        use_everything(&view, 0)
    });
    thread::sleep(Duration::from_millis(30 * (number % 12)));
}

/// LLVM and the validation layer register then what destroys what they use.
#[test]
fn main_may_return_while_another_thread_opens_a_device() {
    in_processes(
        "main_may_return_while_another_thread_opens_a_device",
        12,
        "1",
        leave_a_device_opening,
    );
}
