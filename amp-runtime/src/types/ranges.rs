//! Sets of bytes of an allocation, as ranges.

use std::ops::Range;

/// A set of positions: ranges in ascending order, none empty and none touching the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges {
    ranges: Vec<Range<usize>>,
}

impl Ranges {
    /// The positions of one range.
    pub(crate) fn of(range: Range<usize>) -> Self {
        [range].into_iter().collect()
    }

    /// The ranges in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        self.ranges.iter().cloned()
    }

    /// Where the last range ends, 0 if there is none.
    pub(crate) fn end(&self) -> usize {
        self.ranges.last().map_or(0, |range| range.end)
    }

    /// Whether there is no position in the set.
    pub(crate) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Number of positions.
    pub(crate) fn size(&self) -> usize {
        self.ranges.iter().map(|range| range.len()).sum()
    }

    /// Whether every position of `other` is in the set.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        // Ranges do not touch, so a range of `other` lies within one of ours or is not
        // covered.
        let mut own = self.ranges[self.near(other)].iter().peekable();
        other.ranges.iter().all(|wanted| {
            while own.next_if(|range| range.end < wanted.end).is_some() {}
            own.peek().is_some_and(|range| range.start <= wanted.start)
        })
    }

    /// Whether a position of `other` is in the set.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let mut own = self.ranges[self.near(other)].iter().peekable();
        other.ranges.iter().any(|wanted| {
            while own.next_if(|range| range.end <= wanted.start).is_some() {}
            own.peek().is_some_and(|range| range.start < wanted.end)
        })
    }

    /// The positions that are in both.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut own = self.ranges[self.near(other)].iter().peekable();
        let mut both = Self::default();
        for wanted in &other.ranges {
            while let Some(range) = own.peek() {
                let start = range.start.max(wanted.start);
                let end = range.end.min(wanted.end);
                if start < end {
                    both.ranges.push(start..end);
                }
                // What goes on behind `wanted` may meet the next.
                if range.end > wanted.end {
                    break;
                }
                own.next();
            }
        }
        both
    }

    /// The positions that are not in `other`.
    pub(crate) fn difference(&self, other: &Self) -> Self {
        let mut cuts = other.ranges[other.near(self)].iter().peekable();
        let mut rest = Self::default();
        for range in &self.ranges {
            let mut start = range.start;
            while let Some(cut) = cuts.peek() {
                let end = cut.start.min(range.end);
                if start < end {
                    rest.ranges.push(start..end);
                }
                start = start.max(cut.end);
                if cut.end > range.end {
                    break;
                }
                cuts.next();
            }
            if start < range.end {
                rest.ranges.push(start..range.end);
            }
        }
        rest
    }

    /// Adds the positions of `other`.
    pub(crate) fn insert(&mut self, other: &Self) {
        if self.covers(other) {
            return;
        }
        let near = self.near(other);
        let mut merged = Self::default();
        let mut own = self.ranges[near.clone()].iter().peekable();
        for range in &other.ranges {
            while let Some(before) = own.next_if(|own| own.start < range.start) {
                merged.push(before.clone());
            }
            merged.push(range.clone());
        }
        own.for_each(|range| merged.push(range.clone()));
        self.ranges.splice(near, merged.ranges);
    }

    /// Takes the positions of `other` out. Returns whether one was there.
    pub(crate) fn remove(&mut self, other: &Self) -> bool {
        if !self.meets(other) {
            return false;
        }
        let near = self.near(other);
        let window = Self {
            ranges: self.ranges[near.clone()].to_vec(),
        };
        self.ranges.splice(near, window.difference(other).ranges);
        true
    }

    /// Which of the own ranges overlap or touch the span of `other`.
    fn near(&self, other: &Self) -> Range<usize> {
        let (Some(first), Some(last)) = (other.ranges.first(), other.ranges.last()) else {
            return 0..0;
        };
        let start = self.ranges.partition_point(|own| own.end < first.start);
        let end = self.ranges.partition_point(|own| own.start <= last.end);
        start..end
    }

    /// Adds a range that starts at or behind the start of the last.
    fn push(&mut self, range: Range<usize>) {
        match self.ranges.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ if range.is_empty() => {}
            _ => self.ranges.push(range),
        }
    }
}

/// From ranges in ascending order.
impl FromIterator<Range<usize>> for Ranges {
    fn from_iter<I: IntoIterator<Item = Range<usize>>>(ranges: I) -> Self {
        let mut all = Self::default();
        ranges.into_iter().for_each(|range| all.push(range));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: usize = 40;

    /// A set as one bit for each position.
    fn bits(ranges: &Ranges) -> u64 {
        ranges.iter().flatten().fold(0, |bits, at| bits | 1 << at)
    }

    fn of_bits(bits: u64) -> Ranges {
        let positions = (0..POSITIONS).filter(|at| bits >> at & 1 == 1);
        positions.map(|at| at..at + 1).collect()
    }

    fn assert_whole(ranges: &Ranges) {
        assert!(
            ranges.iter().all(|range| range.start < range.end),
            "{ranges:?}"
        );
        let pairs = ranges.ranges.windows(2);
        assert!(
            pairs.into_iter().all(|pair| pair[0].end < pair[1].start),
            "{ranges:?}"
        );
    }

    /// Random sets, some of few long ranges and some of many short ones.
    fn sets() -> impl Iterator<Item = u64> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        std::iter::from_fn(move || {
            let (kind, a, b) = (random() % 4, random(), random());
            let mask = (1 << POSITIONS) - 1;
            let run = (1_u64 << (a % 20)) - 1;
            Some(
                mask & match kind {
                    0 => a,
                    1 => a & b & random(),
                    2 => a | b | random(),
                    _ => run << (b % 40),
                },
            )
        })
    }

    #[test]
    fn sets_are_what_bits_say() {
        let mut random = sets();
        for _ in 0..20_000 {
            let (a, b) = (random.next().unwrap(), random.next().unwrap());
            let (x, y) = (of_bits(a), of_bits(b));
            assert_eq!(bits(&x), a);
            assert_eq!(x.size(), a.count_ones() as usize);
            assert_eq!(x.is_empty(), a == 0);
            assert_eq!(x.covers(&y), b & !a == 0, "{x:?} covers {y:?}");
            assert_eq!(x.meets(&y), a & b != 0, "{x:?} meets {y:?}");
            let mut sum = x.clone();
            sum.insert(&y);
            let mut rest = x.clone();
            assert_eq!(rest.remove(&y), a & b != 0);
            let both = x.intersection(&y);
            for (result, expected) in [
                (&sum, a | b),
                (&rest, a & !b),
                (&x.difference(&y), a & !b),
                (&both, a & b),
            ] {
                assert_whole(result);
                assert_eq!(bits(result), expected, "{x:?} and {y:?}");
            }
        }
    }

    #[test]
    fn touching_ranges_are_one() {
        let ranges: Ranges = [0..4, 4..8, 8..8, 12..16].into_iter().collect();
        assert_eq!(ranges.iter().collect::<Vec<_>>(), [0..8, 12..16]);
        assert!(ranges.covers(&Ranges::of(2..6)));
        assert!(!ranges.covers(&Ranges::of(6..13)));
    }
}
