//! Two more programs of Microsoft's articles: a thread sums up what its tile has stored,
//! after all have stored it; and the host reads elements of views.

use amp::prelude::*;
use testkit::{everywhere, launch};

#[amp_kernel]
fn tile_sum(
    t_idx: TiledIndex<2, 2, 2>,
    matrix: &ArrayView<i32, 2>,
    totals: &mut ArrayViewMut<i32, 2>,
) {
    #[tile_static]
    let mut tile: [[i32; 2]; 2];
    tile[t_idx.local[0]][t_idx.local[1]] = matrix[t_idx];
    t_idx.barrier.wait();
    if t_idx.local == Index::new([0, 0]) {
        totals[t_idx.tile] = tile[0][0] + tile[0][1] + tile[1][0] + tile[1][1];
    }
}

/// Conformance row P14.
#[test]
fn one_thread_sums_up_its_tile() {
    everywhere(|view| {
        let matrix: Vec<i32> = (1..=12).collect();
        let matrix = ArrayView::new([2, 6], &matrix).unwrap();
        let mut totals = ArrayViewMut::uninit([1, 3]).unwrap();
        let domain = matrix.extent().tile::<2, 2>();
        launch(view, domain, tile_sum(&matrix, &mut totals)).unwrap();
        assert_eq!(totals.to_vec().unwrap(), [18, 26, 34], "{view}");
    });
}

/// Conformance row P13: the overview's three elements.
#[test]
fn the_host_indexes_views() {
    let numbers: Vec<i32> = (1..=24).collect();
    let line = ArrayView::new(5, &numbers).unwrap();
    assert_eq!(line[Index::new([2])], 3);
    let plane = ArrayView::new([2, 3], &numbers).unwrap();
    assert_eq!(plane[Index::new([1, 2])], 6);
    let solid = ArrayView::new([2, 3, 4], &numbers).unwrap();
    assert_eq!(solid[Index::new([0, 1, 3])], 8);
}
