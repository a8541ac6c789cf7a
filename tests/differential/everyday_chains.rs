//! Chains beside chains that leave items out, errors of conversions that `?` converts, and constants whose blocks import
//! cases; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    pub struct Negative;

    impl From<std::num::TryFromIntError> for Negative {
        fn from(_: std::num::TryFromIntError) -> Self {
            Negative
        }
    }

    fn half(x: i32) -> Result<u32, Negative> {
        let u: u32 = x.try_into()?;
        Ok(u / 2)
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Protocol {
        Tcp,
        Udp,
    }

    pub struct Unknown(u8);

    pub enum Failure {
        Protocol(u8),
        Range,
    }

    impl From<Unknown> for Failure {
        fn from(Unknown(number): Unknown) -> Self {
            Failure::Protocol(number)
        }
    }

    impl From<std::num::TryFromIntError> for Failure {
        fn from(_: std::num::TryFromIntError) -> Self {
            Failure::Range
        }
    }

    impl TryFrom<u8> for Protocol {
        type Error = Unknown;

        fn try_from(number: u8) -> Result<Self, Unknown> {
            match number {
                6 => Ok(Self::Tcp),
                17 => Ok(Self::Udp),
                _ => Err(Unknown(number)),
            }
        }
    }

    impl Protocol {
        const ALL: [Protocol; 2] = {
            use Protocol::*;
            [Udp, Tcp]
        };
    }

    pub struct Header {
        protocol: Protocol,
        length: u8,
    }

    fn parse(number: u8, length: u32) -> Result<Header, Failure> {
        let protocol = number.try_into()?;
        let length = length.try_into()?;
        Ok(Header { protocol, length })
    }

    pub fn all(x: u32) -> [u32; 4] {
        let (a, b) = ([x, 2, 3, 4], [4, 5, x, 9, 7, 8]);
        let evens = b.iter().copied().filter(|v| v % 2 == 0);
        let pairs = a.iter().copied().zip(evens).map(|(p, q)| p * 10 + q).sum::<u32>();
        let numbers = (0..x).filter(|v| v % 3 != 0);
        let hash = numbers.zip((0..100u32).map(|v| v * 7).filter(|v| *v > 9)).fold(0, |h, (p, q)| h * 31 % 65_537 + p * q);
        let mut sum = 0;
        for (p, q) in b.iter().take_while(|v| **v != 9).zip(a.iter().copied().skip_while(|v| *v < 3)) {
            sum += p * 3 + q;
        }
        let rises = a.iter().copied().zip(a.iter().copied().cycle().skip(1)).filter(|(p, q)| p < q).count() as u32;
        let code = match parse((x % 20) as u8, x * 20) {
            Ok(Header { protocol, length }) => protocol as u32 + 2 * u32::from(length),
            Err(Failure::Protocol(number)) => 1000 + u32::from(number),
            Err(Failure::Range) => 2000,
        };
        [
            pairs * 8 + rises,
            hash + sum,
            code,
            half(x as i32 - 9).map_or(77, |h| h) + Protocol::ALL[x as usize % 2] as u32 * 100,
        ]
    }
}

all_agree!(partners_errors_and_constants: [u32; 4], 40);
