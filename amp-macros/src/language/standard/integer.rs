// host: divided(y, || T::overflowing_div(x, y))
pub fn overflowing_div(x: T, y: T) -> (T, bool) {
    (x.wrapping_div(y), x.division_overflows(y))
}

// host: divided(y, || T::overflowing_rem(x, y))
pub fn overflowing_rem(x: T, y: T) -> (T, bool) {
    (x.wrapping_rem(y), x.division_overflows(y))
}

// host: divided(y, || T::wrapping_div_euclid(x, y))
pub fn wrapping_div_euclid(x: T, y: T) -> T {
    if x.division_overflows(y) { x } else { x.div_euclid(y) }
}

// host: divided(y, || T::wrapping_rem_euclid(x, y))
pub fn wrapping_rem_euclid(x: T, y: T) -> T {
    if x.division_overflows(y) { 0 } else { x.rem_euclid(y) }
}

// host: divided(y, || T::overflowing_div_euclid(x, y))
pub fn overflowing_div_euclid(x: T, y: T) -> (T, bool) {
    (x.wrapping_div_euclid(y), x.division_overflows(y))
}

// host: divided(y, || T::overflowing_rem_euclid(x, y))
pub fn overflowing_rem_euclid(x: T, y: T) -> (T, bool) {
    (x.wrapping_rem_euclid(y), x.division_overflows(y))
}

pub fn overflowing_shl(x: T, by: u32) -> (T, bool) {
    (x.wrapping_shl(by), by >= BITS)
}

pub fn overflowing_shr(x: T, by: u32) -> (T, bool) {
    (x.wrapping_shr(by), by >= BITS)
}

pub fn unbounded_shl(x: T, by: u32) -> T {
    if by < BITS { x.wrapping_shl(by) } else { 0 }
}

pub fn overflowing_pow(x: T, exponent: u32) -> (T, bool) {
    let mut power: T = 1;
    let mut square = x;
    let mut rest = exponent;
    // Whether a square has overflowed, which counts only if it is a factor.
    let mut is_wrong = false;
    let mut overflows = false;
    while rest != 0 {
        if rest % 2 == 1 {
            let (product, is_too_large) = power.overflowing_mul(square);
            power = product;
            overflows = overflows || is_wrong || is_too_large;
        }
        let (product, is_too_large) = square.overflowing_mul(square);
        square = product;
        is_wrong = is_wrong || is_too_large;
        rest /= 2;
    }
    (power, overflows)
}

// host: some(T::checked_ilog2(x), "argument of integer logarithm must be positive")
pub fn ilog2(x: T) -> u32 {
    assert!(x > 0, "argument of integer logarithm must be positive");
    if x > 0 { BITS - 1 - (x as W).leading_zeros() } else { 0 }
}

// host: some(T::checked_ilog10(x), "argument of integer logarithm must be positive")
pub fn ilog10(x: T) -> u32 {
    assert!(x > 0, "argument of integer logarithm must be positive");
    x.logarithm(10)
}

// host: some(T::checked_ilog(x, base), if base < 2 { "base of integer logarithm must be at least 2" } else { "argument of integer logarithm must be positive" })
pub fn ilog(x: T, base: T) -> u32 {
    assert!(base >= 2, "base of integer logarithm must be at least 2");
    if base >= 2 {
        assert!(x > 0, "argument of integer logarithm must be positive");
        x.logarithm(base)
    } else {
        0
    }
}

fn logarithm(x: T, base: T) -> u32 {
    let mut rest = x;
    let mut logarithm = 0;
    while rest >= base {
        rest /= base;
        logarithm += 1;
    }
    logarithm
}

fn unless_overflowed(result: (T, bool)) -> Option<T> {
    if result.1 { None } else { Some(result.0) }
}

pub fn checked_add(x: T, y: T) -> Option<T> {
    T::unless_overflowed(x.overflowing_add(y))
}

pub fn checked_sub(x: T, y: T) -> Option<T> {
    T::unless_overflowed(x.overflowing_sub(y))
}

pub fn checked_mul(x: T, y: T) -> Option<T> {
    T::unless_overflowed(x.overflowing_mul(y))
}

pub fn checked_neg(x: T) -> Option<T> {
    T::unless_overflowed(x.overflowing_neg())
}

pub fn checked_pow(x: T, exponent: u32) -> Option<T> {
    T::unless_overflowed(x.overflowing_pow(exponent))
}

pub fn checked_shl(x: T, by: u32) -> Option<T> {
    T::unless_overflowed(x.overflowing_shl(by))
}

pub fn checked_shr(x: T, by: u32) -> Option<T> {
    T::unless_overflowed(x.overflowing_shr(by))
}

pub fn checked_div(x: T, y: T) -> Option<T> {
    if y == 0 || x.division_overflows(y) { None } else { Some(x / y) }
}

pub fn checked_rem(x: T, y: T) -> Option<T> {
    if y == 0 || x.division_overflows(y) { None } else { Some(x % y) }
}

pub fn checked_div_euclid(x: T, y: T) -> Option<T> {
    if y == 0 || x.division_overflows(y) { None } else { Some(x.div_euclid(y)) }
}

pub fn checked_rem_euclid(x: T, y: T) -> Option<T> {
    if y == 0 || x.division_overflows(y) { None } else { Some(x.rem_euclid(y)) }
}

pub fn checked_ilog2(x: T) -> Option<u32> {
    if x > 0 { Some(x.ilog2()) } else { None }
}

pub fn checked_ilog10(x: T) -> Option<u32> {
    if x > 0 { Some(x.logarithm(10)) } else { None }
}

pub fn checked_ilog(x: T, base: T) -> Option<u32> {
    if x > 0 && base >= 2 { Some(x.logarithm(base)) } else { None }
}
