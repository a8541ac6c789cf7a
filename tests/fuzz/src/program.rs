//! A random program: a module and all that it is launched with.

use amp::__private::spec;
use amp_spirv::tree::{Const, Literal, Module, Scalar};
use amp_spirv::value::Value;
use fastrand::Rng;
use half::{bf16, f16};

use crate::generate;
use crate::world::{Inputs, Param, Shape};

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made from.
    pub seed: u64,
    /// The kernel and what it calls.
    pub module: Module,
    /// What it runs over.
    pub shape: Shape,
    /// Parameters after the index.
    pub params: Vec<Param>,
    /// Bits of the module's constants, those above their own being zero.
    pub constants: Vec<u64>,
    /// Values of the parameters.
    pub inputs: Inputs,
    /// Whether threads wait for each other.
    pub has_barriers: bool,
}

/// What a program may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Whatever the tree has.
    Tree,
    /// What Rust has too, with the same results where a `usize` has 64 bits.
    Rust,
}

impl Program {
    /// The program of a seed.
    pub fn new(seed: u64, dialect: Dialect) -> Self {
        generate::program(seed, dialect, Rng::with_seed(seed))
    }

    /// The constants as the bits that specialization constants take.
    pub(crate) fn registers(&self) -> Vec<u64> {
        let constants = self.module.consts.iter().zip(&self.constants);
        let register = |(constant, &bits): (&Const, &u64)| match constant.ty {
            Scalar::F16 => spec::f16(f16::from_bits(bits as u16)),
            Scalar::Bf16 => spec::bf16(bf16::from_bits(bits as u16)),
            ty => match Literal::new(ty, bits).integer() {
                Some(value) => value as u64,
                None => bits,
            },
        };
        constants.map(register).collect()
    }

    /// Value of a parameter that is no view.
    pub(crate) fn scalar(&self, param: Param) -> Value {
        let inputs = &self.inputs;
        match param {
            Param::Signed => Value::Int(inputs.signed.into()),
            Param::Unsigned => Value::Int(inputs.unsigned.into()),
            Param::Float => Value::Float(inputs.float.into()),
            Param::Size => Value::Int(inputs.size as i128),
            Param::Flag => Value::Bool(inputs.flag),
            Param::Long => Value::Int(inputs.long.into()),
            Param::Double => Value::Float(inputs.double),
            Param::Byte => Value::Int(inputs.byte.into()),
            Param::Short => Value::Int(inputs.short.into()),
            Param::Half => Value::Float(inputs.half.into()),
            Param::Whole => inputs.whole.value(),
            other => panic!("{other:?} is a view"),
        }
    }
}
