//! Extents and strides of any rank, in place where they are few: a launch takes no memory for them.

use std::ops::Deref;

/// What has room in place: the extent and the strides of three dimensions.
const FEW: usize = 6;

/// Lengths in a row.
#[derive(Clone, Debug)]
pub(crate) enum Lengths {
    Few(usize, [usize; FEW]),
    Many(Box<[usize]>),
}

impl FromIterator<usize> for Lengths {
    fn from_iter<I: IntoIterator<Item = usize>>(lengths: I) -> Self {
        let mut lengths = lengths.into_iter();
        let (mut count, mut few) = (0, [0; FEW]);
        for length in lengths.by_ref() {
            if count == FEW {
                return Self::Many(few.into_iter().chain([length]).chain(lengths).collect());
            }
            few[count] = length;
            count += 1;
        }
        Self::Few(count, few)
    }
}

impl From<&[usize]> for Lengths {
    fn from(lengths: &[usize]) -> Self {
        lengths.iter().copied().collect()
    }
}

impl Deref for Lengths {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        match self {
            Self::Few(count, few) => &few[..*count],
            Self::Many(many) => many,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_are_kept() {
        for count in 0..2 * FEW {
            let lengths: Vec<usize> = (7..7 + count).collect();
            assert_eq!(*Lengths::from(&*lengths), lengths);
        }
    }
}
