//! `#[amp_module]`: methods, operators, traits and enums with functions, in the module,
//! beside it and in another crate; each against the same module as plain Rust.

use amp::prelude::*;
use amp_test_helpers::solid::{self, Matrix, Spot, Turn};
use half::bf16;
use testkit::numbers::pairs;
use testkit::{becomes, gives, input, launch, same_by_eq};

#[amp_fn]
fn outside(x: i32) -> i32 {
    x * FACTOR
}

const FACTOR: i32 = 3;

device_and_host! {
    #[allow(unused_imports)]
    use super::{outside, FACTOR};
    use core::ops::{Add, AddAssign, BitAnd, BitXor, Div, Mul, Neg, Not, Rem, Shl, ShrAssign, Sub};

    const MASK: i32 = 0xff;

    /// Compared part by part.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pair {
        pub a: i32,
        pub b: [i32; 2],
    }

    impl Pair {
        pub const PARTS: u32 = 3;
        pub const ONE: Self = Self { a: 1, b: [MASK, FACTOR] };
        pub const BOTH: [Pair; 2] = [Pair::ONE, Pair { a: 5, b: [6, 7] }];

        pub fn new(a: i32, b: i32) -> Self {
            Self { a, b: [b, a ^ b] }
        }

        pub fn sum(self) -> i32 {
            let mut sum = self.a;
            for i in 0..2 {
                sum += self.b[i];
            }
            sum
        }

        pub fn masked(&self) -> i32 {
            self.sum() & MASK
        }

        pub fn larger(&self, other: &Self) -> Self {
            if self.masked() > other.masked() { *self } else { *other }
        }

        pub fn shift(&mut self, by: i32) -> i32 {
            if by == 0 {
                return 0;
            }
            let before = self.a;
            self.a += by;
            self.b[1] = before;
            before
        }

        pub fn twice(&mut self, by: i32) -> i32 {
            let first = self.shift(by);
            *self += Self::new(by, first);
            self.shift(-by) + Self::PARTS as i32
        }
    }

    impl Default for Pair {
        fn default() -> Self {
            Pair::new(7, -7)
        }
    }

    impl From<i32> for Pair {
        fn from(x: i32) -> Self {
            Self::new(x, 1)
        }
    }

    impl From<u32> for Pair {
        fn from(x: u32) -> Self {
            Self::new(2, x as i32)
        }
    }

    impl Add for Pair {
        type Output = Self;
        fn add(self, o: Self) -> Self::Output {
            Pair { a: self.a + o.a, b: [self.b[0] + o.b[0], self.b[1] - o.b[1]] }
        }
    }

    impl Sub<i32> for Pair {
        type Output = Pair;
        fn sub(self, x: i32) -> Pair {
            Pair::new(self.a - x, self.b[0])
        }
    }

    impl Mul<Pair> for i32 {
        type Output = Pair;
        fn mul(self, p: Pair) -> Pair {
            Pair::new(self * p.a, self * p.b[1])
        }
    }

    impl Mul<Pair> for u32 {
        type Output = u32;
        fn mul(self, p: Pair) -> u32 {
            self ^ p.a as u32
        }
    }

    impl Div for Pair {
        type Output = i32;
        fn div(self, o: Pair) -> i32 {
            self.a / (o.a | 1)
        }
    }

    impl Rem<i32> for Pair {
        type Output = i32;
        fn rem(self, x: i32) -> i32 {
            self.a % (x | 1)
        }
    }

    impl BitAnd for Pair {
        type Output = bool;
        fn bitand(self, o: Pair) -> bool {
            self.a & o.a != 0
        }
    }

    impl BitXor<bool> for Pair {
        type Output = Pair;
        fn bitxor(self, flip: bool) -> Pair {
            if flip { -self } else { self }
        }
    }

    impl Shl<u32> for Pair {
        type Output = i32;
        fn shl(self, by: u32) -> i32 {
            self.a << by
        }
    }

    impl Neg for Pair {
        type Output = Self;
        fn neg(self) -> Self {
            Self::new(-self.a, !self.b[0])
        }
    }

    impl Not for Pair {
        type Output = i32;
        fn not(self) -> i32 {
            -self.sum()
        }
    }

    impl AddAssign for Pair {
        fn add_assign(&mut self, o: Self) {
            *self = *self + o;
        }
    }

    impl ShrAssign<u32> for Pair {
        fn shr_assign(&mut self, by: u32) {
            self.a >>= by;
            self.b[0] >>= by;
        }
    }

    /// Equal to what it says.
    #[derive(Clone, Copy, Debug)]
    pub struct Angle {
        pub degrees: i32,
    }

    impl Angle {
        pub const RIGHT: Self = Angle { degrees: 90 };
    }

    impl PartialEq for Angle {
        fn eq(&self, other: &Angle) -> bool {
            (self.degrees - other.degrees) % 360 == 0
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(i32)]
    pub enum Level {
        None = 0,
        Low = 2,
        High = 5,
    }

    impl Level {
        pub const ALL: i32 = 3;

        pub fn of(x: i32) -> Self {
            match x {
                i32::MIN..=0 => Self::None,
                1..=4 => Level::Low,
                _ => Self::High,
            }
        }

        pub fn next(self) -> Self {
            match self {
                Self::None => Self::Low,
                Self::Low => Self::High,
                Level::High => Level::None,
            }
        }

        pub fn is_high(&self) -> bool {
            matches!(self.next(), Self::None)
        }
    }

    pub trait Measure {
        const UNIT: i32;
        type Part;

        fn measure(&self) -> i32;

        fn part(self) -> Self::Part;

        fn doubled(&self) -> i32 {
            self.measure() * 2 + Self::UNIT + outside(Self::zero())
        }

        fn zero() -> i32 {
            5
        }
    }

    impl Measure for Pair {
        const UNIT: i32 = 100;
        type Part = [i32; 2];

        fn measure(&self) -> i32 {
            self.sum()
        }

        fn part(self) -> Self::Part {
            self.b
        }
    }

    impl Measure for Level {
        const UNIT: i32 = 10;
        type Part = i32;

        fn measure(&self) -> i32 {
            helper(*self as i32)
        }

        fn part(self) -> i32 {
            self as i32
        }

        fn zero() -> i32 {
            6
        }
    }

    impl Measure for i32 {
        const UNIT: i32 = 1;
        type Part = Level;

        fn measure(&self) -> i32 {
            *self / 2
        }

        fn part(self) -> Level {
            Level::of(self)
        }
    }

    /// After those who call it, and private.
    fn helper(x: i32) -> i32 {
        outside(x) + FACTOR
    }

    pub fn everything(x: i32, y: i32) -> i32 {
        let mut pair = Pair::new(x, y);
        let mut sum = pair.sum() + Pair::default().masked();
        sum ^= pair.twice(y & 7);
        let other = pair.larger(&Pair::from(x)) + Pair::from(y as u32);
        sum ^= (other - y).sum() + (3_i32 * other).sum() + (5_u32 * other) as i32;
        sum ^= other / pair + other % y + (other << 3) + !pair;
        if other & pair {
            sum += 11;
        }
        pair >>= 1;
        sum ^= (-pair ^ (x > y)).sum();
        if pair == other || pair != Pair::new(pair.a, pair.b[0]) {
            sum += 17;
        }
        let (a, b) = (Angle { degrees: x }, Angle { degrees: y });
        if a == b {
            sum += 1;
        }
        if a != b {
            sum += 2;
        }
        let level = Level::of(x);
        if level.is_high() || level.next() == Level::Low {
            sum += Level::ALL;
        }
        sum ^= level.doubled() + pair.doubled() + x.doubled() + Measure::measure(&y);
        sum ^= (Pair::ONE + Pair::BOTH[1]).sum() + Angle::RIGHT.degrees;
        sum ^ pair.part()[1] ^ level.part() ^ y.part() as i32 ^ Level::zero()
    }
}

const NUMBERS: [i32; 9] = [-361, -2, -1, 0, 1, 3, 7, 359, 1000];

mod everywhere {
    use super::*;

    #[amp_kernel]
    fn each(
        idx: Index<1>,
        x: &ArrayView<i32, 1>,
        y: &ArrayView<i32, 1>,
        out: &mut ArrayViewMut<i32, 1>,
    ) {
        out[idx] = device::everything(x[idx], y[idx]);
    }

    #[test]
    fn modules_compute_what_rust_does() {
        let (x, y) = pairs(&NUMBERS);
        let pairs = x.iter().zip(&y);
        let expected: Vec<i32> = pairs.map(|(&x, &y)| host::everything(x, y)).collect();
        gives(&expected, |view, out| {
            launch(view, x.len(), each(&input(&x), &input(&y), out))
        });
    }
}

same_by_eq!(device::Pair);

use device::{Level, Measure, Pair};

/// Methods on elements of views, tile_static variables, local arrays and fields.
#[amp_kernel]
fn places(t_idx: TiledIndex<1, 4>, pairs: &mut ArrayViewMut<Pair, 1>, level: Level) {
    #[tile_static]
    let mut shared: [Pair; 4];
    let local = t_idx.local[0];
    shared[local] = pairs[t_idx];
    shared[local].shift(local as i32);
    t_idx.barrier.wait();
    pairs[t_idx].shift(10);
    pairs[t_idx] += shared[3 - local];
    let mut own = [pairs[t_idx], Pair::default()];
    let mut nested = (1, own[0]);
    nested.1.shift(nested.0);
    own[local % 2].twice(level as i32);
    pairs[t_idx] = own[0] + nested.1 + own[1];
    pairs[t_idx].b[1] += shared[0].masked() + level.doubled();
}

#[test]
fn methods_change_places() {
    let before = [
        Pair::new(1, 2),
        Pair::new(3, 4),
        Pair::new(5, 6),
        Pair::new(7, 8),
    ];
    let mut shared = before.map(|pair| host::Pair {
        a: pair.a,
        b: pair.b,
    });
    for (local, pair) in shared.iter_mut().enumerate() {
        pair.shift(local as i32);
    }
    let mut expected = Vec::new();
    for (local, pair) in before.iter().enumerate() {
        let mut pair = host::Pair {
            a: pair.a,
            b: pair.b,
        };
        pair.shift(10);
        pair += shared[3 - local];
        let mut own = [pair, host::Pair::default()];
        let mut nested = (1, own[0]);
        nested.1.shift(nested.0);
        own[local % 2].twice(5);
        pair = own[0] + nested.1 + own[1];
        pair.b[1] += shared[0].masked() + host::Measure::doubled(&host::Level::High);
        expected.push(Pair {
            a: pair.a,
            b: pair.b,
        });
    }
    becomes([4], &before, &expected, |view, pairs| {
        let domain = pairs.extent().tile::<4>();
        launch(view, domain, places(pairs, Level::High))
    });
}

/// Assignments by operators that are functions, to elements of an array that the value reads.
#[amp_kernel]
fn updates_by_functions(
    idx: Index<1>,
    by: u32,
    pairs: &mut ArrayViewMut<Pair, 1>,
    halves: &mut ArrayViewMut<bf16, 1>,
) {
    let i = idx[0];
    let mut own = [pairs[i], Pair::new(i as i32, 2), Pair::BOTH[0]];
    let mut next = i;
    own[&i & &1] += own[2] + own[1 - i];
    own[{
        next = 1 - next;
        next
    }] += Pair::new(next as i32, own[next].a);
    pairs[i] = own[0] + own[1];
    let mut half = [halves[i], halves[i] + bf16::ONE, bf16::NEG_ONE];
    half[(by as usize) & 1] -= half[i] * half[2] + half[1];
    halves[i] = half[0] - half[1];
}

#[test]
fn values_read_the_array_that_an_operator_changes() {
    let pairs = [Pair::new(1, 2), Pair::new(3, 4)];
    let halves = [1.5, -0.25].map(bf16::from_f32);
    let mut expected = Vec::new();
    let mut expected_halves = Vec::new();
    for i in 0..2 {
        let pair = host::Pair {
            a: pairs[i].a,
            b: pairs[i].b,
        };
        let mut own = [pair, host::Pair::new(i as i32, 2), host::Pair::BOTH[0]];
        own[i] += own[2] + own[1 - i];
        own[1 - i] += host::Pair::new(1 - i as i32, own[1 - i].a);
        let sum = own[0] + own[1];
        expected.push(Pair { a: sum.a, b: sum.b });
        let mut half = [halves[i], halves[i] + bf16::ONE, bf16::NEG_ONE];
        half[1] -= half[i] * half[2] + half[1];
        expected_halves.push(half[0] - half[1]);
    }
    becomes([2], &pairs, &expected, |view, pairs| {
        let mut data = halves;
        let mut halves = ArrayViewMut::new(2, &mut data)?;
        launch(view, 2, updates_by_functions(3, pairs, &mut halves))?;
        halves.synchronize()?;
        drop(halves);
        assert_eq!(data[..], expected_halves, "{view}");
        Ok(())
    });
}

/// Types, operators and their constants of another crate.
#[amp_kernel]
fn turned(
    idx: Index<1>,
    points: &ArrayView<Spot, 1>,
    out: &mut ArrayViewMut<f32, 2>,
    by: Matrix,
    turn: Turn,
) {
    let mut point = by * points[idx] + Spot::splat(solid::OFFSET) - 2.0 * Spot::unit(1);
    for _ in 0..turn.quarters() {
        point.turn();
    }
    point *= solid::scale_of(point);
    for i in 0..3 {
        out[[idx[0], i]] = point.at[i];
    }
}

#[test]
fn modules_of_other_crates_are_imported() {
    let points = [Spot::new(1.0, 2.0, 3.0), Spot::new(-4.0, 0.5, 0.25)];
    let by = Matrix::rows(
        Spot::new(1.0, 0.0, 2.0),
        Spot::new(0.0, -1.0, 0.0),
        Spot::new(0.5, 0.0, 1.0),
    );
    let expected = points.map(|point| {
        let mut point = by * point + Spot::splat(solid::OFFSET) - 2.0 * Spot::unit(1);
        for _ in 0..3 {
            point.turn();
        }
        point *= solid::scale_of(point);
        point.at
    });
    becomes([2, 3], &[0.0; 6], expected.as_flattened(), |view, out| {
        launch(view, 2, turned(&input(&points), out, by, Turn::Back))
    });
}
