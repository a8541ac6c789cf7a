use crate::opt::tests::{after, body_becomes};

#[track_caller]
fn becomes(before: &str, expected: &str) {
    body_becomes(before, expected, |module, _| super::run(module));
}

#[test]
fn accesses_under_a_guard_share_a_branch_with_the_note_of_its_fault() {
    becomes(
        "    %5: usize = extent 0 %2
    %6: bool = in_bounds view 1 %2, %3
    note_fault #0 %6, %3, %5
    %7: u32 = load %2[%3] if %6
    %8: u32 = add %7, %4
    store %2[%3], %8 if %6
    %9: u32 = mul %7, %4
    return
",
        "    %5: bool = in_bounds view 1 %2, %3
    %6: u32 = if %5 {
        %7: u32 = load %2[%3]
        %8: u32 = add %7, %4
        store %2[%3], %8
        yield %7
    } else {
        %9: u32 = zero
        %10: usize = extent 0 %2
        fault #0 %3, %10
        yield %9
    }
    %11: u32 = mul %6, %4
    return
",
    );
}

#[test]
fn what_is_used_elsewhere_ends_a_branch() {
    becomes(
        "    %5: bool = in_bounds view 1 %2, %3
    %6: u32 = load %2[%3] if %5
    %7: u32 = add %6, %4
    store %2[%3], %7 if %5
    %8: bool = in_bounds view 1 always %1, %3
    store %2[%3], %7 if %5
    %9: u32 = load %1[%3] if %8
    return
",
        "    %5: bool = in_bounds view 1 %2, %3
    %6: u32 = if %5 {
        %7: u32 = load %2[%3]
        yield %7
    } else {
        %8: u32 = zero
        yield %8
    }
    %9: u32 = add %6, %4
    if %5 {
        store %2[%3], %9
        yield
    } else {
        yield
    }
    %10: bool = in_bounds view 1 always %1, %3
    if %5 {
        store %2[%3], %9
        yield
    } else {
        yield
    }
    %11: u32 = load %1[%3] if %10
    return
",
    );
}

#[test]
fn notes_of_what_no_access_checks_share_a_branch() {
    becomes(
        "    %5: u32 = literal 0
    %6: bool = ne %4, %5
    %7: usize = literal 1
    %8: bool = ne %3, %7
    note_fault #0 %6, %3, %7
    note_fault #0 %8, %7, %3
    %9: u32 = div %4, %4 if %6
    return
",
        "    %5: u32 = literal 0
    %6: bool = ne %4, %5
    %7: usize = literal 1
    %8: bool = ne %3, %7
    %9: bool = bitand %6, %8
    %10: bool = unchecked
    %11: bool = bitor %10, %9
    if %11 {
        yield
    } else {
        fault #0 #0 %6, %3, %7, %7, %3
        yield
    }
    %12: u32 = div %4, %4 if %6
    return
",
    );
}

#[test]
fn a_position_is_found_before_the_branch() {
    let text = |body: &str| {
        format!(
            "kernel k over Index<1>\nsite #0: OutOfBounds\n\nfn k#0(%0: Index<1>, \
             %1: &mut ArrayViewMut<u32, 2>, %2: usize, %3: usize) {{\n{body}}}\n"
        )
    };
    let before = "    %4: usize = extent 0 %1
    %5: usize = extent 1 %1
    %6: bool = lt %2, %4
    %7: usize = math Select %6, %3, %2
    %8: usize = math Select %6, %5, %4
    loop {
        %9: bool = in_bounds view 2 %1, %2, %3
        note_fault #0 %9, %7, %8
        %10: u32 = load %1[%2, %3] if %9
        store %1[%2, %3], %10 if %9
        yield
    }
    unreachable
";
    let expected = "    loop {
        %4: bool = in_bounds view 2 %1, %2, %3
        %5: usize = position %1, %2, %3
        if %4 {
            %6: u32 = load %1[at %5]
            store %1[at %5], %6
            yield
        } else {
            %7: usize = extent 0 %1
            %8: bool = lt %2, %7
            %9: usize = math Select %8, %3, %2
            %10: usize = extent 1 %1
            %11: usize = math Select %8, %10, %7
            fault #0 %9, %11
            yield
        }
        yield
    }
    unreachable
";
    let found = after(&text(before), |module, _| super::run(module));
    assert_eq!(found, text(expected));
}

#[test]
fn a_slot_that_nothing_is_copied_to_is_cleared() {
    becomes(
        "    slot row$0: [u32; 40]
    slot rows$1: [[u32; 40]; 2]
    clear rows$1
    %5: bool = in_bounds len 2 %3
    copy row$0, rows$1[%3] if %5
    copy rows$1[%3], row$0 if %5
    return
",
        "    slot row$0: [u32; 40]
    slot rows$1: [[u32; 40]; 2]
    clear rows$1
    %5: bool = in_bounds len 2 %3
    if %5 {
        copy row$0, rows$1[%3]
        copy rows$1[%3], row$0
        yield
    } else {
        clear row$0
        yield
    }
    return
",
    );
}
