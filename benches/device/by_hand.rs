//! Launches recorded by hand: what a program that uses Vulkan itself does on the same queue.

use std::error::Error;
use std::time::{Duration, Instant};

use amp::AcceleratorView;
use amp::interop::RawDevice;
use amp::interop::ash::{self, vk};

/// Bytes of push constants.
const BYTES: usize = 16;

/// A pipeline and a command buffer, with what it takes to send and time that.
pub struct ByHand<'v> {
    view: &'v AcceleratorView,
    device: &'v ash::Device,
    layout: vk::PipelineLayout,
    pipeline: vk::Pipeline,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    queries: vk::QueryPool,
    done: vk::Semaphore,
    /// Nanoseconds of a tick of timestamps.
    tick: f64,
}

/// A dispatch of the kernel in `launches.comp`.
#[derive(Clone, Copy)]
pub struct Dispatch {
    /// Where the numbers are.
    pub address: u64,
    pub length: u32,
    pub summand: u32,
    /// Whether it waits for those before.
    pub waits: bool,
}

impl<'v> ByHand<'v> {
    /// # Safety
    ///
    /// The words are the module of `launches.comp`.
    pub unsafe fn new(view: &'v AcceleratorView, words: &[u32]) -> Result<Self, Box<dyn Error>> {
        let RawDevice {
            instance,
            physical_device,
            device,
            queue_family,
            ..
        } = view.raw_device()?;
        // SAFETY: the module is valid (contract), the handles are of the view's device, and all
        // features that the module takes are enabled there.
        unsafe {
            let limits = instance
                .get_physical_device_properties(physical_device)
                .limits;
            let module = vk::ShaderModuleCreateInfo::default().code(words);
            let module = device.create_shader_module(&module, None)?;
            let ranges = [vk::PushConstantRange::default()
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
                .size(BYTES as u32)];
            let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&ranges);
            let layout = device.create_pipeline_layout(&layout, None)?;
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(c"main");
            let info = [vk::ComputePipelineCreateInfo::default()
                .stage(stage)
                .layout(layout)];
            let pipelines = device.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
            let pipeline = pipelines.map_err(|(_, result)| result)?[0];
            device.destroy_shader_module(module, None);
            let pool = vk::CommandPoolCreateInfo::default()
                .queue_family_index(queue_family)
                .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
            let pool = device.create_command_pool(&pool, None)?;
            let commands = vk::CommandBufferAllocateInfo::default()
                .command_pool(pool)
                .command_buffer_count(1);
            let commands = device.allocate_command_buffers(&commands)?[0];
            let queries = vk::QueryPoolCreateInfo::default()
                .query_type(vk::QueryType::TIMESTAMP)
                .query_count(2);
            let queries = device.create_query_pool(&queries, None)?;
            let mut kind =
                vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
            let done = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
            let done = device.create_semaphore(&done, None)?;
            Ok(Self {
                view,
                device,
                layout,
                pipeline,
                pool,
                commands,
                queries,
                done,
                tick: limits.timestamp_period.into(),
            })
        }
    }

    /// Records dispatches.
    ///
    /// # Safety
    ///
    /// The addresses are of buffers that are alive, so long, and not used otherwise when the
    /// dispatches run.
    pub unsafe fn record(
        &self,
        dispatches: impl Iterator<Item = Dispatch>,
    ) -> Result<(), vk::Result> {
        let (device, commands) = (self.device, self.commands);
        let compute = vk::PipelineStageFlags::COMPUTE_SHADER;
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE)];
        // SAFETY: the command buffer is not in use: what was sent has been waited for. Its
        // dispatches access nothing but the buffers (contract).
        unsafe {
            device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
            device.cmd_reset_query_pool(commands, self.queries, 0, 2);
            device.cmd_write_timestamp(commands, compute, self.queries, 0);
            device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, self.pipeline);
            for dispatch in dispatches {
                if dispatch.waits {
                    device.cmd_pipeline_barrier(
                        commands,
                        compute,
                        compute,
                        vk::DependencyFlags::empty(),
                        &barrier,
                        &[],
                        &[],
                    );
                }
                let mut bytes = [0; BYTES];
                bytes[..8].copy_from_slice(&dispatch.address.to_le_bytes());
                bytes[8..12].copy_from_slice(&dispatch.length.to_le_bytes());
                bytes[12..].copy_from_slice(&dispatch.summand.to_le_bytes());
                device.cmd_push_constants(
                    commands,
                    self.layout,
                    vk::ShaderStageFlags::COMPUTE,
                    0,
                    &bytes,
                );
                device.cmd_dispatch(commands, dispatch.length.div_ceil(256), 1, 1);
            }
            device.cmd_write_timestamp(commands, compute, self.queries, 1);
            device.end_command_buffer(commands)
        }
    }

    /// Sends what was recorded, and polls until it is complete. Returns the time from the first
    /// dispatch to the end of the last, and that until the host saw it.
    pub fn run(&self) -> Result<(Duration, Duration), Box<dyn Error>> {
        let (device, semaphores, commands) = (self.device, [self.done], [self.commands]);
        let sent = self.view.with_raw_queue(|queue| {
            let start = Instant::now();
            // SAFETY: the queue is handed out; the command buffer is recorded, and has been waited
            // for if it was sent before.
            unsafe {
                let number = device.get_semaphore_counter_value(self.done)? + 1;
                let numbers = [number];
                let mut timeline =
                    vk::TimelineSemaphoreSubmitInfo::default().signal_semaphore_values(&numbers);
                let info = [vk::SubmitInfo::default()
                    .command_buffers(&commands)
                    .signal_semaphores(&semaphores)
                    .push_next(&mut timeline)];
                device.queue_submit(queue, &info, vk::Fence::null())?;
                while device.get_semaphore_counter_value(self.done)? < number {
                    std::hint::spin_loop();
                }
            }
            Ok::<_, vk::Result>(start.elapsed())
        });
        let seen = sent??;
        let mut stamps = [0u64; 2];
        // SAFETY: the queries have been written, and their command buffer is complete.
        unsafe {
            device.get_query_pool_results(
                self.queries,
                0,
                &mut stamps,
                vk::QueryResultFlags::TYPE_64,
            )
        }?;
        let ticks = stamps[1].wrapping_sub(stamps[0]);
        let device = Duration::from_nanos((ticks as f64 * self.tick) as u64);
        Ok((device, seen))
    }
}

impl Drop for ByHand<'_> {
    fn drop(&mut self) {
        // SAFETY: made with the device, and what was sent has been waited for.
        unsafe {
            // What could not be waited for in `run`.
            let _ = self
                .view
                .with_raw_queue(|queue| self.device.queue_wait_idle(queue));
            self.device.destroy_semaphore(self.done, None);
            self.device.destroy_query_pool(self.queries, None);
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_pipeline(self.pipeline, None);
            self.device.destroy_pipeline_layout(self.layout, None);
        }
    }
}
