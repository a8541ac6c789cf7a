//! Methods of arrays in the language of kernels.
//!
//! Arrays in kernels have at least one element. Left out is what makes references. The host version
//! calls the standard library's, but for those with the attribute `host`, whose results or faults
//! depend on how they are written: of these it calls the run time's, which do the same steps.

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

    pub fn is_empty(self: &[T; N]) -> bool {
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

    #[host]
    #[faults]
    pub fn swap(self: &mut [T; N], a: usize, b: usize) {
        let x = self[a];
        let y = self[b];
        self[a] = y;
        self[b] = x;
    }

    #[host]
    #[faults]
    pub fn rotate_left(self: &mut [T; N], mid: usize) {
        if !(mid <= N) {
            panic!("assertion failed: mid <= self.len()");
        }
        let old = *self;
        let mut from = mid;
        for i in 0..N {
            if from == N {
                from = 0;
            }
            self[i] = old[from];
            from += 1;
        }
    }

    #[host]
    #[faults]
    pub fn rotate_right(self: &mut [T; N], k: usize) {
        if !(k <= N) {
            panic!("assertion failed: k <= self.len()");
        }
        let old = *self;
        let mut from = N - k;
        for i in 0..N {
            if from == N {
                from = 0;
            }
            self[i] = old[from];
            from += 1;
        }
    }

    #[host]
    pub fn sort_by<F: FnMut(&T, &T) -> Ordering>(self: &mut [T; N], compare: F) {
        for i in 1..N {
            let x = self[i];
            let mut at = i;
            while at > 0 {
                let before = self[at - 1];
                if compare(&x, &before) != Ordering::Less {
                    break;
                }
                self[at] = before;
                at -= 1;
            }
            self[at] = x;
        }
    }

    #[host]
    pub fn sort_by_key<K: Copy + Ord, F: FnMut(&T) -> K>(self: &mut [T; N], key: F) {
        for i in 1..N {
            let x = self[i];
            let mut at = i;
            while at > 0 {
                let before = self[at - 1];
                let (own, other) = (key(&x), key(&before));
                if !(own < other) {
                    break;
                }
                self[at] = before;
                at -= 1;
            }
            self[at] = x;
        }
    }

    #[host]
    pub fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(self: &mut [T; N], compare: F) {
        self.sort_by(compare);
    }

    #[host]
    pub fn sort_unstable_by_key<K: Copy + Ord, F: FnMut(&T) -> K>(self: &mut [T; N], key: F) {
        self.sort_by_key(key);
    }

    pub fn is_sorted(self: &[T; N]) -> bool
    where
        T: PartialOrd,
    {
        for i in 1..N {
            if !(self[i - 1] <= self[i]) {
                return false;
            }
        }
        true
    }
}

impl<T: Copy + Ord, const N: usize> [T; N] {
    #[host]
    pub fn sort(self: &mut [T; N]) {
        for i in 1..N {
            let x = self[i];
            let mut at = i;
            while at > 0 {
                let before = self[at - 1];
                if !(x < before) {
                    break;
                }
                self[at] = before;
                at -= 1;
            }
            self[at] = x;
        }
    }

    #[host]
    pub fn sort_unstable(self: &mut [T; N]) {
        self.sort();
    }
}
