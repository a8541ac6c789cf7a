//! Ranges as values: parameters, results, variables that change, parts of tuples; visited, indexed by, and
//! taken from item by item. Each body as kernel code and as plain Rust.

use std::ops::Range;

use amp::prelude::*;
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_fn]
fn chunk(i: usize) -> Range<usize> {
    i * 4..(i + 1) * 4
}

#[amp_fn]
fn clamped(r: std::ops::Range<u32>, end: u32) -> Range<u32> {
    if r.contains(&end) {
        return r.start..end;
    }
    r
}

#[amp_fn]
fn total(x: &[u32], r: Range<usize>) -> u32 {
    x[r.clone()].iter().sum::<u32>() ^ r.map(|i| x[i] * 3).sum::<u32>()
}

#[amp_fn]
fn apart(r: Range<u32>) -> (Range<u32>, Range<u32>) {
    let middle = r.start / 2 + r.end / 2;
    (r.start..middle, middle..r.end)
}

#[amp_fn]
fn within(x: f32, r: Range<f32>) -> f32 {
    if r.contains(&x) {
        (x - r.start) / (r.end - r.start)
    } else {
        0.0
    }
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Random {
    state: u32,
}

#[amp_fn]
impl Random {
    fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(747_796_405).wrapping_add(1);
        self.state >> 8
    }

    fn range(&mut self, r: Range<u32>) -> u32 {
        r.start + self.next() % (r.end - r.start)
    }

    fn bits(&self) -> Range<u32> {
        0..self.state % 9
    }
}

twice! {
    values(n: u32, m: u32) -> u32 = all();
    {
        let x = [n, m, 3, 5, n ^ m, 9, 2, 4];
        let mut sum = total(&x, chunk((n % 2) as usize)) ^ total(&x, 0..3) ^ total(&x, 5..5);
        for i in chunk((m % 2) as usize) {
            sum = sum * 3 % 9973 + x[i];
        }
        let r = clamped(n..m, 20);
        sum ^= r.len() as u32 ^ r.is_empty() as u32 ^ r.start ^ r.end;
        for i in r.clone().rev() {
            sum = sum * 5 % 9973 + i;
        }
        sum ^= r.clone().filter(|i| i % 3 == 0).sum::<u32>() ^ r.clone().zip(chunk(1)).map(|(a, b)| a * b as u32).sum::<u32>();
        let (low, high) = apart(r);
        for i in high {
            sum = sum * 7 % 9973 + i;
        }
        for i in low {
            sum += i * i % 7;
        }
        sum ^= chunk(n as usize).map(|i| i as u32).sum::<u32>();
        let chosen = if n > m { m..n } else { 0..5 };
        sum ^= chosen.start ^ chosen.end ^ ((0..n) == (0..m)) as u32;
        sum ^ (within(n as f32, 0.5..7.5) * 100.0) as u32
    }
}

twice! {
    steps(n: u32, m: u32) -> u32 = all();
    {
        let mut r = n % 5..m;
        let mut sum = r.next().unwrap_or(99);
        sum ^= r.next_back().unwrap_or(98) * 3;
        while let Some(i) = r.next() {
            sum = sum * 3 % 9973 + i;
            if i % 7 == 6 {
                break;
            }
            if i > 40 {
                r.end -= 1;
            }
        }
        let mut at = 1..n as usize % 9;
        sum ^= at.next().unwrap_or(3) as u32 + at.next_back().unwrap_or(4) as u32 * 16;
        sum ^= r.by_ref().take(2).sum::<u32>();
        for i in r.by_ref() {
            if i % 4 == 3 {
                break;
            }
            sum += i;
        }
        sum ^= r.any(|i| i % 11 == 0) as u32 * 8 ^ r.nth(1).unwrap_or(7) ^ r.find(|i| i % 3 == 1).unwrap_or(5);
        sum ^= r.start * 5 ^ r.end ^ r.len() as u32;
        sum ^ r.map(|i| i % 13).sum::<u32>()
    }
}

twice! {
    methods(n: u32, m: u32) -> u32 = all();
    {
        let mut random = Random { state: n ^ m };
        let mut sum = random.range(3..9) + random.range(0..n + 1) * 2;
        for bit in random.bits() {
            sum ^= 1 << bit;
        }
        sum ^ random.bits().map(|bit| bit * m).sum::<u32>()
    }
}

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Span {
    rows: Range<usize>,
    columns: Range<usize>,
}

#[amp_fn]
impl Span {
    fn square(end: usize) -> Self {
        Span {
            rows: 0..end,
            columns: end / 3..end,
        }
    }

    fn area(&self) -> usize {
        self.rows.len() * self.columns.len()
    }

    fn has(&self, row: usize, column: usize) -> bool {
        self.rows.contains(&row) && self.columns.contains(&column)
    }

    fn sum(&self, x: &[u32]) -> u32 {
        let rows = self.rows.clone().map(|i| i as u32 * 3).sum::<u32>();
        rows + x[self.columns.clone()].iter().sum::<u32>()
    }

    fn next(&mut self) -> Option<usize> {
        self.rows.next().or(self.columns.next_back())
    }

    fn transposed(self) -> Self {
        Span {
            rows: self.columns,
            columns: self.rows,
        }
    }
}

#[amp_enum]
#[derive(PartialEq)]
enum Part {
    All,
    Rows(Range<u32>),
    Both { low: Range<u32>, high: u32 },
}

#[amp_fn]
fn part(n: u32, m: u32) -> Part {
    match n % 3 {
        0 => Part::All,
        1 => Part::Rows(n..m),
        _ => Part::Both {
            low: 0..m % 9,
            high: n,
        },
    }
}

#[amp_fn]
fn length(part: &Part) -> u32 {
    match part {
        Part::All => 100,
        Part::Rows(rows) => rows.len() as u32,
        Part::Both { low, high } => low.end + *high,
    }
}

twice! {
    fields(n: u32, m: u32) -> u32 = all();
    {
        let x = [n, m, 3, 5, n ^ m, 9, 2, 4];
        let mut span = Span::square(n as usize % 9);
        let mut sum = span.sum(&x) + span.area() as u32 * 7 + span.has(2, m as usize % 5) as u32;
        for row in span.rows.clone() {
            for column in span.columns.clone().rev() {
                sum = sum * 3 % 9973 + (row * 8 + column) as u32;
            }
        }
        sum ^= span.next().unwrap_or(50) as u32 + span.next().unwrap_or(60) as u32 * 64;
        sum ^= span.rows.any(|row| row % 3 == 2) as u32 * 128 + span.rows.start as u32;
        sum ^= span.columns.by_ref().take(1).map(|i| i as u32).sum::<u32>();
        span.rows.end += 2;
        let other = Span { rows: 1..m as usize % 7, ..Default::default() };
        sum ^= (other == span) as u32 + other.area() as u32;
        let copy = span.clone();
        let Span { rows, columns } = span.transposed();
        sum ^= rows.map(|i| i as u32).sum::<u32>() * 5 + columns.len() as u32 + copy.rows.end as u32;
        sum ^= copy.columns.filter(|i| i % 2 == 0).map(|i| i as u32 * 11).sum::<u32>();
        let one = part(n, m);
        sum ^= length(&one) * 3 + (one == part(m, n)) as u32;
        if let Part::Rows(rows) = one {
            for row in rows {
                sum = sum * 5 % 9973 + row;
            }
        }
        sum
    }
}

twice! {
    with_their_ends(n: u32, m: u32) -> u32 = all();
    {
        let r = n % 9..=m;
        let mut sum = *r.start() * 3 + r.end() + m.clamp(*r.start(), (*r.end()).max(9));
        sum ^= r.contains(&7) as u32 + r.contains(r.start()) as u32 * 2;
        for i in r.clone() {
            sum = sum * 3 % 9973 + i;
        }
        sum ^ r.map(|i| i % 5).sum::<u32>()
    }
}

#[amp_fn]
fn halves(n: usize) -> (Range<usize>, u32, Range<usize>) {
    let middle = n % 5;
    (0..middle, n as u32, middle..6)
}

twice! {
    parts_of_tuples(n: u32, m: u32) -> u32 = all();
    {
        let x = [n, m, 3, n ^ m, n + m, 9];
        let (front, k, back) = halves(n as usize);
        let mut sum = x[front.clone()].len() as u32 * k;
        for y in &x[back.clone()] {
            sum = sum * 3 % 9973 + y;
        }
        for i in front.rev() {
            sum += x[i] * i as u32;
        }
        let (_, _, again) = halves(m as usize);
        sum ^ x[again].iter().sum::<u32>() ^ back.map(|i| x[i]).max().unwrap()
    }
}

#[amp_kernel]
fn of_tile(t_idx: TiledIndex<1, 32>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut kept: [u32; 128];
    for i in chunk(t_idx.local[0]) {
        kept[i] = i as u32 * 3;
    }
    t_idx.barrier.wait();
    let mut sum = 0;
    for i in chunk(2) {
        sum += kept[i];
        t_idx.barrier.wait();
    }
    out[t_idx.global] = sum + chunk(31 - t_idx.local[0]).map(|i| kept[i]).sum::<u32>();
}

#[test]
fn threads_of_a_tile_visit_their_ranges() {
    let of = |range: Range<usize>| range.map(|i| i as u32 * 3).sum::<u32>();
    let expected = (0..64).map(|i| of(8..12) + of(chunk(31 - i % 32)));
    let expected: Vec<u32> = expected.collect();
    gives(&expected, |view, out| {
        launch(view, Extent::new([64]).tile::<32>(), of_tile(out))
    });
}
