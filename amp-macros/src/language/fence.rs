//! What orders memory: the methods of a barrier, and fences.

use amp_spirv::tree::MemoryFence;

/// The methods of a barrier, with what each orders.
pub const BARRIERS: &[(&str, MemoryFence)] = &[
    ("wait", MemoryFence::All),
    ("wait_with_all_memory_fence", MemoryFence::All),
    ("wait_with_global_memory_fence", MemoryFence::Global),
    (
        "wait_with_tile_static_memory_fence",
        MemoryFence::TileStatic,
    ),
];

/// The fences, with what each orders for the threads of a tile; one orders memory for all tiles.
pub const FENCES: &[(&str, Option<MemoryFence>)] = &[
    ("all_memory_fence", Some(MemoryFence::All)),
    ("global_memory_fence", Some(MemoryFence::Global)),
    ("tile_static_memory_fence", Some(MemoryFence::TileStatic)),
    ("device_memory_fence", None),
];

/// The row of this name.
pub fn named<T: Copy>(rows: &[(&str, T)], name: &str) -> Option<T> {
    let mut rows = rows.iter();
    rows.find(|(known, _)| *known == name).map(|(_, row)| *row)
}
