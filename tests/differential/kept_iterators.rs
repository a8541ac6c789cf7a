//! Iterators that variables are: taken from item by item, peeked at, and visited as a whole. Each body as
//! kernel code and as plain Rust.

use std::cmp::Ordering;

use amp::prelude::*;
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

/// Text that the numbers choose.
#[amp_fn]
fn text(n: u32, m: u32) -> [u8; 12] {
    const LETTERS: &[u8; 16] = b"0123456789-.,+a ";
    std::array::from_fn(|i| LETTERS[((n * 7 + m * 3 + i as u32 * (n + 1)) % 16) as usize])
}

twice! {
    taken(n: u32, m: u32) -> u32 = all();
    {
        let text = text(n, m);
        let mut it = text.iter();
        let mut sum = 0;
        while let Some(&c) = it.next() {
            sum = sum * 3 % 9973 + match c {
                b'0'..=b'9' => c - b'0',
                b'-' => match it.next() {
                    Some(b'0'..=b'4') => 17,
                    Some(b'.') => 19,
                    Some(_) => 23,
                    None => 29,
                },
                _ => {
                    it.next();
                    continue;
                }
            } as u32;
        }
        sum
    }
}

#[amp_fn]
fn weighed(all: &[u8]) -> u32 {
    all.iter()
        .enumerate()
        .map(|(i, x)| (i as u32 + 1) * *x as u32)
        .sum()
}

twice! {
    remainders(n: u32, m: u32) -> u32 = all();
    {
        let text = text(n, m);
        let count = n as usize % 7 + 1;
        let words = text[(m % 3) as usize..].chunks_exact(4);
        let mut sum = weighed(text.chunks_exact(5).remainder());
        let part = &text[..text.len() - m as usize % 4];
        let mut words_of_part = part.chunks_exact(count);
        let rest = words_of_part.remainder();
        if let Some(first) = words_of_part.next() {
            sum = sum * 3 + first[0] as u32;
        }
        for word in words_of_part {
            sum = sum * 5 % 9973 + word[count - 1] as u32;
        }
        for x in rest {
            sum = sum * 7 % 9973 + *x as u32;
        }
        for x in part.chunks_exact(count).remainder() {
            sum = sum * 3 % 9973 + *x as u32;
        }
        let parts = part.chunks_exact(n as usize % 3 + 2);
        sum ^= parts.remainder().iter().map(|x| *x as u32).sum::<u32>();
        sum ^= parts.remainder().len() as u32 * 1024 + weighed(parts.remainder());
        sum ^= words.map(|word| word[1] as u32).sum::<u32>();
        if rest.is_empty() { sum } else { sum ^ rest[rest.len() - 1] as u32 }
    }
}

twice! {
    moving(n: u32, m: u32) -> u32 = all();
    {
        let (k, by) = (n % 9, [3, m, 5]);
        let mut it = (0..10u32).map(move |x| x * k + by[(x % 3) as usize]).filter(move |x| x % 2 == m % 2);
        let mut sum = it.next().unwrap_or(77);
        while let Some(x) = it.next() {
            sum = sum * 3 % 9973 + x;
            if x > 40 {
                break;
            }
        }
        sum ^ it.sum::<u32>()
    }
}

#[amp_fn]
fn number(text: &[u8]) -> Option<u32> {
    let mut it = text.iter().copied().peekable();
    let negative = it.next_if_eq(&b'-').is_some();
    let first = it.next()?;
    let mut n = first as u32;
    while let Some(c) = it.next_if(|c| c.is_ascii_digit()) {
        n = n * 10 % 9973 + (c - b'0') as u32;
    }
    if let Some(b'.' | b',') = it.peek() {
        n += 1;
    }
    let left = it.len() as u32;
    Some(if negative { n + left } else { n * 2 })
}

#[amp_fn]
fn digits(text: &[u8]) -> u32 {
    let mut it = text.iter().peekable();
    let mut n = 0;
    while let Some(&&c) = it.peek() {
        if !c.is_ascii_digit() {
            break;
        }
        n = n * 10 % 9973 + u32::from(c - b'0');
        it.next();
    }
    let rest = it.peek().copied().copied().map_or(1000, u32::from);
    if it.peek().is_some_and(|c| **c == b'-') {
        n
    } else {
        n + rest
    }
}

twice! {
    peeked(n: u32, m: u32) -> u32 = all();
    {
        let text = text(n, m);
        let from = (n % 12) as usize;
        digits(&text[from..]) * 31 + number(&text[from..]).unwrap_or(7)
    }
}

#[amp_fn]
fn compare(a: &[u8], b: &[u8]) -> Ordering {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let mut xs = a.iter();
    let mut ys = b.iter();
    loop {
        match (xs.next(), ys.next()) {
            (Some(x), Some(y)) => match x.cmp(y) {
                Equal => continue,
                other => return other,
            },
            (None, None) => return Equal,
            (None, _) => return Less,
            (_, None) => return Greater,
        }
    }
}

#[amp_fn]
fn merged(a: &[u8], b: &[u8]) -> u32 {
    let mut n = 0u32;
    let mut xs = a.iter().peekable();
    let mut ys = b.iter().copied().peekable();
    loop {
        let x = match (xs.peek(), ys.peek()) {
            (Some(&&x), Some(&y)) if x <= y => {
                xs.next();
                x
            }
            (Some(_), Some(&y)) | (None, Some(&y)) => {
                ys.next();
                y
            }
            (Some(&x), None) => {
                xs.next();
                *x
            }
            (None, None) => return n,
        };
        n = n * 3 % 9973 + x as u32;
    }
}

twice! {
    side_by_side(n: u32, m: u32) -> u32 = all();
    {
        let (a, b) = (text(n, m), text(m, n));
        let (i, j) = ((n % 12) as usize, (m % 12) as usize);
        let order = match compare(&a[i..], &b[j..]) {
            Ordering::Less => 1,
            Ordering::Equal => 2,
            Ordering::Greater => 3,
        };
        order + merged(&a[i..], &b[j..]) * 4
    }
}

twice! {
    adapters(n: u32, m: u32) -> u32 = all();
    {
        let a = [n, m, 3, n + m, 5, 2];
        let mut it = a.iter().copied().map(|x| x * 2 + m).enumerate().skip(1);
        let first = it.next().map_or(0, |(i, x)| i as u32 * x);
        let some: u32 = it.by_ref().take(2).map(|(_, x)| x).sum();
        let mut sum = first + some;
        for (i, x) in it {
            sum += x ^ i as u32;
        }
        let mut odd = (1..n + 5).filter(|x| x % 2 == 1);
        sum += odd.next().unwrap() * 5;
        if odd.any(|x| x == 7) {
            sum += 1;
        }
        sum += odd.sum::<u32>();
        let mut back = a.iter().rev().zip(a.iter().skip(1));
        while let Some((x, y)) = back.next() {
            sum = sum * 3 + x + 2 * y;
        }
        let mut both = (0..n % 7).rev();
        while let (Some(i), Some(j)) = (both.next(), both.next_back()) {
            sum += i * 2 + j;
        }
        sum
    }
}

twice! {
    wholes(n: u32, m: u32) -> u32 = all();
    {
        let a = [n, m, 3, n + m, 5, 2];
        let scaled = a.iter().map(|x| x * 3);
        let mut sum = scaled.clone().sum::<u32>() + scaled.clone().filter(|x| x % 2 == 0).count() as u32;
        for (i, x) in scaled.enumerate() {
            sum += x * i as u32;
        }
        let numbers = (n..=m).chain(0..3).step_by(2);
        for i in numbers {
            if i > 5 {
                break;
            }
            sum += i;
        }
        let pairs = a.windows(2);
        sum += pairs.map(|pair| pair[0] * pair[1]).sum::<u32>();
        let mut chunks = a.chunks(4);
        if let Some(chunk) = chunks.next() {
            sum += chunk.iter().sum::<u32>();
        }
        if let Some(chunk) = chunks.next() {
            sum += chunk[chunk.len() - 1] * 7;
        }
        let mut ids = 5..;
        let mut powers = std::iter::successors(Some(1u32), |x| Some(x * 3));
        sum += powers.next().unwrap() + powers.nth(1).unwrap() + powers.next().unwrap();
        for i in &mut powers {
            sum ^= i;
            if i > n {
                break;
            }
        }
        sum + powers.next().unwrap() + ids.next().unwrap() * ids.next().unwrap()
    }
}

#[amp_kernel]
fn of_views(idx: Index<1>, x: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let row = x.row(idx[0]);
    let mut it = row.iter();
    let Some(first) = it.next() else { return };
    let most = it.clone().max().map_or(0, |x| *x);
    let position = it.position(|x| *x == most);
    out[idx] = first * 2 + most + position.unwrap_or(9) as u32;
    for x in it {
        out[idx] = out[idx] * 3 + x;
    }
}

#[test]
fn an_iterator_of_a_view_is_kept() {
    let x: Vec<u32> = (0..32).map(|i| i * 7 % 10).collect();
    let expected: Vec<u32> = x
        .chunks(4)
        .map(|row| {
            let mut it = row.iter();
            let Some(first) = it.next() else { return 0 };
            let most = it.clone().max().map_or(0, |x| *x);
            let position = it.position(|x| *x == most);
            let mut out = first * 2 + most + position.unwrap_or(9) as u32;
            for x in it {
                out = out * 3 + x;
            }
            out
        })
        .collect();
    gives(&expected, |view, out| {
        let x = ArrayView::new([8, 4], &x).unwrap();
        launch(view, 8, of_views(&x, out))
    });
}

twice! {
    ranges_with_their_ends(n: u32, m: u32) -> u32 = all();
    {
        let mut it = n % 7..=m;
        let mut sum = it.next().unwrap_or(90) + it.next_back().unwrap_or(91) * 3;
        if let Some(x) = it.nth(1) {
            sum += x * 5;
        }
        for x in it {
            sum = sum * 3 % 9973 + x;
        }
        let mut down = (m..=n).rev().map(|x| x + 1);
        sum += down.next().unwrap_or(7) + down.next_back().unwrap_or(8) * 9 + down.by_ref().take(2).sum::<u32>();
        let all = (1..=n % 20).map(|x| x * x);
        let mut least = u32::MAX;
        all.clone().for_each(|x| least = least.min(x));
        let mut full = 254..=u8::MAX;
        while let Some(x) = full.next() {
            sum += x as u32;
        }
        sum ^ least ^ down.count() as u32 ^ all.skip(1).step_by(2).sum::<u32>()
    }
}
