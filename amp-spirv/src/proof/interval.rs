//! Arithmetic of intervals, with what wraps around widened to all values of its type.

use super::{Int, Operation};

/// Values at equal distances: from one to another, both included. The distance is zero if there
/// is one value alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i64,
    pub(crate) high: i64,
    stride: i64,
}

impl Int {
    /// All its values; nothing if they are not all known to an [`Interval`].
    pub(crate) fn all(self) -> Option<Interval> {
        match (self.bits, self.signed) {
            (0, _) | (64.., false) => None,
            (64.., true) => Some(Interval::new(i64::MIN, i64::MAX)),
            (bits, false) => Some(Interval::new(0, (1 << bits) - 1)),
            (bits, true) => Some(Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        }
    }

    /// The value whose lowest bits these are, if an [`Interval`] can contain it.
    pub(crate) fn value(self, bits: u64) -> Option<i64> {
        let unused = 64 - u32::from(self.bits.clamp(1, 64));
        let shifted = bits << unused;
        match self.signed {
            true => Some(shifted.cast_signed() >> unused),
            false => i64::try_from(shifted >> unused).ok(),
        }
    }

    /// An interval of exact results, as it is after wrapping.
    pub(crate) fn wrapped(self, exact: Option<Interval>) -> Option<Interval> {
        let fits = |interval: &Interval| match self.all() {
            Some(all) => all.low <= interval.low && interval.high <= all.high,
            None => interval.low >= 0,
        };
        exact.filter(fits).or_else(|| self.all())
    }
}

impl Interval {
    /// All values from one to another.
    pub(crate) fn new(low: i64, high: i64) -> Self {
        Self::strided(low, high, 1)
    }

    /// The values from `low` on at a distance, as far as `high`.
    pub(crate) fn strided(low: i64, high: i64, stride: i64) -> Self {
        let stride = stride.max(1);
        // The distance of the ends may be more than an `i64`.
        let rest = (i128::from(high) - i128::from(low)) % i128::from(stride);
        let high = high - rest as i64;
        let stride = if low == high { 0 } else { stride };
        Self { low, high, stride }
    }

    pub(crate) fn one(value: i64) -> Self {
        Self::new(value, value)
    }

    /// Whether there is one value alone.
    pub(crate) fn is_one(&self) -> bool {
        self.low == self.high
    }

    /// The values below a count, which may be empty: then it says nothing false.
    pub(crate) fn below(count: i64) -> Option<Self> {
        Some(Self::new(0, count.checked_sub(1)?.max(0)))
    }

    /// The least interval around two.
    pub(crate) fn hull(self, other: Self) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        let between = i64::try_from(self.low.abs_diff(other.low));
        let stride = gcd(self.stride, other.stride);
        Self::strided(low, high, between.map_or(1, |it| gcd(stride, it)))
    }

    /// The multiples of its values, if they are known.
    fn times(self, factor: i64) -> Option<Self> {
        let ends = (
            self.low.checked_mul(factor)?,
            self.high.checked_mul(factor)?,
        );
        let stride = self.stride.checked_mul(factor.checked_abs()?)?;
        Some(Self::strided(
            ends.0.min(ends.1),
            ends.0.max(ends.1),
            stride,
        ))
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The part of an interval between two values. If it is empty, nothing runs with such a
/// value, and any answer is right.
pub(crate) fn within(
    value: Option<Interval>,
    low: Option<i64>,
    high: Option<i64>,
) -> Option<Interval> {
    let value = match value {
        Some(value) => value,
        None => Interval::new(0, high?.max(0)),
    };
    let low = match low {
        Some(low) if low > value.low => {
            let stride = value.stride.max(1);
            let steps = (low.checked_sub(value.low)? - 1) / stride + 1;
            value.low.checked_add(steps.checked_mul(stride)?)?
        }
        _ => value.low,
    };
    let high = value.high.min(high.unwrap_or(i64::MAX));
    Some(Interval::strided(low, high.max(low), value.stride))
}

/// The values of a loop's variable.
pub(crate) fn counter(start: Interval, end: Interval, step: Option<Interval>) -> Option<Interval> {
    let last = end.high.checked_sub(1)?.max(start.low);
    let stride = match step.filter(Interval::is_one) {
        Some(step) if step.low > 0 => gcd(start.stride, step.low),
        _ => 1,
    };
    Some(Interval::strided(start.low, last, stride))
}

/// A condition that always holds, never does, or depends.
fn truth(always: bool, never: bool) -> Option<Interval> {
    Some(Interval::new(i64::from(always), i64::from(!never)))
}

pub(crate) fn binary(
    operation: Operation,
    a: Option<Interval>,
    b: Option<Interval>,
    int: Int,
) -> Option<Interval> {
    let unsigned = |low: i64, high: i64| (!int.signed).then(|| Interval::new(low, high));
    let exact = match (operation, a, b) {
        (Operation::Add, Some(a), Some(b)) => {
            let (low, high) = (a.low.checked_add(b.low), a.high.checked_add(b.high));
            let stride = gcd(a.stride, b.stride);
            let ends = low.zip(high);
            ends.map(|(low, high)| Interval::strided(low, high, stride))
        }
        (Operation::Sub, Some(a), Some(b)) => {
            let (low, high) = (a.low.checked_sub(b.high), a.high.checked_sub(b.low));
            let stride = gcd(a.stride, b.stride);
            let ends = low.zip(high);
            ends.map(|(low, high)| Interval::strided(low, high, stride))
        }
        (Operation::Mul, Some(a), Some(b)) if b.is_one() => a.times(b.low),
        (Operation::Mul, Some(a), Some(b)) if a.is_one() => b.times(a.low),
        (Operation::Mul, Some(a), Some(b)) => {
            let (low, high) = (a.times(b.low), a.times(b.high));
            low.zip(high)
                .map(|(a, b)| Interval::new(a.low.min(b.low), a.high.max(b.high)))
        }
        (Operation::Div, Some(a), Some(b)) if a.low >= 0 && b.low >= 0 => {
            // A divisor of zero gives zero.
            let low = if b.low == 0 { 0 } else { a.low / b.high.max(1) };
            Some(Interval::new(low, a.high / b.low.max(1)))
        }
        (Operation::Rem, Some(a), Some(b)) if a.low >= 0 && b.low > 0 && a.high < b.low => Some(a),
        (Operation::Rem, a, Some(b)) if b.low >= 0 => {
            let most = b.high.saturating_sub(1).max(0);
            match a {
                Some(a) if a.low >= 0 => Some(Interval::new(0, a.high.min(most))),
                _ => unsigned(0, most),
            }
        }
        (Operation::Min, Some(a), Some(b)) => {
            let both = a.hull(b);
            Some(Interval::strided(both.low, a.high.min(b.high), both.stride))
        }
        (Operation::Min, Some(one), None) | (Operation::Min, None, Some(one)) => {
            unsigned(0, one.high)
        }
        (Operation::Max, Some(a), Some(b)) => {
            Some(Interval::new(a.low.max(b.low), a.high.max(b.high)))
        }
        (Operation::And, a, b) => {
            let bound = |it: Option<Interval>| it.filter(|it| it.low >= 0).map(|it| it.high);
            let high = match (bound(a), bound(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, other) => one.or(other),
            };
            high.map(|high| Interval::new(0, high))
        }
        // No bit above the highest of both.
        (Operation::Or | Operation::Xor, Some(a), Some(b)) if a.low >= 0 && b.low >= 0 => {
            let unused = (a.high | b.high).leading_zeros();
            Some(Interval::new(0, i64::MAX >> (unused - 1)))
        }
        (Operation::Shl, Some(a), Some(b)) if b.is_one() && a.low >= 0 => {
            let is_count = (0..i64::from(int.bits).min(62)).contains(&b.low);
            is_count.then(|| a.times(1 << b.low)).flatten()
        }
        (Operation::Shr, Some(a), Some(b)) if a.low >= 0 => {
            let is_count = |it: i64| (0..i64::from(int.bits)).contains(&it);
            match is_count(b.low) && is_count(b.high) {
                true => Some(Interval::new(a.low >> b.high, a.high >> b.low)),
                // The count is masked.
                false => Some(Interval::new(0, a.high)),
            }
        }
        (Operation::Equal, Some(a), Some(b)) => {
            truth(a.is_one() && a == b, a.high < b.low || b.high < a.low)
        }
        (Operation::Less, Some(a), Some(b)) => truth(a.high < b.low, a.low >= b.high),
        _ => None,
    };
    int.wrapped(exact)
}
