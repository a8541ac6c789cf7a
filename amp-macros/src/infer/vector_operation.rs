//! What functions of vectors and matrices compute, by names that do not depend on the type.
//!
//! Each operation is computed twice: `lower/vector` writes it for devices, and on the CPU it
//! is a function of the run time's, under the name given here. Which types have it, and under
//! what name in glam, is `vector::method`'s.

use amp_spirv::tree::{BinaryOp, MathOp};

use super::ty::Ty;

/// A call on a vector or matrix type.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorCall {
    /// What it computes.
    pub operation: Operation,
    /// The type whose function it is.
    pub of: Ty,
}

macro_rules! operations {
    (
        $(#[$doc:meta])*
        moved { $($(#[$moved_doc:meta])* $moved:ident $(($of:ty))?,)* }
        computed { $($computed:ident = $name:literal,)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub enum Operation {
            $($(#[$moved_doc])* $moved $(($of))?,)*
            /// A numeric method of each component.
            Each(MathOp, &'static str),
            /// A comparison of each component.
            Compare(BinaryOp),
            $($computed,)*
        }

        impl Operation {
            /// The names of those that are computed.
            pub const COMPUTED: &[&str] = &[$($name,)*];

            /// The computed one of a name of the run time's.
            pub fn computed(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Operation::$computed),)*
                    _ => None,
                }
            }

            /// The function of the run time that computes the same, for a method whose
            /// result is not the same however glam was compiled; what only moves
            /// components has none.
            pub fn run_time(&self) -> Option<&'static str> {
                match self {
                    $(Operation::$moved { .. } => None,)*
                    Operation::Each(_, name) => Some(name),
                    Operation::Compare(op) => Some(match op {
                        BinaryOp::Eq => "cmpeq",
                        BinaryOp::Ne => "cmpne",
                        BinaryOp::Lt => "cmplt",
                        BinaryOp::Le => "cmple",
                        BinaryOp::Gt => "cmpgt",
                        _ => "cmpge",
                    }),
                    $(Operation::$computed => Some($name),)*
                }
            }
        }
    };
}

operations! {
    /// What a function of a vector or matrix type computes.
    moved {
        /// From components or columns.
        New,
        /// From an array.
        FromArray,
        /// From a tuple of scalars and vectors.
        FromTuple,
        /// `as` of each component.
        Cast,
        Splat,
        ToArray,
        Extend,
        Truncate,
        /// The component that is replaced.
        With(u32),
        /// The components that are taken.
        Swizzle(Vec<u32>),
        Any,
        All,
        Bitmask,
        /// Of a vector that is the diagonal of a matrix.
        FromDiagonal,
        Diagonal,
        Transpose,
    }
    computed {
        Select = "select",
        WrappingAdd = "add",
        WrappingSub = "sub",
        WrappingMul = "mul",
        Dot = "dot",
        DotIntoVec = "dot_into_vec",
        Cross = "cross",
        Perp = "perp",
        PerpDot = "perp_dot",
        Rotate = "rotate",
        Min = "min",
        Max = "max",
        Clamp = "clamp",
        Saturate = "saturate",
        MinElement = "min_element",
        MaxElement = "max_element",
        ElementSum = "element_sum",
        ElementProduct = "element_product",
        Length = "length",
        LengthSquared = "length_squared",
        LengthRecip = "length_recip",
        Distance = "distance",
        DistanceSquared = "distance_squared",
        Normalize = "normalize",
        NormalizeOr = "normalize_or",
        NormalizeOrZero = "normalize_or_zero",
        IsNormalized = "is_normalized",
        ProjectOnto = "project_onto",
        RejectFrom = "reject_from",
        ProjectOntoNormalized = "project_onto_normalized",
        RejectFromNormalized = "reject_from_normalized",
        Reflect = "reflect",
        Refract = "refract",
        Lerp = "lerp",
        Midpoint = "midpoint",
        MoveTowards = "move_towards",
        ClampLength = "clamp_length",
        ClampLengthMax = "clamp_length_max",
        ClampLengthMin = "clamp_length_min",
        AbsDiffEq = "abs_diff_eq",
        Step = "step",
        Smoothstep = "smoothstep",
        Recip = "recip",
        FractGl = "fract_gl",
        Powf = "powf",
        IsNan = "is_nan",
        IsFinite = "is_finite",
        Column = "col",
        Row = "row",
        Determinant = "determinant",
        Inverse = "inverse",
        MulVector = "mul_vector",
        MulScalar = "mul_scalar",
        DivScalar = "div_scalar",
        TransformPoint = "transform_point",
        TransformVector = "transform_vector",
        ProjectPoint = "project_point",
    }
}
