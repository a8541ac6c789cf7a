use amp::algorithms::{Numeric, run_length, unique};
use amp::prelude::*;

use crate::data::{LENGTHS, Random, gives, random};

/// The runs of equal numbers, and their lengths.
pub fn runs<T: Random>(input: &[T]) -> Vec<(T, u32)> {
    let mut runs: Vec<(T, u32)> = Vec::new();
    for x in input {
        match runs.last_mut() {
            Some((last, length)) if last == x => *length += 1,
            _ => runs.push((*x, 1)),
        }
    }
    runs
}

fn check<T: Random + Numeric>(lengths: &[usize]) {
    for &n in lengths {
        let mut input: Vec<T> = random(n as u64, n);
        for at in 1..n {
            if at % 5 < 3 || n == 300 {
                input[at] = input[at - 1];
            }
        }
        let runs = runs(&input);
        let padded = |x: &mut dyn Iterator<Item = T>| {
            let mut values: Vec<T> = x.collect();
            values.resize(n, T::zeroed());
            values
        };
        let values = padded(&mut runs.iter().map(|run| run.0));
        gives(&input, &values, "unique", |from, to| {
            assert_eq!(unique(from, to)?, runs.len());
            Ok(())
        });
        let mut lengths: Vec<u32> = runs.iter().map(|run| run.1).collect();
        lengths.resize(n, 0);
        gives(&input, &lengths, "lengths", |from, to| {
            let mut found = vec![T::zeroed(); n];
            assert_eq!(
                run_length(from, &mut ArrayViewMut::from(&mut found), to)?,
                runs.len()
            );
            testkit::assert_same(&found, &values, "values");
            Ok(())
        });
    }
}

#[test]
fn numbers() {
    check::<u8>(LENGTHS);
    check::<f32>(&[1, 300, 9000]);
    check::<i64>(&[1, 300, 9000]);
}
