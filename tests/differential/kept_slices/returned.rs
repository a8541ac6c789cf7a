//! Functions that return slices: one of several, in tuples, `Option`s and `Result`s, and those that assign a slice of their caller.

use amp::prelude::*;

device_and_host! {
    fn split(data: &[u8], at: usize) -> (&[u8], &[u8]) { data.split_at(at.min(data.len())) }
    fn field(data: &[u8], k: usize) -> Option<&[u8]> {
        let start = *data.get(k)? as usize % 4;
        data.get(start..start + 2)
    }
    fn take<'a>(data: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
        if data.len() < n { return None; }
        let (head, tail) = data.split_at(n);
        *data = tail;
        Some(head)
    }
    fn longest<'a>(a: &'a [u32], b: &'a [u32]) -> &'a [u32] { if a.len() >= b.len() { a } else { b } }
    fn trimmed(mut s: &[u8]) -> &[u8] {
        while let [b' ', rest @ ..] = s { s = rest; }
        while let [rest @ .., b' '] = s { s = rest; }
        s
    }
    fn parse(line: &[u8]) -> Result<(u32, &[u8]), u8> {
        let n = line.iter().position(|b| !b.is_ascii_digit()).unwrap_or(line.len());
        if n == 0 { return Err(line.first().copied().unwrap_or(0)); }
        Ok((line[..n].iter().fold(0u32, |x, b| x.wrapping_mul(10).wrapping_add((b - b'0') as u32)), &line[n..]))
    }
    pub fn all(i: u32) -> [u64; 6] {
        let a = i.wrapping_mul(2_654_435_761);
        let b = (a >> 3) as i32;
        let data = [a as u8, 2, 3, 4, 5, b as u8];
        let (x, y) = split(&data, i as usize % 7);
        let s0 = x.iter().map(|&v| v as u64).sum::<u64>() * 100 + y.len() as u64;
        let s1 = field(&data, i as usize % 8).map_or(9, |f| f[0] as u64 + f.len() as u64);
        let mut rest = &data[..];
        let mut s2 = 0;
        while let Some(h) = take(&mut rest, 2) { s2 = s2 * 7 + h[1] as u64; }
        let (u, v) = ([a, 7, 8], [b as u32, i]);
        let s3 = longest(&u[i as usize % 3..], &v)[0] as u64;
        let text = *b"  12ab  ";
        let t = trimmed(&text[i as usize % 4..]);
        let s4 = t.len() as u64 * 10 + t.first().map_or(0, |&c| c as u64);
        let s5 = match parse(t) { Ok((n, rest)) => n as u64 * 10 + rest.len() as u64, Err(c) => 1000 + c as u64 };
        [s0, s1, s2, s3, s4, s5]
    }
}

all_agree!(returned: [u64; 6], 60);
