use std::cmp::Ordering;

use amp::algorithms::{SortKey, argsort, sort, sort_by_key, top_k};
use amp::prelude::*;
use half::{bf16, f16};

use crate::data::{FEW_LENGTHS, LENGTHS, Part, Random, gives, places, random};

/// The order of keys.
pub trait Total: SortKey + Random {
    fn total(&self, other: &Self) -> Ordering;
}

macro_rules! total {
    ($($integer:ident)*; $($float:ident)*) => {
        $(impl Total for $integer {
            fn total(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        })*
        $(impl Total for $float {
            fn total(&self, other: &Self) -> Ordering {
                self.total_cmp(other)
            }
        })*
    };
}
total!(i8 u8 i16 u16 i32 u32 i64 u64; f32 f64 f16 bf16);

/// The places of keys, sorted.
pub fn order<K: Total>(keys: &[K]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by(|a, b| keys[*a as usize].total(&keys[*b as usize]));
    order
}

fn check<K: Total>(lengths: &[usize]) {
    for (seed, &n) in lengths.iter().enumerate() {
        let keys: Vec<K> = random(seed as u64, n);
        let order = order(&keys);
        let sorted: Vec<K> = order.iter().map(|place| keys[*place as usize]).collect();
        for (accelerator, view) in places() {
            let what = format!("{} keys on {accelerator}", keys.len());
            let mut found = Part::new(&view, &keys);
            sort(&mut found.view_mut()).expect(&what);
            testkit::assert_same(&found.to_vec(), &sorted, &what);
        }
        gives(&keys, &order, "order", |from, to| argsort(from, to));
    }
}

#[test]
fn integers() {
    check::<u32>(LENGTHS);
    check::<i8>(FEW_LENGTHS);
    check::<u8>(FEW_LENGTHS);
    check::<i16>(FEW_LENGTHS);
    check::<u16>(FEW_LENGTHS);
    check::<i32>(FEW_LENGTHS);
    check::<i64>(FEW_LENGTHS);
    check::<u64>(FEW_LENGTHS);
}

#[test]
fn floats() {
    check::<f32>(LENGTHS);
    check::<f64>(FEW_LENGTHS);
    check::<f16>(FEW_LENGTHS);
    check::<bf16>(FEW_LENGTHS);
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Value {
    of: [u16; 3],
}
testkit::same_by_eq!(Value);

#[test]
fn values_stay_with_their_keys() {
    for &n in FEW_LENGTHS {
        let keys: Vec<i16> = random(1, n);
        let order = order(&keys);
        let values: Vec<Value> = (0..n)
            .map(|i| Value {
                of: [i as u16, (i >> 8) as u16, 7],
            })
            .collect();
        let floats: Vec<f32> = random(2, n);
        let sorted: Vec<Value> = order.iter().map(|place| values[*place as usize]).collect();
        let sorted_floats: Vec<f32> = order.iter().map(|place| floats[*place as usize]).collect();
        for (accelerator, view) in places() {
            let what = format!("{n} values on {accelerator}");
            let (mut by, mut found) = (Part::new(&view, &keys), Part::new(&view, &values));
            sort_by_key(&mut by.view_mut(), &mut found.view_mut()).expect(&what);
            testkit::assert_same(&found.to_vec(), &sorted, &what);
            let (mut by, mut found) = (Part::new(&view, &keys), Part::new(&view, &floats));
            sort_by_key(&mut by.view_mut(), &mut found.view_mut()).expect(&what);
            testkit::assert_same(&found.to_vec(), &sorted_floats, &what);
        }
    }
}

#[test]
fn the_greatest() {
    for (n, k) in [(1, 1), (300, 7), (5000, 2500)] {
        let numbers: Vec<f32> = random(3, n);
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_by(|a, b| numbers[*b as usize].total_cmp(&numbers[*a as usize]));
        gives(&numbers, &order[..k], "places", |from, to| {
            let mut greatest = ArrayViewMut::uninit(k)?;
            top_k(from, &mut greatest, to)?;
            let expected: Vec<f32> = order[..k].iter().map(|at| numbers[*at as usize]).collect();
            testkit::assert_same(greatest.data()?, &expected, "numbers");
            Ok(())
        });
    }
}
