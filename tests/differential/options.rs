//! `Option` and `Result`: made, matched, their methods, `?`; as parameters and parts of values; and the
//! faults of `unwrap` and `expect`.

use amp::prelude::*;
use testkit::{gives, input, launch, twice};

const NUMBERS: [u32; 12] = [0, 1, 2, 3, 4, 6, 7, 8, 12, 100, 250, u32::MAX];

#[amp_fn]
fn half(x: u32) -> Option<u32> {
    if x % 2 == 0 && x > 0 {
        Some(x / 2)
    } else {
        None
    }
}

#[amp_fn]
fn quarter(x: u32) -> Option<u32> {
    let half_of_it = half(x)?;
    half(half_of_it)
}

#[amp_fn]
fn small(x: u32) -> Result<u32, (u32, f32)> {
    let q = quarter(x).ok_or((x, 0.5))?;
    if q > 2 { Err((q, 1.5)) } else { Ok(q) }
}

#[amp_fn]
fn must_be_small(x: u32) -> Result<(), u8> {
    if x > 5 { Err(x as u8) } else { Ok(()) }
}

#[amp_fn]
fn both_small(x: u32, y: u32) -> Result<u32, u8> {
    must_be_small(x)?;
    must_be_small(y)?;
    Ok(x * 10 + y)
}

#[amp_fn]
fn add_to(total: &mut Option<u32>, x: u32) {
    match total {
        Some(sum) => *sum = sum.wrapping_add(x),
        none => *none = Some(x),
    }
}

#[amp_fn]
fn largest<T: Scalar>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if x > y { x } else { y }),
        (one, other) => one.or(other),
    }
}

twice! {
    options(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let o = half(x);
        let mut sum = o.map(|h| h / 3).unwrap_or(7);
        sum += o.is_some() as u32 + 2 * o.is_none() as u32;
        sum += o.is_some_and(|h| h > 2) as u32 * 4 + o.is_none_or(|h| h > 2) as u32 * 8;
        sum += o.map_or(16, |h| h % 16) + o.map_or_else(|| 3, |h| h % 5);
        sum += o.and(Some(1_u8)).map_or(0, |n| n as u32) + o.and_then(|h| half(h)).unwrap_or_default() % 77;
        sum += o.or(Some(5)).unwrap_or(0) % 31 + o.or_else(|| quarter(12)).unwrap_or_else(|| 1000) % 33;
        sum += o.xor(quarter(x)).is_some() as u32 * 32;
        sum += o.filter(|h| *h > 2).is_some() as u32 * 64 + o.filter(|&h| h % 2 == 1).is_some() as u32 * 128;
        sum += o.zip(quarter(x)).map_or(9, |(a, b)| a % 100 - b % 50);
        sum += Some(o).flatten().unwrap_or(2) % 21;
        let (a, b) = o.zip(Some(x as f32)).unzip();
        sum += a.unwrap_or(1) % 10 + b.map_or(0, |f| f as u32 % 10);
        sum + Option::<u32>::None.is_some() as u32 + Option::is_none(&o) as u32
    }
}

twice! {
    results(x: u32) -> u32 = (NUMBERS.to_vec(),);
    {
        let r = small(x);
        let mut sum = r.is_ok() as u32 + 2 * r.is_err() as u32;
        sum += r.ok().unwrap_or(4) + r.err().map_or(8, |(n, f)| n % 100 + f as u32);
        sum += r.map(|n| n * 2).map_err(|(n, _)| n % 64).unwrap_or_else(|n| n * 16);
        sum += r.is_ok_and(|n| n == 1) as u32 * 32 + r.is_err_and(|(_, f)| f > 1.0) as u32 * 64;
        sum += r.map_or(3, |n| n + 1) + r.map_or_else(|(_, f)| f as u32, |n| n);
        sum += r.and(small(8)).unwrap_or(5) + r.and_then(|n| small(n * 4)).unwrap_or_default();
        sum += r.or(small(4)).unwrap_or(6) + r.or_else(|(n, _)| small(n)).unwrap_or(7);
        sum += match r {
            Ok(0..=1) => 100,
            Ok(n) => n,
            Err((n, f)) if f < 1.0 => n % 10,
            Err(_) => 9,
        };
        let t: Option<Result<u32, u8>> = half(x).map(|h| if h > 4 { Err(3) } else { Ok(h) });
        sum + match t.transpose() {
            Ok(Some(n)) => n,
            Ok(None) => 50,
            Err(e) => e as u32,
        }
    }
}

twice! {
    places(x: u32, y: u32) -> u32 = testkit::numbers::pairs(&NUMBERS);
    {
        let mut total = half(x);
        add_to(&mut total, y);
        let before = total.replace(3);
        let taken = total.take();
        let mut sum = before.unwrap_or(1) % 1000 + taken.unwrap_or(0) + total.is_some() as u32;
        let mut left = Some(x % 64);
        while let Some(n) = left {
            sum += 1;
            left = if n > 3 { Some(n / 2) } else { None };
        }
        sum += match half(y) {
            None => 9,
            Some(n) => n % 3,
        };
        sum += match both_small(x, y) {
            Ok(n) => n,
            Err(n) => n as u32 * 3,
        };
        let Some(most) = largest(half(x), half(y)) else {
            return sum;
        };
        for o in [half(x), quarter(y), Some(1)] {
            if let Some(n) = o {
                sum += n % 7;
            }
        }
        let f = largest(Some(x as f32), None).unwrap_or(0.5);
        sum + most % 100 + (f > 2.0) as u32 + (half(x) == half(y)) as u32 * 10 + (half(x) < half(y)) as u32 * 20
    }
}

twice! {
    referred(x: u32, y: u32) -> u32 = testkit::numbers::pairs(&NUMBERS);
    {
        let mut best: Option<(u32, u32)> = None;
        let mut slot: Option<u32> = half(x);
        let mut counts = (None, [3, 4]);
        for (i, v) in [x % 100, y % 100, 7, 50].into_iter().enumerate() {
            if best.as_ref().is_none_or(|b| v > b.1) {
                best = Some((i as u32, v));
            }
            if let Some(b) = best.as_mut() {
                b.0 += 1;
            }
            *slot.get_or_insert(v) ^= v + slot.as_ref().map_or(1, |s| s % 5);
            *counts.0.get_or_insert_with(|| 4) += 2;
            if slot.as_ref().is_some_and(|s| *s % 3 == 1) {
                slot = None;
            }
        }
        while let Some(b) = best.as_mut() {
            if b.1 < 9 {
                break;
            }
            b.1 /= 2;
        }
        let read = *slot.get_or_insert(5) + *counts.0.get_or_insert_with(|| 9);
        let Some(b) = best.as_ref() else { return 0 };
        let sum = read % 10_000 + b.0 * 3 + best.as_ref().unwrap().1 + *slot.as_ref().unwrap() % 77;
        let more = match counts.0.as_ref() {
            Some(count) if *count > 9 => *count,
            Some(count) => *count * 2,
            None => 1,
        };
        sum + more + best.as_ref().map(|b| b.0 * b.1).unwrap_or(3) + best.as_ref().copied().map_or(0, |b| b.1)
    }
}

twice! {
    filled(x: u32, y: u32) -> u32 = testkit::numbers::pairs(&NUMBERS);
    {
        let mut slots: [Option<u32>; 4] = [None; 4];
        for k in 0..6 {
            *slots[(x >> k) as usize % 4].get_or_insert_with(|| y / 2) ^= k;
        }
        let one = slots[y as usize % 4].get_or_insert(7);
        *one = one.wrapping_add(x);
        let seen = *one % 100;
        let mut pairs = ([None; 3], 1);
        pairs.0[pairs.1].get_or_insert((x % 10, 4)).1 += 2;
        pairs.0[2].get_or_insert_with(|| (y % 10, 1));
        let product = pairs.0[x as usize % 3].get_or_insert((2, 3)).0.wrapping_mul(3);
        let power = slots[3].get_or_insert(x % 9).wrapping_pow(2) % 50 + *slots[1].insert(y % 8);
        let all = slots.iter().flatten().fold(0, |sum: u32, slot| sum * 7 % 10_007 + slot % 13);
        let counts = [Some(x % 5), Some(y % 3)].map(Option::unwrap);
        let bytes = [Ok::<u32, u8>(x % 11), Ok(4)].into_iter().map(Result::unwrap).sum::<u32>();
        let rest = pairs.0.iter().flatten().map(|pair| pair.0 * 2 + pair.1).sum::<u32>();
        seen + product + power + all + counts[0] * counts[1] + bytes + rest + Option::unwrap(Some(x % 2))
    }
}

twice! {
    checked(x: u32, y: u32) -> u32 = testkit::numbers::pairs(&NUMBERS);
    {
        let (a, b) = (x as i32, y as i8);
        let mut sum = x.checked_add(y).unwrap_or(1) % 100 + x.checked_sub(y).map_or(2, |d| d % 10);
        sum += a.checked_mul(a).map_or(3, |m| m as u32 % 77) + b.checked_neg().unwrap_or(5) as u8 as u32;
        sum += x.checked_div(y).unwrap_or(4) % 9 + x.checked_rem(y % 3).unwrap_or(6) % 8;
        sum += x.checked_pow(3).unwrap_or(7) % 11 + x.checked_shl(y).unwrap_or(8) % 13;
        sum += a.checked_abs().unwrap_or(-1) as u32 % 100 + x.checked_next_power_of_two().unwrap_or(3) % 17;
        sum += x.checked_ilog2().unwrap_or(50) + (x > y).then(|| x % 5).unwrap_or(9);
        sum + (x > y).then_some(1_u8).is_some() as u32
    }
}

#[amp_struct]
struct Setup {
    scale: u32,
    bias: Option<f32>,
}

#[amp_kernel]
fn parameters(
    idx: Index<1>,
    setup: Setup,
    given: (Option<u8>, Result<u32, bool>),
    out: &mut ArrayViewMut<u32, 1>,
) {
    let n = given.0.map_or(0, |n| n as u32) + given.1.unwrap_or(5);
    out[idx] = n * setup.scale + setup.bias.unwrap_or(0.0) as u32;
}

#[test]
fn options_are_parameters() {
    let given = |bias, n, r| {
        move |view: &AcceleratorView, out: &mut ArrayViewMut<u32, 1>| {
            launch(view, 1, parameters(Setup { scale: 10, bias }, (n, r), out))
        }
    };
    gives(&[87], given(Some(7.0), Some(3), Ok(5)));
    gives(&[50], given(None, None, Err(true)));
}

#[amp_fn]
fn unwrapped(x: u32) -> Option<u32> {
    let h = half(x).unwrap();
    let r = small(h).expect("a {small} one");
    Some(r)
}

#[amp_kernel]
fn unwraps(idx: Index<1>, at: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = unwrapped(at[idx]).unwrap_or(50);
    let error = small(at[idx]).unwrap_err();
    out[idx] += error.0;
}

/// The function that panics returns zero: `None`, if it returns an `Option`.
#[test]
fn what_is_not_there_is_a_fault() {
    let cases = [
        (1, "called `Option::unwrap()` on a `None` value", 51),
        (10, "a {small} one", 60),
        (8, "called `Result::unwrap_err()` on an `Ok` value", 1),
    ];
    for view in testkit::new_views() {
        for (number, message, left) in cases {
            let mut found = [0];
            let mut out = ArrayViewMut::new(1, &mut found).unwrap();
            launch(&view, 1, unwraps(&input(&[number]), &mut out)).unwrap();
            let Err(amp::Error::KernelFault(fault)) = out.synchronize() else {
                panic!("no fault for {number} on {view}")
            };
            assert!(fault.to_string().contains(message), "{fault}");
            assert!(fault.to_string().contains("options.rs"), "{fault}");
            drop(out);
            assert_eq!(found, [left], "{number} on {view}");
        }
    }
}
