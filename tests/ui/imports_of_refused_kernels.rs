//! A kernel with an error still needs its imports: no warning tells the user to remove them.

mod kernels {
    use amp::precise_math::sqrt;
    use amp::{ArrayView, ArrayViewMut, Index, amp_kernel};

    #[amp_kernel]
    pub fn refused(idx: Index<1>, a: &ArrayView<f32, 1>, c: &mut ArrayViewMut<f32, 1>) {
        let name = "kernel";
        c[idx] = sqrt(a[idx]);
    }
}

fn main() {}
