//! An element of every type that elements can have.

use amp::amp_struct;
use amp_spirv::tree::{Field, Len, Scalar, Struct, StructId, Type};
use amp_spirv::value::Value;
use glam::Vec3;
use half::{bf16, f16};

/// An element with parts, of all sizes.
#[amp_struct]
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Item {
    pub long: i64,
    pub real: f64,
    pub key: i32,
    pub count: u32,
    pub weights: [f32; 2],
    pub spot: Vec3,
    pub parts: [u16; 2],
    pub short: i16,
    pub half: f16,
    pub brain: bf16,
    pub byte: u8,
    pub sign: i8,
}

impl Item {
    /// Nothing but zeroes.
    pub const ZERO: Item = Item {
        long: 0,
        real: 0.0,
        key: 0,
        count: 0,
        weights: [0.0; 2],
        spot: Vec3::ZERO,
        parts: [0; 2],
        short: 0,
        half: f16::ZERO,
        brain: bf16::ZERO,
        byte: 0,
        sign: 0,
    };

    /// It as a value.
    pub fn value(&self) -> Value {
        let int = Value::Int;
        let float = |it: f32| Value::Float(it.into());
        Value::Parts(vec![
            int(self.long.into()),
            Value::Float(self.real),
            int(self.key.into()),
            int(self.count.into()),
            Value::Parts(self.weights.map(float).to_vec()),
            Value::Parts(self.spot.to_array().map(float).to_vec()),
            Value::Parts(self.parts.map(|it| int(it.into())).to_vec()),
            int(self.short.into()),
            Value::Float(self.half.into()),
            Value::Float(self.brain.into()),
            int(self.byte.into()),
            int(self.sign.into()),
        ])
    }

    /// The one that a value is.
    pub fn of_value(value: &Value) -> Item {
        let part = |k: usize| &value.parts()[k];
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

    /// Whether nothing tells them apart but the bits of a NaN.
    pub fn same(&self, other: &Item) -> bool {
        let floats = |it: &Item| -> [f64; 8] {
            let [a, b] = it.weights.map(f64::from);
            let [x, y, z] = it.spot.to_array().map(f64::from);
            [it.real, a, b, x, y, z, it.half.into(), it.brain.into()]
        };
        let integers = |it: &Item| {
            let narrow = (it.parts, it.short, it.byte, it.sign);
            (it.long, it.key, it.count, narrow)
        };
        let alike = |(a, b): (f64, f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        integers(self) == integers(other) && floats(self).into_iter().zip(floats(other)).all(alike)
    }
}

/// [`Item`] in the tree: the first struct of every module.
pub const ITEM: Type = Type::Struct(StructId(0));

/// [`ITEM`]'s definition.
pub fn item() -> Struct {
    let pair = |element: Type| Type::Array(Box::new(element), Len::Literal(2));
    let of = Type::Scalar;
    let fields = [
        ("long", of(Scalar::I64)),
        ("real", of(Scalar::F64)),
        ("key", Type::I32),
        ("count", Type::U32),
        ("weights", pair(Type::F32)),
        ("spot", Type::Vector(Scalar::F32, 3)),
        ("parts", pair(of(Scalar::U16))),
        ("short", of(Scalar::I16)),
        ("half", of(Scalar::F16)),
        ("brain", of(Scalar::Bf16)),
        ("byte", of(Scalar::U8)),
        ("sign", of(Scalar::I8)),
    ];
    Struct {
        name: "Item".into(),
        fields: fields
            .map(|(name, ty)| Field {
                name: name.into(),
                ty,
            })
            .into(),
    }
}
