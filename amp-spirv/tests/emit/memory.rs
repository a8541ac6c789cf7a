//! Places, layouts, the argument block, barriers.

use amp_spirv::artifact::{FaultKind, ParamKind};
use amp_spirv::compile;
use amp_spirv::tree::{MemoryFence, Module};

use crate::check::{count, disassemble, listing, read, valid};

const PARTICLE: &str = "
struct Particle#0 {
    mass: f32,
    position: [f32; 3],
    id: u32,
}";

#[test]
fn struct_elements_and_their_fields() {
    let module = read(&format!(
        "kernel structs over Index<1>
{PARTICLE}
fn structs#0(idx: Index<1>, all: &mut ArrayViewMut<Particle#0, 1>) {{
    let one = all[idx];
    '0: for k in (0usize..3usize) {{
        all[idx].1[k] += 1.0f32;
        one.1[k] = all[idx].1[(k + 1usize)];
    }}
    all[idx].2 = 7u32;
    all[idx] = one;
}}"
    ));
    let artifact = valid(&module);
    assert_eq!(
        artifact.params[0].kind,
        ParamKind::View {
            rank: 1,
            element_bytes: 20,
            reads: true,
            writes: true
        }
    );
    // `k` is proven, `k + 1` is not.
    let arrays = artifact
        .faults
        .iter()
        .filter(|site| site.kind == FaultKind::ArrayOutOfBounds);
    assert_eq!(arrays.count(), 1);
}

/// A value of every kind that an argument can be, enough to spill.
fn everything() -> Module {
    read(&format!(
        "kernel everything over Index<3>
{PARTICLE}
fn everything#0(
    idx: Index<3>,
    out: &mut ArrayViewMut<f32, 3>,
    flag: bool,
    pair: (bool, i32),
    flags: [bool; 2],
    table: [f32; 20],
    size: usize,
    extent: Extent<3>,
    origin: Index<3>,
    one: Particle#0,
    nothing: (),
    last: &ArrayView<i32, 1>,
) {{
    out[idx] = if ((pair.0 & flags[1usize]) | flag) {{
        (table[(extent[2usize] + origin[size])] * one.0)
    }} else {{
        (last[0usize] as f32)
    }};
}}"
    ))
}

#[test]
fn large_argument_blocks_are_spilled() {
    let artifact = valid(&everything());
    assert!(artifact.spilled);
    let offsets: Vec<u32> = artifact.params.iter().map(|param| param.offset).collect();
    // The domain's extents end at 24; `out` takes 8 + 4 * 5 bytes.
    assert_eq!(offsets, [24, 52, 56, 64, 72, 152, 156, 168, 180, 200, 200]);
    assert_eq!(artifact.block_bytes, 212);
}

#[test]
fn arrays_of_constant_length() {
    let module = read(
        "kernel constants over Index<1>
const N#0: usize
fn constants#0(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let a = [1.5f32; #0];
    let b = [[0.0f32; #0]; #0];
    let c = a;
    c = [a[idx[0usize]]; #0];
    '0: for k in (0usize..N#0) {
        b[k][k] += c[k];
    }
    out[idx] = b[0usize][0usize];
}",
    );
    let artifact = valid(&module);
    let arrays = artifact
        .faults
        .iter()
        .filter(|site| site.kind == FaultKind::ArrayOutOfBounds);
    // `a[idx]` and the literal zeros, of which the compiler does not know the bound.
    assert_eq!(arrays.count(), 3);
}

#[test]
fn tuples_units_and_temporaries() {
    valid(&read(
        "kernel tuples over Index<1>
fn tuples#0(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let t = (1u32, ((), true));
    t.1.0;
    if t.1.1 {
        out[idx] = (t).0;
    }
}",
    ));
}

#[test]
fn every_domain() {
    for rank in 1..=5 {
        valid(&read(&format!(
            "kernel domain over Index<{rank}>
fn domain#0(idx: Index<{rank}>, out: &mut ArrayViewMut<f32, {rank}>) {{
    out[idx] = 1.0f32;
}}"
        )));
    }
    for (rank, tile) in [(1, "2"), (2, "2 x 4"), (3, "2 x 4 x 8")] {
        valid(&read(&format!(
            "kernel tiled over tiles of {tile}
fn tiled#0(t_idx: TiledIndex<{rank}>, out: &mut ArrayViewMut<f32, {rank}>) {{
    out[t_idx.global] = 1.0f32;
}}"
        )));
    }
}

/// A kernel that uses both kinds of memory around `sync`.
fn around(sync: &str) -> Module {
    read(&format!(
        "kernel around over tiles of 64
tile_static shared@0: [f32; 64]
fn around#0(t_idx: TiledIndex<1>, source: &ArrayView<f32, 1>, out: &mut ArrayViewMut<f32, 1>) {{
    shared@0[t_idx.local[0usize]] = source[t_idx.global];
    out[t_idx.global] = 1.0f32;
    {sync};
    out[t_idx.global] = shared@0[t_idx.local[0usize]];
}}"
    ))
}

#[test]
fn every_barrier_and_fence() {
    // AcquireRelease, MakeAvailable, MakeVisible; then UniformMemory, WorkgroupMemory.
    const BASE: u32 = 0x8 | 0x2000 | 0x4000;
    for (fence, memory) in [
        (MemoryFence::All, 0x40 | 0x100),
        (MemoryFence::Global, 0x40),
        (MemoryFence::TileStatic, 0x100),
    ] {
        for (name, is_barrier) in [("barrier", true), ("fence", false)] {
            let module = around(&format!("{name}({fence:?})"));
            let artifact = compile(&module).expect("nothing is wrong");
            assert_eq!(artifact.has_barrier, is_barrier);
            let Some(text) = disassemble(&artifact) else {
                return;
            };
            let semantics = BASE | memory;
            let operand = format!("%uint_{semantics}");
            let expected = if is_barrier {
                format!("OpControlBarrier %uint_2 %uint_2 {operand}")
            } else {
                format!("OpMemoryBarrier %uint_2 {operand}")
            };
            assert!(text.contains(&expected), "{expected} in\n{text}");
            let shared = fence != MemoryFence::Global;
            let global = fence != MemoryFence::TileStatic;
            // Two accesses of tile_static memory, two writes through a mutable view.
            let wanted = 2 * usize::from(shared) + 2 * usize::from(global);
            assert_eq!(count(&text, "NonPrivatePointer"), wanted, "{text}");
        }
    }
}

#[test]
fn constants_of_every_type() {
    let module = read(
        "kernel constants over Index<1>
const I#0: i32
const U#1: u32
const F#2: f32
const B#3: bool
fn constants#0(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    if B#3 {
        out[idx] = ((I#0 as f32) + ((U#1 as f32) + F#2));
    }
}",
    );
    let Some(text) = listing(&module) else {
        return;
    };
    for (name, number) in [("I", 16), ("U", 17), ("F", 18), ("B", 19)] {
        assert!(text.contains(&format!("OpDecorate %{name} SpecId {number}")));
    }
}
