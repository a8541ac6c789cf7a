//! Kernels for tests, written by hand as the macros would have them: an artifact from
//! GLSL (`tests/kernels`, compiled with `glslc --target-env=vulkan1.2 -O`) and a host version.

use std::sync::Once;

use amp_runtime::private::{
    Artifact, Binding, FaultKind, ParamKind, ReadSource, WriteSource, validation_messages,
};
use amp_runtime::{Accelerator, AcceleratorView, Index, Kernel, QueuingMode, TiledIndex};
use amp_spirv::artifact::{FaultSite, Param};

/// A view of every accelerator, each named: Vulkan devices, immediate too, and the CPU.
pub fn views() -> Vec<(String, AcceleratorView)> {
    validate();
    let mut views = Vec::new();
    for accelerator in Accelerator::all() {
        for mode in [QueuingMode::Automatic, QueuingMode::Immediate] {
            let view = accelerator
                .create_view(mode)
                .expect("a listed accelerator opens");
            views.push((format!("{accelerator}, {mode:?}"), view));
        }
    }
    views
}

/// Views of Vulkan devices only.
pub fn device_views() -> Vec<(String, AcceleratorView)> {
    let mut views = views();
    views.retain(|(_, view)| view.accelerator() != Accelerator::cpu());
    views
}

/// Turns validation on for the process.
pub fn validate() {
    static ONCE: Once = Once::new();
    // SAFETY: every test starts here, so nothing else uses the environment yet.
    ONCE.call_once(|| unsafe { std::env::set_var("AMP_VALIDATION", "1") });
}

/// Nothing was wrong with any call so far.
pub fn assert_valid() {
    assert_eq!(
        validation_messages(),
        0,
        "the validation layer has something to say, see above"
    );
}

fn artifact(
    spirv: &'static [u8],
    (rank, tiled): (u32, bool),
    block_bytes: u32,
    params: Vec<Param>,
) -> Artifact {
    Artifact {
        name: "main".into(),
        spirv: spirv.into(),
        rank,
        tiled,
        has_barrier: tiled,
        params: params.into(),
        block_bytes,
        spilled: block_bytes > 128,
        // The side of a tile.
        constant_bytes: vec![4; usize::from(tiled)].into(),
        features: Vec::new().into(),
        files: vec!["tests/kernels/scale.comp".into()].into(),
        faults: vec![FaultSite {
            kind: FaultKind::OutOfBounds,
            file: 0,
            lane: 0,
            line: 43,
            column: 5,
        }]
        .into(),
        messages: Vec::new().into(),
        ..Artifact::default()
    }
}

fn view(offset: u32, rank: u32, reads: bool, writes: bool) -> Param {
    let kind = ParamKind::View {
        rank,
        element_bytes: 4,
        reads,
        writes,
    };
    Param {
        name: format!("view_{offset}").into(),
        offset,
        kind,
    }
}

fn value(offset: u32, bytes: u32) -> Param {
    Param {
        name: format!("value_{offset}").into(),
        offset,
        kind: ParamKind::Value { bytes },
    }
}

/// One artifact for each place that asks, as a `static` would be.
macro_rules! artifact {
    ($name:literal, $($rest:expr),*) => {{
        static ARTIFACT: std::sync::OnceLock<Artifact> = std::sync::OnceLock::new();
        ARTIFACT.get_or_init(|| {
            artifact(include_bytes!(concat!("../kernels/", $name, ".spv")), $($rest),*)
        })
    }};
}

/// `x[idx] *= s`.
pub fn scale<'a>(x: &'a mut impl WriteSource<f32, 1>, s: f32) -> Kernel<'a, Index<1>> {
    let params = || vec![view(16, 1, true, true), value(28, 4)];
    let mut binding = Binding::new(artifact!("scale", (1, false), 32, params()), &[]);
    let x = binding.write(x);
    binding.value(s);
    binding.finish(move |views, threads| {
        let x = views.write(x);
        threads.run(|index: Index<1>| {
            let mut x = x.for_thread();
            let place = x.place_mut(index);
            place.store(place.load() * s);
        });
    })
}

/// `out[idx] += position of idx + 1`.
pub fn positions<'a>(out: &'a mut impl WriteSource<u32, 3>) -> Kernel<'a, Index<3>> {
    let params = || vec![view(24, 3, true, true)];
    let mut binding = Binding::new(artifact!("positions", (3, false), 52, params()), &[]);
    let out = binding.write(out);
    binding.finish(move |views, threads| {
        let out = views.write(out);
        threads.run(|index: Index<3>| {
            let mut out = out.for_thread();
            let extent = out.extent();
            let at = (index[0] * extent[1] + index[1]) * extent[2] + index[2];
            let place = out.place_mut(index);
            place.store(place.load() + at as u32 + 1);
        });
    })
}

/// `b[j, i] = a[i, j]`.
pub fn transpose<'a>(
    a: &'a impl ReadSource<i32, 2>,
    b: &'a mut impl WriteSource<i32, 2>,
) -> Kernel<'a, TiledIndex<2, 8, 8>> {
    let params = || vec![view(16, 2, true, false), view(40, 2, false, true)];
    let mut binding = Binding::new(artifact!("transpose", (2, true), 60, params()), &[8]);
    let a = binding.read(a);
    let b = binding.write(b);
    binding.tile_static_bytes(8 * 8 * 4);
    binding.finish(move |views, threads| {
        let (a, b) = (views.read(a), views.write(b));
        threads.run(|t_idx: TiledIndex<2, 8, 8>| {
            let (i, j) = (t_idx.global[0], t_idx.global[1]);
            let value = a.place([i, j]).load();
            b.for_thread().place_mut([j, i]).store(value);
        });
    })
}

/// `out[idx] = table[idx % 32] + idx`.
pub fn gather<'a>(table: [u32; 32], out: &'a mut impl WriteSource<u32, 1>) -> Kernel<'a, Index<1>> {
    let params = || vec![value(16, 128), view(144, 1, false, true)];
    let mut binding = Binding::new(artifact!("gather", (1, false), 156, params()), &[]);
    binding.value(table);
    let out = binding.write(out);
    binding.finish(move |views, threads| {
        let out = views.write(out);
        threads.run(|index: Index<1>| {
            let value = table[index[0] % 32] + index[0] as u32;
            out.for_thread().place_mut(index).store(value);
        });
    })
}
