//! What the last parameters of a type are where a type leaves them out: `struct Vector<T = f32>`.
//!
//! Each may name the parameters before it, and no others.

use syn::{GenericParam, Generics};

use super::{
    names::Names,
    program::Program,
    signature::SignatureScope,
    ty::{Applied, Arguments},
    type_expr::{TypeScope, read_type},
};
use crate::report::Report;

/// Reads them for the type of these parameters, which are `all`.
pub fn read(
    program: &mut Program,
    generics: &Generics,
    names: &Names,
    all: &Arguments,
    report: &mut Report,
) -> Applied {
    let mut defaults = Applied::default();
    let mut before = Arguments::default();
    for parameter in &generics.params {
        let mut scope = SignatureScope {
            program: &mut *program,
            names,
            arguments: &before,
            report: &mut *report,
            literal_only: true,
        };
        match parameter {
            GenericParam::Type(parameter) => {
                if let Some((_, default)) = &parameter.default {
                    let ty = read_type(default, &mut scope);
                    defaults.types.push(ty);
                }
                let name = parameter.ident.to_string();
                let own = all.types.get(&name).cloned();
                before.types.extend(own.map(|own| (name, own)));
            }
            GenericParam::Const(parameter) => {
                if let Some((_, default)) = &parameter.default {
                    let length = scope.length(default);
                    defaults.lengths.push(length);
                }
                let name = parameter.ident.to_string();
                let own = all.lengths.get(&name).copied();
                before.lengths.extend(own.map(|own| (name, own)));
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    defaults
}

impl Program {
    /// Fills in the last arguments of a struct, if these are all that are missing.
    pub fn fill_in(&self, index: usize, applied: &mut Applied) -> bool {
        let parameters = &self.structs[index].parameters;
        let defaults = &self.structs[index].defaults;
        for is_const in &parameters.order[applied.types.len() + applied.lengths.len()..] {
            // The defaults are those of the last parameters.
            if *is_const {
                let missing = parameters.consts.len() - applied.lengths.len();
                let at = defaults.lengths.len().checked_sub(missing);
                let Some(length) = at.map(|at| defaults.lengths[at]) else {
                    return false;
                };
                let length = self.substituted(index, applied).length(length);
                applied.lengths.push(length);
            } else {
                let missing = parameters.types.len() - applied.types.len();
                let at = defaults.types.len().checked_sub(missing);
                let Some(ty) = at.map(|at| &defaults.types[at]) else {
                    return false;
                };
                let ty = self.substituted(index, applied).ty(ty);
                applied.types.push(ty);
            }
        }
        true
    }
}
