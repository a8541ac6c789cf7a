//! Functions and methods that return iterators and closures: each body as kernel code and as plain Rust, which
//! calls them as they are written.

use amp::prelude::*;
use testkit::{becomes, gives, input, launch, twice};

const NUMBERS: [u32; 8] = [0, 1, 2, 3, 7, 20, 33, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_fn]
fn evens(n: u32) -> impl Iterator<Item = u32> {
    (0..n).filter(|x| x % 2 == 0)
}

#[amp_fn]
fn twofold(n: u32) -> impl Iterator<Item = u32> {
    evens(n).map(|x| x + 1).chain(evens(3))
}

#[amp_fn]
fn neighbours(y: usize, x: usize, h: usize, w: usize) -> impl Iterator<Item = (usize, usize)> {
    let (y0, y1) = (y.saturating_sub(1), (y + 2).min(h));
    let (x0, x1) = (x.saturating_sub(1), (x + 2).min(w));
    (y0..y1)
        .flat_map(move |j| (x0..x1).map(move |i| (j, i)))
        .filter(move |&p| p != (y, x))
}

#[amp_fn]
fn above<'a>(x: &'a [u32], least: u32) -> impl Iterator<Item = &'a u32> + 'a {
    x.iter().filter(move |x| **x > least)
}

#[amp_fn]
fn numbered(x: &[u32]) -> impl Iterator<Item = (usize, &u32)> + '_ {
    x.iter().enumerate().skip(1)
}

#[amp_fn]
fn places(x: &mut [u32]) -> impl Iterator<Item = &mut u32> + '_ {
    x.iter_mut().step_by(2)
}

#[amp_fn]
fn doubled<const N: usize, T: Scalar>(x: [T; N]) -> impl Iterator<Item = T> {
    x.into_iter().map(|x| x + x)
}

/// A fault, if it is asked for a third item.
#[amp_fn]
fn guarded(n: u32) -> impl Iterator<Item = u32> {
    (0..n).map(|x| {
        assert!(x < 2);
        x + 5
    })
}

#[amp_fn]
fn scaler(k: u32) -> impl Fn(u32) -> u32 {
    move |x| x * k
}

#[amp_fn]
fn chooser(a: u32, b: u32) -> impl Fn(u32, bool) -> u32 {
    let both = a ^ b;
    move |x, takes_both| {
        if takes_both {
            return both + x;
        }
        x % (a + 1)
    }
}

#[amp_fn]
fn element(x: &[u32]) -> impl Fn(usize) -> u32 + '_ {
    |i| x[i % x.len()]
}

#[amp_fn]
fn applied(x: u32, f: impl Fn(u32) -> u32) -> u32 {
    f(f(x % 50))
}

#[amp_fn]
fn factors(n: u32, product: u32) -> Option<(u32, u32)> {
    'outer: for a in evens(n) {
        for b in evens(a + 1) {
            if a * b == product {
                return Some((a, b));
            }
            if b > 12 {
                continue 'outer;
            }
            if a > 40 {
                break 'outer;
            }
        }
    }
    None
}

twice! {
    chains(n: u32, m: u32) -> u32 = all();
    {
        let mut sum = evens(n).sum::<u32>() ^ evens(m).count() as u32 ^ twofold(n).fold(7, |a, b| a % 9973 * 5 ^ b);
        sum ^= evens(n).max().unwrap_or(3) ^ evens(m).last().unwrap_or(5) ^ evens(n).nth(2).unwrap_or(9);
        sum ^= evens(n).map(|x| x + 1).skip(1).take(3).zip(1..9).map(|(a, b)| a * b).sum::<u32>();
        sum ^= (0..3).flat_map(|i| evens(i + m % 5)).enumerate().map(|(i, x)| i as u32 * 3 + x).sum::<u32>();
        sum ^= evens(3).chain(evens(n)).enumerate().filter(|(i, _)| i % 2 == 0).map(|(_, x)| x).sum::<u32>();
        sum ^= evens(n).take_while(|x| *x < m).step_by(2).sum::<u32>() ^ evens(n).skip_while(|x| *x < m).count() as u32;
        sum ^= evens(n).find(|x| x % 3 == 1).unwrap_or(17) ^ evens(n).position(|x| x == m).unwrap_or(4) as u32;
        sum ^= evens(n).any(|x| x == m) as u32 ^ evens(m).all(|x| x < n) as u32;
        sum ^= evens(n).min_by_key(|x| x.abs_diff(m)).unwrap_or(0) ^ evens(n).next().is_some() as u32;
        sum ^= guarded(n).take(2).sum::<u32>() ^ guarded(n + 1).next().unwrap_or(1) ^ guarded(m).take(0).count() as u32;
        sum ^ doubled([n, m, 3]).sum::<u32>() ^ doubled([1.5_f32]).sum::<f32>() as u32
    }
}

twice! {
    loops(n: u32, m: u32) -> u32 = all();
    {
        let mut sum = 0_u32;
        for x in evens(n) {
            if x == 4 {
                continue;
            }
            if x > m {
                break;
            }
            sum = sum * 3 % 9973 + x;
        }
        for (i, x) in twofold(m).enumerate() {
            sum += x * i as u32;
        }
        let mut k = 0;
        while k < 5 {
            for i in evens(9) {
                if i == k {
                    break;
                }
                if i > 4 {
                    k += 1;
                    continue;
                }
                sum += i;
            }
            k += 1;
        }
        match factors(n, m) {
            Some((a, b)) => sum ^ (a * 100 + b),
            None => sum,
        }
    }
}

twice! {
    references(n: u32, m: u32) -> u32 = all();
    {
        let mut x = [n, m, 3, 50, n ^ m];
        let mut sum = above(&x, 3).copied().max().unwrap_or(0) ^ above(&x[1..], m).map(|x| x * 2).sum::<u32>();
        sum ^= numbered(&x).map(|(i, x)| i as u32 * x).sum::<u32>();
        for (i, y) in numbered(&x[..4]) {
            sum += i as u32 ^ *y;
        }
        for y in places(&mut x) {
            *y += sum % 7;
        }
        places(&mut x[1..]).for_each(|y| *y ^= 5);
        x.iter().fold(sum, |a, b| a % 9973 * 5 ^ b)
    }
}

twice! {
    closures(n: u32, m: u32) -> u32 = all();
    {
        let times = scaler(m + 1);
        let x = [n, m, 3];
        let at = element(&x);
        let choose = chooser(n + m, 9);
        let mut sum = times(n) + times(2) + scaler(3)(n) + chooser(n, 2)(m, n > m);
        sum += applied(n, times) + applied(m, scaler(2)) + at(n as usize) * at(1);
        sum += choose(n, false) + choose(m, true);
        sum + x.iter().copied().map(scaler(n)).sum::<u32>() + (0..9).fold(0, |a, i| a % 97 + choose(i, a > 50))
    }
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Node {
    first: u32,
    count: u32,
}

#[amp_fn]
impl Node {
    fn children(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.count % 20).map(|i| self.first + i)
    }

    fn total(&self) -> u32 {
        self.children().map(|x| x * x % 97).sum()
    }

    fn shift(&self, by: u32) -> impl Fn(u32) -> u32 + '_ {
        move |x| x + by + self.first
    }

    fn up_to(n: u32) -> impl Iterator<Item = Node> {
        (0..n % 9).map(|first| Node { first, count: 3 })
    }
}

twice! {
    methods(n: u32, m: u32) -> u32 = all();
    {
        let node = Node { first: n, count: m };
        let mut sum = node.total() + node.shift(3)(n);
        for child in node.children() {
            if child % 7 == 6 {
                break;
            }
            sum += child;
        }
        let shift = node.shift(m);
        sum + node.children().filter(|x| x % 2 == 0).map(|x| shift(x)).sum::<u32>()
            + Node::up_to(m).map(|node| node.total()).sum::<u32>()
    }
}

#[amp_module]
mod grids {
    use amp::prelude::*;

    pub fn of_row<'a>(x: &'a ArrayView<u32, 1>, k: u32) -> impl Iterator<Item = u32> + 'a {
        x.iter().map(move |x| x * k)
    }

    pub fn row_sum(x: &ArrayView<u32, 1>) -> u32 {
        of_row(x, 2).filter(|x| x % 3 != 0).sum()
    }
}

#[amp_kernel]
fn views(idx: Index<1>, x: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let row = x.row(idx[0]);
    for x in grids::of_row(&row, 3) {
        if x > 20 {
            return;
        }
        out[idx] += x;
    }
    out[idx] += grids::row_sum(&row);
}

#[test]
fn a_view_is_visited_by_what_a_function_returns() {
    let x: Vec<u32> = (0..32).map(|i| i * 7 % 10).collect();
    let expected = x.chunks(4).map(|row| {
        let mut sum = 0;
        for x in row {
            if x * 3 > 20 {
                return sum;
            }
            sum += x * 3;
        }
        sum + row
            .iter()
            .map(|x| x * 2)
            .filter(|x| x % 3 != 0)
            .sum::<u32>()
    });
    let expected: Vec<u32> = expected.collect();
    becomes([8], &[0; 8], &expected, |view, out| {
        let x = ArrayView::<_, 2>::new([8, 4], &x[..]).unwrap();
        launch(view, 8, views(&x, out))
    });
}

#[amp_kernel]
fn of_tile(t_idx: TiledIndex<1, 32>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut kept: [u32; 32];
    kept[t_idx.local[0]] = x[t_idx.global];
    t_idx.barrier.wait();
    let mut sum = 0;
    for i in evens(32) {
        sum += kept[i as usize];
    }
    t_idx.barrier.wait();
    out[t_idx.global] = sum + evens(7).map(|i| kept[i as usize]).max().unwrap();
}

#[test]
fn a_tile_is_visited_by_what_a_function_returns() {
    let x: Vec<u32> = (0..64).map(|i| i * 13 % 31).collect();
    let tile = |tile: &[u32]| {
        let sum: u32 = tile.iter().step_by(2).sum();
        [sum + tile[..7].iter().step_by(2).max().unwrap(); 32]
    };
    let expected: Vec<u32> = x.chunks(32).flat_map(tile).collect();
    gives(&expected, |view, out| {
        let domain = Extent::new([64]).tile::<32>();
        launch(view, domain, of_tile(&input(&x), out))
    });
}

#[amp_module]
mod rules {
    pub struct Rule {
        pub k: u32,
    }

    #[derive(Default)]
    pub struct Config {
        n: u32,
    }

    impl Rule {
        pub fn run(self, n: u32) -> impl Iterator<Item = u32> {
            (0..n).map(move |i| i * self.k)
        }
    }

    impl Config {
        pub fn sweeps(self, n: u32) -> Self {
            Config { n }
        }

        pub fn run(&self, x: u32) -> u32 {
            self.n + x
        }
    }

    pub fn of_one_name(i: u32) -> u32 {
        let plain = Config::default().sweeps(3).run(i);
        plain * 1000 + Rule { k: i }.run(4).sum::<u32>()
    }
}

use rules::{Rule, of_one_name};

twice! {
    arguments_that_change_later(i: u32) -> u32 = ((0..5).collect(),);
    {
        let mut k = i + 3;
        let scaled = scaler(k);
        k += 1;
        let mut sum = scaled(2) * 100 + k;
        for x in (Rule { k: 3 }).run(k) {
            k += x;
            sum += k;
        }
        sum
    }
}

twice! {
    methods_of_one_name(i: u32) -> u32 = ((0..5).collect(),);
    {
        of_one_name(i)
    }
}

#[amp_struct]
struct Steps {
    by: u32,
}

#[amp_struct]
struct Offset {
    at: u32,
}

#[amp_fn]
impl Steps {
    fn go(self, n: u32) -> impl Iterator<Item = u32> {
        (0..n).map(move |i| i * self.by)
    }
}

#[amp_fn]
impl Offset {
    fn moved(self, by: u32) -> Self {
        Offset { at: self.at + by }
    }

    fn go(&self, x: u32) -> u32 {
        self.at + x
    }
}

twice! {
    methods_of_one_name_of_blocks_that_stand_alone(i: u32) -> u32 = ((0..5).collect(),);
    {
        let plain = Offset { at: 3 }.moved(4).go(i);
        plain * 1000 + Steps { by: i }.go(4).sum::<u32>()
    }
}
