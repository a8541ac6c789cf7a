//! What the CPU accelerator runs in lockstep: barriers in loops and in branches that all threads take,
//! loops that all go through together, and what each does alone in between.

use amp::prelude::*;
use testkit::{becomes, gives, input, launch};

const T: usize = 8;

#[amp_struct]
struct Pair {
    key: u32,
    value: f32,
}

/// Barriers in nested loops and in branches, with tile memory of structs, and variables that live across.
#[amp_kernel]
fn branches(
    t_idx: TiledIndex<2, 4, T>,
    rounds: usize,
    x: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut pairs: [[Pair; T]; 4];
    #[tile_static]
    let mut total: u32;
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum: f32;
    let last = T - 1;
    sum = x[t_idx.global];
    if row == 0 && col == 0 {
        total = 0;
    }
    let mut step = 1;
    while step <= rounds {
        let mirrored = last - col;
        pairs[row][col] = Pair {
            key: (row * T + col) as u32,
            value: sum,
        };
        if step % 2 == 1 {
            t_idx.barrier.wait();
            for other in 0..4 {
                let found = pairs[other][mirrored];
                sum += found.value * 0.5 + found.key as f32;
            }
        } else if step > 2 {
            t_idx.barrier.wait();
            sum -= pairs[row][mirrored].value;
            if sum > 100.0 {
                sum /= 8.0;
            }
        } else {
            t_idx.barrier.wait();
            sum *= 0.25;
        }
        t_idx.barrier.wait();
        if step == 5 {
            break;
        }
        step += 1;
    }
    t_idx.barrier.wait();
    atomic_fetch_add(&mut total, (row + col) as u32);
    t_idx.barrier.wait();
    let counted = total as f32;
    if rounds == 0 {
        out[t_idx.global] = counted;
        return;
    }
    let mut sum = sum + counted;
    for n in 0..col {
        if n == 3 {
            continue;
        }
        sum += n as f32;
    }
    out[t_idx.global] = sum;
}

fn branches_by_hand(rounds: usize, x: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; x.len()];
    let width = 2 * T;
    for tile in 0..4 {
        let at = |row: usize, col: usize| (tile / 2 * 4 + row) * width + tile % 2 * T + col;
        let each = || (0..4).flat_map(|row| (0..T).map(move |col| (row, col)));
        let mut sums: Vec<f32> = each().map(|(row, col)| x[at(row, col)]).collect();
        let mut step = 1;
        while step <= rounds {
            let before = sums.clone();
            for (row, col) in each() {
                let sum = &mut sums[row * T + col];
                let mirrored = T - 1 - col;
                if step % 2 == 1 {
                    for other in 0..4 {
                        let at = other * T + mirrored;
                        *sum += before[at] * 0.5 + at as f32;
                    }
                } else if step > 2 {
                    *sum -= before[row * T + mirrored];
                    if *sum > 100.0 {
                        *sum /= 8.0;
                    }
                } else {
                    *sum *= 0.25;
                }
            }
            if step == 5 {
                break;
            }
            step += 1;
        }
        let counted = each().map(|(row, col)| row + col).sum::<usize>() as f32;
        for (row, col) in each() {
            let rest = (0..col).filter(|n| *n != 3);
            let sum = sums[row * T + col] + counted;
            out[at(row, col)] = match rounds {
                0 => counted,
                _ => rest.fold(sum, |sum, n| sum + n as f32),
            };
        }
    }
    out
}

#[test]
fn barriers_in_branches_and_loops() {
    let x: Vec<f32> = (0..16 * T).map(|i| i as f32 * 0.75 - 20.0).collect();
    for rounds in [0, 1, 4, 9] {
        let expected = branches_by_hand(rounds, &x);
        becomes([8, 2 * T], &vec![0.0; x.len()], &expected, |view, out| {
            let x = ArrayView::new([8, 2 * T], &x)?;
            let domain = out.extent().tile::<4, T>();
            launch(view, domain, branches(rounds, &x, out))
        });
    }
}

/// All threads return before a barrier, or some after the last.
#[amp_kernel]
fn returns(t_idx: TiledIndex<1, T>, stop: u32, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; T];
    let i = t_idx.local[0];
    shared[i] = stop + i as u32;
    if stop == 7 {
        return;
    }
    t_idx.barrier.wait();
    let found = shared[(i + 1) % T];
    if found % 2 == 0 {
        return;
    }
    out[t_idx.global] = found;
}

#[test]
fn threads_return_together_and_alone() {
    for stop in [7, 10] {
        let found = |i: usize| stop + ((i + 1) % T) as u32;
        let is_there = |i: usize| stop != 7 && found(i) % 2 == 1;
        let expected: Vec<u32> = (0..3 * T)
            .map(|g| if is_there(g % T) { found(g % T) } else { 0 })
            .collect();
        gives(&expected, |view, out| {
            launch(view, out.extent().tile::<T>(), returns(stop, out))
        });
    }
}

/// A loop over what all threads read, with neighbours, and rows that are longer than a group.
#[amp_kernel]
fn neighbours(
    idx: Index<2>,
    taps: &ArrayView<i32, 1>,
    x: &ArrayView<i32, 2>,
    out: &mut ArrayViewMut<i32, 2>,
) {
    let (i, j) = (idx[0], idx[1]);
    let mut sum = 0;
    let mut last = 0;
    for k in 0..taps.extent()[0] {
        let tap = taps[k];
        if tap != 5 {
            sum += tap * x[[i, j + k]];
        } else {
            sum -= x[[(i + 1) % 3, j + k]];
        }
        last = sum ^ last;
    }
    out[idx] = sum + last;
}

#[test]
fn rows_of_neighbours() {
    let (height, width) = (3, 700);
    let taps = [1, -2, 5, 3];
    let long = width + taps.len() - 1;
    let x: Vec<i32> = (0..height * long)
        .map(|i| (i * i % 97) as i32 - 40)
        .collect();
    let expected: Vec<i32> = (0..height * width)
        .map(|at| {
            let (i, j) = (at / width, at % width);
            let (mut sum, mut last) = (0, 0);
            for (k, tap) in taps.iter().enumerate() {
                match tap {
                    5 => sum -= x[(i + 1) % 3 * long + j + k],
                    tap => sum += tap * x[i * long + j + k],
                }
                last ^= sum;
            }
            sum + last
        })
        .collect();
    becomes(
        [height, width],
        &vec![0; expected.len()],
        &expected,
        |view, out| {
            let x = ArrayView::new([height, long], &x)?;
            launch(view, out.extent(), neighbours(&input(&taps), &x, out))
        },
    );
}

/// A view that is read and written in the same loop, by each thread its own column.
#[amp_kernel]
fn columns(idx: Index<1>, rows: usize, data: &mut ArrayViewMut<u32, 2>) {
    let j = idx[0];
    let mut carried = 1;
    for i in 1..rows {
        data[[i, j]] = data[[i - 1, j]] * 3 + data[[i, j]] + carried;
        carried += data[[i, j]] & 1;
    }
}

#[test]
fn each_thread_its_own_column() {
    let (rows, width) = (20, 300);
    let before: Vec<u32> = (0..rows * width).map(|i| i as u32 * 7 % 100).collect();
    let mut expected = before.clone();
    for j in 0..width {
        let mut carried = 1;
        for i in 1..rows {
            let above = expected[(i - 1) * width + j].wrapping_mul(3);
            let own = &mut expected[i * width + j];
            *own = above.wrapping_add(*own).wrapping_add(carried);
            carried += *own & 1;
        }
    }
    becomes([rows, width], &before, &expected, |view, data| {
        launch(view, width, columns(rows, data))
    });
}

/// A loop that each round leaves in the middle, and an array of the thread that lives across.
#[amp_kernel]
fn sorted(t_idx: TiledIndex<1, T>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut values: [u32; T];
    let i = t_idx.local[0];
    values[i] = x[t_idx.global];
    let mut passes = 0;
    let mut history = [0_u32; 4];
    loop {
        t_idx.barrier.wait();
        if i % 2 == passes % 2 && i + 1 < T && values[i] > values[i + 1] {
            let swapped = values[i];
            values[i] = values[i + 1];
            values[i + 1] = swapped;
        }
        t_idx.barrier.wait();
        history[passes % 4] += values[i];
        passes += 1;
        if passes == T {
            break;
        }
    }
    let mut sum = 0;
    for n in 0..4 {
        sum = sum * 31 + history[n];
    }
    out[t_idx.global] = sum + values[i] * 1000;
}

#[test]
fn a_tile_is_sorted() {
    let x: Vec<u32> = (0..4 * T).map(|i| (i * 37 % 19) as u32).collect();
    let mut expected = Vec::new();
    for tile in x.chunks(T) {
        let mut values = tile.to_vec();
        let mut history = [[0_u32; 4]; T];
        for pass in 0..T {
            for i in (pass % 2..T - 1).step_by(2) {
                if values[i] > values[i + 1] {
                    values.swap(i, i + 1);
                }
            }
            for (value, history) in values.iter().zip(&mut history) {
                history[pass % 4] += value;
            }
        }
        for (value, history) in values.iter().zip(&history) {
            let sum = history.iter().fold(0, |sum, n| sum * 31 + n);
            expected.push(sum + value * 1000);
        }
    }
    gives(&expected, |view, out| {
        launch(view, out.extent().tile::<T>(), sorted(&input(&x), out))
    });
}

/// Each thread has its own value of what its subgroup adds up.
#[amp_kernel]
fn together(t_idx: TiledIndex<1, T>, out: &mut ArrayViewMut<u32, 1>) {
    out[t_idx.global] = subgroup::reduce_add(t_idx.local[0] as u32);
}

#[test]
fn the_report_names_coroutines() -> amp::Result<()> {
    let x = Array::<f32, 2>::zeroed([4, T])?;
    let mut y = Array::<f32, 2>::zeroed([4, T])?;
    let numbers = Array::<u32, 1>::zeroed([T])?;
    let mut out = Array::<u32, 1>::zeroed([T])?;
    assert!(!branches(1, &x, &mut y).report().has_coroutines);
    assert!(!returns(1, &mut out).report().has_coroutines);
    assert!(!sorted(&numbers, &mut out).report().has_coroutines);
    let report = together(&mut out).report();
    assert!(report.has_coroutines && report.to_string().contains("coroutines"));
    Ok(())
}

/// Part of a `let` is the same in all threads, which go through a loop of so many rounds together; a variable
/// that each round declares anew lives across statements that a row does at once.
#[amp_kernel]
fn mixed(idx: Index<2>, x: &ArrayView<f32, 2>, out: &mut ArrayViewMut<f32, 2>) {
    let (i, j) = (idx[0], idx[1]);
    let mut sum = 1.5;
    for k in 0..i {
        let scaled = x[[k, j]] * 0.5;
        let mut both = 2.0;
        both += x[[i, j]];
        out[idx] = both;
        sum += scaled * both;
    }
    out[idx] = sum;
}

#[test]
fn a_let_may_be_the_same_in_all_threads_in_part() {
    let [height, width] = [5, 300];
    let x: Vec<f32> = (0..height * width).map(|i| (i % 37) as f32 - 9.0).collect();
    let expected: Vec<f32> = (0..height * width)
        .map(|at| {
            let (i, j) = (at / width, at % width);
            let add = |sum, k| sum + x[k * width + j] * 0.5 * (2.0 + x[at]);
            (0..i).fold(1.5, add)
        })
        .collect();
    becomes(
        [height, width],
        &vec![0.0; x.len()],
        &expected,
        |view, out| {
            let x = ArrayView::new([height, width], &x)?;
            launch(view, out.extent(), mixed(&x, out))
        },
    );
}

/// A row of elements goes straight from one place to another, within tile memory, too.
#[amp_kernel]
fn moved(t_idx: TiledIndex<1, T>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; 3 * T];
    let (i, at) = (t_idx.local[0], t_idx.global[0]);
    shared[i] = x[at + 1];
    t_idx.barrier.wait();
    shared[i + T] = shared[i];
    t_idx.barrier.wait();
    out[at] = out[at + 2 * T];
    t_idx.barrier.wait();
    shared[i + T * 2] = shared[i + T] + 1;
    t_idx.barrier.wait();
    let read = shared[i + T * 2];
    out[at] = read;
}

#[test]
fn rows_are_moved() {
    let x: Vec<u32> = (0..2 * T as u32 + 1).collect();
    let expected: Vec<u32> = (0..2 * T as u32).map(|i| i + 2).chain([7; 2 * T]).collect();
    becomes([4 * T], &[7; 4 * T], &expected, |view, out| {
        let x = ArrayView::new(x.len(), &x)?;
        let domain = Extent::new([2 * T]).tile::<T>();
        launch(view, domain, moved(&x, out))
    });
}

/// Rows that go through a loop alone, with variables of several types and some that each round
/// declares anew; in tiles of which no dimension is like another.
#[amp_kernel]
fn rows_of_boxes<const W: usize>(
    t_idx: TiledIndex<3, 2, 3, W>,
    rounds: usize,
    x: &ArrayView<f64, 1>,
    out: &mut ArrayViewMut<f64, 3>,
) {
    #[tile_static]
    let mut shared: [[f64; W]; 6];
    let (row, col) = (t_idx.local[0] * 3 + t_idx.local[1], t_idx.local[2]);
    shared[row][col] = x[t_idx.global[2]] + row as f64;
    t_idx.barrier.wait();
    let mut sum = x[col];
    let mut pair = Pair { key: 1, value: 0.5 };
    for k in 0..rounds {
        let scaled = shared[k][col] * 0.5;
        let far = x[col + k];
        sum += scaled * far;
        pair.key += k as u32;
        pair.value -= far as f32;
    }
    t_idx.barrier.wait();
    shared[row][col] = sum;
    t_idx.barrier.wait();
    out[t_idx.global] = shared[5 - row][col] + pair.key as f64 + pair.value as f64;
}

#[test]
fn rows_go_through_loops_alone() {
    const W: usize = 5;
    let [height, width] = [6, 2 * W];
    let x: Vec<f64> = (0..width).map(|i| i as f64 * 1.25 - 3.0).collect();
    let rounds = 5;
    let expected: Vec<f64> = (0..4 * height * width)
        .map(|at| {
            let (i, col) = (at % width, at % W);
            let (mut sum, mut key, mut value) = (x[col], 1, 0.5_f32);
            for k in 0..rounds {
                let far = x[col + k];
                sum += (x[i] + k as f64) * 0.5 * far;
                key += k as u32;
                value -= far as f32;
            }
            sum + f64::from(key) + f64::from(value)
        })
        .collect();
    let extent = [4, height, width];
    becomes(
        extent,
        &vec![0.0; expected.len()],
        &expected,
        |view, out| {
            let x = ArrayView::new(x.len(), &x)?;
            let domain = out.extent().tile::<2, 3, W>();
            launch(view, domain, rows_of_boxes::<W>(rounds, &x, out))
        },
    );
}

/// A variable holds a row of a view in regions that are cut between: atomics and a loop.
#[amp_kernel]
fn keep_rows(
    t_idx: TiledIndex<1, T>,
    rounds: u32,
    counts: &mut ArrayViewMut<u32, 1>,
    out: &mut ArrayViewMut<u32, 2>,
) {
    let i = t_idx.global[0];
    let mut row = out.row(i);
    atomic_fetch_add(&mut counts[i / 2], 3);
    row[0] = i as u32;
    for round in 0..rounds {
        t_idx.barrier.wait();
        row[1] += row[0] * round;
    }
    row[2] = row[1] + 1;
}

#[test]
fn variables_keep_rows_of_views() {
    const COUNT: usize = 3 * T;
    let expected: Vec<u32> = (0..COUNT as u32)
        .flat_map(|i| [i, 6 * i, 6 * i + 1])
        .collect();
    becomes([COUNT, 3], &[0; 3 * COUNT], &expected, |view, out| {
        let mut data = [1; COUNT / 2];
        let mut counts = ArrayViewMut::new(COUNT / 2, &mut data)?;
        let domain = out.extent().to_array()[0];
        let domain = Extent::new([domain]).tile::<T>();
        launch(view, domain, keep_rows(4, &mut counts, out))?;
        counts.synchronize()?;
        drop(counts);
        assert_eq!(data, [7; COUNT / 2], "{view}");
        Ok(())
    });
}
