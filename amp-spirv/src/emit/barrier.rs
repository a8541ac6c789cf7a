//! Barriers and fences.
//!
//! Those of the tile promise something to its threads only, so the scope of their
//! memory semantics is the workgroup; the accesses that they order are marked
//! non-private where they are emitted.
//!
//! The barrier of subgroups promises the same to the threads of a subgroup.
//!
//! The device fence promises the same to every thread of the launch. Its scope is the
//! queue family: a launch runs on one queue, and unlike the scope of the whole device
//! this one needs no feature beyond the memory model.

use spirv::{MemorySemantics, Op, Scope};

use super::Emitter;
use crate::tree::{MemoryFence, SharedMemory};

fn semantics(ordered: SharedMemory) -> MemorySemantics {
    let mut memory = MemorySemantics::empty();
    memory.set(MemorySemantics::UNIFORM_MEMORY, ordered.views);
    memory.set(MemorySemantics::WORKGROUP_MEMORY, ordered.tile);
    if memory.is_empty() {
        return memory;
    }
    memory
        | MemorySemantics::ACQUIRE_RELEASE
        | MemorySemantics::MAKE_AVAILABLE
        | MemorySemantics::MAKE_VISIBLE
}

impl Emitter<'_> {
    /// All threads of the tile wait for each other, then see each other's writes.
    pub fn barrier(&mut self, ordered: SharedMemory) {
        self.control_barrier(Scope::Workgroup, ordered);
    }

    /// All threads of the subgroup wait for each other, then see each other's writes.
    pub fn subgroup_barrier(&mut self) {
        self.control_barrier(Scope::Subgroup, MemoryFence::All.orders());
    }

    fn control_barrier(&mut self, scope: Scope, ordered: SharedMemory) {
        let scope = self.b.u32(scope as u32);
        let semantics = self.b.u32(semantics(ordered).bits());
        self.b
            .effect(Op::ControlBarrier, &[scope, scope, semantics]);
    }

    /// Orders this thread's accesses, and waits for no other thread.
    pub fn fence(&mut self, fence: MemoryFence) {
        self.memory_barrier(Scope::Workgroup, semantics(fence.orders()));
    }

    /// Orders this thread's accesses to views, as the threads of all tiles see them.
    pub fn device_fence(&mut self) {
        self.memory_barrier(Scope::QueueFamily, semantics(MemoryFence::Global.orders()));
    }

    fn memory_barrier(&mut self, scope: Scope, semantics: MemorySemantics) {
        let scope = self.b.u32(scope as u32);
        let semantics = self.b.u32(semantics.bits());
        self.b.effect(Op::MemoryBarrier, &[scope, semantics]);
    }
}
