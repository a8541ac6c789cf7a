//! `Option`, `Result` and the program's enums with fields: their methods, `?`, and patterns.

use super::Class::{Any, Number};
use super::{Form, value};

const SOME_IF: &str = "fn some_if<T: Copy>(is_some: bool, x: T) -> Option<T> { \
    if is_some { Some(x) } else { None } \
    }";
const PASSED: &str = "fn passed<T: Copy>(is_some: bool, x: T) -> Option<(u8, T)> { \
    let y = some_if(is_some, x)?; Some((3, some_if(true, y)?)) \
    }";
const OK_IF: &str = "fn ok_if<T: Copy>(is_ok: bool, x: T) -> Result<T, (T, u8)> { \
    if !is_ok { return Err((x, 1)); } Ok(x) \
    }";
const TRIED: &str = "fn tried<T: Copy>(is_ok: bool, x: T) -> Result<(T, T), (T, u8)> { \
    let y = ok_if(is_ok, x)?; let z = ok_if(true, x).ok().ok_or((y, 7))?; Ok((y, z)) \
    }";
const SHAPE: &str =
    "enum Shape<T> { Empty, One(T), Two { first: T, second: (u16, T) }, Flag(bool) }";
const SHAPED: &str = "fn shaped<T: Copy>(which: u32, x: T) -> Shape<T> { match which { \
    0 => Shape::One(x), 1 => Shape::Two { first: x, second: (5, x) }, 2 => Shape::Empty, \
    _ => Shape::Flag(true) } }";
const UNSHAPED: &str = "fn unshaped<T: Copy>(shape: Shape<T>) -> Option<T> { match shape { \
    Shape::One(x) | Shape::Two { first: _, second: (5, x) } => Some(x), \
    Shape::Two { second: (n, x), .. } if n > 5 => Some(x), \
    Shape::Two { first, .. } => Some(first), Shape::Empty | Shape::Flag(_) => None } }";
const SWELL: &str = "fn swell<T: Scalar>(shape: &mut Shape<T>, to: T) { match shape { \
    Shape::One(x) => *x = to, Shape::Two { first, second } => { *first = to; second.1 = to; } \
    Shape::Flag(flag) => *flag = !*flag, Shape::Empty => {} } }";
const LEAF: &str =
    "#[derive(PartialEq)] enum Leaf<T> { Missing, One(T), Two { first: T, last: (u8, T) } }";
const CARD: &str = "#[amp_enum(element = StoredCard)] #[derive(PartialEq)] enum Card { Blank, Rated(f32, bool), \
    Counted { n: u32, bits: [u8; 3] } }";
const TREE: &str = "enum Tree<T> { Bare(Leaf<T>), Both { left: Leaf<T>, right: Option<Leaf<T>>, depth: u8 }, Nothing }";
const GROWN: &str = "fn grown<T: Copy>(depth: u8, x: T) -> Tree<T> { let two = Leaf::Two { first: x, last: (depth, x) }; \
    match depth { 0 => Tree::Bare(Leaf::One(x)), 1 => Tree::Bare(two), 2..=4 => Tree::Both { \
    left: two, right: (depth > 2).then_some(Leaf::One(x)), depth }, _ => Tree::Nothing } }";
const PICKED: &str = "fn picked<T: Copy>(tree: &Tree<T>) -> Result<T, u8> { Ok(match *tree { \
    Tree::Bare(Leaf::One(x)) | Tree::Both { right: Some(Leaf::One(x)), .. } => x, \
    Tree::Both { left: Leaf::Two { last: (n, x), .. }, depth, .. } if n == depth && n > 1 => x, \
    Tree::Bare(Leaf::Two { first, last: (1..=9, _) }) => first, \
    Tree::Nothing => return Err(0), Tree::Bare(_) | Tree::Both { .. } => Err(9)? }) }";
const PARSED: &str = "fn parsed(a: u32, b: u32) -> Option<u32> { let sum = a.checked_add(b)?.checked_mul(3)?; \
    let Some(rest) = sum.checked_rem(a) else { return Some(b) }; let n = u8::try_from(rest).ok()?; \
    (n % 2 == 0).then(|| u32::from(n) / 2) }";
const TREES: &[&str] = &[LEAF, TREE, GROWN, PICKED];
const ENUM: &[&str] = &[SHAPE, SHAPED, UNSHAPED];

/// The forms.
pub const FORMS: &[Form] = &[
    // References in an option, used at once.
    value(
        Any,
        &[],
        "let mut y = Some(@x); if let Some(z) = y.as_mut() { *z = @x; } y.as_ref().map(|z| *z).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let mut y = None; if @c { y = Some(@x); } let z = @x; *y.get_or_insert(z)",
    ),
    // Some and Ok.
    value(Any, &[], "Some(@v).unwrap()"),
    value(Any, &[], "Ok::<@t, u8>(@v).expect(\"it is\")"),
    value(
        Any,
        &[],
        "if let Some(y) = Some(@x) && @c { y } else { @x }",
    ),
    value(
        Any,
        &[],
        "let Some(y) = Some(@x) else { panic!(\"none\") }; y",
    ),
    value(
        Any,
        &[],
        "match Err::<u8, @t>(@x) { Ok(3) => @x, Ok(_) => @x, Err(y) => y }",
    ),
    // Methods.
    value(Any, &[], "Some(@x).map(|y| y).unwrap_or(@x)"),
    value(Any, &[], "Some(@x).filter(|_| @c).unwrap_or(@x)"),
    value(
        Any,
        &[],
        "Some(@x).xor(None).or(Some(@x)).map_or(@x, |y| y)",
    ),
    value(
        Any,
        &[],
        "Some(@x).zip(Some(2_u8)).map_or_else(|| @x, |(y, _)| y)",
    ),
    value(
        Any,
        &[],
        "(@c).then_some(@x).or_else(|| Some(@x)).unwrap_or(@x)",
    ),
    value(Any, &[], "(@c).then(|| @x).unwrap_or_else(|| @x)"),
    value(
        Any,
        &[],
        "let mut y = Some(@x); let z = y.take(); if y.is_none() { z.unwrap_or(@x) } else { @x }",
    ),
    value(
        Any,
        &[],
        "let mut y = None; _ = y.replace(@x); y.and_then(|y| Some(y)).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "let (y, z) = Some((@x, 1_u8)).unzip(); if z.is_some_and(|z| z > 1) { @x } else { y.unwrap_or(@x) }",
    ),
    value(
        Any,
        &[],
        "Some(Some(@x)).flatten().ok_or(1_u8).unwrap_or_else(|_| @x)",
    ),
    value(
        Any,
        &[],
        "Some(@x).ok_or_else(|| 1_u8).and_then(|y| if @c { Ok(y) } else { Err(2) }).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "Err::<u8, @t>(@x).map_err(|y| (y, 1_u8)).err().map_or(@x, |(y, _)| y)",
    ),
    value(
        Any,
        &[],
        "Err::<@t, @t>(@x).or_else(|y| if @c { Ok(y) } else { Err::<@t, u8>(3) }).unwrap_or(@x)",
    ),
    value(
        Any,
        &[],
        "Some(Ok::<@t, u8>(@x)).transpose().is_ok_and(|y| y.is_some()).then_some(@x).unwrap_or(@x)",
    ),
    value(Number, &[], "Some(@x).and(Some(@x)).unwrap_or_default()"),
    // `?`
    value(
        Any,
        &[SOME_IF, PASSED],
        "passed(@c, @x).map_or(@x, |y| y.1)",
    ),
    value(
        Any,
        &[OK_IF, TRIED],
        "match tried(@c, @x) { Ok((_, y)) => y, Err((y, _)) => y }",
    ),
    value(
        Any,
        &[OK_IF],
        "let f = |c: bool| -> Result<@t, (@t, u8)> { let y = ok_if(c, @x)?; Ok(y) }; f(@c).unwrap_or_else(|e| e.0)",
    ),
    // Enums.
    value(Any, ENUM, "unshaped(shaped(@c as u32, @x)).unwrap_or(@x)"),
    value(
        Any,
        ENUM,
        "let y = shaped(2 + @c as u32, @x); if let Shape::Empty | Shape::Flag(true) = y { @x } else { unshaped(y).unwrap_or(@x) }",
    ),
    value(
        Any,
        ENUM,
        "let mut y = shaped(0, @x); if matches!(y, Shape::One(_)) { y = Shape::Two { first: @x, second: (6, @x) }; } unshaped(y).unwrap_or(@x)",
    ),
    value(
        Any,
        ENUM,
        "let mut n = 2_u32; while let Shape::Empty = shaped::<@t>(n, @x) { n += 1; } unshaped(shaped(n - 3, @x)).unwrap_or(@x)",
    ),
    value(
        Number,
        &[SHAPE, SHAPED, UNSHAPED, SWELL],
        "let mut y = shaped(@c as u32, @x); swell(&mut y, @x); unshaped(y).unwrap_or(@x)",
    ),
    value(
        Any,
        ENUM,
        "let y: Option<Shape<@t>> = Some(shaped(1, @x)); match y { Some(Shape::Two { first, second: (1..=4 | 6.., _) }) => first, Some(Shape::Two { second: (_, z), .. }) => z, _ => @x }",
    ),
    // Enums in enums.
    value(
        Any,
        TREES,
        "picked(&grown(@c as u8, @x)).unwrap_or_else(|_| panic!())",
    ),
    value(
        Any,
        TREES,
        "let mut y = grown(2 + @c as u8, @x); if let Tree::Both { depth, left: Leaf::Two { last: (n, _), .. }, .. } = &mut y && *depth == *n { *depth = *n; } picked(&y).ok().unwrap_or_else(|| panic!())",
    ),
    value(
        Any,
        TREES,
        "let Tree::Both { left: Leaf::Two { first, last: (3, y) }, right: Some(_), .. } = grown(3, @x) else { panic!() }; if @c { first } else { y }",
    ),
    value(
        Any,
        TREES,
        "match (picked(&grown(7, @x)), picked(&grown(1, @x))) { (Err(n @ 0..=3), Ok(y)) if n < 3 => y, (Ok(_), _) | (Err(_), _) => panic!() }",
    ),
    value(
        Number,
        TREES,
        "let y = Leaf::Two { first: @x, last: (1, @x) }; if y != Leaf::Missing && matches!(y, Leaf::Two { last: (1, _), .. }) { @x } else { panic!() }",
    ),
    value(
        Any,
        &[PARSED],
        "match [parsed(2, 5), parsed(0, 9), parsed(u32::MAX, 1), parsed(7, 700)] { [None, Some(9), None, Some(0)] => @x, _ => panic!() }",
    ),
    value(
        Any,
        &[],
        "let y = 'found: { for n in 0_u8.. { let Some(rest) = 5_u8.checked_sub(n) else { break 'found None; }; if rest == 2 { break 'found Some((n, @x)); } } None }; let Some((3, z)) = y else { panic!() }; z",
    ),
    // Enums as elements.
    value(
        Any,
        &[CARD],
        "let y = StoredCard::from(Card::Rated(1.5, @c)); match y.value() { Card::Rated(r, _) if r > 1.0 => @x, _ => panic!() }",
    ),
    value(
        Any,
        &[CARD],
        "let mut cards = [StoredCard::default(); 2]; cards[1] = Card::Counted { n: 7, bits: [1, 2, 3] }.into(); if let Card::Counted { n: 7, bits: [1, _, 3] } = cards[1].value() && cards[0] == StoredCard::from(Card::Blank) { @x } else { panic!() }",
    ),
];
