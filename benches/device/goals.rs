//! What the figures should be on an NVIDIA H200.

use crate::figures::{Run, Unit};

/// A figure with what it should be. Figures are named by case and version: `triad/checked`.
pub struct Goal {
    pub what: &'static str,
    figure: &'static str,
    /// What it is compared with, if the run has it.
    beside: &'static str,
    aim: Aim,
}

/// Ratios are those of the speeds: more than 1 is faster.
enum Aim {
    Ratio(f64),
    AtLeast(f64),
    AtMost(f64),
}

use Aim::{AtLeast, AtMost, Ratio};

const fn goal(what: &'static str, figure: &'static str, beside: &'static str, aim: Aim) -> Goal {
    Goal {
        what,
        figure,
        beside,
        aim,
    }
}

#[rustfmt::skip]
pub const GOALS: &[Goal] = &[
    goal("triad of `f32`, 1 GiB each", "triad/checked", "triad/GLSL x4", Ratio(0.97)),
    goal("the same over a matrix", "triad-2d/checked", "triad-2d/GLSL x4", Ratio(0.97)),
    goal("triad of `f16`", "triad-f16/checked", "triad-f16/GLSL x8", Ratio(0.95)),
    goal("copy of `u8`", "copy-u8/checked", "copy-u8/GLSL x16", Ratio(0.9)),
    goal("5-point stencil, 16384²", "stencil/checked", "stencil/copy", Ratio(0.8)),
    goal("transposition in tiles of 16 × 17", "transpose/checked", "transpose/copy", Ratio(0.8)),
    goal("sum of 2²⁸ `f32` in a `while` loop", "sum/checked", "sum/CuPy", AtLeast(4223.0)),
    goal("400 000 edges push weights to nodes", "pushes/checked", "pushes/GLSL", AtMost(0.3)),
    goal("the article's product, 16 × 16, 4096³", "tiled/checked", "tiled/GLSL", Ratio(1.0)),
    goal("the same in tiles of 64 × 64, threads merged", "coarsened/checked", "coarsened/GLSL", AtLeast(20_000.0)),
    goal("with `fast_math`", "coarsened-fast/checked", "coarsened-fast/GLSL", AtLeast(30_000.0)),
    goal("best product, exact", "product/checked", "buffered/GLSL", Ratio(1.0)),
    goal("best product, `fast_math`", "product-fast/checked", "buffered-fast/GLSL", AtLeast(45_500.0)),
    goal("n-body in tiles, `fast_math`", "nbody-fast/checked", "nbody-fast/GLSL", Ratio(0.98)),
    goal("exact `sqrt` beside `fast_math`", "exact-root/checked", "exact-root/fast_math", Ratio(1.0 / 3.0)),
    goal("exact `mul_add` beside `fast_math`", "exact-fused/checked", "exact-fused/fast_math", Ratio(1.0 / 3.0)),
    goal("exact division beside `fast_math`", "exact-quotient/checked", "exact-quotient/fast_math", Ratio(0.5)),
    goal("1000 dependent launches, each, on the device", "launches-dependent-device/amp", "launches-dependent-device/by hand", AtMost(1.85)),
    goal("the same, all in", "launches-dependent/amp", "launches-dependent/by hand", AtMost(2.1)),
    goal("1000 independent launches, each, all in", "launches-independent/amp", "launches-independent/by hand", AtMost(0.5)),
    goal("the host's time of a launch", "launches-independent-host/amp", "launches-independent-host/by hand", AtMost(0.4)),
    goal("a launch that is waited for", "launch-and-wait/amp", "launch-and-wait/by hand", AtMost(13.5)),
    goal("1000 dependent launches replayed, each, all in", "launches-replayed/amp", "launches-replayed/by hand", AtMost(1.85)),
    goal("256 MiB from a `Vec`", "upload/amp", "upload/staging array", AtLeast(45.0)),
    goal("256 MiB into a `Vec`", "download/amp", "download/staging array", AtLeast(45.0)),
    goal("`to_vec` of 256 MiB", "to_vec/amp", "", AtLeast(30.0)),
    goal("a view over a slice: up, a kernel, down", "view/amp", "", AtLeast(38.0)),
    goal("copy of 256 MiB between two devices", "pair-copy/amp", "", AtLeast(40.0)),
    goal("tiled product over two devices", "pair-product/amp", "pair-product/one device", Ratio(1.95)),
    goal("one element read back", "element/amp", "", AtMost(14.0)),
    goal("default view ready, in a new process", "start/amp", "", AtMost(145.0)),
    goal("of it opening the device", "start/amp, open", "", AtMost(75.0)),
    goal("first upload of 4 MiB", "first-copies/amp, first upload", "", AtMost(2.0)),
    goal("first download of 4 MiB", "first-copies/amp, first download", "", AtMost(2.0)),
    goal("a small job the second time", "small-job/amp, second", "", AtMost(0.3)),
    goal("a small job later", "small-job/amp, later", "", AtMost(0.3)),
];

impl Goal {
    /// The figure, what is beside it, the goal, and whether it is met: `None` if the run has no such
    /// figure.
    pub fn judged(&self, run: &Run) -> Option<[String; 4]> {
        let (figure, unit) = value(run, self.figure)?;
        let other = value(run, self.beside).map(|(other, _)| other);
        let ratio = other.map(|other| match unit.is_time() {
            true => other / figure,
            false => figure / other,
        });
        let (aim, part) = match self.aim {
            Ratio(least) => (format!("≥ {least:.2} of it"), ratio? / least),
            AtLeast(least) => (format!("≥ {}", unit.text(least)), figure / least),
            AtMost(most) => (format!("≤ {}", unit.text(most)), most / figure),
        };
        let beside = match (other, ratio) {
            (Some(other), Some(ratio)) => {
                format!(
                    "{}: {} ({ratio:.2})",
                    self.beside.replace('/', ", "),
                    unit.text(other)
                )
            }
            _ => String::new(),
        };
        let verdict = match part {
            1.0.. => "met".into(),
            _ => format!("{:.0} % of the goal", 100.0 * part),
        };
        Some([unit.text(figure), beside, aim, verdict])
    }
}

fn value(run: &Run, name: &str) -> Option<(f64, Unit)> {
    let (case, version) = name.split_once('/')?;
    run.value(case, version)
}
