//! Loops whose bodies decide what they access: jumps, conditions, variables, helpers.

use amp::prelude::*;
use testkit::launch;

use super::host::{DATA, agrees, mix};

#[amp_kernel]
fn search(
    _idx: Index<1>,
    a: &ArrayView<i32, 1>,
    to: usize,
    limit: usize,
    stop: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    'outer: for round in 0..3 {
        for i in 0..to {
            if i == limit {
                break;
            }
            if i + round == stop {
                break 'outer;
            }
            if i == round {
                continue;
            }
            if i == 2 && stop == 1000 {
                continue 'outer;
            }
            if i == 5 && round == 2 && stop == 2000 {
                out[1] = 5;
                return;
            }
            out[0] = out[0] * 31 + a[i]; //~ a[i]
        }
        out[0] += 1;
    }
    out[1] = 1;
}

#[test]
fn jumps_out_of_a_loop_that_would_fault() {
    for (to, limit, stop) in [
        (20, 12, 100),
        (20, 13, 100),
        (20, 100, 12),
        (20, 100, 14),
        (20, 100, 15),
        (20, 100, 3),
        (20, 100, 1000),
        (20, 12, 2000),
        (12, 100, 2000),
        (12, 100, 100),
        (20, 0, 1),
    ] {
        agrees(
            ("search", 0, &format!("..{to}, limit {limit}, stop {stop}")),
            &[1, 0],
            |host, out| {
                'outer: for round in 0..3 {
                    for i in 0..to {
                        if i == limit {
                            break;
                        }
                        if i + round == stop {
                            break 'outer;
                        }
                        if i == round {
                            continue;
                        }
                        if i == 2 && stop == 1000 {
                            continue 'outer;
                        }
                        if i == 5 && round == 2 && stop == 2000 {
                            out[1] = 5;
                            return;
                        }
                        out[0] = mix(out[0], host.read("a[i]", &DATA, i));
                    }
                    out[0] += 1;
                }
                out[1] = 1;
            },
            |view, out| {
                launch(
                    view,
                    1,
                    search(&ArrayView::new(12, &DATA)?, to, limit, stop, out),
                )
            },
        );
    }
}

#[amp_kernel]
fn sometimes(
    _idx: Index<1>,
    a: &ArrayView<i32, 1>,
    to: usize,
    limit: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    for i in 0..to {
        let sum = out[0];
        out[0] = if i < limit { sum * 31 + a[i] } else { sum + 1 }; //~ a[i] @ sometimes
    }
}

#[test]
fn accesses_under_a_condition() {
    for (to, limit) in [(20, 12), (12, 20), (20, 20), (20, 0)] {
        agrees(
            ("sometimes", 0, &format!("..{to} below {limit}")),
            &[1],
            |host, out| {
                for i in 0..to {
                    out[0] = if i < limit {
                        mix(out[0], host.read("a[i] @ sometimes", &DATA, i))
                    } else {
                        out[0] + 1
                    };
                }
            },
            |view, out| {
                launch(
                    view,
                    1,
                    sometimes(&ArrayView::new(12, &DATA)?, to, limit, out),
                )
            },
        );
    }
}

#[amp_kernel]
fn moving(
    _idx: Index<1>,
    a: &ArrayView<i32, 1>,
    to: usize,
    by: usize,
    divisor: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let mut k = 0;
    for i in 0..to {
        out[0] = out[0] * 31 + a[k]; //~ a[k]
        k += by;
        let i = i / divisor; //~ i / divisor
        out[0] += a[i]; //~ a[i] @ moving
    }
}

#[test]
fn indices_that_the_loop_itself_computes() {
    for (to, by, divisor) in [
        (12, 1, 1),
        (7, 2, 3),
        (6, 2, 5),
        (13, 0, 1),
        (2, 1, 0),
        (0, 1, 0),
    ] {
        agrees(
            ("moving", 0, &format!("..{to} by {by} and {divisor}")),
            &[1],
            |host, out| {
                let mut k = 0;
                for i in 0..to {
                    out[0] = mix(out[0], host.read("a[k]", &DATA, k));
                    k += by;
                    if divisor == 0 {
                        host.fault("i / divisor", "attempt to divide by zero".to_owned());
                    }
                    let i: usize = usize::checked_div(i, divisor).unwrap_or(0);
                    out[0] = out[0].wrapping_add(host.read("a[i] @ moving", &DATA, i));
                }
            },
            |view, out| {
                launch(
                    view,
                    1,
                    moving(&ArrayView::new(12, &DATA)?, to, by, divisor, out),
                )
            },
        );
    }
}

#[amp_fn]
fn sum_from(a: &ArrayView<i32, 1>, start: usize, count: usize) -> i32 {
    let mut sum = 0;
    for i in 0..count {
        sum = sum * 31 + a[start + i]; //~ a[start + i]
        if sum < 0 {
            return sum;
        }
    }
    sum
}

#[amp_kernel]
fn threads(idx: Index<1>, a: &ArrayView<i32, 1>, count: usize, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = sum_from(a, idx[0], count);
}

#[test]
fn threads_take_different_versions() {
    // The last thread is the only one that runs past the end.
    for count in [0, 2, 3, 4] {
        agrees(
            ("threads", 9, &format!("{count} each")),
            &[0; 10],
            |host, out| {
                for (start, sum) in out.iter_mut().enumerate() {
                    for i in 0..count {
                        *sum = mix(*sum, host.read("a[start + i]", &DATA, start + i));
                    }
                }
            },
            |view, out| launch(view, 10, threads(&ArrayView::new(12, &DATA)?, count, out)),
        );
    }
}
