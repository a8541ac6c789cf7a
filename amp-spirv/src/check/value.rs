//! What a thread knows about a value: a sum of symbols, each of which stands for the same
//! value in all threads of a tile.
//!
//! A [`Form`] is arithmetic modulo 2³² or 2⁶⁴, by the type of the value, so two equal forms are
//! equal values, and two forms whose difference is a constant other than zero are different ones.
//! Where neither is so, nothing is known. What is not linear becomes a symbol of its own, by what
//! it is made of.

use super::number::mask;
use crate::ir::{LocalId, Scalar};

/// A value that is the same in all threads of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol(pub(super) u32);

/// `Σ coefficient · symbol + constant`, all of them below the modulus of the value's type; the
/// bits of a float; 0 or 1 for `bool`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Form {
    /// By symbol, without zeros.
    pub(super) terms: Vec<(Symbol, u64)>,
    pub(super) constant: u64,
}

impl Form {
    pub(super) fn constant(constant: u64) -> Self {
        Form {
            terms: Vec::new(),
            constant,
        }
    }

    /// The value, if it depends on nothing.
    pub(super) fn known(&self) -> Option<u64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The symbol, if it is nothing more.
    pub(super) fn symbol(&self) -> Option<Symbol> {
        match (&self.terms[..], self.constant) {
            ([(symbol, 1)], 0) => Some(*symbol),
            _ => None,
        }
    }

    /// `self + factor · other`, of a type
    pub(super) fn add(&self, other: &Form, factor: u64, ty: Scalar) -> Form {
        let mut terms = self.terms.clone();
        for (symbol, coefficient) in &other.terms {
            let more = coefficient.wrapping_mul(factor);
            match terms.binary_search_by_key(symbol, |(symbol, _)| *symbol) {
                Ok(at) => terms[at].1 = terms[at].1.wrapping_add(more),
                Err(at) => terms.insert(at, (*symbol, more)),
            }
        }
        let constant = self
            .constant
            .wrapping_add(other.constant.wrapping_mul(factor));
        Form { terms, constant }.reduced(ty)
    }

    /// `self - other`, of a type
    pub(super) fn minus(&self, other: &Form, ty: Scalar) -> Form {
        self.add(other, u64::MAX, ty)
    }

    /// The same modulo what the type holds.
    pub(super) fn reduced(mut self, ty: Scalar) -> Form {
        let mask = mask(ty);
        for (_, coefficient) in &mut self.terms {
            *coefficient &= mask;
        }
        self.terms.retain(|(_, coefficient)| *coefficient != 0);
        self.constant &= mask;
        self
    }

    /// What one is more than the other, of the same type, if that is known: zero if they are
    /// equal.
    pub(super) fn difference(&self, other: &Form) -> Option<u64> {
        (self.terms == other.terms).then(|| self.constant.wrapping_sub(other.constant))
    }
}

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
