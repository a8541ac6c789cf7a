//! `?` that converts an error by `From`: by impls of one's own, generic ones, and among numbers.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    #[derive(Clone, Copy, PartialEq)]
    pub enum Low {
        Empty,
        Bad(u32),
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Plain {
        First,
        Second,
    }

    #[derive(Clone, Copy, PartialEq)]
    pub struct At {
        pub place: u32,
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum High {
        Missing,
        Low(Low),
        At(u32, u32),
    }

    #[derive(Clone, Copy, PartialEq)]
    pub struct Wrapped<T> {
        pub cause: T,
        pub count: u32,
    }

    impl From<Low> for High {
        fn from(low: Low) -> Self {
            High::Low(low)
        }
    }

    impl From<Plain> for High {
        fn from(plain: Plain) -> Self {
            match plain {
                Plain::First => High::Missing,
                Plain::Second => High::At(1, 2),
            }
        }
    }

    impl From<At> for High {
        fn from(at: At) -> Self {
            High::At(at.place, at.place * at.place)
        }
    }

    impl<T: Copy> From<T> for Wrapped<T> {
        fn from(cause: T) -> Self {
            Wrapped { cause, count: 1 }
        }
    }

    fn low(x: u32) -> Result<u32, Low> {
        match x % 5 {
            0 => Err(Low::Empty),
            1 => Err(Low::Bad(x)),
            _ => Ok(x * 3),
        }
    }

    fn plain(x: u32) -> Result<u32, Plain> {
        match x % 7 {
            0 => Err(Plain::First),
            1 => Err(Plain::Second),
            _ => Ok(x + 1),
        }
    }

    fn at(x: u32) -> Result<(), At> {
        if x % 11 == 3 {
            return Err(At { place: x });
        }
        Ok(())
    }

    /// The same error in between needs no conversion.
    pub fn high(x: u32) -> Result<u32, High> {
        let mut sum = low(x)? + plain(x)?;
        at(x)?;
        for i in 0..x % 3 {
            sum += low(x + i)?;
            at(sum)?;
        }
        if sum % 13 == 0 {
            Err(High::Missing)?;
        }
        Ok(sum)
    }

    fn wrapped(x: u32) -> Result<u32, Wrapped<Low>> {
        Ok(low(x)? + 1)
    }

    fn small(x: u32) -> Result<u32, u8> {
        if x % 2 == 0 { Err((x % 200) as u8) } else { Ok(x) }
    }

    fn wide(x: u32) -> Result<u32, i32> {
        let y = small(x)?;
        if y % 3 == 0 { Err(-1) } else { Ok(y) }
    }

    pub struct Reader {
        at: u32,
    }

    impl Reader {
        fn next(&mut self) -> Result<u32, Low> {
            self.at += 1;
            low(self.at)
        }

        fn two(&mut self) -> Result<(u32, u32), High> {
            Ok((self.next()?, self.next()?))
        }
    }

    fn closed(x: u32) -> Result<u32, High> {
        let f = |y: u32| -> Result<u32, High> {
            let z = low(y)?;
            Ok(z + 1)
        };
        f(x).or(f(x + 1))
    }

    fn number(high: High) -> u32 {
        match high {
            High::Missing => 1,
            High::Low(Low::Empty) => 2,
            High::Low(Low::Bad(x)) => 1000 + x,
            High::At(x, y) => 2000 + x * 100 + y,
        }
    }

    pub fn all(x: u32) -> u32 {
        let high = match high(x) {
            Ok(sum) => sum * 10,
            Err(error) => number(error) * 10 + 1,
        };
        let wrapped = match wrapped(x) {
            Ok(value) => value,
            Err(Wrapped { cause: Low::Empty, count }) => count,
            Err(Wrapped { cause: Low::Bad(x), count }) => x + count,
        };
        let wide = match wide(x) {
            Ok(value) => value,
            Err(error) => error as u32,
        };
        let mut reader = Reader { at: x };
        let two = match reader.two() {
            Ok((one, other)) => one * other,
            Err(error) => number(error) + reader.at,
        };
        let closed = match closed(x) {
            Ok(value) => value,
            Err(error) => number(error),
        };
        (high ^ wrapped.rotate_left(8) ^ wide.rotate_left(16))
            .wrapping_mul(31)
            .wrapping_add(two)
            .wrapping_mul(31)
            .wrapping_add(closed)
    }
}

#[amp_kernel]
fn errors(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = device::all(idx[0] as u32);
}

#[test]
fn errors_are_converted() {
    let expected: Vec<u32> = (0..400).map(host::all).collect();
    gives(&expected, |view, out| launch(view, 400, errors(out)));
}
