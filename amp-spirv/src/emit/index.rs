//! Arithmetic on indices and extents, in registers as wide as the module says.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use crate::tree::{IndexWidth, Scalar, Type};

impl Emitter<'_> {
    /// SPIR-V type of an index's components.
    pub fn index_ty(&mut self) -> Word {
        self.scalar_ty(self.ir.index.scalar())
    }

    /// A component of this value.
    pub fn index_number(&mut self, value: u32) -> Word {
        self.number(self.ir.index.scalar(), value.into())
    }

    /// An operation with components.
    pub fn index_op(&mut self, op: Op, a: Word, b: Word) -> Word {
        let ty = self.index_ty();
        self.b.op(op, ty, &[a, b])
    }

    /// A `u32` as a component.
    pub fn as_index(&mut self, value: Word) -> Word {
        self.cast(value, &Type::U32, self.ir.index.ty())
    }

    /// A component that is known to have no more than 32 bits as a `u32`.
    pub fn index_word(&mut self, value: Word) -> Word {
        self.cast(value, self.ir.index.ty(), &Type::U32)
    }

    /// A component as a `u32`, the greatest of them if it is greater.
    pub fn saturated_index(&mut self, value: Word) -> Word {
        if self.ir.index == IndexWidth::Bits32 {
            return value;
        }
        let ty = self.index_ty();
        let most = self.index_number(u32::MAX);
        let least = self.b.glsl(GLOp::UMin, ty, &[value, most]);
        self.index_word(least)
    }

    /// The product of unsigned integers, and whether it is the whole product.
    pub fn exact_product(&mut self, scalar: Scalar, a: Word, b: Word) -> (Word, Word) {
        if scalar.bits() == 64 {
            // Of 64 bits there is no `OpUMulExtended` on every device.
            let ty = self.scalar_ty(scalar);
            let (zero, one) = (self.number(scalar, 0), self.number(scalar, 1));
            let none = self.b.test(Op::IEqual, a, zero);
            let divisor = self.b.select(ty, none, one, a);
            let most = self.number(scalar, scalar.max());
            let most = self.b.op(Op::UDiv, ty, &[most, divisor]);
            let fits = self.b.test(Op::ULessThanEqual, b, most);
            let fits = self.b.test(Op::LogicalOr, none, fits);
            return (self.b.op(Op::IMul, ty, &[a, b]), fits);
        }
        let halves = self.ty(&Type::Tuple(vec![Type::U32, Type::U32]));
        let (u32_ty, zero) = (self.b.scalar.u32, self.b.u32(0));
        let product = self.b.op(Op::UMulExtended, halves, &[a, b]);
        let low = self.b.extract(u32_ty, product, 0);
        let high = self.b.extract(u32_ty, product, 1);
        (low, self.b.test(Op::IEqual, high, zero))
    }
}
