//! The parameters of a generic function: what it declares, and by what bounds.

use std::collections::HashMap;

use amp_spirv::tree::Scalar;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{
    GenericParam, Generics, ItemFn, ParenthesizedGenericArguments, PathArguments, ReturnType, Type,
    TypeParamBound,
};

use crate::{
    infer::{
        names::{Meaning, Names},
        program::{ConstDef, Program},
        reference,
        ty::{Arguments, Len, Parameters, Ty, TypeParam},
        type_expr::{TypeScope, read_type},
    },
    language::name::{bound_name, bounds_of, path_key},
    report::{Locate, Place},
};

/// Declares the parameters of a type or helper; `owner` is the function whose const
/// parameters they are.
pub fn declare(
    program: &mut Program,
    generics: &Generics,
    owner: usize,
    names: &Names,
) -> (Parameters, Arguments) {
    let mut parameters = Parameters::default();
    let mut arguments = Arguments::default();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Type(ty) => {
                let name = ty.ident.to_string();
                let own = bounds_of(generics, &ty.ident, &ty.bounds);
                let parameter = TypeParam::new(ty.ident.clone(), &own, names);
                program.type_params.push(parameter);
                let index = program.type_params.len() - 1;
                parameters.types.push(index);
                parameters.order.push(false);
                arguments.types.insert(name, Ty::Param(index));
            }
            GenericParam::Const(constant) => {
                let name = constant.ident.to_string();
                program.consts.push(ConstDef {
                    owner,
                    expr: constant.ident.to_token_stream(),
                    text: name.clone(),
                    ty: const_type(&constant.ty).unwrap_or(Ty::USIZE),
                    span: constant.ident.span(),
                    within: None,
                });
                let index = program.consts.len() - 1;
                parameters.consts.push(index);
                parameters.order.push(true);
                arguments.lengths.insert(name, Len::Const(index));
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    (parameters, arguments)
}

/// Bounds that any number meets.
const BOUNDS_OF_TYPES: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "PartialEq",
    "PartialOrd",
    "Scalar",
];

/// What the parameters of a struct cannot be: the place, what is wrong, what to write.
pub fn unfit_for_type(
    generics: &Generics,
    has_lifetimes: bool,
) -> Option<(Place, &'static str, &'static str)> {
    if let Some(parameter) = generics.lifetimes().next().filter(|_| !has_lifetimes) {
        return Some((
            parameter.locate(),
            "an `#[amp_struct]` without views has no lifetimes",
            "its fields are values: leave references out",
        ));
    }
    if let Some(parameter) = generics
        .const_params()
        .find(|p| const_type(&p.ty).is_none_or(|ty| ty == Ty::BOOL))
    {
        return Some((
            parameter.ty.locate(),
            "a const parameter of an `#[amp_struct]` is an integer",
            "make it one, or keep the value in a field",
        ));
    }
    for parameter in generics.type_params() {
        let bounds = bounds_of(generics, &parameter.ident, &parameter.bounds);
        let mut bounds = bounds.into_iter();
        let unmet = bounds.find(|bound| !BOUNDS_OF_TYPES.contains(&&*bound_name(bound)));
        if let Some(bound) = unmet {
            return Some((
                bound.locate(),
                "this bound on a parameter of an `#[amp_struct]`",
                "write it on the `impl` blocks and functions that need it",
            ));
        }
    }
    None
}

/// The arguments of type parameters where nothing lists their types, which is an error.
pub fn unlisted(generics: &Generics) -> Arguments {
    let parameters = generics.type_params();
    Arguments {
        types: parameters
            .map(|param| (param.ident.to_string(), Ty::Error))
            .collect(),
        lengths: HashMap::new(),
    }
}

/// Reads the bounds that say how a parameter is called.
pub fn closures(
    item: &ItemFn,
    parameters: &Parameters,
    scope: &mut impl TypeScope,
) -> Vec<(usize, (Vec<Ty>, Ty))> {
    let mut found = Vec::new();
    let declared = item.sig.generics.type_params();
    for (parameter, index) in declared.zip(&parameters.types) {
        for bound in bounds_of(&item.sig.generics, &parameter.ident, &parameter.bounds) {
            if let Some(signature) = call_signature(bound) {
                let params = signature
                    .inputs
                    .iter()
                    .map(|ty| match &ty.ty {
                        Type::Reference(reference) => reference::parameter(reference, scope),
                        ty => read_type(ty, scope),
                    })
                    .collect();
                let result = match &signature.output {
                    ReturnType::Default => Ty::Unit,
                    ReturnType::Type(_, ty) => read_type(ty, scope),
                };
                found.push((*index, (params, result)));
            }
        }
    }
    found
}

/// The type of a const parameter, if kernels have it.
fn const_type(ty: &Type) -> Option<Ty> {
    let scalar = Scalar::from_name(&ty.to_token_stream().to_string())?;
    let is_known = scalar.is_integer() || scalar == Scalar::Bool;
    is_known.then_some(Ty::Scalar(scalar))
}

/// The paths of the bounds of a type parameter.
pub fn bounds(generics: &Generics, name: &Ident) -> Vec<String> {
    let mut parameters = generics.type_params();
    let Some(parameter) = parameters.find(|parameter| parameter.ident == *name) else {
        return Vec::new();
    };
    paths(&bounds_of(generics, name, &parameter.bounds))
}

fn paths(bounds: &[&TypeParamBound]) -> Vec<String> {
    let paths = bounds.iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => Some(path_key(&bound.path)),
        _ => None,
    });
    paths.collect()
}

/// Whether a bound names a trait of a module, whatever its name is.
pub fn is_own(bound: &TypeParamBound, names: &Names) -> bool {
    match bound {
        TypeParamBound::Trait(bound) => {
            matches!(names.get(&path_key(&bound.path)), Some(Meaning::Trait(_)))
        }
        _ => false,
    }
}

impl TypeParam {
    /// One of these bounds, where paths mean this.
    pub fn new(ident: Ident, bounds: &[&TypeParamBound], names: &Names) -> Self {
        let has = |wanted: &[&str]| {
            let mut bounds = bounds.iter();
            bounds.any(|bound| wanted.contains(&&*bound_name(bound)) && !is_own(bound, names))
        };
        Self {
            shown: ident.to_string(),
            ident,
            projection: None,
            bounds: paths(bounds),
            is_scalar: has(&["Scalar", "Float", "Integer"]),
            is_integer: has(&["Integer"]),
            is_signed: has(&["Float", "Neg"]),
            is_atomic: has(&["Atomic", "AtomicInteger"]),
            is_atomic_integer: has(&["AtomicInteger"]),
            closure: None,
        }
    }
}

/// `(A, B) -> R` of `Fn(A, B) -> R`.
fn call_signature(bound: &TypeParamBound) -> Option<&ParenthesizedGenericArguments> {
    if !matches!(&*bound_name(bound), "Fn" | "FnMut" | "FnOnce") {
        return None;
    }
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    match &bound.path.segments.last()?.arguments {
        PathArguments::Parenthesized(signature) => Some(signature),
        _ => None,
    }
}
