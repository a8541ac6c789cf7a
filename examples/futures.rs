//! Processes data in parts, with transfers that overlap computation: while one part is
//! computed, the next one is uploaded and the previous one is downloaded.
//!
//! `copy_async` starts a copy and returns a future. Copies and launches of one accelerator
//! view keep their order, so nothing has to wait between them. Those of two views may
//! overlap, so the parts alternate between two views. `await` writes the result to its slice.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use amp::prelude::*;

/// 64 rounds of George Marsaglia's xorshift.
#[amp_fn]
fn scrambled(seed: u32) -> u32 {
    let mut x = seed;
    for _ in 0..64 {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    x
}

#[amp_kernel]
fn scramble(idx: Index<1>, numbers: &mut ArrayViewMut<u32, 1>) {
    numbers[idx] = scrambled(numbers[idx]);
}

/// Scrambles each of `data`, `part` numbers at a time, on alternating `views`. Counts the
/// finished parts in `done`.
pub async fn scramble_all(
    views: &[AcceleratorView],
    data: &[u32],
    part: usize,
    done: &AtomicUsize,
) -> amp::Result<Vec<u32>> {
    let mut results = vec![0; data.len()];
    let mut under_way = VecDeque::new();
    let parts = data.chunks(part).zip(results.chunks_mut(part));
    for ((numbers, place), view) in parts.zip(views.iter().cycle()) {
        let mut array = Array::builder(numbers.len()).on(view).build()?;
        let sent = copy_async(numbers, &mut array);
        parallel_for_each(array.extent(), scramble(&mut array))?;
        let back = copy_async(&array, place);
        let back = sent
            .then(|| back)
            .then(|| _ = done.fetch_add(1, Ordering::Relaxed));
        under_way.push_back(back);
        // Two parts per view keep it busy, and more would only take memory.
        if under_way.len() > 2 * views.len()
            && let Some(oldest) = under_way.pop_front()
        {
            oldest.await?;
        }
    }
    for back in under_way {
        back.await?;
    }
    Ok(results)
}

fn run() -> amp::Result<()> {
    let accelerator = Accelerator::default()?;
    let views = [
        accelerator.default_view()?,
        accelerator.create_view(QueuingMode::Automatic)?,
    ];
    let data: Vec<u32> = (1..=8_000_000).collect();
    let done = AtomicUsize::new(0);
    let start = Instant::now();
    let results = pollster::block_on(scramble_all(&views, &data, 500_000, &done))?;
    let time = start.elapsed();
    println!(
        "{} numbers in {} parts on {accelerator}: {time:.1?}",
        results.len(),
        done.into_inner()
    );
    for i in [0, data.len() - 1] {
        println!("{} becomes {}", data[i], results[i]);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
