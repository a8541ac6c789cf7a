//! `Ordering`, the methods that have one, and what is chosen by them.

use std::cmp::Ordering;

use amp::prelude::*;
use testkit::twice;

const NUMBERS: [i32; 7] = [0, 1, -1, 3, i32::MAX, i32::MIN, 77];
const FLOATS: [f32; 7] = [0.0, -0.0, 1.5, f32::NAN, -f32::NAN, f32::INFINITY, -1e-40];
const DOUBLES: [f64; 7] = [0.0, -0.0, 1.5, f64::NAN, -f64::NAN, f64::INFINITY, -1e-310];

#[amp_struct]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Date {
    year: i32,
    day: u32,
}

#[amp_enum]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Suit {
    Clubs,
    Hearts,
}

#[amp_fn]
fn sign(order: Ordering) -> i32 {
    match order {
        Ordering::Less => -3,
        Ordering::Equal => 0,
        Ordering::Greater => 5,
    }
}

#[amp_fn]
fn by_day(x: &Date, y: &Date) -> Ordering {
    x.day.cmp(&y.day).then_with(|| y.year.cmp(&x.year))
}

#[amp_fn]
fn least<T: Scalar, const N: usize>(values: [T; N]) -> T {
    let mut values = values;
    values.sort_by(|x, y| x.partial_cmp(y).unwrap_or(Ordering::Equal));
    values[0]
}

twice! {
    integers(x: i32, y: i32) -> i32 = (NUMBERS.repeat(7), NUMBERS.map(|x| [x; 7]).concat());
    {
        let order = x.cmp(&y);
        let mut sum = sign(order) + 100 * sign(order.reverse());
        sum += (x as u8).cmp(&(y as u8)) as i32;
        sum += 7 * sign((x, 3_u64).cmp(&(y & 3, 2)));
        sum += 11 * sign([x, y].cmp(&[y, x]));
        sum += 13 * sign(x.partial_cmp(&y).unwrap());
        sum += 17 * sign((x > 0).cmp(&(y > 0)));
        sum += i32::from(order.is_lt()) + 2 * i32::from(order.is_le()) + 4 * i32::from(order.is_gt());
        sum += 8 * i32::from(order.is_ge()) + 16 * i32::from(order.is_eq()) + 32 * i32::from(order.is_ne());
        sum += 64 * i32::from(order == Ordering::Less) + 128 * i32::from(order < Ordering::Greater);
        sum += sign(order.then(y.cmp(&0)));
        sum.wrapping_add(least([x, y, 3]))
    }
}

twice! {
    of_types(x: i32, y: i32) -> i32 = (NUMBERS.repeat(7), NUMBERS.map(|x| [x; 7]).concat());
    {
        let dates = [
            Date { year: x, day: 3 },
            Date { year: y, day: (x & 3) as u32 },
            Date { year: 7, day: (y & 3) as u32 },
        ];
        let suit = |x: i32| if x > 0 { Suit::Hearts } else { Suit::Clubs };
        let mut sorted = dates;
        sorted.sort();
        let mut by_days = dates;
        by_days.sort_by(by_day);
        let mut sum = sign(dates[0].cmp(&dates[1])) + 10 * sign(suit(x).cmp(&suit(y)));
        sum += sign(Some(x).cmp(&(y > 0).then_some(y)));
        sum += sign(x.cmp(&y).cmp(&Ordering::Equal));
        let first = dates.iter().min_by(|x, y| x.year.cmp(&y.year)).unwrap().day;
        let last = dates.iter().copied().max_by(|x, y| by_day(x, y)).unwrap();
        let keyed = dates.iter().min_by_key(|it| it.day).unwrap().year;
        for date in sorted {
            sum = sum.wrapping_mul(31).wrapping_add(date.year ^ (date.day as i32));
        }
        for date in by_days {
            sum = sum.wrapping_mul(31).wrapping_add(date.year ^ (date.day as i32));
        }
        sum.wrapping_add(first as i32).wrapping_add(last.year).wrapping_add(keyed)
    }
}

twice! {
    floats(x: f32, y: f32) -> i32 = (FLOATS.repeat(7), FLOATS.map(|x| [x; 7]).concat());
    {
        let mut sum = sign(x.total_cmp(&y));
        sum += match x.partial_cmp(&y) {
            Some(Ordering::Less) => 10,
            Some(order) => 20 + order as i32,
            None => 40,
        };
        sum += 100 * (x, 1).partial_cmp(&(y, 2)).map_or(7, sign);
        let all = [x, y, 1.0];
        let least = all.into_iter().min_by(f32::total_cmp).unwrap();
        let most = all.iter().copied().max_by(|x, y| x.partial_cmp(y).unwrap_or(Ordering::Less));
        sum.wrapping_add((least.to_bits() ^ most.unwrap().to_bits()) as i32)
    }
}

twice! {
    doubles(x: f64, y: f64) -> i32 = (DOUBLES.repeat(7), DOUBLES.map(|x| [x; 7]).concat());
    {
        sign(x.total_cmp(&y)) + 10 * x.partial_cmp(&y).map_or(3, sign)
    }
}
