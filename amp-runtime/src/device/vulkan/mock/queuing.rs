//! When commands of a view reach its device: how often it is given some.

use super::super::pipeline_file::tests::Folder;
use super::super::search::doubled_adapter;
use super::super::validation_messages;
use super::Session;
use super::tell::tell;
use crate::types::error::Result;
use crate::{Accelerator, AcceleratorView, Array, QueuingMode, copy};

const LENGTH: usize = 100;

/// Runs a test on new views of a device, whose memory the host sees or not.
fn everywhere(mode: QueuingMode, test: impl Fn(&Session, &AcceleratorView) -> Result<()>) {
    for unified in [true, false] {
        let session = Session::new();
        let folder = Folder::new("queuing");
        let Some(adapter) = doubled_adapter(unified, &folder.0) else {
            continue;
        };
        let accelerator = Accelerator::new_vulkan(adapter.unwrap());
        let view = accelerator.create_view(mode).unwrap();
        view.set_print_hook(|_| ());
        test(&session, &view).unwrap();
        view.wait().unwrap();
    }
    assert_eq!(validation_messages(), 0);
}

/// How often the device was given commands since this was asked last.
fn submissions(session: &Session) -> usize {
    session.calls().get("queue_submit").copied().unwrap_or(0)
}

fn array(view: &AcceleratorView) -> Result<Array<u32, 1>> {
    Array::builder(LENGTH).on(view).data(&[1; LENGTH]).build()
}

#[test]
fn an_immediate_view_sends_each_command_before_the_call_returns() {
    everywhere(QueuingMode::Immediate, |session, view| {
        let source = array(view)?;
        let mut target = array(view)?;
        let captures = (array(view)?, array(view)?);
        let graph = view.record_with(captures, |g, (source, target)| {
            g.parallel_for_each(LENGTH, tell(source, target, 0))
        })?;
        view.wait()?;
        submissions(session);
        for _ in 0..3 {
            view.parallel_for_each(LENGTH, tell(&source, &mut target, 0))?;
            assert_eq!(submissions(session), 1, "a launch");
            copy(&source, &mut target)?;
            assert_eq!(submissions(session), 1, "a copy");
            graph.replay()?;
            assert_eq!(submissions(session), 1, "a replay");
            let zeroes: Array<u32, 1> = Array::builder(LENGTH).on(view).build()?;
            assert_eq!(submissions(session), 1, "zeroes");
            view.flush()?;
            assert_eq!(submissions(session), 0, "nothing is left");
            drop(zeroes);
        }
        target.copy_from(&[5; LENGTH])?;
        let sent = submissions(session);
        view.flush()?;
        assert_eq!(
            submissions(session),
            0,
            "an upload, of which {sent} went out"
        );
        assert_eq!(target.to_vec()?, [5; LENGTH]);
        Ok(())
    });
}

/// One launch, then two at a time or more: whenever the device has nothing to do.
#[test]
fn an_automatic_view_gathers_launches() {
    const LAUNCHES: usize = 200;
    everywhere(QueuingMode::Automatic, |session, view| {
        let source = array(view)?;
        let mut target = array(view)?;
        // What a kernel's first launch needs is made.
        view.parallel_for_each(LENGTH, tell(&source, &mut target, 0))?;
        view.wait()?;
        submissions(session);
        view.parallel_for_each(LENGTH, tell(&source, &mut target, 0))?;
        assert_eq!(submissions(session), 1, "the first goes out at once");
        for _ in 1..LAUNCHES {
            view.parallel_for_each(LENGTH, tell(&source, &mut target, 0))?;
        }
        let sent = submissions(session);
        assert!(sent <= LAUNCHES / 2, "{sent}");
        view.wait()
    });
}
