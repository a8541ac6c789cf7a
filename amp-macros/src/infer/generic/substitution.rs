//! Types with arguments in the place of parameters.

use super::Parameters;
use crate::infer::ty::{Len, Ty};

/// A type with arguments in the place of parameters.
pub struct Substitution<'a> {
    pub parameters: &'a Parameters,
    pub types: &'a [Ty],
    pub lengths: &'a [Len],
}

impl Substitution<'_> {
    pub fn ty(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Param(index) => {
                let position = self.parameters.types.iter().position(|at| at == index);
                position.map_or(Ty::Error, |at| self.types[at].clone())
            }
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.ty(part)).collect()),
            Ty::Array(element, length) => {
                Ty::Array(Box::new(self.ty(element)), self.length(*length))
            }
            Ty::Tiled(dims) => Ty::Tiled(dims.iter().map(|dim| self.length(*dim)).collect()),
            Ty::View(view) => {
                let mut view = view.clone();
                view.element = Box::new(self.ty(&view.element));
                Ty::View(view)
            }
            Ty::Reference { mutable, target } => Ty::Reference {
                mutable: *mutable,
                target: Box::new(self.ty(target)),
            },
            other => other.clone(),
        }
    }

    pub fn length(&self, length: Len) -> Len {
        let position = match length {
            Len::Const(index) => self.parameters.consts.iter().position(|at| *at == index),
            Len::Literal(_) => None,
        };
        position.map_or(length, |at| self.lengths[at])
    }
}
