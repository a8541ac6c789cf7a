//! Values that constant expressions have, and what operators and methods make of them.
//!
//! Numbers have no types here: each is one that some integer type of at most 64 bits has, or there is no
//! value.

use amp_spirv::tree::Scalar;
use syn::{BinOp, Ident, Lit, Path, Type, UnOp};

#[derive(Clone, PartialEq)]
pub(super) enum Value {
    Number(i128),
    Truth(bool),
    /// The elements of an array or a tuple.
    List(Vec<Value>),
}

impl Value {
    pub const UNIT: Value = Value::List(Vec::new());

    fn of_number(number: Option<i128>) -> Option<Self> {
        let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
        let number = number.filter(|number| range.contains(number));
        number.map(Value::Number)
    }

    pub fn of_literal(literal: &Lit) -> Option<Self> {
        let of_byte = |byte: u8| Value::Number(byte.into());
        match literal {
            Lit::Int(number) => Self::of_number(number.base10_parse().ok()),
            Lit::Bool(truth) => Some(Value::Truth(truth.value)),
            Lit::Byte(byte) => Some(of_byte(byte.value())),
            Lit::ByteStr(bytes) => {
                let bytes = bytes.value().into_iter().map(of_byte);
                Some(Value::List(bytes.collect()))
            }
            _ => None,
        }
    }

    /// `u32::BITS` and the like.
    pub fn of_limit(path: &Path) -> Option<Self> {
        let names: Vec<&Ident> = path.segments.iter().map(|name| &name.ident).collect();
        let [scalar, name] = names.as_slice() else {
            return None;
        };
        let (lowest, highest) = limits(scalar)?;
        let number = match name.to_string().as_str() {
            "MIN" => lowest,
            "MAX" => highest,
            "BITS" => (highest - lowest).count_ones().into(),
            _ => return None,
        };
        Some(Value::Number(number))
    }

    /// How many numbers it is made of, or more.
    pub fn size(&self) -> usize {
        match self {
            Value::List(parts) => 1 + parts.iter().map(Value::size).sum::<usize>(),
            _ => 1,
        }
    }

    pub fn elements(&self) -> Option<i128> {
        match self {
            Value::List(parts) => Some(parts.len() as i128),
            _ => None,
        }
    }

    pub fn part_mut(&mut self, position: i128) -> Option<&mut Self> {
        match self {
            Value::List(parts) => parts.get_mut(usize::try_from(position).ok()?),
            _ => None,
        }
    }

    pub fn unary(self, operator: UnOp) -> Option<Self> {
        match (operator, self) {
            (UnOp::Neg(_), Value::Number(number)) => Self::of_number(Some(-number)),
            (UnOp::Deref(_), value) => Some(value),
            (UnOp::Not(_), Value::Truth(truth)) => Some(Value::Truth(!truth)),
            _ => None,
        }
    }

    /// The value of a binary operator, or of the one that a compound assignment applies.
    pub fn binary(&self, operator: BinOp, right: &Self) -> Option<Self> {
        let (left, right) = match (self, right) {
            (Value::Number(left), Value::Number(right)) => (*left, *right),
            (Value::Truth(left), Value::Truth(right)) => {
                return Some(Value::Truth(match operator {
                    BinOp::Eq(_) => left == right,
                    BinOp::Ne(_) | BinOp::BitXor(_) | BinOp::BitXorAssign(_) => left != right,
                    BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => left & right,
                    BinOp::BitOr(_) | BinOp::BitOrAssign(_) => left | right,
                    _ => return None,
                }));
            }
            _ => return None,
        };
        let shift = || u32::try_from(right).ok().filter(|amount| *amount < 64);
        let number = match operator {
            BinOp::Add(_) | BinOp::AddAssign(_) => left.checked_add(right),
            BinOp::Sub(_) | BinOp::SubAssign(_) => left.checked_sub(right),
            BinOp::Mul(_) | BinOp::MulAssign(_) => left.checked_mul(right),
            BinOp::Div(_) | BinOp::DivAssign(_) => left.checked_div(right),
            BinOp::Rem(_) | BinOp::RemAssign(_) => left.checked_rem(right),
            BinOp::BitAnd(_) | BinOp::BitAndAssign(_) => Some(left & right),
            BinOp::BitOr(_) | BinOp::BitOrAssign(_) => Some(left | right),
            BinOp::BitXor(_) | BinOp::BitXorAssign(_) => Some(left ^ right),
            BinOp::Shl(_) | BinOp::ShlAssign(_) => left.checked_mul(1 << shift()?),
            BinOp::Shr(_) | BinOp::ShrAssign(_) => Some(left >> shift()?),
            _ => {
                return Some(Value::Truth(match operator {
                    BinOp::Eq(_) => left == right,
                    BinOp::Ne(_) => left != right,
                    BinOp::Lt(_) => left < right,
                    BinOp::Le(_) => left <= right,
                    BinOp::Gt(_) => left > right,
                    BinOp::Ge(_) => left >= right,
                    _ => return None,
                }));
            }
        };
        Self::of_number(number)
    }

    /// The value of a method of integers with the same result for every type that has it.
    pub fn method(&self, name: &str, arguments: &[Self]) -> Option<Self> {
        let Value::Number(number) = *self else {
            return None;
        };
        let other = match arguments {
            [Value::Number(other)] => Some(*other),
            _ => None,
        };
        let up = |by: i128| number + (by - number.rem_euclid(by)) % by;
        Self::of_number(match (name, other) {
            ("pow", Some(exponent)) => number.checked_pow(exponent.try_into().ok()?),
            ("abs_diff", Some(other)) => Some((number - other).abs()),
            ("div_ceil", Some(by)) if number >= 0 && by > 0 => Some(up(by) / by),
            ("next_multiple_of", Some(by)) if number >= 0 && by > 0 => Some(up(by)),
            ("saturating_sub", Some(other)) if number >= other && other >= 0 => {
                Some(number - other)
            }
            ("abs", None) => Some(number.abs()),
            ("isqrt", None) => number.checked_isqrt(),
            ("ilog2", None) => number.checked_ilog2().map(i128::from),
            ("ilog10", None) => number.checked_ilog10().map(i128::from),
            ("count_ones", None) if number >= 0 => Some(number.count_ones().into()),
            ("trailing_zeros", None) if number > 0 => Some(number.trailing_zeros().into()),
            ("next_power_of_two", None) if number >= 0 => {
                Some(number.unsigned_abs().next_power_of_two().cast_signed())
            }
            ("is_power_of_two", None) => return Some(Value::Truth(number.count_ones() == 1)),
            _ => None,
        })
    }

    /// What `as` makes of it.
    pub fn converted(self, ty: &Type) -> Option<Self> {
        let number = match self {
            Value::Number(number) => number,
            Value::Truth(truth) => truth.into(),
            Value::List(_) => return None,
        };
        let Type::Path(ty) = ty else {
            return None;
        };
        let (lowest, highest) = limits(ty.path.get_ident()?)?;
        let number = (number - lowest).rem_euclid(highest - lowest + 1) + lowest;
        Some(Value::Number(number))
    }
}

/// The least and the greatest number of an integer type.
fn limits(name: &Ident) -> Option<(i128, i128)> {
    let scalar = Scalar::from_name(&name.to_string());
    let scalar = scalar.filter(|scalar| scalar.is_integer())?;
    let bits = match scalar.name() {
        // As on the host, where constants are evaluated.
        "usize" | "isize" => usize::BITS,
        _ => scalar.bits(),
    };
    let count = 1_i128 << bits;
    Some(match scalar.is_signed() {
        true => (-count / 2, count / 2 - 1),
        false => (0, count - 1),
    })
}
