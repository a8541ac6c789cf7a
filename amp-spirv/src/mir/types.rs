//! Interned types.

use std::collections::HashMap;
use std::ops::Index;

use crate::ir::{Len, Scalar, Struct, Type};

/// A type of a module's [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(u32);

/// The types of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Types {
    list: Vec<Type>,
    known: HashMap<Type, Ty>,
}

/// The most scalars in a value that is not bulk.
const MOST_SCALARS: u32 = 32;

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

    /// Whether values of a type are bulk: drivers take values apart into their scalars, some in
    /// a time that grows with the square of their number. Types whose number of scalars only
    /// the host knows are bulk.
    pub fn is_bulk(&self, structs: &[Struct], ty: Ty) -> bool {
        is_bulk(structs, &self[ty])
    }
}

impl Index<Ty> for Types {
    type Output = Type;

    fn index(&self, ty: Ty) -> &Type {
        &self.list[ty.0 as usize]
    }
}

/// See [`Types::is_bulk`].
pub(crate) fn is_bulk(structs: &[Struct], ty: &Type) -> bool {
    // Points are computed with as values, whatever their rank.
    !matches!(ty, Type::Index(_) | Type::Extent(_))
        && scalars(structs, ty).is_none_or(|scalars| scalars > MOST_SCALARS)
}

fn scalars(structs: &[Struct], ty: &Type) -> Option<u32> {
    let add = |sum: u32, ty: &Type| sum.checked_add(scalars(structs, ty)?);
    match ty {
        Type::Array(part, Len::Literal(len)) => scalars(structs, part)?.checked_mul(*len),
        Type::Array(_, Len::Const(_)) => None,
        Type::Tuple(parts) => parts.iter().try_fold(0, add),
        Type::Struct(id) => {
            let fields = &structs[id.0 as usize].fields;
            fields.iter().map(|field| &field.ty).try_fold(0, add)
        }
        Type::Vector(_, rank) | Type::Index(rank) | Type::Extent(rank) => Some(*rank),
        _ => Some(1),
    }
}
