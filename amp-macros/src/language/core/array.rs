//! Methods of arrays in the language of kernels; those of slices are arrays' too.
//!
//! Arrays in kernels have at least one element.

impl<T: Copy, const N: usize> [T; N] {
    pub fn map<U: Copy, F: FnMut(T) -> U>(self: [T; N], f: F) -> [U; N] {
        let mut made = [f(self[0]); N];
        for i in 1..N {
            made[i] = f(self[i]);
        }
        made
    }
}
