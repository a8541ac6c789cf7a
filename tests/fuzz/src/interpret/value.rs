//! Values, and the way to a part of one.

use amp_spirv::ir::{Len, Module, Type};

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
    /// `f32`
    F32(f32),
    /// A tuple, struct, array, `Index`, `Extent` or `TiledIndex`.
    Parts(Vec<Value>),
    /// The number of a view.
    View(usize),
}

impl Value {
    /// An `Index` or `Extent`.
    pub fn index(components: &[u32]) -> Self {
        Value::Parts(components.iter().map(|&it| Value::Int(it.into())).collect())
    }

    /// An [`Item`].
    pub fn item(item: &Item) -> Self {
        let weights = item.weights.map(Value::F32).to_vec();
        Value::Parts(vec![
            Value::Int(item.key.into()),
            Value::Parts(weights),
            Value::Int(item.count.into()),
        ])
    }

    /// The [`Item`].
    pub fn to_item(&self) -> Item {
        let parts = self.parts();
        let weights = parts[1].parts();
        Item {
            key: parts[0].as_int() as i32,
            weights: [weights[0].as_f32(), weights[1].as_f32()],
            count: parts[2].as_u32(),
        }
    }

    /// The zero of a type, which a fault gives.
    pub fn zero(module: &Module, constants: &[u32], ty: &Type) -> Self {
        let zero = |ty| Value::zero(module, constants, ty);
        match ty {
            Type::Scalar(amp_spirv::ir::Scalar::Bool) => Value::Bool(false),
            Type::Scalar(amp_spirv::ir::Scalar::F32) => Value::F32(0.0),
            Type::Scalar(_) => Value::Int(0),
            Type::Tuple(parts) => Value::Parts(parts.iter().map(zero).collect()),
            Type::Struct(id) => {
                let fields = &module.structs[id.0 as usize].fields;
                Value::Parts(fields.iter().map(|field| zero(&field.ty)).collect())
            }
            Type::Array(element, len) => {
                let len = match len {
                    Len::Literal(len) => *len,
                    Len::Const(id) => constants[id.0 as usize],
                };
                Value::Parts(vec![zero(element); len as usize])
            }
            Type::Index(rank) | Type::Extent(rank) => Value::index(&vec![0; *rank as usize]),
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
    pub fn as_u32(&self) -> u32 {
        self.as_int() as u32
    }

    /// The `f32`.
    pub fn as_f32(&self) -> f32 {
        match self {
            Value::F32(value) => *value,
            other => panic!("{other:?} is no f32"),
        }
    }
}
