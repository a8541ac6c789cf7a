//! Type aliases of the file around an item, written out as the types that they stand for, and types of std
//! that it imports under other names.
//!
//! rustc proves that they stand for these types, beside the item. Left out are aliases that the file
//! declares twice or under a condition.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Generics, Ident, Item, Path, Type, TypePath, parse_quote, spanned::Spanned};

use super::module::File;
use crate::{
    attribute::TaskKind,
    language::name::{path_key, standard_type},
    sugar::{aliases, imports},
    visit::{self, Visit},
};

/// Writes out the aliases in an item, which stands in the module of the item `anchor` of this kind, and
/// gives what has rustc prove them, beside it.
pub fn settle(item: &mut Item, anchor: &Ident, kind: TaskKind) -> TokenStream {
    let mut used = Used::default();
    used.visit_item(item);
    let Some((file, home)) = File::around(anchor, kind) else {
        return TokenStream::new();
    };
    let mut proofs = TokenStream::new();
    let mut known = aliases::Aliases::default();
    for path in used.paths {
        let Some((generics, ty)) = file.alias(home, &path) else {
            continue;
        };
        proofs.extend(proof(&path, &generics, &ty));
        known.add(&path, generics, ty);
    }
    if !proofs.is_empty() {
        known.write_out(item);
    }
    let renamed: Vec<(Ident, Path)> = file
        .renamed(home)
        .map(|(name, path)| (Ident::new(name, Span::call_site()), path))
        .collect();
    let used = imports::of_item(item, &renamed);
    for (name, path) in renamed.iter().filter(|(name, _)| used.contains(name)) {
        proofs.extend(proof_of_standard(name, path));
    }
    proofs
}

/// What compiles if a path of an alias stands for a type.
fn proof(path: &Path, generics: &Generics, ty: &Type) -> TokenStream {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        // Those of views are elements.
        parameter.bounds.push(parse_quote!(::amp::Element));
        parameter.default = None;
    }
    let (parameters, arguments, _) = generics.split_for_impl();
    quote_spanned! {path.span()=>
        const _: () = {
            #[allow(dead_code, clippy::extra_unused_lifetimes)]
            fn stands_for #parameters (
                alias: ::core::marker::PhantomData<#path #arguments>,
            ) -> ::core::marker::PhantomData<#ty> {
                alias
            }
        };
    }
}

/// What compiles if a name means a type of std.
fn proof_of_standard(name: &Ident, path: &Path) -> TokenStream {
    let parameters: &[&str] = match standard_type(&path_key(path)) {
        Some(("Result", _)) => &["T", "E"],
        Some(("Ordering" | "FpCategory" | "TryFromIntError" | "Infallible", _)) => &[],
        _ => &["T"],
    };
    let parameters = parameters
        .iter()
        .map(|it| Ident::new(it, Span::call_site()));
    let parameters = quote!(<#(#parameters),*>);
    quote! {
        const _: () = {
            #[allow(dead_code)]
            fn stands_for #parameters (
                alias: ::core::marker::PhantomData<#name #parameters>,
            ) -> ::core::marker::PhantomData<#path #parameters> {
                alias
            }
        };
    }
}

/// The paths in an item that may be aliases: of types, and before the last name of others.
#[derive(Default)]
struct Used {
    keys: HashSet<String>,
    paths: Vec<Path>,
}

impl Used {
    fn add(&mut self, path: &Path) {
        let mut path = path.clone();
        if let Some(last) = path.segments.last_mut() {
            last.arguments = syn::PathArguments::None;
        }
        if self.keys.insert(path_key(&path)) {
            self.paths.push(path);
        }
    }
}

impl<'a> Visit<'a> for Used {
    fn visit_type_path(&mut self, ty: &'a TypePath) {
        if ty.qself.is_none() {
            self.add(&ty.path);
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_path(&mut self, path: &'a Path) {
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        if !owner.segments.is_empty() {
            self.add(&owner);
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_struct(&mut self, literal: &'a syn::ExprStruct) {
        self.add(&literal.path);
        visit::visit_expr_struct(self, literal);
    }

    fn visit_pat_struct(&mut self, pattern: &'a syn::PatStruct) {
        self.add(&pattern.path);
        visit::visit_pat_struct(self, pattern);
    }
}
