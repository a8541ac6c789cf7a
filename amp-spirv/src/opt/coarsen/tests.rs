//! Kernels, and what becomes of them with their threads merged.

use crate::opt::tests::after;

/// A kernel in tiles of 4 by 8 that merges so many threads, with this body behind the components
/// of its index in the tile, %5 and %6.
fn kernel(factors: &str, body: &str) -> String {
    format!(
        "kernel k over tiles of 4 x 8
coarsen {factors}
tile_static part@0: [[u32; 8]; 4]
site #0: OutOfBounds

fn k#0(%0: TiledIndex<2>, %1: &ArrayView<u32, 1>, %2: &mut ArrayViewMut<u32, 1>, %3: u32) {{
    %4: Index<2> = extract 1 %0
    %5: usize = extract 0 %4
    %6: usize = extract 1 %4
{body}    return
}}
"
    )
}

/// What a body becomes, behind where lanes are.
#[track_caller]
fn becomes(factors: &str, body: &str, expected: &str) {
    let text = after(&kernel(factors, body), |module, _| super::run(module));
    assert!(text.contains(&format!("\nmerged {factors}\n")), "{text}");
    let start = text.find("\nfn k").unwrap_or_default();
    let start = start + 1 + text[start + 1..].find('\n').unwrap_or_default();
    assert_eq!(&text[start + 1..], format!("{expected}    return\n}}\n"));
}

#[test]
fn what_varies_along_one_dimension_is_done_for_the_lanes_along_it() {
    becomes(
        "2 x 2",
        "    %7: bool = in_bounds view 1 launch 0 %1, %5
    %8: u32 = load %1[%5] if %7
    %9: bool = in_bounds view 1 launch 0 %1, %6
    %10: u32 = load %1[%6] if %9
    %11: u32 = mul %3, %3
    %12: u32 = mul %8, %11
    %13: u32 = mul %12, %10
    %14: bool = in_bounds view 1 launch 1 %2, %6
    store %2[%6], %13 if %14
",
        "    %4: Index<2> = extract 1 %0
    %5: usize = extract 0 %4
    %6: usize = literal 2
    %7: usize = add %5, %6
    %8: Index<2> = extract 1 %0
    %9: usize = extract 1 %8
    %10: usize = literal 4
    %11: usize = add %9, %10
    %12: bool = in_bounds view 1 launch 0 %1, %5
    %13: bool = in_bounds view 1 launch 0 %1, %7
    %14: u32 = load %1[%5] if %12
    %15: u32 = load %1[%7] if %13
    %16: bool = in_bounds view 1 launch 0 %1, %9
    %17: bool = in_bounds view 1 launch 0 %1, %11
    %18: u32 = load %1[%9] if %16
    %19: u32 = load %1[%11] if %17
    %20: u32 = mul %3, %3
    %21: u32 = mul %14, %20
    %22: u32 = mul %15, %20
    %23: u32 = mul %21, %18
    %24: u32 = mul %21, %19
    %25: u32 = mul %22, %18
    %26: u32 = mul %22, %19
    %27: bool = in_bounds view 1 launch 1 %2, %9
    %28: bool = in_bounds view 1 launch 1 %2, %11
    store %2[%9], %23 if %27
    store %2[%11], %24 if %28
    store %2[%9], %25 if %27
    store %2[%11], %26 if %28
",
    );
}

#[test]
fn loops_that_all_lanes_go_round_together_are_one() {
    becomes(
        "1 x 2",
        "    %7: usize = literal 0
    %8: usize = literal 1
    %9: u32 = cast %6
    %10: u32 = for %7, %8, %8, %9 as %11: usize, %12: u32 {
        store part@0[%7][%6], %12
        barrier TileStatic
        %13: u32 = load part@0[%7][%11]
        %14: u32 = add %12, %13
        yield %14
    }
    store part@0[%7][%6], %10
",
        "    %4: Index<2> = extract 1 %0
    %5: usize = extract 1 %4
    %6: usize = literal 4
    %7: usize = add %5, %6
    %8: usize = literal 0
    %9: usize = literal 1
    %10: u32 = cast %5
    %11: u32 = cast %7
    %12: u32, %13: u32 = for %8, %9, %9, %10, %11 as %14: usize, %15: u32, %16: u32 {
        store part@0[%8][%5], %15
        store part@0[%8][%7], %16
        barrier TileStatic
        %17: u32 = load part@0[%8][%14]
        %18: u32 = add %15, %17
        %19: u32 = add %16, %17
        yield %18, %19
    }
    store part@0[%8][%5], %12
    store part@0[%8][%7], %13
",
    );
}

#[test]
fn lanes_go_different_ways_one_after_the_other() {
    becomes(
        "2 x 2",
        "    %7: usize = literal 1
    %8: bool = lt %5, %7
    %9: u32 = cast %6
    %10: u32 = if %8 {
        yield %9
    } else {
        yield %3
    }
    store part@0[%5][%6], %10
",
        "    %4: Index<2> = extract 1 %0
    %5: usize = extract 0 %4
    %6: usize = literal 2
    %7: usize = add %5, %6
    %8: Index<2> = extract 1 %0
    %9: usize = extract 1 %8
    %10: usize = literal 4
    %11: usize = add %9, %10
    %12: usize = literal 1
    %13: bool = lt %5, %12
    %14: bool = lt %7, %12
    %15: u32 = cast %9
    %16: u32 = cast %11
    %17: u32, %18: u32 = if %13 {
        yield %15, %16
    } else {
        yield %3, %3
    }
    %19: u32, %20: u32 = if %14 {
        yield %15, %16
    } else {
        yield %3, %3
    }
    store part@0[%5][%9], %17
    store part@0[%5][%11], %18
    store part@0[%7][%9], %19
    store part@0[%7][%11], %20
",
    );
}

#[test]
fn lanes_leave_loops_without_barriers_separately() {
    becomes(
        "2 x 1",
        "    '0: loop %5 as %7: usize {
        %8: bool = lt %7, %6
        if %8 {
            yield
        } else {
            break '0
        }
        %9: usize = add %7, %7
        yield %9
    }
",
        "    %4: Index<2> = extract 1 %0
    %5: usize = extract 0 %4
    %6: Index<2> = extract 1 %0
    %7: usize = extract 1 %6
    %8: usize = literal 2
    %9: usize = add %5, %8
    '0: loop %5 as %10: usize {
        %11: bool = lt %10, %7
        if %11 {
            yield
        } else {
            break '0
        }
        %12: usize = add %10, %10
        yield %12
    }
    '1: loop %9 as %13: usize {
        %14: bool = lt %13, %7
        if %14 {
            yield
        } else {
            break '1
        }
        %15: usize = add %13, %13
        yield %15
    }
",
    );
}

#[test]
fn the_rest_of_a_round_is_for_those_that_have_not_left_it() {
    becomes(
        "1 x 2",
        "    %7: usize = literal 0
    %8: usize = literal 4
    %9: usize = literal 1
    '0: for %7, %8, %9 as %10: usize {
        barrier TileStatic
        for %7, %8, %9 as %11: usize {
            %12: bool = lt %11, %6
            if %12 {
                continue '0
            } else {
                yield
            }
            yield
        }
        store part@0[%10][%6], %3
        yield
    }
",
        "    %4: Index<2> = extract 1 %0
    %5: usize = extract 1 %4
    %6: usize = literal 4
    %7: usize = add %5, %6
    %8: usize = literal 0
    %9: usize = literal 4
    %10: usize = literal 1
    for %8, %9, %10 as %11: usize {
        barrier TileStatic
        %12: bool = literal false
        %13: bool = '0: for %8, %9, %10, %12 as %14: usize, %15: bool {
            %16: bool = lt %14, %5
            if %16 {
                %17: bool = literal true
                break '0 %17
            } else {
                yield
            }
            yield %15
        }
        %18: bool = '1: for %8, %9, %10, %12 as %19: usize, %20: bool {
            %21: bool = lt %19, %7
            if %21 {
                %22: bool = literal true
                break '1 %22
            } else {
                yield
            }
            yield %20
        }
        if %13 {
            yield
        } else {
            store part@0[%11][%5], %3
            yield
        }
        if %18 {
            yield
        } else {
            store part@0[%11][%7], %3
            yield
        }
        yield
    }
",
    );
}

#[test]
fn a_fault_is_that_of_its_lane() {
    let body = "    %7: usize = extent 0 %1
    %8: bool = lt %6, %7
    note_fault #0 %8, %6, %7
";
    let text = after(&kernel("2 x 2", body), |module, _| super::run(module));
    assert!(text.contains("site #1: OutOfBounds lane 1\n"), "{text}");
    assert_eq!(text.matches("note_fault").count(), 2, "{text}");
}

#[test]
fn variables_that_may_differ_are_there_for_each_lane() {
    let body = "    slot own$0: [u32; 64]
    %7: u32 = cast %6
    %8: usize = literal 3
    store own$0[%8], %7
    store same$1[%8], %3
";
    let kernel = kernel("2 x 2", "").replace(
        "    %4:",
        "    slot own$0: [u32; 64]\n    slot same$1: [u32; 64]\n    %4:",
    );
    let body = body.replace("    slot own$0: [u32; 64]\n", "");
    let text = kernel.replace("    return", &format!("{body}    return"));
    let text = after(&text, |module, _| super::run(module));
    assert_eq!(text.matches("slot own").count(), 2, "{text}");
    assert_eq!(text.matches("slot same").count(), 1, "{text}");
}

#[test]
fn what_lanes_change_one_after_the_other_is_there_for_each() {
    let body = "    %7: usize = literal 0
    %8: usize = literal 4
    %9: usize = literal 1
    '0: block {
        %10: u32 = load same$0[%7]
        %11: u32 = add %10, %3
        store same$0[%7], %11
        for %7, %8, %9 as %12: usize {
            %13: bool = lt %12, %6
            if %13 {
                break '0
            } else {
                yield
            }
            yield
        }
        yield
    }
";
    let text = kernel("1 x 2", body).replace("    %4:", "    slot same$0: [u32; 64]\n    %4:");
    let text = after(&text, |module, _| super::run(module));
    assert_eq!(text.matches("slot same").count(), 2, "{text}");
    assert_eq!(text.matches("load same$1").count(), 1, "{text}");
}

#[test]
fn kernels_that_do_not_ask_for_it_stay() {
    let text = kernel("2 x 2", "").replace("coarsen 2 x 2\n", "");
    assert_eq!(after(&text, |module, _| super::run(module)), text);
}
