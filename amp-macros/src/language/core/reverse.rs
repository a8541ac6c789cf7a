//! The operators of `Reverse`, whose order is the reverse of that of what it has.

impl<T: Copy + PartialOrd> PartialOrd for Reverse<T> {
    fn lt(&self, other: &Self) -> bool {
        other.0 < self.0
    }

    fn le(&self, other: &Self) -> bool {
        other.0 <= self.0
    }

    fn gt(&self, other: &Self) -> bool {
        other.0 > self.0
    }

    fn ge(&self, other: &Self) -> bool {
        other.0 >= self.0
    }
}
