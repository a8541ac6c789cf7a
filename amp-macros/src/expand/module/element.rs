//! `#[amp_enum(element = Stored)]`: the struct by which arrays hold values of an enum.
//!
//! An array that host and device share may have any bytes, which are a value of a struct of numbers, but not of an
//! enum. So the struct has the number of the case, and places for the fields; it is made of a value by `From`, and
//! `value` gives the value back. Fields of different cases share a place if their types are the same.
//!
//! # Invariant
//!
//! Any bytes are an element. The number of no case means the first one, so that an element of zeroes is the first
//! case with zeroes as its fields. Places that the fields of the case do not fill are zero.
//!
//! Leaves out generic enums, of which each instance would be another struct; and the order of the places, which
//! inference finds (`arrange`), because it knows their types.

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Fields, Item, ItemEnum, Type, Variant, parse_quote, parse_quote_spanned, spanned::Spanned,
};

use crate::{
    attribute::{self, Arguments, ELEMENT, TaskKind, arguments_of},
    import::{aliases, lengths},
    infer,
    report::Report,
};

/// Adds what the enums among the items of a module have for arrays: to the items, what kernels see, and to
/// those outside, what the host alone has.
pub(super) fn add(members: &mut Vec<Item>, outside: &mut Vec<Item>, report: &mut Report) {
    for mut member in std::mem::take(members) {
        let mut added = Vec::new();
        if let Item::Enum(item) = &member
            && let Some(element) = element_of(item, report)
        {
            let ident = item.ident.clone();
            for proof in [
                aliases::settle(&mut member, &ident, TaskKind::Enum),
                lengths::settle(&mut member, &ident, TaskKind::Enum),
            ] {
                outside.push(Item::Verbatim(proof));
            }
            if let Item::Enum(item) = &member {
                let stored = Stored::of(item, element);
                added = stored.items();
                outside.extend(stored.shown());
            }
        }
        members.push(member);
        members.extend(added);
    }
}

/// The name of the struct that an enum has, if it can have one.
fn element_of(item: &ItemEnum, report: &mut Report) -> Option<Ident> {
    Arguments::read(
        TaskKind::Enum,
        &arguments_of(&item.attrs, "amp_enum"),
        report,
    );
    let element = attribute::element_of(item)?;
    if let Some(parameter) = item.generics.params.first() {
        report.error_help(
            Code::Enumeration,
            parameter,
            "a generic enum with an element",
            "each instance would have another one: write an enum without parameters, and convert",
        );
        return None;
    }
    (!item.variants.is_empty()).then_some(element)
}

/// A place in the struct.
struct Place {
    name: Ident,
    ty: Type,
}

/// A field of a case: what it is called in a pattern, its place, and whether it is a `bool`.
struct Held<'e> {
    member: Option<&'e Ident>,
    place: usize,
    is_bool: bool,
}

/// A case with its fields.
struct Case<'e> {
    of: &'e Variant,
    fields: Vec<Held<'e>>,
}

/// The struct of an enum.
struct Stored<'e> {
    item: &'e ItemEnum,
    name: Ident,
    places: Vec<Place>,
    cases: Vec<Case<'e>>,
}

impl<'e> Stored<'e> {
    fn of(item: &'e ItemEnum, name: Ident) -> Self {
        let mut stored = Self {
            item,
            name,
            places: Vec::new(),
            cases: Vec::new(),
        };
        for case in &item.variants {
            let mut fields = Vec::new();
            for field in &case.fields {
                let is_bool = matches!(&field.ty, Type::Path(path) if path.path.is_ident("bool"));
                let held = Held {
                    member: field.ident.as_ref(),
                    place: stored.place(&field.ty, is_bool, &fields),
                    is_bool,
                };
                fields.push(held);
            }
            stored.cases.push(Case { of: case, fields });
        }
        stored
    }

    /// A place for a field that none of these fields of its case has.
    fn place(&mut self, ty: &Type, is_bool: bool, taken: &[Held]) -> usize {
        let span = ty.span();
        let ty = match is_bool {
            true => parse_quote_spanned!(span=> u32),
            false => ty.clone(),
        };
        let written = |ty: &Type| ty.to_token_stream().to_string();
        let mut places = self.places.iter().enumerate();
        let free = places.find(|(position, place)| {
            let is_taken = taken.iter().any(|field| field.place == *position);
            !is_taken && written(&place.ty) == written(&ty)
        });
        if let Some((position, _)) = free {
            return position;
        }
        let position = self.places.len();
        self.places.push(Place {
            name: Ident::new(&format!("place_{position}"), span),
            ty,
        });
        position
    }

    fn span(&self) -> Span {
        self.name.span()
    }

    /// Whether the enum derives a trait.
    fn derives(&self, name: &str) -> bool {
        let derived = infer::derives(&self.item.attrs);
        derived.iter().any(|known| known == name)
    }

    /// The pattern or the value of a case, with these for its fields.
    fn case(&self, case: &Case, values: &[TokenStream]) -> TokenStream {
        let (of, name) = (&self.item.ident, &case.of.ident);
        match &case.of.fields {
            Fields::Unit => quote!(#of::#name),
            Fields::Unnamed(_) => quote!(#of::#name(#(#values),*)),
            Fields::Named(_) => {
                let members = case.fields.iter().map(|field| field.member);
                quote!(#of::#name { #(#members: #values),* })
            }
        }
    }

    /// What puts a value of the case into `element`.
    fn put(&self, (number, case): (usize, &Case)) -> TokenStream {
        let span = self.span();
        let names = (0..case.fields.len()).map(|k| format_ident!("field_{k}", span = span));
        let names: Vec<TokenStream> = names.map(|name| quote!(#name)).collect();
        let pattern = self.case(case, &names);
        let number = Literal::usize_unsuffixed(number);
        let fields = case.fields.iter().zip(&names).map(|(field, value)| {
            let place = &self.places[field.place].name;
            let value = match field.is_bool {
                true => quote_spanned!(span=> #value as u32),
                false => value.clone(),
            };
            quote_spanned!(span=> element.#place = #value;)
        });
        quote_spanned!(span=> #pattern => { element.case = #number; #(#fields)* })
    }

    /// The value of the case that is in `element`.
    fn taken(&self, case: &Case) -> TokenStream {
        let span = self.span();
        let fields = case.fields.iter().map(|field| {
            let place = &self.places[field.place].name;
            match field.is_bool {
                true => quote_spanned!(span=> element.#place != 0),
                false => quote_spanned!(span=> element.#place),
            }
        });
        self.case(case, &fields.collect::<Vec<_>>())
    }

    /// What kernels see.
    fn items(&self) -> Vec<Item> {
        let (of, name, vis) = (&self.item.ident, &self.name, &self.item.vis);
        let mark = format_ident!("{ELEMENT}");
        let places = self
            .places
            .iter()
            .map(|Place { name, ty }| quote!(#name: #ty));
        let comparison = self
            .derives("PartialEq")
            .then(|| quote!(#[derive(PartialEq)]));
        let text = format!("A [`{of}`] as an element of arrays and views.");
        let puts = self.cases.iter().enumerate().map(|case| self.put(case));
        let mut numbered = self.cases.iter().enumerate();
        let first = numbered.next().map(|(_, case)| self.taken(case));
        let others = numbered.map(|(number, case)| {
            let (number, value) = (Literal::usize_unsuffixed(number), self.taken(case));
            quote!(#number => #value,)
        });
        let span = self.span();
        vec![
            parse_quote_spanned! {span=>
                #[doc = #text]
                #[amp_struct]
                #[#mark]
                #comparison
                #vis struct #name { case: u32, #(#places),* }
            },
            parse_quote_spanned! {span=>
                impl From<#of> for #name {
                    #[allow(clippy::cast_lossless)]
                    fn from(value: #of) -> Self {
                        let mut element = Self::default();
                        match value { #(#puts)* }
                        element
                    }
                }
            },
            parse_quote_spanned! {span=>
                impl From<#name> for #of {
                    #[allow(clippy::match_single_binding)]
                    fn from(element: #name) -> Self {
                        match element.case {
                            #(#others)*
                            _ => #first,
                        }
                    }
                }
            },
            parse_quote_spanned! {span=>
                impl #name {
                    /// The value that it was made of; of the number of no case, the first case.
                    #[must_use]
                    #[allow(dead_code)]
                    #vis fn value(self) -> #of {
                        #of::from(self)
                    }
                }
            },
        ]
    }

    /// Its `Debug` on the host, which is that of the value.
    fn shown(&self) -> Option<Item> {
        let name = &self.name;
        self.derives("Debug").then(|| {
            parse_quote! {
                impl ::core::fmt::Debug for #name {
                    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        ::core::fmt::Debug::fmt(&self.value(), f)
                    }
                }
            }
        })
    }
}
