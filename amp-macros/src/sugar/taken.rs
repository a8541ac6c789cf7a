//! Functions that take iterators, as functions that are given what makes the next item.
//!
//! ```text
//! fn mean(x: impl Iterator<Item = f32>) -> f32 {      fn mean(mut next: impl FnMut() -> Option<f32>) -> f32 {
//!     ..                                                  let x = std::iter::from_fn(next);
//! }                                                       ..
//!                                                     }
//! ```
//!
//! The type is that of one parameter: `impl Iterator<Item = T>`, `impl IntoIterator`, a type parameter with such a
//! bound, or `&mut` of these. Items that are references are passed by value. What makes the items of a
//! `DoubleEndedIterator` is told from which end. The host has the function as it is written; `iterate::passed` writes the
//! calls in kernels. Left out are other bounds, such as `Clone`, and pairs that have references in them.

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, Span};
use syn::{
    Expr, FnArg, GenericArgument, GenericParam, ItemFn, Pat, Path, PathArguments, Signature, Stmt,
    Token, Type, TypeParamBound, WherePredicate, parse_quote_spanned, punctuated::Punctuated,
    spanned::Spanned,
};

use crate::{
    iterate::{FROM_ENDS, FROM_FN, REFERENCES_FROM_ENDS, REFERENCES_FROM_FN, has_reference},
    language::{
        name::path_key,
        returned::{AT_BOTH_ENDS, ITEM, TAKEN, TAKEN_BY_REFERENCE},
    },
    report::Report,
    visit::{self, Elided, Visit, VisitMut},
};

/// Writes a function so, if it takes iterators.
pub fn rewrite(function: &mut ItemFn) {
    let mut declared: Vec<Stmt> = Vec::new();
    for position in 0..function.sig.inputs.len() {
        let Some((of, named)) = taken(&function.sig, position) else {
            continue;
        };
        let at_both_ends = of.at_both_ends;
        let item = match (of.item, &named) {
            (Some(item), _) => item,
            (None, Some(named)) => added_item(function, named, position),
            (None, None) => continue,
        };
        if let Some(named) = &named {
            ItemOf(named, &item).visit_item_fn_mut(function);
        }
        let of = Iterated {
            item: Some(item),
            at_both_ends,
        };
        declared.extend(written(&mut function.sig, position, of, named));
    }
    function.block.stmts.splice(..0, declared);
}

/// Refuses a parameter that is an iterator and that is not written anew.
pub fn check(signature: &mut Signature, report: &mut Report) {
    let mut refused = |bounds: &mut Bounds| {
        let place = bounds.iter().find(|bound| is_iterator(bound)).cloned();
        if let Some(place) = &place {
            report.error_help(
                Code::UnsupportedType,
                place,
                "an iterator that kernels cannot pass to a function",
                "take `impl Iterator<Item = T>` or `impl IntoIterator<Item = T>`, of values or of references and with no \
                 other bound, each by one parameter, and not in a trait; or an array, a slice, or a closure",
            );
            bounds.clear();
        }
        place.is_some()
    };
    for input in &mut signature.inputs {
        if let FnArg::Typed(typed) = input
            && let Type::ImplTrait(of) = &mut *typed.ty
            && refused(&mut of.bounds)
        {
            *typed.ty = parse_quote_spanned!(typed.ty.span()=> ());
        }
    }
    for parameter in signature.generics.type_params_mut() {
        refused(&mut parameter.bounds);
    }
    let clause = signature.generics.where_clause.iter_mut();
    for predicate in clause.flat_map(|clause| &mut clause.predicates) {
        if let WherePredicate::Type(of) = predicate {
            refused(&mut of.bounds);
        }
    }
}

type Bounds = Punctuated<TypeParamBound, Token![+]>;

fn is_iterator(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else {
        return false;
    };
    let last = bound.path.segments.last();
    last.is_some_and(|last| last.ident.to_string().ends_with("Iterator"))
}

/// What the bounds of an iterator say.
struct Iterated {
    /// The type of the items.
    item: Option<Type>,
    at_both_ends: bool,
}

/// What is said of a parameter that is an iterator; and the name of its type, if it has one.
fn taken(signature: &Signature, position: usize) -> Option<(Iterated, Option<Ident>)> {
    let FnArg::Typed(typed) = &signature.inputs[position] else {
        return None;
    };
    if !matches!(&*typed.pat, Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none()) {
        return None;
    }
    match behind(&typed.ty) {
        Type::ImplTrait(of) => {
            let of = iterated(of.bounds.iter())?;
            of.item.is_some().then_some((of, None))
        }
        Type::Path(path) => {
            let name = path.path.get_ident()?;
            let bounds = bounds_of(signature, name)?;
            let of = iterated(bounds.into_iter())?;
            is_of_one(signature, name).then(|| (of, Some(name.clone())))
        }
        _ => None,
    }
}

/// The type, without `&mut`.
fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Paren(paren) => behind(&paren.elem),
        Type::Group(group) => behind(&group.elem),
        Type::Reference(reference) if reference.mutability.is_some() => behind(&reference.elem),
        ty => ty,
    }
}

/// The bounds of a type parameter.
fn bounds_of<'s>(signature: &'s Signature, name: &Ident) -> Option<Vec<&'s TypeParamBound>> {
    let generics = &signature.generics;
    let parameter = generics.type_params().find(|it| it.ident == *name)?;
    let clause = generics.where_clause.iter().flat_map(|it| &it.predicates);
    let beside = clause.filter_map(|predicate| match predicate {
        WherePredicate::Type(of) if is_named(&of.bounded_ty, name) => Some(&of.bounds),
        _ => None,
    });
    Some(parameter.bounds.iter().chain(beside.flatten()).collect())
}

fn is_named(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none() && path.path.is_ident(name))
}

/// Whether a type parameter is the type of one parameter alone: each closure has a type of its own.
fn is_of_one(signature: &Signature, name: &Ident) -> bool {
    struct Uses<'n>(&'n Ident, usize);
    impl Visit<'_> for Uses<'_> {
        fn visit_type_path(&mut self, ty: &syn::TypePath) {
            self.1 += usize::from(ty.qself.is_none() && ty.path.is_ident(self.0));
            visit::visit_type_path(self, ty);
        }
    }
    let mut uses = Uses(name, 0);
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    inputs.for_each(|ty| uses.visit_type(ty));
    uses.visit_return_type(&signature.output);
    uses.1 == 1
}

/// What is said where all bounds together are those of an iterator.
fn iterated<'b>(bounds: impl Iterator<Item = &'b TypeParamBound>) -> Option<Iterated> {
    let (mut is_iterator, mut at_both_ends) = (false, false);
    let mut item = None;
    for bound in bounds {
        let bound = match bound {
            TypeParamBound::Trait(bound) => bound,
            TypeParamBound::Lifetime(_) => continue,
            _ => return None,
        };
        let last = bound.path.segments.last()?;
        match &*last.ident.to_string() {
            "Iterator" | "IntoIterator" | "ExactSizeIterator" => is_iterator = true,
            "DoubleEndedIterator" => (is_iterator, at_both_ends) = (true, true),
            "FusedIterator" | "Sized" => continue,
            _ => return None,
        }
        if let PathArguments::AngleBracketed(arguments) = &last.arguments {
            for argument in &arguments.args {
                match argument {
                    GenericArgument::AssocType(of) if of.ident == "Item" => {
                        item = Some(of.ty.clone());
                    }
                    _ => return None,
                }
            }
        }
    }
    let is_passed = item.as_ref().is_none_or(|item| match item {
        Type::Reference(item) => item.mutability.is_none() && !has_references(&item.elem),
        item => !has_references(item),
    });
    (is_iterator && is_passed).then_some(Iterated { item, at_both_ends })
}

fn has_references(ty: &Type) -> bool {
    has_reference(ty) || matches!(ty, Type::Slice(_))
}

/// A type parameter for the items of a type parameter.
fn added_item(function: &mut ItemFn, of: &Ident, position: usize) -> Type {
    let span = of.span().resolved_at(Span::mixed_site());
    let name = Ident::new(&format!("{ITEM}{position}"), span);
    let parameter: GenericParam = parse_quote_spanned!(span=> #name);
    function.sig.generics.params.push(parameter);
    parse_quote_spanned!(span=> #name)
}

/// `I::Item` as the type of the items.
struct ItemOf<'a>(&'a Ident, &'a Type);

impl ItemOf<'_> {
    fn is_meant(&self, path: &Path) -> bool {
        let name = self.0;
        path_key(path) == format!("{name}::Item")
    }
}

impl VisitMut for ItemOf<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && self.is_meant(&path.path)
        {
            *ty = self.1.clone();
        }
        visit::visit_type_mut(self, ty);
    }
}

/// Writes the parameter and the bound of its type anew, and the `let` of the iterator.
fn written(
    signature: &mut Signature,
    position: usize,
    of: Iterated,
    named: Option<Ident>,
) -> Option<Stmt> {
    let FnArg::Typed(typed) = &mut signature.inputs[position] else {
        return None;
    };
    let span = typed.pat.span().resolved_at(Span::mixed_site());
    let mut item = of.item?;
    let is_reference = matches!(item, Type::Reference(_));
    let prefix = if is_reference {
        TAKEN_BY_REFERENCE
    } else {
        TAKEN
    };
    let (source, end, told): (_, _, Option<Type>) = match of.at_both_ends {
        true => {
            let source = if is_reference {
                REFERENCES_FROM_ENDS
            } else {
                FROM_ENDS
            };
            (
                source,
                AT_BOTH_ENDS,
                Some(parse_quote_spanned!(span=> bool)),
            )
        }
        false => {
            let source = if is_reference {
                REFERENCES_FROM_FN
            } else {
                FROM_FN
            };
            (source, "", None)
        }
    };
    if let Type::Reference(reference) = item {
        item = *reference.elem;
    }
    Elided.visit_type_mut(&mut item);
    let name = Ident::new(&format!("{prefix}{end}{position}"), span);
    let pattern = std::mem::replace(&mut *typed.pat, parse_quote_spanned!(span=> mut #name));
    let source: Expr = syn::parse_str(source).ok()?;
    let declared = match &*typed.ty {
        Type::Reference(_) => parse_quote_spanned!(span=> let #pattern = #source(#name).by_ref();),
        _ => parse_quote_spanned!(span=> let #pattern = #source(#name);),
    };
    let Some(named) = named else {
        *typed.ty = parse_quote_spanned!(span=> impl FnMut(#told) -> Option<#item>);
        return Some(declared);
    };
    *typed.ty = parse_quote_spanned!(span=> #named);
    for parameter in signature.generics.type_params_mut() {
        if parameter.ident == named {
            parameter.bounds = parse_quote_spanned!(span=> FnMut(#told) -> Option<#item>);
        }
    }
    if let Some(clause) = &mut signature.generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        clause.predicates = predicates
            .filter(|predicate| {
                !matches!(predicate, WherePredicate::Type(of) if is_named(&of.bounded_ty, &named))
            })
            .collect();
    }
    Some(declared)
}
