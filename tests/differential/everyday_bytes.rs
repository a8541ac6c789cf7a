//! Bytes as parsers and queues have them: what a chain finds compared with an option of a reference, methods
//! of numbers by their names, `Result<(), E>`, and an own iterator that a function makes.

#![allow(
    clippy::wrong_self_convention,
    reason = "a trait has a method of this name as `u32` has"
)]

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    pub fn found_comparisons(data: &[u8], i: usize) -> u32 {
        let mut hash = 0u32;
        let mut it = data.iter().peekable();
        while let Some(&c) = it.next() {
            let mut n = 1;
            while it.peek() == Some(&&c) {
                it.next();
                n += 1;
            }
            hash = hash.wrapping_mul(31).wrapping_add(c as u32 * n);
        }
        let mut rest = data.iter().copied().peekable();
        while rest.peek() != Some(&b',') && rest.peek() != None {
            hash = hash.wrapping_add(rest.next().unwrap() as u32);
        }
        let mut at = i % 8;
        while data.get(at) == Some(&b' ') || data.get(at) > data.first() {
            at += 1;
        }
        let third = &data[3];
        if data.last() == Some(third) || data.first() == data.last() {
            hash ^= 1 << 11;
        }
        if data.iter().enumerate().max_by_key(|(_, x)| **x) == Some((at, &data[at % 16])) {
            hash ^= 1 << 9;
        }
        if data.iter().max() < Some(&b'c') || Some(&b'1') == data.iter().find(|c| **c == b'1') {
            hash ^= 1 << 10;
        }
        hash.wrapping_add(at as u32)
    }

    pub fn number(text: &[u8]) -> Option<u32> {
        let mut letters = text.iter().copied().peekable();
        letters.peek()?;
        let mut n = 0_u32;
        while let Some(letter) = letters.next_if(u8::is_ascii_digit) {
            n = n.checked_mul(10)?.checked_add(u32::from(letter - b'0'))?;
        }
        letters.next_if_eq(&b',')?;
        Some(n)
    }

    pub fn methods_by_name(data: &[u8], i: usize) -> u32 {
        let c = data[i % 8];
        let digits = data.iter().filter(|c| u8::is_ascii_digit(c)).count();
        let all = data[..2].iter().all(u8::is_ascii_alphabetic);
        let first = data.iter().position(u8::is_ascii_digit).unwrap_or(99);
        let upper = data.iter().map(u8::to_ascii_uppercase).fold(0u32, |a, b| a.wrapping_mul(31) ^ b as u32);
        let written = u8::is_ascii_digit(&c) as u32 + u8::is_ascii_digit(&data[1]) as u32;
        let kept = Some(c).filter(u8::is_ascii_digit).map_or(9, u32::from);
        let number = number(&data[first.min(8)..]).unwrap_or(5);
        (digits as u32 + all as u32 * 100 + first as u32 + written + kept) ^ upper ^ number
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Error {
        Full,
        Empty { at: u32 },
    }

    pub struct Queue {
        pub items: [u8; 4],
        pub head: usize,
        pub len: usize,
    }

    impl Queue {
        pub fn push(&mut self, x: u8) -> Result<(), Error> {
            if self.len == 4 {
                return Err(Error::Full);
            }
            self.items[(self.head + self.len) % 4] = x;
            self.len += 1;
            Ok(())
        }

        pub fn pop(&mut self) -> Result<u8, Error> {
            if self.len == 0 {
                return Err(Error::Empty { at: self.head as u32 });
            }
            let x = self.items[self.head];
            self.head = (self.head + 1) % 4;
            self.len -= 1;
            Ok(x)
        }

        pub fn turn(&mut self) -> Result<(), Error> {
            let x = self.pop()?;
            self.push(x)?;
            Ok(())
        }
    }

    pub fn same(x: (), y: u32) -> u32 {
        let _ = x;
        y
    }

    pub fn results_of_nothing(data: &[u8], _: usize) -> u32 {
        let mut queue = Queue { items: [0; 4], head: 0, len: 0 };
        let mut errors = 0;
        for &x in data {
            let result = if x % 2 == 0 { queue.push(x) } else { queue.pop().map(|_| ()) };
            match result {
                Ok(()) => {}
                Err(Error::Full) => errors += 1,
                Err(Error::Empty { at }) => errors += 10 + at,
            }
            queue.turn().unwrap_or_default();
            queue.turn().unwrap_or(());
            if queue.turn().is_err() {
                errors += 100;
            }
            (x % 3 == 0).then_some(()).map(|()| errors += 3).or(Some(())).unwrap();
            let _ = queue.push(1).and_then(|()| queue.pop()).ok();
            if queue.push(7) == Err(Error::Full) {
                errors += 1000;
            }
        }
        same((), errors) + u32::from(queue.pop().unwrap_or(77))
    }

    pub struct Counted {
        pub left: u8,
        pub by: u8,
    }

    impl Iterator for Counted {
        type Item = u8;

        fn next(&mut self) -> Option<u8> {
            self.left = self.left.checked_sub(self.by)?;
            Some(self.left)
        }
    }

    pub fn counted(from: u8, by: u8) -> Counted {
        Counted { left: from, by: by.max(1) }
    }

    pub struct Set(u32);

    pub struct Bits(u32);

    impl Iterator for Bits {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            let bit = (self.0 != 0).then(|| self.0.trailing_zeros())?;
            self.0 &= self.0 - 1;
            Some(bit)
        }
    }

    impl Set {
        pub fn members(&self) -> Bits {
            Bits(self.0)
        }

        pub fn place(&mut self, at: usize, of: &mut [u32; 4]) -> Result<u32, Error> {
            let slot = of.get_mut(at).ok_or(Error::Empty { at: 3 })?;
            *slot += self.0;
            let next = of.get(at + 1).ok_or_else(|| Error::Full)?;
            Ok(*next)
        }
    }

    pub fn members(data: &[u8], i: usize) -> u32 {
        let mut set = Set(data.iter().fold(0, |set, x| set | 1 << (x % 32)));
        let mut sum = 0;
        for bit in set.members() {
            sum = 3 * sum + bit;
        }
        let even = set.members().filter(|bit| bit % 2 == 0).map(|bit| bit * bit).sum::<u32>();
        let mut of = [1, 2, 3, 4];
        let placed = match set.place(i % 6, &mut of) {
            Ok(x) => x,
            Err(Error::Full) => 100,
            Err(Error::Empty { at }) => at,
        };
        let (at, most) = of.iter().enumerate().max_by_key(|&(_, n)| n).unwrap();
        sum ^ even ^ placed << 10 ^ (*most + at as u32) << 16
    }

    pub fn iterators_of_functions(data: &[u8], i: usize) -> u32 {
        let mut sum = 0;
        for x in counted(data[0], data[1] / 8) {
            sum = 3 * sum % 1000 + u32::from(x);
        }
        let mut it = counted(40, i as u8);
        while let Some(x) = it.next() {
            if x % 4 == 3 {
                break;
            }
            sum ^= u32::from(x);
        }
        sum + it.map(u32::from).sum::<u32>() + counted(9, 2).zip(1..).map(|(a, b): (u8, u32)| u32::from(a) * b).sum::<u32>()
    }

    /// Functions of numbers go before those of a trait.
    pub trait Ext {
        fn count_ones(self) -> u32;

        fn is_power_of_two(self) -> u32;
    }

    impl Ext for u32 {
        fn count_ones(self) -> u32 {
            u32::count_ones(self) + 1000
        }

        fn is_power_of_two(self) -> u32 {
            if u32::is_power_of_two(self) { 77 } else { 33 }
        }
    }

    pub fn of_bound<T: Ext + Copy>(x: T) -> u32 {
        x.count_ones() + x.is_power_of_two()
    }

    pub fn functions_of_numbers(data: &[u8], i: usize) -> u32 {
        let x = 1 << (data[i % 8] % 32) | i as u32 % 2;
        let inherent = x.is_power_of_two() as u32;
        x.count_ones() ^ Ext::count_ones(x) << 3 ^ of_bound(x) << 5 ^ inherent << 20
    }

    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    pub struct Mark {
        pub at: u32,
    }

    impl Mark {
        pub fn checked(self) -> Option<u32> {
            (self.at < 90).then_some(self.at)
        }
    }

    pub fn below(n: u8) -> impl Iterator<Item = u8> {
        Counted { left: n, by: 3 }.map(|x| x + 1)
    }

    /// Structs that are written out where a macro puts them before a brace.
    pub fn structs_before_braces(data: &[u8], _: usize) -> u32 {
        let x = u32::from(data[2]);
        let is_small = matches!(Mark { at: x }.checked(), Some(0..60));
        assert!(Mark { at: 1 } < Mark { at: 2 }, "{}", x);
        assert_eq!(Mark { at: x }.at, x);
        let mut sum = Mark { at: x % 90 }.checked().unwrap() + is_small as u32;
        for x in below(9) {
            sum += u32::from(x);
        }
        sum
    }

    pub fn all(data: &[u8], i: usize) -> u32 {
        let hash = found_comparisons(data, i).wrapping_mul(31) ^ methods_by_name(data, i);
        let hash = hash.wrapping_mul(31) ^ results_of_nothing(data, i);
        let hash = hash.wrapping_mul(31) ^ members(data, i);
        let hash = hash.wrapping_mul(31) ^ structs_before_braces(data, i);
        let hash = hash.wrapping_mul(31) ^ functions_of_numbers(data, i);
        hash.wrapping_mul(31) ^ iterators_of_functions(data, i)
    }
}

#[amp_kernel]
fn hashes(idx: Index<1>, text: &ArrayView<u8, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let line = text.row(idx[0]);
    out[idx] = device::all(&line[..], idx[0]);
}

#[test]
fn bytes_are_handled_as_in_rust() {
    let letters = b"aabbc1123 ,";
    let text: Vec<u8> = (0..64 * 16_u32)
        .map(|i| letters[(i.wrapping_mul(0x9E37_79B9) >> 24) as usize % letters.len()])
        .collect();
    let expected: Vec<u32> = text
        .chunks_exact(16)
        .enumerate()
        .map(|(i, line)| host::all(line, i))
        .collect();
    let text = ArrayView::new([64, 16], &text).unwrap();
    gives(&expected, |view, out| {
        launch(view, out.extent(), hashes(&text, out))
    });
}
