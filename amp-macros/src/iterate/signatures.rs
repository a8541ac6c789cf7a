//! What signatures tell of the types that functions take and return.

use syn::{FnArg, GenericParam, PathArguments, ReturnType, Signature, Type, TypeParamBound};

use crate::language::returned::{self, Taken};

/// The last name of the path that a type is.
pub fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// The last name of the path that the type is which a function returns.
pub fn result_name(signature: &Signature) -> Option<String> {
    match &signature.output {
        ReturnType::Type(_, ty) => type_name(ty),
        ReturnType::Default => None,
    }
}

/// The parts of the items that a parameter is called with.
pub fn parts(ty: &Type, signature: &Signature) -> Option<Vec<Option<bool>>> {
    let Type::Path(path) = ty else { return None };
    let of = |param: &&GenericParam| matches!(param, GenericParam::Type(it) if path.path.is_ident(&it.ident));
    let Some(GenericParam::Type(param)) = signature.generics.params.iter().find(of) else {
        return None;
    };
    param.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        match &bound.path.segments.last()?.arguments {
            PathArguments::Parenthesized(given) => {
                let parts = given.inputs.iter().map(|input| match &input.ty {
                    Type::Reference(reference) => Some(reference.mutability.is_some()),
                    _ => None,
                });
                Some(parts.collect())
            }
            _ => None,
        }
    })
}

/// How a function takes which of its arguments as iterators, if any is one.
pub fn taken(signature: &Signature) -> Option<Vec<Option<Taken>>> {
    let taken = |input: &FnArg| returned::taken(returned::name_of(input)?);
    let is_argument = |input: &&FnArg| taken(input).is_some() || returned::name_of(input).is_none();
    let arguments = signature.inputs.iter().filter(is_argument);
    let taken: Vec<Option<Taken>> = arguments.map(taken).collect();
    taken.iter().any(Option::is_some).then_some(taken)
}

/// Whether a type is written as that of a range.
pub fn is_range(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_range(&group.elem),
        Type::Paren(paren) => is_range(&paren.elem),
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Range" && !last.arguments.is_none()),
        _ => false,
    }
}
