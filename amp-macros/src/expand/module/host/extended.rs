//! Traits that extend all iterators, by blocks for a type parameter: kernels have functions in the place of what they supply.
//!
//! ```text
//! trait Changes: Iterator<Item = bool> + Sized { fn changes(mut self) -> usize { .. } }
//! impl<I: Iterator<Item = bool>> Changes for I {}
//! bits.changes()                         fn __amp_extends_changes<I: Iterator<Item = bool>>(mut this: I) -> usize { .. }
//! ```
//!
//! Left out are traits with functions that do not take `self` by value or that return `Self`, and those by whose functions'
//! names types of the module have methods.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{
    Expr, ExprCall, FnArg, GenericParam, ImplItem, Item, ItemFn, ItemImpl, ItemTrait, Path,
    ReceiverKind, TraitItem, TraitItemFn, Type, TypeParam, TypeParamBound, WherePredicate,
    parse_quote, parse_quote_spanned, token,
};

use crate::visit::{self, Renamed, VisitMut};

/// Takes such traits and their blocks out of the members, and adds the functions.
pub fn take_out(members: &mut Vec<Item>) -> Vec<Item> {
    let blocks: Vec<(Ident, TypeParam)> = members.iter().filter_map(extending).collect();
    let mut host = Vec::new();
    for (of_trait, parameter) in blocks {
        let is_it = |item: &&Item| matches!(item, Item::Trait(item) if item.ident == of_trait);
        let Some(Item::Trait(definition)) = members.iter().find(is_it) else {
            continue;
        };
        let Some(functions) = functions(definition, &parameter, members) else {
            continue;
        };
        let (taken, kept) = std::mem::take(members).into_iter().partition(|item| {
            is_it(&item) || extending(item).is_some_and(|(known, _)| known == of_trait)
        });
        *members = kept;
        host.extend::<Vec<Item>>(taken);
        // Kernels call the functions.
        for item in &mut host {
            if let Item::Trait(item) = item {
                item.attrs.push(parse_quote!(#[allow(dead_code)]));
            }
        }
        let names = functions.iter().map(|(name, _)| name.to_string()).collect();
        members.extend(
            functions
                .into_iter()
                .map(|(_, function)| Item::Fn(function)),
        );
        let mut calls = Calls(names);
        members
            .iter_mut()
            .for_each(|item| calls.visit_item_mut(item));
    }
    host
}

/// The trait of a block for all iterators, and its type parameter with all bounds.
fn extending(item: &Item) -> Option<(Ident, TypeParam)> {
    let Item::Impl(ItemImpl {
        generics,
        trait_: Some((path, _)),
        self_ty,
        items,
        ..
    }) = item
    else {
        return None;
    };
    let mut parameters = generics.params.iter();
    let (Some(GenericParam::Type(parameter)), None) = (parameters.next(), parameters.next()) else {
        return None;
    };
    let is_it = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident(&parameter.ident));
    if !is_it(self_ty) || !items.is_empty() {
        return None;
    }
    let mut parameter = parameter.clone();
    for predicate in generics.where_clause.iter().flat_map(|it| &it.predicates) {
        match predicate {
            WherePredicate::Type(of) if is_it(&of.bounded_ty) => {
                parameter.bounds.extend(of.bounds.iter().cloned());
            }
            _ => return None,
        }
    }
    let is_iterator = |bound: &TypeParamBound| {
        let TypeParamBound::Trait(bound) = bound else {
            return false;
        };
        let last = bound.path.segments.last();
        last.is_some_and(|last| last.ident.to_string().ends_with("Iterator"))
    };
    let name = path.get_ident()?.clone();
    parameter
        .bounds
        .iter()
        .any(is_iterator)
        .then_some((name, parameter))
}

/// What a trait supplies, as functions that take iterators.
fn functions(
    definition: &ItemTrait,
    parameter: &TypeParam,
    members: &[Item],
) -> Option<Vec<(Ident, ItemFn)>> {
    if !definition.generics.params.is_empty() {
        return None;
    }
    let functions = definition.items.iter().map(|part| match part {
        TraitItem::Fn(function) if !is_method(&function.sig.ident, members) => {
            Some((function.sig.ident.clone(), written(function, parameter)?))
        }
        _ => None,
    });
    functions.collect()
}

/// Whether a type of the module has a method of this name.
fn is_method(name: &Ident, members: &[Item]) -> bool {
    members.iter().any(|item| match item {
        Item::Impl(block) => block
            .items
            .iter()
            .any(|part| matches!(part, ImplItem::Fn(known) if known.sig.ident == *name)),
        _ => false,
    })
}

/// The name of the function in the place of a method.
fn name_of(method: &Ident) -> Ident {
    format_ident!("__amp_extends_{method}", span = method.span())
}

fn written(function: &TraitItemFn, parameter: &TypeParam) -> Option<ItemFn> {
    let (mut sig, mut block) = (function.sig.clone(), function.default.clone()?);
    let FnArg::Receiver(receiver) = sig.inputs.first()? else {
        return None;
    };
    if !matches!(receiver.kind, ReceiverKind::Value) {
        return None;
    }
    let span = receiver.self_token.span;
    let this = Ident::new("__amp_this", span.resolved_at(Span::mixed_site()));
    let (mutability, of) = (&receiver.mutability, &parameter.ident);
    let input: FnArg = parse_quote_spanned!(span=> #mutability #this: #of);
    if let Some(first) = sig.inputs.first_mut() {
        *first = input;
    }
    let mut named = SelfNamed {
        of,
        is_alone: false,
    };
    if let Some(clause) = &mut sig.generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        clause.predicates = predicates.filter(|it| !is_sized(it)).collect();
    }
    named.visit_signature_mut(&mut sig);
    if named.is_alone {
        return None;
    }
    named.visit_block_mut(&mut block);
    Renamed(vec![(Ident::new("self", span), this)]).visit_block_mut(&mut block);
    sig.generics
        .params
        .push(GenericParam::Type(parameter.clone()));
    sig.generics.lt_token.get_or_insert_default();
    sig.generics.gt_token.get_or_insert_default();
    sig.ident = name_of(&sig.ident);
    let mut plain: ItemFn = parse_quote!(
        #[allow(dead_code)]
        fn plain() {}
    );
    (plain.sig, *plain.block) = (sig, block);
    Some(plain)
}

/// `Self: Sized`
fn is_sized(predicate: &WherePredicate) -> bool {
    matches!(predicate, WherePredicate::Type(of)
        if matches!(&of.bounded_ty, Type::Path(path) if path.path.is_ident("Self"))
            && of.bounds.iter().all(|bound| matches!(bound, TypeParamBound::Trait(bound) if bound.path.is_ident("Sized"))))
}

/// `Self` becomes the type parameter.
struct SelfNamed<'a> {
    of: &'a Ident,
    /// Whether the type itself has been named.
    is_alone: bool,
}

impl VisitMut for SelfNamed<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        self.is_alone |= path.is_ident("Self");
        if let Some(first) = path.segments.first_mut()
            && first.ident == "Self"
        {
            let span = first.ident.span();
            first.ident = self.of.clone();
            first.ident.set_span(span.located_at(span));
        }
        visit::visit_path_mut(self, path);
    }
}

/// Calls of the methods become those of the functions.
struct Calls(HashSet<String>);

impl VisitMut for Calls {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = expr
            && self.0.contains(&call.method.to_string())
            && call.turbofish.is_none()
        {
            let name = name_of(&call.method);
            let span = call.method.span();
            let mut args = call.args.clone();
            args.insert(0, (*call.receiver).clone());
            *expr = Expr::Call(ExprCall {
                attrs: Vec::new(),
                func: parse_quote_spanned!(span=> #name),
                paren_token: token::Paren(span),
                args,
            });
        }
    }
}
