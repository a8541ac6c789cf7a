//! What the compiler says that it did.

use amp::prelude::*;
use amp::{Array, RemarkKind, Report, Variant};

#[amp_kernel]
fn indices(idx: Index<1>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>, n: usize) {
    let weights = [1, 2, 3];
    // The host knows the domain and `n`.
    c[idx] = weights[n];
    let mut at = n;
    for k in 0..3 {
        // That `idx` is within `c` is known by now.
        c[idx] += weights[k] * a[at];
        at = a[k] as usize;
    }
    c[a[n] as usize] = 7;
}

#[amp_fn]
fn twice(x: u32) -> u32 {
    2 * x
}

#[amp_kernel]
fn barriers(t_idx: TiledIndex<1, 8>, a: &ArrayView<u32, 1>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 8];
    shared[t_idx.local[0]] = twice(a[t_idx]);
    // No view is written before it.
    t_idx.barrier.wait();
    c[t_idx] = shared[7 - t_idx.local[0]];
    // This one orders what was written.
    t_idx.barrier.wait();
    c[t_idx] += c[t_idx.tile_origin];
    t_idx.barrier.wait_with_tile_static_memory_fence();
}

/// Remarks, each behind the source that it is about.
fn remarks(report: &Report) -> Vec<String> {
    let source: Vec<&str> = include_str!("reports.rs").lines().collect();
    let remarks = report.remarks.iter().map(|it| {
        assert!(it.file.ends_with("reports.rs"), "{report}");
        let about = &source[it.line as usize - 1][it.column as usize - 1..];
        let place = if it.in_loop { ", in a loop" } else { "" };
        format!("{about} {}{place}", it.kind)
    });
    remarks.collect()
}

#[test]
fn each_index_is_reported_with_what_became_of_its_check() -> amp::Result<()> {
    let a = Array::<u32, 1>::zeroed([8])?;
    let mut c = Array::<u32, 1>::zeroed([8])?;
    let report = indices(&a, &mut c, 0).report();
    assert_eq!(report.kernel, "indices");
    assert_eq!(report.checks, 2, "{report}");
    assert_eq!(report.checks_at_launch, 4, "{report}");
    assert_eq!(report.checks_proven_needless, 1, "{report}");
    assert_eq!(report.barriers, 0, "{report}");
    assert!(report.features.is_empty(), "{report}");
    assert_eq!(
        remarks(&report),
        [
            "c[idx] = weights[n]; index checked by the host at launch (group 1)",
            "weights[n]; index checked by the host at launch (group 0)",
            "weights[k] * a[at]; index proven in bounds, in a loop",
            "a[at]; index checked: it is read from data, in a loop",
            "a[k] as usize; index checked by the host at launch (group 2), in a loop",
            "c[a[n] as usize] = 7; index checked: it is read from data",
            "a[n] as usize] = 7; index checked by the host at launch (group 3)",
        ]
    );
    Ok(())
}

#[amp_kernel]
fn rows(
    idx: Index<1>,
    starts: &ArrayView<u32, 1>,
    a: &ArrayView<u32, 1>,
    c: &mut ArrayViewMut<u32, 1>,
) {
    for k in starts[idx[0]] as usize..starts[idx[0] + 1] as usize {
        c[idx] += a[a[k] as usize];
    }
}

#[test]
fn indices_that_count_through_a_range_from_data_are_checked_before_the_loop() -> amp::Result<()> {
    let a = Array::<u32, 1>::zeroed([8])?;
    let mut c = Array::<u32, 1>::zeroed([7])?;
    let report = rows(&a, &a, &mut c).report();
    assert_eq!(report.checks_before_loops, 1, "{report}");
    assert_eq!(
        remarks(&report)[2..],
        [
            "c[idx] += a[a[k] as usize]; index checked by the host at launch (group 2)",
            "a[a[k] as usize]; index checked: it is read from data, in a loop",
            "a[k] as usize]; index checked before its loop, in a loop",
        ]
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
    assert_eq!(report.inlined, ["twice"]);
    Ok(())
}

#[amp_kernel]
fn blur(idx: Index<1>, a: &ArrayView<f32, 1>, b: &mut ArrayViewMut<f32, 1>, s: f32) {
    let first = idx[0] / 8;
    for k in 0..4 {
        b[idx] += a[first + k] * s;
    }
}

#[test]
fn a_launch_is_reported_with_what_the_host_proves() -> amp::Result<()> {
    let mut b = Array::<f32, 1>::zeroed([4096])?;
    for (elements, all) in [(515, true), (514, false)] {
        let a = Array::<f32, 1>::zeroed([elements])?;
        let report = Variant::new(4096, blur(&a, &mut b, 1.0)).report()?;
        let proven: Vec<_> = report
            .remarks
            .iter()
            .filter_map(|remark| match remark.kind {
                RemarkKind::AtLaunch { group, proven, .. } => Some((group, proven)),
                _ => None,
            })
            .collect();
        assert_eq!(proven, [(0, Some(true)), (1, Some(all))], "{report}");
        // Lavapipe has no statistics to tell.
        assert!(report.statistics.iter().all(|it| !it.name.is_empty()));
    }
    Ok(())
}
