//! Homes on every accelerator of the machine, by what is moved and what is not.

use super::*;
use crate::{Accelerator, QueuingMode};

fn views() -> Vec<AcceleratorView> {
    let view = |a: &Accelerator| a.create_view(QueuingMode::Automatic).unwrap();
    Accelerator::all().iter().map(view).collect()
}

/// Does what a launch does that writes the home: data current there, then written.
fn run_on(home: &Home<'_>, view: &AcceleratorView, value: Option<u8>) {
    match view.backend() {
        Backend::Vulkan(stream) => {
            let buffer = home.on_stream(stream).unwrap();
            if let Some(value) = value {
                stream
                    .upload(&buffer, 0, &vec![value; home.bytes()])
                    .unwrap();
            }
        }
        Backend::Cpu(_) => {
            let memory = home.to_host_for_writing().unwrap();
            if let Some(value) = value {
                memory.refill().fill(value);
            }
        }
    }
    home.written_on(view);
}

#[test]
fn the_last_writer_is_seen_everywhere() {
    let mut data = [1u32; 64];
    let home = Home::of_slice(HostMemory::exclusive(&mut data), 4);
    for (round, view) in views().iter().chain(&views()).enumerate() {
        let value = round as u8 + 2;
        run_on(&home, view, Some(value));
        for reader in &views() {
            if let Backend::Vulkan(stream) = reader.backend() {
                let buffer = home.on_stream(stream).unwrap();
                let mut out = [0; 256];
                stream.download(&buffer, 0, &mut out).unwrap();
                assert_eq!(out, [value; 256]);
            }
        }
        assert_eq!(home.to_host().unwrap().bytes(), [value; 256]);
    }
}

#[test]
fn reading_keeps_the_host_current_and_writing_does_not() {
    for view in views() {
        let Backend::Vulkan(stream) = view.backend() else {
            continue;
        };
        let data = [7u32; 16];
        let home = Home::of_slice(HostMemory::shared(&data), 4);
        assert!(home.only().is_some());
        home.on_stream(stream).unwrap();
        assert!(home.current().is_some() && home.only().is_none());
        let mut data = [7u32; 16];
        let home = Home::of_slice(HostMemory::exclusive(&mut data), 4);
        run_on(&home, &view, Some(9));
        assert!(home.current().is_none());
        home.to_host_for_writing().unwrap();
        assert!(home.only().is_some());
    }
}

#[test]
fn discarded_data_is_neither_moved_nor_lost_where_it_is() {
    for view in views() {
        let mut data = [20u8; 256];
        let home = Home::of_slice(HostMemory::exclusive(&mut data), 4);
        run_on(&home, &view, Some(5));
        home.discard();
        if let Backend::Vulkan(stream) = view.backend() {
            // The host keeps what it had, and so does the device.
            assert_eq!(home.to_host().unwrap().bytes(), [20; 256]);
            run_on(&home, &view, None);
            let mut out = [0; 256];
            stream
                .download(&home.on_stream(stream).unwrap(), 0, &mut out)
                .unwrap();
            assert_eq!(out, [5; 256]);
            assert_eq!(home.to_host().unwrap().bytes(), [5; 256]);
        }
    }
}

#[test]
fn a_home_without_source_needs_no_first_copy() {
    for view in views() {
        let home = Home::nowhere(1024, 4);
        run_on(&home, &view, Some(3));
        let mut out = [0; 1024];
        home.read_all(&mut out).unwrap();
        assert_eq!(out, [3; 1024]);
    }
}

#[test]
fn an_array_returns_to_its_view() {
    let all = views();
    for home_view in &all {
        let home = Home::array(home_view, 512, 4).unwrap();
        home.zero().unwrap();
        for other in &all {
            run_on(&home, other, Some(8));
            home.to_source().unwrap();
            if let Backend::Vulkan(stream) = home_view.backend() {
                let state = home.lock();
                let copy = state
                    .copies
                    .iter()
                    .find(|copy| Arc::ptr_eq(&copy.stream, stream));
                assert!(copy.is_some_and(|copy| copy.current));
            }
            let mut out = [0; 512];
            home.read_all(&mut out).unwrap();
            assert_eq!(out, [8; 512]);
        }
    }
}
