pub fn perp(a: V) -> V {
    V::new(-a.y, a.x)
}

pub fn perp_dot(a: V, b: V) -> T {
    a.x * b.y - a.y * b.x
}

pub fn rotate(a: V, b: V) -> V {
    V::new(a.x * b.x - a.y * b.y, a.y * b.x + a.x * b.y)
}
