//! Methods of `Range` that take and return values. Iterators of ranges are loops (see `iterate`).

impl<T: Copy + PartialOrd> Range<T> {
    pub fn contains(&self, item: &T) -> bool {
        self.start <= *item && *item < self.end
    }

    pub fn is_empty(&self) -> bool {
        !(self.start < self.end)
    }
}
