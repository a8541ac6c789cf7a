//! Slices of constants and of rows that outlive the loop in which a variable gets them.

use amp::prelude::*;

device_and_host! {
    fn name(k: u32) -> &'static [u8] { match k % 3 { 0 => b"zero", 1 => b"one!", _ => b"many" } }
    fn pick(a: u32) -> u64 {
        let mut best: Option<&[u8]> = None;
        for k in 0..8 { if a >> k & 3 == 3 { best = Some(b"abc"); } }
        best.map_or(0, |b| b[a as usize % 3] as u64)
    }
    struct Part<'a> { of: &'a [f32] }
    pub fn all(i: u32) -> [u64; 6] {
        let a = i.wrapping_mul(2_654_435_761);
        let b = (a >> 3) as i32;
        let mut found: Option<Part> = None;
        let mut k = 0;
        while k < i % 5 { if (a >> k) & 1 == 1 { found = Some(Part { of: &[1.5, 2.5, 3.5] }); } k += 1; }
        let s = match &found { Some(p) => p.of[(b as u32 % 3) as usize], None => -1.0 };
        let mut best: Option<&[u8]> = None;
        for k in 0..8 { if a >> k & 3 == 3 { best = Some(b"abc"); } }
        let s0 = best.map_or(0, |b| b[i as usize % 3] as u64);
        let mut last: &[u8] = b"--";
        for k in 0..i % 7 { if (a >> k) % 5 == 2 { last = b"xyz"; } else if k == 4 { last = &[7, 8, 9]; } }
        let s1 = last.len() as u64 * 1000 + last[1] as u64;
        let mut names = [name(0); 4];
        for (k, slot) in names.iter_mut().enumerate() { if a >> k & 1 == 1 { *slot = name(a >> k); } }
        let s2 = names.iter().map(|n| n[0] as u64).fold(0, |h, x| h * 256 + x);
        let mut longest: &[u32] = &[];
        let rows = [[i, a, 3, 4], [5, b as u32, 7, 8], [9, 10, 11, a]];
        for r in 0..3 {
            let mut part: &[u32] = &rows[r][..(a >> r) as usize % 5];
            if part.len() > longest.len() { longest = part; }
            part = &rows[2 - r][1..];
            if part.len() > longest.len() + (b & 1) as usize { longest = part; }
        }
        let s3 = longest.iter().fold(longest.len() as u64, |h, &x| h.wrapping_mul(31).wrapping_add(x as u64));
        [s0, s1, s2, s3, pick(a), s.to_bits() as u64]
    }
}

all_agree!(outliving: [u64; 6], 60);
