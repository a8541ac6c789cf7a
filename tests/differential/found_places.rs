//! Assignments to what chains and methods of slices find: the place behind `unwrap` and `?`, and parts of it.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    #[derive(Clone, Copy)]
    pub struct Pair {
        x: u32,
        y: [u32; 2],
    }

    fn fields(v: &mut [Pair], i: usize) -> Result<u32, u32> {
        v.get_mut(i).ok_or(3_u32)?.x += 3;
        v.get_mut(i * 2).ok_or_else(|| 4_u32)?.y[1] = v[i].x;
        Ok(v[i].x)
    }

    fn values_first(v: &mut [Pair], i: usize) -> Option<u32> {
        v.get_mut(i)?.x += 3;
        v.last_mut()?.y = [7, 8];
        v.get_mut(i + 1)?.x = {
            v[i].x += 1;
            v[i].x
        };
        Some(1)
    }

    fn elements(v: &mut [u32], i: usize) -> Option<u32> {
        *v.get_mut(i)? = 3 + i as u32;
        *v.first_mut()? ^= 0x55;
        *v.iter_mut().max()? += 1;
        *v.iter_mut().rev().find(|x| **x % 2 == 0)? <<= 1;
        Some(v[i])
    }

    pub fn all(x: &[u32; 6]) -> [u32; 6] {
        let mut x = *x;
        let k = x[0] as usize % 8;
        let mut pairs = [
            Pair { x: x[1], y: [2, 3] },
            Pair { x: x[2], y: [4, 5] },
            Pair { x: 6, y: [0, 1] },
        ];
        let r = fields(&mut pairs, k % 4).unwrap_or_else(|e| e * 100);
        let s = values_first(&mut pairs, k % 3).unwrap_or(50);
        let t = elements(&mut x, k).unwrap_or(60);
        *x.last_mut().unwrap() += r + s + t;
        for pair in &pairs {
            *x.iter_mut().min().unwrap() += pair.x + pair.y[0] * 3 + pair.y[1] * 5;
        }
        x
    }
}

#[amp_kernel]
fn all(idx: Index<1>, x: &ArrayView<[u32; 6], 1>, out: &mut ArrayViewMut<[u32; 6], 1>) {
    out[idx] = device::all(&x[idx]);
}

#[test]
fn places_that_are_found() {
    let x: Vec<[u32; 6]> = (0..30)
        .map(|i| std::array::from_fn(|k| (i * 7 + k as u32 * 5) % 23))
        .collect();
    let expected: Vec<[u32; 6]> = x.iter().map(host::all).collect();
    let x = ArrayView::new(x.len(), &x).unwrap();
    gives(&expected, |view, out| {
        launch(view, out.extent(), all(&x, out))
    });
}
