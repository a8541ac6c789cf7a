//! The methods of Rust's `PartialOrd` and `Ord`. Left out is `clamp`, which may fault.
//!
//! Each asks the operators alone, so that types which derive them part by part have the methods.

impl<T: Copy> PartiallyOrdered for T {
    fn partial_cmp(self: &T, other: &T) -> Option<Ordering> {
        if *self < *other {
            Some(Ordering::Less)
        } else if *self <= *other {
            Some(Ordering::Equal)
        } else if *self > *other {
            Some(Ordering::Greater)
        } else {
            None
        }
    }
}

impl<T: Copy + Ord> Ordered for T {
    fn cmp(self: &T, other: &T) -> Ordering {
        if *self < *other {
            Ordering::Less
        } else if *self <= *other {
            Ordering::Equal
        } else {
            Ordering::Greater
        }
    }
}

impl<T: Copy + Ord> Chosen for T {
    fn max(self: T, other: T) -> T {
        if other < self { self } else { other }
    }

    fn min(self: T, other: T) -> T {
        if other < self { other } else { self }
    }
}

impl f32 {
    pub fn total_cmp(self: &f32, other: &f32) -> Ordering {
        let (a, b) = (self.to_bits() as i32, other.to_bits() as i32);
        let (a, b) = (a ^ (a >> 31 & 0x7fff_ffff), b ^ (b >> 31 & 0x7fff_ffff));
        if a < b {
            Ordering::Less
        } else if a > b {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }
}

impl f64 {
    pub fn total_cmp(self: &f64, other: &f64) -> Ordering {
        let (a, b) = (self.to_bits() as i64, other.to_bits() as i64);
        let (a, b) = (a ^ (a >> 63 & 0x7fff_ffff_ffff_ffff), b ^ (b >> 63 & 0x7fff_ffff_ffff_ffff));
        if a < b {
            Ordering::Less
        } else if a > b {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }
}
