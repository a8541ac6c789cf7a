use crate::opt::tests::body_becomes;

#[track_caller]
fn becomes(before: &str, expected: &str) {
    body_becomes(before, expected, super::run);
}

#[test]
fn a_range_is_checked_before_its_loop() {
    becomes(
        "    %5: usize = cast %4
    %6: usize = extent 0 %1
    %7: usize = literal 1
    %8: usize, %9: u32 = '0: for %3, %5, %7, %3, %4 as %10: usize, %11: usize, %12: u32 {
        %13: bool = in_bounds view 1 unproven Data %1, %10
        note_fault #0 %13, %10, %6
        %14: u32 = load %1[%10] if %13
        %15: usize = add %10, %3
        %16: usize = sub %15, %7
        %17: bool = in_bounds view 1 unproven Data %1, %16
        note_fault #0 %17, %16, %6
        %18: u32 = load %1[%16] if %17
        %19: usize = cast %18
        %20: bool = in_bounds view 1 unproven Data %1, %19
        note_fault #0 %20, %19, %6
        if %20 {
            yield
        } else {
            break '0 %10, %12
        }
        %21: u32 = add %14, %18
        yield %16, %21
    }
    %22: bool = in_bounds view 1 %2, %8
    store %2[%8], %9 if %22
    return
",
        "    %5: usize = cast %4
    %6: usize = extent 0 %1
    %7: usize = literal 1
    %8: usize = sub %5, %3
    %9: bool = in_bounds section 1 range %1, %3, %8
    %10: usize = add %3, %3
    %11: usize = sub %10, %7
    %12: bool = in_bounds section 1 range %1, %11, %8
    %13: bool = bitand %9, %12
    %14: usize, %15: u32 = if %13 {
        %16: usize, %17: u32 = '0: for %3, %5, %7, %3, %4 as %18: usize, %19: usize, %20: u32 {
            %21: bool = in_bounds view 1 in_range %1, %18
            %22: u32 = load %1[%18] if %21
            %23: usize = add %18, %3
            %24: usize = sub %23, %7
            %25: bool = in_bounds view 1 in_range %1, %24
            %26: u32 = load %1[%24] if %25
            %27: usize = cast %26
            %28: bool = in_bounds view 1 unproven Data %1, %27
            note_fault #0 %28, %27, %6
            if %28 {
                yield
            } else {
                break '0 %18, %20
            }
            %29: u32 = add %22, %26
            yield %24, %29
        }
        yield %16, %17
    } else {
        %30: usize, %31: u32 = '1: for %3, %5, %7, %3, %4 as %32: usize, %33: usize, %34: u32 {
            %35: bool = in_bounds view 1 range %1, %32
            note_fault #0 %35, %32, %6
            %36: u32 = load %1[%32] if %35
            %37: usize = add %32, %3
            %38: usize = sub %37, %7
            %39: bool = in_bounds view 1 range %1, %38
            note_fault #0 %39, %38, %6
            %40: u32 = load %1[%38] if %39
            %41: usize = cast %40
            %42: bool = in_bounds view 1 unproven Data %1, %41
            note_fault #0 %42, %41, %6
            if %42 {
                yield
            } else {
                break '1 %32, %34
            }
            %43: u32 = add %36, %40
            yield %38, %43
        }
        yield %30, %31
    }
    %44: bool = in_bounds view 1 %2, %14
    store %2[%14], %15 if %44
    return
",
    );
}

#[test]
fn counters_of_other_types_count_as_indices() {
    becomes(
        "    %5: u32 = cast %3
    %6: u32 = literal 1
    for %4, %5, %6 as %7: u32 {
        %8: usize = cast %7
        %9: bool = in_bounds view 1 unproven Data %2, %8
        store %2[%8], %7 if %9
        yield
    }
    return
",
        "    %5: u32 = cast %3
    %6: u32 = literal 1
    %7: usize = cast %4
    %8: usize = cast %5
    %9: usize = sub %8, %7
    %10: usize = cast %4
    %11: bool = in_bounds section 1 range %2, %10, %9
    if %11 {
        for %4, %5, %6 as %12: u32 {
            %13: usize = cast %12
            %14: bool = in_bounds view 1 in_range %2, %13
            store %2[%13], %12 if %14
            yield
        }
        yield
    } else {
        for %4, %5, %6 as %15: u32 {
            %16: usize = cast %15
            %17: bool = in_bounds view 1 range %2, %16
            store %2[%16], %15 if %17
            yield
        }
        yield
    }
    return
",
    );
}

#[test]
fn other_loops_stay() {
    let stays = |range: &str, index: &str, more: &str| {
        let body = format!(
            "    %5: usize = cast %4
    %6: usize = literal 1
    {range}, %6 as %7: usize {{
        %8: usize = {index}
        %9: bool = in_bounds view 1 {more} %2, %8
        store %2[%8], %4 if %9
        yield
    }}
    return
"
        );
        becomes(&body, &body);
    };
    let (range, index, unproven) = ("for %3, %5", "add %7, %5", "unproven Data");
    // A range of known length, one that may include the last number of all.
    stays("for %6, %6", index, unproven);
    stays("for_inclusive %3, %5", index, unproven);
    // Indices that are not neighbours, or count down; a check that the host makes.
    stays(range, "mul %7, %5", unproven);
    stays(range, "add %7, %7", unproven);
    stays(range, "sub %5, %7", unproven);
    stays(range, index, "launch 0");
    // Threads that wait for each other, and a loop around another one.
    for inner in [
        "barrier All",
        "for %3, %3, %6 as %9: usize {\n            yield\n        }",
    ] {
        let body = format!(
            "    %5: usize = cast %4
    %6: usize = literal 1
    for %3, %5, %6 as %7: usize {{
        %8: bool = in_bounds view 1 unproven Data %2, %7
        store %2[%7], %4 if %8
        {inner}
        yield
    }}
    return
"
        );
        becomes(&body, &body);
    }
}

#[test]
fn what_a_value_is_computed_from_is_looked_at_once() {
    let sums: String = (9..50)
        .map(|k| format!("            %{}: usize = add %{k}, %{k}\n", k + 1))
        .collect();
    let body = format!(
        "    %5: usize = cast %4
    %6: usize = literal 1
    %7: bool = lt %3, %5
    for %3, %5, %6 as %8: usize {{
        if %7 {{
            %9: usize = add %3, %5
{sums}            %51: usize = mul %8, %50
            %52: bool = in_bounds view 1 unproven Data %2, %51
            store %2[%51], %4 if %52
            yield
        }} else {{
            yield
        }}
        yield
    }}
    return
"
    );
    becomes(&body, &body);
}
