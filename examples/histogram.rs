//! Counts the bytes of a text by value.
//!
//! All threads count at the same time, so they use atomic operations. Each tile counts its
//! part in tile_static memory first, where it competes with no other tile, and then adds its
//! counts to the total.

use std::process::ExitCode;

use amp::prelude::*;

/// Threads of a tile, one for each value of a byte.
const TILE: usize = 256;

#[amp_kernel]
fn count(t_idx: TiledIndex<1, TILE>, words: &ArrayView<u32, 1>, counts: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut of_tile: [u32; TILE];
    let i = t_idx.local[0];
    of_tile[i] = 0;
    t_idx.barrier.wait();
    if words.extent().contains(t_idx.global) {
        let mut word = words[t_idx];
        for _ in 0..4 {
            atomic_fetch_inc(&mut of_tile[(word % 256) as usize]);
            word /= 256;
        }
    }
    t_idx.barrier.wait();
    if of_tile[i] > 0 {
        atomic_fetch_add(&mut counts[i], of_tile[i]);
    }
}

/// Counts on `view` how often each byte occurs in `text`.
pub fn histogram(view: &AcceleratorView, text: &[u8]) -> amp::Result<Vec<u32>> {
    // Kernels read words; the host counts the remaining bytes.
    let (whole, rest) = text.as_chunks::<4>();
    let words: Vec<u32> = whole
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect();
    let mut counts = vec![0; 256];
    for byte in rest {
        counts[usize::from(*byte)] += 1;
    }
    if !words.is_empty() {
        let words = ArrayView::new(words.len(), &words)?;
        let mut counts = ArrayViewMut::new(256, &mut counts)?;
        let domain = words.extent().tile::<TILE>().pad();
        view.parallel_for_each(domain, count(&words, &mut counts))?;
        counts.synchronize()?;
    }
    Ok(counts)
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    // The text is the source of this program.
    let counts = histogram(&view, include_bytes!("histogram.rs"))?;
    let mut common: Vec<usize> = (0..256).collect();
    common.sort_by_key(|byte| std::cmp::Reverse(counts[*byte]));
    for byte in &common[..8] {
        println!("{:?}: {}", char::from(*byte as u8), counts[*byte]);
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
