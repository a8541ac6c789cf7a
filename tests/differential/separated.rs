//! Parts of slices that a function separates, parts from the end, and what a slice begins or ends with; sums of
//! `Option`s and `Result`s.

use amp::prelude::*;
use testkit::twice;

#[amp_fn]
fn row(x: u32) -> [u32; 9] {
    let mut x = x.wrapping_mul(0x9e37_79b9) | 1;
    std::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x % 5
    })
}

#[amp_fn]
fn number(digits: &[u32]) -> u32 {
    digits.iter().fold(0, |sum, digit| sum * 10 + digit)
}

#[amp_fn]
fn words(s: &[u32]) -> u32 {
    s.split(|&c| c == 3).filter(|word| !word.is_empty()).count() as u32
}

twice! {
    by_a_function(x: u32) -> u32 = ((0..300).collect(),);
    {
        let v = row(x);
        let some = &v[..x as usize % 10];
        let mut sum = words(&v) + words(some) * 10;
        for part in some.split(|a| *a == 0) {
            sum = sum.wrapping_mul(31).wrapping_add(part.len() as u32 + part.iter().sum::<u32>());
        }
        sum ^= v.split(|c| c % 4 == 0).map(number).max().unwrap_or(1);
        for part in some.split_inclusive(|c| *c > 2) {
            sum = sum.wrapping_mul(31).wrapping_add(part.len() as u32 * 8 + part[0]);
        }
        for part in some.chunk_by(|a, b| a <= b) {
            sum = sum.wrapping_mul(31).wrapping_add(part.len() as u32 * 8 + part[part.len() - 1]);
        }
        let mut w = v;
        for (i, part) in w[1..].chunk_by_mut(|a, b| a % 2 == b % 2).enumerate() {
            part[0] += i as u32;
            part.reverse();
        }
        for part in w.split_mut(|a| *a == 1) {
            part.fill(part.len() as u32);
        }
        let first = match v.split(|c| *c == 1).next() {
            Some(part) => part.len() as u32,
            None => 77,
        };
        w.iter().fold(sum + first, |sum, x| sum.wrapping_mul(31).wrapping_add(*x))
    }
}

twice! {
    from_the_ends(x: u32) -> u32 = ((0..300).collect(),);
    {
        let mut v = row(x);
        let mut sum = 0_u32;
        for part in v[..x as usize % 10].rchunks(x as usize % 4 + 1) {
            sum = sum.wrapping_mul(31).wrapping_add(part.len() as u32 * 8 + part[0]);
        }
        let parts = v.rchunks(2).rev().enumerate();
        sum ^= parts.map(|(i, part)| i as u32 * part[0] + part.len() as u32).sum::<u32>();
        for part in v.rchunks_mut(4) {
            part[0] += 1;
            part.reverse();
        }
        sum += match v.strip_prefix(&[0, 1]) {
            Some(rest) => rest[0],
            None => 9,
        };
        if let Some(rest) = v[1..].strip_prefix(&v[..x as usize % 3]) {
            sum += rest.len() as u32 * 100;
        }
        let Some(rest) = v[..x as usize % 10].strip_suffix(&[2]) else {
            return sum;
        };
        v.iter().fold(sum + rest.len() as u32, |sum, x| sum.wrapping_mul(31).wrapping_add(*x))
    }
}

#[amp_fn]
fn halved(x: u32) -> Result<f32, u8> {
    if x == 4 {
        Err(x as u8)
    } else {
        Ok(x as f32 * 0.5)
    }
}

#[amp_fn]
fn halves(v: &[u32]) -> Result<f32, u8> {
    let sum = v.iter().map(|x| halved(*x)).sum::<Result<f32, u8>>()?;
    let product: f32 = v[1..]
        .iter()
        .map(|x| halved(*x))
        .product::<Result<f32, _>>()?;
    Ok(sum + product)
}

twice! {
    of_what_may_fail(x: u32) -> u32 = ((0..300).collect(),);
    {
        let v = row(x);
        let some = &v[..x as usize % 9 + 1];
        let mut asked = 0;
        let less: Option<u32> = some
            .iter()
            .map(|x| {
                asked += 1;
                x.checked_sub(1)
            })
            .sum();
        let most: Result<u32, u32> = some.iter().map(|&x| if x < 4 { Ok(x + 1) } else { Err(x) }).product();
        let found = match halves(some) {
            Ok(x) => x.to_bits(),
            Err(e) => u32::from(e),
        };
        let mut last = if x % 3 == 0 { Some(x) } else { None };
        let first = *last.insert(x % 7);
        *last.insert(x % 5) += first;
        let taken = last.take_if(|x| *x % 2 == 0);
        let kept = last.take_if(|x| {
            *x += 100;
            false
        });
        let bytes: [u8; _] = [1, x as u8];
        let rows: [[u16; _]; _] = [[1, 2, x as u16]; 2];
        let found = found.wrapping_mul(31).wrapping_add(less.unwrap_or(50) + asked * 64);
        let found = found.wrapping_mul(31).wrapping_add(match most {
            Ok(x) => x,
            Err(x) => x + 1000,
        });
        let found = found.wrapping_mul(31).wrapping_add(taken.unwrap_or(3) * 5 + last.unwrap_or(4));
        found ^ (bytes.len() + rows.len() * rows[1].len()) as u32 ^ kept.is_some() as u32
    }
}
