//! Comparisons of slices: with each other, with arrays and strings of bytes, and with what functions return.

use amp::prelude::*;
use testkit::{gives, launch};

device_and_host! {
    #[derive(Clone, Copy)]
    pub struct Text {
        bytes: [u8; 6],
        used: usize,
    }

    impl Text {
        fn of(seed: u32) -> Self {
            let letter = |shift: u32| 97 + (seed >> shift & 1) as u8;
            let bytes = [letter(0), letter(1), letter(2), letter(3), letter(4), letter(5)];
            Text { bytes, used: (seed >> 6) as usize % 7 }
        }

        fn used(&self) -> &[u8] {
            &self.bytes[..self.used]
        }

        fn is(&self, other: &[u8]) -> bool {
            self.used() == other
        }

        fn is_not(&self, other: &[u8]) -> bool {
            *other != *self.used()
        }

        fn before(&self, other: &[u8]) -> bool {
            self.used() < other && !(other <= self.used())
        }
    }

    fn first_two(text: &[u8]) -> &[u8] {
        &text[..2]
    }

    fn bits(text: &Text, other: &[u8], lengths: &[u32]) -> u32 {
        let named: &[u8] = text.used();
        let all = [
            text.is(other),
            text.is_not(other),
            text.before(other),
            other == b"aba",
            b"ab" != other,
            &text.bytes[1..] == b"babab",
            text.bytes[..2] == other[..2],
            text.bytes[..2] < other[..],
            text.bytes[3..] >= other[1..],
            &text.bytes[2..] > other,
            *other <= text.bytes[4..],
            first_two(other) == &text.bytes[4..],
            &text.bytes[..2] <= first_two(other),
            named == other,
            lengths < &[3, 1][..],
            lengths == [2, 0],
        ];
        let mut bits = 0;
        for (i, &is) in all.iter().enumerate() {
            bits |= (is as u32) << i;
        }
        bits
    }

    pub fn all(x: u32) -> u32 {
        let (one, other) = (Text::of(x), Text::of(x.rotate_right(7) ^ x << 2));
        let lengths = [one.used as u32, other.used as u32];
        let end = 2 + other.used % 5;
        bits(&one, &other.bytes[..end], &lengths)
    }
}

#[amp_kernel]
fn comparisons(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = device::all((idx[0] as u32).wrapping_mul(0x9e37_79b9));
}

#[test]
fn slices_are_compared() {
    let expected: Vec<u32> = (0..600_u32)
        .map(|x| host::all(x.wrapping_mul(0x9e37_79b9)))
        .collect();
    let seen = expected.iter().fold(0, |seen, bits| seen | bits);
    assert_eq!(seen, 0xffff, "each comparison holds for some");
    gives(&expected, |view, out| launch(view, 600, comparisons(out)));
}
