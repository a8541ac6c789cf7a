//! The arguments of traits that have parameters, `Blend<f32>`: they tell the functions of one block from those
//! of another.

use syn::{AngleBracketedGenericArguments, GenericArgument, ItemImpl, Type};

use super::{
    names::Names,
    program::Program,
    signature,
    ty::{Arguments, Ty},
    type_expr::arguments_at,
};
use crate::report::Report;

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
    types(written)
        .map(|ty| signature::written(program, ty, names, arguments, &mut elsewhere))
        .collect()
}

/// The types among the arguments of a path.
pub fn types(written: &AngleBracketedGenericArguments) -> impl Iterator<Item = &Type> {
    written.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
