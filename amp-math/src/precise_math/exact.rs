//! Functions whose results are exact, or the nearest there is: those that are the same for `f32` and
//! `f64` but for the type. Modules of the types have those that use the bits of its format.

/// Functions that Rust has as methods.
macro_rules! methods {
    ($ty:ident: $($(#[$doc:meta])* $name:ident($x:ident $(, $y:ident)*) -> $result:ty = $method:ident;)*) => {$(
        $(#[$doc])*
        #[amp_fn(exact)]
        #[must_use]
        pub fn $name($x: $ty $(, $y: $ty)*) -> $result {
            $x.$method($($y),*)
        }
    )*};
}

/// The functions of a type, in a module with its `frexp` and `scalbn`. Of what is less than `$eighth`, eight
/// times as much is finite, and of what is less than `$quarter`, four times as much.
macro_rules! functions {
    ($ty:ident, $eighth:literal, $quarter:literal) => {
        $crate::precise_math::exact::methods! {
            $ty:
            /// The smallest integer that is not less.
            ceil(x) -> $ty = ceil;
            /// The magnitude of `x` with the sign of `y`.
            copysign(x, y) -> $ty = copysign;
            /// The magnitude.
            fabs(x) -> $ty = abs;
            /// The largest integer that is not greater.
            floor(x) -> $ty = floor;
            /// `x * y + z`, rounded once.
            fma(x, y, z) -> $ty = mul_add;
            /// The greater one; of a NaN and a number, the number.
            fmax(x, y) -> $ty = max;
            /// The smaller one; of a NaN and a number, the number.
            fmin(x, y) -> $ty = min;
            /// Whether it is neither infinite nor NaN.
            isfinite(x) -> bool = is_finite;
            /// Whether it is infinite.
            isinf(x) -> bool = is_infinite;
            /// Whether it is NaN.
            isnan(x) -> bool = is_nan;
            /// The nearest integer, of two the even one.
            nearbyint(x) -> $ty = round_ties_even;
            /// The nearest integer, of two the one farther from zero.
            round(x) -> $ty = round;
            /// Whether the sign is set, as that of -0.0 is.
            signbit(x) -> bool = is_sign_negative;
            /// The square root.
            sqrt(x) -> $ty = sqrt;
            /// The integer next to it on the side of zero.
            trunc(x) -> $ty = trunc;
        }

        /// `x - y` if that is positive, else zero.
        #[amp_fn(exact)]
        #[must_use]
        pub fn fdim(x: $ty, y: $ty) -> $ty {
            if x.is_nan() || y.is_nan() {
                $ty::NAN
            } else if x > y {
                x - y
            } else {
                0.0
            }
        }

        /// The remainder of the division that rounds toward zero, with the sign of `x`.
        #[amp_fn(exact)]
        #[must_use]
        pub fn fmod(x: $ty, y: $ty) -> $ty {
            x % y
        }

        /// What kind of number it is: 0 for NaN, 1 for an infinity, 2 for zero, 3 for a denormal, 4
        /// for any other.
        #[amp_fn(exact)]
        #[must_use]
        pub fn fpclassify(x: $ty) -> i32 {
            if x.is_nan() {
                0
            } else if x.is_infinite() {
                1
            } else if x == 0.0 {
                2
            } else if x.abs() < $ty::MIN_POSITIVE {
                3
            } else {
                4
            }
        }

        /// As [`scalbn`].
        #[amp_fn(exact)]
        #[must_use]
        pub fn ldexp(x: $ty, n: i32) -> $ty {
            scalbn(x, n)
        }

        /// `x` times two to the power of `y`, which is an integer: else NaN.
        #[amp_fn(exact)]
        #[must_use]
        pub fn scalb(x: $ty, y: $ty) -> $ty {
            if x.is_nan() || y.is_nan() {
                $ty::NAN
            } else if y.is_infinite() {
                if y > 0.0 { x * y } else { x / -y }
            } else if y == y.trunc() {
                scalbn(x, y.clamp(-5000.0, 5000.0) as i32)
            } else {
                $ty::NAN
            }
        }

        /// The exponent of two; `i32::MIN` for zero and NaN, `i32::MAX` for infinities.
        #[amp_fn(exact)]
        #[must_use]
        pub fn ilogb(x: $ty) -> i32 {
            if x == 0.0 || x.is_nan() {
                i32::MIN
            } else if x.is_infinite() {
                i32::MAX
            } else {
                frexp(x).1 - 1
            }
        }

        /// The exponent of two as a float: -∞ for zero, ∞ for infinities.
        #[amp_fn(exact)]
        #[must_use]
        pub fn logb(x: $ty) -> $ty {
            if x == 0.0 {
                $ty::NEG_INFINITY
            } else if x.is_finite() {
                ilogb(x) as $ty
            } else {
                x * x
            }
        }

        /// The fraction and the whole part, both with the sign of `x`.
        #[amp_fn(exact)]
        #[must_use]
        pub fn modf(x: $ty) -> ($ty, $ty) {
            let whole = x.trunc();
            let fraction = if x.is_infinite() { 0.0 } else { x - whole };
            (fraction.copysign(x), whole)
        }

        /// The float next to `x` in the direction of `y`.
        #[amp_fn(exact)]
        #[must_use]
        pub fn nextafter(x: $ty, y: $ty) -> $ty {
            if x.is_nan() || y.is_nan() {
                $ty::NAN
            } else if x == y {
                y
            } else if x == 0.0 {
                $ty::from_bits(1).copysign(y)
            } else if (x < y) == (x > 0.0) {
                $ty::from_bits(x.to_bits() + 1)
            } else {
                $ty::from_bits(x.to_bits() - 1)
            }
        }

        /// The remainder of the division that rounds to the nearest integer (IEEE 754), and the
        /// lowest three bits of that integer with its sign.
        #[amp_fn(exact)]
        #[must_use]
        pub fn remquo(x: $ty, y: $ty) -> ($ty, i32) {
            if y == 0.0 || !x.is_finite() || y.is_nan() {
                return ($ty::NAN, 0);
            }
            let p = y.abs();
            let mut rest = x.abs();
            // Eight times `p` at most: the quotient's bits above that are not asked for.
            if p < $eighth {
                rest %= 8.0 * p;
            }
            let mut quotient = 0;
            if p < $eighth && rest >= 4.0 * p {
                rest -= 4.0 * p;
                quotient += 4;
            }
            if p < $quarter && rest >= 2.0 * p {
                rest -= 2.0 * p;
                quotient += 2;
            }
            if rest >= p {
                rest -= p;
                quotient += 1;
            }
            // Whether the rest is more than half of `p`, or half and the quotient odd; without
            // halves, which a denormal may not have, and without sums that overflow.
            let other = p - rest;
            if rest > other || rest == other && quotient & 1 == 1 {
                rest = -other;
                quotient += 1;
            }
            let rest = if x.is_sign_negative() { -rest } else { rest };
            quotient &= 7;
            let is_negative = x.is_sign_negative() != y.is_sign_negative();
            (rest, if is_negative { -quotient } else { quotient })
        }

        /// The remainder of the division that rounds to the nearest integer (IEEE 754).
        #[amp_fn(exact)]
        #[must_use]
        pub fn remainder(x: $ty, y: $ty) -> $ty {
            remquo(x, y).0
        }
    };
}

pub(super) use {functions, methods};
