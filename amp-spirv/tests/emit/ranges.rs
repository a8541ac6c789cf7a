//! All forms of `for`.

use amp_spirv::artifact::FaultKind;
use amp_spirv::tree::Module;

use crate::check::{count, faults, listing, valid};
use crate::control_flow::scaffold;

/// `for x in range { n = n * 31 + x as u32 }`
fn sum_of(range: &str) -> Module {
    let round = "n = ((n * 31u32) + (x as u32));";
    scaffold("", &format!("'0: for x in {range} {{ {round} }}"))
}

const ADAPTERS: [&str; 7] = [
    "",
    ".step_by(3usize)",
    ".rev()",
    ".step_by(3usize).rev()",
    ".rev().step_by(3usize)",
    ".step_by(2usize).step_by(3usize)",
    ".rev().step_by(2usize).rev()",
];

#[test]
fn every_range_of_every_type() {
    for (start, end) in [
        ("-3i32", "7i32"),
        ("4294967293u32", "7u32"),
        ("4294967293usize", "7usize"),
    ] {
        for dots in ["..", "..="] {
            for adapters in ADAPTERS {
                let range = format!("({start}{dots}{end}){adapters}");
                let artifact = valid(&sum_of(&range));
                assert!(
                    faults(&artifact).len() == 1,
                    "a literal step cannot be zero"
                );
            }
        }
    }
}

#[test]
fn unknown_step_can_fault() {
    let range = "(4294967293u32..7u32).rev().step_by((n as usize))";
    let artifact = valid(&sum_of(range));
    assert_eq!(artifact.faults[0].kind, FaultKind::ZeroStep);
}

#[test]
fn plain_range_counts_with_one_comparison() {
    let Some(text) = listing(&sum_of("(4294967293u32..7u32)")) else {
        return;
    };
    // The range, the domain's three, and the access.
    assert_eq!(count(&text, "OpULessThan"), 5);
}
