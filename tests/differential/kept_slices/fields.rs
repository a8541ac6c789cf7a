//! Structs and enums with slices: generic, in each other, copied, chosen and stored in an `Option`.

use amp::prelude::*;

device_and_host! {
    #[derive(Clone, Copy, Debug)]
    struct Row<'a, T> { cells: &'a [T], stride: usize }
    impl<'a, T: Copy> Row<'a, T> {
        fn at(&self, i: usize) -> T { self.cells[i * self.stride] }
        fn len(&self) -> usize { self.cells.len() / self.stride }
        fn halves(self) -> (Row<'a, T>, Row<'a, T>) {
            let (l, r) = self.cells.split_at(self.cells.len() / 2);
            (Row { cells: l, ..self }, Row { cells: r, stride: self.stride })
        }
    }
    #[derive(Clone, Copy)]
    struct Pair<'a> { a: Row<'a, f32>, b: Row<'a, f32> }
    impl Pair<'_> {
        fn dot(&self) -> f32 { (0..self.a.len().min(self.b.len())).map(|i| self.a.at(i) * self.b.at(i)).sum() }
    }
    struct Lines<'a> { text: &'a [u8] }
    impl<'a> Iterator for Lines<'a> {
        type Item = u64;
        fn next(&mut self) -> Option<u64> {
            if self.text.is_empty() { return None; }
            let end = self.text.iter().position(|&b| b == b'.').unwrap_or(self.text.len());
            let line = &self.text[..end];
            self.text = if end < self.text.len() { &self.text[end + 1..] } else { &self.text[..0] };
            Some(line.iter().fold(0, |h, &b| h * 31 + b as u64))
        }
    }
    enum Source<'a> { Bytes(&'a [u8]), Seed(u32) }
    impl Source<'_> {
        fn byte(&self, i: usize) -> u8 {
            match self { Source::Bytes(b) => b[i % b.len()], Source::Seed(s) => (s.wrapping_mul(i as u32 + 7) >> 5) as u8 }
        }
    }
    fn longest<'a>(x: Row<'a, u32>, y: Row<'a, u32>) -> Row<'a, u32> { if x.cells.len() >= y.cells.len() { x } else { y } }
    fn best(rows: &[[f32; 4]; 3]) -> f32 {
        let mut best: Option<Row<f32>> = None;
        for r in rows {
            let row = Row { cells: r, stride: 1 };
            if best.is_none_or(|b| b.at(0) < row.at(0)) { best = Some(row); }
        }
        best.map_or(-1.0, |b| b.at(3))
    }
    pub fn all(i: u32) -> [u64; 6] {
        let a = i.wrapping_mul(2_654_435_761);
        let b = (a >> 3) as i32;
        let (f, g) = ((a >> 20) as f32 * 0.25, (a >> 12 & 255) as f32);
        let x = [1.0, 2.0, f, 4.0]; let y = [g, 0.5, 2.0];
        let p = Pair { a: Row { cells: &x, stride: 1 }, b: Row { cells: &y, stride: 1 } };
        let (l, r) = p.a.halves();
        let q = Pair { a: r, b: l };
        let text = *b"ab.cde..f";
        let lines: u64 = Lines { text: &text }.zip(1..).map(|(h, k)| h * k).sum();
        let u = [a, i, 3, 4, 5]; let v = [b as u32, 2];
        let sources = [Source::Bytes(&text), Source::Seed(a), Source::Bytes(b"xyz")];
        let bytes = sources.iter().enumerate().map(|(k, s)| (s.byte(k + i as usize) as u64) << (8 * k)).sum::<u64>();
        let long = longest(Row { cells: &u[(i % 5) as usize..], stride: 1 }, Row { cells: &v, stride: 1 });
        let rows = [[f, 1.0, 2.0, 3.0], [g, 4.0, 5.0, 6.0], [0.5, 7.0, 8.0, 9.0]];
        [p.dot().to_bits() as u64, q.dot().to_bits() as u64, lines, long.at(0) as u64, bytes, best(&rows).to_bits() as u64]
    }
}

all_agree!(fields: [u64; 6], 60);
