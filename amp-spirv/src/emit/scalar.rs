//! Scalars in registers and in memory.
//!
//! A register holds a `bool`, an integer or float of 32 bits, or one of 64 bits where the
//! kernel uses such. Narrower integers travel as the `i32` or `u32` of the same value,
//! floats of the `half` crate as the `f32` of the same value: arithmetic is done on that
//! and then made to fit ([`Emitter::fitted`]). So a result is that of Rust (for halves,
//! that of the `half` crate, which computes in `f32` too) by construction, and all that is
//! done with a narrow scalar is to load, store and convert it. By the specification that
//! takes the access to storage alone; but `spirv-val` wants the capability of the type as
//! soon as a pointer to such a scalar is in a block, passed or converted.

use spirv::{Capability, Op, Word};

use super::{Emitter, builder::wide};
use crate::tree::{Literal, Scalar, Type};
use crate::value::{Value, number};

/// The scalar whose register a scalar travels in.
pub(super) fn machine(scalar: Scalar) -> Scalar {
    match scalar {
        half if half.is_half() => Scalar::F32,
        integer if integer.is_integer() && integer.bits() <= 32 => match integer.is_signed() {
            true => Scalar::I32,
            false => Scalar::U32,
        },
        other => other,
    }
}

/// Whether a scalar is narrower than its register.
pub(super) fn is_narrow(scalar: Scalar) -> bool {
    scalar.bits() < 32
}

/// Whether values of a type are integers with a sign.
pub(super) fn is_signed(ty: &Type) -> bool {
    ty.scalar().is_some_and(Scalar::is_signed)
}

/// Whether values of a type take a register of 64 bits.
pub(super) fn is_wide(ty: &Type) -> bool {
    ty.scalar().is_some_and(|scalar| scalar.bits() == 64)
}

impl Emitter<'_> {
    /// SPIR-V type of the register that a scalar travels in.
    pub fn scalar_ty(&mut self, scalar: Scalar) -> Word {
        let (capability, op, operands): (_, _, &[Word]) = match machine(scalar) {
            Scalar::Bool => return self.b.scalar.bool,
            Scalar::I32 => return self.b.scalar.i32,
            Scalar::F32 => return self.b.scalar.f32,
            Scalar::I64 => (Capability::Int64, Op::TypeInt, &[64, 1]),
            Scalar::U64 => (Capability::Int64, Op::TypeInt, &[64, 0]),
            Scalar::F64 => (Capability::Float64, Op::TypeFloat, &[64]),
            _ => return self.b.scalar.u32,
        };
        self.b.capability(capability);
        self.b.intern(op, None, operands)
    }

    /// SPIR-V type of a scalar in memory that the host sees.
    pub fn scalar_memory_ty(&mut self, scalar: Scalar) -> Word {
        let capabilities = match scalar {
            Scalar::Bool => return self.b.scalar.u32,
            _ if !is_narrow(scalar) => return self.scalar_ty(scalar),
            _ if scalar.bits() == 8 => [Capability::Int8, Capability::StorageBuffer8BitAccess],
            _ => [Capability::Int16, Capability::StorageBuffer16BitAccess],
        };
        for capability in capabilities {
            self.b.capability(capability);
        }
        self.b.intern(Op::TypeInt, None, &[scalar.bits(), 0])
    }

    /// The integer `value` in the register of `scalar`.
    pub fn number(&mut self, scalar: Scalar, value: i128) -> Word {
        match machine(scalar) {
            Scalar::I32 => self.b.i32(value as i32),
            Scalar::I64 | Scalar::U64 => {
                let ty = self.scalar_ty(scalar);
                self.b.constant(Op::Constant, ty, &wide(value as u64))
            }
            _ => self.b.u32(value as u32),
        }
    }

    /// The float `value` in the register of `scalar`, which holds it exactly.
    pub fn real(&mut self, scalar: Scalar, value: f64) -> Word {
        match machine(scalar) {
            Scalar::F64 => {
                let ty = self.scalar_ty(Scalar::F64);
                self.b.constant(Op::Constant, ty, &wide(value.to_bits()))
            }
            _ => self.b.f32(value as f32),
        }
    }

    /// A literal's value.
    pub fn literal(&mut self, literal: Literal) -> Word {
        match literal {
            Literal::Bool(value) => self.b.bool(value),
            Literal::F32(bits) => self.b.f32(f32::from_bits(bits)),
            Literal::Other(Scalar::F64, bits) => self.real(Scalar::F64, f64::from_bits(bits)),
            Literal::Other(half, bits) if half.is_half() => {
                match number::of_bits(half, bits) {
                    Value::Float(value) if !value.is_nan() => self.real(half, value),
                    // Which NaN it is, only its bits say.
                    _ => {
                        let bits = self.b.u32(bits as u32);
                        self.with_bits(bits, Type::of(half))
                    }
                }
            }
            other => self.number(other.scalar(), other.integer().unwrap_or(0)),
        }
    }

    /// What an operation left in a register, made a value of the type again: narrow
    /// integers wrap, halves are rounded.
    pub fn fitted(&mut self, value: Word, ty: &Type) -> Word {
        match ty.scalar() {
            Some(scalar) if !is_narrow(scalar) => value,
            Some(scalar) if let Some(half) = scalar.half() => self.rounded_half(half, value),
            Some(scalar) if scalar.is_signed() => {
                let ty = self.b.scalar.i32;
                let places = self.b.u32(32 - scalar.bits());
                let raised = self.b.op(Op::ShiftLeftLogical, ty, &[value, places]);
                self.b.op(Op::ShiftRightArithmetic, ty, &[raised, places])
            }
            Some(scalar) => {
                let mask = self.number(scalar, scalar.max());
                self.b.int(Op::BitwiseAnd, value, mask)
            }
            None => value,
        }
    }

    /// The bits of a number as an unsigned integer of its register's width, those above
    /// its own being zero.
    pub fn bits(&mut self, value: Word, ty: &Type) -> Word {
        let Some(scalar) = ty.scalar() else {
            return value;
        };
        if let Some(half) = scalar.half() {
            return self.bits_of_half(half, value);
        }
        let bits = match machine(scalar) {
            Scalar::I32 | Scalar::F32 => self.b.bitcast(self.b.scalar.u32, value),
            Scalar::I64 | Scalar::F64 => {
                let ty = self.scalar_ty(Scalar::U64);
                self.b.bitcast(ty, value)
            }
            _ => value,
        };
        if is_narrow(scalar) && scalar.is_signed() {
            let mask = self.b.u32(u32::MAX >> (32 - scalar.bits()));
            return self.b.int(Op::BitwiseAnd, bits, mask);
        }
        bits
    }

    /// The number with some bits, given as [`Emitter::bits`] gives them.
    pub fn with_bits(&mut self, bits: Word, ty: &Type) -> Word {
        let Some(scalar) = ty.scalar() else {
            return bits;
        };
        if let Some(half) = scalar.half() {
            return self.half_with_bits(half, bits);
        }
        match machine(scalar) {
            Scalar::I32 | Scalar::I64 | Scalar::F32 | Scalar::F64 => {
                let id = self.scalar_ty(scalar);
                let value = self.b.bitcast(id, bits);
                if is_narrow(scalar) {
                    return self.fitted(value, ty);
                }
                value
            }
            _ => bits,
        }
    }

    /// A scalar as loaded from memory, in its register.
    pub fn loaded_scalar(&mut self, value: Word, scalar: Scalar) -> Word {
        match scalar {
            Scalar::Bool => {
                let zero = self.b.u32(0);
                self.b.test(Op::INotEqual, value, zero)
            }
            _ if !is_narrow(scalar) => value,
            _ if scalar.is_signed() => self.b.op(Op::SConvert, self.b.scalar.i32, &[value]),
            _ => {
                let bits = self.b.op(Op::UConvert, self.b.scalar.u32, &[value]);
                self.with_bits(bits, &Type::Scalar(scalar))
            }
        }
    }

    /// A scalar in its register, as it is stored in memory.
    pub fn stored_scalar(&mut self, value: Word, scalar: Scalar) -> Word {
        match scalar {
            Scalar::Bool => {
                let (one, zero) = (self.b.u32(1), self.b.u32(0));
                self.b.select(self.b.scalar.u32, value, one, zero)
            }
            _ if !is_narrow(scalar) => value,
            _ => {
                let bits = match scalar.half() {
                    Some(half) => self.bits_of_half(half, value),
                    None if scalar.bits() == 16 => self.unknown_bits(value, scalar),
                    None => value,
                };
                let ty = self.scalar_memory_ty(scalar);
                self.b.op(Op::UConvert, ty, &[bits])
            }
        }
    }
}
