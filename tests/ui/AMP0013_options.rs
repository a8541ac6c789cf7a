//! References in an `Option` that are kept.

use amp::prelude::*;

#[amp_kernel]
fn kept(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut slot: Option<u32> = None;
    let count = slot.insert(3);
    let inside = slot.as_ref();
    slot.insert(4);
    out[idx] = *slot.as_mut().unwrap_or(&mut 3);
    *slot.get_or_insert() += 1;
}

fn main() {}
