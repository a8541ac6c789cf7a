//! Whole kernels.

use amp_spirv::artifact::{FaultKind, ParamKind};
use amp_spirv::tree::Module;

use crate::check::{count, faults, listing, read, valid};

/// `y[idx] = a * x[idx] + y[idx]`
pub fn axpy() -> Module {
    read(
        "kernel axpy over Index<1>
fn axpy#0(idx: Index<1>, x: &ArrayView<f32, 1>, y: &mut ArrayViewMut<f32, 1>, a: f32) {
    y[idx] = ((a * x[idx])
        + y[idx]);
}",
    )
}

/// The tiled matrix product of Microsoft's article.
pub const MAT_MUL: &str = "\
kernel mat_mul over tiles of #0 x #0
const TS#0: usize
tile_static loc_a@0: [[f32; #0]; #0]
tile_static loc_b@1: [[f32; #0]; #0]
fn mat_mul#0(t_idx: TiledIndex<2>, a: &ArrayView<f32, 2>, b: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 2>) {
    let row: usize = t_idx.local[0usize];
    let col: usize = t_idx.local[1usize];
    let sum: f32 = 0.0f32;
    '0: for i in (0usize..a.extent().1).step_by(TS#0) {
        loc_a@0[row][col] = a[t_idx.global[0usize], (col + i)];
        loc_b@1[row][col] = b[(row + i), t_idx.global[1usize]];
        barrier(All);
        '1: for k in (0usize..TS#0) {
            sum += (loc_a@0[row][k] * loc_b@1[k][col]);
        }
        barrier(All);
    }
    c[t_idx.global] = sum;
}
";

pub fn mat_mul() -> Module {
    read(MAT_MUL)
}

#[test]
fn axpy_describes_itself() {
    let artifact = valid(&axpy());
    assert_eq!(artifact.name, "axpy");
    assert_eq!(artifact.rank, 1);
    assert!(!artifact.tiled && !artifact.has_barrier && !artifact.spilled);
    let kinds: Vec<(u32, ParamKind)> = artifact
        .params
        .iter()
        .map(|param| (param.offset, param.kind))
        .collect();
    let view = |reads, writes| ParamKind::View {
        rank: 1,
        element_bytes: 4,
        reads,
        writes,
    };
    assert_eq!(
        kinds,
        [
            (16, view(true, false)),
            (32, view(true, true)),
            (44, ParamKind::Value { bytes: 4 }),
        ]
    );
    assert_eq!(artifact.block_bytes, 48);
    let sites = artifact.faults.iter();
    let lines: Vec<(FaultKind, u32)> = sites
        .filter(|site| site.kind != FaultKind::LoopCut)
        .map(|site| (site.kind, site.line))
        .collect();
    let kind = FaultKind::OutOfBounds;
    assert_eq!(lines, [(kind, 3), (kind, 4), (kind, 3)]);
}

#[test]
fn tile_static_accesses_within_the_tile_are_not_checked() {
    let artifact = valid(&mat_mul());
    assert!(artifact.tiled && artifact.has_barrier);
    // Two loads and a store of views; the six accesses of tile_static are proven.
    assert_eq!(
        faults(&artifact),
        [
            FaultKind::ZeroStep,
            FaultKind::OutOfBounds,
            FaultKind::OutOfBounds,
            FaultKind::OutOfBounds,
        ]
    );
}

#[test]
fn names_and_lines_reach_the_module() {
    let Some(text) = listing(&mat_mul()) else {
        return;
    };
    for name in [
        "OpEntryPoint GLCompute %main \"mat_mul\"",
        "OpName %loc_a \"loc_a\"",
        "OpName %c \"c\"",
        "OpName %TS \"TS\"",
        "OpString \"text\"",
        "OpLine",
        "BuiltIn WorkgroupSize",
        "OpMemoryModel PhysicalStorageBuffer64 Vulkan",
    ] {
        assert!(text.contains(name), "{name} is missing in\n{text}");
    }
    assert_eq!(count(&text, "OpControlBarrier"), 2);
    assert_eq!(count(&text, "NoContraction"), 2);
}
