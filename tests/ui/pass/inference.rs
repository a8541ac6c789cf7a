//! Types that only rustc's own inference finds: the host version would not compile if ours found
//! others.

use amp::{Element, prelude::*};
use testkit::{Same, becomes, launch};

#[amp_struct]
struct Pair {
    a: u32,
    b: f32,
}

#[amp_fn]
fn first_power(limit: u32) -> u32 {
    let mut power = 1;
    let found = loop {
        if power > limit {
            break power;
        }
        power *= 2;
    };
    found
}

#[amp_fn]
fn sign(x: f32) -> i32 {
    if x > 0.0 {
        return 1;
    } else if x < 0.0 {
        return -1;
    }
    0
}

#[amp_kernel]
fn literals(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>, u: &mut ArrayViewMut<u32, 1>) {
    // From a use further down.
    let late = 7;
    u[idx] = late;
    // By default.
    let alone = 7;
    let negative = -alone;
    // Through a chain.
    let x = 1;
    let y = x;
    let z = y + 2;
    u[idx] += z;
    // Under `as`.
    let cast = -1 as i32 as u32;
    let big = 3_000_000_000 as u32;
    let float = 3 as f32;
    let int = 3.7_f32 as i32;
    // Arrays and tuples take their elements' types from anywhere.
    let mut array = [0; 3];
    array[1] = u[idx];
    let nested = ((1, 2.0), [3, 4]);
    let ((a, b), [d, _]) = nested;
    let s = Pair { a, b };
    u[idx] += d + s.a;
    c[idx] = negative + int + float as i32 + (cast ^ big) as i32 + s.b as i32 + array[1] as i32;
}

#[amp_kernel]
fn shifts(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, n: usize, i: i32) {
    c[idx] = c[idx] << 3;
    c[idx] = c[idx] << i;
    c[idx] = c[idx] >> n;
    c[idx] <<= 1_i32;
    let mask = 1 << 4;
    c[idx] |= mask;
    let wide = 1 << c[idx];
    c[idx] += (wide + i) as u32;
}

// Statements without an effect have types, too.
#[allow(path_statements, unused_must_use)]
#[amp_kernel]
fn blocks(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, n: usize) {
    let x = {
        let x = 2;
        x * 3
    };
    let y = if n > 3 { 1.0 } else { -1.0 };
    let z = 'found: {
        if n == x {
            break 'found 0.5;
        }
        for i in 0..n {
            if i * i > 100 {
                break 'found c[i];
            }
        }
        y
    };
    let w;
    if n > 4 {
        w = z;
    } else {
        w = y;
    }
    let never = loop {
        if n > 8 {
            return;
        }
        break;
    };
    never;
    let v: f32 = if n > 2 { w } else { return };
    c[idx] = v;
    c[idx];
    1 + 1;
    let _ = n + 1;
    let () = ();
}

#[amp_kernel]
fn shadowing(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let x = 1_u32;
    let x = x as f32;
    let x = (x, [x; 2]);
    {
        let x = true;
        if x {
            c[idx] = 1;
        }
    }
    let (x, [y, _]) = x;
    for x in 0..3 {
        c[idx] += x;
    }
    for idx in (0..=idx[0]).rev().step_by(2) {
        c[idx] += 1;
    }
    c[idx] = (x + y) as u32 + first_power(9) + sign(x) as u32;
}

#[amp_kernel]
fn indices(idx: Index<2>, a: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 1>, e: Extent<2>) {
    let i = 1;
    let j = idx + 1;
    let k = 2 * idx;
    let [m, n] = [j[0], k[1]];
    c[i] = a[[m, n]] + a[idx] + a[j - [1, 1]] + a.row(0)[i];
    let inside = e.contains(k) && a.extent() == e || idx == j;
    c[0] = inside as u32 as f32;
    let size = a.extent().size() + e.size();
    c[size % 3] = a.extent()[1] as f32;
}

/// Runs launches on the CPU accelerator, whose types are rustc's, and requires the same of
/// all others.
fn agree<T: Element + Same>(
    before: &[T],
    launches: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, T, 1>) -> amp::Result<()>,
) {
    let mut expected = before.to_vec();
    let mut view = ArrayViewMut::new(before.len(), &mut expected).unwrap();
    let cpu = Accelerator::cpu().default_view().unwrap();
    launches(&cpu, &mut view).unwrap();
    view.synchronize().unwrap();
    drop(view);
    becomes([before.len()], before, &expected, launches);
}

fn main() {
    let numbers = [1_u32, 2, 3, 4, 5, 6, 7, 8, 9];
    let floats = numbers.map(|number| number as f32);
    agree(&[1, 2, 3, 4], |view, c| {
        let mut u = numbers;
        let mut u = ArrayViewMut::new(9, &mut u)?;
        launch(view, 4, literals(c, &mut u))
    });
    agree(&numbers, |view, c| {
        let mut i = [0; 9];
        let mut i = ArrayViewMut::new(9, &mut i)?;
        launch(view, 9, literals(&mut i, c))
    });
    agree(&numbers, |view, c| launch(view, 9, shifts(c, 2, 3)));
    for n in [1, 3, 5, 6, 7] {
        agree(&floats, |view, c| launch(view, 1, blocks(c, n)));
    }
    agree(&numbers, |view, c| launch(view, 1, shadowing(c)));
    agree(&floats, |view, c| {
        let a = ArrayView::new([3, 3], &floats)?;
        launch(view, [1, 1], indices(&a, c, Extent::new([3, 3])))
    });
}
