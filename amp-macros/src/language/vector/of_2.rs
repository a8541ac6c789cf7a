pub fn element_sum(a: V) -> T {
    a.x + a.y
}

pub fn element_product(a: V) -> T {
    a.x * a.y
}

pub fn min_element(a: V) -> T {
    own::least(a.x, a.y)
}

pub fn max_element(a: V) -> T {
    own::greatest(a.x, a.y)
}
