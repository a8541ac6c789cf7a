pub fn trailing_zeros(x: T) -> u32 {
    if x == 0 { 64 } else { (x as W).trailing_zeros() }
}

pub fn leading_zeros(x: T) -> u32 {
    64 - BITS + (x as W).leading_zeros()
}
