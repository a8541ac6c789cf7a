//! A lexer, a grid and statistics over slices that they borrow.

use amp::prelude::*;

device_and_host! {
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Kind { Word, Number }
    #[derive(Clone, Copy, Debug)]
    struct Token<'a> { kind: Kind, text: &'a [u8] }
    struct Lexer<'a> { rest: &'a [u8] }
    impl<'a> Lexer<'a> {
        fn new(text: &'a [u8]) -> Self { Self { rest: text } }
        fn eat(&mut self, f: impl Fn(u8) -> bool) -> &'a [u8] {
            let n = self.rest.iter().position(|&b| !f(b)).unwrap_or(self.rest.len());
            let (head, tail) = self.rest.split_at(n);
            self.rest = tail;
            head
        }
        fn peek(&self) -> Option<u8> { self.rest.first().copied() }
    }
    impl<'a> Iterator for Lexer<'a> {
        type Item = Token<'a>;
        fn next(&mut self) -> Option<Token<'a>> {
            self.eat(|b| b == b' ');
            let kind = match self.peek()? { b'0'..=b'9' => Kind::Number, _ => Kind::Word };
            let text = match kind { Kind::Number => self.eat(|b| b.is_ascii_digit()), Kind::Word => self.eat(|b| b != b' ' && !b.is_ascii_digit()) };
            Some(Token { kind, text })
        }
    }
    fn words<'a>(text: &'a [u8], out: &mut [Option<Token<'a>>; 4]) -> usize {
        let mut n = 0;
        for token in Lexer::new(text) { if n < out.len() { out[n] = Some(token); n += 1; } }
        n
    }
    struct Grid<'a, const W: usize> { cells: &'a [u8], wrap: bool }
    impl<const W: usize> Grid<'_, W> {
        const AREA: usize = W * W;
        fn height(&self) -> usize { self.cells.len() / W }
        fn row(&self, y: usize) -> &[u8] { &self.cells[y * W..][..W] }
        fn get(&self, x: i32, y: i32) -> u8 {
            let (w, h) = (W as i32, self.height() as i32);
            let (x, y) = if self.wrap { (x.rem_euclid(w), y.rem_euclid(h)) } else { (x.clamp(0, w - 1), y.clamp(0, h - 1)) };
            self.row(y as usize)[x as usize]
        }
        fn sum(&self) -> u32 { (0..self.height()).map(|y| self.row(y).iter().map(|&c| c as u32).sum::<u32>()).max().unwrap_or(0) }
    }
    struct Stats<'a> { values: &'a [f32] }
    impl Stats<'_> {
        fn mean(&self) -> f32 { self.values.iter().sum::<f32>() / self.values.len() as f32 }
        fn var(&self) -> f32 { let m = self.mean(); self.values.iter().map(|v| (v - m) * (v - m)).sum::<f32>() / self.values.len() as f32 }
        fn max(&self) -> Option<f32> { self.values.iter().copied().reduce(f32::max) }
        fn window(&self, n: usize) -> impl Iterator<Item = f32> + '_ { self.values.windows(n).map(move |w| w.iter().sum::<f32>() / n as f32) }
    }
    fn cheapest<'a>(items: &[(&'a [u8], u32)]) -> &'a [u8] { let mut best = items[0]; for &it in items { if it.1 < best.1 { best = it; } } best.0 }
    pub fn all(i: u32) -> [u64; 7] {
        let a = i.wrapping_mul(2_654_435_761);
        let b = (a >> 3) as i32;
        let (f, g) = ((a >> 20) as f32 * 0.25, (a >> 12 & 255) as f32);
        let text = *b" ab 12cd  7 ";
        let skip = &text[i as usize % 5..];
        let s0 = Lexer::new(skip).fold(0u64, |h, t| h * 7 + t.text.len() as u64 + (t.kind == Kind::Number) as u64);
        let mut out = [None; 4];
        let n = words(skip, &mut out);
        let s1 = out[..n].iter().flatten().map(|t| t.text[0] as u64).sum::<u64>();
        let longest = Lexer::new(&text).max_by_key(|t| t.text.len()).map_or(0, |t| t.text[0] as u64);
        let cells: [u8; 12] = std::array::from_fn(|k| (a >> k) as u8 & 7);
        let grid = Grid::<4> { cells: &cells, wrap: i % 2 == 0 };
        let s3 = grid.get(b % 9, i as i32 - 3) as u64 + grid.sum() as u64 * 100 + Grid::<4>::AREA as u64 * 10000;
        let v = [f, g, 1.0, 2.5];
        let st = Stats { values: &v[..2 + i as usize % 3] };
        let s4 = st.var().to_bits() as u64 ^ (st.max().unwrap_or(0.0).to_bits() as u64) << 8;
        let s5 = st.window(2).fold(0.0, |x: f32, y| x * 0.5 + y).to_bits() as u64;
        let names = [(&text[1..3], a % 10), (&text[4..6], 4), (&b"xyz"[..], i % 7)];
        let s6 = cheapest(&names).iter().map(|&c| c as u64).sum::<u64>();
        [s0, s1, longest, s3, s4, s5, s6]
    }
}

all_agree!(lexers: [u64; 7], 60);
