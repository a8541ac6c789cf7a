//! Each rule, by a text that breaks it.

use crate::mir::{Def, Module, parse, verify};

/// A kernel with one of everything around a body.
fn module(body: &str) -> Module {
    let text = format!(
        "kernel k over tiles of 8\n\
         struct Pair#0 {{ a: f32, b: (u32, bool), }}\n\
         const N#0: usize\n\
         tile_static t@0: [f32; 8]\n\
         site #0: OutOfBounds\n\
         message #0: Fault \"\"\n\
         fn one#0(%0: f32) -> f32 {{\n return %0\n}}\n\
         fn bulk#1($1) -> [f32; 64] in $0 {{\n slot $0: [f32; 64]\n slot $1: [f32; 64]\n\
         copy $0, $1\n return\n}}\n\
         fn k#2(%0: TiledIndex<1>, %1: &ArrayView<f32, 1>, %2: &mut ArrayViewMut<u32, 2>, \
         %3: Pair#0, %4: i32, %5: u32, %6: f32, %7: bool, %8: usize, $0) {{\n\
         slot $0: [f32; 64]\n slot x$1: [f32; 8]\n slot y$2: [f32; 64]\n slot z$3: [f32; 64]\n\
         {body}\n}}\n"
    );
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[track_caller]
fn right(body: &str) {
    verify(&module(body)).unwrap();
}

/// What is wrong with the kernel of this body, in one line.
#[track_caller]
fn wrong(body: &str, message: &str) {
    let errors = verify(&module(body)).unwrap_err();
    assert_eq!(errors.join("\n"), format!("k: {message}"));
}

#[test]
fn valid_modules_are_accepted() {
    right("return");
    right(
        "%9: usize = literal 2
        %10: bool = in_bounds view 1 %1, %9
        note_fault #0 %10, %9, %9
        %11: f32 = load %1[%9] if %10
        %12: bool = in_bounds view 2 %2, %8, %9
        %13: bool = bitand %7, %12
        store %2[%8, %9], %5 if %13
        %14: bool = in_bounds len 8 always %9
        %15: f32 = load x$1[%9] if %14
        %16: f32 = load x$1.3
        %17: f32 = call one#0 %16
        call bulk#1 with y$2, $0
        %18: (u32, bool) = extract 1 %3
        %19: Pair#0 = insert 0 %3, %17
        %20: u32 = '0: loop %5 as %21: u32 {
            %22: bool = lt %21, %5
            if %22 {
                continue '0 %21
            } else {
                break '0 %21
            }
            unreachable
        }
        if %7 {
            yield
        } else {
            fault #0 #0 %10, %8, %9, %9, %8
            yield
        }
        %23: u32 = for %5, %5, %5, %20 as %24: u32, %25: u32 {
            yield %24
        }
        return",
    );
    right(
        "%9: <f32; 3> = construct %6, %6, %6
        %10: <f32; 3> = mul %9, %6
        %11: <bool; 3> = lt %10, %9
        %12: <f32; 3> = math Select %11, %9, %10
        %13: u32 = math ToBits %6
        %14: i32 = shl %4, %5
        %15: i32 = literal 3
        %16: i32 = div %4, %15
        %17: f32 = div %6, %6
        return",
    );
}

#[test]
fn values_are_defined_before_their_uses() {
    wrong(
        "%9: u32 = add %5, %10\n%10: u32 = literal 1\nreturn",
        "%9 = add: %10 is not defined here",
    );
    wrong(
        "if %7 {\n%9: u32 = literal 1\nyield\n} else {\nyield\n}\n%10: u32 = cast %9\nreturn",
        "%10 = cast: %9 is not defined here",
    );
    wrong(
        "%9: u32 = block {\nyield %9\n}\nreturn",
        "yield: %9 is not defined here",
    );
    wrong(
        "store x$1.0, %6 if %9\n%9: bool = literal true\nreturn",
        "store: %9 is not defined here",
    );
}

#[test]
fn everything_is_in_one_place() {
    let body = "%9: u32 = literal 1\n%10: u32 = cast %9\nreturn";
    let mut twice = module(body);
    let kernel = twice.functions.last_mut().unwrap();
    let first = kernel.region(kernel.body).insts[0];
    kernel.regions[0].insts.push(first);
    assert_eq!(
        verify(&twice).unwrap_err(),
        ["k: %9 = literal: is in two places"]
    );

    let mut shared = module("if %7 {\nyield\n} else {\nyield\n}\nreturn");
    let kernel = shared.functions.last_mut().unwrap();
    kernel.insts[0].regions[1] = kernel.insts[0].regions[0];
    assert_eq!(
        verify(&shared).unwrap_err(),
        ["k: if: a region is in two places"]
    );

    let mut lost = module(body);
    let kernel = lost.functions.last_mut().unwrap();
    let value = kernel.inst(kernel.region(kernel.body).insts[0]).results[0];
    kernel.values[value.0 as usize].def = Def::Param(0);
    assert_eq!(
        verify(&lost).unwrap_err(),
        ["k: %9 = literal: %9 does not know its definition"]
    );
}

#[test]
fn operands_and_results_are_those_of_the_operation() {
    wrong(
        "%9: u32 = literal 1\n%10: u32 = add %9, %6\nreturn",
        "%10 = add: has operands of two types",
    );
    wrong(
        "%9: bool = add %7, %7\nreturn",
        "%9 = add: is not made for bool",
    );
    wrong(
        "%9: u32 = lt %5, %5\nreturn",
        "%9 = lt: has results (u32), not (bool)",
    );
    wrong(
        "%9: u32 = const #0\nreturn",
        "%9 = const: has results (u32), not (usize)",
    );
    wrong(
        "%9: u32 = const #1\nreturn",
        "%9 = const: there is no constant #1",
    );
    wrong(
        "%9: Pair#0 = construct %6\nreturn",
        "%9 = construct: has operands (f32), not (f32, (u32, bool))",
    );
    wrong(
        "%9: f32 = extract 2 %3\nreturn",
        "%9 = extract: a Pair#0 has no part 2",
    );
    wrong(
        "%9: Pair#0 = insert 0 %3, %5\nreturn",
        "%9 = insert: has operands (Pair#0, u32), not (Pair#0, f32)",
    );
    wrong(
        "%9: u32 = math Min %5\nreturn",
        "%9 = math: has 1 operands, not 2",
    );
    wrong(
        "%9: i32 = math UnsignedAbs %4\nreturn",
        "%9 = math: has results (i32), not (u32)",
    );
    wrong(
        "%9: usize = extent 1 %1\nreturn",
        "%9 = extent: the view has fewer dimensions",
    );
    wrong(
        "%9: bool = in_bounds view 1 %2, %8\nreturn",
        "%9 = in_bounds: is not made for a view of rank 2",
    );
    wrong(
        "%9: bool = in_bounds len 8 %5\nreturn",
        "%9 = in_bounds: has operands (u32), not (usize)",
    );
    wrong(
        "note_fault #0 %7, %5, %8\nreturn",
        "note_fault: has operands (bool, u32, usize), not (bool, usize, usize)",
    );
    wrong(
        "note_fault #1 %7, %8, %8\nreturn",
        "note_fault: there is no site #1",
    );
    wrong(
        "fault #0 #0 %8, %8, %8, %8\nreturn",
        "fault: has operands (usize, usize, usize, usize), not (bool, usize, usize, usize, usize)",
    );
    wrong(
        "message #1 at #0\nreturn",
        "message: its message or site does not exist",
    );
    wrong(
        "%9: u32 = subgroup All %7\nreturn",
        "%9 = subgroup: has results (u32), not (bool)",
    );
    wrong(
        "%9: u32 = cast %3\nreturn",
        "%9 = cast: is made for scalars and vectors",
    );
    wrong(
        "if %5 {\nyield\n} else {\nyield\n}\nreturn",
        "if: has operands (u32), not (bool)",
    );
    wrong("if %7 {\nyield\n}\nreturn", "if: has 1 regions, not 2");
    wrong("while %7\nreturn", "while: is in no loop");
    wrong(
        "%9: u32 = loop {\nwhile %7, %8\nyield\n}\nreturn",
        "while: has operands (bool, usize), not (bool, u32)",
    );
    wrong(
        "loop %5 as %9: i32 {\nyield %9\n}\nunreachable",
        "loop: has operands (u32), not (i32)",
    );
    wrong(
        "for %5, %5, %4 as %9: u32 {\nyield\n}\nreturn",
        "for: counts what is no integer",
    );
}

#[test]
fn values_are_neither_bulk_nor_nothing() {
    wrong(
        "%9: [f32; 64] = zero\nreturn",
        "%9 = zero: %9 is no value: it is a [f32; 64]",
    );
    wrong(
        "%9: ! = zero\nreturn",
        "%9 = zero: %9 is no value: it is a !",
    );
    wrong("store $3, %6\nreturn", "store: the place is bulk");
    wrong(
        "store x$1.0 private, %6\nreturn",
        "store: calls a slot private, as all are",
    );
    wrong(
        "barrier Global orders tile\nreturn",
        "barrier: orders more than its fence",
    );
    wrong("clear x$1\nreturn", "clear: the place is not bulk");
    wrong(
        "%9: &ArrayView<f32, 1> = block {\nyield %1\n}\nreturn",
        "%9 = block: passes a view",
    );
}

#[test]
fn accesses_run_under_the_checks_of_their_indices() {
    wrong(
        "%9: f32 = load %1[%8]\nreturn",
        "%9 = load: has an index, but no guard",
    );
    wrong(
        "%9: f32 = load %1[%8] if %7\nreturn",
        "%9 = load: its guard does not check View(1) of %1, %8",
    );
    wrong(
        "%9: usize = literal 1\n%10: bool = in_bounds view 1 %1, %9\n%11: f32 = load %1[%8] if %10\nreturn",
        "%11 = load: its guard does not check View(1) of %1, %8",
    );
    wrong(
        "%9: bool = in_bounds len 9 %8\n%10: f32 = load x$1[%8] if %9\nreturn",
        "%10 = load: its guard does not check Len(Literal(8)) of %8",
    );
    wrong(
        "%9: bool = in_bounds len 8 %8\n%10: bool = bitor %7, %9\nstore t@0[%8], %6 if %10\nreturn",
        "store: its guard does not check Len(Literal(8)) of %8",
    );
    wrong(
        "%9: &ArrayView<f32, 1> = section %1, %8, %8\nreturn",
        "%9 = section: has an index, but no guard",
    );
    wrong(
        "%9: &mut ArrayViewMut<u32, 1> = row %2, %8 if %7\nreturn",
        "%9 = row: its guard does not check Row of %2, %8",
    );
    wrong(
        "%9: f32 = load x$1.8\nreturn",
        "%9 = load: accesses no place",
    );
    right("%9: bool = literal false\n%10: f32 = load x$1[%8] if %9\nreturn");
    right("%9: bool = in_bounds len 4 %8\n%10: f32 = load x$1[%8] if %9\nreturn");
    right("%9: &ArrayView<u32, 1> = elements %1\nreturn");
    let around = |place: &str, [yes, no]: [&str; 2]| {
        format!(
            "%9: bool = in_bounds view 2 %2, %8, %8\n%10: usize = position %2, %8, %8\n\
             if {place} {{\n{yes}\nyield\n}} else {{\n{no}\nyield\n}}\nreturn"
        )
    };
    right(&around("%9", ["store %2[at %10], %5", ""]));
    right(&around("%9", ["store %2[%8, %8], %5", ""]));
    wrong(
        &around("%7", ["store %2[at %10], %5", ""]),
        "store: has an index, but no guard",
    );
    wrong(
        &around("%9", ["", "store %2[at %10], %5"]),
        "store: has an index, but no guard",
    );
    wrong(
        &around("%9", ["store %2[at %8], %5", ""]),
        "store: is at no position of its view",
    );
    wrong(
        "%9: &ArrayView<f64, 1> = elements %1\nreturn",
        "%9 = elements: has an index, but no guard",
    );
}

#[test]
fn guards_are_on_instructions_that_can_fault_only() {
    wrong(
        "%9: u32 = div %5, %5\nreturn",
        "%9 = div: divides without a guard",
    );
    wrong(
        "%9: i32 = literal -1\n%10: i32 = rem %4, %9\nreturn",
        "%10 = rem: divides without a guard",
    );
    wrong(
        "%9: u32 = math DivCeil %5, %5\nreturn",
        "%9 = math: divides without a guard",
    );
    wrong(
        "%9: u32 = math Clamp %5, %5, %5\nreturn",
        "%9 = math: has limits without a guard",
    );
    wrong(
        "%9: u32 = add %5, %5 if %7\nreturn",
        "%9 = add: takes no guard",
    );
    wrong(
        "%9: u32 = div %5, %5 if %5\nreturn",
        "%9 = div: its guard is no `bool`",
    );
    right("%9: u32 = div %5, %5 if %7\nreturn");
}

#[test]
fn writes_to_read_only_memory_are_refused() {
    wrong(
        "%9: bool = in_bounds view 1 %1, %8\nstore %1[%8], %6 if %9\nreturn",
        "store: writes a read-only view",
    );
    wrong("clear $0\nreturn", "clear: writes the parameter $0");
    wrong(
        "%9: u32 = atomic Add x$1.0, %5\nreturn",
        "%9 = atomic: is no place for atomic operations",
    );
    wrong("copy $3, $3\nreturn", "copy: copies a place to itself");
}

#[test]
fn ends_pass_what_is_taken() {
    wrong("yield", "yield: a function ends with its result");
    wrong("return %5", "return: passes (u32) to what takes ()");
    wrong(
        "%9: u32 = block {\nyield\n}\nreturn",
        "yield: passes () to what takes (u32)",
    );
    wrong(
        "'0: block {\ncontinue '0\n}\nunreachable",
        "continue: only loops go on by it",
    );
    wrong(
        "'0: if %7 {\nbreak '0\n} else {\nyield\n}\nreturn",
        "break: only loops and blocks are left by it",
    );
    wrong(
        "'0: block {\nyield\n}\nblock {\nbreak '0\n}\nunreachable",
        "break: what it names is not around it",
    );
    wrong(
        "'0: for %5, %5, %5, %6 as %9: u32, %10: f32 {\ncontinue '0 %9, %10\n}\nreturn",
        "for: has results (), not (f32)\nk: continue: passes (u32, f32) to what takes ()",
    );
}

#[test]
fn nothing_follows_what_never_completes() {
    wrong("loop {\nyield\n}\nreturn", "return: nothing can come here");
    wrong(
        "loop {\nyield\n}\n%9: u32 = literal 1\nunreachable",
        "%9 = literal: nothing can come here",
    );
    wrong(
        "if %7 {\nreturn\n} else {\nreturn\n}\nreturn",
        "return: nothing can come here",
    );
    wrong("unreachable", "unreachable: control comes here");
    wrong(
        "for %5, %5, %5 as %9: u32 {\nreturn\n}\nunreachable",
        "unreachable: control comes here",
    );
    right("loop {\nyield\n}\nunreachable");
    right("loop {\nwhile %7\nyield\n}\nreturn");
    right("if %7 {\nreturn\n} else {\nloop {\nyield\n}\nunreachable\n}\nunreachable");
}

#[test]
fn calls_go_back_and_pass_what_is_taken() {
    wrong(
        "call k#2\nreturn",
        "call: calls what does not come before it",
    );
    wrong(
        "%9: f32 = call one#0 %5\nreturn",
        "%9 = call: has operands (u32), not (f32)",
    );
    wrong("call one#0 %6\nreturn", "call: has results (), not (f32)");
    wrong(
        "call bulk#1 with y$2\nreturn",
        "call: passes the wrong slots",
    );
    wrong(
        "call bulk#1 with x$1, y$2\nreturn",
        "call: passes the wrong slots",
    );
    wrong(
        "call bulk#1 with y$2, y$2\nreturn",
        "call: passes a slot that takes the result, too",
    );
    wrong(
        "call bulk#1 with $0, y$2\nreturn",
        "call: writes the parameter $0",
    );
    wrong(
        "block with x$1 {\nyield\n}\nreturn",
        "block: passes slots to no function",
    );
}

#[test]
fn signatures_fit() {
    let error = |text: &str| verify(&parse(text).unwrap()).unwrap_err().join("\n");
    assert_eq!(error("kernel k over Index<1>\n"), "there is no kernel");
    assert_eq!(
        error("kernel k over Index<1>\nfn k#0(%0: Index<2>) {\nreturn\n}"),
        "k: parameters: the first of a kernel is its Index<1>"
    );
    assert_eq!(
        error("kernel k over Index<1>\nfn k#0(%0: Index<1>) -> u32 {\nunreachable\n}"),
        "k: parameters: a kernel has no result\nk: unreachable: control comes here"
    );
    let kernel = "fn k#1(%0: Index<1>) {\nreturn\n}";
    let head = "kernel k over Index<1>\n";
    assert_eq!(
        error(&format!(
            "{head}fn f#0() -> [f32; 64] {{\nreturn\n}}\n{kernel}"
        )),
        "f: result: a bulk result has a slot\nf: return: passes () to what takes ([f32; 64])"
    );
    assert_eq!(
        error(&format!(
            "{head}fn f#0($0) {{\nslot $0: f32\nreturn\n}}\n{kernel}"
        )),
        "f: parameters: $0 has the wrong type"
    );
}
