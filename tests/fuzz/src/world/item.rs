//! An element of every type that elements can have.

use amp::amp_struct;
use amp_spirv::ir::{Field, Len, Scalar, Struct, StructId, Type};
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

/// [`Item`] in the IR: the first struct of every module.
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
