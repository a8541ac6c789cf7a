//! The cases in WGSL, with wgpu's bounds checks.

use std::error::Error;
use std::time::Duration;

use wgpu::util::DeviceExt;
use wgpu::{BufferUsages, Features, PollType, QUERY_SIZE};

use crate::cases::Case;

pub struct Device {
    pub name: String,
    pub driver: String,
    pub is_software: bool,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

/// The module of a case.
fn source(name: &str) -> Result<&'static str, String> {
    Ok(match name {
        "triad" => include_str!("wgsl/triad.wgsl"),
        "stencil" => include_str!("wgsl/stencil.wgsl"),
        "transpose" => include_str!("wgsl/transpose.wgsl"),
        "sum" => include_str!("wgsl/sum.wgsl"),
        "simple" => include_str!("wgsl/simple.wgsl"),
        "tiled" => include_str!("wgsl/tiled.wgsl"),
        _ => return Err("there is no such module".into()),
    })
}

impl Device {
    /// The fastest device, with its own limits.
    pub fn open() -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        }))?;
        let info = adapter.get_info();
        let (device, queue) =
            pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
                required_features: Features::TIMESTAMP_QUERY,
                required_limits: adapter.limits(),
                ..Default::default()
            }))?;
        Ok(Self {
            name: info.name,
            driver: format!("{} {}", info.driver, info.driver_info),
            is_software: info.device_type == wgpu::DeviceType::Cpu,
            device,
            queue,
        })
    }

    /// Runs a case so many times. Returns the result, and what each round took.
    pub fn run(
        &self,
        case: &Case,
        rounds: usize,
    ) -> Result<(Vec<f32>, Vec<Duration>), Box<dyn Error>> {
        let device = &self.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source(case.name)?.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            cache: None,
        });
        let mut buffers: Vec<wgpu::Buffer> = Vec::new();
        for input in &case.inputs {
            buffers.push(
                device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: None,
                    contents: bytemuck::cast_slice(input),
                    usage: BufferUsages::STORAGE,
                }),
            );
        }
        let bytes = 4 * case.length as u64;
        let buffer = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        buffers.push(buffer(
            bytes,
            BufferUsages::STORAGE | BufferUsages::COPY_SRC,
        ));
        let entries: Vec<_> = (0..)
            .zip(&buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let size = 2 * u64::from(QUERY_SIZE);
        let resolved = buffer(size, BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC);
        let stamps = buffer(size, BufferUsages::COPY_DST | BufferUsages::MAP_READ);

        let mut times = Vec::new();
        for _ in 0..rounds {
            let mut encoder = device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                    query_set: &queries,
                    beginning_of_pass_write_index: Some(0),
                    end_of_pass_write_index: Some(1),
                }),
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(case.groups[0], case.groups[1], 1);
            drop(pass);
            encoder.resolve_query_set(&queries, 0..2, &resolved, 0);
            encoder.copy_buffer_to_buffer(&resolved, 0, &stamps, 0, size);
            self.queue.submit([encoder.finish()]);
            let ticks: Vec<u64> = self.read(&stamps)?;
            let nanoseconds =
                (ticks[1] - ticks[0]) as f64 * f64::from(self.queue.get_timestamp_period());
            times.push(Duration::from_secs_f64(nanoseconds / 1e9));
        }

        let result = buffer(bytes, BufferUsages::COPY_DST | BufferUsages::MAP_READ);
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&buffers[case.inputs.len()], 0, &result, 0, bytes);
        self.queue.submit([encoder.finish()]);
        Ok((self.read(&result)?, times))
    }

    /// The content of a buffer, once the device is idle.
    fn read<T: bytemuck::Pod>(&self, buffer: &wgpu::Buffer) -> Result<Vec<T>, Box<dyn Error>> {
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(PollType::wait_indefinitely())?;
        let content = bytemuck::pod_collect_to_vec(&buffer.get_mapped_range(..)?);
        buffer.unmap();
        Ok(content)
    }
}
