//! Everything that calls the driver, act by act.

use super::tell::tell;
use crate::types::error::{Error, Result};
use crate::{
    AcceleratorView, Array, ArrayView, ArrayViewMut, QueuingMode, Variant, copy, copy_async,
};

/// Plays all acts; `data` becomes twos.
pub(super) fn scenario(view: &AcceleratorView, data: &mut [u32]) -> Result<()> {
    let length = data.len();
    launches(view, data)?;
    arrays(view, length)?;
    staging(view, length)?;
    export(view, length)?;
    exchange(view, length)?;
    later(view, length)?;
    graph(view, length)?;
    view.trim()?;
    view.wait()
}

fn array(view: &AcceleratorView, length: usize, value: u32) -> Result<Array<u32, 1>> {
    let data = vec![value; length];
    Array::builder(length).on(view).data(&data).build()
}

/// Kernels that are prepared, print, fault and spill, over slices.
fn launches(view: &AcceleratorView, data: &mut [u32]) -> Result<()> {
    let ones = vec![1u32; data.len()];
    let domain = data.len();
    let from = ArrayView::new(domain, &ones)?;
    let mut to = ArrayViewMut::new(domain, data)?;
    view.prepare(&[Variant::new(domain, tell(&from, &mut to, 0))])?;
    // It faults in its last thread.
    view.parallel_for_each(domain, tell(&from, &mut to, 1))?;
    // Launches that print are limited to a number of buffers.
    for _ in 0..10 {
        view.parallel_for_each(domain, tell(&from, &mut to, 0))?;
    }
    match view.wait() {
        Err(Error::KernelFault(fault)) => assert_eq!(fault.thread, [domain - 1]),
        Err(error) => return Err(error),
        Ok(()) => panic!("there was a fault, but it was not reported"),
    }
    to.synchronize()
}

/// Arrays that are zeroed, written, measured, profiled and read.
fn arrays(view: &AcceleratorView, length: usize) -> Result<()> {
    let mut target = Array::builder(length).on(view).build()?;
    let source = array(view, length, 1)?;
    target.copy_from(&vec![7; length])?;
    view.elapsed(|| view.parallel_for_each(length, tell(&source, &mut target, 0)))?;
    view.flush()?;
    assert_eq!(target.to_vec()?, vec![2; length]);
    view.profile(|| view.parallel_for_each(length, tell(&source, &mut target, 0)))?;
    Ok(())
}

/// Copies to and from memory of the host that the device reaches.
fn staging(view: &AcceleratorView, length: usize) -> Result<()> {
    let mut there = array(view, length, 2)?;
    let mut staging = Array::builder(length).associated(view).build()?;
    there.copy_to(&mut staging)?;
    assert_eq!(staging.data()?, vec![2; length]);
    staging.data_mut()?[0] = 3;
    there.copy_from(&staging)?;
    staging.data_mut()?[0] = 4;
    assert_eq!(there.section(0, 2)?.to_vec()?, [3, 2]);
    Ok(())
}

/// Arrays whose memory other programs can have, where the device lets them.
fn export(view: &AcceleratorView, length: usize) -> Result<()> {
    let array = Array::<u32, 1>::builder(length).on(view).exportable();
    let mut array = match array.build() {
        Err(Error::UnsupportedFeature(_)) => return Ok(()),
        array => array?,
    };
    array.copy_from(&vec![3; length])?;
    #[cfg(unix)]
    drop(array.export_fd()?);
    assert_eq!(array.to_vec()?, vec![3; length]);
    Ok(())
}

/// Copies to another view, which sends at once.
fn exchange(view: &AcceleratorView, length: usize) -> Result<()> {
    let other = view.accelerator().create_view(QueuingMode::Immediate)?;
    other.set_print_hook(|_| ());
    let source = array(view, length, 1)?;
    let mut there = Array::builder(length).on(&other).build()?;
    copy(&source, &mut there)?;
    let mut target = Array::builder(length).on(&other).build()?;
    other.parallel_for_each(length, tell(&there, &mut target, 0))?;
    assert_eq!(target.to_vec()?, vec![2; length]);
    other.wait()
}

/// Copies that go on beside the host, waited for or not, and markers.
fn later(view: &AcceleratorView, length: usize) -> Result<()> {
    let source = array(view, length, 1)?;
    let mut target = array(view, length, 7)?;
    let mut out = vec![7; length];
    view.parallel_for_each(length, tell(&source, &mut target, 0))?;
    drop(view.create_marker());
    copy_async(&target, &mut out[..]).wait()?;
    assert_eq!(out, vec![2; length]);
    drop(copy_async(&source, &mut out[..]));
    copy_async(&source, &mut target).wait()?;
    assert_eq!(target.to_vec()?, vec![1; length]);
    view.create_marker().wait()
}

/// Launches that are recorded and replayed.
fn graph(view: &AcceleratorView, length: usize) -> Result<()> {
    let captures = (array(view, length, 1)?, array(view, length, 7)?);
    let graph = view.record_with(captures, |g, (source, target)| {
        g.parallel_for_each(length, tell(source, target, 0))?;
        g.parallel_for_each(length, tell(source, target, 0))
    })?;
    graph.replay()?;
    graph.replay()?;
    let (_, target) = graph.into_captures();
    assert_eq!(target.to_vec()?, vec![2; length]);
    Ok(())
}
