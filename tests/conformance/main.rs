//! Rows of the conformance list: what a program of Microsoft's suite, of HCC's unit tests
//! or of the published samples does, and its exact result. Names carry the row's number;
//! what a row needs of later parts of the language or of the model is said at its test.

mod aliasing;
mod arithmetic;
mod arrays;
mod atomics;
mod book;
mod cartoonizer;
mod coherence;
mod containers;
mod control_flow;
mod copies;
mod devices;
mod domains;
mod doubles;
mod index_and_extent;
mod overlap;
mod programs;
mod refresh;
mod remote;
mod sections;
mod short_vectors;
mod sourceless;
mod tile_static;
mod user_types;

use amp::AcceleratorView;
use testkit::{assert_silent, pairs};

/// Runs a test on every pair of accelerator views, and requires that the validation layer
/// is silent.
fn on_pairs(test: impl Fn(&AcceleratorView, &AcceleratorView)) {
    for [first, second] in pairs() {
        test(&first, &second);
    }
    assert_silent();
}
