//! Variables for references are assigned others to read, of places that nothing changes meanwhile.

use amp::prelude::*;

#[amp_struct]
struct Node {
    key: u32,
    next: u32,
}

#[amp_fn]
impl Node {
    fn greater<'a>(&'a self, other: &'a Node) -> &'a Node {
        if self.key > other.key { self } else { other }
    }
}

/// Places to write.
#[amp_kernel]
fn written(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let (mut x, mut y) = (1, 2);
    let late;
    if idx[0] > 1 {
        late = &mut x;
    } else {
        late = &mut y;
    }
    let mut slot = &mut c[0];
    slot = &mut c[idx];
}

/// Places that other threads change.
#[amp_kernel]
fn changed(t_idx: TiledIndex<1, 4>, c: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; 4];
    part[t_idx.local[0]] = 1;
    t_idx.barrier.wait();
    let mut best = &part[0];
    for x in &part {
        best = x;
    }
    let other = 1;
    let mut element = &other;
    element = &c[t_idx];
    c[t_idx] = *best + *element;
}

/// What a function finds in a copy, and values.
#[amp_kernel]
fn found(idx: Index<1>, nodes: &ArrayView<Node, 1>, c: &mut ArrayViewMut<u32, 1>) {
    let mut best = &nodes[0];
    best = best.greater(&nodes[1]);
    best = nodes[2];
    let late;
    late = &best.key;
    let other: &Node;
    other = &best.next;
    c[idx] = best.key + late;
}

fn main() {}
