//! A hint to those whose kernels take long because rustc has not optimised them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long such kernels run before the hint is worth a line.
const PATIENCE: Duration = Duration::from_secs(1);

const HINT: &str = "amp: hint: kernels have run for a second on the CPU accelerator, and they are compiled with \
     little or no optimisation: write `opt-level = 3` under `[profile.dev]` in \
     the Cargo.toml of the workspace";

/// Runs a kernel that is not optimised. Once such kernels have taken long in all, the standard error stream says
/// so, one time.
pub(super) fn unoptimised<R>(run: impl FnOnce() -> R) -> R {
    static SPENT: AtomicU64 = AtomicU64::new(0);
    let start = Instant::now();
    let result = run();
    if passes(&SPENT, start.elapsed()) {
        eprintln!("{HINT}");
    }
    result
}

/// Adds to the time that was spent, and returns whether that was one moment too many.
fn passes(spent: &AtomicU64, time: Duration) -> bool {
    let [time, patience] = [time, PATIENCE].map(|time| time.as_nanos() as u64);
    let before = spent.fetch_add(time, Ordering::Relaxed);
    before < patience && before + time >= patience
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_comes_once() {
        let spent = AtomicU64::new(0);
        let passes = [300, 600, 200, 5000].map(|it| passes(&spent, Duration::from_millis(it)));
        assert_eq!(passes, [false, false, true, false]);
    }
}
