//! Orders of the user's own: `impl Ord` and `impl PartialOrd`, what these supply, what takes values by
//! their order, and comparisons part by part of what has such values in it.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    use std::cmp::{Ordering, Reverse};

    /// The cheapest is the greatest; what is behind does not matter to the order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct State {
        pub cost: u32,
        pub at: u32,
        pub mark: u32,
    }

    impl Ord for State {
        fn cmp(&self, other: &Self) -> Ordering {
            other.cost.cmp(&self.cost).then_with(|| self.at.cmp(&other.at))
        }
    }

    impl PartialOrd for State {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    /// Not ordered where it has no number; compared with numbers, too.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Length<T> {
        pub x: T,
        pub y: T,
    }

    impl<T: PartialOrd + Copy> PartialOrd for Length<T> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            match self.x.partial_cmp(&other.x) {
                Some(Ordering::Equal) => other.y.partial_cmp(&self.y),
                order => order,
            }
        }
    }

    #[derive(Clone, Copy, Debug)]
    pub struct Degrees(pub f32);

    impl PartialEq<f32> for Degrees {
        fn eq(&self, other: &f32) -> bool {
            self.0 == *other
        }
    }

    impl PartialOrd<f32> for Degrees {
        fn partial_cmp(&self, other: &f32) -> Option<Ordering> {
            self.0.partial_cmp(other)
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u32)]
    pub enum Suit {
        Clubs,
        Hearts,
        Spades,
    }

    impl PartialOrd for Suit {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Suit {
        fn cmp(&self, other: &Self) -> Ordering {
            (*other as u32).cmp(&(*self as u32))
        }

        fn max(self, other: Self) -> Self {
            if self == Suit::Hearts { self } else { other }
        }
    }

    /// Equal by its name alone.
    #[derive(Clone, Copy, Debug)]
    pub struct Named {
        pub name: u32,
        pub value: u32,
    }

    impl PartialEq for Named {
        fn eq(&self, other: &Self) -> bool {
            self.name == other.name
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Job<T> {
        pub urgent: u32,
        pub state: State,
        pub rest: [T; 2],
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Step {
        Start,
        Go(State, u32),
        Turn { by: Suit, then: State },
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Date {
        pub year: i32,
        pub day: u32,
    }

    fn state(x: u32) -> State {
        State { cost: x % 3, at: x / 3 % 2, mark: x / 6 % 2 }
    }

    fn suit(x: u32) -> Suit {
        match x % 3 {
            0 => Suit::Clubs,
            1 => Suit::Hearts,
            _ => Suit::Spades,
        }
    }

    fn number(x: u32) -> f32 {
        match x % 4 {
            0 => f32::NAN,
            1 => -0.0,
            2 => 0.0,
            _ => 2.5,
        }
    }

    fn step(x: u32) -> Step {
        match x % 5 {
            0 => Step::Start,
            1 | 2 => Step::Go(state(x / 5), x % 2),
            _ => Step::Turn { by: suit(x / 7), then: state(x / 5) },
        }
    }

    fn bits(all: &[bool]) -> u32 {
        let mut bits = 0;
        for is_set in all {
            bits = 2 * bits + *is_set as u32;
        }
        bits
    }

    pub fn operators(a: u32, b: u32) -> u32 {
        let (x, y) = (state(a), state(b));
        let (l, m) = (
            Length { x: number(a), y: number(b / 4) },
            Length { x: number(b), y: number(a / 4) },
        );
        let (s, t) = (suit(a), suit(b));
        let d = Degrees(number(a));
        bits(&[
            x < y,
            x <= y,
            x > y,
            x >= y,
            x == y,
            &x < &y,
            l < m,
            l <= m,
            l > m,
            l >= m,
            l.partial_cmp(&m).is_none(),
            d < number(b),
            d >= number(b),
            d == number(b),
            s < t,
            s >= t,
            (x..y).contains(&state(a ^ b)),
            x.cmp(&y) == Ordering::Equal,
            x.partial_cmp(&y) == Some(Ordering::Less),
        ])
    }

    pub fn chosen(a: u32, b: u32) -> u32 {
        let (x, y) = (state(a), state(b));
        let (s, t) = (suit(a), suit(b));
        let (low, high) = if x < y { (x, y) } else { (y, x) };
        let sum = x.max(y).mark + 2 * x.min(y).mark + 4 * state(a ^ b).clamp(low, high).at;
        let sum = sum + 8 * s.max(t) as u32 + 24 * s.min(t) as u32;
        let sum = sum + 72 * std::cmp::max(x, y).mark + 144 * std::cmp::min(x, y).mark;
        let sum = sum + 288 * std::cmp::max(s, t) as u32;
        let date = Date { year: a as i32 % 3, day: b };
        let other = Date { year: b as i32 % 3, day: a };
        let sum = sum + 1000 * (date.max(other).day % 7 + date.min(other).year as u32);
        let sum = sum + 10000 * (Some(x).max(Some(y)).map_or(0, |s| s.mark) + (a % 4, b).max((b % 4, a)).0);
        sum + 100000 * ((a > 3).max(b > 5) as u32 + 2 * (step(a).max(step(b)) == step(b)) as u32)
    }

    pub fn sorted(a: u32, b: u32) -> u32 {
        let mut all = [state(a), state(b), state(a + b), state(a ^ b), state(a / 2)];
        all.sort();
        let mut sum = 0;
        for x in all {
            sum = 2 * sum + x.mark;
        }
        let best = *all.iter().max().unwrap();
        let worst = all.iter().copied().min().unwrap();
        sum += 64 * best.at + 128 * worst.at;
        let found = all.binary_search(&best).is_ok();
        all.sort_unstable_by_key(|x| (Reverse(x.mark), *x));
        for x in all {
            sum = 2 * sum + x.at;
        }
        let mut numbers = [a % 5, b % 5, (a + b) % 5];
        numbers.sort_by_key(|x| Reverse(*x));
        sum += 3 * numbers[0] + 5 * numbers[2];
        let at = all.iter().enumerate().max_by_key(|(i, x)| (**x, Reverse(*i))).map_or(0, |(i, _)| i);
        let least = (0..6).map(|k| suit(a + k * b)).min().unwrap();
        let most = (0..6_u32).max_by_key(|k| suit(a + k * b)).unwrap();
        sum = 7 * sum + at as u32 + most;
        2 * sum + found as u32 + least as u32 + all.is_sorted() as u32
    }

    pub fn by_parts(a: u32, b: u32) -> u32 {
        let (x, y) = (state(a), state(b));
        let job = |x: u32, state| Job { urgent: x % 7 / 6, state, rest: [x % 2, x % 3] };
        let (i, j) = (job(a, x), job(b, y));
        let (p, q) = (step(a), step(b));
        let (m, n) = (Named { name: a % 2, value: a }, Named { name: b % 2, value: b });
        let (r, s) = (Reverse(number(a)), Reverse(number(b)));
        let long = |x: u32| {
            let mut all = [state(1); 20];
            all[x as usize % 20] = state(x);
            all
        };
        bits(&[
            (x, a % 2) < (y, b % 2),
            (x, a % 2) >= (y, b % 2),
            (x, a % 2) == (y, b % 2),
            ((a % 2, x), number(a)) <= ((b % 2, y), number(b)),
            [x, y] > [y, x],
            long(a) < long(b),
            long(a) >= long(b),
            i < j,
            i >= j,
            i == j,
            i.cmp(&j).is_gt(),
            p < q,
            p >= q,
            p == q,
            p.partial_cmp(&q) == Some(Ordering::Less),
            Some(x) < Some(y),
            Some(x) <= None,
            (m, a % 3) == (n, b % 3),
            [m, n] != [n, m],
            r < s,
            r >= s,
            r == s,
            (r, 1) > (s, 1),
            r.partial_cmp(&s).is_none(),
            Reverse(x).cmp(&Reverse(y)).is_lt(),
            Reverse(x).max(Reverse(y)).0 == x,
        ])
    }

    pub fn all(which: u32, a: u32, b: u32) -> u32 {
        match which {
            0 => operators(a, b),
            1 => chosen(a, b),
            2 => sorted(a, b),
            _ => by_parts(a, b),
        }
    }
}

#[amp_kernel]
fn compute(
    idx: Index<1>,
    which: u32,
    a: &ArrayView<u32, 1>,
    b: &ArrayView<u32, 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    out[idx] = device::all(which, a[idx], b[idx]);
}

#[test]
fn own_orders_are_those_of_rust() {
    let pairs = (0..900_u32).map(|k| (k / 30, k * 7 % 31));
    let (a, b): (Vec<u32>, Vec<u32>) = pairs.unzip();
    for which in 0..4 {
        let expected: Vec<u32> = a
            .iter()
            .zip(&b)
            .map(|(a, b)| host::all(which, *a, *b))
            .collect();
        gives(&expected, |view, out| {
            let (a, b) = (testkit::input(&a), testkit::input(&b));
            launch(view, out.extent(), compute(which, &a, &b, out))
        });
    }
}
