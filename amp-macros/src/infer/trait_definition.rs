//! Traits of modules, as inference knows them: what they declare, and what types with them have, too.
//!
//! The functions of a trait are those of the program; what the trait supplies for them is written out in the `impl`
//! blocks.

use syn::{GenericParam, Ident, ItemTrait, TraitItem, Type, TypeParamBound};

use super::names::{Meaning, Names};
use crate::language::name::path_key;

/// A trait of a module.
pub struct TraitDef {
    /// The id of its entry.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Traits that every type with this one implements too: indices into
    /// [`super::Program::traits`].
    pub supertraits: Vec<usize>,
    /// Its type parameters, with what they are where they are left out.
    pub parameters: Vec<(Ident, Option<Type>)>,
    /// The positions of its const parameters among these and its type parameters.
    pub constant_parameters: Vec<usize>,
    /// What is written behind its name: its supertraits, those of the standard library included.
    pub bounds: Vec<TypeParamBound>,
    /// Its functions.
    pub functions: Vec<TraitFunction>,
    /// Names and types of its constants.
    pub constants: Vec<(String, Type)>,
    /// Its associated types, with their bounds.
    pub types: Vec<(String, Vec<TypeParamBound>)>,
    /// What its paths mean.
    pub names: Names,
}

/// A function that a trait declares.
pub struct TraitFunction {
    /// Its name.
    pub name: String,
    /// It is called on a value.
    pub has_receiver: bool,
    /// Index into [`super::Program::functions`].
    pub function: usize,
}

impl TraitDef {
    /// Reads all but the functions of a trait.
    pub fn read(id: &str, item: &ItemTrait, names: Names) -> Self {
        let supertraits = item.supertraits.iter().filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => match names.get(&path_key(&bound.path)) {
                Some(Meaning::Trait(index)) => Some(index),
                _ => None,
            },
            _ => None,
        });
        let constants = item.items.iter().filter_map(|part| match part {
            TraitItem::Const(constant) => Some((constant.ident.to_string(), constant.ty.clone())),
            _ => None,
        });
        let parameters = item.generics.type_params();
        let parameters = parameters.map(|it| {
            let default = it.default.as_ref().map(|(_, ty)| ty.clone());
            (it.ident.clone(), default)
        });
        let counted = item.generics.params.iter();
        let counted = counted.filter(|it| !matches!(it, GenericParam::Lifetime(_)));
        let constant_parameters = counted
            .enumerate()
            .filter(|(_, it)| matches!(it, GenericParam::Const(_)))
            .map(|(at, _)| at);
        let types = item.items.iter().filter_map(|part| match part {
            TraitItem::Type(ty) => {
                Some((ty.ident.to_string(), ty.bounds.iter().cloned().collect()))
            }
            _ => None,
        });
        Self {
            id: id.to_owned(),
            name: item.ident.to_string(),
            types: types.collect(),
            parameters: parameters.collect(),
            constant_parameters: constant_parameters.collect(),
            supertraits: supertraits.collect(),
            bounds: item.supertraits.iter().cloned().collect(),
            functions: Vec::new(),
            constants: constants.collect(),
            names,
        }
    }

    /// The number of its parameters, lifetimes apart.
    pub fn all_parameters(&self) -> usize {
        self.parameters.len() + self.constant_parameters.len()
    }
}
