//! The arguments of traits that have parameters, `Blend<f32>`: they tell the functions of one block from those
//! of another.

use syn::{AngleBracketedGenericArguments, GenericArgument, ItemImpl, Type};

use super::{
    names::{Meaning, Names},
    program::Program,
    signature,
    trait_definition::TraitDef,
    ty::{Arguments, Ty},
    type_expr::arguments_at,
};
use crate::{language::name::path_key, report::Report};

/// A trait of a module with its arguments, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub struct TraitRef {
    /// Index into [`Program::traits`].
    pub of: usize,
    /// Its arguments, in order.
    pub arguments: Vec<Ty>,
}

/// The arguments of the trait of a block.
pub fn of_block(
    program: &mut Program,
    block: &ItemImpl,
    names: &Names,
    arguments: &Arguments,
) -> Vec<Ty> {
    let Some((path, _)) = &block.trait_ else {
        return Vec::new();
    };
    let Some(written) = arguments_at(path, path.segments.len() - 1) else {
        return Vec::new();
    };
    // What cannot be read is reported where the block is compiled.
    let mut elsewhere = Report::default();
    let of_trait = match names.get(&path_key(path)) {
        Some(Meaning::Trait(of)) => Some(&program.traits[of]),
        _ => None,
    };
    let types: Vec<&Type> = types(written, of_trait).collect();
    let types = types.into_iter();
    types
        .map(|ty| signature::written(program, ty, names, arguments, &mut elsewhere))
        .collect()
}

/// The types among the arguments of a trait. A constant that is a name reads as one.
pub fn types<'a>(
    written: &'a AngleBracketedGenericArguments,
    of_trait: Option<&TraitDef>,
) -> impl Iterator<Item = &'a Type> {
    let constants = of_trait.map(|of| of.constant_parameters.clone());
    let constants = constants.unwrap_or_default();
    let counted = written.args.iter().filter(|argument| {
        matches!(
            argument,
            GenericArgument::Type(_) | GenericArgument::Const(_)
        )
    });
    counted
        .enumerate()
        .filter_map(move |(at, argument)| match argument {
            GenericArgument::Type(ty) if !constants.contains(&at) => Some(ty),
            _ => None,
        })
}
