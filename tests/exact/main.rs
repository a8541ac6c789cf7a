//! Exactness of floats: each operation that Rust makes exact, on each accelerator, over
//! all pairs of special values and 2^20 random operands, against the host bit for bit.
//!
//! `cargo test -p amp-tests --test exact -- --nocapture` prints the table that stands in
//! `docs/support-matrix.md`.

#[macro_use]
mod operation;
mod double;
mod fast;
mod half;
mod operands;
mod roots;
mod single;

use operation::{Row, table};

/// What no device here needs is still there for others: `AMP_SOFT_FLOATS=1` has software
/// compute all that some device does wrong.
#[test]
fn software_is_exact_too() {
    let myself = std::env::current_exe().expect("a test has a path");
    let output = std::process::Command::new(myself)
        .args(["--exact", "every_operation_is_exact_on_every_accelerator"])
        .env("AMP_SOFT_FLOATS", "1")
        .output()
        .expect("a test can be run again");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}

#[test]
fn every_operation_is_exact_on_every_accelerator() {
    let views = testkit::views();
    let mut rows: Vec<Row> = single::rows(&views);
    rows.extend(double::rows(&views));
    rows.extend(half::f16::rows(&views));
    rows.extend(half::bf16::rows(&views));
    println!("{}", table(&views, &rows));
    let wrong: Vec<String> = rows.iter().filter_map(Row::fault).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    testkit::assert_silent();
}
