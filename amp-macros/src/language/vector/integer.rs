pub fn wrapping_add(a: V, b: V) -> V {
    a + b
}

pub fn wrapping_sub(a: V, b: V) -> V {
    a - b
}

pub fn wrapping_mul(a: V, b: V) -> V {
    a * b
}
