// host: T::is_ascii(&x)
pub fn is_ascii(x: T) -> bool {
    x < 0x80
}

// host: T::is_ascii_alphabetic(&x)
pub fn is_ascii_alphabetic(x: T) -> bool {
    x.is_ascii_uppercase() || x.is_ascii_lowercase()
}

// host: T::is_ascii_alphanumeric(&x)
pub fn is_ascii_alphanumeric(x: T) -> bool {
    x.is_ascii_alphabetic() || x.is_ascii_digit()
}

// host: T::is_ascii_control(&x)
pub fn is_ascii_control(x: T) -> bool {
    x < b' ' || x == 0x7f
}

// host: T::is_ascii_digit(&x)
pub fn is_ascii_digit(x: T) -> bool {
    x >= b'0' && x <= b'9'
}

// host: T::is_ascii_graphic(&x)
pub fn is_ascii_graphic(x: T) -> bool {
    x > b' ' && x < 0x7f
}

// host: T::is_ascii_hexdigit(&x)
pub fn is_ascii_hexdigit(x: T) -> bool {
    x.is_ascii_digit() || ((x | 0x20) >= b'a' && (x | 0x20) <= b'f')
}

// host: T::is_ascii_lowercase(&x)
pub fn is_ascii_lowercase(x: T) -> bool {
    x >= b'a' && x <= b'z'
}

// host: T::is_ascii_punctuation(&x)
pub fn is_ascii_punctuation(x: T) -> bool {
    x.is_ascii_graphic() && !x.is_ascii_alphanumeric()
}

// host: T::is_ascii_uppercase(&x)
pub fn is_ascii_uppercase(x: T) -> bool {
    x >= b'A' && x <= b'Z'
}

// host: T::is_ascii_whitespace(&x)
pub fn is_ascii_whitespace(x: T) -> bool {
    x == b' ' || x == b'\t' || x == b'\n' || x == 0x0c || x == b'\r'
}

// host: T::to_ascii_lowercase(&x)
pub fn to_ascii_lowercase(x: T) -> T {
    if x.is_ascii_uppercase() { x | 0x20 } else { x }
}

// host: T::to_ascii_uppercase(&x)
pub fn to_ascii_uppercase(x: T) -> T {
    if x.is_ascii_lowercase() { x & 0xdf } else { x }
}
