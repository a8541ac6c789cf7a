//! What a device has of that which kernels may need and devices may lack.

use amp_spirv::artifact::{Artifact, Feature};
use ash::vk;

use super::enabled::Enabled;
use crate::types::error::{Error, Result};

/// The features of a device.
#[derive(Clone, Debug, Default)]
pub(crate) struct Features(Vec<Feature>);

impl Features {
    pub(super) fn new(enabled: &Enabled) -> Self {
        let Enabled {
            base,
            vulkan11,
            vulkan12,
            ..
        } = enabled;
        let has = |feature: &Feature| {
            vk::TRUE
                == match feature {
                    Feature::Int8 => vulkan12.shader_int8,
                    Feature::Int16 => base.shader_int16,
                    Feature::Int64 => base.shader_int64,
                    Feature::Float64 => base.shader_float64,
                    Feature::Storage8 => vulkan12.storage_buffer8_bit_access,
                    Feature::Storage16 => vulkan11.storage_buffer16_bit_access,
                    Feature::Atomics64 => vulkan12.shader_buffer_int64_atomics,
                    Feature::TileAtomics64 => vulkan12.shader_shared_int64_atomics,
                }
        };
        Self(Feature::ALL.into_iter().filter(has).collect())
    }

    /// Whether the device has something.
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.0.contains(&feature)
    }

    /// The same without something.
    #[cfg(test)]
    pub(super) fn without(&self, feature: Feature) -> Self {
        Self(self.0.iter().copied().filter(|it| *it != feature).collect())
    }

    /// Refuses a kernel that needs what the device does not have.
    pub(crate) fn check(&self, artifact: &Artifact, accelerator: &str) -> Result<()> {
        match artifact.features.iter().find(|needed| !self.has(**needed)) {
            None => Ok(()),
            Some(lacking) => Err(Error::UnsupportedFeature(format!(
                "kernel `{}` needs {} for {}, which {accelerator} does not have; use other types, \
                 or run it on another accelerator",
                artifact.name,
                lacking.name(),
                lacking.types()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::adapters_without;
    use super::*;
    use crate::array::Array;
    use crate::device::accelerator::Accelerator;
    use crate::device::cpu::Threads;
    use crate::private::Binding;
    use crate::types::index::Index;
    use amp_spirv::artifact::{Param, ParamKind};

    fn artifact(features: Vec<Feature>) -> &'static Artifact {
        let all = Param {
            name: "all".into(),
            offset: 16,
            kind: ParamKind::View {
                rank: 1,
                element_bytes: 8,
                reads: true,
                writes: true,
            },
        };
        Box::leak(Box::new(Artifact {
            name: "double".into(),
            rank: 1,
            params: vec![all].into(),
            block_bytes: 28,
            features: features.into(),
            ..Artifact::default()
        }))
    }

    #[test]
    fn the_message_names_kernel_feature_and_accelerator() {
        let some = Features(vec![Feature::Int64]);
        assert_eq!(some.check(artifact(vec![Feature::Int64]), "a GPU"), Ok(()));
        let needed = artifact(vec![Feature::Int64, Feature::Storage8]);
        assert_eq!(
            some.check(needed, "a GPU").unwrap_err().to_string(),
            "unsupported feature: kernel `double` needs storageBuffer8BitAccess for arrays of i8 \
             and u8, which a GPU does not have; use other types, or run it on another accelerator"
        );
    }

    #[test]
    fn a_refused_launch_changes_nothing() {
        for accelerator in refuses(Feature::Float64, "shaderFloat64") {
            assert!(!accelerator.supports_limited_double_precision());
            assert!(!accelerator.supports_double_precision());
        }
        refuses(Feature::Atomics64, "shaderBufferInt64Atomics");
        refuses(Feature::TileAtomics64, "shaderSharedInt64Atomics");
    }

    /// Every device, made to lack a feature that a kernel needs.
    fn refuses(feature: Feature, called: &str) -> Vec<Accelerator> {
        let refusing = adapters_without(feature).into_iter().map(|adapter| {
            let name = adapter.name().to_owned();
            let accelerator = Accelerator::new_vulkan(adapter);
            let view = accelerator.default_view().unwrap();
            let mut all = Array::<f64, 1>::builder(3)
                .on(&view)
                .data(&[1.0, 2.0, 3.0])
                .build()
                .unwrap();
            let mut binding = Binding::new(artifact(vec![feature]), &[]);
            binding.write::<f64, 1>(&mut all);
            let kernel = binding.finish(|_, _: Threads<'_, Index<1>>| {});
            let error = view.parallel_for_each(3, kernel).unwrap_err();
            assert!(matches!(error, Error::UnsupportedFeature(_)), "{error}");
            for part in ["`double`", called, &name] {
                assert!(error.to_string().contains(part), "{error}");
            }
            assert_eq!(all.to_vec().unwrap(), [1.0, 2.0, 3.0]);
            drop(all);
            accelerator
        });
        refusing.collect()
    }
}
