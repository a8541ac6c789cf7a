fn division_overflows(x: T, y: T) -> bool {
    x == MIN && y == -1
}


pub fn overflowing_add(x: T, y: T) -> (T, bool) {
    let sum = x.wrapping_add(y);
    (sum, (x ^ sum) & (y ^ sum) < 0)
}

pub fn overflowing_sub(x: T, y: T) -> (T, bool) {
    let difference = x.wrapping_sub(y);
    (difference, (x ^ y) & (x ^ difference) < 0)
}

pub fn overflowing_mul(x: T, y: T) -> (T, bool) {
    let (size, overflows) = x.unsigned_abs().overflowing_mul(y.unsigned_abs());
    let largest = if (x < 0) == (y < 0) { MAX as U } else { MIN as U };
    (x.wrapping_mul(y), overflows || size > largest)
}

pub fn overflowing_neg(x: T) -> (T, bool) {
    (x.wrapping_neg(), x == MIN)
}

pub fn overflowing_abs(x: T) -> (T, bool) {
    (x.wrapping_abs(), x == MIN)
}

pub fn saturating_add(x: T, y: T) -> T {
    let (sum, overflows) = x.overflowing_add(y);
    if !overflows {
        sum
    } else if x < 0 {
        MIN
    } else {
        MAX
    }
}

pub fn saturating_sub(x: T, y: T) -> T {
    let (difference, overflows) = x.overflowing_sub(y);
    if !overflows {
        difference
    } else if x < 0 {
        MIN
    } else {
        MAX
    }
}

pub fn saturating_mul(x: T, y: T) -> T {
    let (product, overflows) = x.overflowing_mul(y);
    if !overflows {
        product
    } else if (x < 0) == (y < 0) {
        MAX
    } else {
        MIN
    }
}

// host: divided(y, || T::saturating_div(x, y))
pub fn saturating_div(x: T, y: T) -> T {
    if x.division_overflows(y) { MAX } else { x / y }
}

pub fn saturating_neg(x: T) -> T {
    if x == MIN { MAX } else { x.wrapping_neg() }
}

pub fn saturating_abs(x: T) -> T {
    if x == MIN { MAX } else { x.wrapping_abs() }
}

pub fn saturating_pow(x: T, exponent: u32) -> T {
    let (power, overflows) = x.overflowing_pow(exponent);
    if !overflows {
        power
    } else if x < 0 && exponent % 2 == 1 {
        MIN
    } else {
        MAX
    }
}

pub fn wrapping_add_unsigned(x: T, y: U) -> T {
    x.wrapping_add(y as T)
}

pub fn wrapping_sub_unsigned(x: T, y: U) -> T {
    x.wrapping_sub(y as T)
}

pub fn overflowing_add_unsigned(x: T, y: U) -> (T, bool) {
    let sum = x.wrapping_add(y as T);
    (sum, sum < x)
}

pub fn overflowing_sub_unsigned(x: T, y: U) -> (T, bool) {
    let difference = x.wrapping_sub(y as T);
    (difference, difference > x)
}

pub fn saturating_add_unsigned(x: T, y: U) -> T {
    let sum = x.wrapping_add(y as T);
    if sum < x { MAX } else { sum }
}

pub fn saturating_sub_unsigned(x: T, y: U) -> T {
    let difference = x.wrapping_sub(y as T);
    if difference > x { MIN } else { difference }
}

pub fn unbounded_shr(x: T, by: u32) -> T {
    x.wrapping_shr(by.min(BITS - 1))
}

pub fn midpoint(x: T, y: T) -> T {
    // Rounded down, and so away from zero where it is negative.
    let middle = (x & y).wrapping_add((x ^ y) >> 1);
    if middle < 0 && (x ^ y) & 1 == 1 { middle.wrapping_add(1) } else { middle }
}

// host: some(T::checked_isqrt(x), "argument of integer square root cannot be negative")
pub fn isqrt(x: T) -> T {
    assert!(x >= 0, "argument of integer square root cannot be negative");
    if x >= 0 { (x as U).isqrt() as T } else { 0 }
}

pub fn is_positive(x: T) -> bool {
    x > 0
}

pub fn is_negative(x: T) -> bool {
    x < 0
}

pub fn cast_unsigned(x: T) -> U {
    x as U
}

pub fn checked_abs(x: T) -> Option<T> {
    T::unless_overflowed(x.overflowing_abs())
}

pub fn checked_add_unsigned(x: T, y: U) -> Option<T> {
    T::unless_overflowed(x.overflowing_add_unsigned(y))
}

pub fn checked_sub_unsigned(x: T, y: U) -> Option<T> {
    T::unless_overflowed(x.overflowing_sub_unsigned(y))
}

pub fn checked_isqrt(x: T) -> Option<T> {
    if x >= 0 { Some((x as U).isqrt() as T) } else { None }
}
