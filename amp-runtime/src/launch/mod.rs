//! Launches: checks, the choice of where to run, and the two ways to run.
//!
//! Everything that can be refused is refused before any array is touched.

mod hint;
mod plan;
pub(crate) mod prepare;

use crate::accelerator::registry;
use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::device::code::Code;
use crate::device::cpu;
use crate::device::profiler::Place;
use crate::device::shape::Shape;
use crate::device::vulkan::{self, Access, Buffer, Plan};
use crate::kernel::source::{Bound, ReadSource};
use crate::kernel::{Kernel, Parts};
use crate::residency::{Directory, Pending, Source};
use crate::types::domain::Domain;
use crate::types::element::Element;
use crate::types::error::{Error, Result};
use crate::types::event::Activity;
use crate::types::ranges::Ranges;
use std::iter;
use std::sync::{Arc, Mutex, PoisonError};

use amp_spirv::artifact::{Artifact, IndexWidth};

/// Runs a kernel once for each point of a domain, on the accelerator view of the captured
/// arrays, else that of the first array behind a captured view, else the default accelerator's
/// default view.
///
/// It returns when the launch is queued. Every access to the results (host indexing,
/// `synchronize`, `to_vec`, a later launch) waits for them.
///
/// # Errors
///
/// [`Error::InvalidComputeDomain`] if the domain is empty, has more than 2³²−1 points and the
/// kernel no indices of 64 bits (`#[amp_kernel(index = 64)]`), or its tile does not divide it;
/// [`Error::ViewMismatch`] if captured arrays live on different views;
/// [`Error::UnsupportedFeature`] if the device cannot run the kernel;
/// [`Error::InvalidArgument`] if a view of the kernel reaches over more than 4 GiB on a device
/// and the kernel has no indices of 64 bits;
/// [`Error::OutOfMemory`]; [`Error::AcceleratorViewRemoved`]. A refused launch leaves every
/// array as it was.
pub fn parallel_for_each<D: Domain>(domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
    let view = match array_view(&kernel.parts) {
        Some(view) => view.clone(),
        None => registry::use_default()?.default_view()?,
    };
    view.parallel_for_each(domain, kernel)
}

impl AcceleratorView {
    /// Runs a kernel over a domain on this view. Returns when the launch is queued;
    /// reading the results waits for it.
    ///
    /// # Errors
    ///
    /// As [`parallel_for_each`](crate::parallel_for_each); [`Error::ViewMismatch`] if a
    /// captured array lives on another view.
    pub fn parallel_for_each<D: Domain>(
        &self,
        domain: D,
        mut kernel: Kernel<'_, D::Index>,
    ) -> Result<()> {
        launch(self, domain.components(), &mut kernel.parts)
    }
}

/// The view of the first captured array, else of the first array behind a captured view.
pub(crate) fn array_view<'k>(kernel: &'k Parts<'_>) -> Option<&'k AcceleratorView> {
    let behind_views = kernel.views.iter().filter_map(source_view);
    array_views(kernel).chain(behind_views).next()
}

/// The view of the array that a source is, or is a part of: where kernels that use it run.
#[doc(hidden)]
pub fn home<T: Element, const N: usize>(source: &impl ReadSource<T, N>) -> Option<AcceleratorView> {
    source_view(&source.bind()).cloned()
}

/// The views of the captured arrays.
pub(crate) fn array_views<'k>(kernel: &'k Parts<'_>) -> impl Iterator<Item = &'k AcceleratorView> {
    let arrays = kernel.views.iter().filter(|bound| bound.is_array);
    arrays.filter_map(source_view)
}

fn source_view<'k>(bound: &'k Bound<'_>) -> Option<&'k AcceleratorView> {
    match bound.allocation.source() {
        Source::Array(view) => Some(view),
        Source::Host | Source::Nowhere => None,
    }
}

fn launch(view: &AcceleratorView, extent: &[usize], kernel: &mut Parts<'_>) -> Result<()> {
    let name = &*kernel.code.artifact.name;
    let _span = tracing::trace_span!(target: "amp", "launch", kernel = name, ?extent).entered();
    check(view, extent, kernel)?;
    match view.backend() {
        Backend::Vulkan(stream) => on_device(view, stream, extent, kernel),
        Backend::Cpu(_) => on_cpu(view, extent, kernel),
    }
}

/// Refuses what no view would run, and arrays of another view.
pub(crate) fn check(
    view: &AcceleratorView,
    extent: &[usize],
    kernel: &mut Parts<'_>,
) -> Result<()> {
    if let Some(error) = kernel.error.take() {
        return Err(error);
    }
    kernel.code.check(extent)?;
    check_arrays(view, kernel.code.artifact, array_views(kernel))
}

/// Refuses arrays of another view.
pub(crate) fn check_arrays<'k>(
    view: &AcceleratorView,
    artifact: &Artifact,
    mut arrays: impl Iterator<Item = &'k AcceleratorView>,
) -> Result<()> {
    match arrays.find(|other| *other != view) {
        Some(other) => Err(Error::ViewMismatch {
            kernel: artifact.name.to_string(),
            first: view.to_string(),
            second: other.to_string(),
        }),
        None => Ok(()),
    }
}

/// Bytes of a view that a kernel on a device addresses by indices of 32 bits, from its first
/// on: a driver may multiply an index by the size of an element with no more bits.
const ADDRESSED: u64 = 1 << 32;

/// What a launch on a device is made of, apart from the kernel: all that can be refused
/// has been.
pub(crate) struct Prepared {
    pub(crate) plan: Arc<Plan>,
    /// Of the kernel's views, in their order.
    pub(crate) accesses: Vec<Access>,
}

/// Makes a kernel ready for a device: its pipeline is made, its data is there, its block
/// has the addresses. Launches of other replays than its `own` that use the data are queued.
pub(crate) fn prepare(
    stream: &Arc<vulkan::Stream>,
    extent: &[usize],
    kernel: &mut Parts<'_>,
    own: Option<&dyn Pending>,
) -> Result<Prepared> {
    let plan = Plan::of(stream, extent, kernel)?;
    let mut accesses = Vec::with_capacity(kernel.views.len());
    locate(stream, kernel, own, |bound, buffer| {
        accesses.push(Access {
            buffer,
            data: bound.allocation.directory().data().clone(),
            reads: bound.reads,
            writes: bound.writes,
        });
    })?;
    Ok(Prepared { plan, accesses })
}

/// Makes a kernel's data current on a device, and writes its addresses into the block.
pub(crate) fn locate(
    stream: &Arc<vulkan::Stream>,
    kernel: &mut Parts<'_>,
    own: Option<&dyn Pending>,
    mut at: impl FnMut(&Bound<'_>, Arc<Buffer>),
) -> Result<()> {
    for bound in &kernel.views {
        let buffer = (bound.allocation).for_launch(stream, &bound.bytes, bound.writes, own)?;
        let address = buffer.address() + bound.start as u64;
        write(&mut kernel.block, bound.offset, &address.to_le_bytes());
        at(bound, buffer);
    }
    Ok(())
}

/// Whether a view of the kernel reaches over more than indices of 32 bits address, which is
/// refused where it has no others.
pub(crate) fn is_far(stream: &vulkan::Stream, kernel: &Parts<'_>) -> Result<bool> {
    let reach = |bound: &Bound<'_>| bound.bytes.end().saturating_sub(bound.start) as u64;
    let reach = kernel.views.iter().map(reach).max().unwrap_or_default();
    let artifact = kernel.code.artifact;
    if reach > ADDRESSED && artifact.index == IndexWidth::Bits32 {
        return Err(Error::InvalidArgument(format!(
            "a view of kernel `{}` reaches over {reach} bytes, but on {} indices of 32 bits \
             address at most {ADDRESSED}; write `#[amp_kernel(index = 64)]`, or pass parts of \
             it, in several launches or as several views",
            artifact.name,
            stream.name()
        )));
    }
    Ok(reach > ADDRESSED)
}

pub(crate) fn on_device(
    view: &AcceleratorView,
    stream: &Arc<vulkan::Stream>,
    extent: &[usize],
    kernel: &mut Parts<'_>,
) -> Result<()> {
    let Prepared { plan, accesses } = prepare(stream, extent, kernel, None)?;
    let Plan {
        pipeline, shape, ..
    } = *plan;
    let Code {
        artifact, switches, ..
    } = kernel.code;
    let bytes = match view.profiler().is_on() {
        true => bytes_of(uses(&kernel.views)),
        false => 0,
    };
    let mut dispatch = |shape| {
        write_domain(&mut kernel.block, &shape, extent, artifact);
        stream.launch(vulkan::Launch {
            artifact,
            writers: kernel.writers,
            pipeline,
            shape,
            extent,
            checked: switches.checked,
            block: &mut kernel.block,
            accesses: &accesses,
            bytes,
        })
    };
    dispatch(shape)?;
    // From here on the arrays are not what they were.
    let others = iter::successors(shape.next(), Shape::next).try_for_each(dispatch);
    note_written(view, uses(&kernel.views));
    others
}

/// Data that a launch uses.
#[derive(Clone, Copy)]
pub(crate) struct Use<'u> {
    pub(crate) directory: &'u Arc<Directory>,
    pub(crate) bytes: &'u Ranges,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

fn uses<'u>(views: &'u [Bound<'_>]) -> impl Iterator<Item = Use<'u>> + Clone {
    views.iter().map(|bound| Use {
        directory: bound.allocation.directory(),
        bytes: &bound.bytes,
        reads: bound.reads,
        writes: bound.writes,
    })
}

/// Notes what a kernel has written, and that it was computed from what the kernel has read.
pub(crate) fn note_written<'u>(
    view: &AcceleratorView,
    uses: impl Iterator<Item = Use<'u>> + Clone,
) {
    let written = uses.clone().filter(|part| part.writes);
    let mut sources = Vec::new();
    for part in written.clone() {
        let read = uses.clone().filter(|other| other.reads);
        let others = read.filter(|other| !Arc::ptr_eq(other.directory, part.directory));
        let news = part.directory.news(others.map(|other| other.directory));
        sources.extend(news.map(|writers| (part.directory, writers)));
    }
    for part in written {
        let of_it = sources
            .iter()
            .filter(|(directory, _)| Arc::ptr_eq(directory, part.directory));
        let of_it = of_it.map(|(_, writers)| writers);
        part.directory.written_on(view, part.bytes, of_it);
    }
}

/// Bytes that a kernel may read and bytes that it may write.
pub(crate) fn bytes_of<'u>(uses: impl Iterator<Item = Use<'u>>) -> u64 {
    let times = |part: &Use<'_>| u64::from(part.reads) + u64::from(part.writes);
    uses.map(|part| times(&part) * part.bytes.size() as u64)
        .sum()
}

/// Writes the domain and the dispatch into the block.
pub(crate) fn write_domain(block: &mut [u8], shape: &Shape, extent: &[usize], artifact: &Artifact) {
    let width = artifact.index.bytes() as usize;
    let mut offset = 8;
    let mut put = |number: u64| {
        write(block, offset, &number.to_le_bytes()[..width]);
        offset += width;
    };
    if shape.tiled {
        put(shape.first);
        let tiles = shape.tiles(extent).skip(1);
        return tiles.for_each(|count| put(count as u64));
    }
    put(shape.workgroups);
    if artifact.index == IndexWidth::Bits64 {
        put(shape.first);
    }
    extent.iter().for_each(|&length| put(length as u64));
}

/// Writes into the block what it has room for: a block that ends early belongs to a
/// kernel that takes nothing behind its end.
fn write(block: &mut [u8], offset: usize, bytes: &[u8]) {
    if let Some(place) = block.get_mut(offset..offset + bytes.len()) {
        place.copy_from_slice(bytes);
    }
}

/// Runs a kernel here.
pub(crate) fn on_cpu(view: &AcceleratorView, extent: &[usize], kernel: &Parts<'_>) -> Result<()> {
    let is_checked = registry::is_checked(&view.inner.accelerator);
    let mut views = Vec::with_capacity(kernel.views.len());
    for bound in &kernel.views {
        let discarded = match is_checked {
            true => bound.allocation.discarded(&bound.bytes),
            false => Ranges::default(),
        };
        let memory = if bound.writes {
            bound.allocation.to_host_for_writing(&bound.bytes)?
        } else {
            bound.allocation.to_host(&bound.bytes)?
        };
        let (extent, strides) = (bound.extent().to_vec(), bound.strides().to_vec());
        let raw = memory.raw_view(bound.start, bound.element, extent, strides, bound.writable);
        let discarded = discarded.iter();
        let discarded = discarded.map(|it| it.start - bound.start..it.end - bound.start);
        views.push(raw.with_discarded(discarded));
    }
    let memory = cpu::LaunchMemory::new(views);
    let is_noted = is_checked && (!kernel.is_pointwise || memory.discarded().next().is_some());
    let checked = kernel.checked.as_ref().filter(|_| is_noted);
    let host_version = checked.unwrap_or(&kernel.host_version);
    let launch = cpu::Launch {
        artifact: kernel.code.artifact,
        stack: kernel.stack,
        extent: extent.to_vec(),
        memory,
        is_checked,
        printed: Mutex::default(),
    };
    let what = || {
        let activity = Activity::Launch {
            kernel: kernel.code.artifact.name.clone(),
            domain: launch.extent.clone(),
            bytes: bytes_of(uses(&kernel.views)),
        };
        (Place::Queue(0), activity)
    };
    let run = || match kernel.is_optimised {
        true => host_version(&launch),
        false => hint::unoptimised(|| host_version(&launch)),
    };
    let result = view.profiler().timed(what, run);
    let printed = launch.printed.into_inner();
    view.printer()
        .add(printed.unwrap_or_else(PoisonError::into_inner));
    note_written(view, uses(&kernel.views));
    match (result, view.backend()) {
        // As on a device, the next wait reports it.
        (Err(Error::KernelFault(fault)), Backend::Cpu(faults)) => {
            let written = kernel.views.iter().filter(|bound| bound.writes);
            let written = written.map(|bound| bound.allocation.directory().data().clone());
            faults.lock().add((*fault, written.collect()));
            Ok(())
        }
        (result, _) => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_says_what_the_artifact_specifies() {
        let shape = Shape {
            size: [256, 1, 1],
            groups: [4, 1, 1],
            linear: true,
            workgroups: 4,
            tiled: false,
            first: 0,
            lanes: 1,
            merged: [1; 3],
        };
        let range = Artifact::default();
        let mut block = vec![0u8; 24];
        write_domain(&mut block, &shape, &[3, 300], &range);
        let words = |block: &[u8]| -> Vec<u32> {
            let words = block.chunks(4);
            let words = words.map(|word| u32::from_le_bytes(word.try_into().unwrap()));
            words.collect()
        };
        assert_eq!(words(&block), [0, 0, 4, 3, 300, 0]);
        let tiled = Shape {
            size: [4, 5, 2],
            tiled: true,
            first: 7,
            ..shape
        };
        let mut block = vec![0u8; 24];
        write_domain(&mut block, &tiled, &[8, 15, 16], &range);
        assert_eq!(words(&block), [0, 0, 7, 3, 4, 0]);
        let mut short = vec![0u8; 8];
        write_domain(&mut short, &shape, &[300], &range);
        assert_eq!(short, [0; 8]);
    }

    #[test]
    fn a_block_of_wide_indices_says_where_a_dispatch_starts() {
        let shape = Shape {
            size: [256, 1, 1],
            groups: [65_535, 1, 1],
            linear: true,
            workgroups: 1 << 40,
            tiled: false,
            first: 1 << 39,
            lanes: 1,
            merged: [1; 3],
        };
        let wide = Artifact {
            index: IndexWidth::Bits64,
            ..Artifact::default()
        };
        let mut block = vec![0u8; 48];
        write_domain(&mut block, &shape, &[5, 1 << 33], &wide);
        let words = block.chunks(8);
        let words = words.map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()));
        let words: Vec<u64> = words.collect();
        assert_eq!(words, [0, 1 << 40, 1 << 39, 5, 1 << 33, 0]);
    }
}
