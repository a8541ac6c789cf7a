fn division_overflows(x: T, y: T) -> bool {
    false
}

pub fn overflowing_add(x: T, y: T) -> (T, bool) {
    let sum = x.wrapping_add(y);
    (sum, sum < x)
}

pub fn overflowing_sub(x: T, y: T) -> (T, bool) {
    (x.wrapping_sub(y), x < y)
}

pub fn overflowing_mul(x: T, y: T) -> (T, bool) {
    let (product, excess) = x.carrying_mul(y, 0);
    (product, excess != 0)
}

pub fn overflowing_neg(x: T) -> (T, bool) {
    (x.wrapping_neg(), x != 0)
}

pub fn saturating_add(x: T, y: T) -> T {
    let sum = x.wrapping_add(y);
    if sum < x { MAX } else { sum }
}

pub fn saturating_sub(x: T, y: T) -> T {
    x.max(y).wrapping_sub(y)
}

pub fn saturating_mul(x: T, y: T) -> T {
    let (product, overflows) = x.overflowing_mul(y);
    if overflows { MAX } else { product }
}

// host: divided(y, || T::saturating_div(x, y))
pub fn saturating_div(x: T, y: T) -> T {
    x / y
}

pub fn saturating_pow(x: T, exponent: u32) -> T {
    let (power, overflows) = x.overflowing_pow(exponent);
    if overflows { MAX } else { power }
}

pub fn wrapping_add_signed(x: T, y: S) -> T {
    x.wrapping_add(y as T)
}

pub fn wrapping_sub_signed(x: T, y: S) -> T {
    x.wrapping_sub(y as T)
}

pub fn overflowing_add_signed(x: T, y: S) -> (T, bool) {
    let sum = x.wrapping_add(y as T);
    (sum, (sum < x) != (y < 0))
}

pub fn overflowing_sub_signed(x: T, y: S) -> (T, bool) {
    let difference = x.wrapping_sub(y as T);
    (difference, (difference > x) != (y < 0))
}

pub fn saturating_add_signed(x: T, y: S) -> T {
    let (sum, overflows) = x.overflowing_add_signed(y);
    if !overflows {
        sum
    } else if y < 0 {
        0
    } else {
        MAX
    }
}

pub fn saturating_sub_signed(x: T, y: S) -> T {
    let (difference, overflows) = x.overflowing_sub_signed(y);
    if !overflows {
        difference
    } else if y < 0 {
        MAX
    } else {
        0
    }
}

pub fn carrying_add(x: T, y: T, carry: bool) -> (T, bool) {
    let (sum, overflows) = x.overflowing_add(y);
    let (sum, overflows_again) = sum.overflowing_add(carry as T);
    (sum, overflows || overflows_again)
}

pub fn borrowing_sub(x: T, y: T, borrow: bool) -> (T, bool) {
    let (difference, overflows) = x.overflowing_sub(y);
    let (difference, overflows_again) = difference.overflowing_sub(borrow as T);
    (difference, overflows || overflows_again)
}

pub fn carrying_mul(x: T, y: T, carry: T) -> (T, T) {
    x.carrying_mul_add(y, carry, 0)
}

pub fn carrying_mul_add(x: T, y: T, carry: T, add: T) -> (T, T) {
    // The product of numbers of two digits.
    let digit = BITS / 2;
    let low = MAX >> digit;
    let (x_low, x_high) = (x & low, x >> digit);
    let (y_low, y_high) = (y & low, y >> digit);
    let first = x_low.wrapping_mul(y_low);
    let second = x_high.wrapping_mul(y_low).wrapping_add(first >> digit);
    let third = x_low.wrapping_mul(y_high).wrapping_add(second & low);
    let high = x_high.wrapping_mul(y_high).wrapping_add(second >> digit);
    let high = high.wrapping_add(third >> digit);
    let (sum, overflows) = x.wrapping_mul(y).overflowing_add(carry);
    let (sum, overflows_again) = sum.overflowing_add(add);
    (sum, high.wrapping_add(overflows as T).wrapping_add(overflows_again as T))
}

pub fn unbounded_shr(x: T, by: u32) -> T {
    if by < BITS { x.wrapping_shr(by) } else { 0 }
}

pub fn midpoint(x: T, y: T) -> T {
    (x & y).wrapping_add((x ^ y) >> 1)
}

pub fn isqrt(x: T) -> T {
    let mut rest = x;
    let mut root = 0;
    let mut digit: T = 1 << (BITS - 2);
    while digit != 0 {
        let next = root | digit;
        root >>= 1;
        if rest >= next {
            rest = rest.wrapping_sub(next);
            root |= digit;
        }
        digit >>= 2;
    }
    root
}

// host: T::checked_next_power_of_two(x).unwrap_or(0)
pub fn next_power_of_two(x: T) -> T {
    if x <= 1 {
        1
    } else {
        (MAX >> (x.wrapping_sub(1) as W).leading_zeros()).wrapping_add(1)
    }
}

// host: divided(y, || T::wrapping_mul(T::div_ceil(x, y), y))
pub fn next_multiple_of(x: T, y: T) -> T {
    x.div_ceil(y).wrapping_mul(y)
}

pub fn is_multiple_of(x: T, y: T) -> bool {
    if y == 0 { x == 0 } else { x % y == 0 }
}

pub fn cast_signed(x: T) -> S {
    x as S
}

pub fn checked_add_signed(x: T, y: S) -> Option<T> {
    T::unless_overflowed(x.overflowing_add_signed(y))
}

pub fn checked_next_power_of_two(x: T) -> Option<T> {
    if x > MAX / 2 + 1 { None } else { Some(x.next_power_of_two()) }
}

pub fn checked_sub_signed(x: T, y: S) -> Option<T> {
    T::unless_overflowed(x.overflowing_sub_signed(y))
}

pub fn checked_signed_diff(x: T, y: T) -> Option<S> {
    let difference = x.wrapping_sub(y) as S;
    if (x >= y) == (difference >= 0) { Some(difference) } else { None }
}

pub fn checked_next_multiple_of(x: T, y: T) -> Option<T> {
    if y == 0 {
        None
    } else if x % y == 0 {
        Some(x)
    } else {
        x.checked_add(y - x % y)
    }
}
