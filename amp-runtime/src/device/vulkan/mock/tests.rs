//! What happens when calls of the driver fail: each in turn, of each function.
//!
//! Whatever fails, there is an error of the right kind or none; nothing panics, hangs or is
//! left behind; slices have what they had, or what was computed; and afterwards the view works,
//! or, if it was removed, a new one.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::env;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ash::vk;

use super::super::convert::is_out_of_memory;
use super::super::pipeline_file::tests::Folder;
use super::super::search::doubled_adapter;
use super::super::validation_messages;
use super::scenario::scenario;
use super::tell::tell;
use super::{Fault, Session};
use crate::types::error::Error;
use crate::{Accelerator, AcceleratorView, Array, ArrayViewMut, QueuingMode, Variant};

/// Elements of small and of large transfers.
const SMALL: usize = 100;
const LARGE: usize = 70_000;
/// Calls of a function that are tried at most: some poll.
const MOST: usize = 40;
/// About as many are tried unless more are wanted.
const FEW: usize = 2;

/// The scenario, with what must hold whether it fails or not.
fn play(view: &AcceleratorView, length: usize) -> crate::Result<()> {
    let mut data = vec![7; length];
    let result = scenario(view, &mut data);
    match result {
        Ok(()) => assert!(data.iter().all(|&element| element == 2)),
        // The launch that faults leaves a one.
        Err(_) => assert!(data.iter().all(|element| [7, 1, 2].contains(element))),
    }
    result
}

fn create_view(accelerator: &Accelerator) -> crate::Result<AcceleratorView> {
    let view = accelerator.create_view(QueuingMode::Automatic)?;
    view.set_print_hook(|_| ());
    Ok(view)
}

/// Lets a call fail while the scenario plays. Returns whether it has come to that.
fn try_with(session: &Session, unified: bool, length: usize, fault: Option<Fault>) -> bool {
    let folder = Folder::new("mock");
    if let Some(fault) = fault {
        session.expect(fault);
    }
    let Some(adapter) = doubled_adapter(unified, &folder.0) else {
        return false;
    };
    let accelerator = adapter.map(Accelerator::new_vulkan);
    let view = accelerator.as_ref().map_err(Error::clone);
    let view = view.and_then(create_view);
    let result = match &view {
        Ok(view) => play(view, length),
        Err(error) => Err(error.clone()),
    };
    let has_failed = session.relent();
    let is_lost = fault.is_some_and(|fault| fault.result == vk::Result::ERROR_DEVICE_LOST);
    let is_shortage = fault.is_some_and(|fault| is_out_of_memory(fault.result));
    match &result {
        // What was recorded is lost if that cannot be ended; nothing else is with memory.
        Err(error @ Error::AcceleratorViewRemoved { .. }) => assert!(
            is_lost || fault.is_some_and(|fault| fault.function == "end_command_buffer"),
            "{error}"
        ),
        Err(Error::OutOfMemory { .. }) => assert!(has_failed && is_shortage),
        // There is no driver.
        Err(Error::UnsupportedFeature(_)) => assert_eq!(
            fault.map(|fault| fault.result),
            Some(vk::Result::ERROR_INCOMPATIBLE_DRIVER)
        ),
        Err(error @ Error::Driver { .. }) => assert!(has_failed && !is_shortage, "{error}"),
        Err(error) => panic!("{error:?}"),
        Ok(()) => assert!(!(has_failed && is_lost), "the loss went unnoticed"),
    }
    match view {
        Ok(view) => match view.flush() {
            Err(Error::AcceleratorViewRemoved { .. }) => {
                let again = play(&view, length);
                let is_refused = matches!(again, Err(Error::AcceleratorViewRemoved { .. }));
                assert!(is_refused && result.is_err(), "{again:?}");
            }
            flushed => {
                assert!(flushed.is_ok() && !(has_failed && is_lost), "{flushed:?}");
                // What failed half-way may have left a fault to report.
                let waited = view.wait();
                let is_well = matches!(waited, Ok(()) | Err(Error::KernelFault(_)));
                assert!(is_well, "{waited:?}");
                play(&view, length).expect("the same view works");
            }
        },
        Err(_) => assert!(result.is_err()),
    }
    let accelerator = accelerator.unwrap_or_else(|_| {
        let found = doubled_adapter(unified, &folder.0).expect("devices are there");
        Accelerator::new_vulkan(found.expect("they are found"))
    });
    let new = create_view(&accelerator).expect("a new view");
    play(&new, length).expect("a new view works");
    drop((new, accelerator));
    assert_eq!(session.alive(), [""; 0], "something is left");
    has_failed
}

/// Does that in a thread of its own, so that it cannot hang the test, nor end it.
fn try_and_return(
    unified: bool,
    length: usize,
    fault: Option<Fault>,
) -> Result<(bool, Calls), String> {
    let (started, starts) = mpsc::channel();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let session = Session::new();
        // It may have had to wait for other tests, which take their time.
        let _ = started.send(());
        let has_failed = try_with(&session, unified, length, fault);
        // The receiver waits no more if it took too long.
        let _ = sender.send((has_failed, session.calls()));
    });
    // If there is a panic instead, that is found below.
    let _ = starts.recv();
    receiver
        .recv_timeout(Duration::from_secs(60))
        .map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => format!("{fault:?}: it hangs"),
            mpsc::RecvTimeoutError::Disconnected => format!("{fault:?}: a panic, see above"),
        })
}

type Calls = BTreeMap<&'static str, usize>;

/// What a function can return in place of success.
fn failures(function: &str) -> &'static [vk::Result] {
    use vk::Result as R;
    match function {
        "map_memory" => &[R::ERROR_MEMORY_MAP_FAILED, R::ERROR_OUT_OF_HOST_MEMORY],
        "get_memory_fd" => &[R::ERROR_TOO_MANY_OBJECTS, R::ERROR_OUT_OF_HOST_MEMORY],
        "allocate_memory" => &[R::ERROR_OUT_OF_DEVICE_MEMORY, R::ERROR_OUT_OF_HOST_MEMORY],
        "create_instance" => &[R::ERROR_OUT_OF_HOST_MEMORY, R::ERROR_INCOMPATIBLE_DRIVER],
        "create_device" => &[
            R::ERROR_OUT_OF_HOST_MEMORY,
            R::ERROR_INITIALIZATION_FAILED,
            R::ERROR_DEVICE_LOST,
        ],
        "queue_submit"
        | "wait_semaphores"
        | "get_semaphore_counter_value"
        | "get_query_pool_results" => &[R::ERROR_OUT_OF_HOST_MEMORY, R::ERROR_DEVICE_LOST],
        _ => &[R::ERROR_OUT_OF_DEVICE_MEMORY],
    }
}

/// Lets calls of each function fail, alone or with all later ones: each call both ways if the
/// environment says `AMP_TEST_EVERY_CALL=1`, else some of them one way.
fn try_all(unified: bool, length: usize) {
    let wants_all = env::var_os("AMP_TEST_EVERY_CALL").is_some_and(|value| value == "1");
    let (most, ways) = if wants_all { (MOST, 2) } else { (FEW, 1) };
    // It plays twice if nothing fails.
    let (_, calls) = try_and_return(unified, length, None).expect("nothing fails");
    let (mut tried, mut wrong) = (0, Vec::new());
    for (&function, &count) in &calls {
        let some = (0..count.min(MOST)).step_by(count.min(MOST).div_ceil(most));
        let some = some.flat_map(|call| failures(function).iter().map(move |it| (call, *it)));
        for (number, (call, result)) in some.enumerate() {
            // By turns, unless all are wanted.
            for lasts in [number % 2 == 0, number % 2 == 1].into_iter().take(ways) {
                let fault = Fault {
                    function,
                    call,
                    lasts,
                    result,
                };
                match try_and_return(unified, length, Some(fault)) {
                    Ok((has_failed, _)) => tried += usize::from(has_failed),
                    Err(what) => wrong.push(what),
                }
            }
        }
    }
    println!("{tried} calls failed, of {calls:?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tried > 15 || calls.is_empty());
    assert_eq!(validation_messages(), 0);
}

#[test]
fn every_call_may_fail_where_memory_is_shared() {
    try_all(true, SMALL);
}

#[test]
fn every_call_may_fail_where_memory_is_not_shared() {
    try_all(false, SMALL);
}

#[test]
fn every_call_may_fail_in_large_transfers() {
    try_all(false, LARGE);
}

/// Lets a call fail while a kernel is launched, or replayed. If that is refused and the view
/// goes on, the data is what it was, on the host and on the device.
fn try_to_launch(
    unified: bool,
    mode: QueuingMode,
    replays: bool,
    fault: Fault,
) -> crate::Result<bool> {
    let session = Session::new();
    let folder = Folder::new("refused");
    let Some(adapter) = doubled_adapter(unified, &folder.0) else {
        return Ok(false);
    };
    let view = Accelerator::new_vulkan(adapter?).create_view(mode)?;
    view.set_print_hook(|_| ());
    let array = |value| {
        let builder = Array::<u32, 1>::builder(SMALL).on(&view);
        builder.data(&[value; SMALL]).build()
    };
    let (from, mut seen, mut data) = (array(1)?, array(0)?, [7; SMALL]);
    let to = RefCell::new(ArrayViewMut::new(SMALL, &mut data)?);
    // All pipelines are there, and the host has what the device has.
    view.prepare(&[Variant::new(SMALL, tell(&from, &mut *to.borrow_mut(), 0))])?;
    view.wait()?;
    let graph = view.record(|g| match replays {
        true => g.parallel_for_each(SMALL, tell(&from, &mut *to.borrow_mut(), 0)),
        false => Ok(()),
    })?;
    session.expect(fault);
    let launched = match replays {
        true => graph.replay(),
        false => view.parallel_for_each(SMALL, tell(&from, &mut *to.borrow_mut(), 0)),
    };
    let has_failed = session.relent();
    drop(graph);
    if view.flush().is_err() {
        assert!(launched.is_err(), "{fault:?}");
        return Ok(has_failed);
    }
    let expected = if launched.is_ok() { 2 } else { 7 };
    let to = to.into_inner();
    view.parallel_for_each(SMALL, tell(&to, &mut seen, 0))?;
    assert_eq!(seen.to_vec()?, [expected + 1; SMALL], "{fault:?}");
    assert_eq!(to.to_vec()?, [expected; SMALL], "{fault:?}");
    view.wait()?;
    Ok(has_failed)
}

#[test]
fn a_launch_that_is_refused_on_a_view_that_goes_on_has_not_run() {
    let functions = [
        "get_semaphore_counter_value",
        "wait_semaphores",
        "queue_submit",
        "begin_command_buffer",
        "allocate_command_buffers",
        "allocate_memory",
        "create_buffer",
    ];
    let (mut tried, mut failed) = (0, 0);
    for function in functions {
        for call in 0..4 {
            for (mode, replays) in [
                (QueuingMode::Automatic, false),
                (QueuingMode::Immediate, false),
                (QueuingMode::Automatic, true),
                (QueuingMode::Immediate, true),
            ] {
                let fault = Fault {
                    function,
                    call,
                    lasts: false,
                    result: match failures(function) {
                        [first, ..] => *first,
                        [] => continue,
                    },
                };
                let has_failed = try_to_launch(call % 2 == 0, mode, replays, fault);
                failed += usize::from(has_failed.expect("only the launch is refused"));
                tried += 1;
            }
        }
    }
    println!("{failed} calls failed in {tried} launches");
    assert_eq!(validation_messages(), 0);
}
