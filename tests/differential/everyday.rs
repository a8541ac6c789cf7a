//! Comparisons through references, of slices, and other forms that plain Rust has for free.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::precise_math::Float;
use amp::prelude::*;
use testkit::{gives, launch, twice};

#[amp_struct]
#[derive(PartialEq, PartialOrd)]
struct Pair {
    a: f32,
    b: i32,
}

#[amp_fn]
fn later(x: &f32, y: &f32) -> f32 {
    if x < y || x != x { y - x } else { x * y }
}

#[amp_fn]
fn alike(v: &[f32], w: &[f32]) -> bool {
    v == w
}

twice! {
    through_references(x: u32) -> u32 = ((0..24).collect(),);
    {
        let i = x as i32;
        let one = Pair { a: (i % 5) as f32, b: i % 3 };
        let two = Pair { a: 2.0, b: 1 };
        let p = &one;
        let q = two;
        let v = [i % 2, i % 3, i % 5];
        let w = &v;
        let mut bits = 0;
        for (k, is) in [
            p == &q,
            p < &q,
            &q >= p,
            *p != q,
            w == &[1, 1, 1],
            &v[0] == &v[1],
            v.iter().zip(w).all(|(x, y)| x == y),
            v.iter().any(|x| x == &4),
            v.iter().filter(|x| *x > &0).count() == 2,
            (&i % &7) > 3,
            -&v[2] < 0,
        ].iter().enumerate() {
            bits |= (*is as u32) << k;
        }
        let sum = &v[0] + &v[1] * (&v[2] - &1);
        let least = [3.5, 0.5 * x as f32, f32::NAN];
        let most = later(&least[0], &least[1]) + later(&least[(x % 3) as usize], &2.5);
        bits.wrapping_add((sum as u32).wrapping_mul(4096)).wrapping_add((most as u32).wrapping_mul(65536))
    }
}

twice! {
    slices_compared(x: u32) -> u32 = ((0..24).collect(),);
    {
        let n = x as usize;
        let v = [1.0, 2.0, 1.0, 2.0, f32::NAN, 0.0, -0.0];
        let k = [x % 2, x % 3, 2, 0, 1, 2];
        let (from, to) = (n % 4, n % 3);
        let tail = &v[from..];
        let short = &k[..n % 6];
        let mut bits = 0;
        for (place, is) in [
            v[..2] == v[2..4],
            alike(&v[from..from + 2], &v[to..to + 2]),
            tail == &v[to..],
            tail != &v[from..],
            v[5..6] == v[6..],
            short == [0, 0, 2],
            short == &k[..to],
            short[..] != [1],
            k[..2] == [0, 1],
        ].into_iter().enumerate() {
            bits += (is as u32) << place;
        }
        bits
    }
}

#[amp_fn]
fn shadowed(v: &[u32], w: &[u32]) -> u32 {
    let mut count = 0;
    for v in v {
        for &w in w.iter() {
            if *v == w {
                count += 1;
            }
        }
    }
    let same = |v: u32, w: u32| v == w;
    for v in 0..3_u32 {
        for w in 0..3_u32 {
            if v == w && same(v, w) {
                count += 10;
            }
        }
    }
    if let (Some(v), Some(w)) = (v.first().copied(), w.last().copied()) {
        if v == w {
            count += 100;
        }
    }
    match count {
        v if v == 30 => count += 1000,
        _ => {}
    }
    if v == w { count + 10_000 } else { count }
}

twice! {
    names_of_slices_shadowed(x: u32) -> u32 = ((0..24).collect(),);
    {
        let v = [x % 2, x % 3, x % 4, x % 2, x % 3];
        let n = x as usize;
        shadowed(&v[..n % 3], &v[3..3 + n % 3])
    }
}

#[amp_fn]
fn mirrored<T: Scalar + std::ops::Neg<Output = T>>(x: T, y: T) -> T {
    let back = -x;
    -(back * y) - (-T::ONE)
}

#[amp_fn]
fn falling<T: Float>(x: T) -> T {
    -x * x
}

fn plain_mirrored<T>(x: T, y: T) -> T
where
    T: Copy + From<i8>,
    T: std::ops::Neg<Output = T> + std::ops::Mul<Output = T> + std::ops::Sub<Output = T>,
{
    -(-x * y) - (-T::from(1))
}

#[amp_kernel]
fn negated(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<f64, 1>) {
    let x = a[idx];
    let float = mirrored(x as f32 * 0.5, -0.0);
    let wide = mirrored(x as i64, 3) as f64 + falling(0.0_f64);
    out[idx] = float as f64 + mirrored(x, i32::MIN) as f64 + wide + falling(x as f32 * 0.1) as f64;
}

#[test]
fn negations_of_generic_numbers() {
    let a = [0, 1, -1, i32::MIN, i32::MAX, 77];
    let expected: Vec<f64> = a
        .iter()
        .map(|&x| {
            let float = plain_mirrored(x as f32 * 0.5, -0.0);
            let whole = (x.wrapping_neg().wrapping_mul(i32::MIN).wrapping_neg()).wrapping_add(1);
            let wide = plain_mirrored(i64::from(x), 3) as f64 + -0.0 * 0.0;
            let small = x as f32 * 0.1;
            f64::from(float) + f64::from(whole) + wide + f64::from(-small * small)
        })
        .collect();
    gives(&expected, |view, out| {
        launch(view, 6, negated(&ArrayView::from(&a), out))
    });
}

#[amp_module]
mod rules {
    pub trait Rule {
        const NAME: u32;

        fn next(&self, sum: u32, x: u32) -> u32;
    }

    #[derive(Default, PartialEq)]
    pub struct Sum;

    pub struct Most;

    pub struct Braced {}

    impl Rule for Sum {
        const NAME: u32 = 100;

        fn next(&self, sum: u32, x: u32) -> u32 {
            sum + x
        }
    }

    impl Rule for Most {
        const NAME: u32 = 200;

        fn next(&self, sum: u32, x: u32) -> u32 {
            if x > sum { x } else { sum }
        }
    }

    impl Rule for Braced {
        const NAME: u32 = 300;

        fn next(&self, sum: u32, x: u32) -> u32 {
            sum ^ x
        }
    }

    pub fn folded<R: Rule>(rule: R, values: [u32; 4]) -> u32 {
        let mut sum = R::NAME;
        for x in values {
            sum = rule.next(sum, x);
        }
        sum
    }

    pub fn both(values: [u32; 4]) -> u32 {
        folded(Sum, values) * 1000 + folded(Most, values)
    }
}
use rules::{Braced, Most, Rule, Sum, both, folded};

#[amp_struct]
struct Marker;

#[amp_fn]
fn marked(_marker: Marker, x: u32) -> u32 {
    x + 1
}

#[amp_struct]
struct Held {
    _marker: Marker,
    x: u32,
}

#[amp_enum]
#[allow(dead_code)]
enum Chosen {
    Marked(Marker),
    Plain(u32),
}

#[amp_kernel]
fn in_tiles(at: TiledIndex<1, 4>, held: Held, chosen: Chosen, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [Held; 4];
    let i = at.local[0];
    shared[i] = Held {
        _marker: Marker,
        x: held.x + i as u32,
    };
    at.barrier.wait();
    let kept = if i % 2 == 0 { Some(Marker) } else { None };
    let more = match chosen {
        Chosen::Marked(marker) => marked(marker, 10),
        Chosen::Plain(x) => x,
    };
    out[at.global] = shared[3 - i].x + kept.map_or(more, |marker| marked(marker, 100));
}

#[test]
fn structs_without_fields_within_others() {
    let expected: Vec<u32> = (0..8)
        .map(|i| 50 + 3 - i % 4 + [101, 11][i as usize % 2])
        .collect();
    gives(&expected, |view, out| {
        let held = Held {
            _marker: Marker,
            x: 50,
        };
        let kernel = in_tiles(held, Chosen::Marked(Marker), out);
        view.parallel_for_each(Extent::new([8]).tile::<4>(), kernel)
    });
}

#[amp_kernel]
fn by_rules(idx: Index<1>, rule: Sum, out: &mut ArrayViewMut<u32, 1>) {
    let values = [idx[0] as u32, 7, 250, 3];
    let most = Most;
    let pair = (Sum, values[1]);
    let all = [Sum, Sum::default()];
    let braced = Braced {};
    let mut sum = both(values) + folded(most, values) * 3 + folded(braced, values);
    sum += rule.next(pair.1, 2) + pair.0.next(1, 1) + all[idx[0] % 2].next(5, 5);
    if all[0] == Sum {
        sum = marked(Marker, sum);
    }
    out[idx] = sum;
}

#[test]
fn structs_without_fields() {
    let expected: Vec<u32> = (0..300)
        .map(|i| {
            let sum = 100 + i + 260;
            let most = i.max(250);
            sum * 1000 + most + most * 3 + (300 ^ i ^ 7 ^ 250 ^ 3) + 9 + 2 + 10 + 1
        })
        .collect();
    gives(&expected, |view, out| launch(view, 300, by_rules(Sum, out)));
}

const SCALE: u32 = 3;

const fn cubed(x: u32) -> u32 {
    x * x * x
}

twice! {
    const_blocks(x: u32) -> u32 = ((0..8).collect(),);
    {
        const OWN: u32 = 5;
        let made: u32 = const { cubed(SCALE) + OWN };
        let table: [u32; 3] = const { [1, SCALE, cubed(2)] };
        let quarter = x as f32 * const { 1.0 / 3.0 };
        let mut sum = made + table[x as usize % 3] * const { OWN - 1 };
        if cfg!(not(target_os = "none")) && cfg!(all()) {
            sum += 1000;
        }
        if cfg!(any()) {
            sum += 100_000;
        }
        sum + quarter.to_bits() % 1000
    }
}

twice! {
    closures_of_blocks(x: u32) -> u32 = ((0..8).collect(),);
    {
        let k = x + 1;
        let scale = {
            let k = k * 10;
            let pair = (k, x);
            move |y: u32| y * k + pair.1
        };
        let shift = {
            let by: u32 = scale(k);
            move |y: u32| -> u32 { y + by }
        };
        scale(k) + shift(k) * 3 + [1, 2, 3].into_iter().map(|y| scale(y)).sum::<u32>()
    }
}

#[amp_fn]
fn area((width, height): (f32, f32), _: u32, Pair { a: factor, b: _ }: Pair) -> f32 {
    width * height * factor
}

#[amp_fn]
fn middle([first, .., last]: [u32; 3], (low, high): (u32, u32)) -> u32 {
    (first + last) / 2 + low * high
}

#[amp_module]
mod shapes {
    pub trait Scaled {
        fn scaled(self, _: u32) -> u32;

        fn counted(self, (a, b): (u32, u32)) -> u32
        where
            Self: Sized,
        {
            self.scaled(a + b)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Frame(pub u32, pub u32);

    impl Scaled for Frame {
        fn scaled(self, by: u32) -> u32 {
            let Frame(width, height) = self;
            (width + height) * by
        }
    }

    impl Frame {
        pub fn between([low, high]: [u32; 2]) -> Self {
            Frame(low, high)
        }

        pub fn moved(self, (x, y): (u32, u32)) -> Self {
            Frame(self.0 + x, self.1 + y)
        }
    }

    pub fn scaled<S: Scaled>(shape: S, (a, b): (u32, u32)) -> u32 {
        shape.counted((a * b - 1, 1))
    }
}

use shapes::{Frame, scaled};

#[amp_kernel]
fn patterns_of_parameters(idx: Index<1>, [a, b]: [u32; 2], out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0] as u32;
    let pair = Pair { a: 0.5, b: 7 };
    let frame = Frame::between([a, i]).moved((b, 1));
    let area = area((i as f32, 3.0), i, pair) as u32;
    out[idx] = area + middle([i, 1, a], (i, b)) + scaled(frame, (i, 2));
}

#[test]
fn parameters_are_taken_apart() {
    let by_hand = |i: u32| {
        let area = (i as f32 * 3.0 * 0.5) as u32;
        area + (i + 5) / 2 + i * 9 + ((5 + 9) + (i + 1)) * (i * 2)
    };
    let expected: Vec<u32> = (0..40).map(by_hand).collect();
    gives(&expected, |view, out| {
        launch(view, 40, patterns_of_parameters([5, 9], out))
    });
}
