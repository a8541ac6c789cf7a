//! What faults in operations on vectors, alike on all accelerators.

use amp::prelude::*;
use glam::{IVec4, Mat3, UVec3, Vec3};
use testkit::launch;

use crate::faults::faults_in;

const SOURCE: (&str, &str) = (file!(), include_str!("faults.rs"));

#[amp_kernel]
fn divide(idx: Index<1>, a: IVec4, out: &mut ArrayViewMut<IVec4, 1>) {
    out[idx] = a / out[idx] + 1; //~ divide: a / out[idx]
}

#[test]
fn division_by_zero_is_one_component() {
    let before = [IVec4::splat(2), IVec4::new(2, 0, 2, -2)];
    let after = [IVec4::splat(4), IVec4::new(4, 1, 4, -2)];
    let what = ("divide", [1].as_slice(), "attempt to divide by zero");
    faults_in(SOURCE, what, &before, &after, |view, out| {
        launch(view, 2, divide(IVec4::splat(7), out))
    });
}

#[amp_kernel]
fn overflow(idx: Index<1>, a: IVec4, out: &mut ArrayViewMut<IVec4, 1>) {
    out[idx] %= a; //~ overflow: out[idx] %= a
}

#[test]
fn a_remainder_that_overflows() {
    let before = [IVec4::new(5, i32::MIN, -5, 8)];
    let after = [IVec4::new(0, 0, 0, 0)];
    let what = (
        "overflow",
        [0].as_slice(),
        "attempt to divide with overflow",
    );
    faults_in(SOURCE, what, &before, &after, |view, out| {
        launch(view, 1, overflow(IVec4::NEG_ONE, out))
    });
}

#[amp_kernel]
fn euclid(idx: Index<1>, a: UVec3, out: &mut ArrayViewMut<UVec3, 1>) {
    out[idx] = out[idx].rem_euclid(a); //~ euclid: out[idx].rem_euclid(a)
}

#[test]
fn a_remainder_by_zero() {
    let before = [UVec3::new(7, 8, 9)];
    let after = [UVec3::new(1, 0, 1)];
    let what = ("euclid", [0].as_slice(), "attempt to divide by zero");
    faults_in(SOURCE, what, &before, &after, |view, out| {
        launch(view, 1, euclid(UVec3::new(2, 0, 4), out))
    });
}

#[amp_kernel]
fn component(idx: Index<1>, at: usize, out: &mut ArrayViewMut<Vec3, 1>) {
    let v = out[idx];
    out[idx].x = 1.0 + v[at + idx[0]]; //~ component: v[at + idx[0]]
}

#[test]
fn a_component_that_is_not_there() {
    let before = [Vec3::new(1.0, 2.0, 3.0); 2];
    let after = [Vec3::new(4.0, 2.0, 3.0), Vec3::new(1.0, 2.0, 3.0)];
    let what = (
        "component",
        [1].as_slice(),
        "index out of bounds: the length is 3 but the index is 3",
    );
    faults_in(SOURCE, what, &before, &after, |view, out| {
        launch(view, 2, component(2, out))
    });
}

#[amp_kernel]
fn written(idx: Index<1>, at: usize, out: &mut ArrayViewMut<Vec3, 1>) {
    out[idx][at] += 5.0; //~ written: out[idx][at]
    out[idx].z = 7.0;
}

#[test]
fn a_component_that_is_not_there_is_not_written() {
    let before = [Vec3::new(1.0, 2.0, 3.0)];
    let after = [Vec3::new(1.0, 2.0, 7.0)];
    let what = (
        "written",
        [0].as_slice(),
        "index out of bounds: the length is 3 but the index is 5",
    );
    faults_in(SOURCE, what, &before, &after, |view, out| {
        launch(view, 1, written(5, out))
    });
}

#[amp_kernel]
fn column_of(idx: Index<1>, at: usize, m: Mat3, out: &mut ArrayViewMut<Vec3, 1>) {
    out[idx] = m.col(at) + m.row(idx[0]); //~ column_of: m.col(at)
}

#[test]
fn a_column_that_is_not_there() {
    let before = [Vec3::ZERO];
    let after = [Vec3::X];
    let what = (
        "column_of",
        [0].as_slice(),
        "index out of bounds: the length is 3 but the index is 4",
    );
    faults_in(SOURCE, what, &before, &after, |view, out| {
        launch(view, 1, column_of(4, Mat3::IDENTITY, out))
    });
}
