//! What a driver says about a pipeline, where it has `VK_KHR_pipeline_executable_properties`.
//!
//! Drivers collect that only for a pipeline that is made to be asked, so one is made for each
//! question, and launches go on with theirs.

use std::cell::OnceCell;
use std::ffi::CStr;

use amp_spirv::artifact::Artifact;
use ash::{khr, vk};

use super::device::Device;
use super::pipeline::{Key, Pipeline};
use crate::types::error::Result;
use crate::types::report::Statistic;

impl Device {
    /// What the driver says about the pipeline for a key; empty if it says nothing about any.
    pub(super) fn statistics(&self, artifact: &Artifact, key: &Key) -> Result<Vec<Statistic>> {
        if self.facts.enabled.executables.pipeline_executable_info == vk::FALSE {
            return Ok(Vec::new());
        }
        let flags = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
        let Pipeline(raw) = self.make_pipeline(artifact, key, flags, &OnceCell::new())?;
        let statistics = self.statistics_of(raw);
        // SAFETY: made above, and never used.
        unsafe { self.raw().destroy_pipeline(raw, None) };
        statistics.map_err(|result| self.error("asking for a pipeline's statistics", result))
    }

    fn statistics_of(&self, raw: vk::Pipeline) -> std::result::Result<Vec<Statistic>, vk::Result> {
        let instance = self.facts.instance.functions();
        let device = self.raw();
        let functions = khr::pipeline_executable_properties::Device::new(instance, &device);
        let info = vk::PipelineInfoKHR::default().pipeline(raw);
        // SAFETY: the extension and its feature are enabled, and the pipeline is there.
        let executables = unsafe { functions.get_pipeline_executable_properties(&info) }?;
        let mut statistics = Vec::new();
        for index in 0..executables.len() as u32 {
            let info = vk::PipelineExecutableInfoKHR::default()
                .pipeline(raw)
                .executable_index(index);
            // SAFETY: as above; it was made to be asked, and has as many executables.
            let found = unsafe { functions.get_pipeline_executable_statistics(&info) }?;
            statistics.extend(found.iter().map(statistic));
        }
        Ok(statistics)
    }
}

fn statistic(found: &vk::PipelineExecutableStatisticKHR<'_>) -> Statistic {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    // SAFETY: the format says which of the values is there.
    let value = unsafe {
        match found.format {
            Format::BOOL32 => f64::from(found.value.b32),
            Format::INT64 => found.value.i64 as f64,
            Format::UINT64 => found.value.u64 as f64,
            _ => found.value.f64,
        }
    };
    let name = found.name_as_c_str().map(CStr::to_string_lossy);
    Statistic {
        name: name.unwrap_or_default().into_owned(),
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_of_their_format() {
        use vk::PipelineExecutableStatisticFormatKHR as Format;
        use vk::PipelineExecutableStatisticValueKHR as Value;
        let cases = [
            (Format::BOOL32, Value { b32: 1 }, 1.0),
            (Format::INT64, Value { i64: -3 }, -3.0),
            (Format::UINT64, Value { u64: 40 }, 40.0),
            (Format::FLOAT64, Value { f64: 0.5 }, 0.5),
        ];
        for (format, value, expected) in cases {
            let found = vk::PipelineExecutableStatisticKHR::default()
                .name(c"Register Count")
                .expect("it is short")
                .format(format)
                .value(value);
            let found = statistic(&found);
            assert_eq!(found.name, "Register Count");
            assert_eq!(found.value, expected);
        }
    }
}
