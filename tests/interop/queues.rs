//! The queues of a device that the program has opened: which are taken, and who uses them.

use std::thread;

use amp::Error;
use amp::interop::RawQueue;
use amp::interop::ash::vk;
use amp::prelude::*;
use testkit::launch;

use super::machine::{Plan, assert_silent, machines, turn};
use super::{N, affine, array, still_works, works};

#[test]
fn handles_and_queues_that_are_not_there_are_refused() {
    let _turn = turn();
    let others = machines(&Plan::default());
    for (machine, other) in machines(&Plan::default()).iter().zip(&others) {
        let queue = |family, index| RawQueue { family, index };
        let family = machine.family;
        let errors = [
            (
                machine.try_view(|it| it.physical_device = vk::PhysicalDevice::null()),
                "null handle for its physical device".to_owned(),
            ),
            (
                machine.try_view(|it| it.physical_device = other.physical_device),
                "that its instance does not have".into(),
            ),
            (
                machine.try_view(|it| it.queue = queue(99, 0)),
                "no queues of family 99; there are".into(),
            ),
            (
                machine.try_view(|it| it.queue = queue(family, 1)),
                format!("no queue 1 of family {family}, of which it was made with 1;"),
            ),
            (
                machine.try_view(|it| it.transfers = Some(it.queue)),
                "one queue for kernels and transfers".into(),
            ),
            (
                machine.try_view(|it| it.transfers = Some(queue(family, 7))),
                format!("no queue 7 of family {family}"),
            ),
        ];
        for (made, expected) in errors {
            let error = made.unwrap_err();
            assert!(matches!(error, Error::InvalidArgument(_)), "{error}");
            assert!(error.to_string().contains(&expected), "{error}");
        }
        still_works(machine);
    }
    assert_silent();
}

/// A queue for transfers, of the kernels' family and of one for them alone, and times of both,
/// where a device has them.
#[test]
fn transfers_go_on_the_queue_that_is_given_for_them() {
    let _turn = turn();
    for transfers in [false, true] {
        let mut plan = Plan {
            queues: 2,
            transfers,
            ..Plan::default()
        };
        plan.vulkan12.host_query_reset = vk::TRUE;
        for machine in machines(&plan) {
            let alone = machine.copying.map(|family| RawQueue { family, index: 0 });
            let second = (machine.plan.queues == 2).then(|| machine.queue(1));
            let queue = if transfers { alone } else { second };
            let view = machine.try_view(|it| it.transfers = queue).unwrap();
            let families = view.raw_device().unwrap().queue_families;
            assert_eq!(
                families.len(),
                1 + usize::from(transfers && alone.is_some())
            );
            works(&view);
            view.profile(|| {
                works(&view);
                Ok(())
            })
            .unwrap();
            drop(view);
            still_works(&machine);
        }
    }
    assert_silent();
}

/// The queue is one for all of its views, whichever thread uses them.
#[test]
fn many_threads_share_the_queue() {
    let _turn = turn();
    for machine in machines(&Plan::default()) {
        let view = machine.view();
        thread::scope(|scope| {
            for own in [false, true, true] {
                let view = match own {
                    true => view
                        .accelerator()
                        .create_view(QueuingMode::Immediate)
                        .unwrap(),
                    false => view.clone(),
                };
                scope.spawn(move || {
                    let mut x = array(&view);
                    for _ in 0..50 {
                        launch(&view, N, affine(&mut x, 1, 1)).unwrap();
                    }
                    assert_eq!(x.to_vec().unwrap()[7], 57);
                });
            }
            let (view, machine) = (&view, &machine);
            scope.spawn(move || {
                for _ in 0..50 {
                    view.with_raw_queue(|queue| {
                        // SAFETY: the queue is handed out.
                        unsafe {
                            let none = vk::Fence::null();
                            machine.device.queue_submit(queue, &[], none).unwrap();
                        }
                    })
                    .unwrap();
                }
            });
        });
    }
    assert_silent();
}
