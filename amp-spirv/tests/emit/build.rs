//! What the tree becomes in the optimiser's form.

use amp_spirv::mir;
use amp_spirv::tree::Module;

use crate::control_flow::scaffold;

/// The functions of a module as text, without places in the source.
fn text(module: &Module) -> String {
    let built = mir::build(module);
    assert_eq!(mir::verify(&built), Ok(()), "{built}");
    let text = built.to_string();
    let (_, functions) = text.split_once("\nfn ").expect("a kernel");
    let mut parts = functions.split(" !0:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        all + part.trim_start_matches(|it: char| it.is_ascii_digit() || it == ':')
    })
}

/// The body of a kernel that does something with `n`, a `u32`, without what surrounds that.
fn body(statements: &str) -> String {
    let all = text(&scaffold("", statements));
    let (_, behind) = all.split_once("%3: u32 = cast %2\n").expect("a start");
    let end = behind.rfind("extract").expect("an end");
    let lines = behind[..end].lines();
    let whole = lines.clone().count() - 1;
    let lines = lines
        .take(whole)
        .map(|line| line.strip_prefix("    ").unwrap_or(line));
    lines.fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn variables_that_a_branch_changes_are_results() {
    let found = body(
        "let same = 1u32;
         let m = 2u32;
         n = if (n == 3u32) { m = 5u32; same } else { 20u32 };
         n += m;",
    );
    let expected = "\
%4: u32 = literal 1
%5: u32 = literal 2
%6: u32 = literal 3
%7: bool = eq %3, %6
%8: u32, %9: u32 = if %7 {
    %10: u32 = literal 5
    yield %4, %10
} else {
    %11: u32 = literal 20
    yield %11, %5
}
%12: u32 = add %8, %9
";
    assert_eq!(found, expected);
}

#[test]
fn loops_carry_what_their_rounds_change() {
    let found = body(
        "let seen = 0u32;
         '0: for k in (0u32..n) {
             if (k == 7u32) { continue '0; }
             if (k == 9u32) { break '0; }
             seen = k;
         }
         '1: while (seen == 4u32) { seen -= 1u32; }
         n = seen;",
    );
    let expected = "\
%4: u32 = literal 0
%5: u32 = literal 0
%6: u32 = literal 1
%7: u32 = '0: for %5, %3, %6, %4 as %8: u32, %9: u32 {
    %10: u32 = literal 7
    %11: bool = eq %8, %10
    if %11 {
        continue '0 %9
    } else {
        yield
    }
    %12: u32 = literal 9
    %13: bool = eq %8, %12
    if %13 {
        break '0 %9
    } else {
        yield
    }
    yield %8
}
%14: u32 = '1: loop %7 as %15: u32 {
    %16: u32 = literal 4
    %17: bool = eq %15, %16
    if %17 {
        yield
    } else {
        break '1 %15
    }
    %18: u32 = literal 1
    %19: u32 = sub %15, %18
    yield %19
}
";
    assert_eq!(found, expected);
}

#[test]
fn jumps_out_of_blocks_pass_results() {
    let found = body(
        "n += '0: {
             if (n == 1u32) { n = 2u32; break '0 10u32; }
             if (n == 3u32) { return; }
             20u32
         };",
    );
    let expected = "\
%4: u32, %5: u32 = '0: block {
    %6: u32 = literal 1
    %7: bool = eq %3, %6
    if %7 {
        %8: u32 = literal 2
        %9: u32 = literal 10
        break '0 %9, %8
    } else {
        yield
    }
    %10: u32 = literal 3
    %11: bool = eq %3, %10
    if %11 {
        return
    } else {
        yield
    }
    %12: u32 = literal 20
    yield %12, %3
}
%13: u32 = add %5, %4
";
    assert_eq!(found, expected);
}

#[test]
fn names_of_a_pattern_reach_behind_its_guard() {
    let found = body("if ((n == 3u32) && { let name = n; (name == 4u32) }) { n = name; }");
    let expected = "\
%4: u32 = literal 3
%5: bool = eq %3, %4
%6: bool, %7: u32 = if %5 {
    %8: u32 = literal 4
    %9: bool = eq %3, %8
    yield %9, %3
} else {
    %10: bool = literal false
    %11: u32 = zero
    yield %10, %11
}
%12: u32 = if %6 {
    yield %7
} else {
    yield %3
}
";
    assert_eq!(found, expected);
}

#[test]
fn only_what_is_indexed_at_run_time_is_in_a_slot() {
    let found = body(
        "let a = [n, 1u32];
         let b = [n, 1u32];
         a[1usize] = 7u32;
         b[(n as usize)] *= a[1usize];
         n = b[0usize];",
    );
    let expected = "\
%4: u32 = literal 1
%5: [u32; 2] = construct %3, %4
%6: u32 = literal 1
%7: [u32; 2] = construct %3, %6
store b$0, %7
%8: u32 = literal 7
%9: [u32; 2] = insert 1 %5, %8
%10: u32 = extract 1 %9
%11: usize = cast %3
%12: bool = in_bounds len 2 %11
%13: usize = literal 2
note_fault #0 %12, %11, %13
%14: u32 = load b$0[%11] if %12
%15: u32 = mul %14, %10
store b$0[%11], %15 if %12
%16: u32 = load b$0.0
";
    assert_eq!(found, expected);
}

#[test]
fn divisions_run_under_guards() {
    let found = body(
        "n = (100u32 % n);
         n = (n / 3u32);
         '0: for k in (0i32..(n as i32)).rev().step_by((n as usize)) { n += (k as u32); }",
    );
    let expected = "\
%4: u32 = literal 100
%5: u32 = literal 0
%6: bool = ne %3, %5
%7: usize = cast %4
%8: usize = literal 0
note_fault #0 %6, %7, %8
%9: u32 = rem %4, %3 if %6
%10: u32 = literal 3
%11: u32 = div %9, %10
%12: i32 = literal 0
%13: i32 = cast %11
%14: u32 = cast %12
%15: u32 = cast %13
%16: u32 = sub %15, %14
%17: u32 = literal 1
%18: bool = lt %12, %13
%19: u32 = sub %16, %17
%20: bool = not %18
%21: u32 = mul %19, %17
%22: u32 = add %14, %21
%23: u32 = neg %17
%24: usize = cast %11
%25: u32 = cast %24
%26: usize = literal 0
%27: bool = ne %24, %26
note_fault #1 %27, %26, %26
%28: bool = eq %24, %26
%29: u32 = literal 4294967295
%30: u32 = math Select %28, %29, %25
%31: u32 = literal 0
%32: bool = ne %30, %31
%33: u32 = div %19, %30 if %32
%34: u32 = math Select %28, %31, %33
%35: u32 = mul %23, %30
%36: bool = not %20
%37: u32 = if %36 {
    %38: u32 = literal 0
    %39: u32 = literal 1
    %40: u32 = for_inclusive %38, %34, %39, %11 as %41: u32, %42: u32 {
        %43: u32 = mul %41, %35
        %44: u32 = add %22, %43
        %45: i32 = cast %44
        %46: u32 = cast %45
        %47: u32 = add %42, %46
        yield %47
    }
    yield %40
} else {
    yield %11
}
";
    assert_eq!(found, expected);
}

#[test]
fn bulk_values_are_in_slots() {
    let helper = "
fn helper#0(given: [u32; 64], own: [u32; 64]) -> [u32; 64] {
    own[1usize] = given[2usize];
    own
}";
    let module = scaffold(
        helper,
        "let a = zero<[u32; 64]>;
         a = [n; 64];
         let same = a;
         n = same[3usize];
         a = call helper#0(a, a);",
    );
    let expected = "\
helper#0(given$1, own$2) -> [u32; 64] in $0 {
    slot $0: [u32; 64]
    slot given$1: [u32; 64]
    slot own$2: [u32; 64]
    slot own$3: [u32; 64]
    copy own$3, own$2
    %0: u32 = load given$1.2
    store own$3.1, %0
    copy $0, own$3
    return
}

fn k#1(idx%0: Index<1>, out%1: &mut ArrayViewMut<u32, 1>) {
    slot a$0: [u32; 64]
    slot same$1: [u32; 64]
    slot $2: [u32; 64]
    %2: usize = extract 0 %0
    %3: u32 = cast %2
    clear a$0
    %4: usize = literal 0
    %5: usize = literal 64
    %6: usize = literal 1
    for %4, %5, %6 as %7: usize {
        %8: bool = in_bounds len 64 always %7
        store a$0[%7], %3 if %8
        yield
    }
    copy same$1, a$0
    %9: u32 = load same$1.3
    call helper#0 with $2, a$0, a$0
    copy a$0, $2
    %10: usize = extract 0 %0
    %11: bool = in_bounds view 1 %1, %10
    %12: usize = extent 0 %1
    note_fault #0 %11, %10, %12
    store %1[%10], %9 if %11
    return
}
";
    assert_eq!(text(&module), expected);
}
