pub fn element_sum(a: V) -> T {
    a.x + a.y + a.z + a.w
}

pub fn element_product(a: V) -> T {
    a.x * a.y * a.z * a.w
}

pub fn min_element(a: V) -> T {
    own::least(a.x, own::least(a.y, own::least(a.z, a.w)))
}

pub fn max_element(a: V) -> T {
    own::greatest(a.x, own::greatest(a.y, own::greatest(a.z, a.w)))
}
