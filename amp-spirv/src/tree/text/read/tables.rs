//! The tables of the variants that have a name in texts.

use std::fmt::Debug;

use crate::artifact::MessageKind;
use crate::tree::{AtomicOp, BinaryOp, MathOp, MemoryFence, SubgroupOp, UnaryOp};

/// Lists all variants of an enum; one that is missing does not compile.
macro_rules! variants {
    ($table:ident: $ty:ident { $($variant:ident)* }) => {
        pub(crate) const $table: &[$ty] = {
            const fn _is_listed(it: $ty) {
                match it {
                    $($ty::$variant => {})*
                }
            }
            &[$($ty::$variant),*]
        };
    };
}

variants!(UNARY: UnaryOp { Neg Not });
variants!(BINARY: BinaryOp {
    Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr Eq Ne Lt Le Gt Ge
});
variants!(FENCES: MemoryFence { All Global TileStatic });
variants!(ATOMICS: AtomicOp {
    Load Store Exchange CompareExchange Add Sub Min Max And Or Xor
});
variants!(SUBGROUP: SubgroupOp {
    Size Index Elect Barrier All Any Ballot Shuffle ShuffleXor Add Min Max InclusiveAdd ExclusiveAdd
});
variants!(MESSAGES: MessageKind { Fault Stdout Stderr });
variants!(MATH: MathOp {
    Select Min Max Clamp Abs Signum CountOnes CountZeros LeadingZeros TrailingZeros LeadingOnes
    TrailingOnes ReverseBits SwapBytes RotateLeft RotateRight UnsignedAbs AbsDiff IntPow
    IsPowerOfTwo RemEuclid DivEuclid DivCeil Sqrt MulAdd Floor Ceil Trunc Round RoundTiesEven
    Fract Copysign ToBits FromBits IsNan IsInfinite IsFinite IsSignNegative IsSignPositive Recip
    Sin Cos Tan Asin Acos Atan Atan2 Sinh Cosh Tanh Asinh Acosh Atanh Exp Exp2 Ln Log2 Log10 Log
    Powf Powi Hypot Cbrt ToDegrees ToRadians
});

/// The entry of a table whose name this is.
pub(crate) fn named<T: Copy + Debug>(table: &[T], name: &str) -> Option<T> {
    let found = table.iter().find(|it| format!("{it:?}") == name);
    found.copied()
}
