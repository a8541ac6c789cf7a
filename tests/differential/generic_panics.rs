//! Panics of functions that are generic over any type: they leave zeroes of what the instance has.

use amp::prelude::*;
use testkit::{launch, new_views};

#[amp_fn]
fn value<T: Copy>(x: Option<T>) -> T {
    x.unwrap()
}

#[amp_fn]
fn second<T: std::ops::Add<Output = T>>(x: Option<T>) -> (T, u32) {
    (x.expect("two"), 3)
}

#[amp_fn]
fn checked<T: std::ops::Add<Output = T>>(x: Option<T>) -> T {
    if x.is_none() {
        panic!("a")
    }
    x.unwrap()
}

#[amp_fn]
fn element<T: Copy>(x: &[T], i: usize) -> &T {
    if i >= x.len() {
        panic!("big {i}")
    }
    &x[i]
}

#[amp_fn]
fn error<T: Copy, E: Copy>(x: Result<T, E>, y: Option<E>) -> Result<T, E> {
    Err(if x.is_ok() { return x } else { y.unwrap() })
}

#[amp_struct]
struct P<T>(T, u32);

#[amp_fn]
fn in_struct<T: Copy>(x: Option<T>) -> P<T> {
    P(x.unwrap(), 1)
}

#[amp_fn]
fn twice<T: Copy>(x: Option<T>) -> [T; 2] {
    let y = x.unwrap();
    [y, y]
}

#[amp_fn]
fn least<T: PartialOrd + Copy>(x: &[T]) -> T {
    x.iter()
        .copied()
        .reduce(|a, b| if a < b { a } else { b })
        .unwrap()
}

#[amp_fn]
fn first_least<T: PartialOrd + Copy>(x: &[T]) -> T {
    let mut it = x.iter();
    let Some(&first) = it.next() else {
        unreachable!()
    };
    let mut m = first;
    for &y in it {
        if y < m {
            m = y;
        }
    }
    m
}

#[amp_fn]
fn all(i: u32) -> u32 {
    let x = if i == 3 { None } else { Some(i) };
    let y = if i == 4 { None } else { Some(i as f32) };
    let a = [i, 5, 6];
    let n = value(if i == 3 { None } else { Some(i) });
    n + second(y).0 as u32
        + checked(x)
        + *element(&a, (i as usize) / 2)
        + error(if i == 6 { Err(1u8) } else { Ok(2u32) }, None).unwrap_or(9)
        + in_struct(x).0
        + twice(x)[1]
        + least(&a)
        + first_least(&a[..(i as usize) % 4])
        + 1
}

#[amp_kernel]
fn panics_at(idx: Index<1>, at: usize, out: &mut ArrayViewMut<u32, 1>) {
    if idx[0] == at {
        out[idx] = all(idx[0] as u32);
    }
}

#[test]
fn panics_leave_zeroes_of_the_instance() {
    let words = [
        (0, 3, Some("entered unreachable code")),
        (1, 11, None),
        (3, 17, Some("called `Option::unwrap()` on a `None` value")),
        (4, 29, Some("two")),
        (6, 41, Some("big 3")),
    ];
    for (at, value, words) in words {
        for view in new_views() {
            let mut data = [5; 8];
            let mut out = ArrayViewMut::new(8, &mut data).unwrap();
            let launched = launch(&view, out.extent(), panics_at(at, &mut out));
            let fault = launched.and_then(|()| out.synchronize()).err();
            let fault = fault.map(|error| error.to_string()).unwrap_or_default();
            assert!(fault.contains(words.unwrap_or("")), "{view}: {fault}");
            assert_eq!(fault.is_empty(), words.is_none(), "{view}: {fault}");
            drop(out);
            let mut expected = [5; 8];
            expected[at] = value;
            assert_eq!(data, expected, "{view}");
        }
    }
}
