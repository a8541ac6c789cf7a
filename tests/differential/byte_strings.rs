//! Strings of bytes: as patterns, as parts of chains, and by their methods. Each body as kernel code and as plain
//! Rust.

use amp::prelude::*;
use testkit::twice;

const LETTERS: [u8; 6] = *b"GETae?";

fn all() -> (Vec<u32>, Vec<u32>) {
    let numbers: Vec<u32> = (0..64).collect();
    (numbers.clone(), numbers.iter().map(|x| x / 3 + 1).collect())
}

#[amp_fn]
fn word(n: u32, m: u32) -> [u8; 4] {
    let words = [*b"GET ", *b"POST", *b"PUT.", *b"GE\x00\xff", *b"abc "];
    let mut line = words[n as usize % 5];
    line[m as usize % 7 % 4] = LETTERS[(n ^ m) as usize % 6];
    line
}

#[amp_fn]
fn method(line: &[u8]) -> u32 {
    match line {
        b"GET" => 1,
        b"POST" | b"PUT." => 2,
        [b'a', rest @ ..] if rest == b"bc" => 3,
        b"" => 4,
        _ => 5,
    }
}

#[amp_fn]
fn of_array(line: &[u8; 4]) -> u32 {
    match line {
        b"POST" => 1,
        b"GET " => 2,
        _ => 3,
    }
}

twice! {
    patterns(n: u32, m: u32) -> u32 = all();
    {
        let line = word(n, m);
        let mut sum = 0;
        for end in 0..5 {
            sum = sum * 7 + method(&line[..end]);
        }
        if let b"abc" = &line[..3] {
            sum += 100_000;
        }
        sum * 8 + of_array(&line) + matches!(&line[1..], b"OST") as u32 * 4
    }
}

#[amp_fn]
fn length(text: &[u8]) -> u32 {
    text.len() as u32
}

twice! {
    chains(n: u32, m: u32) -> u32 = all();
    {
        let line = word(n, m);
        let mut sum = 0_u32;
        for &c in line.iter().chain(b".") {
            sum = sum * 31 % 65_521 + c as u32;
        }
        for (a, &b) in line.iter().zip(b"POT") {
            sum ^= (*a ^ b) as u32;
        }
        for &c in b"abc" {
            sum += c as u32 * n;
        }
        sum += b"xyz".into_iter().map(|c| *c as u32).sum::<u32>();
        sum + line.iter().chain(b"!?").map(|&c| c as u32).max().unwrap() + length(b"") + length(b"ab")
    }
}

twice! {
    methods(n: u32, m: u32) -> u32 = all();
    {
        let line = word(n, m);
        let vowels = line.iter().filter(|c| b"aeiou".contains(c)).count() + b"AEIOU".contains(&line[1]) as usize;
        let at = m as usize;
        let mut sum = vowels as u32 * 3 + b"abc".len() as u32 + b"abc".last().copied().unwrap() as u32;
        sum = sum * 256 + *b"aeiou".get(at).unwrap_or(&b'?') as u32 + b"xy"[at % 2] as u32 + b"".len() as u32;
        sum ^= b"hello".iter().rev().nth(at).copied().unwrap_or(0) as u32 + b"".is_empty() as u32;
        sum ^ b"0123456789".iter().position(|&c| c == b'0' + n as u8 % 12).unwrap_or(11) as u32
    }
}
