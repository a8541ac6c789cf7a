//! What the compiler says that it did.

use amp::Array;
use amp::prelude::*;

#[amp_kernel]
fn indices(idx: Index<1>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>, n: usize) {
    let weights = [0.25, 0.5, 0.25];
    // Checked: `idx` may be outside of `c`, and `n` outside of `weights`.
    c[idx] = weights[n];
    for k in 0..3 {
        // Checked: `k` in `a`. That `idx` is within `c` is known; `k` is within `weights`.
        c[idx] += a[k] * weights[k];
    }
}

#[amp_kernel]
fn barriers(t_idx: TiledIndex<1, 8>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 8];
    shared[t_idx.local[0]] = a[t_idx];
    // No view is written before it.
    t_idx.barrier.wait();
    c[t_idx] = shared[7 - t_idx.local[0]];
    // This one orders what was written.
    t_idx.barrier.wait();
    c[t_idx] += c[t_idx.tile_origin];
    t_idx.barrier.wait_with_tile_static_memory_fence();
}

#[test]
fn indices_are_counted_by_what_became_of_their_checks() -> amp::Result<()> {
    let a = Array::<f32, 1>::zeroed([8])?;
    let mut c = Array::<f32, 1>::zeroed([8])?;
    let report = indices(&a, &mut c, 0).report();
    assert_eq!(report.kernel, "indices");
    assert_eq!(report.checks, 3, "{report}");
    assert_eq!(report.checks_before_loops, 0, "{report}");
    assert_eq!(report.checks_proven_needless, 1, "{report}");
    assert_eq!(report.barriers, 0, "{report}");
    assert!(report.features.is_empty(), "{report}");
    let text = report.to_string();
    assert!(
        text.starts_with(
            "kernel `indices`\n  indices: 3 checked, 0 checked before their loops, 1 that need no \
             check\n"
        ),
        "{text}"
    );
    Ok(())
}

#[test]
fn barriers_are_counted_by_what_they_order() -> amp::Result<()> {
    let a = Array::<u32, 1>::zeroed([8])?;
    let mut c = Array::<u32, 1>::zeroed([8])?;
    let report = barriers(&a, &mut c).report();
    assert_eq!(report.barriers, 3, "{report}");
    assert_eq!(report.barriers_without_views, 1, "{report}");
    Ok(())
}
