//! Passes before and after, as text.

use crate::analysis::effects::Footprints;
use crate::artifact::{Artifact, IndexWidth, Param, ParamKind};
use crate::mir::{Module, parse};
use crate::opt::{flatten, inline, launch_checks};
use crate::proof::Launch;

/// The functions of a module after a pass.
#[track_caller]
pub(super) fn after(before: &str, pass: impl FnOnce(&mut Module, &Footprints)) -> String {
    let mut module = parse(before).unwrap();
    let footprints = Footprints::of(&module);
    pass(&mut module, &footprints);
    module.to_string()
}

/// What a pass makes of the body of a kernel with an index, two views and two numbers.
#[track_caller]
pub(super) fn body_becomes(
    before: &str,
    expected: &str,
    pass: impl FnOnce(&mut Module, &Footprints),
) {
    let text = |body: &str| {
        format!(
            "kernel k over Index<1>\nsite #0: OutOfBounds\n\nfn k#0(%0: Index<1>, \
             %1: &ArrayView<u32, 1>, %2: &mut ArrayViewMut<u32, 1>, %3: usize, %4: u32) \
             {{\n{body}}}\n"
        )
    };
    assert_eq!(after(&text(before), pass), text(expected));
}

const HELPER: &str = "\
kernel k over Index<1>

fn half#0(%0: u32) -> u32 {
    %1: u32 = literal 2
    %2: u32 = literal 7
    %3: bool = lt %0, %1
    if %3 {
        return %2
    } else {
        yield
    }
    %4: u32 = shr %0, %1
    return %4
}

fn k#1(%0: Index<1>, %1: &mut ArrayViewMut<u32, 1>) {
    %2: usize = extract 0 %0
    %3: u32 = cast %2
    %4: u32 = call half#0 %3
    %5: bool = in_bounds view 1 %1, %2
    store %1[%2], %4 if %5
    return
}
";

#[test]
fn an_early_return_of_a_helper_becomes_a_condition() {
    let text = after(HELPER, |module, _| inline::run(module));
    let kernel = &text[text.find("fn k#0").unwrap()..];
    assert_eq!(
        kernel,
        "\
fn k#0(%0: Index<1>, %1: &mut ArrayViewMut<u32, 1>) {
    %2: usize = extract 0 %0
    %3: u32 = cast %2
    %4: u32 = literal 2
    %5: u32 = literal 7
    %6: bool = lt %3, %4
    %7: u32 = if %6 {
        yield %5
    } else {
        %8: u32 = shr %3, %4
        yield %8
    }
    %9: bool = in_bounds view 1 %1, %2
    store %1[%2], %7 if %9
    return
}
"
    );
}

#[test]
fn a_block_that_a_loop_leaves_stays() {
    let before = "\
kernel k over Index<1>

fn k#0(%0: Index<1>) {
    %1: bool = literal true
    '0: block {
        loop {
            if %1 {
                break '0
            } else {
                yield
            }
            yield
        }
        unreachable
    }
    return
}
";
    let text = after(before, |module, _| flatten::run(&mut module.functions[0]));
    assert_eq!(text, before);
}

/// What a launch proves of a kernel over `domain` with a `u32` of 5 and a view of 100 elements.
fn proven(body: &str, domain: usize) -> (String, u32) {
    let text = format!(
        "kernel k over Index<1>\nsite #0: DivisionByZero\n\nfn k#0(%0: Index<1>, %1: u32, \
         %2: &ArrayView<u32, 1>) {{\n\
         {body}return\n}}\n"
    );
    let mut module = parse(&text).unwrap();
    launch_checks::run(&mut module);
    let view = ParamKind::View {
        rank: 1,
        element_bytes: 4,
        reads: true,
        writes: false,
    };
    let param = |offset, kind| Param {
        name: "".into(),
        offset,
        kind,
    };
    let artifact = Artifact {
        index: IndexWidth::Bits32,
        params: vec![param(0, ParamKind::Value { bytes: 4 }), param(8, view)].into(),
        proofs: module.proofs.clone(),
        ..Artifact::default()
    };
    let mut block = [0; 24];
    block[0] = 5;
    block[16] = 100;
    let groups = artifact.proven(&Launch {
        domain: &[domain],
        tile: &[],
        constants: &[],
        block: &block,
    });
    (module.to_string(), groups)
}

#[test]
fn an_index_is_compared_once_for_the_launch() {
    let body = "\
%3: usize = extract 0 %0
%4: bool = in_bounds view 1 %2, %3
%5: u32 = load %2[%3] if %4
";
    let (text, groups) = proven(body, 100);
    assert!(text.contains("in_bounds view 1 launch 0 %2, %3"), "{text}");
    assert_eq!(groups, 1);
    assert_eq!(proven(body, 101).1, 0);
}

#[test]
fn a_divisor_is_looked_at_once_for_the_launch() {
    // By the extent, 100, and by what is 5 more than the argument, 5, or 5 less.
    let body = |op: &str| {
        format!(
            "\
%3: usize = extract 0 %0
%4: usize = literal 0
%5: usize = extent 0 %2
%6: bool = ne %5, %4
note_fault #0 %6, %3, %5
%7: usize = rem %3, %5 if %6
%8: i32 = cast %1
%9: i32 = literal 5
%10: i32 = {op} %8, %9
%11: i32 = literal 0
%12: bool = ne %10, %11
%13: i32 = literal -1
%14: bool = ne %10, %13
%15: bool = ne %8, %9
%16: bool = bitor %15, %14
note_fault #0 %12, %3, %4
note_fault #0 %16, %3, %4
%17: bool = bitand %12, %16
%18: i32 = rem %8, %10 if %17
"
        )
    };
    let (text, groups) = proven(&body("add"), 100);
    let expected = "\
    %6: bool = ne %5, %4
    %7: bool = proven 0 %6
    note_fault #0 %7, %3, %5
    %8: usize = rem %3, %5 if %7
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("bool = proven 1 %"), "{text}");
    assert_eq!(text.matches("proven").count(), 3, "{text}");
    assert_eq!(groups, 3);
    assert_eq!(proven(&body("sub"), 100).1, 1);
}

#[test]
fn conditions_and_counters_bound_an_index() {
    let body = "\
%3: usize = extract 0 %0
%4: usize = literal 1
%5: usize = add %3, %4
%6: usize = extent 0 %2
%7: bool = lt %5, %6
if %7 {
    %8: bool = in_bounds view 1 %2, %5
    %9: u32 = load %2[%5] if %8
    yield
} else {
    yield
}
%10: usize = literal 0
%11: usize = cast %1
for %10, %11, %4 as %12: usize {
    %13: usize = add %3, %12
    %14: bool = in_bounds view 1 %2, %13
    %15: u32 = load %2[%13] if %14
    yield
}
";
    // The last index is that of the last thread plus 4.
    assert_eq!(proven(body, 96).1, 0b11);
    assert_eq!(proven(body, 97).1, 0b01);
}

#[test]
fn a_difference_that_a_condition_keeps_from_wrapping_is_bounded() {
    let body = "\
%3: usize = extract 0 %0
%4: bool = in_bounds view 1 %2, %3
%5: u32 = load %2[%3] if %4
%6: usize = cast %5
%7: bool = lt %3, %6
if %7 {
    yield
} else {
    %8: usize = sub %3, %6
    %9: bool = in_bounds view 1 %2, %8
    %10: u32 = load %2[%8] if %9
    yield
}
%11: usize = literal 0
%12: usize = literal 1
%13: bool = eq %3, %11
if %13 {
    yield
} else {
    %14: usize = sub %3, %12
    %15: bool = in_bounds view 1 %2, %14
    %16: u32 = load %2[%14] if %15
    yield
}
";
    assert_eq!(proven(body, 100).1, 0b111);
    assert_eq!(proven(body, 101).1, 0b100);
    assert_eq!(proven(body, 102).1, 0);
    assert_eq!(proven(&body.replace("lt %3", "gt %3"), 100).1, 0b101);
    assert_eq!(proven(&body.replace("eq %3", "ne %3"), 100).1, 0b011);
}

#[test]
fn indices_from_memory_are_checked_by_the_device() {
    let body = "\
%3: usize = extract 0 %0
%4: bool = in_bounds view 1 %2, %3
%5: u32 = load %2[%3] if %4
%6: usize = cast %5
%7: bool = in_bounds view 1 %2, %6
%8: u32 = load %2[%6] if %7
%9: usize = literal 50
%10: usize = math Min %6, %9
%11: bool = in_bounds view 1 %2, %10
%12: u32 = load %2[%10] if %11
";
    let (text, groups) = proven(body, 10);
    let stays = "in_bounds view 1 unproven Data %2, %6";
    assert!(text.contains(stays), "{text}");
    assert!(text.contains("in_bounds view 1 launch 1 %2, %10"), "{text}");
    assert_eq!(groups, 0b11);
}

#[test]
fn a_value_that_loops_halve_only_shrinks() {
    let body = "\
%3: usize = cast %1
%4: usize = literal 1
%5: bool = literal true
'0: loop %3 as %6: usize {
    %7: bool = in_bounds view 1 %2, %6
    %8: u32 = load %2[%6] if %7
    if %5 {
        yield
    } else {
        break '0
    }
    %9: usize = shr %6, %4
    yield %9
}
";
    assert_eq!(proven(body, 10).1, 1);
    let grows = body.replace("shr %6", "add %6");
    let (text, groups) = proven(&grows, 10);
    assert!(text.contains("unproven Carried %2, %6"), "{text}");
    assert_eq!(groups, 0);
}

#[test]
fn a_check_that_stays_says_why() {
    let body = "\
%3: f32 = cast %1
%4: usize = cast %3
%5: bool = in_bounds view 1 %2, %4
%6: usize = cast %1
%7: usize = literal 3
%8: usize = math AbsDiff %6, %7
%9: bool = in_bounds view 1 %2, %8
%10: usize = add %7, %8
%11: bool = in_bounds len 9 %10
%12: bool = in_bounds shape 2 %2, %7, %7
%13: &ArrayView<u32, 2> = shape %2, %7, %7 if %12
%14: bool = in_bounds row %13, %7
";
    let (text, groups) = proven(body, 10);
    for reason in [
        "view 1 unproven Float %2, %4",
        "view 1 unproven Unbounded %2, %8",
        "len 9 unproven Unbounded %10",
        "shape 2 unproven Extent %2",
        "row unproven Extent %13, %7",
    ] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    assert_eq!(groups, 0);
}

#[test]
fn a_step_that_a_fault_replaces_is_exact_where_there_is_none() {
    let body = "\
%3: usize = extract 0 %0
%4: usize = literal 0
%5: usize = cast %1
%6: bool = eq %5, %4
%7: usize = literal 4294967295
%8: usize = math Select %6, %7, %5
%9: usize = extent 0 %2
for %4, %9, %8 as %10: usize {
    %11: usize = add %10, %3
    %12: bool = in_bounds view 1 %2, %11
    %13: u32 = load %2[%11] if %12
    yield
}
";
    // From 95 on, in steps of 5.
    assert_eq!(proven(body, 5).1, 1);
    assert_eq!(proven(body, 6).1, 0);
}

#[test]
fn what_loops_carry_is_followed_from_round_to_round() {
    let body = "\
%3: usize = extract 0 %0
%4: usize = literal 0
%5: usize = literal 1
%6: usize = extent 0 %2
%7: usize, %8: usize = for %4, %6, %5, %4, %4 as %9: usize, %10: usize, %11: usize {
    %12: bool = in_bounds len 2 %10
    %13: bool = in_bounds view 1 %2, %11
    %14: u32 = load %2[%11] if %13
    note_fault #0 %12, %10, %5
    %15: usize = sub %5, %10
    %16: usize = add %11, %5
    yield %15, %16
}
";
    let (text, groups) = proven(body, 10);
    assert!(text.contains("in_bounds len 2 launch 0 %10"), "{text}");
    // What grows has no bound.
    assert!(text.contains("view 1 unproven Carried %2, %11"), "{text}");
    assert_eq!(groups, 1);
    let grows = body.replace("sub %5, %10", "bitor %5, %16");
    assert_eq!(proven(&grows, 10).1, 0);
}

#[test]
fn a_condition_on_a_multiple_bounds_it_by_a_multiple() {
    let body = "\
%3: usize = extract 0 %0
%4: usize = literal 0
%5: usize = literal 5
%6: usize = extent 0 %2
for %4, %6, %5 as %7: usize {
    %8: usize = add %7, %5
    %9: bool = lt %8, %6
    if %9 {
        %10: usize = add %8, %3
        %11: bool = in_bounds view 1 %2, %10
        %12: u32 = load %2[%10] if %11
        yield
    } else {
        yield
    }
    yield
}
";
    assert_eq!(proven(body, 5).1, 1);
    assert_eq!(proven(body, 6).1, 0);
}
