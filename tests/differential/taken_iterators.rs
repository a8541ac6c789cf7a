//! Functions and methods that take iterators: each body as kernel code and as plain Rust, which calls them as they
//! are written.

use amp::prelude::*;
use testkit::twice;

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_fn]
fn mean(values: impl Iterator<Item = f32>) -> f32 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), x| (sum + x, count + 1));
    sum / count as f32
}

#[amp_fn]
fn squares<I: IntoIterator<Item = u32>>(items: I) -> u32 {
    items.into_iter().map(|x| x * x % 97).sum()
}

#[amp_fn]
fn mixed(items: impl IntoIterator<Item = u32>, seed: u32) -> u32 {
    let mut mixed = seed;
    for (i, x) in items.into_iter().enumerate() {
        if x == 33 {
            continue;
        }
        if mixed > 1_000_000 {
            return mixed ^ x;
        }
        mixed = mixed * 5 % 9973 + x * i as u32;
    }
    mixed
}

#[amp_fn]
fn largest<'a, I>(items: I) -> Option<u32>
where
    I: Iterator<Item = &'a u32>,
{
    let mut largest = None;
    for x in items {
        if largest.is_none_or(|largest| *x > largest) {
            largest = Some(*x);
        }
    }
    largest
}

#[amp_fn]
fn weighed<'a>(x: &[u32], weights: impl IntoIterator<Item = &'a u32>) -> u32 {
    let mut sum = 0;
    for (i, weight) in weights.into_iter().enumerate() {
        sum += x[i % x.len()] * weight;
    }
    sum
}

#[amp_fn]
fn first_or<I: Iterator>(mut items: I, other: I::Item) -> I::Item {
    items.next().unwrap_or(other)
}

#[amp_fn]
fn smallest<T: Scalar, I: IntoIterator<Item = T>>(items: I, start: T) -> T {
    let mut smallest = start;
    for x in items {
        if x < smallest {
            smallest = x;
        }
    }
    smallest
}

/// The number at the front, and one item more.
#[amp_fn]
fn number(letters: &mut impl Iterator<Item = u8>) -> u32 {
    let mut number = 0;
    for letter in letters.by_ref() {
        if !letter.is_ascii_digit() {
            break;
        }
        number = number * 10 + (letter - b'0') as u32;
    }
    number
}

#[amp_fn]
fn sum_of_two<I>(letters: &mut I) -> u32
where
    I: Iterator<Item = u8>,
{
    number(letters) + number(letters)
}

#[amp_fn]
fn doubled(items: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    items.map(|x| x * 2).filter(|x| x % 3 != 1)
}

#[amp_fn]
fn twofold(items: impl Iterator<Item = u32>, k: u32) -> u32 {
    squares(items.map(|x| x + k).take(5))
}

#[amp_fn]
fn evens(n: u32) -> impl Iterator<Item = u32> {
    (0..n).filter(|x| x % 2 == 0)
}

twice! {
    chains(n: u32, m: u32) -> u32 = all();
    {
        let x = [n, m, 3, n ^ m];
        let mut sum = squares([n, m, 4]) + squares(0..n) + squares(x) + squares(x.iter().copied());
        sum += squares((0..m).filter(|i| i % 3 == n % 3)) + squares(x.iter().map(|x| x + n).rev());
        sum += mixed(x, n) + mixed(x.iter().zip(1..9).map(|(a, b)| a * b), m) + mixed(n..m, sum);
        sum += mixed((0..m).skip(1).step_by(3), 1) + mixed(std::iter::repeat_n(n, 3), 2);
        sum += mixed(Some(n), 2) + mixed(1..=n, 7) + mixed((n..=m).rev(), 1);
        sum ^= largest(x.iter()).unwrap_or(1) ^ largest(x[1..].iter().filter(|x| **x > m)).unwrap_or(5);
        sum ^= weighed(&x, &x) ^ weighed(&x[1..], x[..2].iter()) ^ weighed(&x, &[n, 2, 3]);
        sum ^ twofold(x.iter().copied(), n) ^ twofold(0..m, 4)
    }
}

twice! {
    means(n: u32, m: u32) -> f32 = all();
    {
        let x = [n as f32, m as f32, 1.5];
        mean(x.iter().copied()) + mean((0..n + 1).map(|x| x as f32 * 0.5)) + mean([1.0, 2.0].into_iter())
    }
}

twice! {
    of_types(n: u32, m: u32) -> f32 = all();
    {
        let x = [n as f32, m as f32, 1.5];
        let first = first_or(x.iter().copied().skip(m as usize % 5), 7.5) + first_or(n..m, 3) as f32;
        first + smallest(x, 9.0) + smallest(n..m, 50) as f32 + smallest([n as u8, 3], 7) as f32
    }
}

twice! {
    iterators_in_variables(n: u32, m: u32) -> u32 = all();
    {
        let text = [b'0' + (n % 10) as u8, b'7', b'+', b'0' + (m % 10) as u8, b' ', b'5', b'1', b'.', b'4'];
        let mut letters = text.iter().copied();
        let mut sum = number(&mut letters) * 3 + number(letters.by_ref());
        sum += sum_of_two(&mut letters);
        let mut rest = letters.map(|x| x as u32);
        sum += rest.next().unwrap_or(3);
        let items = (n..n + 5).map(|x| x ^ m);
        sum += squares(items.clone()) + mixed(items.skip(1), n);
        let mut range = 0..m;
        sum += mixed(range.by_ref().take(3), 1) + range.next().unwrap_or(9);
        sum ^ doubled([n, m, 5].into_iter()).sum::<u32>()
    }
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Bits(u32);

#[amp_fn]
impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[amp_fn]
fn any_two(items: &mut impl Iterator<Item = u32>) -> u32 {
    items.next().unwrap_or(40) * 64 + items.next().unwrap_or(41)
}

twice! {
    own_iterators(n: u32, m: u32) -> u32 = all();
    {
        let bits = Bits(n);
        let mut others = Bits(m ^ 77);
        squares(bits) + any_two(&mut others) * 3 + mixed(others, 3) + squares(Bits(m).map(|x| x + 1))
    }
}

#[amp_struct]
#[derive(Clone, Copy, Default)]
struct Stack {
    items: [u32; 8],
    len: usize,
}

#[amp_fn]
impl Stack {
    fn of(items: impl IntoIterator<Item = u32>) -> Self {
        let mut stack = Self::default();
        stack.push_all(items.into_iter().take(4));
        stack
    }

    fn push_all<I: IntoIterator<Item = u32>>(&mut self, items: I) -> bool {
        for x in items {
            if self.len == 8 {
                return false;
            }
            self.items[self.len] = x;
            self.len += 1;
        }
        true
    }

    fn total(&self, weights: impl Iterator<Item = u32>) -> u32 {
        let items = self.items.iter().take(self.len);
        let mut weights = weights;
        items.map(|x| x * weights.next().unwrap_or(1)).sum()
    }
}

twice! {
    methods(n: u32, m: u32) -> u32 = all();
    {
        let mut stack = Stack::of(n..m);
        let fits = stack.push_all([n, m]) & stack.push_all((0..m).map(|x| x * n));
        stack.total(3..5) * 2 + stack.total(Bits(n)) + fits as u32
    }
}

#[amp_module]
mod tools {
    pub fn checksum<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u32 {
        let mut sum = 1;
        for &byte in bytes {
            sum = (sum << 3 ^ sum >> 5) + byte as u32;
        }
        sum
    }

    pub fn of_all(text: &[u8]) -> u32 {
        checksum(text) ^ checksum(&text[1..]) ^ checksum(b"abc") ^ checksum(text.iter().rev())
    }
}

twice! {
    functions_of_modules(n: u32, m: u32) -> u32 = all();
    {
        let text = [n as u8, m as u8, 3];
        tools::of_all(&text) + tools::checksum(&text) * 3 + tools::checksum(text.iter().skip(n as usize))
    }
}
