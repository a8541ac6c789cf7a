//! Barriers and fences.
//!
//! Both promise something to the threads of the tile only, so the scope of their
//! memory semantics is the workgroup; the accesses that they order are marked
//! non-private where they are emitted.

use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope, Word};

use super::Emitter;
use crate::ir::MemoryFence;

fn semantics(fence: MemoryFence) -> MemorySemantics {
    let memory = match fence {
        MemoryFence::All => MemorySemantics::UNIFORM_MEMORY | MemorySemantics::WORKGROUP_MEMORY,
        MemoryFence::Global => MemorySemantics::UNIFORM_MEMORY,
        MemoryFence::TileStatic => MemorySemantics::WORKGROUP_MEMORY,
    };
    memory
        | MemorySemantics::ACQUIRE_RELEASE
        | MemorySemantics::MAKE_AVAILABLE
        | MemorySemantics::MAKE_VISIBLE
}

impl Emitter<'_> {
    fn fence_operands(&mut self, fence: MemoryFence) -> [Word; 2] {
        [
            self.b.u32(Scope::Workgroup as u32),
            self.b.u32(semantics(fence).bits()),
        ]
    }

    /// All threads of the tile wait for each other, then see each other's writes.
    pub fn barrier(&mut self, fence: MemoryFence) {
        let [scope, semantics] = self.fence_operands(fence);
        self.b.effect(
            Op::ControlBarrier,
            vec![
                Operand::IdScope(scope),
                Operand::IdScope(scope),
                Operand::IdMemorySemantics(semantics),
            ],
        );
    }

    /// Orders this thread's accesses, waiting for nobody.
    pub fn fence(&mut self, fence: MemoryFence) {
        let [scope, semantics] = self.fence_operands(fence);
        self.b.effect(
            Op::MemoryBarrier,
            vec![
                Operand::IdScope(scope),
                Operand::IdMemorySemantics(semantics),
            ],
        );
    }
}
