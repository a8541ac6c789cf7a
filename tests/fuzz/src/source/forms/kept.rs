//! Iterators that variables keep, and iterators of the program's own.

use super::Class::{Any, Integer, Number};
use super::{Form, value};

const COUNTDOWN: &str = "pub struct Countdown { pub left: u8 }";
const COUNTDOWN_NEXT: &str = "impl Iterator for Countdown { type Item = u8; \
    fn next(&mut self) -> Option<u8> { self.left = self.left.checked_sub(1)?; Some(self.left) } }";
const HANDED: &str = "pub struct Handed<T> { pub value: T, pub times: u32 }";
const HANDED_NEXT: &str = "impl<T: Scalar> Iterator for Handed<T> { type Item = T; \
    fn next(&mut self) -> Option<T> { if self.times == 0 { return None; } \
    self.times -= 1; Some(self.value) } }";
const HANDED_OUT: &str = "fn handed<T: Scalar>(value: T, times: u32) -> Handed<T> { \
    Handed { value, times } }";
const DIGITS: &str = "fn digits(text: &[u8]) -> Option<u32> { \
    let mut letters = text.iter().copied().peekable(); let mut n = 0_u32; letters.peek()?; \
    while let Some(letter) = letters.next_if(u8::is_ascii_digit) { \
    n = n.checked_mul(10)?.checked_add(u32::from(letter - b'0'))?; } \
    if letters.next().is_some() { None } else { Some(n) } }";
const COUNTS: &[&str] = &[COUNTDOWN, COUNTDOWN_NEXT];
const HANDS: &[&str] = &[HANDED, HANDED_NEXT, HANDED_OUT];

/// The forms.
pub const FORMS: &[Form] = &[
    // Items one by one.
    value(
        Any,
        &[],
        "let y = [@x; 3]; let mut it = y.iter(); let mut z = @x; while let Some(w) = it.next() { z = *w; } z",
    ),
    value(
        Any,
        &[],
        "let mut it = [@x; 3].into_iter(); it.next(); if let Some(y) = it.next_back() { y } else { panic!() }",
    ),
    value(
        Any,
        &[],
        "let mut it = [(1_u8, @x), (2, @x), (3, @x)].into_iter().filter(|y| y.0 != 2); let mut sum = 0; let mut z = @x; while let Some((n, y)) = it.next() { sum += n; z = y; } if sum == 4 { z } else { panic!() }",
    ),
    value(
        Any,
        &[],
        "let (y, z) = ([@x; 2], [@x; 3]); let mut a = y.iter(); let mut b = z.iter(); let mut n = 0_u8; loop { match (a.next(), b.next()) { (Some(_), Some(_)) => n += 1, (None, Some(w)) if n == 2 => break *w, _ => panic!() } }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 4]; let mut it = y.chunks(3).enumerate(); let Some((0, n)) = it.next().map(|(at, part)| (at, part.len())) else { panic!() }; match it.next() { Some((at, part)) if at == 1 && n == 3 => part[0], _ => panic!() }",
    ),
    value(
        Any,
        &[],
        "let n = [3_u8, 1, 4, 1, 5]; let mut it = n.iter().zip([@x; 5]).skip(1).step_by(2); let mut z = @x; let mut sum = 0; while let Some((n, y)) = it.next() { sum += *n; z = y; } if sum == 2 { z } else { panic!() }",
    ),
    // Looked at before they are taken.
    value(
        Any,
        &[],
        "let y = [@x; 4]; let mut it = y.iter().peekable(); let mut z = None; while let Some(w) = it.next() { if it.peek().is_none() { z = Some(*w); } } z.unwrap_or_else(|| panic!())",
    ),
    value(
        Any,
        &[],
        "let n = [1_u8, 2, 3, 9, 4]; let mut it = n.iter().copied().peekable(); let mut sum = 0; while let Some(n) = it.next_if(|n| *n < 4) { sum += n; } if sum == 6 && it.next_if_eq(&9).is_some() && it.len() == 1 { @x } else { panic!() }",
    ),
    value(
        Any,
        &[],
        "let mut it = b\"12,345;\".iter().peekable(); let mut sum = 0_u32; while let Some(&b) = it.next() { let mut n = match b { b'0'..=b'9' => u32::from(b - b'0'), b',' => continue, _ => break }; while let Some(d) = it.next_if(|d| d.is_ascii_digit()) { n = 10 * n + u32::from(d - b'0'); } sum += n; } if sum == 357 && it.peek().is_none() { @x } else { panic!() }",
    ),
    value(
        Any,
        &[DIGITS],
        "if digits(b\"4096\") == Some(4096) && digits(b\"4 \").is_none() && digits(b\"4294967296\").is_none() { @x } else { panic!() }",
    ),
    // Parts of them.
    value(
        Any,
        &[],
        "let mut it = [@x; 5].into_iter(); let n = it.by_ref().take(2).count(); if it.clone().count() == n + 1 { it.last().unwrap_or(@x) } else { panic!() }",
    ),
    value(
        Any,
        &[],
        "let y = [@x; 4]; let mut it = y.iter().copied(); let mut z = @x; for w in &mut it { z = w; if @c { break; } } for w in it.by_ref() { z = w; } if it.next().is_none() { z } else { panic!() }",
    ),
    value(
        Any,
        &[],
        "let n = [5_u8, 8, 3, 7]; let mut it = n.iter(); if it.any(|n| *n == 8) && it.position(|n| *n == 7) == Some(1) && it.len() == 0 { @x } else { panic!() }",
    ),
    value(
        Any,
        &[],
        "let n = [5_u8, 8, 3, 7]; let mut it = n.iter().rev().copied(); let found = it.find(|n| n % 2 == 0); let all = it.all(|n| n < 5); if found == Some(8) && !all && it.nth(0).is_none() { @x } else { panic!() }",
    ),
    value(
        Integer,
        &[],
        "let y = [@x, 0, @x]; let mut it = y.iter(); let first = it.next().copied().unwrap_or(0); let sum = it.clone().sum::<@t>(); if sum == it.fold(0, |a, b| a + b) { first } else { panic!() }",
    ),
    value(
        Number,
        &[],
        "let mut y = [@t::default(); 3]; let mut it = y.iter_mut(); if let Some(z) = it.next() { *z = @x; } for z in it { *z = @x; } y[1 + @c as usize]",
    ),
    value(
        Any,
        &[],
        "let mut it = 2..6_u32; let (mut low, mut high) = (0, 0); while let (Some(a), Some(b)) = (it.next(), it.next_back()) { low += a; high += b; } if (low, high) == (5, 9) { @x } else { panic!() }",
    ),
    // Iterators of the program's own.
    value(
        Any,
        COUNTS,
        "let mut sum = 0; for n in (Countdown { left: 4 }) { sum = 10 * sum + u32::from(n); } if sum == 3210 { @x } else { panic!() }",
    ),
    value(
        Any,
        COUNTS,
        "let mut it = Countdown { left: 7 }; let sum = it.by_ref().take(2).map(u32::from).sum::<u32>(); while let Some(n) = it.next() { if n == 3 { break; } } if sum == 11 && it.eq([2, 1, 0]) { @x } else { panic!() }",
    ),
    value(
        Any,
        COUNTS,
        "let n = (Countdown { left: 6 }).filter(|n| n % 2 == 1).zip(1_u8..).map(|(n, k)| n * k).max(); if n == Some(6) { @x } else { panic!() }",
    ),
    value(
        Any,
        COUNTS,
        "(Countdown { left: 3 }).chain(Countdown { left: 2 }).map(|_| @x).last().unwrap_or_else(|| panic!())",
    ),
    value(
        Number,
        HANDS,
        "let mut z = @t::default(); for y in handed(@x, 2) { z = y; } z",
    ),
    value(
        Number,
        HANDS,
        "let mut it = handed(@x, 3); match (it.next(), it.next(), it.times) { (Some(_), Some(y), 1) => y, _ => panic!() }",
    ),
    value(
        Number,
        HANDS,
        "handed(@x, 5).skip(1).enumerate().skip_while(|(at, _)| *at < 2).map(|(_, y)| y).next().unwrap_or_else(|| panic!())",
    ),
];
