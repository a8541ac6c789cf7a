//! What is read is written the same.

use super::*;
use crate::tree::{Statement, verify};

/// A module with all that modules can have.
const ALL: &str = r##"kernel "a name" over tiles of 16 x #0
struct Item#0 {
    "a b": f32,
    spot: <f32; 3>,
}
struct "Pair<f32>"#1 {
    items: [Item#0; 4],
    more: (Item#0, (i8,), ()),
}
const "N * 2"#0: usize
const M#1: u8
const ON#2: bool
tile_static shared@0: [[u32; 16]; #0]
tile_static @1: f64
fn helper#0(x: f32, from: &ArrayView<Item#0, 2>, "to it": &mut ArrayViewMut<f32, 1>) -> f32 fast_math {
    let pair: #1;
    pair = zero<#1>;
    pair.0[#0] = from["to it".extent().0, 1usize];
    "to it"[0usize] += pair.0[0usize].1[2usize];
    return (x / 2.0f32);
}
fn "h 2"#1(u: ()) -> ! {
    panic
}
fn k#2(t: TiledIndex<2>, a: &ArrayView<Item#0, 2>, b: &mut ArrayViewMut<f32, 1>, i: Index<1>, zero$0: i32) {
    let <made>: usize = t.local[0usize];
    let <made>$1: Index<2> = t.tile_origin;
    let x: u8 = M#1;
    let x$1: i64 = -5i64;
    let "no word": f32 = -0.0f32;
    let If$0: f16 = f16(0x3c00);
    let bits: f32 = f32(0x7fc00001);
    let small: f64 = 1e-40f64;
    ();
    (-zero$0 + -(5i32));
    let row: &ArrayView<Item#0, 1> = a.row(<made>);
    let words: &ArrayView<u32, 2> = (&b.section(i, Index<1>(1usize))).reinterpret<u32>().view_as(Index<2>(2usize, 3usize));
    let part: &mut ArrayViewMut<f32, 1> = b.section(i, i);
    b[i] = call helper#0(bits, a, part);
    call helper#0("no word", a, b.section(i, i));
    words$1[{
        let words$1: &ArrayView<u32, 2> = words.section(Index<2>(0usize, 0usize), <made>$1);
        <made>$1
    }];
    words[0usize, 1usize];
    row[<made>].1.0;
    a.extent().1;
    (<f32; 3>(bits, bits, bits) * bits).2;
    let tuple: (i32, (f32,), ()) = (zero$0, (bits,), ());
    (tuple).1.0;
    [[bits, bits]; 3];
    [1u8; #0];
    new [u8; 0]();
    Item#0(bits, zero<<f32; 3>>);
    Min(x, 3u8);
    FromBits<bf16>(ToBits(bf16(0x1)));
    Select(true, bits, "no word");
    shared@0[0usize][<made>] <<= 1i8;
    atomic Add(shared@0[1usize][0usize], 7u32);
    atomic Load(shared@0[1usize][0usize]);
    let all: [u32; 4] = subgroup Ballot((!false && (ON#2 || (<made> <= 3usize))));
    barrier(Global);
    fence(All);
    device_fence;
    Fault("{0} of\n{1:?}\u{7f}", x, (i, x));
    Stdout("");
    let number: u32 = if (x == 3u8) {
        all[1usize] = (x as u32);
        1u32
    } else {
        2u32
    };
    if ON#2 {
        return;
    }
    if ON#2 {} else {
        barrier(All);
    }
    '0: loop -> u32 {
        '1: while (number > 2u32) {
            continue '0;
        }
        '2: for <for> in (0u32..=number).rev().step_by(2usize) {
            break '0 <for>;
        }
        break '0 number;
    }
    '3: -> i32 {
        break '3 4i32
    }
    '4: {
        (ON#2 && (return));
        break '4;
    }
    '5: loop {
        break '5;
    }
    '6: loop {
        <made> = 1usize;
    };
}
"##;

fn read(text: &str) -> Module {
    match parse(text) {
        Ok(module) => module,
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[test]
fn everything_is_written_as_it_is_read() {
    let module = read(ALL);
    assert_eq!(module.to_text(), ALL);
    assert_eq!(verify(&module), Ok(()));
}

#[test]
fn places_are_those_of_the_text() {
    let module = read("kernel k over Index<1>\nfn k#0(i: Index<1>) {\n    (1u32 + 2u32);\n}\n");
    let place = |span| {
        let Location { line, column, .. } = *module.location(span);
        (line, column)
    };
    let kernel = module.kernel();
    assert_eq!(place(kernel.span), (2, 4));
    let Statement::Expr(sum) = &kernel.body.statements[0] else {
        panic!("a sum");
    };
    assert_eq!(place(sum.span), (3, 5));
}

#[test]
fn types_and_semicolons_can_be_left_out() {
    let short =
        "kernel k over Index<1>\nfn k#0(i: Index<1>) {\n    let x = 1u32;\n    { } x = 2u32;\n}\n";
    let long = "kernel k over Index<1>\nfn k#0(i: Index<1>) {\n    let x: u32 = 1u32;\n    {}\n    x = 2u32;\n}\n";
    assert_eq!(read(short).to_text(), long);
}

#[test]
fn constants_have_any_name() {
    let text = "kernel k over Index<1>\nconst total#0: usize\nfn k#0(i: Index<1>) {\n    let x: usize = total#0;\n}\n";
    assert_eq!(read(text).to_text(), text);
}

#[test]
fn errors_say_where_and_what() {
    let wrong = |body: &str| {
        let text = format!("kernel k over Index<1>\nfn k#0(i: Index<1>) {{\n{body}\n}}\n");
        parse(&text).unwrap_err().to_string()
    };
    assert_eq!(wrong("x = 1u32;"), "line 3: `x` is not declared");
    assert_eq!(
        wrong("let x: u32 = 1;"),
        "line 3: `1` is no number with its type"
    );
    assert_eq!(wrong("let x: u32 = 1u32"), "line 3: expected `;`");
    assert_eq!(
        wrong("let x = 1u32; let x = 1i32;"),
        "line 3: `x` has another type"
    );
    assert_eq!(wrong("let x;"), "line 3: `x` has no type");
    assert_eq!(
        wrong("Sum(1u32);"),
        "line 3: `Sum` starts no expression, and is not declared"
    );
    assert_eq!(
        wrong("(1u32 ? 2u32);"),
        "line 3: expected an operator behind this"
    );
    assert_eq!(wrong("barrier(Some);"), "line 3: `Some` does not exist");
    assert_eq!(wrong("atomic Add(1u32);"), "line 3: expected a place");
}
