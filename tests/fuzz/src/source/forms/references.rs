//! Functions that return references and slices, and types with elements of their own.

use super::Class::{Any, Integer, Number};
use super::{Form, store, update, value};

const ONLY: &str = "fn only<T>(x: &T) -> &T { x }";
const CHOSEN: &str = "fn chosen<'a, T>(first: bool, a: &'a T, b: &'a T) -> &'a T { \
    if first { a } else { b } \
    }";
const EARLY: &str = "fn early<'a, T>(first: bool, a: &'a T, b: &'a T) -> &'a T { \
    if first { return only(a); } chosen(!first, a, b) \
    }";
const MATCHED: &str = "fn matched<'a, T>(which: u32, all: &'a (T, T)) -> &'a T { \
    match which { 0 => &all.0, 1 | 2 => &all.1, _ => only(&all.0) } \
    }";
const TAIL: &str = "fn tail<T: Scalar>(all: &[T]) -> &[T] { &all[1..] }";
const MIDDLE: &str =
    "fn middle<T: Scalar>(all: &[T; 4], from: usize) -> &[T] { tail(&all[from..=2]) }";
const AFTER: &str = "fn after<T: Scalar>(mut all: &[T], count: usize) -> T { \
    for _ in 0..count { let whole = all; all = &all[1..]; if all.is_empty() { all = whole; } } \
    all[0] }";
const PLACE: &str = "fn place<'a, T>(first: bool, a: &'a mut T, b: &'a mut T) -> &'a mut T { \
    if first { a } else { b } \
    }";
const WHOLE: &str = "fn whole_of<T>(place: &mut T) -> &mut T { place }";
const PART: &str = "fn part_of<T: Scalar>(all: &mut [T], at: usize) -> &mut T { &mut all[at] }";
const REST: &str = "fn rest_of<T: Scalar>(all: &mut [T]) -> &mut [T] { &mut all[1..] }";
const CELLS: &str = "pub struct Cells<T> { pub all: [T; 3], pub spare: T }";
const CELLS_INDEX: &str = "impl<T: Scalar> std::ops::Index<usize> for Cells<T> { type Output = T; \
    fn index(&self, at: usize) -> &T { if at == 3 { &self.spare } else { &self.all[at] } } }";
const CELLS_INDEX_MUT: &str = "impl<T: Scalar> std::ops::IndexMut<usize> for Cells<T> { \
    fn index_mut(&mut self, at: usize) -> &mut T { \
    if at == 3 { return &mut self.spare; } &mut self.all[at] } }";
const CELLS_METHODS: &str = "impl<T: Scalar> Cells<T> { \
    pub fn rest(&self) -> &[T] { &self.all[1..] } \
    pub fn first_mut(&mut self) -> &mut T { &mut self.all[0] } }";
const OWN: &[&str] = &[CELLS, CELLS_INDEX, CELLS_INDEX_MUT, CELLS_METHODS];

/// The forms.
pub const FORMS: &[Form] = &[
    value(Any, &[ONLY], "*only(&@x)"),
    value(Any, &[CHOSEN], "let y = @x; *chosen(@c, &@x, &y)"),
    value(
        Any,
        &[ONLY, CHOSEN, EARLY],
        "let y = @x; let r = early(@c, &y, &@x); *r",
    ),
    value(
        Any,
        &[ONLY, MATCHED],
        "let y = (@x, @x); let which = @c as u32; *matched(which, &y)",
    ),
    value(Number, &[TAIL], "let y = [@x; 3]; tail(&y)[1]"),
    value(
        Number,
        &[TAIL],
        "let c = @c; let mut y = [@t::default(); 5]; y[3] = @x; let mut rest: &[@t] = tail(&y); rest = &rest[1..]; if c { rest = &rest[..2]; } while let [_, after @ ..] = rest { if after.len() == 1 { break; } rest = after; } rest[c as usize]",
    ),
    value(
        Number,
        &[AFTER],
        "let y = [@t::default(), @x, @x]; let (mut a, b) = (&y[..2], &y[1..]); let mut n = 0; for _ in a { a = &a[..1]; n += 1; } if a.len() < n { after(b, @c as usize) } else { y[0] }",
    ),
    value(
        Number,
        &[TAIL, MIDDLE],
        "let y = [@x; 4]; middle(&y, @c as usize)[0]",
    ),
    value(
        Any,
        &[],
        "let y = @x; let r = if @c { &@x } else { &y }; *r",
    ),
    value(
        Any,
        &[],
        "let y = (@x, 1_u8); let r = match @c as u8 { 0 => &y.0, _ => &@x }; let s = &*r; *s",
    ),
    value(Any, &[WHOLE], "let mut y = @x; *whole_of(&mut y) = @x; y"),
    value(
        Any,
        &[PLACE],
        "let (mut y, mut z) = (@x, @x); *place(@c, &mut y, &mut z) = @x; if @c { z } else { y }",
    ),
    value(
        Number,
        &[PART, REST],
        "let mut y = [@x; 3]; *part_of(rest_of(&mut y), 1) = @x; rest_of(&mut y)[0] = y[2]; y[1]",
    ),
    value(
        Number,
        OWN,
        "let y = Cells { all: [@x; 3], spare: @x }; y[@c as usize * 3]",
    ),
    value(
        Number,
        OWN,
        "let mut y = Cells { all: [@x; 3], spare: @x }; y[3] = y[1]; *y.first_mut() = y[3]; y.rest()[1]",
    ),
    value(
        Integer,
        OWN,
        "let mut y = Cells { all: [0; 3], spare: 0 }; y[2] += @x; y[3] -= y[2]; y[3] ^= y[3]; y[3] |= y[2]; y[3]",
    ),
    store(Any, &[WHOLE], "*whole_of(&mut @p) = @v"),
    store(
        Any,
        &[WHOLE],
        "let new: @t = @v; let r = &mut @p; *whole_of(r) = new",
    ),
    store(
        Any,
        &[PLACE],
        "let new: @t = @v; let mut other = new; *place(true, &mut @p, &mut other) = other",
    ),
    update(Any, &[WHOLE], "let by = @v; *whole_of(&mut @p) @o= by"),
    update(
        Any,
        &[PLACE],
        "let by = @v; let mut other: @t = @p; *place(@c || true, &mut @p, &mut other) @o= by",
    ),
    update(
        Number,
        OWN,
        "let by = @v; let mut all = Cells { all: [@p; 3], spare: @p }; all[1] @o= by; @p = all[1]",
    ),
    update(
        Number,
        OWN,
        "let by = @v; let mut all = Cells { all: [@p; 3], spare: @p }; *all.first_mut() @o= by; @p = all[0]",
    ),
    // References in tuples, and halves of slices.
    value(
        Any,
        &[],
        "let y = (@x, @x); let (a, b) = (&y.0, &y.1); if @c { *a } else { *b }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 3]; let mut z = @x; for (at, (a, b)) in y.iter().zip(&y[1..]).enumerate() { if at == 1 { z = *a; } else { z = *b; } } z",
    ),
    value(
        Any,
        &[],
        "let mut y = [@x; 4]; let (a, b) = y.split_at_mut(2); a[1] = b[0]; b[1] = a[0]; y[1 + @c as usize]",
    ),
];
