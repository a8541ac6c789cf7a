//! What values are, and what operations make of them: Rust's own arithmetic, written to be
//! obviously right.
//!
//! An integer is an `i128` that is cut to its type after each operation, a float an `f64` of
//! the same value that is rounded to its type; a `usize` has 32 bits, as on a device. What can
//! fault gives [`NoResult`] in place of a result.
//!
//! What it leaves out: transcendental methods, whose results are the device's.

mod float;
mod integer;
pub mod number;
#[cfg(feature = "testing")]
mod subgroup;
#[cfg(feature = "testing")]
mod view;

pub use self::float::{from_bits, rounded, to_bits};
#[cfg(feature = "testing")]
pub use self::subgroup::subgroup;
#[cfg(feature = "testing")]
pub use self::view::{Array, View};

use crate::tree::{Len, Scalar, Struct, Type};

/// A value of any type; the types are in the tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `()`
    Unit,
    /// `bool`
    Bool(bool),
    /// Any integer, within the range of its type.
    Int(i128),
    /// Any float, as an `f64` that has the same value.
    Float(f64),
    /// A tuple, struct, array, vector, `Index`, `Extent` or `TiledIndex`.
    Parts(Vec<Value>),
    /// A view, in an interpreter.
    #[cfg(feature = "testing")]
    View(Box<View>),
}

/// The operation has no result: a fault, which gives zero or the operand that it names.
pub struct NoResult(pub Value);

/// A value, or what there is in place of one.
pub type Result = std::result::Result<Value, NoResult>;

impl Value {
    /// An `Index` or `Extent`.
    pub fn index<T: Copy + Into<i128>>(components: &[T]) -> Self {
        Value::Parts(components.iter().map(|&it| Value::Int(it.into())).collect())
    }

    /// The zero of a type, which a fault gives.
    pub fn zero(structs: &[Struct], constants: &[u64], ty: &Type) -> Self {
        let zero = |ty| Value::zero(structs, constants, ty);
        match ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(false),
            Type::Scalar(scalar) if scalar.is_float() => Value::Float(0.0),
            Type::Scalar(_) => Value::Int(0),
            Type::Vector(scalar, components) => {
                Value::Parts(vec![zero(Type::of(*scalar)); *components as usize])
            }
            Type::Tuple(parts) => Value::Parts(parts.iter().map(zero).collect()),
            Type::Struct(id) => {
                let fields = &structs[id.0 as usize].fields;
                Value::Parts(fields.iter().map(|field| zero(&field.ty)).collect())
            }
            Type::Array(element, len) => {
                let len = match len {
                    Len::Literal(len) => *len,
                    Len::Const(id) => constants[id.0 as usize] as u32,
                };
                Value::Parts(vec![zero(element); len as usize])
            }
            Type::Index(rank) | Type::Extent(rank) => Value::index(&vec![0_u32; *rank as usize]),
            Type::TiledIndex(rank) => Value::Parts(vec![zero(&Type::Index(*rank)); 4]),
            _ => Value::Unit,
        }
    }

    /// The parts of an aggregate.
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::Parts(parts) => parts,
            other => unreachable!("{other:?} has no parts"),
        }
    }

    /// The part behind a path.
    pub fn part(&self, path: &[usize]) -> &Value {
        path.iter().fold(self, |value, &step| &value.parts()[step])
    }

    /// The part behind a path, to write.
    pub fn part_mut(&mut self, path: &[usize]) -> &mut Value {
        path.iter().fold(self, |value, &step| match value {
            Value::Parts(parts) => &mut parts[step],
            other => unreachable!("{other:?} has no parts"),
        })
    }

    /// The `bool`.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => unreachable!("{other:?} is no bool"),
        }
    }

    /// The integer.
    pub fn as_int(&self) -> i128 {
        match self {
            Value::Int(value) => *value,
            other => unreachable!("{other:?} is no integer"),
        }
    }

    /// The `u32` or `usize`.
    pub fn as_size(&self) -> u64 {
        self.as_int() as u64
    }

    /// The float.
    pub fn as_float(&self) -> f64 {
        match self {
            Value::Float(value) => *value,
            other => unreachable!("{other:?} is no float"),
        }
    }
}
