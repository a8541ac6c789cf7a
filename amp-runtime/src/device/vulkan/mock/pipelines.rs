//! What goes on while pipelines are made.

use std::thread;

use amp_spirv::artifact::FloatFaults;

use super::super::float_probe::probe;
use super::super::pipeline::Key;
use super::super::pipeline_file::tests::Folder;
use super::super::search::doubled_adapter;
use super::Session;
use crate::device::code::Switches;
use crate::device::profiler::Profiler;
use crate::device::shape::Shape;

/// NVIDIA's driver may hang at the first launch of a pipeline that was.
#[test]
fn with_nvidias_driver_no_pipeline_is_made_while_a_batch_is_sent() {
    let (session, folder) = (Session::new(), Folder::new("sending"));
    let Some(adapter) = doubled_adapter(false, &folder.0) else {
        return;
    };
    let mut adapter = adapter.unwrap();
    adapter.be_nvidia();
    let device = adapter.open().unwrap();
    let stream = device.stream(true).unwrap();
    let buffer = stream.allocate(64).unwrap();
    thread::scope(|scope| {
        let maker = scope.spawn(|| {
            for tile in 1..=64 {
                let shape = Shape::new(&[64], Some(&[tile]), &[], &adapter.limits()).unwrap();
                let none = FloatFaults::default();
                let key = Key::new(probe(), &[], &shape, Switches::OFF, none);
                device.pipeline(probe(), key, &Profiler::new()).unwrap();
            }
        });
        while !maker.is_finished() {
            stream.zero(&buffer).unwrap();
        }
    });
    stream.wait().unwrap();
    assert_eq!(device.pipelines_of(probe()), 64);
    assert_eq!(session.made_while_sending(), 0);
}
