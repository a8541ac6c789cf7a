//! [`Lines`]: variables of a row of a tile while the row goes through a loop alone.
//!
//! Such a variable is an array of a length that rustc knows, and that nothing else can reach. So what a
//! row computes round after round stays in vector registers, where a part of a
//! [`PerThread`] would be read and written in each round, thread by thread for fear that the memory
//! of the tile lies in the same place.

use super::group::{PerThread, Row};
use crate::types::index::{KernelIndex, TiledIndex};

/// An index whose rows have a length that is known.
pub trait Lines: KernelIndex {
    /// A variable of each thread of a row.
    type Line<T: Copy>: AsMut<[T]>;

    /// That, with these values.
    fn line<T: Copy>(values: &[T]) -> Self::Line<T>;
}

macro_rules! lines {
    ($($rank:literal $length:ident;)*) => {$(
        impl<const D0: usize, const D1: usize, const D2: usize> Lines
            for TiledIndex<$rank, D0, D1, D2>
        {
            type Line<T: Copy> = [T; $length];

            #[inline(always)]
            fn line<T: Copy>(values: &[T]) -> [T; $length] {
                let mut line = [values[0]; $length];
                line.copy_from_slice(values);
                line
            }
        }
    )*};
}
lines! {
    1 D0;
    2 D1;
    3 D2;
}

impl<I: Lines> Row<'_, I> {
    /// The row's part of a variable, as the row's own.
    #[inline(always)]
    pub fn line<T: Copy>(&self, variables: &mut PerThread<'_, T>) -> I::Line<T> {
        I::line(self.of(variables))
    }

    /// Makes that the row's part of the variable again.
    #[inline(always)]
    pub fn keep<T: Copy>(&self, variables: &mut PerThread<'_, T>, mut line: I::Line<T>) {
        self.of(variables).copy_from_slice(line.as_mut());
    }
}
