//! Methods of arrays in the language of kernels. The host version calls the standard library's.
//!
//! Arrays in kernels have at least one element. Left out is what panics or makes references.

impl<T: Copy, const N: usize> [T; N] {
    pub fn map<U: Copy, F: FnMut(T) -> U>(self: [T; N], f: F) -> [U; N] {
        let mut made = [f(self[0]); N];
        for i in 1..N {
            made[i] = f(self[i]);
        }
        made
    }

    pub fn contains(self: &[T; N], x: &T) -> bool
    where
        T: PartialEq,
    {
        for i in 0..N {
            if self[i] == *x {
                return true;
            }
        }
        false
    }

    pub fn fill(self: &mut [T; N], value: T) {
        for i in 0..N {
            self[i] = value;
        }
    }

    pub fn reverse(self: &mut [T; N]) {
        for i in 0..N / 2 {
            let x = self[i];
            self[i] = self[N - 1 - i];
            self[N - 1 - i] = x;
        }
    }
}
