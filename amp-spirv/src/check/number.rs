//! Integers by their bits, as forms compute with them.

use crate::ir::{BinaryOp, Scalar};

/// Integers that forms compute with: those that no register is too wide for.
pub(super) fn is_counted(ty: Scalar) -> bool {
    ty.is_integer() && ty.bits() >= 32
}

/// The bits of a type.
pub(super) fn mask(ty: Scalar) -> u64 {
    u64::MAX >> (64 - ty.bits())
}

/// Bits as a number with a sign.
pub(super) fn with_sign(bits: u64, ty: Scalar) -> i128 {
    let places = 64 - ty.bits();
    i128::from((bits << places).cast_signed() >> places)
}

/// Bits as a number of their type.
pub(super) fn number(ty: Scalar, bits: u64) -> i128 {
    match ty.is_signed() {
        true => with_sign(bits, ty),
        false => bits.into(),
    }
}

/// What is not linear, of two constants; nothing on a fault.
pub(super) fn integer(op: BinaryOp, ty: Scalar, left: u64, right: u64) -> Option<u64> {
    let (a, b) = (number(ty, left), number(ty, right));
    let count = right & u64::from(ty.bits() - 1);
    let value = match op {
        BinaryOp::Div | BinaryOp::Rem if b == 0 || a / b > ty.max() => return None,
        BinaryOp::Div => a / b,
        BinaryOp::Rem => a % b,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl => a << count,
        BinaryOp::Shr => a >> count,
        _ => return None,
    };
    Some(value as u64 & mask(ty))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [(Scalar, i128); 4] = [
        (Scalar::I32, i32::MIN as i128),
        (Scalar::Usize, u32::MAX as i128),
        (Scalar::I64, i64::MIN as i128),
        (Scalar::U64, u64::MAX as i128),
    ];

    #[test]
    fn constants_are_those_of_the_type() {
        for (ty, extreme) in BOTH {
            let bits = extreme as u64 & mask(ty);
            assert_eq!(number(ty, bits), extreme);
            assert_eq!(integer(BinaryOp::Div, ty, bits, 0), None);
            let one = u64::from(ty.bits()) + 1;
            let shifted = integer(BinaryOp::Shl, ty, 1, one);
            assert_eq!(shifted, Some(2), "{}", ty.name());
            let halved = integer(BinaryOp::Shr, ty, bits, 1).map(|bits| number(ty, bits));
            assert_eq!(halved, Some(extreme >> 1));
            let negated = integer(BinaryOp::Div, ty, bits, mask(ty));
            assert_eq!(negated, (!ty.is_signed()).then_some(1));
        }
    }
}
