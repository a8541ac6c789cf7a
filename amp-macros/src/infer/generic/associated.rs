//! Associated types of types: what the `impl` blocks of a program say that they are, and what the operators
//! of numbers and vectors give.

use std::collections::HashMap;

use syn::{GenericArgument, ImplItem, ItemImpl, Type};

use super::{
    projection::{Reader, arguments_of},
    substitution::Substitution,
};
use crate::{
    import::implementation,
    infer::{
        names::Names,
        parameter,
        program::{AssociatedTypes, ConstDef, Program},
        signature,
        ty::{Applied, Len, OfTrait, Parameters, Ty},
    },
    report::Report,
    visit::Visit,
};

/// Notes the associated types of an `impl` block.
pub fn of_block(program: &mut Program, block: &ItemImpl, names: &Names) {
    let written = block.items.iter().filter_map(|part| match part {
        ImplItem::Type(part) => Some(part),
        _ => None,
    });
    let written: Vec<_> = written.collect();
    if written.is_empty() {
        return;
    }
    let mut names = names.clone();
    names.hide(&block.generics);
    let (mut parameters, mut arguments) =
        parameter::declare(program, &block.generics, ConstDef::A_TYPE, &names);
    let mut reader = Reader::new(program, &names, &block.generics, &mut arguments);
    reader.visit_generics(&block.generics);
    written.iter().for_each(|part| reader.visit_type(&part.ty));
    parameters.types.append(&mut reader.made);
    let mut read = |ty: &Type| {
        // What cannot be read is reported where the block is compiled.
        let mut elsewhere = Report::default();
        signature::written(program, ty, &names, &arguments, &mut elsewhere)
    };
    let owner = read(&block.self_ty);
    let trait_arguments = block.trait_.as_ref().map(|(path, _)| arguments_of(path));
    let mut trait_arguments = trait_arguments.into_iter().flatten();
    let other = trait_arguments.find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(read(ty)),
        _ => None,
    });
    let other = other.unwrap_or_else(|| owner.clone());
    // Bounds are of values alone, not of references.
    if owner == Ty::Error || other == Ty::Error {
        return;
    }
    let types = written
        .iter()
        .map(|part| (part.ident.to_string(), read(&part.ty)));
    let types = types.collect();
    program.associated.push(AssociatedTypes {
        owner,
        other,
        parameters,
        of_trait: implementation::trait_name(block),
        trait_id: implementation::trait_id(block),
        types,
    });
}

impl Program {
    /// What an associated type of a type is, as far as that is known.
    pub(super) fn associated_type(
        &mut self,
        ty: &Ty,
        of_trait: &OfTrait,
        name: &str,
    ) -> Option<Ty> {
        match (ty, of_trait) {
            (Ty::Error, _) => return Some(Ty::Error),
            (
                Ty::Scalar(_),
                OfTrait::Operator(_, Some(vector @ (Ty::Vector(..) | Ty::Matrix(_)))),
            ) => {
                return Some(vector.clone());
            }
            (Ty::Matrix(_), OfTrait::Operator(_, Some(vector @ Ty::Vector(..)))) => {
                return Some(vector.clone());
            }
            (Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(_), OfTrait::Operator(..)) => {
                return Some(ty.clone());
            }
            _ => {}
        }
        let mut found = Vec::new();
        for block in &self.associated {
            let is_of = match of_trait {
                OfTrait::Module(of) => match &block.trait_id {
                    Some(known) => *known == self.traits[*of].id,
                    None => block.of_trait.as_ref() == Some(&self.traits[*of].name),
                },
                OfTrait::Operator(of, _) => {
                    block.trait_id.is_none() && block.of_trait.as_ref() == Some(of)
                }
            };
            let Some((_, declared)) = block.types.iter().find(|(known, _)| known == name) else {
                continue;
            };
            let mut matched = Matched::default();
            let fits = is_of
                && matched.is(&block.owner, ty)
                && match of_trait {
                    OfTrait::Operator(_, Some(other)) => matched.is(&block.other, other),
                    _ => true,
                };
            if fits {
                found.push((declared.clone(), block.parameters.clone(), matched));
            }
        }
        // Which of several it is, more has to tell.
        let (Some((declared, parameters, matched)), None) = (found.pop(), found.pop()) else {
            return None;
        };
        let applied = matched.applied(self, &parameters)?;
        let substitution = Substitution {
            parameters: &parameters,
            types: &applied.types,
            lengths: &applied.lengths,
        };
        Some(substitution.ty(&declared))
    }
}

/// What the parameters of a block stand for where its type is another one.
#[derive(Default)]
struct Matched {
    types: HashMap<usize, Ty>,
    lengths: HashMap<usize, Len>,
}

impl Matched {
    /// Whether a type may be the one of the block.
    fn is(&mut self, of_block: &Ty, ty: &Ty) -> bool {
        match (of_block, ty) {
            // What is still to be found may be anything.
            (Ty::Param(_), Ty::Var(_)) => true,
            (Ty::Param(index), ty) => self.types.entry(*index).or_insert_with(|| ty.clone()) == ty,
            (_, Ty::Var(_)) => true,
            (Ty::Struct(one, wanted), Ty::Struct(other, found)) => {
                let mut types = wanted.types.iter().zip(&found.types);
                let mut lengths = wanted.lengths.iter().zip(&found.lengths);
                one == other
                    && types.all(|(wanted, found)| self.is(wanted, found))
                    && lengths.all(|(wanted, found)| self.is_length(*wanted, *found))
            }
            (Ty::Array(wanted, length), Ty::Array(found, is)) => {
                self.is_length(*length, *is) && self.is(wanted, found)
            }
            (Ty::Tuple(wanted), Ty::Tuple(found)) => {
                let mut parts = wanted.iter().zip(found);
                wanted.len() == found.len() && parts.all(|(wanted, found)| self.is(wanted, found))
            }
            (wanted, found) => wanted == found,
        }
    }

    fn is_length(&mut self, of_block: Len, length: Len) -> bool {
        match of_block {
            Len::Const(index) => *self.lengths.entry(index).or_insert(length) == length,
            Len::Literal(_) => of_block == length,
        }
    }

    /// The arguments of the block's parameters, if they are all known.
    fn applied(mut self, program: &mut Program, parameters: &Parameters) -> Option<Applied> {
        let lengths = parameters
            .consts
            .iter()
            .map(|of| self.lengths.get(of).copied());
        let lengths: Vec<Len> = lengths.collect::<Option<_>>()?;
        let mut types = Vec::new();
        for index in &parameters.types {
            if let Some(projection) = program.type_params[*index].projection.clone() {
                let base = self.types.get(&projection.of)?.clone();
                let substitution = Substitution {
                    parameters,
                    types: &types,
                    lengths: &lengths,
                };
                let of_trait = projection.of_trait.substituted(&substitution);
                let found = program.associated_type(&base, &of_trait, &projection.name)?;
                self.types.insert(*index, found);
            }
            types.push(self.types.get(index)?.clone());
        }
        Some(Applied { types, lengths })
    }
}
