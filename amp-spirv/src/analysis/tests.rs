//! What the tests of facts have in common.

use crate::mir::{Module, parse};

/// A tiled kernel with an index, two views and numbers.
#[track_caller]
pub(super) fn kernel(body: &str) -> Module {
    let text = format!(
        "kernel k over tiles of 16 x #0
         const SIZE#0: usize
         tile_static shared@0: [u32; 64]
         fn k#0(%0: TiledIndex<2>, %1: &ArrayView<u32, 2>, %2: &mut ArrayViewMut<u32, 2>,
             %3: usize, %4: usize, %5: u32, %6: bool, %7: i32) {{
             {body}
             return
         }}"
    );
    parse(&text).unwrap()
}
