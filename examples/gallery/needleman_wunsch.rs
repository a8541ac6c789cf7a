//! Aligns two DNA sequences (Needleman and Wunsch 1970).
//!
//! A score depends on those above, to the left and diagonally above, so all scores of an
//! antidiagonal are computed at the same time.
//!
//! `cargo run --release --example needleman_wunsch -- 4000`

use amp::prelude::*;

mod support;

const GAP: i32 = -2;

#[amp_fn]
fn similarity(a: u8, b: u8) -> i32 {
    if a == b { 3 } else { -1 }
}

#[amp_kernel]
fn fill(
    idx: Index<1>,
    diagonal: usize,
    first: &ArrayView<u8, 1>,
    second: &ArrayView<u8, 1>,
    scores: &mut ArrayViewMut<i32, 2>,
) {
    // The diagonal may begin below the first row.
    let i = idx[0] + (diagonal + 1).saturating_sub(scores.extent()[1]);
    let j = diagonal - i;
    scores[[i, j]] = match (i, j) {
        (0, n) | (n, 0) => GAP * n as i32,
        _ => {
            let replaced = scores[[i - 1, j - 1]] + similarity(first[i - 1], second[j - 1]);
            let deleted = scores[[i - 1, j]] + GAP;
            let inserted = scores[[i, j - 1]] + GAP;
            replaced.max(deleted).max(inserted)
        }
    };
}

fn scores(first: &[u8], second: &[u8]) -> amp::Result<Vec<i32>> {
    let (rows, columns) = (first.len() + 1, second.len() + 1);
    let (first, second) = (ArrayView::from(first), ArrayView::from(second));
    let mut scores = ArrayViewMut::uninit([rows, columns])?;
    for diagonal in 0..rows + columns - 1 {
        let top = (diagonal + 1).saturating_sub(columns);
        let length = (diagonal + 1).min(rows) - top;
        parallel_for_each(length, fill(diagonal, &first, &second, &mut scores))?;
    }
    scores.to_vec()
}

fn on_host(first: &[u8], second: &[u8]) -> Vec<i32> {
    let columns = second.len() + 1;
    let mut scores: Vec<i32> = (0..columns).map(|j| GAP * j as i32).collect();
    for (i, a) in first.iter().enumerate() {
        scores.push(GAP * (i as i32 + 1));
        for (j, b) in second.iter().enumerate() {
            let above = i * columns + j;
            let replaced = scores[above] + similarity(*a, *b);
            let best = replaced
                .max(scores[above + 1] + GAP)
                .max(scores[above + columns] + GAP);
            scores.push(best);
        }
    }
    scores
}

/// The two sequences, one above the other, with gaps.
fn alignment(first: &[u8], second: &[u8], scores: &[i32]) -> [String; 2] {
    let columns = second.len() + 1;
    let (mut i, mut j) = (first.len(), second.len());
    let (mut above, mut below) = (Vec::new(), Vec::new());
    while i > 0 || j > 0 {
        let score = scores[i * columns + j];
        let deleted = i > 0 && score == scores[(i - 1) * columns + j] + GAP;
        let inserted = !deleted && j > 0 && score == scores[i * columns + j - 1] + GAP;
        i -= usize::from(!inserted);
        j -= usize::from(!deleted);
        above.push(if inserted { b'-' } else { first[i] });
        below.push(if deleted { b'-' } else { second[j] });
    }
    [above, below].map(|line| line.iter().rev().map(|&base| char::from(base)).collect())
}

fn main() -> amp::Result<()> {
    let length = support::argument(1, 60);
    let first: Vec<u8> = support::random()
        .map(|x| b"ACGT"[x as usize % 4])
        .take(length)
        .collect();
    // A copy with mutations.
    let mutated = support::random()
        .skip(length)
        .zip(&first)
        .filter(|(x, _)| x % 7 > 0);
    let second: Vec<u8> = mutated
        .map(|(x, &base)| if x % 5 == 0 { b'A' } else { base })
        .collect();
    let scores = scores(&first, &second)?;
    assert!(scores == on_host(&first, &second), "differs from the host");
    let [above, below] = alignment(&first, &second, &scores);
    let shown = above.len().min(80);
    println!("{}\n{}", &above[..shown], &below[..shown]);
    let score = scores[scores.len() - 1];
    println!("needleman_wunsch: {length} bases aligned, the score is {score}");
    Ok(())
}
