//! Constants, ranges, patterns, helpers and faults of all scalars.

use amp::prelude::*;
use half::{bf16, f16};
use testkit::numbers::pairs;
use testkit::{gives, launch, new_views, twice};

const BYTE: u8 = 200;
const SHORT: i16 = -30_000;
const LONG: i64 = -0x0123_4567_89ab_cdef;
const HUGE: u64 = u64::MAX - 1;
const DOUBLE: f64 = 0.1 + 0.2;
const SIGNED: isize = -7;
const HALF: f16 = f16::from_f32_const(0.1);
const BRAIN: bf16 = bf16::from_f32_const(-3.3);

#[amp_fn]
fn twice_long(x: i64) -> i64 {
    x + x + LONG - LONG
}

#[amp_kernel]
fn constants(idx: Index<1>, out: &mut ArrayViewMut<u64, 1>) {
    if idx[0] == 0 {
        out[0] = BYTE as u64;
        out[1] = SHORT as u64;
        out[2] = LONG as u64;
        out[3] = HUGE;
        let double: f64 = DOUBLE;
        out[4] = double.to_bits();
        out[5] = SIGNED as i64 as u64;
        let half: f16 = HALF;
        out[6] = half.to_bits() as u64;
        let brain: bf16 = BRAIN;
        out[7] = (brain + bf16::ONE).to_bits() as u64;
        out[8] = i64::MIN as u64;
        out[9] = u8::MAX as u64 + i8::MIN as u64;
        out[10] = twice_long(LONG) as u64;
        out[11] = f64::MIN_POSITIVE.to_bits();
        out[12] = u64::BITS as u64;
    }
}

#[test]
fn constants_of_all_types() {
    let expected = [
        200,
        SHORT as u64,
        LONG as u64,
        HUGE,
        DOUBLE.to_bits(),
        -7_i64 as u64,
        HALF.to_bits().into(),
        (BRAIN + bf16::ONE).to_bits().into(),
        i64::MIN as u64,
        127,
        LONG.wrapping_mul(2) as u64,
        f64::MIN_POSITIVE.to_bits(),
        64,
    ];
    gives(&expected, |view, out| launch(view, 1, constants(out)));
}

macro_rules! ranges {
    ($($name:ident $ty:ident [$($value:expr),*])*) => {$(
        twice! {
            $name(a: $ty, b: $ty) -> u64 = pairs(&[$($value),*]);
            {
                let mut sum = 0_u64;
                let mut rounds = 0;
                for x in a..b {
                    sum = sum.wrapping_mul(31).wrapping_add(x as u64);
                    rounds += 1;
                    if rounds > 50 {
                        break;
                    }
                }
                for x in a..=b {
                    sum = sum.wrapping_mul(31).wrapping_add(x as u64);
                    rounds += 1;
                    if rounds > 100 {
                        break;
                    }
                }
                for x in (a..b).rev() {
                    sum = sum.wrapping_mul(31).wrapping_add(x as u64);
                    rounds += 1;
                    if rounds > 150 {
                        break;
                    }
                }
                for x in (a..b).step_by(7) {
                    sum = sum.wrapping_mul(31).wrapping_add(x as u64);
                    rounds += 1;
                    if rounds > 200 {
                        break;
                    }
                }
                for x in (a..=b).rev().step_by(300) {
                    sum = sum.wrapping_mul(31).wrapping_add(x as u64);
                    rounds += 1;
                    if rounds > 250 {
                        break;
                    }
                }
                sum
            }
        }
    )*};
}

ranges! {
    ranges_of_i8 i8 [0, 1, -1, 5, 100, 127, 126, -128, -127]
    ranges_of_u8 u8 [0, 1, 5, 100, 250, 254, 255]
    ranges_of_i16 i16 [0, 1, -1, 300, 32_767, -32_768]
    ranges_of_u16 u16 [0, 1, 300, 65_534, 65_535]
    ranges_of_i64 i64 [0, 1, -1, 300, 1 << 32, i64::MAX - 1, i64::MAX, i64::MIN, i64::MIN + 1]
    ranges_of_u64 u64 [0, 1, 300, 1 << 32, (1 << 32) + 5, u64::MAX - 1, u64::MAX]
}

twice! {
    patterns(a: i64, b: i64) -> u64 = pairs(&[0, 1, -1, 5, -128, 127, 255, 1 << 40, i64::MIN, i64::MAX]);
    {
        let of_byte = match a as u8 {
            0 => 1_u64,
            1 | 5 => 2,
            100..=200 => 3,
            255 => 4,
            _ => 5,
        };
        let of_signed = match a as i8 {
            -128 => 10_u64,
            -127..=-1 => 20,
            0 => 30,
            _ => 40,
        };
        let of_wide = match (a, b as u64) {
            (-9223372036854775808, _) => 100_u64,
            (_, 0x8000_0000_0000_0000) => 200,
            (1099511627776, 1099511627776) => 300,
            (x, _) if x < 0 => 400,
            _ => 500,
        };
        of_byte + of_signed + of_wide
    }
}

macro_rules! faults {
    ($($name:ident $ty:ident $overflows:literal)*) => {$(
        mod $name {
            use super::*;

            #[amp_kernel]
            fn divide(idx: Index<1>, x: $ty, by: $ty, out: &mut ArrayViewMut<$ty, 1>) {
                out[idx] = x / by + x % by;
            }

            #[test]
            fn are_the_same_everywhere() {
                let overflow = $overflows.then_some("overflow");
                for (by, fault) in [(0, Some("by zero")), (!0, overflow)] {
                    for view in new_views() {
                        let mut data = [7 as $ty; 2];
                        let mut out = ArrayViewMut::new(2, &mut data).expect("two elements");
                        launch(&view, 2, divide($ty::MIN, by, &mut out)).expect("a launch");
                        let found = out.synchronize().map_err(|error| error.to_string());
                        drop(out);
                        match fault {
                            Some(words) => {
                                let found = found.expect_err("a fault");
                                assert!(found.contains(words), "{view}: {found}");
                            }
                            None => assert_eq!(found, Ok(()), "{view}"),
                        }
                        assert_eq!(data, [0; 2], "{view}");
                    }
                }
            }
        }
    )*};
}

faults! {
    faults_of_i8 i8 true
    faults_of_u8 u8 false
    faults_of_i16 i16 true
    faults_of_i64 i64 true
    faults_of_u64 u64 false
}
