//! Types with arguments in the place of parameters.

use crate::infer::{
    program::Program,
    ty::{Applied, Len, Parameters, Ty},
};

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
            Ty::Array(element, length) => {
                Ty::Array(Box::new(self.ty(element)), self.length(*length))
            }
            Ty::Struct(index, applied) => Ty::Struct(
                *index,
                Applied {
                    lengths: applied
                        .lengths
                        .iter()
                        .map(|len| self.length(*len))
                        .collect(),
                    ..applied.map(|ty| self.ty(ty))
                },
            ),
            Ty::Tiled(dims) => Ty::Tiled(dims.iter().map(|dim| self.length(*dim)).collect()),
            Ty::View(view) => {
                let mut view = view.clone();
                view.element = Box::new(self.ty(&view.element));
                Ty::View(view)
            }
            other => other.clone().map_parts(|part| self.ty(part)),
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

impl Program {
    /// A struct applied to its own parameters.
    pub fn template(&self, index: usize) -> Ty {
        let Parameters { types, consts, .. } = &self.structs[index].parameters;
        let applied = Applied {
            types: types.iter().map(|index| Ty::Param(*index)).collect(),
            lengths: consts.iter().map(|index| Len::Const(*index)).collect(),
        };
        Ty::Struct(index, applied)
    }

    /// The fields of a struct with what it is applied to in the place of its parameters.
    pub fn fields(&self, index: usize, applied: &Applied) -> Vec<(String, Ty)> {
        let substitution = self.substituted(index, applied);
        let fields = self.structs[index].fields.iter();
        fields
            .map(|(name, ty)| (name.clone(), substitution.ty(ty)))
            .collect()
    }

    /// What a struct is applied to in the place of its parameters.
    pub fn substituted<'a>(&'a self, index: usize, applied: &'a Applied) -> Substitution<'a> {
        Substitution {
            parameters: &self.structs[index].parameters,
            types: &applied.types,
            lengths: &applied.lengths,
        }
    }
}
