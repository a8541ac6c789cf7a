//! A reader of records, patterns with a place to go back to, and arrays of slices.

use amp::prelude::*;

device_and_host! {
    struct Reader<'a> { bytes: &'a [u8], at: usize }
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Bad { Short, Tag(u8) }
    impl<'a> Reader<'a> {
        fn take(&mut self, n: usize) -> Result<&'a [u8], Bad> {
            let part = self.bytes.get(self.at..self.at + n).ok_or(Bad::Short)?;
            self.at += n;
            Ok(part)
        }
        fn byte(&mut self) -> Result<u8, Bad> { Ok(self.take(1)?[0]) }
        fn word(&mut self) -> Result<u16, Bad> { let b = self.take(2)?; Ok(u16::from_be_bytes([b[0], b[1]])) }
        fn record(&mut self) -> Result<Record<'a>, Bad> {
            match self.byte()? {
                1 => { let n = self.byte()? as usize % 4; Ok(Record::Blob(self.take(n)?)) }
                2 => self.word().map(Record::Word),
                t => Err(Bad::Tag(t)),
            }
        }
    }
    enum Record<'a> { Blob(&'a [u8]), Word(u16) }
    fn score(r: &Record) -> u64 { match r { Record::Blob(b) if b.is_empty() => 5, Record::Blob(b) => b.iter().rev().fold(1, |h, &x| h * 3 + x as u64) + b[b.len() - 1] as u64, Record::Word(w) => *w as u64 } }
    fn glob(pattern: &[u8], text: &[u8]) -> bool {
        let (mut p, mut t) = (pattern, text);
        let mut back: Option<(&[u8], &[u8])> = None;
        loop {
            match (p, t) {
                ([b'*', rest @ ..], _) => { back = Some((rest, t)); p = rest; }
                ([], []) => return true,
                ([a, ps @ ..], [b, ts @ ..]) if *a == b'?' || a == b => { p = ps; t = ts; }
                _ => match back {
                    Some((bp, bt)) if !bt.is_empty() => { back = Some((bp, &bt[1..])); p = bp; t = &bt[1..]; }
                    _ => return false,
                },
            }
        }
    }
    pub fn all(i: u32) -> [u64; 5] {
        let a = i.wrapping_mul(2_654_435_761);
        let b = (a >> 3) as i32;
        let data = [1, 3, a as u8, 7, 9, 2, b as u8, 4, (i % 4) as u8, 1, 8, 9];
        let mut r = Reader { bytes: &data, at: (a % 2) as usize * 5 };
        let mut h = 0u64;
        let end = loop { match r.record() { Ok(rec) => h = h.wrapping_mul(31) + score(&rec), Err(e) => break e } };
        let code = match end { Bad::Short => 1, Bad::Tag(t) => 100 + t as u64 };
        let patterns: [&[u8]; 4] = [b"*ab*", b"a?b*", b"?b*c", b"*"];
        let text = [b'a' + (a % 3) as u8, b'b', b'a' + (b as u32 % 3) as u8, b'b', b'c'];
        let hits = patterns.iter().map(|p| glob(p, &text) as u64).fold(0, |x, y| x * 2 + y);
        let few = patterns.iter().filter(|p| glob(p, &text[..3])).count() as u64;
        let slices = [&text[1..], &data[2..5], &text[..2]];
        let lens = slices.iter().map(|s| s.len() as u64 * s[1] as u64).sum::<u64>() + slices[i as usize % 3][0] as u64;
        [h, code, hits, few, lens]
    }
}

all_agree!(records: [u64; 5], 60);
