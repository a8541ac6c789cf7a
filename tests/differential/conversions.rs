//! `try_from` and `try_into`: of all pairs of integers, of what never fails, and of one's own types.

// What clippy would write otherwise is compiled, too.
#![allow(clippy::all)]

use std::num::TryFromIntError;

use amp::prelude::*;
use testkit::twice;

/// The numbers around the ends of the ranges of all integers, as far as a type has them.
macro_rules! edges {
    ($T:ident) => {{
        let ends = [
            0_i128,
            1 << 7,
            1 << 8,
            1 << 15,
            1 << 16,
            1 << 31,
            1 << 32,
            1 << 63,
            1 << 64,
        ];
        let near = ends
            .iter()
            .flat_map(|end| (-2..3).flat_map(move |k| [end + k, k - end]));
        let all: Vec<$T> = near.filter_map(|x| $T::try_from(x).ok()).collect();
        all
    }};
}

/// What each conversion of a number gives, as a sum that tells them apart.
macro_rules! of_each {
    ($($name:ident $T:ident;)*) => {$(
        twice! {
            $name(x: $T) -> u64 = (edges!($T),);
            {
                let mut sum = 0_u64;
                macro_rules! add {
                    ($S:ident) => {
                        let made: Result<$S, _> = x.try_into();
                        let found = match $S::try_from(x) {
                            Ok(y) => (y as u64).wrapping_mul(3) ^ made.is_ok() as u64,
                            Err(_) => 2 + made.is_err() as u64,
                        };
                        sum = sum.wrapping_mul(31).wrapping_add(found);
                    };
                }
                add!(i8);
                add!(u8);
                add!(i16);
                add!(u16);
                add!(i32);
                add!(u32);
                add!(i64);
                add!(u64);
                sum
            }
        }
    )*};
}

of_each! {
    of_i8 i8;
    of_u8 u8;
    of_i16 i16;
    of_u16 u16;
    of_i32 i32;
    of_u32 u32;
    of_i64 i64;
    of_u64 u64;
}

twice! {
    of_sizes(x: i32) -> i32 = (edges!(i32),);
    {
        let at: usize = x.try_into().unwrap_or(7);
        let back = i32::try_from(at).unwrap_or(-1);
        let small = at.try_into().unwrap_or(255_u8);
        let signed = isize::try_from(x).unwrap();
        let wide = u32::try_from(at).unwrap() as i64 - i64::try_from(signed).unwrap();
        let narrow = u16::try_from(signed).is_err() as i32 + 2 * usize::try_from(signed).is_ok() as i32;
        back.wrapping_add(small as i32 * 3).wrapping_add(wide as i32).wrapping_mul(5).wrapping_add(narrow)
    }
}

#[amp_fn]
fn halves(x: i64) -> Result<(u16, i16), TryFromIntError> {
    let high = u16::try_from(x >> 16)?;
    let low: i16 = (x & 0xffff).try_into()?;
    Ok((high, low))
}

twice! {
    propagated(x: i64) -> u32 = (edges!(i64),);
    {
        let halves = halves(x);
        let error = u8::try_from(-1).unwrap_err();
        let mut sum = (halves == Err(error)) as u32 + 2 * (halves.map_err(|_| 3) == Err(3)) as u32;
        if let Ok((high, low)) = halves {
            sum += u32::from(high) * 4 + low as u32;
        }
        let digits = [x, x / 3, 255].map(|x| u8::try_from(x).unwrap_or(9));
        sum = sum.wrapping_mul(3).wrapping_add(digits.iter().map(|x| u32::from(*x)).sum());
        sum = sum.wrapping_add([x, x / 2].iter().copied().filter_map(|x| i8::try_from(x).ok()).map(|x| x as u8 as u32).sum());
        // These cannot fail.
        let Ok(same) = i64::try_from(x);
        let exact = f64::try_from(x as i32).unwrap() as i64 + i64::from(u8::try_from(x > 3).unwrap());
        sum.wrapping_add(same.wrapping_add(exact) as u32)
    }
}

#[amp_module]
mod phases {
    #[derive(PartialEq)]
    pub enum Phase {
        Solid,
        Heated(u8),
    }

    impl TryFrom<i32> for Phase {
        type Error = (i32, bool);

        fn try_from(heat: i32) -> Result<Self, Self::Error> {
            match u8::try_from(heat) {
                Ok(0) => Ok(Phase::Solid),
                Ok(heat) => Ok(Self::Heated(heat)),
                Err(_) => Err((heat, heat > 0)),
            }
        }
    }
}
use phases::Phase;

twice! {
    of_own_types(x: i32) -> i32 = ((-40..300).collect(),);
    {
        let phase: Phase = x.try_into().unwrap_or(Phase::Solid);
        let heat = match phase {
            Phase::Solid => 0,
            Phase::Heated(heat) => heat as i32,
        };
        match Phase::try_from(x) {
            Err((heat, true)) => 2 * heat,
            Err((heat, false)) => -heat,
            Ok(other) => heat + 1000 * (other == phase) as i32,
        }
    }
}
