use amp::algorithms::{gather, reverse, rotate, scatter};
use amp::prelude::*;

use crate::data::{FEW_LENGTHS, Part, Random, gives, places, random};

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Color {
    parts: [u8; 3],
}
testkit::same_by_eq!(Color);

impl Random for Color {
    fn random(random: &mut fastrand::Rng) -> Self {
        Self {
            parts: [random.u8(..), random.u8(..), 1],
        }
    }
}

fn check<T: Random>() {
    for &n in FEW_LENGTHS {
        let elements: Vec<T> = random(1, n);
        let mut order: Vec<u32> = (0..n as u32).collect();
        fastrand::Rng::with_seed(2).shuffle(&mut order);
        let gathered: Vec<T> = order
            .iter()
            .map(|place| elements[*place as usize])
            .collect();
        let mut scattered = elements.clone();
        for (place, x) in order.iter().zip(&elements) {
            scattered[*place as usize] = *x;
        }
        let places_of = ArrayView::new(n, &order).unwrap();
        gives(&elements, &gathered, "gather", |from, to| {
            gather(from, &places_of, to)
        });
        gives(&elements, &scattered, "scatter", |from, to| {
            scatter(from, &places_of, to)
        });
        let mut rotated = elements.clone();
        rotated.rotate_left(n / 3);
        gives(&elements, &rotated, "rotate", |from, to| {
            rotate(from, to, n / 3)
        });
        let mut reversed = elements.clone();
        reversed.reverse();
        for (accelerator, view) in places() {
            let mut found = Part::new(&view, &elements);
            reverse(&mut found.view_mut()).unwrap();
            testkit::assert_same(
                &found.to_vec(),
                &reversed,
                &format!("reverse on {accelerator}"),
            );
        }
    }
}

#[test]
fn elements_of_every_size() {
    check::<u8>();
    check::<i16>();
    check::<f32>();
    check::<u64>();
    check::<Color>();
}
