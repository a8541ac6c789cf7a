//! What a thread knows about a value: a sum of symbols, each of which stands for the same
//! value in all threads of a tile.
//!
//! What is not linear becomes a symbol of its own, by what it is made of.

use crate::analysis::affine::Sum;
use crate::tree::LocalId;

/// A value that is the same in all threads of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

/// The sum of a value; the bits of a float; 0 or 1 for `bool`.
pub(super) type Form = Sum<Symbol>;

/// What a thread knows about a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing.
    Unknown,
    Scalar(Form),
    /// Components of a tuple, struct, array, `Index` or `Extent`.
    Parts(Vec<Value>),
    /// A view by the kernel's parameter.
    View(LocalId),
}

impl Value {
    pub(super) fn constant(value: u64) -> Self {
        Value::Scalar(Form::constant(value))
    }

    pub(super) fn form(&self) -> Option<&Form> {
        match self {
            Value::Scalar(form) => Some(form),
            _ => None,
        }
    }

    pub(super) fn part(&self, part: usize) -> Value {
        match self {
            Value::Parts(parts) => parts.get(part).cloned().unwrap_or(Value::Unknown),
            _ => Value::Unknown,
        }
    }

    /// The part that a path leads to.
    pub(super) fn at(self, path: Option<&[Step]>) -> Value {
        let Some(path) = path else {
            return Value::Unknown;
        };
        let part = |whole: Value, step: &Step| match step.position() {
            Some(position) => whole.part(position),
            None => Value::Unknown,
        };
        path.iter().fold(self, part)
    }

    /// Puts `value` at the end of `path`; what may have changed is unknown.
    pub(super) fn put(&mut self, path: Option<&[Step]>, value: Value) {
        match path {
            Some([]) => *self = value,
            Some([step, rest @ ..]) => match (self, step.position()) {
                (Value::Parts(parts), Some(position)) if position < parts.len() => {
                    parts[position].put(Some(rest), value);
                }
                (slot, _) => *slot = Value::Unknown,
            },
            None => *self = Value::Unknown,
        }
    }

    /// What holds if it is one of two.
    pub(super) fn join(&mut self, other: &Value) {
        match (&mut *self, other) {
            (Value::Parts(own), Value::Parts(others)) if own.len() == others.len() => {
                for (part, other) in own.iter_mut().zip(others) {
                    part.join(other);
                }
            }
            (own, other) if own == other => {}
            (own, _) => *own = Value::Unknown,
        }
    }
}

/// One step into a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Field(u32),
    Element(Form),
}

impl Step {
    fn position(&self) -> Option<usize> {
        match self {
            Step::Field(field) => Some(*field as usize),
            Step::Element(form) => form.known().map(|known| known as usize),
        }
    }
}
