pub fn element_sum(a: V) -> T {
    a.x + a.y + a.z
}

pub fn element_product(a: V) -> T {
    a.x * a.y * a.z
}

pub fn min_element(a: V) -> T {
    own::least(a.x, own::least(a.y, a.z))
}

pub fn max_element(a: V) -> T {
    own::greatest(a.x, own::greatest(a.y, a.z))
}

pub fn cross(a: V, b: V) -> V {
    V::new(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y)
}
