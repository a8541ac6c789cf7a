//! The functions as plain Rust, beside those of the standard library.

/// The functions for one type, all of which but their own helpers call those of the standard library.
macro_rules! functions {
    ($name:ident: $T:ident $U:ident $S:ident; $($file:literal)*; $($helper:ident -> $result:ty)*) => {
        #[allow(dead_code, unused, clippy::all)]
        mod $name {
            type T = $T;
            type U = $U;
            type S = $S;
            type W = $U;
            const MIN: T = T::MIN;
            const MAX: T = T::MAX;
            const BITS: u32 = T::BITS;
            const BYTES: usize = size_of::<T>();
            trait Helpers: Sized {
                $(fn $helper(self, y: T) -> $result;)*
                fn unless_overflowed(result: (T, bool)) -> Option<T>;
            }
            impl Helpers for T {
                $(fn $helper(self, y: T) -> $result { $helper(self, y) })*
                fn unless_overflowed(result: (T, bool)) -> Option<T> { unless_overflowed(result) }
            }
            $(include!($file);)*
        }
    };
}

macro_rules! signed {
    ($($name:ident $T:ident $U:ident;)*) => {$(
        functions!($name: $T $U $T; "integer.rs" "signed.rs" "fixed.rs";
            division_overflows -> bool logarithm -> u32);
    )*};
}

macro_rules! unsigned {
    ($($name:ident $T:ident $S:ident;)*) => {$(
        functions!($name: $T $T $S; "integer.rs" "unsigned.rs" "fixed.rs";
            division_overflows -> bool logarithm -> u32);
    )*};
}

signed! {
    of_i8 i8 u8;
    of_i16 i16 u16;
    of_i32 i32 u32;
    of_i64 i64 u64;
}

unsigned! {
    of_u8 u8 i8;
    of_u16 u16 i16;
    of_u32 u32 i32;
    of_u64 u64 i64;
}

/// All numbers of 8 bits, and those of more that are the ends of ranges, powers and their like.
macro_rules! numbers {
    ($T:ident) => {{
        let bits = (0..$T::BITS).map(|bit| (1 as $T) << bit);
        let near = bits.flat_map(|bit| (0..3).map(move |k| bit.wrapping_add(k).wrapping_sub(1)));
        let near =
            near.flat_map(|x| [x, x.wrapping_neg(), x.wrapping_mul(0x55), x.wrapping_mul(x)]);
        let small = (0..=255_u8).map(|x| x as i8 as $T);
        let all: std::collections::BTreeSet<$T> = match $T::BITS {
            8 => small.collect(),
            _ => near
                .chain([3, 7, 10, 46, 99, 100, 101].map(|x| x as $T))
                .collect(),
        };
        all
    }};
}

/// Compares functions of one or two numbers.
macro_rules! same {
    ($T:ident $name:ident; $x:ident $y:ident; $($function:ident($($argument:expr),*) $(if $condition:expr)?;)*) => {
        for $x in numbers!($T) {
            for $y in numbers!($T) {
                $(if true $(&& $condition)? {
                    let found = $name::$function($($argument),*);
                    let expected = $T::$function($($argument),*);
                    assert_eq!(found, expected, "{}({:?})", stringify!($function), ($x, $y));
                })*
            }
        }
    };
}

macro_rules! common {
    ($($name:ident $T:ident)*) => {$(
        same! {
            $T $name; x y;
            overflowing_add(x, y);
            overflowing_sub(x, y);
            overflowing_mul(x, y);
            overflowing_neg(x);
            overflowing_div(x, y) if y != 0;
            overflowing_rem(x, y) if y != 0;
            wrapping_div_euclid(x, y) if y != 0;
            wrapping_rem_euclid(x, y) if y != 0;
            overflowing_div_euclid(x, y) if y != 0;
            overflowing_rem_euclid(x, y) if y != 0;
            overflowing_shl(x, y as u32);
            overflowing_shr(x, y as u32);
            unbounded_shl(x, y as u32);
            unbounded_shr(x, y as u32);
            overflowing_pow(x, y as u32 & 0xff);
            saturating_pow(x, y as u32 & 0xff);
            saturating_add(x, y);
            saturating_sub(x, y);
            saturating_mul(x, y);
            saturating_div(x, y) if y != 0;
            checked_add(x, y);
            checked_sub(x, y);
            checked_mul(x, y);
            checked_neg(x);
            checked_pow(x, y as u32 & 0xff);
            checked_shl(x, y as u32);
            checked_shr(x, y as u32);
            checked_div(x, y);
            checked_rem(x, y);
            checked_div_euclid(x, y);
            checked_rem_euclid(x, y);
            checked_ilog2(x);
            checked_ilog10(x);
            checked_ilog(x, y);
            midpoint(x, y);
            ilog2(x) if x > 0;
            ilog10(x) if x > 0;
            ilog(x, y) if x > 0 && y > 1;
            to_le(x);
            to_be(x);
            from_le(x);
            from_be(x);
            to_le_bytes(x);
            to_be_bytes(x);
            to_ne_bytes(x);
            from_le_bytes(x.to_be_bytes());
            from_be_bytes(x.to_be_bytes());
            from_ne_bytes(x.to_be_bytes());
        }
    )*};
}

#[test]
fn of_all_integers() {
    common!(of_i8 i8 of_i16 i16 of_i32 i32 of_i64 i64 of_u8 u8 of_u16 u16 of_u32 u32 of_u64 u64);
}

#[test]
fn of_signed_integers() {
    macro_rules! all {
        ($($name:ident $T:ident $U:ident)*) => {$(
            same! {
                $T $name; x y;
                overflowing_abs(x);
                checked_abs(x);
                checked_isqrt(x);
                checked_add_unsigned(x, y as $U);
                checked_sub_unsigned(x, y as $U);
                saturating_neg(x);
                saturating_abs(x);
                wrapping_add_unsigned(x, y as $U);
                wrapping_sub_unsigned(x, y as $U);
                overflowing_add_unsigned(x, y as $U);
                overflowing_sub_unsigned(x, y as $U);
                saturating_add_unsigned(x, y as $U);
                saturating_sub_unsigned(x, y as $U);
                is_positive(x);
                is_negative(x);
                cast_unsigned(x);
                isqrt(x) if x >= 0;
            }
        )*};
    }
    all!(of_i8 i8 u8 of_i16 i16 u16 of_i32 i32 u32 of_i64 i64 u64);
}

#[test]
fn of_unsigned_integers() {
    macro_rules! all {
        ($($name:ident $T:ident $S:ident)*) => {$(
            same! {
                $T $name; x y;
                wrapping_add_signed(x, y as $S);
                wrapping_sub_signed(x, y as $S);
                overflowing_add_signed(x, y as $S);
                overflowing_sub_signed(x, y as $S);
                saturating_add_signed(x, y as $S);
                saturating_sub_signed(x, y as $S);
                checked_add_signed(x, y as $S);
                checked_sub_signed(x, y as $S);
                checked_signed_diff(x, y);
                checked_next_power_of_two(x);
                checked_next_multiple_of(x, y);
                carrying_add(x, y, true);
                carrying_add(x, y, false);
                borrowing_sub(x, y, true);
                borrowing_sub(x, y, false);
                carrying_mul(x, y, x ^ y);
                carrying_mul_add(x, y, $T::MAX, $T::MAX);
                next_power_of_two(x) if x <= 1 << ($T::BITS - 1);
                next_multiple_of(x, y) if y != 0 && x.checked_next_multiple_of(y).is_some();
                is_multiple_of(x, y);
                cast_signed(x);
                isqrt(x);
            }
            assert_eq!($name::next_power_of_two($T::MAX), 0);
        )*};
    }
    all!(of_u8 u8 i8 of_u16 u16 i16 of_u32 u32 i32 of_u64 u64 i64);
}

#[test]
fn of_bytes() {
    #[allow(dead_code, clippy::all)]
    mod of_byte {
        type T = u8;
        include!("byte.rs");
    }
    macro_rules! all {
        ($($name:ident)*) => {
            for x in 0..=u8::MAX {
                $(assert_eq!(of_byte::$name(x), u8::$name(&x), "{}({x})", stringify!($name));)*
            }
        };
    }
    all! {
        is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control is_ascii_digit
        is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation
        is_ascii_uppercase is_ascii_whitespace to_ascii_lowercase to_ascii_uppercase
    }
}

#[test]
fn of_conversions() {
    macro_rules! of {
        ($F:ident: $($T:ident)*) => {$({
            #[allow(clippy::all, unused_comparisons)]
            mod of {
                pub struct TryFromIntError;
                type F = $F;
                type T = $T;
                include!("conversion.rs");
            }
            for x in numbers!($F) {
                assert_eq!(of::try_from(x).ok(), $T::try_from(x).ok(), "{x}");
            }
        })*};
    }
    macro_rules! all {
        ($($F:ident)*) => { $(of!($F: i8 u8 i16 u16 i32 u32 i64 u64);)* };
    }
    all!(i8 u8 i16 u16 i32 u32 i64 u64);
}

macro_rules! floats {
    ($($name:ident $T:ident $U:ident;)*) => {$(
        #[allow(dead_code, clippy::all)]
        mod $name {
            type T = $T;
            type U = $U;
            const BYTES: usize = size_of::<T>();
            const EXPONENT: U = T::INFINITY.to_bits();
            include!("float.rs");
        }
    )*};
}

floats! {
    of_f32 f32 u32;
    of_f64 f64 u64;
}

#[test]
fn of_floats() {
    macro_rules! all {
        ($($name:ident $T:ident $U:ident)*) => {$(
            for x in numbers!($U).into_iter().map($T::from_bits) {
                let is = |found: $T, expected: $T, what: &str| {
                    let is_same = found.to_bits() == expected.to_bits();
                    assert!(is_same || found.is_nan() && expected.is_nan(), "{what}({x:e}): {found:e}");
                };
                assert_eq!($name::is_normal(x), x.is_normal());
                assert_eq!($name::is_subnormal(x), x.is_subnormal());
                is($name::next_up(x), x.next_up(), "next_up");
                is($name::next_down(x), x.next_down(), "next_down");
                assert_eq!($name::to_le_bytes(x), x.to_le_bytes());
                assert_eq!($name::to_be_bytes(x), x.to_be_bytes());
                assert_eq!($name::to_ne_bytes(x), x.to_ne_bytes());
                is($name::from_le_bytes(x.to_be_bytes()), $T::from_le_bytes(x.to_be_bytes()), "le");
                is($name::from_be_bytes(x.to_be_bytes()), x, "be");
                is($name::from_ne_bytes(x.to_ne_bytes()), x, "ne");
                for y in numbers!($U).into_iter().map($T::from_bits) {
                    is($name::midpoint(x, y), x.midpoint(y), &format!("midpoint {y:e}"));
                }
            }
        )*};
    }
    all!(of_f32 f32 u32 of_f64 f64 u64);
}
