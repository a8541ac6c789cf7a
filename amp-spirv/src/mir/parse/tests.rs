//! What is read is written the same.

use super::*;
use crate::mir::{Def, Inst, InstId, Op};

/// A text with all that texts can have. Not all of it keeps the rules of the form.
const ALL: &str = r##"kernel "a name" over tiles of 16 x #0
indices of 64 bits
struct Item#0 {
    "a b": f32,
    spot: <f32; 3>,
}
struct "Pair<f32>"#1 {
    items: [Item#0; 4],
    more: (#1, (i8,), ()),
}
const "N * 2"#0: usize
const M#1: u8
file "src/\"main\".rs"
tile_static shared@0: [[f32; 16]; #0] !0:3:4
site #0: OutOfBounds !0:1:2
site #1: Message 0
message #0: Fault "{0} of\n{1:?}\u{7f}"
proofs "0012ff" ""

fn helper#0(%0: f32, array$0, "a b"%1: &mut ArrayViewMut<Item#0, 2>) -> [f32; 64] in $1 fast_math !0:9:1 {
    slot array$0: [f32; 64]
    slot $1: [f32; 64]
    copy $1, array$0
    clear $1
    return
}

fn "k e"#1(t_idx%0: TiledIndex<2>, %1: &ArrayView<Item#0, 2>) {
    slot "<tmp>"$0: [f32; 64]
    slot $1: [f32; 64]
    %2: f32 = literal -0.0
    %3: f64 = literal 1e-40
    %4: f32 = literal bits 0x7fc00001 !0:2:2
    %5: f16 = literal bits 0x3c00
    %6: i64 = literal -5
    %7: bool = literal true
    %8: usize = const #0
    %9: u8 = const M#1
    %10: [f32; 4] = zero
    %11: Extent<2> = construct %8, %8
    %12: usize = extract 1 %11
    %13: Extent<2> = insert 1 %11, %12
    %14: i64 = neg %6
    %15: bool = lt %6, %14
    %16: u32 = cast %6
    %17: u32 = math LeadingZeros %16
    %18: usize = hide Bits %12
    %19: bool = in_bounds view 2 launch 3 %1, %12, %18
    %20: bool = in_bounds len #0 always %18
    %21: bool = in_bounds section 2 %1, %8, %8, %8, %8
    %22: &ArrayView<Item#0, 2> = section %1, %8, %8, %8, %8 if %21
    %23: bool = in_bounds row %1, %8
    %24: &ArrayView<Item#0, 1> = row %1, %8 if %23
    %25: bool = in_bounds shape 2 %24, %8, %8
    %26: &ArrayView<Item#0, 2> = shape %24, %8, %8 if %25
    %27: bool = in_bounds elements 2 %24
    %28: &ArrayView<u32, 1> = elements %24 if %27
    note_fault #0 %19, %12, %18 !0:4:5
    %29: f32 = load %1[%12, %18].1[%8] if %19
    store shared@0[%8][%8] private, %29 if %20
    %30: u32 = atomic CompareExchange shared@0[%8][%8], %16, %17 if %20
    %31: u32 = atomic Load shared@0[%8][%8] if %20
    copy $0, $1
    message #0 at #1 %8, %2
    message #0 at #1
    barrier TileStatic
    barrier All orders views
    barrier Global orders nothing
    fence Global
    device_fence
    %32: bool = subgroup Elect
    %33: u32 = subgroup Add %16
    call helper#0 %2, %1 with $1, $0
    %34: f32, %35: u32 = if %32 {
        yield %2, %16
    } else {
        yield %29, %33
    }
    %36: u32 = '0: block {
        %37: bool = '1: loop %7 as %38: bool {
            for %8, %12, %18, %2 as %39: usize, %40: f32 {
                for_inclusive %8, %12, %18 as %41: usize {
                    break '0 %16
                }
                continue '1 %7
            }
            break '1 %38
        }
        unreachable
    }
    %42: usize = position %1, %12, %18
    %43: f32 = load %1[at %42].1[%8] private
    %44: bool = unchecked
    %45: u8 = loop %9 as %46: u8 {
        while %44, %46
        yield %9
    }
    fault #0 !0:4:5
    fault #0 #1 %44, %12, %18, %8, %8
    return
}
"##;

#[test]
fn text_is_written_as_it_was_read() {
    let module = parse(ALL).unwrap();
    let text = module.to_string();
    for (number, (read, written)) in (1..).zip(ALL.lines().zip(text.lines())) {
        assert_eq!(read, written, "line {number}");
    }
    assert_eq!(ALL, text);
}

#[test]
fn dead_instructions_are_left_out() {
    let mut module = parse(ALL).unwrap();
    let kernel = module.functions.last_mut().unwrap();
    let literal = kernel.insts[0].clone();
    let ty = kernel.ty(literal.results[0]);
    let literal = Inst {
        results: Vec::new(),
        ..literal
    };
    let own = kernel.new_inst(literal, &[ty]);
    assert_eq!(kernel.def(kernel.inst(own).results[0]), Def::Inst(own, 0));
    assert_eq!(module.to_string(), ALL);
}

#[test]
fn the_first_value_of_a_module_is_what_the_text_says() {
    let module = parse(ALL).unwrap();
    let kernel = module.functions.last().unwrap();
    let first = &kernel.insts[0];
    assert_eq!(first.op, Op::Literal(crate::tree::Literal::F32(1 << 31)));
    assert_eq!(
        module.locations[kernel.inst(InstId(2)).span.0 as usize].line,
        2
    );
}

#[track_caller]
fn fails(body: &str, line: u32, message: &str) {
    let text = format!("kernel k over Index<1>\n\nfn k#0(%0: Index<1>) {{\n{body}}}\n");
    let error = parse(&text).unwrap_err();
    assert_eq!(error.to_string(), format!("line {line}: {message}"));
}

#[test]
fn errors_name_their_line() {
    fails("return %1\n", 4, "%1 is not defined");
    fails("%0: f32 = zero\nreturn\n", 4, "%0 is defined twice");
    fails("\nfly %0\nreturn\n", 5, "`fly` is no operation");
    fails("break '0\n", 4, "there is no label '0 before this");
    fails(
        "%1: f32 = literal one\nreturn\n",
        4,
        "expected a number, found Word(\"one\")",
    );
    fails(
        "%1: u32 = math Guess %0\nreturn\n",
        4,
        "`Guess` does not exist",
    );
    fails("~\u{e9}\n", 4, "`\u{e9}` starts with no token");
    assert_eq!(parse("").unwrap_err().message, "expected `kernel`");
}
