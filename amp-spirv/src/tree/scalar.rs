//! Scalars, and their literals.

/// What a scalar is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Signed,
    Unsigned,
    /// With the bits of its exponent.
    Half(u32),
    Float,
}

/// The format of a float of the `half` crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Half {
    /// Its name in Rust.
    pub name: &'static str,
    /// Bits of its exponent.
    pub exponent_bits: u32,
    /// Bits of its mantissa.
    pub mantissa_bits: u32,
}

macro_rules! scalars {
    ($($(#[$doc:meta])* $scalar:ident = $name:literal, $kind:ident $(($exponent:literal))?, $bits:literal;)*) => {
        /// A scalar.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Scalar {
            $(#[doc = concat!("`", $name, "`.")] $(#[$doc])* $scalar,)*
        }

        impl Scalar {
            /// All of them.
            pub const ALL: [Scalar; [$(Scalar::$scalar),*].len()] = [$(Scalar::$scalar),*];

            /// Name in Rust, kind, and bits on a device.
            const fn row(self) -> (&'static str, Kind, u32) {
                match self {
                    $(Scalar::$scalar => ($name, Kind::$kind $(($exponent))?, $bits),)*
                }
            }
        }
    };
}

scalars! {
    Bool = "bool", Bool, 32;
    I8 = "i8", Signed, 8;
    U8 = "u8", Unsigned, 8;
    I16 = "i16", Signed, 16;
    U16 = "u16", Unsigned, 16;
    I32 = "i32", Signed, 32;
    U32 = "u32", Unsigned, 32;
    I64 = "i64", Signed, 64;
    U64 = "u64", Unsigned, 64;
    /// Of 32 bits; see [`IndexWidth`](super::IndexWidth).
    Isize = "isize", Signed, 32;
    /// Of 32 bits.
    Usize = "usize", Unsigned, 32;
    F16 = "f16", Half(5), 16;
    Bf16 = "bf16", Half(8), 16;
    F32 = "f32", Float, 32;
    F64 = "f64", Float, 64;
}

impl Scalar {
    /// The scalar of this name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// The name in Rust.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    const fn kind(self) -> Kind {
        self.row().1
    }

    /// How many bits wide it is on a device; a `bool` takes 32 in memory.
    pub const fn bits(self) -> u32 {
        self.row().2
    }

    /// How many words of 32 bits hold its bits.
    pub fn words(self) -> u32 {
        self.bits().div_ceil(32)
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }

    /// Whether it is an integer with a sign.
    pub fn is_signed(self) -> bool {
        self.kind() == Kind::Signed
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self.kind(), Kind::Half(_) | Kind::Float)
    }

    /// Whether it is a type of the `half` crate rather than one of Rust's own.
    pub fn is_half(self) -> bool {
        self.half().is_some()
    }

    /// Its format, if it is a type of the `half` crate.
    pub fn half(self) -> Option<Half> {
        match self.kind() {
            Kind::Half(exponent_bits) => Some(Half {
                name: self.name(),
                exponent_bits,
                mantissa_bits: self.bits() - 1 - exponent_bits,
            }),
            _ => None,
        }
    }

    /// Whether views can hold it: a `bool` has no layout, and `usize` and `isize` are not
    /// the same on host and device.
    pub fn is_element(self) -> bool {
        !matches!(self, Scalar::Bool | Scalar::Usize | Scalar::Isize)
    }

    /// The integer without a sign that is as wide.
    pub fn unsigned(self) -> Scalar {
        match self {
            Scalar::Isize | Scalar::Usize => Scalar::Usize,
            other => match other.bits() {
                8 => Scalar::U8,
                16 => Scalar::U16,
                32 => Scalar::U32,
                _ => Scalar::U64,
            },
        }
    }

    /// The integer with a sign that is as wide.
    pub fn signed(self) -> Scalar {
        match self.unsigned() {
            Scalar::Usize => Scalar::Isize,
            Scalar::U8 => Scalar::I8,
            Scalar::U16 => Scalar::I16,
            Scalar::U32 => Scalar::I32,
            _ => Scalar::I64,
        }
    }

    /// The least value of an integer.
    pub fn min(self) -> i128 {
        if self.is_signed() {
            -(1 << (self.bits() - 1))
        } else {
            0
        }
    }

    /// The greatest value of an integer.
    pub fn max(self) -> i128 {
        let bits = if self.is_signed() {
            self.bits() - 1
        } else {
            self.bits()
        };
        (1 << bits) - 1
    }
}

/// A literal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `true`, `false`.
    Bool(bool),
    /// An `i32`.
    I32(i32),
    /// A `u32`.
    U32(u32),
    /// The bits of an `f32`.
    F32(u32),
    /// A `usize` of 32 bits.
    Usize(u32),
    /// The bits of any other scalar, those above its own being zero.
    Other(Scalar, u64),
}

impl Literal {
    /// A literal from the lowest of its bits.
    pub fn new(scalar: Scalar, bits: u64) -> Literal {
        let word = bits as u32;
        match scalar {
            Scalar::Bool => Literal::Bool(bits != 0),
            Scalar::I32 => Literal::I32(word.cast_signed()),
            Scalar::U32 => Literal::U32(word),
            Scalar::F32 => Literal::F32(word),
            Scalar::Usize => Literal::Usize(word),
            other => Literal::Other(other, bits & (u64::MAX >> (64 - other.bits()))),
        }
    }

    /// Its type.
    pub fn scalar(self) -> Scalar {
        match self {
            Literal::Bool(_) => Scalar::Bool,
            Literal::I32(_) => Scalar::I32,
            Literal::U32(_) => Scalar::U32,
            Literal::F32(_) => Scalar::F32,
            Literal::Usize(_) => Scalar::Usize,
            Literal::Other(scalar, _) => scalar,
        }
    }

    /// Its bits, those above its own being zero.
    pub fn bits(self) -> u64 {
        match self {
            Literal::Bool(value) => value.into(),
            Literal::I32(value) => value.cast_unsigned().into(),
            Literal::U32(value) | Literal::F32(value) | Literal::Usize(value) => value.into(),
            Literal::Other(_, bits) => bits,
        }
    }

    /// Its value, if it is an integer without a sign and of at least 32 bits: what counts
    /// and positions are.
    pub fn count(self) -> Option<u64> {
        match self.scalar() {
            Scalar::U32 | Scalar::Usize | Scalar::U64 => Some(self.bits()),
            _ => None,
        }
    }

    /// Its value, if it is an integer.
    pub fn integer(self) -> Option<i128> {
        let scalar = self.scalar();
        if !scalar.is_integer() {
            return None;
        }
        let value = i128::from(self.bits());
        let wraps = scalar.is_signed() && value > scalar.max();
        Some(if wraps {
            value - (1 << scalar.bits())
        } else {
            value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::Feature;

    #[test]
    fn features_name_the_narrow_scalars_that_need_them() {
        for scalar in Scalar::ALL {
            let feature = match scalar.bits() {
                8 => Feature::Storage8,
                16 => Feature::Storage16,
                _ => continue,
            };
            let mut named = feature.types().split([' ', ',']);
            assert!(named.any(|name| name == scalar.name()), "{feature:?}");
        }
    }

    #[test]
    fn a_literal_is_what_it_was_made_of() {
        for scalar in Scalar::ALL {
            let literal = Literal::new(scalar, u64::MAX);
            assert_eq!(literal.scalar(), scalar);
            let expected = match scalar {
                _ if !scalar.is_integer() => None,
                _ if scalar.is_signed() => Some(-1),
                _ => Some(scalar.max()),
            };
            assert_eq!(literal.integer(), expected, "{}", scalar.name());
        }
        assert_eq!(Scalar::I8.min(), -128);
        assert_eq!(Scalar::U64.max(), i128::from(u64::MAX));
        assert_eq!(Literal::new(Scalar::I8, 0x80).integer(), Some(-128));
    }
}
