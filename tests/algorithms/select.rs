use amp::algorithms::{all, any, count_if, partition, predicate, select};
use amp::prelude::*;

use crate::data::{FEW_LENGTHS, gives, random};

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Item {
    key: u32,
    value: u32,
    more: u32,
}
testkit::same_by_eq!(Item);

#[test]
fn counts() {
    for &n in FEW_LENGTHS {
        let input: Vec<f32> = random(1, n);
        let limit = 0.25;
        let count = input.iter().filter(|x| **x > limit).count();
        let expected = [count as u32, u32::from(count > 0), u32::from(count == n)];
        gives(&input, &expected, "counts", |from, to| {
            to[0] = count_if(from, predicate!(|x: f32| [limit: f32] x > limit))? as u32;
            to[1] = u32::from(any(from, predicate!(|x: f32| [limit: f32] x > limit))?);
            to[2] = u32::from(all(from, predicate!(|x: f32| [limit: f32] x > limit))?);
            Ok(())
        });
    }
}

#[test]
fn elements_keep_their_order() {
    for &n in FEW_LENGTHS.iter().chain(&[70_000]) {
        let keys: Vec<u8> = random(2, n);
        let item = |(i, key): (usize, &u8)| Item {
            key: u32::from(*key),
            value: i as u32,
            more: 1,
        };
        let input: Vec<Item> = keys.iter().enumerate().map(item).collect();
        let (mut chosen, others): (Vec<Item>, Vec<Item>) =
            input.iter().partition(|item| item.key % 3 == 1);
        let count = chosen.len();
        let zeroes = vec![
            Item {
                key: 0,
                value: 0,
                more: 0
            };
            n - count
        ];
        gives(
            &input,
            &[&chosen[..], &zeroes].concat(),
            "select",
            |from, to| {
                let found = select(from, to, predicate!(|item: Item| item.key % 3 == 1))?;
                assert_eq!(found, count);
                Ok(())
            },
        );
        chosen.extend(others);
        gives(&input, &chosen, "partition", |from, to| {
            let found = partition(from, to, predicate!(|item: Item| item.key % 3 == 1))?;
            assert_eq!(found, count);
            Ok(())
        });
    }
    let bytes: Vec<u8> = random(3, 3000);
    let mut expected: Vec<u8> = bytes.iter().copied().filter(|x| *x < 100).collect();
    expected.resize(bytes.len(), 0);
    gives(&bytes, &expected, "bytes", |from, to| {
        select(from, to, predicate!(|x: u8| x < 100)).map(|_| ())
    });
}
