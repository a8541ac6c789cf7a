//! What std's numbers have in the Rust that the project is written for: kernels have each of these
//! methods, or `docs/methods.md` says that they do not.

use amp_spirv::tree::{IndexWidth, Scalar};

use super::{
    core::File,
    method::{constructor, library_function, scalar_method},
    owner::Owner,
};

/// The names of the stable methods of types, with arguments for generic ones; rustc proves that there
/// are such.
macro_rules! stable {
    ($($constant:ident: $($ty:ident)+ { $($name:ident $([$($argument:ty),+])?)+ })+) => {$(
        const $constant: (&[&str], &[&str]) = (&[$(stringify!($ty)),+], &[$(stringify!($name)),+]);
    )+
        #[allow(deprecated, path_statements, clippy::no_effect)]
        #[test]
        fn they_are_methods_of_std() {
            $(stable!(@ [$($ty)+] [$($name $([$($argument),+])?)+]);)+
        }
    };
    (@ [$($ty:ident)+] $names:tt) => { $(stable!(@@ $ty $names);)+ };
    (@@ $ty:ident [$($name:ident $([$($argument:ty),+])?)+]) => {
        $(<$ty>::$name$(::<$($argument),+>)?;)+
    };
}

stable! {
    INTEGERS: i8 i16 i32 i64 isize u8 u16 u32 u64 usize {
        abs_diff checked_add checked_div checked_div_euclid checked_ilog checked_ilog10
        checked_ilog2 checked_mul checked_neg checked_pow checked_rem checked_rem_euclid
        checked_shl checked_shr checked_sub count_ones count_zeros div_euclid from_be
        from_be_bytes from_le from_le_bytes from_ne_bytes from_str_radix ilog ilog10 ilog2
        isqrt leading_ones leading_zeros max_value midpoint min_value overflowing_add
        overflowing_div overflowing_div_euclid overflowing_mul overflowing_neg
        overflowing_pow overflowing_rem overflowing_rem_euclid overflowing_shl
        overflowing_shr overflowing_sub pow rem_euclid reverse_bits rotate_left rotate_right
        saturating_add saturating_div saturating_mul saturating_pow saturating_sub
        strict_add strict_div strict_div_euclid strict_mul strict_neg strict_pow strict_rem
        strict_rem_euclid strict_shl strict_shr strict_sub swap_bytes to_be to_be_bytes
        to_le to_le_bytes to_ne_bytes trailing_ones trailing_zeros unbounded_shl
        unbounded_shr unchecked_add unchecked_mul unchecked_shl unchecked_shr unchecked_sub
        wrapping_add wrapping_div wrapping_div_euclid wrapping_mul wrapping_neg wrapping_pow
        wrapping_rem wrapping_rem_euclid wrapping_shl wrapping_shr wrapping_sub
    }
    SIGNED: i8 i16 i32 i64 isize {
        abs cast_unsigned checked_abs checked_add_unsigned checked_isqrt
        checked_sub_unsigned is_negative is_positive overflowing_abs
        overflowing_add_unsigned overflowing_sub_unsigned saturating_abs
        saturating_add_unsigned saturating_neg saturating_sub_unsigned signum strict_abs
        strict_add_unsigned strict_sub_unsigned unchecked_neg unsigned_abs wrapping_abs
        wrapping_add_unsigned wrapping_sub_unsigned
    }
    UNSIGNED: u8 u16 u32 u64 usize {
        borrowing_sub carrying_add carrying_mul carrying_mul_add cast_signed
        checked_add_signed checked_next_multiple_of checked_next_power_of_two
        checked_signed_diff checked_sub_signed div_ceil is_multiple_of is_power_of_two
        next_multiple_of next_power_of_two overflowing_add_signed overflowing_sub_signed
        saturating_add_signed saturating_sub_signed strict_add_signed strict_sub_signed
        wrapping_add_signed wrapping_sub_signed
    }
    BYTES: u8 {
        eq_ignore_ascii_case escape_ascii is_ascii is_ascii_alphabetic is_ascii_alphanumeric
        is_ascii_control is_ascii_digit is_ascii_graphic is_ascii_hexdigit
        is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace
        make_ascii_lowercase make_ascii_uppercase to_ascii_lowercase to_ascii_uppercase
    }
    FLOATS: f32 f64 {
        abs abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp classify copysign
        cos cosh div_euclid exp exp2 exp_m1 floor fract from_be_bytes from_bits
        from_le_bytes from_ne_bytes hypot is_finite is_infinite is_nan is_normal
        is_sign_negative is_sign_positive is_subnormal ln ln_1p log log10 log2 max midpoint
        min mul_add next_down next_up powf powi recip rem_euclid round round_ties_even
        signum sin sin_cos sinh sqrt tan tanh to_be_bytes to_bits to_degrees to_int_unchecked[i32] to_le_bytes
        to_ne_bytes to_radians total_cmp trunc
    }
    DOUBLES: f64 {
        is_negative is_positive
    }
    BOOLS: bool {
        then[(), fn()] then_some[()]
    }
}

const STABLE: [(&[&str], &[&str]); 7] = [INTEGERS, SIGNED, UNSIGNED, BYTES, FLOATS, DOUBLES, BOOLS];

const PAGE: &str = include_str!("../../../docs/methods.md");

/// Whether the page says that kernels do not have a method: by its name, its path, or how it starts.
fn is_refused(ty: &str, name: &str) -> bool {
    let (_, refused) = PAGE
        .split_once("## What kernels do not have")
        .expect("it has the section");
    let rows = refused.lines().filter_map(|line| line.strip_prefix("| "));
    let columns = rows.filter_map(|row| row.split(" | ").next());
    let texts = columns.flat_map(|column| column.split('`').skip(1).step_by(2));
    let mut words = texts.flat_map(str::split_whitespace);
    let path = format!("{ty}::{name}");
    words.any(|word| word == name || word == path || word.ends_with('_') && name.starts_with(word))
}

/// Whether kernels have a function of a scalar by this name.
fn is_there(name: &str, scalar: Scalar) -> bool {
    // A `usize` has all of them where it is as wide as on the host.
    let index = IndexWidth::Bits64;
    let settled = index.settled(scalar);
    scalar_method(name, settled).is_some()
        || constructor(name, settled).is_some()
        || library_function(name, settled).is_some()
        || Owner::Scalar(scalar).find(name, index, false).is_some()
        || scalar == Scalar::Bool && File::Bool.has(name)
        || scalar == Scalar::U8 && File::Byte.has(name)
        || scalar.is_float() && File::Comparison.has(name)
}

#[test]
fn each_is_there_or_refused() {
    let mut wrong = Vec::new();
    for (types, names) in STABLE {
        for (ty, name) in types
            .iter()
            .flat_map(|ty| names.iter().map(move |name| (ty, name)))
        {
            let scalar = Scalar::from_name(ty).expect("it is a scalar");
            if is_there(name, scalar) == is_refused(ty, name) {
                wrong.push(format!("{ty}::{name}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "in docs/methods.md and kernels, or in neither: {wrong:?}"
    );
}

#[test]
fn kernels_have_no_others() {
    for scalar in Scalar::ALL.into_iter().filter(|scalar| !scalar.is_half()) {
        for name in super::method::method_names(scalar) {
            let mut stable = STABLE.into_iter();
            let is_stable = stable
                .any(|(types, names)| types.contains(&scalar.name()) && names.contains(&name));
            let is_of_ord = ["min", "max", "clamp"].contains(&name);
            assert!(is_stable || is_of_ord, "{}::{name}", scalar.name());
        }
    }
}
