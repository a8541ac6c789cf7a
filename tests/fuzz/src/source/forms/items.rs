//! Items and blocks in bodies, constants, strings of bytes, and what picks a value when the program is
//! compiled.

use super::Class::{Any, Integer, Number};
use super::{Form, literal, store, value};

const ONE_OF: &str = "const NUMBERS: [u32; 4] = [0, 1, 2, 3];";
const PAIR: &str = "const PAIR: (u8, [i32; 2]) = (1, [2, 3]);";
const HELD: &str =
    "#[derive(Default, PartialEq)] struct Held<T> { value: T, count: u32, more: [u8; 4] }";
const NAMED: &str = "#[derive(PartialEq)] struct Named { a: u32, b: [f32; 2] }";
const SPOT: &str = "const SPOT: Named = Named { a: 1, b: [0.5, 2.0] };";
const NOTED: &str = "trait Noted: Copy { const TIMES: u32; fn noted(self) -> Self; \
    fn noted_twice(self) -> Self { self.noted().noted() } }";
const NOTED_WRAPPED: &str = "impl Noted for Wrapped { const TIMES: u32 = 2; fn noted(self) -> Self { Wrapped { bits: !self.bits } } }";
const WRAPPED: &str = "pub struct Wrapped { pub bits: u32 }";
const NOTE: &str = "fn note<N: Noted>(x: N) -> N { let mut y = x; for _ in 0..N::TIMES { y = y.noted(); } y.noted_twice() }";
const SELF: &str = "fn itself<T: Copy>(x: T) -> T { x }";
const PARTED: &str =
    "fn parted(r: std::ops::Range<u32>) -> std::ops::Range<u32> { r.start..r.end - 1 }";
const SEVERAL: &str =
    "fn several<T: Copy>(n: u8, x: T) -> impl Iterator<Item = T> { (0..n).map(move |_| x) }";
const CHOOSES: &str = "fn chooses<T: Copy>(x: T, y: T) -> impl Fn(bool) -> T { move |first| if first { x } else { y } }";
const CALLED: &str = "fn called<A: Copy, B: Copy>(f: impl Fn(A) -> B, x: A) -> B { f(x) }";

/// The forms.
pub const FORMS: &[Form] = &[
    // `use` and other items.
    value(
        Any,
        &[],
        "{ use std::mem::replace; let mut y = @x; replace(&mut y, @x) }",
    ),
    value(
        Any,
        &[],
        "use std::{iter::once as only_one, mem}; let mut y = @x; let mut z = only_one(@x).next().unwrap_or(@x); mem::swap(&mut y, &mut z); z",
    ),
    value(
        Number,
        &[],
        "use std::mem::take as taken; let mut y = @x; let z = taken(&mut y); y + z",
    ),
    value(Any, &[], "type Kept = @t; let y: Kept = @x; y"),
    value(Any, &[], "fn kept(y: @t) -> @t { y } kept(@x)"),
    value(
        Any,
        &[],
        "const TIMES: usize = 2; { const TIMES: u8 = 1; let _ = TIMES; } let mut y = @x; for _ in 0..TIMES { y = @x; } y",
    ),
    // Blocks.
    value(Any, &[], "'kept: { if @c { break 'kept @x; } @x }"),
    value(
        Any,
        &[],
        "let y = 'outer: { let z: @t = 'inner: { if @c { break 'outer @x; } break 'inner @x; }; z }; y",
    ),
    value(
        Any,
        &[],
        "'once: loop { for n in 0..3 { if n == 1 { continue; } if n == 2 { break 'once @x; } } }",
    ),
    value(
        Any,
        &[],
        "#[cfg(all())] let y = @x; #[cfg(not(all()))] let y = [@x; 2][1]; y",
    ),
    value(
        Any,
        &[],
        "let mut y = @x; #[cfg(any())] { y = panic!(); } #[cfg(all())] { y = @x; } y",
    ),
    value(Any, &[], "if cfg!(any()) { panic!() } else { @x }"),
    value(
        Any,
        &[],
        "let n: u8 = const { 1 + 2 }; match n { 3 => @x, _ => @x }",
    ),
    store(Any, &[], "#[cfg(all())] { @p = @v; }"),
    // Literals.
    literal(Any, "{ let kept: @t = const { @l }; kept }"),
    literal(Any, "{ const KEPT: @t = @l; KEPT }"),
    literal(Any, "{ const KEPT: [@t; 2] = [@l; 2]; KEPT[1] }"),
    literal(Any, "{ const KEPT: (u8, @t) = (1, @l); KEPT.1 }"),
    literal(
        Any,
        "{ const KEPT: Option<@t> = Some(@l); KEPT.unwrap_or(@l) }",
    ),
    literal(Integer, "(b\"\\0\\x01a\"[0] as @t + @l)"),
    literal(Integer, "(('a' as u32 - 'b' as u32 + 1) as @t ^ @l)"),
    literal(Integer, "((b'\\n' - 10) as @t | @l)"),
    value(
        Integer,
        &[],
        "match b\"ab\" { [b'a', y] if *y == b'b' => @x, _ => 0 }",
    ),
    value(
        Any,
        &[ONE_OF],
        "if NUMBERS[2] > NUMBERS.iter().sum::<u32>() { panic!() } else { @x }",
    ),
    value(
        Any,
        &[PAIR],
        "match PAIR { (1, [2, y]) if y == PAIR.1[1] => @x, _ => @x }",
    ),
    value(
        Any,
        &[NAMED, SPOT],
        "let y: Named = SPOT; if y == (Named { a: 1, ..y }) && y.b[1] > 1.0 { @x } else { @x }",
    ),
    // Structs, traits and functions by name.
    value(
        Number,
        &[HELD],
        "Held { value: @x, ..Default::default() }.value",
    ),
    value(
        Number,
        &[HELD],
        "let y = Held { count: 3, ..Held::<@t>::default() }; let Held { count, .. } = y; if count == 3 { Held { value: @x, ..y }.value } else { y.value }",
    ),
    value(
        Any,
        &[WRAPPED, NOTED, NOTED_WRAPPED, NOTE],
        "if note(Wrapped { bits: 5 }).bits == 5 { @x } else { panic!() }",
    ),
    value(Any, &[SELF], "Some(@x).map(itself).unwrap_or(@x)"),
    value(Any, &[SELF, CALLED], "called(itself, @x)"),
    value(Any, &[CALLED], "called(|(y, _): (@t, u8)| y, (@x, 1))"),
    value(
        Any,
        &[CALLED],
        "let f = { let k = @x; move |n: u8| if n > 1 { k } else { k } }; called(f, 2)",
    ),
    value(
        Any,
        &[],
        "let mut y = @x; let mut set = |z: @t| y = z; set(@x); y",
    ),
    // What functions return.
    value(
        Any,
        &[SEVERAL],
        "let mut y = @x; for z in several(3, @x) { if @c { y = z; break; } } y",
    ),
    value(
        Any,
        &[SEVERAL],
        "several(4, @x).skip(1).take(2).chain(several(1, @x)).last().unwrap_or(@x)",
    ),
    value(
        Any,
        &[PARTED],
        "let mut y = @x; for n in parted(1..3) { if n == 2 { y = @x; } } y",
    ),
    value(
        Any,
        &[PARTED],
        "let mut r = parted(0..4); r.next(); let n = r.by_ref().take(1).count(); if n + r.len() > 3 || r.contains(&1) { panic!() } else { r.map(|_| @x).last().unwrap_or(@x) }",
    ),
    value(Any, &[CHOOSES], "let f = chooses(@x, @x); f(@c)"),
    value(
        Any,
        &[CHOOSES, CALLED],
        "let y = @x; let z = @x; called(chooses(y, z), @c)",
    ),
];
