//! Arrays: local ones, in elements and in tile memory.

use amp::prelude::*;
use testkit::launch;

use super::host::{DATA, LAST, agrees, mix};

const N: usize = 6;

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Rows {
    first: [i32; 3],
    second: [i32; 4],
}

#[amp_kernel]
fn arrays(
    _idx: Index<1>,
    rows: &ArrayView<Rows, 1>,
    to: usize,
    offset: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let mut table = [0; N];
    let one = rows[1];
    for i in 0..to {
        table[i + offset] = i as i32 + 1; //~ table[i + offset]
        out[0] = out[0] * 31 + rows[i].second[i + 1]; //~ rows[i].second[i + 1]
        out[0] += one.first[i * 2]; //~ one.first[i * 2]
    }
    for i in 0..N {
        out[i + 1] = table[i];
    }
}

#[test]
fn arrays_and_elements_with_arrays() {
    let rows = [1, 10, 100].map(|x| Rows {
        first: [x, x + 1, x + 2],
        second: [x; 4],
    });
    for (to, offset) in [
        (2, 4),
        (2, 5),
        (2, 0),
        (3, 0),
        (4, 0),
        (4, 3),
        (0, LAST),
        (1, LAST),
    ] {
        agrees(
            ("arrays", 0, &format!("..{to} from {offset}")),
            &[1; N + 1],
            |host, out| {
                let mut table = [0; N];
                for i in 0..to {
                    if host.part("table[i + offset]", N, i + offset) {
                        table[i + offset] = i as i32 + 1;
                    }
                    let text = "rows[i].second[i + 1]";
                    let inside = host.element(text, 3, i) && host.part(text, 4, i + 1);
                    out[0] = mix(out[0], if inside { rows[i].second[i + 1] } else { 0 });
                    if host.part("one.first[i * 2]", 3, i * 2) {
                        out[0] = out[0].wrapping_add(rows[1].first[i * 2]);
                    }
                }
                out[1..].copy_from_slice(&table);
            },
            |view, out| launch(view, 1, arrays(&ArrayView::new(3, &rows)?, to, offset, out)),
        );
    }
}

#[amp_kernel]
fn invariant(
    _idx: Index<1>,
    a: &ArrayView<i32, 1>,
    to: usize,
    chosen: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    let starts = [chosen; N];
    for i in 0..to {
        out[0] = out[0] * 31 + a[starts[6] + i]; //~ starts[6]
    }
    for i in 0..to {
        out[0] = out[0] * 31 + a[starts[5] + i]; //~ a[starts[5] + i]
    }
}

#[test]
fn parts_of_an_index_that_are_outside_themselves() {
    for (to, chosen) in [(0, 1), (0, LAST), (2, 3), (2, 11)] {
        agrees(
            ("invariant", 0, &format!("..{to} from {chosen}")),
            &[1],
            |host, out| {
                for value in &DATA[..to] {
                    host.part("starts[6]", N, 6);
                    out[0] = mix(out[0], *value);
                }
                for i in 0..to {
                    out[0] = mix(out[0], host.read("a[starts[5] + i]", &DATA, chosen + i));
                }
            },
            |view, out| {
                launch(
                    view,
                    1,
                    invariant(&ArrayView::new(12, &DATA)?, to, chosen, out),
                )
            },
        );
    }
}

#[amp_kernel]
fn shared(
    t_idx: TiledIndex<1, 4>,
    a: &ArrayView<i32, 1>,
    scale: usize,
    count: usize,
    out: &mut ArrayViewMut<i32, 1>,
) {
    #[tile_static]
    let mut values: [i32; 12];
    let t = t_idx.local[0];
    for k in 0..3 {
        values[t * 3 + k] = a[t * 3 + k];
    }
    t_idx.barrier.wait();
    let mut sum = 0;
    for k in 0..count {
        sum = sum * 31 + values[t * scale + k]; //~ values[t * scale + k]
    }
    t_idx.barrier.wait();
    out[t_idx.global] = sum;
}

#[test]
fn tile_static_arrays() {
    for (scale, count) in [(3, 3), (3, 4), (0, 12), (1, 10), (0, 0)] {
        agrees(
            ("shared", 3, &format!("{count} at {scale}")),
            &[1; 4],
            |host, out| {
                for (t, out) in out.iter_mut().enumerate() {
                    *out = (0..count).fold(0, |sum, k| {
                        let index = t * scale + k;
                        let inside = host.part("values[t * scale + k]", 12, index);
                        mix(sum, if inside { DATA[index] } else { 0 })
                    });
                }
            },
            |view, out| {
                let a = ArrayView::new(12, &DATA)?;
                launch(
                    view,
                    Extent::new([4]).tile::<4>(),
                    shared(&a, scale, count, out),
                )
            },
        );
    }
}
