//! Values, and the way to a part of one.

use amp_spirv::ir::{Len, Module, Scalar, Type};
use glam::Vec3;
use half::{bf16, f16};

use super::view::View;
use crate::world::Item;

/// A value of any type; the types are in the IR.
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
    /// A view.
    View(Box<View>),
}

impl Value {
    /// An `Index` or `Extent`.
    pub fn index<T: Copy + Into<i128>>(components: &[T]) -> Self {
        Value::Parts(components.iter().map(|&it| Value::Int(it.into())).collect())
    }

    /// An [`Item`].
    pub fn item(item: &Item) -> Self {
        let int = |it: i128| Value::Int(it);
        let float = |it: f32| Value::Float(it.into());
        Value::Parts(vec![
            int(item.long.into()),
            Value::Float(item.real),
            int(item.key.into()),
            int(item.count.into()),
            Value::Parts(item.weights.map(float).to_vec()),
            Value::Parts(item.spot.to_array().map(float).to_vec()),
            Value::Parts(item.parts.map(|it| int(it.into())).to_vec()),
            int(item.short.into()),
            Value::Float(item.half.into()),
            Value::Float(item.brain.into()),
            int(item.byte.into()),
            int(item.sign.into()),
        ])
    }

    /// The [`Item`].
    pub fn to_item(&self) -> Item {
        let part = |k: usize| &self.parts()[k];
        let float = |k: usize, at: usize| part(k).parts()[at].as_float() as f32;
        Item {
            long: part(0).as_int() as i64,
            real: part(1).as_float(),
            key: part(2).as_int() as i32,
            count: part(3).as_int() as u32,
            weights: [float(4, 0), float(4, 1)],
            spot: Vec3::new(float(5, 0), float(5, 1), float(5, 2)),
            parts: [0, 1].map(|at| part(6).parts()[at].as_int() as u16),
            short: part(7).as_int() as i16,
            half: f16::from_f64(part(8).as_float()),
            brain: bf16::from_f64(part(9).as_float()),
            byte: part(10).as_int() as u8,
            sign: part(11).as_int() as i8,
        }
    }

    /// The zero of a type, which a fault gives.
    pub fn zero(module: &Module, constants: &[u64], ty: &Type) -> Self {
        let zero = |ty| Value::zero(module, constants, ty);
        match ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(false),
            Type::Scalar(scalar) if scalar.is_float() => Value::Float(0.0),
            Type::Scalar(_) => Value::Int(0),
            Type::Vector(scalar, components) => {
                Value::Parts(vec![zero(Type::of(*scalar)); *components as usize])
            }
            Type::Tuple(parts) => Value::Parts(parts.iter().map(zero).collect()),
            Type::Struct(id) => {
                let fields = &module.structs[id.0 as usize].fields;
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
            _ => Value::Unit,
        }
    }

    /// The parts of an aggregate.
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::Parts(parts) => parts,
            other => panic!("{other:?} has no parts"),
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
            other => panic!("{other:?} has no parts"),
        })
    }

    /// The `bool`.
    pub fn as_bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("{other:?} is no bool"),
        }
    }

    /// The integer.
    pub fn as_int(&self) -> i128 {
        match self {
            Value::Int(value) => *value,
            other => panic!("{other:?} is no integer"),
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
            other => panic!("{other:?} is no float"),
        }
    }
}
