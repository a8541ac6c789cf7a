//! Exactness of floats: each operation that Rust makes exact, on each accelerator, over
//! all pairs of special values and 2^20 random operands, against the host bit for bit.
//!
//! `cargo test -p amp-tests --test exact -- --nocapture` prints the table that stands in
//! `docs/support-matrix.md`.

#[macro_use]
mod operation;
mod operands;
mod single;

use operation::{Row, table};

#[test]
fn every_operation_is_exact_on_every_accelerator() {
    let views = amp_tests::views();
    let rows: Vec<Row> = single::rows(&views);
    println!("{}", table(&views, &rows));
    let wrong: Vec<String> = rows.iter().filter_map(Row::fault).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    amp_tests::assert_silent();
}
