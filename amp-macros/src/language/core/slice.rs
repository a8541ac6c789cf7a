//! Methods of slices, and so of arrays, in the language of kernels.
//!
//! Left out is what makes references. The host version calls the standard library's, but for those
//! with the attribute `host`, whose results or faults depend on how they are written: of these it calls
//! the run time's, which do the same steps.

impl<T: Copy> [T] {
    pub fn contains(self: &[T], x: &T) -> bool
    where
        T: PartialEq,
    {
        for i in 0..self.len() {
            if self[i] == *x {
                return true;
            }
        }
        false
    }

    pub fn is_empty(self: &[T]) -> bool {
        self.len() == 0
    }

    pub fn fill(self: &mut [T], value: T) {
        for i in 0..self.len() {
            self[i] = value;
        }
    }

    pub fn reverse(self: &mut [T]) {
        for i in 0..self.len() / 2 {
            let x = self[i];
            self[i] = self[self.len() - 1 - i];
            self[self.len() - 1 - i] = x;
        }
    }

    #[host]
    #[faults]
    pub fn copy_from_slice(self: &mut [T], from: &[T]) {
        if self.len() != from.len() {
            panic!("copy_from_slice: slices of different lengths");
        }
        for i in 0..self.len() {
            self[i] = from[i];
        }
    }

    #[host]
    #[faults]
    pub fn swap_with_slice(self: &mut [T], other: &mut [T]) {
        if self.len() != other.len() {
            panic!("swap_with_slice: slices of different lengths");
        }
        for i in 0..self.len() {
            let x = self[i];
            self[i] = other[i];
            other[i] = x;
        }
    }

    #[host]
    #[faults]
    pub fn copy_within(self: &mut [T], src: Range<usize>, dest: usize) {
        let (start, end) = (src.start, src.end);
        if !(start <= end && end <= self.len()) {
            panic!("copy_within: a range that is out of bounds");
        }
        let count = end - start;
        if !(dest <= self.len() - count) {
            panic!("dest is out of bounds");
        }
        if dest <= start {
            for i in 0..count {
                self[dest + i] = self[start + i];
            }
        } else {
            for i in 0..count {
                self[dest + count - 1 - i] = self[start + count - 1 - i];
            }
        }
    }

    pub fn starts_with(self: &[T], start: &[T]) -> bool
    where
        T: PartialEq,
    {
        if start.len() > self.len() {
            return false;
        }
        for i in 0..start.len() {
            if self[i] != start[i] {
                return false;
            }
        }
        true
    }

    pub fn ends_with(self: &[T], end: &[T]) -> bool
    where
        T: PartialEq,
    {
        if end.len() > self.len() {
            return false;
        }
        for i in 0..end.len() {
            if self[self.len() - end.len() + i] != end[i] {
                return false;
            }
        }
        true
    }

    #[host]
    #[faults]
    pub fn swap(self: &mut [T], a: usize, b: usize) {
        let x = self[a];
        let y = self[b];
        if a < self.len() && b < self.len() {
            self[a] = y;
            self[b] = x;
        }
    }

    #[host]
    #[faults]
    pub fn rotate_left(self: &mut [T], mid: usize) {
        if !(mid <= self.len()) {
            panic!("assertion failed: mid <= self.len()");
        }
        let n = self.len();
        for (from, to) in [(0, mid), (mid, n), (0, n)] {
            for i in 0..(to - from) / 2 {
                let x = self[from + i];
                self[from + i] = self[to - 1 - i];
                self[to - 1 - i] = x;
            }
        }
    }

    #[host]
    #[faults]
    pub fn rotate_right(self: &mut [T], k: usize) {
        if !(k <= self.len()) {
            panic!("assertion failed: k <= self.len()");
        }
        let n = self.len();
        for (from, to) in [(0, n - k), (n - k, n), (0, n)] {
            for i in 0..(to - from) / 2 {
                let x = self[from + i];
                self[from + i] = self[to - 1 - i];
                self[to - 1 - i] = x;
            }
        }
    }

    #[host]
    pub fn sort_by<F: FnMut(&T, &T) -> Ordering>(self: &mut [T], compare: F) {
        for i in 1..self.len() {
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
    pub fn sort_by_key<K: Copy + Ord, F: FnMut(&T) -> K>(self: &mut [T], key: F) {
        for i in 1..self.len() {
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
    pub fn sort_unstable_by<F: FnMut(&T, &T) -> Ordering>(self: &mut [T], compare: F) {
        self.sort_by(compare);
    }

    #[host]
    pub fn sort_unstable_by_key<K: Copy + Ord, F: FnMut(&T) -> K>(self: &mut [T], key: F) {
        self.sort_by_key(key);
    }

    #[host]
    pub fn binary_search_by<F: FnMut(&T) -> Ordering>(
        self: &[T],
        compare: F,
    ) -> Result<usize, usize> {
        let mut size = self.len();
        if size == 0 {
            return Err(0);
        }
        let mut base = 0;
        while size > 1 {
            let half = size / 2;
            let x = self[base + half];
            if compare(&x) != Ordering::Greater {
                base += half;
            }
            size -= half;
        }
        let x = self[base];
        match compare(&x) {
            Ordering::Equal => Ok(base),
            Ordering::Less => Err(base + 1),
            Ordering::Greater => Err(base),
        }
    }

    #[host]
    pub fn binary_search_by_key<K: Copy + Ord, F: FnMut(&T) -> K>(
        self: &[T],
        wanted: &K,
        key: F,
    ) -> Result<usize, usize> {
        self.binary_search_by(|x| key(x).cmp(wanted))
    }

    #[host]
    pub fn partition_point<F: FnMut(&T) -> bool>(self: &[T], is_before: F) -> usize {
        let found = self.binary_search_by(|x| match is_before(x) {
            true => Ordering::Less,
            false => Ordering::Greater,
        });
        match found {
            Ok(at) => at,
            Err(at) => at,
        }
    }

    pub fn is_sorted_by<F: FnMut(&T, &T) -> bool>(self: &[T], compare: F) -> bool {
        for i in 1..self.len() {
            if !compare(&self[i - 1], &self[i]) {
                return false;
            }
        }
        true
    }

    pub fn is_sorted_by_key<K: Copy + PartialOrd, F: FnMut(&T) -> K>(self: &[T], key: F) -> bool {
        for i in 1..self.len() {
            let (earlier, later) = (key(&self[i - 1]), key(&self[i]));
            if !(earlier <= later) {
                return false;
            }
        }
        true
    }

    pub fn is_sorted(self: &[T]) -> bool
    where
        T: PartialOrd,
    {
        for i in 1..self.len() {
            if !(self[i - 1] <= self[i]) {
                return false;
            }
        }
        true
    }
}

impl<T: Copy + Ord> [T] {
    #[host]
    pub fn sort(self: &mut [T]) {
        for i in 1..self.len() {
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
    pub fn binary_search(self: &[T], wanted: &T) -> Result<usize, usize> {
        self.binary_search_by(|x| x.cmp(wanted))
    }

    #[host]
    pub fn sort_unstable(self: &mut [T]) {
        self.sort();
    }
}

impl [u8] {
    pub fn is_ascii(self: &[u8]) -> bool {
        for i in 0..self.len() {
            if !self[i].is_ascii() {
                return false;
            }
        }
        true
    }

    pub fn make_ascii_lowercase(self: &mut [u8]) {
        for i in 0..self.len() {
            self[i] = self[i].to_ascii_lowercase();
        }
    }

    pub fn make_ascii_uppercase(self: &mut [u8]) {
        for i in 0..self.len() {
            self[i] = self[i].to_ascii_uppercase();
        }
    }

    pub fn eq_ignore_ascii_case(self: &[u8], other: &[u8]) -> bool {
        if self.len() != other.len() {
            return false;
        }
        for i in 0..self.len() {
            if self[i].to_ascii_lowercase() != other[i].to_ascii_lowercase() {
                return false;
            }
        }
        true
    }
}
