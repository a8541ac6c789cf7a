pub fn is_normal(x: T) -> bool {
    let exponent = x.to_bits() & EXPONENT;
    exponent != 0 && exponent != EXPONENT
}

pub fn is_subnormal(x: T) -> bool {
    x.to_bits() & EXPONENT == 0 && x.to_bits() << 1 != 0
}

pub fn next_up(x: T) -> T {
    let bits = x.to_bits();
    if x.is_nan() || bits == EXPONENT {
        x
    } else if bits << 1 == 0 {
        T::from_bits(1)
    } else if x.is_sign_positive() {
        T::from_bits(bits.wrapping_add(1))
    } else {
        T::from_bits(bits.wrapping_sub(1))
    }
}

pub fn next_down(x: T) -> T {
    -(-x).next_up()
}

pub fn midpoint(x: T, y: T) -> T {
    let sum = x + y;
    if sum.is_finite() { sum / 2.0 } else { x / 2.0 + y / 2.0 }
}

pub fn to_le_bytes(x: T) -> [u8; BYTES] {
    x.to_bits().to_le_bytes()
}

pub fn to_be_bytes(x: T) -> [u8; BYTES] {
    x.to_bits().to_be_bytes()
}

pub fn to_ne_bytes(x: T) -> [u8; BYTES] {
    x.to_bits().to_le_bytes()
}

pub fn from_le_bytes(bytes: [u8; BYTES]) -> T {
    T::from_bits(U::from_le_bytes(bytes))
}

pub fn from_be_bytes(bytes: [u8; BYTES]) -> T {
    T::from_bits(U::from_be_bytes(bytes))
}

pub fn from_ne_bytes(bytes: [u8; BYTES]) -> T {
    T::from_bits(U::from_le_bytes(bytes))
}
