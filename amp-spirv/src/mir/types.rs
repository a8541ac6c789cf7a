//! Interned types.

use std::ops::Index;

use crate::tree::{Scalar, Type};
use rustc_hash::FxHashMap as HashMap;

/// A type of a module's [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(u32);

/// The types of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Types {
    list: Vec<Type>,
    known: HashMap<Type, Ty>,
}

impl Types {
    /// The type, interned.
    pub fn intern(&mut self, ty: &Type) -> Ty {
        if let Some(known) = self.known.get(ty) {
            return *known;
        }
        let id = Ty(self.list.len() as u32);
        self.list.push(ty.clone());
        self.known.insert(ty.clone(), id);
        id
    }

    /// A scalar's type.
    pub fn scalar(&mut self, scalar: Scalar) -> Ty {
        self.intern(Type::of(scalar))
    }

    /// `bool`.
    pub fn bool(&mut self) -> Ty {
        self.scalar(Scalar::Bool)
    }
}

impl Index<Ty> for Types {
    type Output = Type;

    fn index(&self, ty: Ty) -> &Type {
        &self.list[ty.0 as usize]
    }
}
