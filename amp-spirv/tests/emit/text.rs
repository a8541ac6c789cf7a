//! The text form of the IR.

use crate::kernels::mat_mul;

#[test]
fn matrix_product_reads_like_rust() {
    let expected = "\
kernel mat_mul over tiles of TS x TS
const TS: usize
tile_static loc_a#0: [[f32; TS]; TS]
tile_static loc_b#1: [[f32; TS]; TS]
fn mat_mul(t_idx#0: TiledIndex<2>, a#1: &ArrayView<f32, 2>, b#2: &ArrayView<f32, 2>, c#3: &mut ArrayViewMut<f32, 2>) {
    let row#4: usize = t_idx#0.1[0_usize];
    let col#5: usize = t_idx#0.1[1_usize];
    let sum#6: f32 = 0.0_f32;
    '0: for i#7 in (0_usize..a#1.extent().1).step_by(TS) {
        loc_a#0[row#4][col#5] = a#1[Index<2>(t_idx#0.0[0_usize], (col#5 + i#7))];
        loc_b#1[row#4][col#5] = b#2[Index<2>((row#4 + i#7), t_idx#0.0[1_usize])];
        barrier(All);
        '1: for k#8 in (0_usize..TS) {
            sum#6 += (loc_a#0[row#4][k#8] * loc_b#1[k#8][col#5]);
        };
        barrier(All);
    };
    c#3[t_idx#0.0] = sum#6;
}
";
    assert_eq!(mat_mul().to_text(), expected);
}
