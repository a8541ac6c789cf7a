pub fn to_le(x: T) -> T {
    x
}

pub fn to_be(x: T) -> T {
    x.swap_bytes()
}

pub fn from_le(x: T) -> T {
    x
}

pub fn from_be(x: T) -> T {
    x.swap_bytes()
}

pub fn to_le_bytes(x: T) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for i in 0..BYTES {
        bytes[i] = x.wrapping_shr(8 * i as u32) as u8;
    }
    bytes
}

pub fn to_be_bytes(x: T) -> [u8; BYTES] {
    x.swap_bytes().to_le_bytes()
}

pub fn to_ne_bytes(x: T) -> [u8; BYTES] {
    x.to_le_bytes()
}

pub fn from_le_bytes(bytes: [u8; BYTES]) -> T {
    let mut x = 0;
    for i in 0..BYTES {
        x |= (bytes[i] as T).wrapping_shl(8 * i as u32);
    }
    x
}

pub fn from_be_bytes(bytes: [u8; BYTES]) -> T {
    T::from_le_bytes(bytes).swap_bytes()
}

pub fn from_ne_bytes(bytes: [u8; BYTES]) -> T {
    T::from_le_bytes(bytes)
}
