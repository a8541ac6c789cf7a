//! Tile memory of all types, and every barrier and fence.

use amp::prelude::*;
use amp_test_helpers::shapes::{Point, Rect};
use testkit::numbers::random;
use testkit::{becomes, input, launch};

const T: usize = 32;

/// Each flavour of barrier orders what it says it orders.
#[amp_kernel]
fn barriers(t_idx: TiledIndex<1, T>, a: &mut ArrayViewMut<u32, 1>, out: &mut ArrayViewMut<u32, 2>) {
    #[tile_static]
    let mut shared: [u32; T];
    let (i, g) = (t_idx.local[0], t_idx.global[0]);
    let base = t_idx.tile_origin[0];
    shared[i] = a[g];
    t_idx.barrier.wait();
    out[[g, 0]] = shared[T - 1 - i];
    t_idx.barrier.wait_with_all_memory_fence();
    shared[i] = out[[g, 0]] + 1;
    a[g] = i as u32;
    t_idx.barrier.wait_with_all_memory_fence();
    out[[g, 1]] = shared[(i + 1) % T] + a[base + (i + 3) % T];
    t_idx.barrier.wait();
    shared[i] = g as u32 * 3;
    t_idx.barrier.wait_with_tile_static_memory_fence();
    out[[g, 2]] = shared[(i + T / 2) % T];
    t_idx.barrier.wait_with_tile_static_memory_fence();
    a[g] = g as u32 * 5;
    t_idx.barrier.wait_with_global_memory_fence();
    out[[g, 3]] = a[base + (i + 7) % T];
    t_idx.barrier.wait_with_global_memory_fence();
    a[g] = out[[g, 3]] + 1;
}

#[test]
fn barriers_of_all_flavours_order_memory() {
    let before: Vec<u32> = (0..128).map(|i| i * i).collect();
    let base = |g: usize| g / T * T;
    let table: Vec<u32> = (0..128_usize)
        .flat_map(|g| {
            let (i, base) = (g % T, base(g));
            let first = |i: usize| before[base + T - 1 - i];
            [
                first(i),
                first((i + 1) % T) + 1 + ((i + 3) % T) as u32,
                (base + (i + T / 2) % T) as u32 * 3,
                (base + (i + 7) % T) as u32 * 5,
            ]
        })
        .collect();
    let after: Vec<u32> = (0..128_usize)
        .map(|g| (base(g) + (g % T + 7) % T) as u32 * 5 + 1)
        .collect();
    becomes([128, 4], &[0; 512], &table, |view, out| {
        let mut data = before.clone();
        {
            let mut a = ArrayViewMut::new(128, &mut data)?;
            launch(view, Extent::new([128]).tile::<T>(), barriers(&mut a, out))?;
        }
        assert_eq!(data, after, "{view}");
        Ok(())
    });
}

/// Fences are not barriers: they may stand in divergent code.
#[amp_kernel]
fn fences(t_idx: TiledIndex<1, T>, out: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut shared: [u32; T];
    let i = t_idx.local[0];
    shared[i] = i as u32;
    if i % 3 == 0 {
        all_memory_fence(&t_idx.barrier);
        shared[i] += 100;
        if i % 2 == 0 {
            tile_static_memory_fence(&t_idx.barrier);
        } else {
            out[t_idx.global] = 7;
            global_memory_fence(&t_idx.barrier);
        }
    }
    for k in 0..i % 4 {
        tile_static_memory_fence(&t_idx.barrier);
        shared[i] += k as u32;
    }
    t_idx.barrier.wait();
    out[t_idx] += shared[T - 1 - i];
}

#[test]
fn fences_may_diverge() {
    let of = |i: usize| {
        let added: u32 = (0..i as u32 % 4).sum();
        i as u32 + added + if i.is_multiple_of(3) { 100 } else { 0 }
    };
    let expected: Vec<u32> = (0..64)
        .map(|g| {
            let i = g % T;
            of(T - 1 - i)
                + if i.is_multiple_of(3) && i % 2 == 1 {
                    7
                } else {
                    0
                }
        })
        .collect();
    becomes([64], &[0; 64], &expected, |view, out| {
        launch(view, Extent::new([64]).tile::<T>(), fences(out))
    });
}

/// One variable of every kind.
#[amp_kernel]
fn kinds(t_idx: TiledIndex<2, 4, 8>, rects: &ArrayView<Rect, 2>, out: &mut ArrayViewMut<f32, 2>) {
    #[tile_static]
    let mut scalar: f32;
    #[tile_static]
    let mut flag: bool;
    #[tile_static]
    let mut count: usize;
    #[tile_static]
    let mut flags: [[bool; 8]; 4];
    #[tile_static]
    let mut pair: (i32, [u32; 2]);
    #[tile_static]
    let mut rect: Rect;
    #[tile_static]
    let mut points: [[Point; 8]; 4];
    #[tile_static]
    let mut place: Index<2>;
    let (i, j) = (t_idx.local[0], t_idx.local[1]);
    let own = rects[t_idx];
    points[i][j] = own.corners[0];
    points[i][j].x += own.corners[1].y;
    flags[i][j] = (i + j) % 3 == 0;
    if i == 1 && j == 2 {
        scalar = own.corners[1].x;
        flag = t_idx.tile[0] == t_idx.tile[1];
        count = t_idx.global[0] * 1000;
        count += t_idx.global[1];
        pair = (-3, [4, 5]);
        pair.1[1] *= own.material;
        rect = own;
        rect.corners[0].x = 64.0;
        place = t_idx.global + [1, 1];
    }
    t_idx.barrier.wait();
    let other = points[3 - i][7 - j];
    let mut sum = scalar + other.x * 2.0 + points[3 - i][7 - j].y;
    if flag {
        sum += 1000.0;
    }
    if flags[j % 4][i] {
        sum += 5000.0;
    }
    let whole = rect;
    let row = points[2];
    sum += count as f32 + (pair.0 + pair.1[0] as i32) as f32 + pair.1[1] as f32;
    sum += whole.corners[0].x + rect.corners[1].x + rect.material as f32 + row[j].y;
    sum += (place[0] * 10 + place[1]) as f32;
    out[t_idx] = sum;
}

#[test]
fn tile_memory_of_every_kind() {
    let (rows, columns) = (8, 16);
    let rects: Vec<Rect> = (0..rows * columns)
        .map(|n| {
            let n = n as f32;
            let corners = [
                Point { x: n, y: n * 0.5 },
                Point {
                    x: n * 0.25,
                    y: 3.0,
                },
            ];
            Rect {
                corners,
                material: n as u32,
            }
        })
        .collect();
    let expected: Vec<f32> = (0..rows * columns)
        .map(|n| {
            let (g, h) = (n / columns, n % columns);
            let (i, j) = (g % 4, h % 8);
            let (top, left) = (g - i, h - j);
            let at = |i: usize, j: usize| rects[(top + i) * columns + left + j];
            let own = at(1, 2);
            let point = |i, j| {
                let rect: Rect = at(i, j);
                let [first, second] = rect.corners;
                Point {
                    x: first.x + second.y,
                    y: first.y,
                }
            };
            let other = point(3 - i, 7 - j);
            let mut sum = own.corners[1].x + other.x * 2.0 + other.y;
            if top / 4 == left / 8 {
                sum += 1000.0;
            }
            if (j % 4 + i) % 3 == 0 {
                sum += 5000.0;
            }
            sum += ((top + 1) * 1000 + left + 2) as f32 + 1.0 + (5 * own.material) as f32;
            sum += 64.0 + own.corners[1].x + own.material as f32 + point(2, j).y;
            sum + ((top + 2) * 10 + left + 3) as f32
        })
        .collect();
    becomes(
        [rows, columns],
        &vec![0.0; rows * columns],
        &expected,
        |view, out| {
            let rects = ArrayView::new([rows, columns], &rects)?;
            launch(
                view,
                Extent::new([rows, columns]).tile::<4, 8>(),
                kinds(&rects, out),
            )
        },
    );
}

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Entry {
    key: u32,
    from: u32,
}

/// A bitonic sort of each tile: barriers in nested loops, exchanges through structs.
#[amp_kernel]
fn sort_tiles(t_idx: TiledIndex<1, 64>, keys: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 2>) {
    #[tile_static]
    let mut entries: [Entry; 64];
    let i = t_idx.local[0];
    entries[i] = Entry {
        key: keys[t_idx],
        from: i as u32,
    };
    t_idx.barrier.wait();
    let mut size = 2;
    while size <= 64 {
        let mut stride = size / 2;
        while stride > 0 {
            let other = i ^ stride;
            let up = i & size == 0;
            let (mine, theirs) = (entries[i], entries[other]);
            t_idx.barrier.wait_with_tile_static_memory_fence();
            let swap = (mine.key > theirs.key) == ((i < other) == up);
            if swap && mine.key != theirs.key {
                entries[i] = theirs;
            }
            t_idx.barrier.wait_with_tile_static_memory_fence();
            stride /= 2;
        }
        size *= 2;
    }
    out[[t_idx.global[0], 0]] = entries[i].key;
    out[[t_idx.global[0], 1]] = entries[i].from;
}

#[test]
fn tiles_are_sorted() {
    let keys: Vec<u32> = random(50).take(640).collect();
    let expected: Vec<u32> = keys
        .chunks(64)
        .flat_map(|tile| {
            let mut entries: Vec<(u32, u32)> = tile.iter().copied().zip(0..).collect();
            entries.sort_unstable();
            entries.into_iter().flat_map(|(key, from)| [key, from])
        })
        .collect();
    becomes([640, 2], &vec![0; 1280], &expected, |view, out| {
        launch(
            view,
            Extent::new([640]).tile::<64>(),
            sort_tiles(&input(&keys), out),
        )
    });
}

/// A barrier inside a helper that is called in uniform branches and loops.
#[amp_kernel]
fn scan(t_idx: TiledIndex<1, T>, a: &mut ArrayViewMut<i32, 1>, rounds: usize, inclusive: bool) {
    #[tile_static]
    let mut shared: [i32; T];
    let i = t_idx.local[0];
    shared[i] = a[t_idx];
    for _ in 0..rounds {
        let mut stride = 1;
        t_idx.barrier.wait();
        while stride < T {
            let left = if i >= stride { shared[i - stride] } else { 0 };
            settle(&t_idx.barrier);
            shared[i] += left;
            settle(&t_idx.barrier);
            stride *= 2;
        }
    }
    if inclusive {
        a[t_idx] = shared[i];
    } else {
        settle(&t_idx.barrier);
        a[t_idx] = if i == 0 { 0 } else { shared[i - 1] };
    }
}

#[amp_fn]
fn settle(barrier: &TileBarrier) {
    barrier.wait_with_tile_static_memory_fence();
    tile_static_memory_fence(barrier);
}

#[test]
fn scans_of_tiles() {
    let a: Vec<i32> = (0..96).map(|i| i * 7 % 13 - 5).collect();
    let scanned = |values: &[i32]| -> Vec<i32> {
        values
            .chunks(T)
            .flat_map(|tile| {
                tile.iter().scan(0, |sum, value| {
                    *sum += value;
                    Some(*sum)
                })
            })
            .collect()
    };
    let once = scanned(&a);
    let twice = scanned(&once);
    let exclusive: Vec<i32> = (0..96)
        .map(|i| if i % T == 0 { 0 } else { once[i - 1] })
        .collect();
    let domain = Extent::new([96]).tile::<T>();
    becomes([96], &a, &once, |view, out| {
        launch(view, domain, scan(out, 1, true))
    });
    becomes([96], &a, &twice, |view, out| {
        launch(view, domain, scan(out, 2, true))
    });
    becomes([96], &a, &exclusive, |view, out| {
        launch(view, domain, scan(out, 1, false))
    });
}
