//! Arguments and indices that read the slice whose method or element they are for, as Rust allows.

use amp::prelude::*;
use testkit::{gives, launch};

#[amp_module]
mod slices {
    pub fn turned(s: &mut [u32]) {
        s.rotate_left(s.len() / 3);
        s.swap(0, s.len() - 1);
        s.rotate_right(s[0] as usize % s.len());
    }

    pub fn counted(s: &mut [u32]) {
        let n = s.len();
        s[s[0] as usize % n] += s[1];
        s[s[1] as usize % n] = s[s.len() - 1];
    }

    pub fn filled(s: &mut [u32]) {
        let (first, rest) = s.split_at_mut(1);
        rest.fill(rest[rest.len() - 1] + first[0]);
    }

    pub fn all(i: u32) -> [u32; 7] {
        let mut a = [i, 5, 2, i * 3, 9, 4, 7];
        turned(&mut a);
        counted(&mut a);
        filled(&mut a[4..]);
        a
    }
}

fn plain(i: u32) -> [u32; 7] {
    let mut a = [i, 5, 2, i * 3, 9, 4, 7];
    a.rotate_left(2);
    a.swap(0, 6);
    let by = a[0] as usize % 7;
    a.rotate_right(by);
    let at = a[0] as usize % 7;
    a[at] += a[1];
    let at = a[1] as usize % 7;
    a[at] = a[6];
    let value = a[6] + a[4];
    a[5..].fill(value);
    a
}

#[amp_kernel]
fn all(idx: Index<1>, out: &mut ArrayViewMut<[u32; 7], 1>) {
    out[idx] = slices::all(idx[0] as u32);
}

#[test]
fn a_slice_is_read_before_it_is_borrowed() {
    let expected: Vec<[u32; 7]> = (0..40).map(plain).collect();
    gives(&expected, |view, out| launch(view, 40, all(out)));
    assert_eq!(slices::all(9), expected[9]);
}
