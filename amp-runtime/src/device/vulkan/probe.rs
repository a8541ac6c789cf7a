//! Running a kernel by which the run time finds out something about a device.
//!
//! It is over `Index<1>` and takes two views, of operands and of results. A test beside its source in
//! `tests/golden` sees to it that the module here is what the compiler makes of it.

use std::sync::Arc;

use amp_spirv::artifact::{Artifact, FloatFaults};
use bytemuck::Pod;

use super::buffer::pool::Pool;
use super::device::Device;
use super::pipeline::Key;
use super::stream::Stream;
use super::stream::launch::{Access, Launch};
use super::stream::role::Role;
use crate::device::code::Switches;
use crate::device::profiler::Profiler;
use crate::device::shape::Shape;
use crate::device::unreported::Listener;
use crate::types::error::Result;

/// Size of the argument block of such a kernel.
pub(super) const BLOCK_BYTES: u32 = 44;
/// Offset of the address of the operands there, and of that of the results.
const VIEWS: [usize; 2] = [16, 32];

impl Device {
    /// What a kernel makes of operands on a device with some faults: a result for each, by a thread
    /// of its own.
    pub(super) fn run_probe<O: Pod, R: Pod>(
        self: &Arc<Self>,
        probe: &'static Artifact,
        constants: &'static [u64],
        faults: FloatFaults,
        operands: &[O],
    ) -> Result<Vec<R>> {
        let profiler = Arc::new(Profiler::new());
        let pool = Pool::open(self);
        let stream = Stream::new(self, 0, true, Role::Kernels, &profiler, &pool)?;
        let shape = Shape::new(&[operands.len()], None, &[], stream.limits())?;
        let key = Key::new(probe, constants, &shape, Switches::OFF, faults);
        let results = self.run_probe_on(&stream, probe, key, shape, operands, &profiler);
        // That this stream has ended is of no use to the caller.
        results.map_err(|error| stream.timeline.cause().unwrap_or(error))
    }

    fn run_probe_on<O: Pod, R: Pod>(
        &self,
        stream: &Stream,
        probe: &'static Artifact,
        key: Key,
        shape: Shape,
        operands: &[O],
        profiler: &Profiler,
    ) -> Result<Vec<R>> {
        let pipeline = self.pipeline(probe, key, profiler)?;
        let inputs = stream.allocate(size_of_val(operands) as u64)?;
        let mut results = vec![R::zeroed(); operands.len()];
        let outputs = stream.allocate(size_of_val(&*results) as u64)?;
        stream.upload(&inputs, &[(0, bytemuck::cast_slice(operands))])?;

        let mut block = [0; BLOCK_BYTES as usize];
        let mut write = |offset: usize, bytes: &[u8]| {
            block[offset..offset + bytes.len()].copy_from_slice(bytes);
        };
        write(8, &(shape.workgroups as u32).to_le_bytes());
        write(12, &(operands.len() as u32).to_le_bytes());
        for (offset, buffer) in VIEWS.into_iter().zip([&inputs, &outputs]) {
            write(offset, &buffer.address().to_le_bytes());
        }
        let access = |buffer, reads| Access {
            buffer: Arc::clone(buffer),
            data: Listener::new().data(),
            reads,
            writes: !reads,
        };
        stream.launch(Launch {
            artifact: probe,
            writers: &[],
            pipeline,
            shape,
            extent: &[operands.len()],
            checked: false,
            block: &mut block,
            accesses: &[access(&inputs, true), access(&outputs, false)],
            bytes: 0,
        })?;
        stream.download(&outputs, vec![(0, bytemuck::cast_slice_mut(&mut results))])?;
        Ok(results)
    }
}
