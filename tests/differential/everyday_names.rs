//! What programs name without a path: constants of std that are imported, methods of their types that are passed on,
//! and `matches!` in constant functions.

use amp::prelude::*;
use testkit::{gives, launch};

#[amp_module]
mod names {
    use std::f64::consts::{PI, TAU};

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Token {
        Start,
        Number(u32),
        Sign(u8),
        Bad,
    }

    impl Token {
        pub const fn ends(&self) -> bool {
            matches!(self, Token::Bad)
        }

        pub fn step(self, byte: u8) -> Self {
            match (self, byte) {
                (Token::Start | Token::Sign(_), b'0'..=b'9') => Token::Number((byte - b'0').into()),
                (Token::Number(n), b'0'..=b'9') => Token::Number(n * 10 + u32::from(byte - b'0')),
                (Token::Number(_), b'+' | b'-') => Token::Sign(byte),
                _ => Token::Bad,
            }
        }

        fn better(&self, other: &Self) -> bool {
            matches!(self, Token::Number(_)) && matches!(other, Token::Sign(_))
        }
    }

    const fn is_special(x: u32) -> bool {
        matches!(x, 2 | 3 | 9..=11)
    }

    fn decided(a: Token, b: Token, by: impl Fn(&Token, &Token) -> bool) -> u32 {
        if by(&a, &b) { 1 } else { 2 }
    }

    pub fn tokens(x: u32) -> u32 {
        let text = [b'1', b'0' + (x % 13) as u8, b'+', b'7'];
        let last = text.iter().copied().fold(Token::Start, Token::step);
        let number = match last {
            Token::Number(n) => n,
            _ => 1000,
        };
        number + 10_000 * last.ends() as u32 + decided(last, Token::Sign(b'+'), Token::better)
    }

    pub fn cases(x: u32) -> u32 {
        const fn is_small(x: u32) -> bool {
            matches!(x, 0..=4)
        }
        is_special(x) as u32 + 2 * is_small(x) as u32
    }

    pub fn angles(x: u32) -> [u64; 2] {
        let angle = PI * x as f64;
        let third = TAU / 3.0;
        [
            PI.to_bits() ^ third.min(angle).to_bits(),
            PI.max(angle).to_bits(),
        ]
    }
}

#[amp_module]
mod circle {
    use std::f32::consts::*;

    pub fn quarter(x: f32) -> f32 {
        let half = PI;
        FRAC_PI_2.min(x).max(half / 4.0)
    }
}

#[amp_kernel]
fn name_all(idx: Index<1>, out: &mut ArrayViewMut<[u64; 5], 1>) {
    let x = idx[0] as u32;
    let [a, b] = names::angles(x);
    let quarter = circle::quarter(x as f32);
    out[idx] = [
        names::tokens(x).into(),
        names::cases(x).into(),
        a,
        b,
        quarter.to_bits().into(),
    ];
}

#[test]
fn constants_methods_and_cases() {
    use std::f64::consts::{PI, TAU};
    let plain = |x: u32| {
        let tokens = if x % 13 < 10 {
            7 + 1
        } else {
            1000 + 10_000 + 2
        };
        let cases = u64::from([2, 3, 9, 10, 11].contains(&x)) + 2 * u64::from(x < 5);
        let angle = PI * x as f64;
        let quarter = (x as f32).clamp(std::f32::consts::FRAC_PI_4, std::f32::consts::FRAC_PI_2);
        [
            tokens,
            cases,
            PI.to_bits() ^ (TAU / 3.0).min(angle).to_bits(),
            PI.max(angle).to_bits(),
            quarter.to_bits().into(),
        ]
    };
    let expected: Vec<[u64; 5]> = (0..20).map(plain).collect();
    gives(&expected, |view, out| launch(view, 20, name_all(out)));
}
