//! Binding: a kernel's arguments, in order, become its argument block.
//!
//! The layout is the artifact's ([`amp_spirv::artifact`]); addresses and the domain are
//! filled in at the launch, when they are known.

use std::marker::PhantomData;

use amp_spirv::artifact::{Artifact, Param, ParamKind};

use crate::device::code::{Code, Switches};
use crate::device::cpu::{self, ReadSlot, WriteSlot};
use crate::device::shape::{max_elements, remedy};
use crate::kernel::source::{Bound, ReadSource, WriteSource};
use crate::kernel::{HostVersion, Kernel, Owned, Parts};
use crate::types::block::Block;
use crate::types::element::{DeviceValue, Element, Encoder};
use crate::types::error::Error;
use crate::types::index::{Index, KernelIndex};
use crate::types::message::Writer;
use crate::view::{ArrayView, ArrayViewMut};

/// Collects a kernel's arguments.
#[doc(hidden)]
pub struct Binding<'a> {
    artifact: &'static Artifact,
    writers: &'static [Writer],
    constants: &'static [u64],
    block: Block,
    views: Vec<Bound<'a>>,
    owned: Vec<Owned<'a>>,
    /// Number of parameters bound so far.
    bound: usize,
    tile_static: u64,
    arrays: u64,
    stack: u64,
    error: Option<Error>,
    checked: Option<HostVersion<'a>>,
    extended: Option<HostVersion<'a>>,
    is_optimised: bool,
    is_pointwise: bool,
}

impl<'a> Binding<'a> {
    /// Starts with no arguments.
    pub fn new(artifact: &'static Artifact, constants: &'static [u64]) -> Self {
        Self {
            artifact,
            writers: &[],
            constants,
            block: Block::zeroed(artifact.block_bytes as usize),
            views: Vec::with_capacity(artifact.params.len()),
            owned: Vec::new(),
            bound: 0,
            tile_static: 0,
            arrays: 0,
            stack: 0,
            error: None,
            checked: None,
            extended: None,
            is_optimised: true,
            is_pointwise: false,
        }
    }

    /// The next parameter is a view that the kernel reads.
    pub fn read<T: Element, const N: usize>(
        &mut self,
        source: &'a impl ReadSource<T, N>,
    ) -> ReadSlot<T, N> {
        let position = self.view::<T>(source.bind());
        ReadSlot::new(position)
    }

    /// The next parameter is a view that the kernel writes.
    pub fn write<T: Element, const N: usize>(
        &mut self,
        source: &'a mut impl WriteSource<T, N>,
    ) -> WriteSlot<T, N> {
        let position = self.view::<T>(source.bind_mut());
        WriteSlot::new(position)
    }

    /// The next parameter is a view that the kernel reads, and has for itself.
    pub fn read_own<T: Element, const N: usize>(
        &mut self,
        view: ArrayView<'a, T, N>,
    ) -> ReadSlot<T, N> {
        let position = self.view::<T>(Bound::new::<T, N>(view.window()));
        ReadSlot::new(position)
    }

    /// The next parameter is a view that the kernel writes, and has for itself.
    pub fn write_own<T: Element, const N: usize>(
        &mut self,
        view: ArrayViewMut<'a, T, N>,
    ) -> WriteSlot<T, N> {
        let bound = Bound::new::<T, N>(view.window());
        let position = self.view::<T>(bound.writable());
        self.owned.push(Box::new(view));
        WriteSlot::new(position)
    }

    /// The next parameter is a value.
    pub fn value<T: DeviceValue>(&mut self, value: T) {
        let Some(param) = self.next() else { return };
        let index = self.artifact.index;
        let (size, offset) = match param.kind {
            ParamKind::Value { bytes } => (bytes as usize, param.offset as usize),
            ParamKind::View { .. } => (usize::MAX, 0),
        };
        let end = offset.saturating_add(size);
        let place = self.block.get_mut(offset..end);
        let has_place = place.is_some();
        let mut encoder = Encoder::new(index, place.unwrap_or_default());
        value.encode(&mut encoder);
        let (found, too_large) = (encoder.position(), encoder.too_large);
        if let Some(size) = too_large {
            self.fail(format!(
                "`{}` of kernel `{}` is {size}, but usize and isize have 32 bits on a device; \
                 pass at most {}{}",
                param.name,
                self.artifact.name,
                if size < 0 {
                    i128::from(i32::MIN)
                } else {
                    u32::MAX.into()
                },
                remedy(index)
            ));
        }
        if !has_place || found != size {
            self.mismatch(param, &format!("a value of {found} bytes"));
        }
    }

    /// What turns the kernel's messages into text, in their order.
    pub fn messages(&mut self, writers: &'static [Writer]) {
        self.writers = writers;
    }

    /// How much tile_static memory the kernel has.
    pub fn tile_static_bytes(&mut self, bytes: u64) {
        self.tile_static = bytes;
    }

    /// How many bytes the local arrays of a thread take at most.
    pub fn array_bytes(&mut self, bytes: u64) {
        self.arrays = bytes;
    }

    /// How much of a stack a thread of the kernel takes at most on the CPU, without the library
    /// that it calls.
    pub fn stack_bytes(&mut self, bytes: u64) {
        self.stack = bytes;
    }

    /// rustc does not optimise the host version.
    pub fn unoptimised(&mut self) {
        self.is_optimised = false;
    }

    /// How the kernel runs in checked mode, if its threads do not take turns.
    pub fn checked<I, F>(&mut self, host_version: F)
    where
        I: KernelIndex,
        F: Fn(cpu::Views<'_>, cpu::Checked<'_, I>) + Send + Sync + 'a,
    {
        self.checked = Some(Box::new(move |launch| {
            cpu::execute_checked(&host_version, launch)
        }));
    }

    /// The kernel compiled for an extended instruction set, which runs in place of the host version where the
    /// processor has that.
    pub fn extended<I, S>(&mut self, host_version: cpu::Extended<I, S>, slots: S)
    where
        I: KernelIndex,
        S: Copy + Send + Sync + 'a,
    {
        let run = cpu::extended(host_version, slots);
        self.extended = run.map(|run| Box::new(run) as HostVersion<'a>);
    }

    /// The same of a pointwise kernel.
    pub fn extended_pointwise<const N: usize, S>(
        &mut self,
        host_version: cpu::ExtendedPointwise<N, S>,
        slots: S,
    ) where
        S: Copy + Send + Sync + 'a,
    {
        let run = cpu::extended_pointwise(host_version, slots);
        self.extended = run.map(|run| Box::new(run) as HostVersion<'a>);
    }

    /// All arguments are there; `host_version` is the kernel as a Rust function.
    pub fn finish<I, F>(self, host_version: F) -> Kernel<'a, I>
    where
        I: KernelIndex,
        F: Fn(cpu::Views<'_>, cpu::Threads<'_, I>) + Send + Sync + 'a,
    {
        self.kernel(Box::new(move |launch| cpu::execute(&host_version, launch)))
    }

    /// The same of a pointwise kernel.
    pub fn finish_pointwise<const N: usize, F>(mut self, host_version: F) -> Kernel<'a, Index<N>>
    where
        F: Fn(cpu::OwnViews<'_>, cpu::Points<'_, N>) + Send + Sync + 'a,
    {
        self.is_pointwise = true;
        self.kernel(Box::new(move |launch| {
            cpu::execute_pointwise(&host_version, launch)
        }))
    }

    /// The same of a kernel with barriers, also for checked mode.
    pub fn finish_in_turns<I, F>(self, host_version: F) -> Kernel<'a, I>
    where
        I: KernelIndex,
        F: Fn(cpu::Views<'_>, cpu::Turns<'_, I>) + Send + Sync + 'a,
    {
        self.kernel(Box::new(move |launch| {
            cpu::execute_in_turns(&host_version, launch)
        }))
    }

    fn kernel<I: KernelIndex>(mut self, host_version: HostVersion<'a>) -> Kernel<'a, I> {
        let artifact = self.artifact;
        if self.bound != artifact.params.len() {
            self.fail(format!(
                "kernel `{}` takes {} arguments but {} were bound",
                artifact.name,
                artifact.params.len(),
                self.bound
            ));
        }
        if (artifact.rank as usize, artifact.tiled) != (I::RANK, I::TILE.is_some()) {
            self.fail(format!(
                "kernel `{}` has {} dimensions, its index type {}, or only one of them is tiled",
                artifact.name,
                artifact.rank,
                I::RANK
            ));
        }
        let code = Code {
            artifact,
            constants: self.constants,
            tile: const { &I::TILE }.as_ref().map(|tile| &tile[..I::RANK]),
            tile_static: self.tile_static,
            arrays: self.arrays,
            switches: Switches::default(),
        };
        let parts = Parts {
            code,
            writers: self.writers,
            block: self.block,
            views: self.views,
            owned: self.owned,
            error: self.error,
            stack: self.stack,
            host_version: self.extended.unwrap_or(host_version),
            is_optimised: self.is_optimised,
            is_pointwise: self.is_pointwise,
            checked: self.checked,
        };
        Kernel {
            parts,
            index: PhantomData,
        }
    }

    fn view<T: Element>(&mut self, mut view: Bound<'a>) -> usize {
        let position = self.views.len();
        if let Some(param) = self.next() {
            if view.is_staging {
                self.fail(format!(
                    "`{}` of kernel `{}` was given a staging array, which is for copies only; \
                     copy it to an array on an accelerator, or pass its `view`",
                    param.name, self.artifact.name
                ));
            }
            self.encode::<T>(param, &mut view);
        }
        self.views.push(view);
        position
    }

    fn encode<T: Element>(&mut self, param: &'static Param, view: &mut Bound<'a>) {
        let rank = view.extent().len();
        let span = view.span();
        let offset = param.offset as usize;
        let index = self.artifact.index;
        let width = index.bytes() as usize;
        let end = offset + 8 + width * (2 * rank - 1);
        match param.kind {
            ParamKind::View {
                rank: wanted,
                element_bytes,
                reads,
                writes,
            } if wanted as usize == rank
                && element_bytes as usize == size_of::<T>()
                && end <= self.block.len() =>
            {
                view.reads = reads;
                view.writes = writes && view.writable;
                view.offset = offset;
                let most = max_elements(index);
                if span > most {
                    self.fail(format!(
                        "`{}` of kernel `{}` reaches over {span} elements, but a kernel \
                         addresses at most {most}; pass parts of it{}",
                        param.name,
                        self.artifact.name,
                        remedy(index)
                    ));
                    return;
                }
                let places = self.block[offset + 8..end].chunks_exact_mut(width);
                // The last stride is 1.
                for (place, word) in places.zip(&*view.layout) {
                    place.copy_from_slice(&(*word as u64).to_le_bytes()[..width]);
                }
            }
            _ => {
                let found = format!(
                    "a view of {rank} dimensions with elements of {} bytes",
                    size_of::<T>()
                );
                self.mismatch(param, &found);
            }
        }
    }

    fn next(&mut self) -> Option<&'static Param> {
        let param = self.artifact.params.get(self.bound);
        self.bound += 1;
        param
    }

    fn mismatch(&mut self, param: &Param, found: &str) {
        self.fail(format!(
            "`{}` of kernel `{}` is {:?}, but it was given {found}",
            param.name, self.artifact.name, param.kind
        ));
    }

    /// Remembers the first thing that is wrong, for the launch to return.
    fn fail(&mut self, message: String) {
        self.error.get_or_insert(Error::InvalidArgument(message));
    }
}
