pub fn is_nan(a: V) -> bool {
    a.is_nan_mask().any()
}

pub fn is_finite(a: V) -> bool {
    a.is_finite_mask().all()
}

pub fn recip(a: V) -> V {
    1.0 / a
}

// host: map(a, |x| x - x.floor())
pub fn fract_gl(a: V) -> V {
    a - a.floor()
}

pub fn saturate(a: V) -> V {
    own::clamp(a, V::ZERO, V::ONE)
}

pub fn length(a: V) -> T {
    own::length_squared(a).sqrt()
}

pub fn length_recip(a: V) -> T {
    1.0 / own::length(a)
}

pub fn distance(a: V, b: V) -> T {
    own::length(a - b)
}

pub fn normalize(a: V) -> V {
    a * own::length_recip(a)
}

pub fn normalize_or(a: V, fallback: V) -> V {
    let recip = own::length_recip(a);
    if recip.is_finite() && recip > 0.0 { a * recip } else { fallback }
}

pub fn normalize_or_zero(a: V) -> V {
    own::normalize_or(a, V::ZERO)
}

pub fn is_normalized(a: V) -> bool {
    (own::length_squared(a) - 1.0).abs() <= 2e-4
}

pub fn project_onto(a: V, b: V) -> V {
    b * (own::dot(a, b) / own::length_squared(b))
}

pub fn reject_from(a: V, b: V) -> V {
    a - own::project_onto(a, b)
}

pub fn project_onto_normalized(a: V, b: V) -> V {
    b * own::dot(a, b)
}

pub fn reject_from_normalized(a: V, b: V) -> V {
    a - own::project_onto_normalized(a, b)
}

pub fn reflect(a: V, normal: V) -> V {
    a - 2.0 * own::dot(a, normal) * normal
}

pub fn refract(a: V, normal: V, eta: T) -> V {
    let cosine = own::dot(normal, a);
    let k = 1.0 - eta * eta * (1.0 - cosine * cosine);
    if k >= 0.0 { eta * a - (eta * cosine + k.sqrt()) * normal } else { V::ZERO }
}

pub fn lerp(a: V, b: V, s: T) -> V {
    a * (1.0 - s) + b * s
}

pub fn midpoint(a: V, b: V) -> V {
    (a + b) * 0.5
}

pub fn move_towards(a: V, b: V, d: T) -> V {
    let way = b - a;
    let length = own::length(way);
    if length <= d || length <= 1e-4 { b } else { a + way / length * d }
}

fn with_length(a: V, length: T) -> V {
    length * (a / own::length(a))
}

pub fn clamp_length(a: V, min: T, max: T) -> V {
    if own::length_squared(a) < min * min { own::with_length(a, min) } else { own::clamp_length_max(a, max) }
}

pub fn clamp_length_max(a: V, max: T) -> V {
    if own::length_squared(a) > max * max { own::with_length(a, max) } else { a }
}

pub fn clamp_length_min(a: V, min: T) -> V {
    if own::length_squared(a) < min * min { own::with_length(a, min) } else { a }
}

pub fn abs_diff_eq(a: V, b: V, max: T) -> bool {
    (a - b).abs().cmple(V::splat(max)).all()
}

pub fn step(a: V, b: V) -> V {
    V::select(b.cmplt(a), V::ZERO, V::ONE)
}

pub fn smoothstep(a: V, from: V, to: V) -> V {
    let t = own::saturate((a - from) / (to - from));
    t * t * (3.0 - 2.0 * t)
}
