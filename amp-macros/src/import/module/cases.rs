//! Cases of enums that a module imports: `use Step::{Go, Stop};`, `use Step::*;`.

use proc_macro2::TokenStream;
use quote::quote_spanned;
use syn::{Generics, Ident, ItemEnum, Path, spanned::Spanned};

use super::{File, Found};
use crate::language::name::{is_type_name, standard_cases};

/// An enum of a module.
#[derive(Default)]
pub struct Enum {
    /// Has `#[amp_enum]`.
    pub marked: bool,
    cases: Vec<String>,
    generics: String,
}

impl Enum {
    pub(super) fn add(&mut self, item: &ItemEnum, marked: bool, generics: String) {
        self.marked |= marked;
        self.generics = generics;
        let names = item.variants.iter().map(|case| case.ident.to_string());
        self.cases.extend(names);
    }
}

impl File {
    /// The names in a module that are cases of enums, and the paths of these.
    pub fn imported_cases(&self, at: usize) -> Vec<(Ident, Path)> {
        let module = &self.modules[at];
        let is_case = |path: &[String]| matches!(path, [.., owner, _] if is_type_name(owner));
        let named = module.imported.iter().filter(|(_, path)| is_case(path));
        let named = named.filter_map(|(name, path)| {
            let path = syn::parse_str(&path.join("::")).ok()?;
            Some((name.clone(), path))
        });
        let all = module.globs.iter().filter_map(|glob| {
            let owner: Path = syn::parse_str(&glob.join("::")).ok()?;
            Some(self.cases_of(at, &owner)?.into_iter().map(move |name| {
                let case = Ident::new(&name, owner.span());
                (name, syn::parse_quote!(#owner::#case))
            }))
        });
        let all: Vec<(String, Path)> = all.flatten().collect();
        let is_clear = |name: &String| {
            let mut same = all.iter().filter(|(other, _)| other == name);
            same.nth(1).is_none() && !module.imported.contains_key(name) && !module.declares(name)
        };
        let globbed = all.iter().filter(|(name, _)| is_clear(name)).cloned();
        let found = named.chain(globbed);
        found
            .map(|(name, path)| (Ident::new(&name, path.span()), path))
            .collect()
    }

    /// The cases of the enum that a path means in a module, if that can be told.
    pub fn cases_of(&self, at: usize, path: &Path) -> Option<Vec<String>> {
        let last = path.segments.last()?.ident.to_string();
        if !is_type_name(&last) {
            return None;
        }
        match self.find(at, path) {
            Found::Enum(own) => Some(own.cases.clone()),
            Found::Standard => {
                let cases = standard_cases(&last)?;
                Some(cases.iter().map(|&name| name.to_owned()).collect())
            }
            _ => None,
        }
    }

    /// What compiles if a name means the case at a path in a module, and counts as a use of its import.
    pub fn proof_of_case(&self, at: usize, name: &Ident, path: &Path) -> TokenStream {
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        let generics = match self.find(at, &owner) {
            Found::Enum(own) => syn::parse_str(&own.generics).unwrap_or_default(),
            _ => Generics::default(),
        };
        let (parameters, arguments, _) = generics.split_for_impl();
        quote_spanned! {path.span()=>
            const _: () = {
                #[allow(dead_code, irrefutable_let_patterns)]
                fn is_the_case #parameters (value: #owner #arguments) {
                    if let #name { .. } = value {}
                }
            };
        }
    }
}
