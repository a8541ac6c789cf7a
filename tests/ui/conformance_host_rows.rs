//! Rows of the conformance list that must not compile on the host: 43, 45, 47 and 51.

use amp::prelude::*;

/// Row 45, IX/4_1_2_c/Negative/ZeroRank.
fn row_045() {
    let _ = Index::<0>::new([]);
}

/// Row 47, EX/4_2_3_m/tile/Negative/tile.05; tile.01 and rows 43, 45 and 51 are in
/// `call_mismatches.rs`, since rustc stops before it computes these.
fn row_047() {
    let _ = Extent::from(16).tile::<0>();
}

fn main() {
    row_045();
    row_047();
}
