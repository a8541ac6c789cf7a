//! Methods of `Range` that take and return values. Iterators of ranges are loops (see `iterate`).

impl<T: Copy + PartialOrd> Range<T> {
    pub fn contains(&self, item: &T) -> bool {
        self.start <= *item && *item < self.end
    }

    pub fn is_empty(&self) -> bool {
        !(self.start < self.end)
    }
}

impl<T: Integer> Range<T> {
    pub fn next(&mut self) -> Option<T> {
        if self.start < self.end {
            let item = self.start;
            self.start = item + T::from_i32(1);
            Some(item)
        } else {
            None
        }
    }

    pub fn nth(&mut self, n: usize) -> Option<T> {
        let mut left = n;
        while left > 0 && self.start < self.end {
            self.start = self.start + T::from_i32(1);
            left -= 1;
        }
        if self.start < self.end {
            let item = self.start;
            self.start = item + T::from_i32(1);
            Some(item)
        } else {
            self.start = self.end;
            None
        }
    }

    pub fn next_back(&mut self) -> Option<T> {
        if self.start < self.end {
            self.end = self.end - T::from_i32(1);
            Some(self.end)
        } else {
            None
        }
    }
}

impl Range<usize> {
    pub fn len(&self) -> usize {
        if self.start < self.end { self.end - self.start } else { 0 }
    }
}

impl Range<u32> {
    pub fn len(&self) -> usize {
        if self.start < self.end { (self.end - self.start) as usize } else { 0 }
    }
}

impl Range<i32> {
    pub fn len(&self) -> usize {
        if self.start < self.end { (self.end - self.start) as u32 as usize } else { 0 }
    }
}
