//! The memory of algorithms in graphs.

use amp::algorithms::random::{
    Philox, fill_bits_on, fill_normal_on, fill_poisson_on, fill_range_on, fill_uniform_on,
};
use amp::algorithms::{
    Add, Complex32, Fft, Gemm, Gemv, Max, Queue, Workspace, all_into, any_into, argsort_by_on,
    argsort_on, comparison, count_if_into, equality, exclusive_scan_columns_on, exclusive_scan_on,
    exclusive_scan_rows_on, fill_on, function, gather_on, histogram_even_on, histogram_on,
    inclusive_scan_columns_on, inclusive_scan_on, inclusive_scan_rows_on, iota_on,
    lower_bound_by_on, lower_bound_on, max_element_into, min_element_into, operation, partition_on,
    predicate, reduce_columns_on, reduce_into, reduce_rows_on, reduction, reverse_on, rotate_on,
    run_length_by_on, run_length_on, scatter_on, segmented_exclusive_scan_on,
    segmented_inclusive_scan_on, segmented_reduce_on, select_on, sort_by_key_by_on, sort_by_key_on,
    sort_by_on, sort_on, sort_rows_by_on, sort_rows_on, top_k_on, transform_on, transform_pairs_on,
    transform_reduce_into, transpose_on, unique_by_on, unique_on, upper_bound_by_on,
    upper_bound_on,
};
use amp::prelude::*;

use crate::data::{mild, places, random};

const N: usize = 9000;

/// What the algorithms read and write, on one accelerator.
struct Data {
    floats: Array<f32, 1>,
    doubles: Array<f64, 1>,
    words: Array<u32, 1>,
    bytes: Array<u8, 1>,
    /// Increasing places, whose last is the length of the others.
    offsets: Array<u32, 1>,
    results: Array<f32, 1>,
    double_results: Array<f64, 1>,
    places: Array<u32, 1>,
    counts: Array<u32, 1>,
    matrix: Array<f32, 2>,
    other_matrix: Array<f32, 2>,
    by_rows: Array<f32, 1>,
    complex: Array<Complex32, 1>,
    spectrum: Array<Complex32, 1>,
    transform: Fft<f32, 1>,
}

impl Data {
    fn new(view: &AcceleratorView) -> amp::Result<Self> {
        let offsets: Vec<u32> = (0..=90).map(|i| i * 100).collect();
        let floats: Vec<f32> = mild(1, N);
        Ok(Self {
            floats: Array::builder(N).on(view).data(&floats).build()?,
            doubles: Array::builder(N)
                .on(view)
                .data(&mild::<f64>(2, N))
                .build()?,
            words: Array::builder(N)
                .on(view)
                .data(&random::<u32>(3, N))
                .build()?,
            bytes: Array::builder(N)
                .on(view)
                .data(&random::<u8>(4, N))
                .build()?,
            offsets: Array::builder(91).on(view).data(&offsets).build()?,
            results: Array::builder(N).on(view).build()?,
            double_results: Array::builder(N).on(view).build()?,
            places: Array::builder(N).on(view).build()?,
            counts: Array::builder(100).on(view).build()?,
            matrix: Array::builder([90, 90])
                .on(view)
                .data(&floats[..8100])
                .build()?,
            other_matrix: Array::builder([90, 90]).on(view).build()?,
            by_rows: Array::builder(90).on(view).build()?,
            complex: Array::builder(1009).on(view).build()?,
            spectrum: Array::builder(1009).on(view).build()?,
            transform: Fft::new([1009])?,
        })
    }
}

fn with_one_result(queue: &mut Queue<'_>, data: &mut Data) -> amp::Result<()> {
    let (one, count) = (&mut data.results, &mut data.counts);
    let mut one = one.section_mut(0, 1)?;
    reduce_into(queue, &data.floats, &mut one, Add)?;
    let squares = reduction!(|x: f32| -> f32 { x * x }, |a, b| a + b);
    transform_reduce_into(queue, &data.floats, &mut one, squares)?;
    let mut first = count.section_mut(0, 1)?;
    min_element_into(queue, &data.floats, &mut one, &mut first)?;
    max_element_into(queue, &data.floats, &mut one, &mut first)?;
    count_if_into(
        queue,
        &data.floats,
        &mut first,
        predicate!(|x: f32| x > 0.25),
    )?;
    any_into(
        queue,
        &data.floats,
        &mut first,
        predicate!(|x: f32| x > 0.25),
    )?;
    all_into(
        queue,
        &data.floats,
        &mut first,
        predicate!(|x: f32| x > 0.25),
    )
}

fn with_all_results(queue: &mut Queue<'_>, data: &mut Data) -> amp::Result<()> {
    let results = &mut data.results;
    fill_on(queue, results, 0.5)?;
    iota_on(queue, results, 0.0, 1.0)?;
    transform_on(
        queue,
        &data.floats,
        results,
        function!(|x: f32| -> f32 { x + 1.0 }),
    )?;
    let added = function!(|x: f32, y: f64| -> f32 { x + y as f32 });
    transform_pairs_on(queue, &data.floats, &data.doubles, results, added)?;
    inclusive_scan_on(queue, &data.doubles, &mut data.double_results, Add)?;
    let decayed = operation!(|a: f32, b: f32| a * 0.5 + b);
    exclusive_scan_on(queue, &data.floats, results, 0.0, decayed)?;
    segmented_reduce_on(
        queue,
        &data.floats,
        &data.offsets,
        &mut data.by_rows,
        0.0,
        Add,
    )?;
    segmented_inclusive_scan_on(queue, &data.floats, &data.offsets, results, Add)?;
    segmented_exclusive_scan_on(queue, &data.floats, &data.offsets, results, 0.0, Max)?;
    histogram_on(queue, &data.bytes, &mut data.counts)?;
    histogram_even_on(queue, &data.words, 0..1 << 31, &mut data.counts)
}

fn that_move(queue: &mut Queue<'_>, data: &mut Data) -> amp::Result<()> {
    let (results, places) = (&mut data.results, &mut data.places);
    let count = &mut data.counts;
    iota_on(queue, places, 0, 1)?;
    gather_on(queue, &data.floats, places, results)?;
    scatter_on(queue, &data.floats, places, results)?;
    rotate_on(queue, &data.floats, results, 77)?;
    reverse_on(queue, results)?;
    select_on(
        queue,
        &data.floats,
        results,
        count,
        predicate!(|x: f32| x > 0.25),
    )?;
    partition_on(
        queue,
        &data.floats,
        results,
        count,
        predicate!(|x: f32| x > 0.25),
    )?;
    unique_on(queue, &data.floats, results, count)?;
    let equal = equality!(|a: f32, b: f32| a.floor() == b.floor());
    unique_by_on(queue, &data.floats, results, count, equal)?;
    run_length_on(queue, &data.floats, results, places, count)?;
    let equal = equality!(|a: f32, b: f32| a.floor() == b.floor());
    run_length_by_on(queue, &data.floats, results, places, count, equal)
}

fn that_sort(queue: &mut Queue<'_>, data: &mut Data) -> amp::Result<()> {
    let (results, places) = (&mut data.results, &mut data.places);
    let descending = || comparison!(|a: f32, b: f32| a > b);
    sort_on(queue, &mut data.bytes)?;
    sort_on(queue, &mut data.doubles)?;
    argsort_on(queue, &data.floats, places)?;
    argsort_by_on(queue, &data.floats, places, descending())?;
    sort_by_key_on(queue, &mut data.words, &mut data.double_results)?;
    sort_by_key_by_on(queue, results, &mut data.double_results, descending())?;
    sort_by_on(queue, results, descending())?;
    top_k_on(
        queue,
        &data.floats,
        &mut results.section_mut(0, 9)?,
        &mut places.section_mut(0, 9)?,
    )?;
    sort_on(queue, results)?;
    lower_bound_on(queue, results, &data.floats, places)?;
    upper_bound_on(queue, results, &data.floats, places)?;
    lower_bound_by_on(queue, results, &data.floats, places, descending())?;
    upper_bound_by_on(queue, results, &data.floats, places, descending())
}

fn of_matrices(queue: &mut Queue<'_>, data: &mut Data) -> amp::Result<()> {
    let (matrix, other) = (&data.matrix, &mut data.other_matrix);
    let descending = comparison!(|a: f32, b: f32| a > b);
    reduce_rows_on(queue, matrix, &mut data.by_rows, Add)?;
    reduce_columns_on(queue, matrix, &mut data.by_rows, Add)?;
    inclusive_scan_rows_on(queue, matrix, other, Add)?;
    inclusive_scan_columns_on(queue, matrix, other, Add)?;
    exclusive_scan_rows_on(queue, matrix, other, 0.0, Add)?;
    exclusive_scan_columns_on(queue, matrix, other, 0.0, Add)?;
    sort_rows_on(queue, other)?;
    sort_rows_by_on(queue, other, descending)?;
    transpose_on(queue, matrix, other)?;
    let vector = data.floats.section(0, 90)?;
    Gemv::new().run_on(queue, matrix, &vector, &mut data.by_rows)?;
    Gemm::new().run_on(queue, matrix, matrix, other)
}

fn that_fill(queue: &mut Queue<'_>, data: &mut Data) -> amp::Result<()> {
    let random = Philox::new(1);
    fill_bits_on(queue, random, &mut data.places)?;
    fill_range_on(queue, random, 3..70, &mut data.places)?;
    fill_poisson_on(queue, random, 3.0, &mut data.places)?;
    fill_uniform_on(queue, random, &mut data.results)?;
    fill_normal_on(queue, random, 0.0, 1.0, &mut data.results)?;
    let (points, spectrum) = (&mut data.complex, &mut data.spectrum);
    data.transform.forward_on(queue, points, spectrum)?;
    data.transform.inverse_on(queue, spectrum, points)
}

/// Requires that replays of a graph take no memory.
fn takes_nothing(launches: fn(&mut Queue<'_>, &mut Data) -> amp::Result<()>) -> amp::Result<()> {
    for (accelerator, _) in places() {
        let view = accelerator.create_view(QueuingMode::Automatic)?;
        let captures = (Data::new(&view)?, Workspace::default());
        let graph = view.record_with(captures, |recording, (data, workspace)| {
            launches(&mut workspace.within(recording), data)
        })?;
        graph.replay()?;
        // What the host allocates is reported for all tests together.
        if accelerator.device_path() == "cpu" {
            continue;
        }
        view.wait()?;
        view.trim()?;
        graph.replay()?;
        view.wait()?;
        let before = view.memory();
        for _ in 0..3 {
            graph.replay()?;
            view.wait()?;
            let after = view.memory();
            assert_eq!(after.in_use(), before.in_use(), "{after}");
            assert_eq!(after.pooled(), before.pooled(), "{after}");
        }
    }
    Ok(())
}

macro_rules! replays {
    ($($algorithms:ident)*) => {
        /// A replay has the memory that its recording took.
        mod replays_of_algorithms {
            $(#[test]
            fn $algorithms() -> amp::Result<()> {
                super::takes_nothing(super::$algorithms)
            })*
        }
    };
}
replays!(with_one_result with_all_results that_move that_sort of_matrices that_fill);

/// All algorithms that graphs take are above.
#[test]
fn none_is_missing() {
    let exported = [
        include_str!("../../amp-algorithms/src/algorithms/mod.rs"),
        include_str!("../../amp-algorithms/src/algorithms/random/mod.rs"),
    ];
    let names = exported.iter().flat_map(|text| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        text.lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .flat_map(move |line| line.split(move |c| !is_part(c)))
    });
    let of_graphs: Vec<&str> = names
        .filter(|name| name.ends_with("_on") || name.ends_with("_into"))
        .collect();
    assert!(of_graphs.len() > 50, "{of_graphs:?}");
    let calls: String = include_str!("queue.rs").split_whitespace().collect();
    for name in of_graphs {
        assert!(calls.contains(&format!("{name}(queue,")), "{name}");
    }
}
