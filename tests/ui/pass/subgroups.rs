//! What must not be refused beside operations of subgroups.

use amp::prelude::*;

#[amp_kernel]
fn where_it_may_stand(t_idx: TiledIndex<1, 64>, c: &mut ArrayViewMut<u32, 1>, n: u32) {
    let mut sum = 0;
    let mut width = 1;
    while width < subgroup::size() {
        sum += amp::subgroup::shuffle_xor(c[t_idx], width);
        width *= 2;
    }
    if n > 3 {
        sum += subgroup::reduce_add(1_u32);
    }
    // Not together: these need no other thread.
    if subgroup::index() == 0 {
        c[t_idx] = sum + subgroup::index() as u32 + subgroup::size() as u32;
    }
}

fn main() {}
