//! The text form of the tree.

use crate::kernels::{MAT_MUL, mat_mul};

#[test]
fn matrix_product_reads_like_rust() {
    assert_eq!(mat_mul().to_text(), MAT_MUL);
}
