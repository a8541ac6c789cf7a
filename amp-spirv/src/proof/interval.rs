//! Arithmetic of intervals, with what wraps around widened to all values of its type.

use super::{Int, Operation};

/// All values from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Int {
    /// All its values; nothing if they are not all known to an [`Interval`].
    pub(super) fn all(self) -> Option<Interval> {
        match (self.bits, self.signed) {
            (0, _) | (64.., false) => None,
            (64.., true) => Some(Interval {
                low: i64::MIN,
                high: i64::MAX,
            }),
            (bits, false) => Some(Interval {
                low: 0,
                high: (1 << bits) - 1,
            }),
            (bits, true) => Some(Interval {
                low: -(1 << (bits - 1)),
                high: (1 << (bits - 1)) - 1,
            }),
        }
    }

    /// The value whose lowest bits these are, if an [`Interval`] can contain it.
    pub(super) fn value(self, bits: u64) -> Option<i64> {
        let unused = 64 - u32::from(self.bits.clamp(1, 64));
        let shifted = bits << unused;
        match self.signed {
            true => Some(shifted.cast_signed() >> unused),
            false => i64::try_from(shifted >> unused).ok(),
        }
    }

    /// An interval of exact results, as it is after wrapping.
    pub(super) fn wrapped(self, exact: Option<Interval>) -> Option<Interval> {
        let fits = |interval: &Interval| match self.all() {
            Some(all) => all.low <= interval.low && interval.high <= all.high,
            None => interval.low >= 0,
        };
        exact.filter(fits).or_else(|| self.all())
    }
}

impl Interval {
    pub(super) fn one(value: i64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// The values below a count, which may be empty: then it says nothing false.
    pub(super) fn below(count: i64) -> Option<Self> {
        Some(Self {
            low: 0,
            high: count.checked_sub(1)?.max(0),
        })
    }

    pub(super) fn hull(values: [Option<i64>; 4]) -> Option<Self> {
        let [a, b, c, d] = values;
        let (a, b, c, d) = (a?, b?, c?, d?);
        Some(Self {
            low: a.min(b).min(c).min(d),
            high: a.max(b).max(c).max(d),
        })
    }
}

/// The part of an interval between two values. If it is empty, nothing runs with such a
/// value, and any answer is right.
pub(super) fn within(
    value: Option<Interval>,
    low: Option<i64>,
    high: Option<i64>,
) -> Option<Interval> {
    let value = value.or_else(|| {
        Some(Interval {
            low: 0,
            high: high?,
        })
    })?;
    let low = value.low.max(low.unwrap_or(i64::MIN));
    let high = value.high.min(high.unwrap_or(i64::MAX));
    Some(Interval {
        low,
        high: high.max(low),
    })
}

/// The values of a loop's variable.
pub(super) fn counter(start: Interval, end: Interval, step: Option<Interval>) -> Option<Interval> {
    let last = end.high.checked_sub(1)?.max(start.low);
    let is_exact = |it: &Interval| it.low == it.high;
    let last = match step.filter(is_exact) {
        Some(step) if step.low > 0 && is_exact(&start) => {
            last - (last.checked_sub(start.low)?) % step.low
        }
        _ => last,
    };
    Some(Interval {
        low: start.low,
        high: last,
    })
}

/// A condition that always holds, never does, or depends.
fn truth(always: bool, never: bool) -> Option<Interval> {
    Some(Interval {
        low: i64::from(always),
        high: i64::from(!never),
    })
}

pub(super) fn binary(
    operation: Operation,
    a: Option<Interval>,
    b: Option<Interval>,
    int: Int,
) -> Option<Interval> {
    let unsigned = |low: i64, high: i64| (!int.signed).then_some(Interval { low, high });
    let exact = match (operation, a, b) {
        (Operation::Add, Some(a), Some(b)) => {
            let (low, high) = (a.low.checked_add(b.low), a.high.checked_add(b.high));
            low.zip(high).map(|(low, high)| Interval { low, high })
        }
        (Operation::Sub, Some(a), Some(b)) => {
            let (low, high) = (a.low.checked_sub(b.high), a.high.checked_sub(b.low));
            low.zip(high).map(|(low, high)| Interval { low, high })
        }
        (Operation::Mul, Some(a), Some(b)) => Interval::hull([
            a.low.checked_mul(b.low),
            a.low.checked_mul(b.high),
            a.high.checked_mul(b.low),
            a.high.checked_mul(b.high),
        ]),
        (Operation::Div, Some(a), Some(b)) if a.low >= 0 && b.low >= 0 => {
            // A divisor of zero gives zero.
            let low = if b.low == 0 { 0 } else { a.low / b.high.max(1) };
            Some(Interval {
                low,
                high: a.high / b.low.max(1),
            })
        }
        (Operation::Rem, Some(a), Some(b)) if a.low >= 0 && b.low > 0 && a.high < b.low => Some(a),
        (Operation::Rem, a, Some(b)) if b.low >= 0 => match a {
            Some(a) if a.low >= 0 => Some(Interval {
                low: 0,
                high: a.high.min(b.high.saturating_sub(1).max(0)),
            }),
            _ => unsigned(0, b.high.saturating_sub(1).max(0)),
        },
        (Operation::Min, Some(a), Some(b)) => Some(Interval {
            low: a.low.min(b.low),
            high: a.high.min(b.high),
        }),
        (Operation::Min, Some(one), None) | (Operation::Min, None, Some(one)) => {
            unsigned(0, one.high)
        }
        (Operation::Max, Some(a), Some(b)) => Some(Interval {
            low: a.low.max(b.low),
            high: a.high.max(b.high),
        }),
        (Operation::And, a, b) => {
            let bound = |it: Option<Interval>| it.filter(|it| it.low >= 0).map(|it| it.high);
            let high = match (bound(a), bound(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, other) => one.or(other),
            };
            high.map(|high| Interval { low: 0, high })
        }
        (Operation::Shl, Some(a), Some(b)) if b.low == b.high && a.low >= 0 => {
            let factor = (0..62).contains(&b.low).then(|| 1_i64 << b.low);
            factor.and_then(|factor| {
                let high = a.high.checked_mul(factor)?;
                let low = a.low.checked_mul(factor)?;
                (b.low < i64::from(int.bits)).then_some(Interval { low, high })
            })
        }
        (Operation::Shr, Some(a), Some(b)) if a.low >= 0 => {
            let is_count = |it: i64| (0..i64::from(int.bits)).contains(&it);
            match is_count(b.low) && is_count(b.high) {
                true => Some(Interval {
                    low: a.low >> b.high,
                    high: a.high >> b.low,
                }),
                // The count is masked.
                false => Some(Interval {
                    low: 0,
                    high: a.high,
                }),
            }
        }
        (Operation::Equal, Some(a), Some(b)) => {
            truth(a.low == a.high && a == b, a.high < b.low || b.high < a.low)
        }
        (Operation::Less, Some(a), Some(b)) => truth(a.high < b.low, a.low >= b.high),
        _ => None,
    };
    int.wrapped(exact)
}
