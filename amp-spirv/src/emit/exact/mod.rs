//! Floats exactly as Rust has them, whatever the device makes of its own instructions.
//!
//! The run time finds out once per device where its arithmetic differs, and says so
//! through the specialization constant [`SPEC_FLOAT_FAULTS`]. Each operation that some
//! device gets wrong is a function of the library that asks for its fault and does the
//! work with integers, or with float operations that are right, if the device has it;
//! where it has not, the driver is left with the plain instruction.
//!
//! `+ - *` and conversions are taken to be exact: the devices that keep denormals have
//! them so, and to the others they are not given back here.

mod compare;
mod convert;
mod division;
mod fused;
mod pack;
mod remainder;
mod sqrt;
mod wide;

use spirv::{Op, Word};

use super::Emitter;
use crate::artifact::{FloatFaults, SPEC_FLOAT_FAULTS};

pub(super) use compare::float_test;

impl Emitter<'_> {
    /// Whether the device has a fault: a specialization constant.
    pub(super) fn has_fault(&mut self, fault: FloatFaults) -> Word {
        self.asked_faults.0 |= fault.0;
        let u32_ty = self.b.scalar.u32;
        let faults = match self.float_faults {
            Some(faults) => faults,
            None => {
                let none = &[0];
                let number = SPEC_FLOAT_FAULTS;
                let name = "float_faults";
                let faults = self.specialization(Op::SpecConstant, u32_ty, none, number, name);
                *self.float_faults.insert(faults)
            }
        };
        let (bit, zero) = (self.b.u32(fault.0), self.b.u32(0));
        let found = self.constant_operation(Op::BitwiseAnd, u32_ty, faults, bit);
        self.constant_operation(Op::INotEqual, self.b.scalar.bool, found, zero)
    }

    fn constant_operation(&mut self, op: Op, ty: Word, a: Word, b: Word) -> Word {
        let operands = vec![op as Word, a, b];
        self.b.intern(Op::SpecConstantOp, Some(ty), &operands)
    }

    /// Returns `value` from a function of the library if a condition holds.
    pub(super) fn return_if(&mut self, condition: Word, value: impl FnOnce(&mut Self) -> Word) {
        let (leave, stay) = (self.b.id(), self.b.id());
        self.b.selection_merge(stay);
        self.b.branch_if(condition, leave, stay);
        self.b.label(leave);
        let value = value(self);
        self.b.ret(Some(value));
        self.b.label(stay);
    }
}
