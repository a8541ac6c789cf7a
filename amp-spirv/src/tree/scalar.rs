//! Scalars, and their literals.

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// `i8`.
    I8,
    /// `u8`.
    U8,
    /// `i16`.
    I16,
    /// `u16`.
    U16,
    /// `i32`.
    I32,
    /// `u32`.
    U32,
    /// `i64`.
    I64,
    /// `u64`.
    U64,
    /// An `isize` of 32 bits; see [`IndexWidth`](super::IndexWidth).
    Isize,
    /// A `usize` of 32 bits.
    Usize,
    /// `half::f16`.
    F16,
    /// `half::bf16`.
    Bf16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

impl Scalar {
    /// All of them.
    pub const ALL: [Scalar; 15] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::U8,
        Scalar::I16,
        Scalar::U16,
        Scalar::I32,
        Scalar::U32,
        Scalar::I64,
        Scalar::U64,
        Scalar::Isize,
        Scalar::Usize,
        Scalar::F16,
        Scalar::Bf16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// The scalar of this name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// The name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::U8 => "u8",
            Scalar::I16 => "i16",
            Scalar::U16 => "u16",
            Scalar::I32 => "i32",
            Scalar::U32 => "u32",
            Scalar::I64 => "i64",
            Scalar::U64 => "u64",
            Scalar::Isize => "isize",
            Scalar::Usize => "usize",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// How many bits wide it is on a device; a `bool` takes 32 in memory.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 16,
            Scalar::Bool
            | Scalar::I32
            | Scalar::U32
            | Scalar::Isize
            | Scalar::Usize
            | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    /// How many words of 32 bits hold its bits.
    pub fn words(self) -> u32 {
        self.bits().div_ceil(32)
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        self != Scalar::Bool && !self.is_float()
    }

    /// Whether it is an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize
        )
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
    }

    /// Whether it is a type of the `half` crate rather than one of Rust's own.
    pub fn is_half(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16)
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
