//! What other systems for kernels in Rust and their shading languages are known to get
//! wrong, or to refuse. A test is named after the system and the fault.
//!
//! | fault | test |
//! |---|---|
//! | a barrier that only some threads reach is accepted (all: CubeCL, naga, rust-gpu, cuda-oxide) | `ui/AMP0007_divergent_barrier`, `ui/AMP0028_subgroup` |
//! | a race on tile memory is accepted (all) | `ui/AMP0025_race` |
//! | wrong and missing arguments of launches are found at run time or never (CubeCL, krnl) | `ui/call_mismatches`, `ui/kernel_instances` |
//! | an access out of bounds is not reported with file and line (all) | `faults`, `reports` |
//! | `assert!` is not reported (rust-cuda) | `asserts` |
//! | division and square roots are inexact, denormals are lost (all) | `arithmetic`, the test `exact` |
//! | doubles are computed as floats (naga) | `scalars` |
//! | tile memory is zeroed, loops are guarded (naga) | the golden modules `mat_mul_tiled` and `labelled_loops` |
//! | the rest | here |

use amp::prelude::*;
use testkit::numbers::pairs;
use testkit::{gives, input, launch, twice};

const SMALL: [u32; 7] = [0, 1, 2, 3, 7, 20, 33];

// `if c { 1 } else { 0 }` was always 0, where both values were literals.
twice! {
    cubecl_if_of_literals_is_always_zero(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let plain = if a > b { 1 } else { 0 };
        let mut late;
        if a == b { late = 1; } else { late = 0; }
        late += if late == 0 { 4 } else { 8 };
        let array = [if a < 3 { 1 } else { 0 }, if b < 3 { 0 } else { 1 }];
        let flag = if a % 2 == 0 { true } else { false };
        let chosen = match flag { true => 1, false => 0 };
        plain + late * 16 + array[if b > 2 { 1 } else { 0 }] * 256 + chosen * 512
    }
}

// `break 'outer` left the inner loop only.
twice! {
    cubecl_break_loses_its_label(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut steps = 0;
        'outer: for i in 0..10 {
            let mut j = 0;
            while j < 10 {
                steps += 1;
                if i * j > a { break 'outer; }
                if j > b { continue 'outer; }
                loop {
                    steps += 100;
                    if steps % 3 == 0 { break; }
                    if steps > 5_000 { break 'outer; }
                }
                j += 1;
            }
            steps += 10_000;
        }
        steps
    }
}

// `continue` was refused.
twice! {
    cubecl_refuses_continue(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut sum = 0;
        for i in 0..a {
            if i % 3 == b % 3 { continue; }
            sum += i;
        }
        let mut i = 0;
        while i < b {
            i += 1;
            if i % 2 == 0 { continue; }
            sum += 100;
        }
        loop {
            sum += 1;
            if sum % 5 != 0 { continue; }
            break;
        }
        sum
    }
}

// A `return` before the end was refused, and in loops lost.
twice! {
    cubecl_refuses_early_returns(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        if a == 0 { return 7; }
        for i in 1..=a {
            for j in 1..=b {
                if i * j > 40 { return i * 100 + j; }
            }
            if i == 30 { return 5; }
        }
        let rest = if b > 10 { return a } else { b };
        rest * 1_000
    }
}

// A guard of an arm made the compiler panic with the syntax tree.
twice! {
    cubecl_panics_at_match_guards(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        match (a, b) {
            (0, n) if n > 2 => 1,
            (0, _) => 2,
            (n, m) if n == m => n + 10,
            (n @ 1..=7, _) if { let twice = n * 2; twice > b } => n * 100,
            (n, 0..3) => n * 1_000,
            _ if a > 20 => 3,
            _ => 4,
        }
    }
}

// A variable that shadows another wrote to both.
twice! {
    cubecl_shadowing_is_aliasing(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let x = a;
        let y = x;
        let mut x = x + 1;
        {
            let mut x = x * 2;
            x += b;
            if x > 10 { let x = 3; let _ = x; }
        }
        x += y;
        let pair = (x, y);
        let mut copy = pair;
        copy.0 = 0;
        pair.0 * 100 + copy.1
    }
}

/// Enums and their matches (rust-gpu).
#[amp_enum]
#[repr(u32)]
enum Shape {
    Square,
    Circle = 5,
    Line,
}

#[amp_fn]
fn shape(n: u32) -> Shape {
    match n {
        0 => Shape::Square,
        5 => Shape::Circle,
        _ => Shape::Line,
    }
}

#[amp_kernel]
fn areas(idx: Index<1>, numbers: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let of = shape(numbers[idx]);
    out[idx] = match of {
        Shape::Square => 4,
        Shape::Circle => 3,
        Shape::Line => 0,
    } + of as u32 * 10;
}

#[test]
fn rust_gpu_lacks_enums() {
    let expected = [4, 60, 53, 60];
    gives(&expected, |view, out| {
        launch(view, 4, areas(&input(&[0, 1, 5, 9]), out))
    });
}

/// Several results by reference, from a helper that returns early (naga's pointers to parts).
#[amp_fn]
fn extremes(values: &[u32; 4], low: &mut u32, high: &mut u32) -> bool {
    *low = values[0];
    *high = values[0];
    for value in values.iter() {
        if *value == 0 {
            return false;
        }
        *low = (*low).min(*value);
        *high = (*high).max(*value);
    }
    true
}

#[amp_kernel]
fn ranges(idx: Index<1>, rows: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 2>) {
    let row = rows.row(idx[0]);
    let values = [row[0], row[1], row[2], row[3]];
    let mut found = (0, [0; 2]);
    let whole = extremes(&values, &mut found.0, &mut found.1[1]);
    out[[idx[0], 0]] = found.0;
    out[[idx[0], 1]] = found.1[1];
    out[[idx[0], 2]] = if whole { 1 } else { 0 };
}

#[test]
fn naga_lacks_references_to_parts() {
    let rows = [3, 1, 4, 1, 9, 2, 0, 5, 7, 7, 7, 8];
    let expected = [1, 4, 1, 2, 9, 0, 7, 8, 1];
    testkit::becomes([3, 3], &[0; 9], &expected, |view, out| {
        launch(view, 3, ranges(&ArrayView::new([3, 4], &rows)?, out))
    });
}
