//! `f16` and `bf16` where an algorithm takes the program's own functions of them. What is ready made for numbers is
//! tested with the other numbers.

use amp::algorithms::{
    fill, function, iota, lower_bound, predicate, reduction, select, transform, transform_reduce,
};
use amp::prelude::*;
use half::{bf16, f16};

use crate::data::{FEW_LENGTHS, gives, mild, random};
use crate::reduce::in_order;

macro_rules! halves {
    ($($float:ident)*) => {$(
        #[test]
        fn $float() {
            for &n in FEW_LENGTHS {
                let input: Vec<$float> = random(1, n);
                let expected: Vec<$float> = input.iter().map(|x| *x + *x).collect();
                gives(&input, &expected, "transform", |from, to| {
                    transform(from, to, function!(|x: $float| -> $float { x + x }))
                });
                let limit = $float::from_f32(0.25);
                let mut chosen: Vec<$float> = input.iter().copied().filter(|x| *x > limit).collect();
                chosen.resize(n, $float::ZERO);
                gives(&input, &chosen, "select", |from, to| {
                    select(from, to, predicate!(|x: $float| [limit: $float] x > limit)).map(drop)
                });
                gives(&input, &vec![limit; n], "fill", |_, to| fill(to, limit));
                let numbers: Vec<$float> = (0..n)
                    .map(|i| limit * $float::from_f32(i as f32) + limit)
                    .collect();
                gives(&input, &numbers, "iota", |_, to| iota(to, limit, limit));

                let input: Vec<$float> = mild(2, n);
                let wide: Vec<f32> = input.iter().map(|x| x.to_f32()).collect();
                gives(&input, &[in_order(&wide, |a, b| a + b)], "sum as f32", |from, to| {
                    let sum = reduction!(|x: $float| -> f32 { x.to_f32() }, |a, b| a + b);
                    to[0] = transform_reduce(from, sum)?;
                    Ok(())
                });
                let mut sorted = input.clone();
                sorted.sort_by($float::total_cmp);
                let places: Vec<u32> = input
                    .iter()
                    .map(|x| sorted.partition_point(|y| y < x) as u32)
                    .collect();
                let sorted = ArrayView::from(&sorted);
                gives(&input, &places, "lower bounds", |from, to| {
                    lower_bound(&sorted, from, to)
                });
            }
        }
    )*};
}
halves!(f16 bf16);
