pub fn determinant(m: V) -> T {
    m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x
}

pub fn inverse(m: V) -> V {
    let recip = 1.0 / own::determinant(m);
    V::from_cols(
        C::new(m.y_axis.y * recip, m.x_axis.y * -recip),
        C::new(m.y_axis.x * -recip, m.x_axis.x * recip),
    )
}
