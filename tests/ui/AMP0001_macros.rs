//! Macros of the user's own that cannot be expanded.

use amp::prelude::*;

macro_rules! sum {
    ($a:expr, $b:expr) => {
        $a + $b
    };
}

macro_rules! structure {
    ($name:ident) => {
        struct $name;
    };
}

macro_rules! endless {
    ($x:expr) => {
        endless!($x + 1)
    };
}

macro_rules! forever {
    ($x:expr) => {
        { forever!($x) }
    };
}

macro_rules! ever_more {
    ($($x:stmt;)*) => {
        ever_more!($($x; $x;)*);
    };
}

macro_rules! tokens {
    ($($x:tt)*) => {
        $($x)*
    };
}

#[cfg(unix)]
macro_rules! chosen {
    () => {
        1
    };
}

#[cfg(not(unix))]
macro_rules! chosen {
    () => {
        2
    };
}

#[amp_kernel]
fn no_rule_takes_it(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = sum!(1, 2, 3);
}

#[amp_kernel]
fn no_value(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = structure!(S);
}

#[amp_kernel]
fn never_ends(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = endless!(1);
}

#[amp_kernel]
fn never_ends_within(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = forever!(1);
}

#[amp_kernel]
fn grows_for_ever(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    ever_more!(out[idx] = 1; out[idx] = 2;);
}

#[amp_kernel]
fn what_it_makes_is_refused(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    tokens!(let text = "text";);
    out[idx] = tokens!(vec![1, 2]).len();
}

#[amp_kernel]
fn under_a_condition(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = chosen!();
}

#[amp_kernel]
fn of_another_crate(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = line!();
}

#[amp_kernel]
fn before_its_definition(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = later!();
}

macro_rules! later {
    () => {
        1
    };
}

#[amp_kernel]
fn wrong_types(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = sum!(1_u32, 2.0_f32);
}

fn main() {}
