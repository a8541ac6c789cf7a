//! Launches of host versions written by hand, as the macros would emit them.

mod domains;
mod faults;
mod pointwise;
mod tiles;
mod views;

use std::borrow::Cow;
use std::sync::Mutex;

use amp_spirv::artifact::Artifact;

use super::{
    ElementType, Launch, LaunchMemory, RawView, Threads, Turns, Views, execute, execute_in_turns,
};
use crate::types::element::Element;
use crate::types::error::{Error, KernelFault, Result};
use crate::types::index::KernelIndex;

/// A view of all of `data`, row-major.
fn view<T: Element>(extent: &[usize], data: &mut [T]) -> RawView {
    assert_eq!(extent.iter().product::<usize>(), data.len());
    let mut strides = vec![1; extent.len()];
    for dimension in (1..extent.len()).rev() {
        strides[dimension - 1] = strides[dimension] * extent[dimension];
    }
    // SAFETY: the extent covers the slice, which the tests borrow until the launch is over
    // and then read again.
    unsafe {
        let element = ElementType::of::<T>();
        RawView::new(
            data.as_mut_ptr().cast(),
            element,
            extent.to_vec(),
            strides,
            true,
        )
    }
}

fn artifact<I: KernelIndex>(has_barrier: bool) -> Artifact {
    Artifact {
        name: Cow::Borrowed("host_version"),
        spirv: Cow::Borrowed(&[]),
        rank: I::RANK as u32,
        tiled: I::TILE.is_some(),
        has_barrier,
        params: Cow::Borrowed(&[]),
        block_bytes: 0,
        spilled: false,
        constant_bytes: Cow::Borrowed(&[]),
        features: Cow::Borrowed(&[]),
        files: Cow::Borrowed(&[Cow::Borrowed("host_version.rs")]),
        faults: Cow::Borrowed(&[]),
        messages: Cow::Borrowed(&[]),
        ..Artifact::default()
    }
}

fn over<'a>(artifact: &'a Artifact, extent: &[usize], views: Vec<RawView>) -> Launch<'a> {
    Launch {
        artifact,
        stack: 0,
        extent: extent.to_vec(),
        memory: LaunchMemory::new(views),
        is_checked: false,
        printed: Mutex::default(),
    }
}

fn launch<I: KernelIndex>(
    extent: &[usize],
    views: Vec<RawView>,
    has_barrier: bool,
    host_version: impl Fn(I, Views<'_>) + Sync,
) -> Result<()> {
    let artifact = artifact::<I>(has_barrier);
    let launch = over(&artifact, extent, views);
    match has_barrier {
        true => execute_in_turns(
            &|views: Views<'_>, turns: Turns<'_, I>| turns.run(|index| host_version(index, views)),
            &launch,
        ),
        false => execute(
            &|views: Views<'_>, threads: Threads<'_, I>| {
                threads.run(|index| host_version(index, views));
            },
            &launch,
        ),
    }
}

/// The fault of a launch that must have one.
fn fault(result: Result<()>) -> KernelFault {
    match result {
        Err(Error::KernelFault(fault)) => *fault,
        other => panic!("a fault was expected, not {other:?}"),
    }
}
