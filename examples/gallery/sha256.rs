//! Looks for a number whose SHA-256 hash, behind a text, starts with many zero bits.
//!
//! `cargo run --release --example sha256 -- 24`

use amp::prelude::*;

mod support;

const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

const START: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The state of the hash after a block of 64 bytes.
#[amp_fn]
fn compress(state: [u32; 8], block: [u32; 16]) -> [u32; 8] {
    let mut w = [0_u32; 64];
    for t in 0..16 {
        w[t] = block[t];
    }
    for t in 16..64 {
        let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ (w[t - 15] >> 3);
        let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16]
            .wrapping_add(s0)
            .wrapping_add(w[t - 7])
            .wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for t in 0..64 {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h
            .wrapping_add(s1)
            .wrapping_add(choice)
            .wrapping_add(K[t])
            .wrapping_add(w[t]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    let mut sum = [a, b, c, d, e, f, g, h];
    for (i, word) in sum.iter_mut().enumerate() {
        *word = word.wrapping_add(state[i]);
    }
    sum
}

/// A block of 55 bytes at most, with the end and the length of the text.
fn block(text: &[u8]) -> [u32; 16] {
    let mut bytes = [0; 64];
    bytes[..text.len()].copy_from_slice(text);
    bytes[text.len()] = 0x80;
    bytes[56..].copy_from_slice(&(8 * text.len() as u64).to_be_bytes());
    std::array::from_fn(|i| u32::from_be_bytes(bytes[4 * i..][..4].try_into().unwrap()))
}

/// Writes a number into the first word of a block and looks at the hash.
#[amp_kernel]
fn mine(idx: Index<1>, block: [u32; 16], zeros: u32, found: &mut ArrayViewMut<u32, 1>) {
    let number = idx[0] as u32;
    let mut block = block;
    block[0] = number;
    if compress(START, block)[0].leading_zeros() >= zeros {
        atomic_fetch_min(&mut found[0], number);
    }
}

/// The hash as FIPS 180-4 describes it, of a text that fits one block.
fn on_host(text: &[u8]) -> [u32; 8] {
    let mut w = block(text).to_vec();
    let mut s = START;
    let add = |numbers: &[u32]| numbers.iter().fold(0, |sum: u32, x| sum.wrapping_add(*x));
    let turn = |x: u32, by: [u32; 3]| by.into_iter().fold(0, |sum, by| sum ^ x.rotate_right(by));
    for t in 0..64 {
        if t >= 16 {
            let (x, y) = (w[t - 15], w[t - 2]);
            let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ (y >> 10);
            w.push(add(&[w[t - 16], s0, w[t - 7], s1]));
        }
        let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
        let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        let t1 = add(&[s[7], turn(s[4], [6, 11, 25]), choice, K[t], w[t]]);
        let t2 = add(&[turn(s[0], [2, 13, 22]), majority]);
        s.rotate_right(1);
        s[0] = t1.wrapping_add(t2);
        s[4] = s[4].wrapping_add(t1);
    }
    std::array::from_fn(|i| START[i].wrapping_add(s[i]))
}

fn main() -> amp::Result<()> {
    let zeros = support::argument(1, 8) as u32;
    let abc = compress(START, block(b"abc"));
    assert_eq!(
        abc[0], 0xba78_16bf,
        "the hash of \"abc\" is in the standard"
    );

    // The first four bytes make place for the number.
    let mut text = *b"....amp, a kernel is Rust";
    let mut found = u32::MAX;
    let mut result = ArrayViewMut::from_mut(&mut found);
    parallel_for_each(
        1_usize << (zeros + 4).min(31),
        mine(block(&text), zeros, &mut result),
    )?;
    result.synchronize()?;
    drop(result);

    let expected = (0..=found).find(|number| {
        text[..4].copy_from_slice(&number.to_be_bytes());
        on_host(&text)[0].leading_zeros() >= zeros
    });
    assert_eq!(Some(found), expected, "differs from the host");
    println!("sha256: the hash of {found} starts with {zeros} zeros");
    Ok(())
}
