use amp::algorithms::{SourceAlgorithms, TargetAlgorithms, comparison, sort_by};
use amp::prelude::*;

use crate::data::{Part, places, random};

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Item {
    key: i32,
    place: u32,
}
testkit::same_by_eq!(Item);

#[test]
fn equal_elements_keep_their_order() {
    for n in [1, 2, 3, 255, 1000, 5000] {
        let keys: Vec<u8> = random(1, n);
        let item = |(i, key): (usize, &u8)| Item {
            key: i32::from(*key) % 50,
            place: i as u32,
        };
        let items: Vec<Item> = keys.iter().enumerate().map(item).collect();
        let sign = -1;
        let mut expected = items.clone();
        expected.sort_by_key(|item| -item.key);
        for (accelerator, view) in places() {
            let mut found = Part::new(&view, &items);
            let order = comparison!(|a: Item, b: Item| [sign: i32] a.key * sign < b.key * sign);
            sort_by(&mut found.view_mut(), order).unwrap();
            testkit::assert_same(&found.to_vec(), &expected, &format!("{n} on {accelerator}"));
        }
    }
}

#[test]
fn methods() {
    let mut numbers = [3.5_f32, -1.0, 2.0];
    let mut view = ArrayViewMut::new(3, &mut numbers).unwrap();
    assert_eq!((view.sum().unwrap(), view.product().unwrap()), (4.5, -7.0));
    assert_eq!((view.min().unwrap(), view.max().unwrap()), (-1.0, 3.5));
    TargetAlgorithms::sort(&mut view).unwrap();
    TargetAlgorithms::reverse(&mut view.section(1, 2).unwrap()).unwrap();
    drop(view);
    assert_eq!(numbers, [-1.0, 3.5, 2.0]);
}
