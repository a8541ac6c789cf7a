use amp::algorithms::{
    Add, Max, Operation, operation, segmented_exclusive_scan, segmented_inclusive_scan,
    segmented_reduce,
};
use amp::prelude::*;

use crate::data::{Random, gives, mild};
use crate::reduce::in_one_block;
use crate::scan::Scanned;

/// Offsets of segments of random lengths, some of which are empty, from a place in the beginning on.
fn offsets(seed: u64, n: usize, longest: usize) -> Vec<u32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut offsets = vec![random.usize(..n.min(3)) as u32];
    loop {
        let length = if random.bool() {
            random.usize(..=longest)
        } else {
            random.usize(..3)
        };
        let next = offsets[offsets.len() - 1] as usize + length;
        if next >= n {
            offsets.push(n as u32);
            return offsets;
        }
        offsets.push(next as u32);
    }
}

fn check<T: Random>(what: &str, operation: impl Operation<T> + Copy, combine: fn(T, T) -> T) {
    for (seed, (n, longest)) in [(1, 1), (300, 5), (9000, 700), (70_001, 40_000)]
        .into_iter()
        .enumerate()
    {
        let input: Vec<T> = mild(seed as u64, n);
        let initial = input[n / 2];
        let offsets = offsets(seed as u64, n, longest);
        let places = ArrayView::new(offsets.len(), &offsets).unwrap();

        let segment = |at: &[u32]| match &input[at[0] as usize..at[1] as usize] {
            [] => initial,
            segment => in_one_block(segment, combine),
        };
        let expected: Vec<T> = offsets.windows(2).map(segment).collect();
        gives(&input, &expected, what, |from, to| {
            segmented_reduce(from, &places, to, initial, operation)
        });

        let starts = |at: usize| offsets.contains(&(at as u32));
        let marked: Vec<(bool, T)> = (0..n).map(|at| (starts(at), input[at])).collect();
        let scanned = Scanned::of(&marked, |a, b| match b.0 {
            true => b,
            false => (a.0, combine(a.1, b.1)),
        });
        let inclusive: Vec<T> = scanned.inclusive.iter().map(|x| x.1).collect();
        gives(&input, &inclusive, what, |from, to| {
            segmented_inclusive_scan(from, &places, to, operation)
        });
        let before = |at: usize| match at == 0 || marked[at].0 {
            true => initial,
            false => combine(initial, scanned.before(at).1),
        };
        let exclusive: Vec<T> = (0..n).map(before).collect();
        gives(&input, &exclusive, what, |from, to| {
            segmented_exclusive_scan(from, &places, to, initial, operation)
        });
    }
}

#[test]
fn numbers() {
    check::<f32>("sums", Add, |a, b| a + b);
    check::<i64>("sums", Add, i64::wrapping_add);
    check::<u8>("maxima", Max, u8::max);
}

#[test]
fn own_operations() {
    let decay = 0.5;
    let offsets = offsets(5, 5000, 3000);
    let places = ArrayView::new(offsets.len(), &offsets).unwrap();
    let input: Vec<f32> = mild(6, 5000);
    let marked: Vec<(bool, f32)> = (0..5000)
        .map(|at| (offsets.contains(&(at as u32)), input[at]))
        .collect();
    let scanned = Scanned::of(&marked, |a, b| match b.0 {
        true => b,
        false => (a.0, a.1 * decay + b.1),
    });
    let expected: Vec<f32> = scanned.inclusive.iter().map(|x| x.1).collect();
    gives(&input, &expected, "decays", |from, to| {
        let combine = operation!(|a: f32, b: f32| [decay: f32] a * decay + b);
        segmented_inclusive_scan(from, &places, to, combine)
    });
}

#[test]
fn segments_need_their_offsets() {
    let (input, offsets) = ([1, 2, 3], [0, 3]);
    let mut sums = [0; 2];
    let error = segmented_reduce(
        &ArrayView::from(&input),
        &ArrayView::from(&offsets),
        &mut ArrayViewMut::from(&mut sums),
        0,
        Add,
    );
    let message = error.expect_err("a segment is missing").to_string();
    assert!(
        message.contains("2 segments have 3 offsets, but 2 were passed"),
        "{message}"
    );
}
