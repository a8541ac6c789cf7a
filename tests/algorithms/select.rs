use amp::algorithms::{
    Queue, Workspace, all, any, count_if, count_if_into, partition, partition_on, predicate,
    select, select_on, unique_on,
};
use amp::prelude::*;

use crate::data::{FEW_LENGTHS, Part, gives, places, random};

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

/// The nine results, the count, and the workspace of a recorded algorithm.
type Results = (Part<u32>, Part<u32>, Workspace);

/// Records an algorithm, replays it with two inputs, and compares the results with the expected ones.
fn replays(
    what: &str,
    expected: [(&[u32], u32); 2],
    algorithm: impl Fn(&mut Queue<'_>, &Part<u32>, &mut Part<u32>, &mut Part<u32>) -> amp::Result<()>
    + Copy
    + Send
    + 'static,
) {
    for (accelerator, view) in places() {
        let words = [3, 3, 8, 1, 1, 1, 9, 4, 4];
        let captures = (
            Part::new(&view, &words),
            (
                Part::new(&view, &[0; 9]),
                Part::new(&view, &[0]),
                Workspace::default(),
            ),
        );
        let graph = view.record_with(
            captures,
            move |recording, (words, results): &mut (_, Results)| {
                let (to, count, workspace) = results;
                algorithm(&mut workspace.within(recording), words, to, count)
            },
        );
        let mut graph = graph.expect(what);
        for (first, (elements, count)) in [3, 7].into_iter().zip(expected) {
            graph.captures_mut().0.view_mut()[0] = first;
            graph.replay().expect(what);
            let (to, counted, _) = &graph.captures().1;
            assert_eq!(counted.to_vec(), [count], "{what} on {accelerator}");
            assert_eq!(
                &to.to_vec()[..elements.len()],
                elements,
                "{what} on {accelerator}"
            );
        }
    }
}

#[test]
fn replayed() {
    replays(
        "select",
        [(&[8, 9, 4, 4], 4), (&[7, 8, 9, 4, 4], 5)],
        |queue, from, to, count| {
            let large = predicate!(|x: u32| x > 3);
            select_on(
                queue,
                &from.view(),
                &mut to.view_mut(),
                &mut count.view_mut(),
                large,
            )
        },
    );
    replays(
        "partition",
        [
            (&[8, 9, 4, 4, 3, 3, 1, 1, 1], 4),
            (&[7, 8, 9, 4, 4, 3, 1, 1, 1], 5),
        ],
        |queue, from, to, count| {
            let large = predicate!(|x: u32| x > 3);
            partition_on(
                queue,
                &from.view(),
                &mut to.view_mut(),
                &mut count.view_mut(),
                large,
            )
        },
    );
    replays("count", [(&[], 4), (&[], 5)], |queue, from, _, count| {
        let large = predicate!(|x: u32| x > 3);
        count_if_into(queue, &from.view(), &mut count.view_mut(), large)
    });
    replays(
        "unique",
        [(&[3, 8, 1, 9, 4], 5), (&[7, 3, 8, 1, 9, 4], 6)],
        |queue, from, to, count| {
            unique_on(
                queue,
                &from.view(),
                &mut to.view_mut(),
                &mut count.view_mut(),
            )
        },
    );
}
