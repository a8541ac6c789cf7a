//! Algorithms over no elements.

use amp::algorithms::random::{Philox, fill_uniform};
use amp::algorithms::{
    Add, Workspace, all, any, argsort, count_if, exclusive_scan, fill, gather, histogram,
    histogram_even, inclusive_scan, iota, lower_bound, max_element, partition, predicate, reduce,
    reduce_into, reverse, rotate, run_length, scatter, segmented_inclusive_scan, segmented_reduce,
    select, sort, sort_by, sort_by_key, top_k, transform, unique,
};
use amp::algorithms::{comparison, function};
use amp::prelude::*;

#[test]
fn nothing_is_done_to_no_elements() -> amp::Result<()> {
    let (nothing, positions): ([i32; 0], [u32; 0]) = ([], []);
    let (from, at) = (ArrayView::from(&nothing), ArrayView::from(&positions));
    let (mut other, mut values): ([i32; 0], [u32; 0]) = ([], []);
    let mut to = ArrayViewMut::from(&mut other);
    let mut values = ArrayViewMut::from(&mut values);
    fill(&mut to, 1)?;
    iota(&mut to, 1, 1)?;
    transform(&from, &mut to, function!(|x: i32| -> i32 { x + 1 }))?;
    inclusive_scan(&from, &mut to, Add)?;
    exclusive_scan(&from, &mut to, 0, Add)?;
    let positive = || predicate!(|x: i32| x > 0);
    assert_eq!(count_if(&from, positive())?, 0);
    assert!(!any(&from, positive())?);
    assert!(all(&from, positive())?);
    assert_eq!(select(&from, &mut to, positive())?, 0);
    assert_eq!(partition(&from, &mut to, positive())?, 0);
    assert_eq!(unique(&from, &mut to)?, 0);
    let mut lengths: [u32; 0] = [];
    let mut lengths = ArrayViewMut::from(&mut lengths);
    assert_eq!(run_length(&from, &mut to, &mut lengths)?, 0);
    segmented_inclusive_scan(&from, &at, &mut to, Add)?;
    segmented_reduce(&from, &ArrayView::new(1, &[0])?, &mut to, 0, Add)?;
    gather(&from, &at, &mut to)?;
    scatter(&from, &at, &mut to)?;
    reverse(&mut to)?;
    rotate(&from, &mut to, 0)?;
    sort(&mut to)?;
    sort_by_key(&mut to, &mut values)?;
    argsort(&from, &mut values)?;
    sort_by(&mut to, comparison!(|a: i32, b: i32| a < b))?;
    lower_bound(&from, &from, &mut values)?;
    histogram(&at, &mut values)?;
    histogram_even(&from, 0..1, &mut values)?;
    top_k(&from, &mut to, &mut values)?;
    let mut floats: [f32; 0] = [];
    fill_uniform(Philox::new(1), &mut ArrayViewMut::from(&mut floats))
}

#[test]
fn no_elements_have_no_reduction() -> amp::Result<()> {
    let nothing: [i32; 0] = [];
    let from = ArrayView::from(&nothing);
    let refused = |result: amp::Result<()>| {
        let error = result.expect_err("there is no result");
        assert!(
            error.to_string().contains("at least one element"),
            "{error}"
        );
    };
    refused(reduce(&from, Add).map(drop));
    refused(max_element(&from).map(drop));
    let mut sum = ArrayViewMut::uninit(1)?;
    let view = Accelerator::cpu().default_view()?;
    refused(reduce_into(
        &mut Workspace::default().on(&view),
        &from,
        &mut sum,
        Add,
    ));
    Ok(())
}
