//! Making pipelines: kernels adapted to a device, and specialised by their constants.

use std::cell::OnceCell;
use std::ffi::CString;

use amp_spirv::artifact::{
    Artifact, SPEC_CHECKED, SPEC_CUTS_LOOPS, SPEC_FAR, SPEC_FLOAT_FAULTS, SPEC_FOLDS_BITS,
    SPEC_FOLDS_ZEROES, SPEC_LINEAR, SPEC_PROVEN, SPEC_SIZE_X, SPEC_SIZE_Y, SPEC_SIZE_Z, SPEC_USER,
    SPEC_WIDE,
};
use ash::{ext, vk};

use super::device::Device;
use super::lavapipe::forbid_unrolling;
use super::pipeline::{Key, Pipeline};
use crate::device::profiler::{Place, Profiler};
use crate::types::error::{Error, Result};
use crate::types::event::Activity;

impl Device {
    /// The pipeline of a kernel, made if it is the first time.
    pub(super) fn pipeline(
        &self,
        artifact: &'static Artifact,
        key: Key,
        profiler: &Profiler,
    ) -> Result<Pipeline> {
        self.pipelines.get(key, || {
            let found = OnceCell::new();
            let what = || {
                let activity = Activity::Pipeline {
                    kernel: artifact.name.clone(),
                    from_cache: found.get().copied(),
                };
                (Place::here(), activity)
            };
            let none = vk::PipelineCreateFlags::empty();
            let make = || self.make_pipeline(artifact, &key, none, &found);
            profiler.timed(what, make)
        })
    }

    /// Makes a pipeline, and notes whether the driver says that it has found it in its cache.
    pub(super) fn make_pipeline(
        &self,
        artifact: &Artifact,
        key: &Key,
        flags: vk::PipelineCreateFlags,
        found: &OnceCell<bool>,
    ) -> Result<Pipeline> {
        let name = &*artifact.name;
        let _span =
            tracing::debug_span!(target: "amp", "pipeline", kernel = name, size = ?key.size)
                .entered();
        let invalid = |what: &str| {
            Error::InvalidArgument(format!("the artifact of kernel `{}` {what}", artifact.name))
        };
        let (words, rest) = artifact.spirv.as_chunks::<4>();
        if !rest.is_empty() || words.is_empty() {
            return Err(invalid("is no SPIR-V"));
        }
        let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
        let facts = &self.facts;
        facts.subgroups.check(&words, &artifact.name, &facts.name)?;
        let words = facts.float_controls.adapt(&words);
        let mut words = facts.float_atomics.adapt(words);
        if facts.is_lavapipe {
            forbid_unrolling(&mut words);
        }
        let name = CString::new(artifact.name.as_bytes())
            .map_err(|_| invalid("has a name with a zero byte"))?;

        let module = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: an artifact holds a valid module; the compiler's tests see to that.
        let module = || unsafe { self.raw().create_shader_module(&module, None) };
        let module = self
            .with_room(module)
            .map_err(|result| self.error("reading a kernel's SPIR-V", result))?;

        let quirks = Quirks {
            folds_zeroes: facts.is_lavapipe,
            folds_bits: facts.is_nvidia,
            cuts_loops: facts.is_lavapipe,
        };
        let (entries, data) = specialization(key, &artifact.constant_bytes, quirks);
        let specialization = vk::SpecializationInfo::default()
            .map_entries(&entries)
            .data(&data);
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(&name)
            .specialization_info(&specialization);
        let info = vk::ComputePipelineCreateInfo::default()
            .flags(flags)
            .stage(stage)
            .layout(self.pipelines.layout);
        let make = || {
            let first = self.create_pipeline(info, found)?;
            if !self.submit_lock.is_needed() {
                return Ok(first);
            }
            // SAFETY: made above, and not used.
            unsafe { self.raw().destroy_pipeline(first, None) };
            let _lock = self.submit_lock.making();
            self.create_pipeline(info, found)
        };
        let made = self.with_room(make);
        // SAFETY: a module is not needed once the pipeline is made.
        unsafe { self.raw().destroy_shader_module(module, None) };
        let raw = made.map_err(|result| self.error("making a kernel's pipeline", result))?;
        self.names
            .set(raw, || format!("{} {:?}", artifact.name, key.size));
        self.pipelines.cache.note_pipeline();
        let size = key.size;
        tracing::debug!(kernel = %artifact.name, ?size, from_cache = ?found.get(), "made a pipeline");
        Ok(Pipeline(raw))
    }

    /// Has the driver make a pipeline. Notes whether it was in the cache, if that is not known yet.
    fn create_pipeline(
        &self,
        info: vk::ComputePipelineCreateInfo<'_>,
        found: &OnceCell<bool>,
    ) -> Result<vk::Pipeline, vk::Result> {
        use vk::PipelineCreationFeedbackFlags as Says;

        let mut feedback = vk::PipelineCreationFeedback::default();
        let mut wanted = vk::PipelineCreationFeedbackCreateInfo::default()
            .pipeline_creation_feedback(&mut feedback);
        let gives_feedback = self.facts.version >= vk::API_VERSION_1_3
            || (self.facts.enabled).has(ext::pipeline_creation_feedback::NAME);
        let infos = [match gives_feedback {
            true => info.push_next(&mut wanted),
            false => info,
        }];
        let cache = self.pipelines.cache.raw;
        // SAFETY: everything that `infos` points to is alive; the cache is synchronised by the
        // driver.
        let made = unsafe { self.raw().create_compute_pipelines(cache, &infos, None) };
        let pipelines = made.map_err(|(_, result)| result)?;
        if feedback.flags.contains(Says::VALID) {
            let hit = Says::APPLICATION_PIPELINE_CACHE_HIT;
            found.get_or_init(|| feedback.flags.contains(hit));
        }
        Ok(pipelines[0])
    }
}

/// What the driver does wrongly, so that kernels work round it.
struct Quirks {
    folds_zeroes: bool,
    folds_bits: bool,
    cuts_loops: bool,
}

/// The specialization constants of a key.
fn specialization(
    key: &Key,
    constant_bytes: &[u32],
    quirks: Quirks,
) -> (Vec<vk::SpecializationMapEntry>, Vec<u8>) {
    let fixed = [
        (SPEC_SIZE_X, key.size[0]),
        (SPEC_SIZE_Y, key.size[1]),
        (SPEC_SIZE_Z, key.size[2]),
        (SPEC_CHECKED, u32::from(key.switches.checked)),
        (SPEC_LINEAR, u32::from(key.linear)),
        (SPEC_FLOAT_FAULTS, key.float_faults.0),
        (SPEC_FOLDS_ZEROES, u32::from(quirks.folds_zeroes)),
        (SPEC_FAR, u32::from(key.switches.far)),
        (SPEC_FOLDS_BITS, u32::from(quirks.folds_bits)),
        (SPEC_CUTS_LOOPS, u32::from(quirks.cuts_loops)),
        (SPEC_PROVEN, key.switches.proven),
        (SPEC_WIDE, u32::from(key.switches.wide)),
    ];
    let fixed = fixed.map(|(id, value)| (id, u64::from(value), 4));
    let user = (SPEC_USER..)
        .zip(key.constants.iter().copied())
        .zip(constant_bytes)
        .map(|((id, value), &bytes)| (id, value, bytes as usize));
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (id, value, bytes) in fixed.into_iter().chain(user) {
        let entry = vk::SpecializationMapEntry::default()
            .constant_id(id)
            .offset(data.len() as u32)
            .size(bytes);
        entries.push(entry);
        data.extend_from_slice(&value.to_le_bytes()[..bytes]);
    }
    (entries, data)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use amp_spirv::artifact::FloatFaults;

    use super::super::pipeline_file::PipelineFile;
    use super::super::search::adapters_that_keep_pipelines;
    use super::*;
    use crate::device::code::Switches;
    use crate::device::shape::Shape;

    #[test]
    fn constants_follow_the_fixed_ones() {
        let key = Key {
            artifact: 0,
            size: [8, 4, 2],
            switches: Switches {
                proven: 5,
                ..Switches::default()
            },
            linear: false,
            float_faults: FloatFaults::SQRT,
            constants: &[7, u64::MAX - 1, 9],
        };
        let quirks = Quirks {
            folds_zeroes: true,
            folds_bits: false,
            cuts_loops: true,
        };
        let (entries, data) = specialization(&key, &[4, 8, 4], quirks);
        let value = |entry: &vk::SpecializationMapEntry| {
            let start = entry.offset as usize;
            let mut bytes = [0; 8];
            bytes[..entry.size].copy_from_slice(&data[start..start + entry.size]);
            u64::from_le_bytes(bytes)
        };
        let pairs: Vec<_> = entries
            .iter()
            .map(|entry| (entry.constant_id, value(entry)))
            .collect();
        let user = [(16, 7), (17, u64::MAX - 1), (18, 9)];
        let fixed = [8, 4, 2, 1, 0, 8, 1, 0, 0, 1, 5, 0];
        let fixed: Vec<_> = (0..).zip(fixed).collect();
        assert_eq!(pairs, [&fixed[..], &user].concat());
    }

    /// What a driver's cache has at least: its header.
    const EMPTY: usize = 32;

    /// A driver that keeps something and tells where pipelines come from has them from the file.
    #[test]
    fn the_next_device_has_pipelines_from_the_file() {
        for (adapter, _folder) in adapters_that_keep_pipelines("served") {
            let shape = Shape::new(&[1 << 20], None, &[], &adapter.limits()).unwrap();
            let artifact = super::super::float_probe::probe();
            let make = || {
                let device = adapter.open().unwrap();
                let found = OnceCell::new();
                let plain = FloatFaults::default();
                let key = Key::new(artifact, &[], &shape, Switches::OFF, plain);
                let start = Instant::now();
                let none = vk::PipelineCreateFlags::empty();
                let pipeline = device.make_pipeline(artifact, &key, none, &found).unwrap();
                let time = start.elapsed();
                // SAFETY: made here, and not used.
                unsafe { device.raw().destroy_pipeline(pipeline.0, None) };
                (found.into_inner(), time)
            };
            let (first, first_time) = make();
            assert_ne!(first, Some(true), "it is made for the first time");
            let kept = adapter.pipeline_file().and_then(PipelineFile::read);
            let kept = kept.expect("closing the device keeps it");
            let (second, second_time) = make();
            println!(
                "{}: {} bytes kept; first {first:?} in {first_time:?}, then {second:?} in \
                 {second_time:?}",
                adapter.name(),
                kept.len()
            );
            if kept.len() > EMPTY && first.is_some() {
                assert_eq!(second, Some(true));
            }
        }
        assert_eq!(super::super::validation_messages(), 0);
    }
}
