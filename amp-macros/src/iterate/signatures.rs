//! What signatures tell of the types that functions take and return.

use syn::{GenericParam, PathArguments, ReturnType, Signature, Type, TypeParamBound};

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
