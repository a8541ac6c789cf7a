//! The functions of vectors and matrices that the compiler itself computes: what each takes and
//! gives.
//!
//! A function that is neither here nor in [`vector`] is refused, with what to write [instead].
//! Constructors are left out: what those take is not known by name alone.

use amp_spirv::tree::{BinaryOp, IndexWidth, MathOp, Scalar};

use self::Slot::{Array, Is, Mask, Own, Part, Wider};
use super::{Ty, parts_of};
use crate::{
    infer::vector_operation::Operation,
    language::{
        glam::{COMPONENTS, named},
        method::{MathMethod, Rel, method_names, scalar_method},
        owner::Owner,
        vector,
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
                .or_else(|| compare(name)),
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
    const COMPARISONS: [(BinaryOp, &str); 6] = [
        (BinaryOp::Eq, "cmpeq"),
        (BinaryOp::Ne, "cmpne"),
        (BinaryOp::Lt, "cmplt"),
        (BinaryOp::Le, "cmple"),
        (BinaryOp::Gt, "cmpgt"),
        (BinaryOp::Ge, "cmpge"),
    ];
    let (op, name) = COMPARISONS.into_iter().find(|(_, known)| *known == name)?;
    signature(Operation::Compare(op, name), [Own], Mask)
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
    "col",
    "cmpeq",
    "cmpge",
    "cmpgt",
    "cmple",
    "cmplt",
    "cmpne",
    "diagonal",
    "div_scalar",
    "extend",
    "is_finite_mask",
    "is_nan_mask",
    "mul_scalar",
    "row",
    "to_array",
    "transpose",
    "truncate",
];

/// Whether the type has a method of this name.
pub fn has_method(ty: &Ty, name: &str) -> bool {
    let source = || {
        ty.glam()
            .and_then(|ty| Owner::Glam(ty).find(name, IndexWidth::Bits32, false))
    };
    Signature::of_method(ty, name).is_some() || source().is_some()
}

/// The methods of numbers that are methods of vectors too, of each component.
const EACH: &[&str] = &[
    "abs",
    "ceil",
    "copysign",
    "cos",
    "div_euclid",
    "exp",
    "exp2",
    "floor",
    "fract",
    "is_finite",
    "is_nan",
    "ln",
    "log2",
    "mul_add",
    "powf",
    "rem_euclid",
    "round",
    "signum",
    "sin",
    "sqrt",
    "trunc",
];

fn each(name: &str, scalar: Scalar) -> Option<Signature> {
    let of_number = name.strip_suffix("_mask").unwrap_or(name);
    // What `f64` has not on devices is a function of the library.
    let like = match scalar {
        Scalar::F64 => Scalar::F32,
        other => other,
    };
    let method = scalar_method(EACH.iter().find(|known| **known == of_number)?, like)?;
    let MathMethod::Op(op) = method.means else {
        return None;
    };
    let makes_mask = method.result == Rel::Is(Scalar::Bool);
    let is_euclid = matches!(op, MathOp::DivEuclid | MathOp::RemEuclid);
    if makes_mask != (of_number != name) || is_euclid && !scalar.is_integer() {
        return None;
    }
    Some(Signature {
        operation: Operation::Each(op, method),
        arguments: match op {
            MathOp::Powf => vec![Slot::Scalar],
            _ => vec![Own; method.arguments.len()],
        },
        result: if makes_mask { Mask } else { Own },
    })
}

fn matrix(name: &str, columns: u32) -> Option<Signature> {
    use Operation::*;
    match (columns, name) {
        (_, "transpose") => signature(Transpose, [], Own),
        (_, "diagonal") => signature(Diagonal, [], Part),
        (_, "col") => signature(Column, [Is(Ty::USIZE)], Part),
        (_, "row") => signature(Row, [Is(Ty::USIZE)], Part),
        (_, "mul_scalar") => signature(Matrix(BinaryOp::Mul, "mul_scalar"), [Slot::Scalar], Own),
        (_, "div_scalar") => signature(Matrix(BinaryOp::Div, "div_scalar"), [Slot::Scalar], Own),
        (2, "mul_vec2") | (3, "mul_vec3") | (4, "mul_vec4") => {
            signature(Matrix(BinaryOp::Mul, "mul_vector"), [Part], Part)
        }
        _ => None,
    }
}

/// What to write instead of a function that the type does not have in kernels.
pub fn instead(ty: &Ty, name: &str) -> String {
    let written = ty.glam().into_iter().flat_map(vector::all);
    let written = written.filter(|source| source.is_public);
    let known = written
        .map(|source| source.name)
        .chain(OTHERS.iter().copied());
    let known = known.chain(method_names(Scalar::F32));
    let near = nearest(name, known.filter(|known| has_method(ty, known)));
    let help = match (ty, name) {
        (Ty::Matrix(_), "mul_mat2" | "mul_mat3" | "mul_mat4") => "write `a * b`",
        (Ty::Matrix(_), "add_mat2" | "add_mat3" | "add_mat4") => "write `a + b`",
        (Ty::Matrix(_), "sub_mat2" | "sub_mat3" | "sub_mat4") => "write `a - b`",
        (_, "try_inverse" | "try_normalize") => {
            "use `inverse`, `normalize_or` or `normalize_or_zero`"
        }
        (Ty::Vector(Scalar::Bool, _), "test" | "set") => "its components are `x`, `y`, `z`, `w`",
        (Ty::Vector(Scalar::Bool, _), _) | (Ty::Matrix(_), _) if is_swizzle(name) => {
            "only vectors of numbers have their components reordered"
        }
        (Ty::Vector(..), _) if is_swizzle(name) => {
            return format!("a swizzle names 2 to 4 components: {}", parts_of(ty));
        }
        (Ty::Vector(..), "map") => "write out the components",
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
