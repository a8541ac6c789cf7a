//! Slices as values: in structs, arrays, `Option`s and variables, and returned.

use super::Class::{Any, Number};
use super::{Form, value};

const BYTES: &str = "pub struct Bytes<'a> { pub of: &'a [u8], pub at: usize }";
const BYTES_NEXT: &str = "impl<'a> Bytes<'a> { fn next(&mut self) -> Option<u8> { \
    let byte = *self.of.get(self.at)?; self.at += 1; Some(byte) } \
    fn rest(&self) -> &'a [u8] { &self.of[self.at..] } }";
const SPAN: &str = "pub struct Span<'a, T> { pub of: &'a [T] }";
const SPAN_AT: &str = "impl<T: Scalar> Span<'_, T> { fn at(&self, i: usize) -> T { self.of[i] } }";
const LONGER: &str = "fn longer<'a>(a: &'a [u8], b: &'a [u8]) -> &'a [u8] { \
    if a.len() > b.len() { a } else { b } }";
const TAKE: &str = "fn take<'a>(rest: &mut &'a [u8], n: usize) -> Option<&'a [u8]> { \
    if n > rest.len() { return None; } let (head, tail) = rest.split_at(n); *rest = tail; Some(head) }";

/// The forms.
pub const FORMS: &[Form] = &[
    value(
        Any,
        &[BYTES, BYTES_NEXT],
        "let mut r = Bytes { of: &[3, 1, 4], at: 0 }; let mut sum = 0; while let Some(b) = r.next() { sum += b; } if sum == 8 && r.rest().is_empty() { @x } else { panic!() }",
    ),
    value(
        Any,
        &[BYTES, BYTES_NEXT],
        "let y = [7_u8, 8, 9]; let mut r = Bytes { of: if @c { &y[1..] } else { b\"xyz\" }, at: 1 }; if r.next() == Some(if @c { 9 } else { b'y' }) { @x } else { panic!() }",
    ),
    value(
        Number,
        &[SPAN, SPAN_AT],
        "let y = [@x; 3]; let s = Span { of: &y[1..] }; s.at(1)",
    ),
    value(
        Any,
        &[],
        "let (y, z) = ([@x; 2], [@x; 3]); let mut s = &y[..]; if @c { s = &z[1..]; } s[1]",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 4]; let parts = [&y[..1], &y[1..]]; parts[@c as usize][0]",
    ),
    value(
        Any,
        &[LONGER],
        "if longer(b\"ab\", b\"xyz\")[2] == b'z' { @x } else { panic!() }",
    ),
    value(
        Any,
        &[TAKE],
        "let mut rest: &[u8] = b\"a-bc\"; let head = take(&mut rest, 2); if head.map_or(0, |h| h[1]) == b'-' && rest.len() == 2 && take(&mut rest, 3).is_none() { @x } else { panic!() }",
    ),
];
