//! Roles of streams, and the barriers that their queues can have.

use ash::vk;

use super::super::device::Device;

/// The commands whose memory accesses a barrier orders.
pub(super) const STAGES: vk::PipelineStageFlags = vk::PipelineStageFlags::from_raw(
    vk::PipelineStageFlags::COMPUTE_SHADER.as_raw() | vk::PipelineStageFlags::TRANSFER.as_raw(),
);
const WRITES: vk::AccessFlags = vk::AccessFlags::from_raw(
    vk::AccessFlags::SHADER_WRITE.as_raw() | vk::AccessFlags::TRANSFER_WRITE.as_raw(),
);
const ACCESSES: vk::AccessFlags = vk::AccessFlags::from_raw(
    WRITES.as_raw()
        | vk::AccessFlags::SHADER_READ.as_raw()
        | vk::AccessFlags::TRANSFER_READ.as_raw(),
);

/// What the commands of a recorder are, and so what its queue need be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::device::vulkan) enum Role {
    /// Launches, and transfers between them.
    Kernels,
    /// Transfers for another stream.
    Transfers,
}

impl Role {
    pub(super) fn stages(self) -> vk::PipelineStageFlags {
        match self {
            Role::Kernels => STAGES,
            Role::Transfers => vk::PipelineStageFlags::TRANSFER,
        }
    }

    pub(super) fn writes(self) -> vk::AccessFlags {
        match self {
            Role::Kernels => WRITES,
            Role::Transfers => vk::AccessFlags::TRANSFER_WRITE,
        }
    }

    pub(super) fn accesses(self) -> vk::AccessFlags {
        match self {
            Role::Kernels => ACCESSES,
            Role::Transfers => vk::AccessFlags::TRANSFER_WRITE | vk::AccessFlags::TRANSFER_READ,
        }
    }
}

/// Records a barrier between everything before it and everything behind it.
pub(super) fn barrier(device: &Device, commands: vk::CommandBuffer, role: Role) {
    let barrier = [vk::MemoryBarrier::default()
        .src_access_mask(role.writes())
        .dst_access_mask(role.accesses())];
    // SAFETY: the command buffer is being recorded, by this thread alone.
    unsafe {
        device.raw().cmd_pipeline_barrier(
            commands,
            role.stages(),
            role.stages(),
            vk::DependencyFlags::empty(),
            &barrier,
            &[],
            &[],
        );
    }
}
