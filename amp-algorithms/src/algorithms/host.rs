//! What algorithms do on the CPU accelerator where that is faster than their kernels: the same in
//! plain Rust over rayon, in the same order, so that results have the same bits.
//!
//! It is done when the algorithm is called, so not for graphs, whose launches are kernels. What has an
//! operation or a condition of the user's own runs kernels, too, because only these report a fault.

use rayon::prelude::*;

use super::operation::Operation;
use super::queue::Queue;
use super::radix::{ALONE, Keys, WITH_PLACES};
use super::reduce::block_length;
use super::scan::BLOCK;
use crate::{__private, ArrayView, ArrayViewMut, Element, Result};

/// Scans a block, and returns the total of its whole groups.
pub type ScanBlock<T> = fn(&[T], &mut [T], Before<T>) -> Option<T>;

/// An operation on the host, for blocks of elements, none of which is empty.
pub struct HostOperation<T> {
    /// What [`reduce`](super::reduce()) makes of one block.
    pub reduce: fn(&[T]) -> T,
    /// What [`reduce_rows`](super::reduce_rows()) makes of a row.
    pub reduce_row: fn(&[T]) -> T,
    /// The total of a block of a scan.
    pub total: fn(&[T]) -> T,
    /// The results of a block of a scan.
    pub scan: ScanBlock<T>,
    /// Combines each element with another one.
    pub combine_each: fn(&mut [T], &[T]),
}

/// What a block of a scan is combined with.
#[derive(Clone, Copy)]
pub struct Before<T> {
    /// The total of all blocks before.
    pub carry: Option<T>,
    /// The initial value of a scan that leaves out each element itself.
    pub initial: Option<T>,
}

/// An operation as functions of blocks.
pub(super) const fn host_operation<T: Element, C: Combine<T>>() -> HostOperation<T> {
    HostOperation {
        reduce: reduce_block::<T, C, 256>,
        reduce_row: reduce_block::<T, C, 8>,
        total: total_of_block::<T, C>,
        scan: scan_block::<T, C>,
        combine_each: combine_each::<T, C>,
    }
}

/// A function of two elements that is known by its type.
pub(super) trait Combine<T> {
    fn combine(a: T, b: T) -> T;
}

/// Elements that are not worth the other threads.
pub(super) const FEW: usize = 1 << 14;

/// Runs work on the threads for launches, unless it is small.
pub(super) fn shared_out<R: Send>(is_small: bool, work: impl FnOnce() -> R + Send) -> Result<R> {
    match is_small {
        true => Ok(work()),
        false => __private::apart(work),
    }
}

/// [`reduce`](super::reduce()) on the host, if the queue and the operation allow that.
pub(super) fn reduce<T: Element>(
    queue: &Queue<'_>,
    input: &ArrayView<'_, T, 1>,
    result: &mut ArrayViewMut<'_, T, 1>,
    operation: &impl Operation<T>,
) -> Result<bool> {
    let Some(operation) = operation.on_host().filter(|_| queue.is_on_host()) else {
        return Ok(false);
    };
    let input = input.data()?;
    let length = block_length(input.len());
    let sum = match input.len() <= length {
        true => (operation.reduce)(input),
        false => {
            let parts: Vec<T> = shared_out(input.len() <= FEW, || {
                input.par_chunks(length).map(operation.reduce).collect()
            })?;
            (operation.reduce)(&parts)
        }
    };
    result.discard_data();
    result.data_mut()?[0] = sum;
    Ok(true)
}

fn reduce_block<T: Element, C: Combine<T>, const LANES: usize>(block: &[T]) -> T {
    let mut lanes = [block[0]; LANES];
    let count = block.len().min(LANES);
    let (first, rest) = block.split_at(count);
    lanes[..count].copy_from_slice(first);
    let (rows, rest) = rest.as_chunks::<LANES>();
    for row in rows {
        combine_each::<T, C>(&mut lanes, row);
    }
    combine_each::<T, C>(&mut lanes, rest);
    let mut half = LANES / 2;
    while half > 0 {
        let (low, high) = lanes.split_at_mut(half);
        combine_each::<T, C>(low, &high[..count.clamp(half, 2 * half) - half]);
        half /= 2;
    }
    lanes[0]
}

#[inline(always)]
fn combine_each<T: Element, C: Combine<T>>(elements: &mut [T], others: &[T]) {
    for (element, other) in elements.iter_mut().zip(others) {
        *element = C::combine(*element, *other);
    }
}

/// A scan on the host, if the queue and the operation allow that.
pub(super) fn scan<T: Element>(
    queue: &Queue<'_>,
    input: &ArrayView<'_, T, 1>,
    results: &mut ArrayViewMut<'_, T, 1>,
    operation: &impl Operation<T>,
    initial: Option<T>,
) -> Result<bool> {
    let Some(operation) = operation.on_host().filter(|_| queue.is_on_host()) else {
        return Ok(false);
    };
    results.discard_data();
    let (input, results) = (input.data()?, results.data_mut()?);
    shared_out(input.len() <= FEW, || {
        scan_blocks(&operation, input, results, initial)
    })?;
    Ok(true)
}

/// The scan of all blocks.
fn scan_blocks<T: Element>(
    operation: &HostOperation<T>,
    input: &[T],
    results: &mut [T],
    initial: Option<T>,
) {
    let scan = operation.scan;
    if input.len() <= BLOCK {
        let carry = None;
        scan(input, results, Before { carry, initial });
        return;
    }
    let is_small = input.len() <= FEW;
    // What comes behind the last block comes before none.
    let blocks = &input[..(input.len() - 1) / BLOCK * BLOCK];
    let totals: Vec<T> = match is_small {
        true => blocks.chunks(BLOCK).map(operation.total).collect(),
        false => blocks
            .par_chunks(BLOCK)
            .with_min_len(4)
            .map(operation.total)
            .collect(),
    };
    let mut before = totals.clone();
    scan_blocks(operation, &totals, &mut before, None);
    let scan_one = |(block, (input, results)): (usize, (&[T], &mut [T]))| {
        let carry = block.checked_sub(1).map(|previous| before[previous]);
        scan(input, results, Before { carry, initial });
    };
    match is_small {
        true => {
            let blocks = input.chunks(BLOCK).zip(results.chunks_mut(BLOCK));
            blocks.enumerate().for_each(scan_one);
        }
        false => {
            let blocks = input.par_chunks(BLOCK).zip(results.par_chunks_mut(BLOCK));
            blocks.enumerate().with_min_len(4).for_each(scan_one);
        }
    }
}

/// Elements of a group, and of a row of groups.
const GROUP: usize = 8;
const ROW: usize = 16 * GROUP;

/// Combines with what comes before, if there is something.
#[inline(always)]
fn behind<T, C: Combine<T>>(before: Option<T>, x: T) -> T {
    match before {
        Some(before) => C::combine(before, x),
        None => x,
    }
}

/// The combined elements up to each of a group. Loops over whole groups are unrolled.
#[inline(always)]
fn scan_group<T: Element, C: Combine<T>>(group: &[T; GROUP]) -> [T; GROUP] {
    let mut sums = *group;
    for k in 1..GROUP {
        sums[k] = C::combine(sums[k - 1], sums[k]);
    }
    sums
}

fn total_of_block<T: Element, C: Combine<T>>(block: &[T]) -> T {
    let total_of_row = |row: &[T]| {
        let (groups, rest) = row.as_chunks::<GROUP>();
        let mut total = None;
        for group in groups {
            total = Some(behind::<T, C>(total, scan_group::<T, C>(group)[GROUP - 1]));
        }
        match rest.iter().copied().reduce(C::combine) {
            Some(rest) => Some(behind::<T, C>(total, rest)),
            None => total,
        }
    };
    let mut total = None;
    for row in block.chunks(ROW).filter_map(total_of_row) {
        total = Some(behind::<T, C>(total, row));
    }
    total.unwrap_or(block[0])
}

fn scan_block<T: Element, C: Combine<T>>(
    block: &[T],
    results: &mut [T],
    around: Before<T>,
) -> Option<T> {
    let Before { carry, initial } = around;
    let (mut rows, mut last) = (None, carry);
    // The results of a group, behind the groups before it in its row, and its total.
    let mut scan = |group: &[T; GROUP], rows: Option<T>, groups: Option<T>| {
        let within = scan_group::<T, C>(group);
        let in_block = match groups {
            Some(groups) => Some(behind::<T, C>(rows, groups)),
            None => rows,
        };
        let before = match in_block {
            Some(in_block) => Some(behind::<T, C>(carry, in_block)),
            None => carry,
        };
        let mut results = match before {
            Some(before) => within.map(|x| C::combine(before, x)),
            None => within,
        };
        if let Some(initial) = initial {
            for result in &mut results {
                let before = last.replace(*result);
                *result = match before {
                    Some(before) => C::combine(initial, before),
                    None => initial,
                };
            }
        }
        (results, within[GROUP - 1])
    };
    for (row, results) in block.chunks(ROW).zip(results.chunks_mut(ROW)) {
        let mut groups = None;
        let (whole, rest) = row.as_chunks::<GROUP>();
        let (results, results_of_rest) = results.as_chunks_mut::<GROUP>();
        for (group, results) in whole.iter().zip(results) {
            let total;
            (*results, total) = scan(group, rows, groups);
            groups = Some(behind::<T, C>(groups, total));
        }
        if let Some(first) = rest.first() {
            // Nothing comes behind it, so what the group is filled up with does not matter.
            let mut group = [*first; GROUP];
            group[..rest.len()].copy_from_slice(rest);
            let (results, _) = scan(&group, rows, groups);
            results_of_rest.copy_from_slice(&results[..rest.len()]);
        }
        if let Some(groups) = groups {
            rows = Some(behind::<T, C>(rows, groups));
        }
    }
    rows
}

/// So many keys are sorted by their digits, on one thread. More of them do not stay in its cache.
const SORTED_ALONE: usize = 1 << 17;

/// Sorts keys, and values with them, on the host.
pub(super) fn sort<K: Keys>(
    order: u32,
    values_are: u32,
    keys: &mut ArrayViewMut<'_, K, 1>,
    values: &mut ArrayViewMut<'_, u32, 1>,
) -> Result<()> {
    let inverted = K::inverted(order);
    let keys = keys.data_mut()?;
    let is_small = keys.len() <= SORTED_ALONE;
    if values_are == ALONE {
        return shared_out(is_small, || {
            // Numbers in their own order are sorted faster than by a function of each.
            keys.iter_mut().for_each(|key| *key = key.ordered(inverted));
            match is_small {
                true => sort_by_digits(keys, |key| *key),
                false => keys.par_sort_unstable(),
            }
            keys.iter_mut()
                .for_each(|key| *key = key.unordered(inverted));
        });
    }
    if values_are == WITH_PLACES {
        values.discard_data();
    }
    let values = values.data_mut()?;
    shared_out(is_small, || {
        // Equal keys keep the order of their places.
        let mut order: Vec<(K, u32)> = (0..)
            .zip(&*keys)
            .map(|(at, key)| (key.ordered(inverted), at))
            .collect();
        match is_small {
            true => sort_by_digits(&mut order, |(key, _)| *key),
            false => order.par_sort_unstable(),
        }
        permute(keys, &order);
        match values_are {
            WITH_PLACES => values
                .iter_mut()
                .zip(&order)
                .for_each(|(value, (_, at))| *value = *at),
            _ => permute(values, &order),
        }
    })
}

/// Sorts items by their keys as unsigned numbers, by one byte at a time. Those of equal keys keep their order.
fn sort_by_digits<K: Keys, I: Copy>(items: &mut [I], key: impl Fn(&I) -> K) {
    let digit = |item: &I, place: usize| key(item).byte(8 * place as u32) as usize;
    let mut counts = [[0; 256]; 8];
    let counts = &mut counts[..size_of::<K>()];
    for item in &*items {
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[digit(item, place)] += 1;
        }
    }
    let mut others = items.to_vec();
    let (mut from, mut to) = (&mut *items, &mut others[..]);
    let mut is_in_others = false;
    for (place, starts) in counts.iter_mut().enumerate() {
        if starts.contains(&from.len()) {
            continue;
        }
        let mut start = 0;
        for count in &mut *starts {
            start += std::mem::replace(count, start);
        }
        for item in &*from {
            let start = &mut starts[digit(item, place)];
            to[*start] = *item;
            *start += 1;
        }
        std::mem::swap(&mut from, &mut to);
        is_in_others = !is_in_others;
    }
    if is_in_others {
        items.copy_from_slice(&others);
    }
}

/// Moves elements to where they belong.
fn permute<T: Element, K>(elements: &mut [T], order: &[(K, u32)]) {
    let before = elements.to_vec();
    for (element, (_, at)) in elements.iter_mut().zip(order) {
        *element = before[*at as usize];
    }
}
