pub fn determinant(m: V) -> T {
    column::dot(m.x_axis, column::cross(m.y_axis, m.z_axis))
}

pub fn inverse(m: V) -> V {
    let x = column::cross(m.y_axis, m.z_axis);
    let y = column::cross(m.z_axis, m.x_axis);
    let z = column::cross(m.x_axis, m.y_axis);
    let recip = 1.0 / column::dot(m.x_axis, x);
    V::from_cols(x * recip, y * recip, z * recip).transpose()
}

pub fn transform_vector2(m: V, v: P) -> P {
    (m.x_axis * v.x + m.y_axis * v.y).truncate()
}

pub fn transform_point2(m: V, p: P) -> P {
    (m.z_axis + (m.x_axis * p.x + m.y_axis * p.y)).truncate()
}
