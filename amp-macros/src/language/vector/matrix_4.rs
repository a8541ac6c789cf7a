pub fn determinant(m: V) -> T {
    let (x, y, z, w) = (m.x_axis, m.y_axis, m.z_axis, m.w_axis);
    let a01 = z.x * w.y - z.y * w.x;
    let a02 = z.x * w.z - z.z * w.x;
    let a03 = z.x * w.w - z.w * w.x;
    let a12 = z.y * w.z - z.z * w.y;
    let a13 = z.y * w.w - z.w * w.y;
    let a23 = z.z * w.w - z.w * w.z;
    x.x * (y.y * a23 - y.z * a13 + y.w * a12)
        - x.y * (y.x * a23 - y.z * a03 + y.w * a02)
        + x.z * (y.x * a13 - y.y * a03 + y.w * a01)
        - x.w * (y.x * a12 - y.y * a02 + y.z * a01)
}

fn factor(p: C, q: C) -> C {
    // The determinants of two rows and each pair of the last three columns, the first of them twice.
    p.zzyy() * q.wwwz() - p.wwwz() * q.zzyy()
}

pub fn inverse(m: V) -> V {
    let rows = m.transpose();
    let (x, y, z, w) = (rows.x_axis, rows.y_axis, rows.z_axis, rows.w_axis);
    let (xy, xz, xw) = (own::factor(x, y), own::factor(x, z), own::factor(x, w));
    let (yz, yw, zw) = (own::factor(y, z), own::factor(y, w), own::factor(z, w));
    let (x, y, z, w) = (x.yxxx(), y.yxxx(), z.yxxx(), w.yxxx());
    let signs = C::new(1.0, -1.0, 1.0, -1.0);
    let adjugate = V::from_cols(
        (y * zw - z * yw + w * yz) * signs,
        (x * zw - z * xw + w * xz) * -signs,
        (x * yw - y * xw + w * xy) * signs,
        (x * yz - y * xz + z * xy) * -signs,
    );
    let cofactors = C::new(adjugate.x_axis.x, adjugate.y_axis.x, adjugate.z_axis.x, adjugate.w_axis.x);
    adjugate * (1.0 / column::dot(m.x_axis, cofactors))
}

pub fn transform_vector3(m: V, v: P) -> P {
    (m.x_axis * v.x + m.y_axis * v.y + m.z_axis * v.z).truncate()
}

pub fn transform_point3(m: V, p: P) -> P {
    (m.w_axis + (m.x_axis * p.x + m.y_axis * p.y + m.z_axis * p.z)).truncate()
}

pub fn project_point3(m: V, p: P) -> P {
    let moved = m.w_axis + (m.x_axis * p.x + m.y_axis * p.y + m.z_axis * p.z);
    (moved / moved.w).truncate()
}
