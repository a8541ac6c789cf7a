//! What algorithms of rows and columns do on the CPU accelerator: as in [`host`](super::host), plain Rust over rayon,
//! in the order of the kernels.
//!
//! Rows are worked on one by one, columns in strips of some, a row of the strip at a time. Only matrices whose
//! elements lie one behind the other are: sections of wider ones run kernels.

use rayon::prelude::*;

use super::host::{Before, FEW, HostOperation, shared_out};
use super::operation::Operation;
use super::queue::Queue;
use super::radix::Keys;
use crate::{ArrayView, ArrayViewMut, Element, Result};

/// Columns of a strip.
const STRIP: usize = 128;
/// Elements of a part of a line, and of a group, in the order of a scan.
const PART: usize = 64;
const GROUP: usize = 8;
/// Lanes of a reduction.
const LANES: usize = 8;

/// So many rows are worth a thread.
fn fewest(columns: usize) -> usize {
    (FEW / 4).div_ceil(columns)
}

/// What an operation is on the host, and the elements of a matrix and the results, if there are elements and the
/// queue, the operation and the matrices allow to work there.
fn on_host<'v, T: Element, const N: usize>(
    queue: &Queue<'_>,
    matrix: &'v ArrayView<'_, T, 2>,
    results: &'v mut ArrayViewMut<'_, T, N>,
    operation: &impl Operation<T>,
) -> Option<(HostOperation<T>, &'v [T], &'v mut [T])> {
    let operation = operation.on_host().filter(|_| queue.is_on_host())?;
    let input = matrix.data().ok().filter(|input| !input.is_empty())?;
    results.discard_data();
    Some((operation, input, results.data_mut().ok()?))
}

/// A reduction of rows or columns on the host, if the queue, the operation and the matrix allow that.
pub(super) fn reduce<T: Element>(
    queue: &Queue<'_>,
    matrix: &ArrayView<'_, T, 2>,
    results: &mut ArrayViewMut<'_, T, 1>,
    operation: &impl Operation<T>,
    by_rows: bool,
) -> Result<bool> {
    let columns = matrix.extent()[1];
    let Some((operation, input, results)) = on_host(queue, matrix, results, operation) else {
        return Ok(false);
    };
    shared_out(input.len() <= FEW, || match by_rows {
        true => results
            .par_iter_mut()
            .zip(input.par_chunks(columns))
            .with_min_len(fewest(columns))
            .for_each(|(result, row)| *result = (operation.reduce_row)(row)),
        false => results
            .par_chunks_mut(STRIP)
            .enumerate()
            .for_each(|(strip, results)| {
                let of_strip = strip * STRIP..strip * STRIP + results.len();
                let rows = input.chunks(columns).map(|row| &row[of_strip.clone()]);
                reduce_strip(&operation, rows, results);
            }),
    })?;
    Ok(true)
}

/// The reduction of the columns of a strip.
fn reduce_strip<'a, T: Element>(
    operation: &HostOperation<T>,
    rows: impl Iterator<Item = &'a [T]>,
    results: &mut [T],
) {
    let mut lanes: Vec<Vec<T>> = Vec::with_capacity(LANES);
    for (at, row) in rows.enumerate() {
        match lanes.get_mut(at % LANES) {
            Some(lane) => (operation.combine_each)(lane, row),
            None => lanes.push(row.to_vec()),
        }
    }
    for half in [4, 2, 1] {
        let count = lanes.len();
        let (low, high) = lanes.split_at_mut(half.min(count));
        for (lane, other) in low.iter_mut().zip(&*high) {
            (operation.combine_each)(lane, other);
        }
        lanes.truncate(half);
    }
    results.copy_from_slice(&lanes[0]);
}

/// A scan of rows or columns on the host, if the queue, the operation and the matrices allow that.
pub(super) fn scan<T: Element>(
    queue: &Queue<'_>,
    matrix: &ArrayView<'_, T, 2>,
    results: &mut ArrayViewMut<'_, T, 2>,
    operation: &impl Operation<T>,
    by_rows: bool,
    initial: Option<T>,
) -> Result<bool> {
    let columns = matrix.extent()[1];
    let Some((operation, input, results)) = on_host(queue, matrix, results, operation) else {
        return Ok(false);
    };
    shared_out(input.len() <= FEW, || match by_rows {
        true => results
            .par_chunks_mut(columns)
            .zip(input.par_chunks(columns))
            .with_min_len(fewest(columns))
            .for_each(|(results, row)| scan_row(&operation, row, results, initial)),
        false => {
            let strips = columns.div_ceil(STRIP);
            let mut of_strips: Vec<Vec<&mut [T]>> = (0..strips).map(|_| Vec::new()).collect();
            for row in results.chunks_mut(columns) {
                for (strip, part) in of_strips.iter_mut().zip(row.chunks_mut(STRIP)) {
                    strip.push(part);
                }
            }
            of_strips
                .into_par_iter()
                .enumerate()
                .for_each(|(strip, results)| {
                    let rows = input.chunks(columns).map(|row| &row[strip * STRIP..]);
                    scan_strip(&operation, rows.zip(results), initial);
                });
        }
    })?;
    Ok(true)
}

fn scan_row<T: Element>(
    operation: &HostOperation<T>,
    row: &[T],
    results: &mut [T],
    initial: Option<T>,
) {
    let mut carry = None;
    for (part, results) in row.chunks(PART).zip(results.chunks_mut(PART)) {
        let total = (operation.scan)(part, results, Before { carry, initial });
        carry = match (carry, total) {
            (Some(carry), Some(total)) => {
                let mut sum = [carry];
                (operation.combine_each)(&mut sum, &[total]);
                Some(sum[0])
            }
            (carry, total) => carry.or(total),
        };
    }
}

/// The scan of the columns of a strip: of each row, its elements, and more behind them, and its results.
fn scan_strip<'a, T: Element>(
    operation: &HostOperation<T>,
    rows: impl Iterator<Item = (&'a [T], &'a mut [T])>,
    initial: Option<T>,
) {
    let behind = |before: Option<&Vec<T>>, x: &[T]| match before {
        Some(before) => {
            let mut combined = before.clone();
            (operation.combine_each)(&mut combined, x);
            combined
        }
        None => x.to_vec(),
    };
    // What is combined so far: before the part, in it before the group, before the group at all, and in the group.
    let (mut carry, mut in_part): (Option<Vec<T>>, Option<Vec<T>>) = (None, None);
    let (mut before, mut sum): (Option<Vec<T>>, Vec<T>) = (None, Vec::new());
    // The row before's results, or what comes before the part.
    let mut last = None;
    for (at, (row, results)) in rows.enumerate() {
        let row = &row[..results.len()];
        if at % PART == 0 {
            if let Some(in_part) = in_part.take() {
                carry = Some(behind(carry.as_ref(), &in_part));
            }
            last = carry.clone();
        }
        match at % GROUP {
            0 => {
                before = match &in_part {
                    Some(in_part) => Some(behind(carry.as_ref(), in_part)),
                    None => carry.clone(),
                };
                sum = row.to_vec();
            }
            _ => (operation.combine_each)(&mut sum, row),
        }
        if at % GROUP == GROUP - 1 {
            in_part = Some(behind(in_part.as_ref(), &sum));
        }
        match initial {
            None => match &before {
                Some(before) => {
                    results.copy_from_slice(before);
                    (operation.combine_each)(results, &sum);
                }
                None => results.copy_from_slice(&sum),
            },
            Some(initial) => {
                results.fill(initial);
                if let Some(last) = last.replace(behind(before.as_ref(), &sum)) {
                    (operation.combine_each)(results, &last);
                }
            }
        }
    }
}

/// Sorts the rows of a matrix on the host, if the queue and the matrix allow that.
pub(super) fn sort_rows<K: Keys>(
    queue: &Queue<'_>,
    order: u32,
    matrix: &mut ArrayViewMut<'_, K, 2>,
) -> Result<bool> {
    if !queue.is_on_host() {
        return Ok(false);
    }
    let columns = matrix.extent()[1];
    let keys = match matrix.data_mut() {
        Ok(keys) if !keys.is_empty() => keys,
        _ => return Ok(false),
    };
    let inverted = K::inverted(order);
    shared_out(keys.len() <= FEW, || {
        keys.par_chunks_mut(columns)
            .with_min_len(fewest(columns))
            .for_each(|row| {
                row.iter_mut().for_each(|key| *key = key.ordered(inverted));
                row.sort_unstable();
                row.iter_mut()
                    .for_each(|key| *key = key.unordered(inverted));
            });
    })?;
    Ok(true)
}
