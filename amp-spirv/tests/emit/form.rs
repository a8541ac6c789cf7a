//! What the optimiser's form is emitted as: branches of guards, and values where control meets.

use amp_spirv::artifact::Artifact;

use crate::check::{instructions, valid_form};

/// A kernel that adds one to an element, with some lines in place of its check and guards.
fn increment(check: &str, load: &str, between: &str, store: &str) -> Artifact {
    valid_form(&format!(
        "kernel k over Index<1>\nfile \"k.rs\"\nsite #0: OutOfBounds !0:1:1\n
fn k#0(idx%0: Index<1>, v%1: &mut ArrayViewMut<u32, 1>) {{
    %2: usize = extract 0 %0
    %3: usize = extent 0 %1
    %4: u32 = literal 1
    {check}
    %7: u32 = load %1[%2]{load}
    %8: u32 = add %7, %4
    {between}
    store %1[%2], %8{store}
    return
}}
"
    ))
}

/// The branches of a kernel, but for those of what is around it.
fn branches(artifact: &Artifact) -> usize {
    let around = increment(
        "%5: bool = in_bounds view 1 always %1, %2\n    %6: bool = bitand %5, %5",
        " if %5",
        "",
        " if %6",
    );
    let count = |artifact| instructions(artifact, "BranchConditional").len();
    // Without a fault there is none to report.
    let reports = if artifact.faults.is_empty() { 0 } else { 3 };
    count(artifact) - count(&around) - reports
}

const CHECK: &str = "%5: bool = in_bounds view 1 %1, %2\n    note_fault #0 %5, %2, %3 !0:2:1";

#[test]
fn accesses_under_one_guard_share_a_branch_with_their_check() {
    let artifact = increment(CHECK, " if %5", "", " if %5");
    assert_eq!(branches(&artifact), 1);
    // What the load gives is used in the branch only.
    assert!(instructions(&artifact, "Phi").is_empty());
    // The condition of the note is that of the guard. The domain has three: two for workgroups that
    // are numbered linearly, and one for others.
    assert_eq!(instructions(&artifact, "ULessThan").len(), 1 + 3);
}

#[test]
fn a_value_that_is_used_behind_a_branch_is_zero_where_that_was_not_taken() {
    let artifact = increment(CHECK, " if %5", "%9: bool = eq %7, %4", " if %5");
    assert_eq!(branches(&artifact), 1);
    let used = "%9: bool = eq %7, %4\n    %10: bool = bitand %5, %9";
    let artifact = increment(CHECK, " if %5", used, " if %10");
    assert_eq!(branches(&artifact), 2);
    assert_eq!(instructions(&artifact, "Phi").len(), 1);
}

#[test]
fn a_note_of_something_else_has_a_branch_of_its_own() {
    let other = "%5: bool = in_bounds view 1 %1, %2\n    %6: bool = ne %2, %3\n    \
                 note_fault #0 %6, %2, %3 !0:2:1";
    let artifact = increment(other, " if %5", "", " if %5");
    assert_eq!(branches(&artifact), 2);
}

#[test]
fn checks_that_the_host_makes_depend_on_a_constant() {
    let check = CHECK.replace("view 1 ", "view 1 launch 3 ");
    let artifact = increment(&check, " if %5", "", " if %5");
    assert_eq!(branches(&artifact), 1);
    let ids = instructions(&artifact, "Decorate");
    let proven = ids.iter().filter(|words| words[2..] == [1, 10]);
    assert_eq!(proven.count(), 1);
}

#[test]
fn loops_carry_values_past_jumps() {
    let artifact = valid_form(
        "kernel k over Index<1>\nfile \"k.rs\"\n
fn k#0(idx%0: Index<1>, v%1: &mut ArrayViewMut<u32, 1>) {
    %2: usize = extract 0 %0
    %3: usize = literal 0
    %4: usize = literal 1
    %5: usize = literal 9
    %6: usize = '0: for %3, %2, %4, %3 as %7: usize, %8: usize {
        %9: usize = '1: loop %8 as %10: usize {
            %11: bool = lt %10, %5
            if %11 {
                yield
            } else {
                continue '0 %10
            }
            %12: usize = add %10, %4
            %13: bool = lt %12, %2
            if %13 {
                yield
            } else {
                break '1 %12
            }
            yield %12
        }
        yield %9
    }
    return
}
",
    );
    assert!(!instructions(&artifact, "Phi").is_empty());
}
