//! How a value is hidden from a driver.
//!
//! Which operands and results are hidden is decided in [`quirks`](crate::opt::quirks). What has no
//! place there is hidden where it is written, for it is no value of the module: the zeroes that a slot
//! is cleared with, that a `clamp` gives without its guard and that a function returns from a loop
//! without a way out, that way out, the address of a vector's component, the count by which a narrow
//! integer is rotated, and the register that is stored as 16 bits.
//!
//! Where the run time says that the driver has such a fault ([`SPEC_FOLDS_ZEROES`], which is
//! lavapipe's of Mesa 22.3, [`SPEC_FOLDS_BITS`] and [`FloatFaults::SIGN_BITS`]), a zero that
//! only the run shows is mixed into what must stay unknown; elsewhere that zero is a constant,
//! and nothing is left of all this.

use spirv::{BuiltIn, Op as SpvOp, Word};

use super::Emitter;
use super::scalar::machine;
use super::types::{UNIT, has_value};
use crate::artifact::{FloatFaults, SPEC_FOLDS_BITS, SPEC_FOLDS_ZEROES};
use crate::mir::{Hidden, Op, Value};
use crate::tree::{Len, Literal, Scalar, Type};

impl Emitter<'_> {
    /// Zero, as a `u32`, that lavapipe does not know.
    pub(super) fn hidden_zero(&mut self) -> Word {
        let folds = self.switch(SPEC_FOLDS_ZEROES, "folds_zeroes");
        self.zero_hidden_if(folds, Self::group_bits)
    }

    /// An integer of which NVIDIA's driver (580) does not know the bits.
    pub fn unknown_bits(&mut self, value: Word, scalar: Scalar) -> Word {
        let folds = self.switch(SPEC_FOLDS_BITS, "folds_bits");
        let zero = self.zero_hidden_if(folds, Self::address_bits);
        let ty = self.scalar_ty(scalar);
        // Other operations are done with the lower bits alone, where only those are used.
        self.b.op(SpvOp::ShiftRightLogical, ty, &[value, zero])
    }

    /// Zero, as a `u32`, computed where the function starts; a constant unless a
    /// specialization constant is true.
    pub fn zero_hidden_if(&mut self, condition: Word, zero: fn(&mut Self) -> Word) -> Word {
        if let Some(&known) = self.b.hidden_zeroes.get(&condition) {
            return known;
        }
        let (u32_ty, known) = (self.b.scalar.u32, self.b.u32(0));
        let hidden = zero(self);
        let hidden = self
            .b
            .early(SpvOp::Select, u32_ty, &[condition, hidden, known]);
        self.b.hidden_zeroes.insert(condition, hidden);
        hidden
    }

    /// The bits of a workgroup's number that are never set: no launch has 2^31 along x. The number
    /// of a thread in its workgroup the driver knows where that has one along x.
    pub fn group_bits(&mut self) -> Word {
        let vector = self.vector();
        let variable = self.builtin_variable(BuiltIn::WorkgroupId, vector);
        let (u32_ty, width) = (self.b.scalar.u32, self.b.u32(31));
        let whole = self.b.early(SpvOp::Load, vector, &[variable]);
        let group = self.b.early(SpvOp::CompositeExtract, u32_ty, &[whole, 0]);
        self.b
            .early(SpvOp::ShiftRightLogical, u32_ty, &[group, width])
    }

    /// The bits of an address that are never set: NVIDIA's have fewer than 56. How many
    /// threads there can be its driver knows.
    fn address_bits(&mut self) -> Word {
        let (u32_ty, width) = (self.b.scalar.u32, self.b.u32(24));
        let upper = self.upper_half_of_an_address();
        self.b
            .early(SpvOp::ShiftRightLogical, u32_ty, &[upper, width])
    }

    /// Bits, a `u32`, of which the driver does not see that they were or become those of an `f32`.
    fn unrelated_bits(&mut self, bits: Word) -> Word {
        let flushes = self.has_fault(FloatFaults::SIGN_BITS);
        let zero = self.zero_hidden_if(flushes, Self::group_bits);
        self.b.int(SpvOp::BitwiseOr, bits, zero)
    }

    /// A value of which the driver does not know so much.
    pub fn hide(&mut self, hidden: Hidden, value: Value) -> Word {
        let (ty, word) = (self.type_of(value), self.word(value));
        let is_zero = self
            .current()
            .def_inst(value)
            .is_some_and(|it| it.op == Op::Zero);
        if is_zero && hidden == Hidden::Value {
            return self.hidden_zero_of(ty);
        }
        if let Some(Literal::F32(bits)) = self.literal_of(value) {
            let bits = self.b.u32(bits);
            return self.hidden_f32(hidden, bits);
        }
        self.by_component(ty, |emitter, k| {
            let (ty, word) = emitter.component(ty, word, k);
            let Some(scalar) = ty.scalar() else {
                return word;
            };
            match (hidden, machine(scalar)) {
                (_, Scalar::F32) => {
                    let bits = emitter.b.bitcast(emitter.b.scalar.u32, word);
                    emitter.hidden_f32(hidden, bits)
                }
                (Hidden::Value, _) => emitter.hidden(word, scalar),
                (Hidden::Bits, _) => emitter.unknown_bits(word, scalar),
                (Hidden::Float, _) => emitter.unrelated_bits(word),
            }
        })
    }

    /// The `f32` of some bits.
    fn hidden_f32(&mut self, hidden: Hidden, bits: Word) -> Word {
        let bits = match hidden {
            Hidden::Bits => self.unknown_bits(bits, Scalar::U32),
            Hidden::Float => self.unrelated_bits(bits),
            Hidden::Value => {
                let zero = self.hidden_zero();
                self.b.int(SpvOp::BitwiseOr, zero, bits)
            }
        };
        self.b.bitcast(self.b.scalar.f32, bits)
    }

    /// A number that the driver does not know, although it may be a constant.
    fn hidden(&mut self, value: Word, scalar: Scalar) -> Word {
        let (zero, ty) = (self.hidden_zero(), self.scalar_ty(scalar));
        match machine(scalar) {
            Scalar::F64 => {
                let u64_ty = self.scalar_ty(Scalar::U64);
                let zero = self.whole(zero, zero);
                let bits = self.b.bitcast(u64_ty, value);
                let bits = self.b.op(SpvOp::BitwiseOr, u64_ty, &[zero, bits]);
                self.b.bitcast(ty, bits)
            }
            Scalar::I64 | Scalar::U64 => {
                let zero = self.whole(zero, zero);
                self.b.op(SpvOp::BitwiseOr, ty, &[zero, value])
            }
            Scalar::I32 | Scalar::U32 => self.b.op(SpvOp::BitwiseOr, ty, &[zero, value]),
            _ => value,
        }
    }

    /// Zero of a type that is not bulk.
    pub fn zero(&mut self, ty: &Type) -> Word {
        match has_value(ty) {
            true => {
                let id = self.ty(ty);
                self.b.null(id)
            }
            false => UNIT,
        }
    }

    /// The same, whose floats the driver does not know.
    pub fn hidden_zero_of(&mut self, ty: &Type) -> Word {
        if self.is_fast() || !self.ir.layout().holds_float(ty) {
            return self.zero(ty);
        }
        let id = self.ty(ty);
        match ty {
            Type::Scalar(Scalar::F64) => {
                // Not by way of its bits: not every device has integers of 64.
                let zero = self.hidden_zero();
                self.b.op(SpvOp::ConvertUToF, id, &[zero])
            }
            Type::Scalar(_) => {
                let zero = self.hidden_zero();
                self.b.bitcast(id, zero)
            }
            Type::Array(element, Len::Literal(len)) => {
                let zero = self.hidden_zero_of(element);
                self.aggregate(ty, vec![zero; *len as usize])
            }
            _ => {
                let parts = self.parts(ty);
                let zeroes = parts.iter().map(|part| self.hidden_zero_of(part)).collect();
                self.aggregate(ty, zeroes)
            }
        }
    }

    /// A pointer, of type `ty`, of which a driver does not know where it points: to lavapipe a
    /// component of a vector that it has loaded or stored as a whole is always the first.
    pub fn opaque_pointer(&mut self, pointer: Word, ty: Word) -> Word {
        let u32_ty = self.b.scalar.u32;
        let pair = self.b.intern(SpvOp::TypeVector, None, &[u32_ty, 2]);
        let zero = self.hidden_zero();
        let address = self.b.bitcast(pair, pointer);
        let [low, high] = [0, 1].map(|half| self.b.extract(u32_ty, address, half));
        let low = self.b.int(SpvOp::BitwiseOr, low, zero);
        let address = self.b.composite(pair, &[low, high]);
        self.b.bitcast(ty, address)
    }

    /// True, for the second way out that a `loop` gets: with only one, a value that leaves
    /// the loop has no phi, and threads that left early see that of the last round.
    pub fn hidden_true(&mut self) -> Word {
        let (nothing, zero) = (self.hidden_zero(), self.b.u32(0));
        self.b.test(SpvOp::IEqual, nothing, zero)
    }
}
