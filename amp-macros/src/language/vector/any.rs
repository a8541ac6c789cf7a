fn least(a: T, b: T) -> T {
    if a < b { a } else { b }
}

fn greatest(a: T, b: T) -> T {
    if a > b { a } else { b }
}

pub fn min(a: V, b: V) -> V {
    V::select(a.cmplt(b), a, b)
}

pub fn max(a: V, b: V) -> V {
    V::select(a.cmpgt(b), a, b)
}

pub fn clamp(a: V, low: V, high: V) -> V {
    own::min(own::max(a, low), high)
}

pub fn dot(a: V, b: V) -> T {
    own::element_sum(a * b)
}

pub fn dot_into_vec(a: V, b: V) -> V {
    V::splat(own::dot(a, b))
}

pub fn length_squared(a: V) -> T {
    own::dot(a, a)
}

pub fn distance_squared(a: V, b: V) -> T {
    own::length_squared(a - b)
}
