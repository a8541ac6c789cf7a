//! The methods of Rust's `PartialOrd` and `Ord`, and `classify` of floats. Left out is `clamp`, which may fault.
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

    fn lt(self: &T, other: &T) -> bool {
        *self < *other
    }

    fn le(self: &T, other: &T) -> bool {
        *self <= *other
    }

    fn gt(self: &T, other: &T) -> bool {
        *self > *other
    }

    fn ge(self: &T, other: &T) -> bool {
        *self >= *other
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
    pub fn classify(self) -> FpCategory {
        let bits = self.to_bits();
        match (bits >> 23 & 0xff, bits & 0x007f_ffff) {
            (0, 0) => FpCategory::Zero,
            (0, _) => FpCategory::Subnormal,
            (0xff, 0) => FpCategory::Infinite,
            (0xff, _) => FpCategory::Nan,
            _ => FpCategory::Normal,
        }
    }

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
    pub fn classify(self) -> FpCategory {
        let bits = self.to_bits();
        match (bits >> 52 & 0x7ff, bits & 0x000f_ffff_ffff_ffff) {
            (0, 0) => FpCategory::Zero,
            (0, _) => FpCategory::Subnormal,
            (0x7ff, 0) => FpCategory::Infinite,
            (0x7ff, _) => FpCategory::Nan,
            _ => FpCategory::Normal,
        }
    }

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
