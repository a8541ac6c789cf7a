//! Variables for slices that are assigned other parts of the same: `rest = &rest[1..]`.

use amp::prelude::*;
use testkit::{gives, input, launch, twice};

const SEEDS: u32 = 200;

fn seeds() -> Vec<u32> {
    (0..SEEDS)
        .map(|seed| seed.wrapping_mul(0x9e37_79b9))
        .collect()
}

/// Digits, spaces and others.
#[amp_fn]
fn text_of(seed: u32) -> [u8; 24] {
    let mut x = seed | 1;
    std::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        match x % 8 {
            0 | 1 => b' ',
            2 => b'x',
            3 => (x >> 9) as u8,
            _ => b'0' + (x >> 5) as u8 % 10,
        }
    })
}

#[amp_fn]
fn number(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut rest = bytes;
    let mut value = 0_u32;
    while let Some((first, tail)) = rest.split_first() {
        if !first.is_ascii_digit() {
            break;
        }
        value = value
            .wrapping_mul(10)
            .wrapping_add(u32::from(*first - b'0'));
        rest = tail;
    }
    let used = bytes.len() - rest.len();
    (used > 0).then_some((value, used))
}

/// A parameter that is assigned.
#[amp_fn]
fn spaces(mut bytes: &[u8]) -> usize {
    let length = bytes.len();
    while !bytes.is_empty() && bytes[0] == b' ' {
        bytes = &bytes[1..];
    }
    length - bytes.len()
}

twice! {
    a_parser(x: u32) -> u32 = (seeds(),);
    {
        let text = text_of(x);
        let mut rest = &text[1..];
        let mut total = 0_u32;
        loop {
            rest = &rest[spaces(rest)..];
            if rest.is_empty() {
                break;
            }
            match number(rest) {
                Some((x, used)) => {
                    total = total.wrapping_add(x);
                    rest = &rest[used..];
                }
                None => {
                    total = total.wrapping_mul(31).wrapping_add(u32::from(rest[0]));
                    rest = &rest[1..];
                }
            }
        }
        total
    }
}

twice! {
    a_search(x: u32) -> u32 = (seeds(),);
    {
        let mut sorted = text_of(x);
        sorted.sort();
        let mut part = &sorted[..];
        let mut base = 0;
        while part.len() > 0 {
            let (left, right) = part.split_at(part.len() / 2);
            if right[0] <= x as u8 {
                base += left.len() + 1;
                part = &right[1..];
            } else {
                part = left;
            }
        }
        base as u32
    }
}

twice! {
    a_choice(x: u32) -> u32 = (seeds(),);
    {
        let mut sorted = text_of(x);
        sorted.sort();
        let mut part = &sorted[..];
        let mut before = 0;
        loop {
            let (left, right) = part.split_at(part.len() / 2);
            part = if right.is_empty() {
                break;
            } else if right[0] <= x as u8 {
                before += left.len() + 1;
                &right[1..]
            } else {
                left
            };
        }
        part = match x % 3 {
            0 => &sorted[1..],
            1 => {
                let start = before % 4;
                &sorted[start..]
            }
            _ => part,
        };
        (before * 32 + part.len()) as u32
    }
}

twice! {
    patterns(x: u32) -> u32 = (seeds(),);
    {
        let text = text_of(x);
        let mut rest = &text[..];
        let mut found = 0;
        while let [first, .., last] = rest {
            if *first > *last {
                found += 1;
            }
            rest = &rest[1..rest.len() - 1];
        }
        found
    }
}

twice! {
    names_keep_what_they_had(x: u32) -> u32 = (seeds(),);
    {
        let text = text_of(x);
        let mut rest = &text[2..20];
        let before = rest;
        let first = &rest[0];
        let mut out = 0_u32;
        for x in rest {
            if rest.len() > 2 {
                rest = &rest[2..];
            }
            out = out.wrapping_mul(7).wrapping_add(u32::from(*x)) ^ rest.len() as u32;
        }
        rest = before;
        for (k, x) in rest.iter().enumerate() {
            rest = &rest[..rest.len() - 1];
            out = out.wrapping_add(u32::from(*x) << k);
        }
        rest = before;
        for pair in rest.windows(2).filter(|pair| pair[0] != pair[1]) {
            rest = &rest[..0];
            out = out.wrapping_mul(3) ^ u32::from(pair[1]) ^ rest.len() as u32;
        }
        rest = before;
        let again = rest;
        rest = &rest[5..];
        out ^ u32::from(*first) << 24 ^ u32::from(again[1]) ^ u32::from(rest[0]) << 8
    }
}

twice! {
    a_merge_of_two(x: u32) -> u32 = (seeds(),);
    {
        let mut text = text_of(x);
        text[..12].sort();
        text[12..].sort();
        let (mut left, mut right) = (&text[..12], &text[12..]);
        let mut hash = 0_u32;
        for _ in 0..20 {
            let from_left = match (left.first().copied(), right.first().copied()) {
                (Some(x), Some(y)) => x <= y,
                (x, None) => x.is_some(),
                (None, _) => false,
            };
            let next = if from_left { left[0] } else { right[0] };
            if from_left {
                left = &left[1..];
            } else {
                right = &right[1..];
            }
            hash = hash.wrapping_mul(31).wrapping_add(u32::from(next));
        }
        let (left, right) = (&right[..], &left[..]);
        hash ^ (left.len() * 16 + right.len()) as u32
    }
}

#[amp_kernel]
fn hops(idx: Index<1>, text: &ArrayView<u8, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut rest = &text[idx[0]..];
    let mut hash = 0_u32;
    while rest.len() > 7 {
        hash = hash.wrapping_mul(33) ^ u32::from(rest[1]);
        rest = &rest[3 + (rest[0] % 5) as usize..];
    }
    out[idx] = hash.wrapping_add(spaces(rest) as u32);
}

#[test]
fn slices_of_views() {
    let text: Vec<u8> = seeds().into_iter().flat_map(text_of).take(150).collect();
    let of = |start: usize| {
        let mut rest = &text[start..];
        let mut hash = 0_u32;
        while rest.len() > 7 {
            hash = hash.wrapping_mul(33) ^ u32::from(rest[1]);
            rest = &rest[3 + (rest[0] % 5) as usize..];
        }
        hash.wrapping_add(spaces(rest) as u32)
    };
    let expected: Vec<u32> = (0..text.len()).map(of).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), hops(&input(&text), out))
    });
}

#[amp_kernel]
fn maxima(t_idx: TiledIndex<1, 8>, text: &ArrayView<u8, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u8; 8];
    let local = t_idx.local[0];
    shared[local] = text[t_idx];
    t_idx.barrier.wait();
    let mut rest = &shared[..];
    let mut greatest = 0;
    while let Some((last, before)) = rest.split_last() {
        greatest = greatest.max(*last);
        rest = before;
        if rest.len() == local {
            break;
        }
    }
    t_idx.barrier.wait();
    out[t_idx] = u32::from(greatest);
}

#[test]
fn slices_of_tile_memory() {
    let text: Vec<u8> = seeds().into_iter().flat_map(text_of).take(160).collect();
    let of = |at: usize| {
        text[at..at / 8 * 8 + 8]
            .iter()
            .copied()
            .max()
            .map_or(0, u32::from)
    };
    let expected: Vec<u32> = (0..text.len()).map(of).collect();
    gives(&expected, |view, out| {
        let domain = out.extent().tile::<8>();
        launch(view, domain, maxima(&input(&text), out))
    });
}
