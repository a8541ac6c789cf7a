//! The functions of vectors and matrices: what each takes and gives.
//!
//! A function that is not here is refused, with what to write [instead]; what one computes is
//! its [`Operation`]. Constructors are left out: what those take is not known by name alone.

use amp_spirv::tree::{BinaryOp, MathOp, Scalar};

use self::Slot::{Array, Is, Mask, Own, Part, Wider};
use super::{Ty, parts_of};
use crate::{
    infer::vector_operation::Operation,
    language::{
        glam::{COMPONENTS, named},
        method::method_names,
    },
    suggest::nearest,
};

/// The type of an argument or result, relative to the type whose function it is.
#[derive(Clone, Debug)]
pub enum Slot {
    /// The type itself.
    Own,
    /// A component of a vector, a column of a matrix.
    Part,
    /// The scalar of a vector or matrix.
    Scalar,
    /// A vector of `bool` with as many components.
    Mask,
    /// A vector of the same scalar with so many components more.
    Wider(i32),
    /// All parts in an array.
    Array,
    /// This type.
    Is(Ty),
}

impl Slot {
    /// The type that the slot has for `own`.
    pub fn ty(&self, own: &Ty) -> Ty {
        let (scalar, count) = match own {
            Ty::Vector(scalar, count) => (*scalar, *count),
            Ty::Matrix(count) => (Scalar::F32, *count),
            _ => return Ty::Error,
        };
        match self {
            Slot::Own => own.clone(),
            Slot::Part if matches!(own, Ty::Matrix(_)) => Ty::Vector(scalar, count),
            Slot::Part | Slot::Scalar => Ty::Scalar(scalar),
            Slot::Mask => Ty::Vector(Scalar::Bool, count),
            Slot::Wider(by) => Ty::Vector(scalar, count.saturating_add_signed(*by)),
            Slot::Array => Ty::Array(Box::new(Ty::Scalar(scalar)), super::Len::Literal(count)),
            Slot::Is(ty) => ty.clone(),
        }
    }
}

/// What a function takes and gives.
#[derive(Debug)]
pub struct Signature {
    pub operation: Operation,
    pub arguments: Vec<Slot>,
    pub result: Slot,
}

fn signature<const N: usize>(
    operation: Operation,
    arguments: [Slot; N],
    result: Slot,
) -> Option<Signature> {
    Some(Signature {
        operation,
        arguments: arguments.into(),
        result,
    })
}

impl Signature {
    /// A method called as a function: the receiver is the first argument.
    pub fn with_receiver(mut self) -> Self {
        self.arguments.insert(0, Own);
        self
    }

    /// A function of the type that has no receiver.
    pub fn of_function(ty: &Ty, name: &str) -> Option<Self> {
        match (ty, name) {
            (Ty::Vector(..), "splat") => signature(Operation::Splat, [Part], Own),
            (Ty::Vector(..), "from_array") => signature(Operation::FromArray, [Array], Own),
            (Ty::Vector(scalar, _), "select") if *scalar != Scalar::Bool => {
                signature(Operation::Select, [Mask, Own, Own], Own)
            }
            (Ty::Matrix(_), "from_diagonal") => signature(Operation::FromDiagonal, [Part], Own),
            _ => None,
        }
    }

    /// A method.
    pub fn of_method(ty: &Ty, name: &str) -> Option<Self> {
        match *ty {
            Ty::Matrix(columns) => matrix(name, columns),
            Ty::Vector(Scalar::Bool, _) => mask(name),
            Ty::Vector(scalar, components) => moved(name, scalar, components)
                .or_else(|| each(name, scalar))
                .or_else(|| compare(name))
                .or_else(|| computed(name, scalar, components)),
            _ => None,
        }
    }
}

fn mask(name: &str) -> Option<Signature> {
    match name {
        "any" => signature(Operation::Any, [], Is(Ty::BOOL)),
        "all" => signature(Operation::All, [], Is(Ty::BOOL)),
        "bitmask" => signature(Operation::Bitmask, [], Is(Ty::U32)),
        _ => None,
    }
}

fn compare(name: &str) -> Option<Signature> {
    let op = match name {
        "cmpeq" => BinaryOp::Eq,
        "cmpne" => BinaryOp::Ne,
        "cmplt" => BinaryOp::Lt,
        "cmple" => BinaryOp::Le,
        "cmpgt" => BinaryOp::Gt,
        "cmpge" => BinaryOp::Ge,
        _ => return None,
    };
    signature(Operation::Compare(op), [Own], Mask)
}

/// What takes components, or puts them elsewhere, and converts them.
fn moved(name: &str, scalar: Scalar, components: u32) -> Option<Signature> {
    match name {
        "to_array" => return signature(Operation::ToArray, [], Array),
        "extend" if components < 4 => return signature(Operation::Extend, [Part], Wider(1)),
        "truncate" if components > 2 => return signature(Operation::Truncate, [], Wider(-1)),
        _ => {}
    }
    let position = |letter: &str| {
        let known = &COMPONENTS[..components as usize];
        Some(known.iter().position(|known| *known == letter)? as u32)
    };
    if let Some(letter) = name.strip_prefix("with_")
        && let Some(position) = position(letter)
    {
        return signature(Operation::With(position), [Part], Own);
    }
    if let Some(target) = name.strip_prefix("as_") {
        // `as_ivec3`
        let (prefix, digit) = target.split_once("vec")?;
        let target = Ty::from(named(&format!("{}Vec{digit}", prefix.to_uppercase()))?);
        return match &target {
            Ty::Vector(to, count) if *count == components && *to != scalar => match to {
                Scalar::Bool => None,
                _ => signature(Operation::Cast, [], Is(target)),
            },
            _ => None,
        };
    }
    if (2..=4).contains(&name.len()) {
        let letters = (0..name.len()).map(|at| position(name.get(at..=at)?));
        let taken: Vec<u32> = letters.collect::<Option<_>>()?;
        let result = Is(Ty::Vector(scalar, taken.len() as u32));
        return signature(Operation::Swizzle(taken), [], result);
    }
    None
}

/// Functions whose names are in no other table, for suggestions.
const OTHERS: &[&str] = &[
    "all",
    "any",
    "bitmask",
    "cmpeq",
    "cmpge",
    "cmpgt",
    "cmple",
    "cmplt",
    "cmpne",
    "diagonal",
    "extend",
    "is_finite_mask",
    "is_nan_mask",
    "to_array",
    "transpose",
    "truncate",
];

/// Whether the type has a method of this name.
pub fn has_method(ty: &Ty, name: &str) -> bool {
    Signature::of_method(ty, name).is_some()
}

/// What is a scalar's method of each component.
fn each(name: &str, scalar: Scalar) -> Option<Signature> {
    let unary = |op, name| signature(Operation::Each(op, name), [], Own);
    let binary = |op, name| signature(Operation::Each(op, name), [Own], Own);
    match name {
        "div_euclid" if scalar.is_integer() => return binary(MathOp::DivEuclid, "div_euclid"),
        "rem_euclid" if scalar.is_integer() => return binary(MathOp::RemEuclid, "rem_euclid"),
        "abs" if scalar != Scalar::U32 => return unary(MathOp::Abs, "abs"),
        "signum" if scalar != Scalar::U32 => return unary(MathOp::Signum, "signum"),
        _ if scalar.is_integer() => return None,
        _ => {}
    }
    match name {
        "floor" => unary(MathOp::Floor, "floor"),
        "ceil" => unary(MathOp::Ceil, "ceil"),
        "trunc" => unary(MathOp::Trunc, "trunc"),
        "round" => unary(MathOp::Round, "round"),
        "fract" => unary(MathOp::Fract, "fract"),
        "sqrt" => unary(MathOp::Sqrt, "sqrt"),
        "exp" => unary(MathOp::Exp, "exp"),
        "exp2" => unary(MathOp::Exp2, "exp2"),
        "ln" => unary(MathOp::Ln, "ln"),
        "log2" => unary(MathOp::Log2, "log2"),
        "sin" => unary(MathOp::Sin, "sin"),
        "cos" => unary(MathOp::Cos, "cos"),
        "copysign" => binary(MathOp::Copysign, "copysign"),
        "mul_add" => signature(Operation::Each(MathOp::MulAdd, "mul_add"), [Own, Own], Own),
        "is_nan_mask" => signature(Operation::Each(MathOp::IsNan, "is_nan_mask"), [], Mask),
        "is_finite_mask" => signature(
            Operation::Each(MathOp::IsFinite, "is_finite_mask"),
            [],
            Mask,
        ),
        _ => None,
    }
}

fn computed(name: &str, scalar: Scalar, components: u32) -> Option<Signature> {
    use Operation::*;
    let integer = scalar.is_integer();
    let operation = match name {
        "wrapping_add" if integer => WrappingAdd,
        "wrapping_sub" if integer => WrappingSub,
        "wrapping_mul" if integer => WrappingMul,
        // Names of the run time's that are not glam's methods, and those of matrices.
        "add" | "sub" | "mul" | "select" | "col" | "row" | "determinant" | "inverse"
        | "mul_vector" | "mul_scalar" | "div_scalar" | "transform_point" | "transform_vector"
        | "project_point" => return None,
        name => Operation::computed(name)?,
    };
    let only_floats = !matches!(
        operation,
        WrappingAdd
            | WrappingSub
            | WrappingMul
            | Dot
            | DotIntoVec
            | Cross
            | Perp
            | PerpDot
            | Rotate
            | Min
            | Max
            | Clamp
            | MinElement
            | MaxElement
            | ElementSum
            | ElementProduct
            | LengthSquared
            | DistanceSquared
    );
    let exists = match operation {
        Cross => components == 3,
        Perp | PerpDot | Rotate => components == 2 && scalar != Scalar::U32,
        _ => true,
    };
    if !exists || (only_floats && integer) {
        return None;
    }
    match operation {
        Dot | Distance | DistanceSquared | PerpDot => signature(operation, [Own], Slot::Scalar),
        MinElement | MaxElement | ElementSum | ElementProduct | Length | LengthSquared
        | LengthRecip => signature(operation, [], Slot::Scalar),
        IsNormalized | IsNan | IsFinite => signature(operation, [], Is(Ty::BOOL)),
        AbsDiffEq => signature(operation, [Own, Slot::Scalar], Is(Ty::BOOL)),
        Normalize | NormalizeOrZero | Perp | Saturate | Recip | FractGl => {
            signature(operation, [], Own)
        }
        Clamp | Smoothstep => signature(operation, [Own, Own], Own),
        Refract | Lerp | MoveTowards => signature(operation, [Own, Slot::Scalar], Own),
        ClampLength => signature(operation, [Slot::Scalar, Slot::Scalar], Own),
        ClampLengthMax | ClampLengthMin | Powf => signature(operation, [Slot::Scalar], Own),
        _ => signature(operation, [Own], Own),
    }
}

fn matrix(name: &str, columns: u32) -> Option<Signature> {
    use Operation::*;
    let vector = |count| Is(Ty::Vector(Scalar::F32, count));
    match name {
        "transpose" => return signature(Transpose, [], Own),
        "diagonal" => return signature(Diagonal, [], Part),
        "determinant" => return signature(Determinant, [], Slot::Scalar),
        "inverse" => return signature(Inverse, [], Own),
        "col" => return signature(Column, [Is(Ty::USIZE)], Part),
        "row" => return signature(Row, [Is(Ty::USIZE)], Part),
        "mul_scalar" => return signature(MulScalar, [Slot::Scalar], Own),
        "div_scalar" => return signature(DivScalar, [Slot::Scalar], Own),
        _ => {}
    }
    match (columns, name) {
        (2, "mul_vec2") | (3, "mul_vec3") | (4, "mul_vec4") => signature(MulVector, [Part], Part),
        (3, "transform_point2") | (4, "transform_point3") => {
            signature(TransformPoint, [vector(columns - 1)], vector(columns - 1))
        }
        (3, "transform_vector2") | (4, "transform_vector3") => {
            signature(TransformVector, [vector(columns - 1)], vector(columns - 1))
        }
        (4, "project_point3") => signature(ProjectPoint, [vector(3)], vector(3)),
        _ => None,
    }
}

/// What to write instead of a function that the type does not have in kernels.
pub fn instead(ty: &Ty, name: &str) -> String {
    let known = Operation::COMPUTED.iter().chain(OTHERS).copied();
    let known = known.chain(method_names(Scalar::F32));
    let near = nearest(name, known.filter(|known| has_method(ty, known)));
    let help = match (ty, name) {
        (Ty::Matrix(_), "mul_mat2" | "mul_mat3" | "mul_mat4") => "write `a * b`",
        (Ty::Matrix(_), "add_mat2" | "add_mat3" | "add_mat4") => "write `a + b`",
        (Ty::Matrix(_), "sub_mat2" | "sub_mat3" | "sub_mat4") => "write `a - b`",
        (_, "try_inverse" | "try_normalize") => {
            "kernels have no Option; use `inverse`, `normalize_or` or `normalize_or_zero`"
        }
        (Ty::Vector(Scalar::Bool, _), "test" | "set") => "its components are `x`, `y`, `z`, `w`",
        (Ty::Vector(Scalar::Bool, _), _) | (Ty::Matrix(_), _) if is_swizzle(name) => {
            "only vectors of numbers have their components reordered"
        }
        (Ty::Vector(..), _) if is_swizzle(name) => {
            return format!("a swizzle names 2 to 4 components: {}", parts_of(ty));
        }
        (Ty::Vector(..), "map") => "kernels have no closures; write out the components",
        (Ty::Vector(..), "len") => "write the number",
        (_, "into") => "write the type: `Vec4::from(..)`, `v.to_array()`",
        (_, "from_cols_array" | "from_cols_array_2d" | "from_slice" | "from_cols_slice") => {
            "kernels have no references to values; give the components or columns"
        }
        _ if let Some(near) = near => return format!("there is `{near}`"),
        (Ty::Matrix(_), _) => {
            "use its columns `x_axis`, `y_axis`, .. or the functions that the documentation of `amp::glam` lists, \
             or make the matrix on the host"
        }
        _ => "use its components, or the functions that the documentation of `amp::glam` lists",
    };
    help.to_owned()
}

/// Whether a name is made like a swizzle, of whatever letters a shader may have.
fn is_swizzle(name: &str) -> bool {
    (2..=4).contains(&name.len()) && name.chars().all(|letter| "xyzwrgba".contains(letter))
}
