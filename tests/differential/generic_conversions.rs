//! Conversions into numbers of one's own types with parameters, beside those of the standard library; against the same
//! module as plain Rust.

use amp::prelude::*;

device_and_host! {
    pub struct Bounded<const LOW: usize>(usize);

    impl<const LOW: usize> From<Bounded<LOW>> for usize {
        fn from(bounded: Bounded<LOW>) -> usize {
            bounded.0 + LOW
        }
    }

    impl<const LOW: usize> TryFrom<Bounded<LOW>> for u8 {
        type Error = u32;

        fn try_from(bounded: Bounded<LOW>) -> Result<u8, u32> {
            if bounded.0 < LOW { Ok(bounded.0 as u8) } else { Err(300) }
        }
    }

    pub struct Twofold<T>(T);

    impl<T: Into<u64>> From<Twofold<T>> for u64 {
        fn from(twofold: Twofold<T>) -> u64 {
            twofold.0.into() * 2
        }
    }

    pub fn all(x: u32) -> u32 {
        let size = usize::from(x as u16) + usize::from(Bounded::<3>(1));
        let wide = u64::from(x) + u64::from(Twofold(x as u8)) + u64::from(true);
        let into: u64 = Twofold(x as u16).into();
        let plain = u8::try_from(x * 20).unwrap_or(9);
        let own = u8::try_from(Bounded::<7>(x as usize)).map_or_else(|error| error, |x| x as u32);
        size as u32 + (wide + into) as u32 + plain as u32 + own
    }
}

all_agree!(conversions_are_told_apart_by_what_is_converted: u32, 20);
