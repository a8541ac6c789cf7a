//! Lengths in the fields of structs and enums, in the types of exported constants, in the parameters of kernels and in the elements of
//! views, of arrays, as arguments of generic structs, and in the types of constants in bodies: named ones become the numbers that the file
//! tells, as a layout is fixed before rustc knows them.
//!
//! rustc proves the numbers. Other lengths stay as they are, and are refused where they are read.

use std::{cell::RefCell, collections::HashMap};

use proc_macro2::{Literal, TokenStream};
use quote::quote_spanned;
use syn::{
    Expr, ExprLit, ExprPath, FnArg, GenericArgument, GenericParam, Generics, Ident, ImplItem, Item,
    Lit, Path, PathArguments, ReturnType, Signature, TraitItem, Type, TypeArray, TypePath,
    parse_quote_spanned, spanned::Spanned,
};

use super::{member::ident_of, module::File};
use crate::{
    attribute::TaskKind,
    language::name::path_key,
    visit::{self, Visit, VisitMut},
};

/// Writes the numbers that the file tells for the lengths in an item, which stands in the module of the item
/// `anchor` of this kind, and gives what has rustc prove them, beside it.
pub fn settle(item: &mut Item, anchor: &Ident, kind: TaskKind) -> TokenStream {
    let Some((file, home)) = File::around(anchor, kind) else {
        return TokenStream::new();
    };
    settle_by(item, &|length| file.number(home, length))
}

/// The lengths in an item that other crates seem to export.
pub fn exported(item: &Item, kind: TaskKind) -> Vec<Path> {
    let Some((file, home)) = ident_of(item).and_then(|anchor| File::around(anchor, kind)) else {
        return Vec::new();
    };
    let exported = RefCell::new(Vec::new());
    settle_by(&mut item.clone(), &|length| {
        if let Expr::Path(ExprPath { path, .. }) = length
            && is_constant(path)
            && file.is_exported(home, path)
        {
            let mut exported = exported.borrow_mut();
            let key = path_key(path);
            if exported.iter().all(|known| path_key(known) != key) {
                exported.push(path.clone());
            }
        }
        None
    });
    exported.into_inner()
}

/// Whether a path is written as that of a constant.
fn is_constant(path: &Path) -> bool {
    let last = path.segments.last().map(|last| last.ident.to_string());
    last.is_some_and(|last| !last.contains(char::is_lowercase))
}

/// Writes the numbers that lengths in an item are.
pub fn settle_by(item: &mut Item, number: &dyn Fn(&Expr) -> Option<u64>) -> TokenStream {
    let Some(mut lengths) = Lengths::of(item, number) else {
        return TokenStream::new();
    };
    match item {
        Item::Fn(function) => {
            lengths.in_signature(&mut function.sig);
            let mut constants = Constants::default();
            constants.visit_block(&function.block);
            lengths.of_body = constants.0;
            OfConstants(&mut lengths).visit_block_mut(&mut function.block);
        }
        Item::Struct(item) => lengths.visit_fields_mut(&mut item.fields),
        Item::Const(item) => lengths.visit_type_mut(&mut item.ty),
        Item::Impl(block) => {
            for part in &mut block.items {
                if let ImplItem::Fn(function) = part {
                    lengths.in_signature(&mut function.sig);
                }
            }
        }
        Item::Trait(item) => {
            for part in &mut item.items {
                if let TraitItem::Fn(function) = part {
                    lengths.in_signature(&mut function.sig);
                }
            }
        }
        Item::Enum(item) => {
            for case in &mut item.variants {
                lengths.visit_fields_mut(&mut case.fields);
            }
        }
        _ => {}
    }
    lengths.proofs
}

fn is_view(ty: &TypePath) -> bool {
    let name = ty.path.segments.last();
    name.is_some_and(|name| name.ident == "ArrayView" || name.ident == "ArrayViewMut")
}

/// Whether a type is one of amp's own, whose arguments are ranks and the extents of tiles.
fn has_own_arguments(ty: &TypePath) -> bool {
    const OF_INDICES: &[&str] = &["Index", "Extent", "TiledIndex"];
    let name = ty.path.segments.last();
    is_view(ty) || name.is_some_and(|name| OF_INDICES.iter().any(|own| name.ident == own))
}

/// The names of parameters.
fn parameters(generics: &Generics) -> impl Iterator<Item = Ident> {
    let named = generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(it) => Some(&it.ident),
            GenericParam::Const(it) => Some(&it.ident),
            GenericParam::Lifetime(_) => None,
        });
    named.cloned()
}

/// Puts numbers in the place of lengths.
struct Lengths<'a> {
    /// What a length is, if that is known.
    number: &'a dyn Fn(&Expr) -> Option<u64>,
    /// The parameters of the item, of which the file knows nothing.
    parameters: Vec<Ident>,
    /// The constants of its body, and what they are if that is written as a number.
    of_body: HashMap<String, Option<u64>>,
    proofs: TokenStream,
}

impl<'a> Lengths<'a> {
    fn of(item: &Item, number: &'a dyn Fn(&Expr) -> Option<u64>) -> Option<Self> {
        let generics: &Generics = match item {
            Item::Fn(function) => &function.sig.generics,
            Item::Struct(item) => &item.generics,
            Item::Enum(item) => &item.generics,
            Item::Const(item) => &item.generics,
            Item::Impl(block) => &block.generics,
            Item::Trait(item) => &item.generics,
            _ => return None,
        };
        Some(Self {
            number,
            parameters: parameters(generics).collect(),
            of_body: HashMap::new(),
            proofs: TokenStream::new(),
        })
    }

    /// The types of a function's parameters and of its result: its callers know them, but not its constants.
    fn in_signature(&mut self, signature: &mut Signature) {
        let outside = self.parameters.len();
        self.parameters.extend(parameters(&signature.generics));
        for input in &mut signature.inputs {
            if let FnArg::Typed(typed) = input {
                self.visit_type_mut(&mut typed.ty);
            }
        }
        if let ReturnType::Type(_, ty) = &mut signature.output {
            self.visit_type_mut(ty);
        }
        self.parameters.truncate(outside);
    }

    /// The number that a length is, if it is none yet and the file tells.
    fn number(&mut self, length: &Expr) -> Option<Expr> {
        let span = length.span();
        let written = |number| {
            let number = Literal::u64_unsuffixed(number);
            parse_quote_spanned!(span=> #number)
        };
        if let Expr::Path(path) = length
            && let Some(name) = path.path.get_ident()
            && let Some(of_body) = self.of_body.get(&name.to_string())
        {
            return of_body.map(written);
        }
        let mut others = Mentions(self, false);
        others.visit_expr(length);
        if matches!(length, Expr::Lit(_)) || others.1 {
            return None;
        }
        let number = (self.number)(length)?;
        let number = Literal::u64_unsuffixed(number);
        self.proofs
            .extend(quote_spanned!(span=> const _: () = ::core::assert!(#length == #number);));
        Some(parse_quote_spanned!(span=> #number))
    }
}

impl VisitMut for Lengths<'_> {
    fn visit_type_array_mut(&mut self, array: &mut TypeArray) {
        visit::visit_type_array_mut(self, array);
        if let Some(number) = self.number(&array.len) {
            array.len = number;
        }
    }

    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        visit::visit_type_path_mut(self, ty);
        if has_own_arguments(ty) {
            return;
        }
        let Some(name) = ty.path.segments.last_mut() else {
            return;
        };
        let PathArguments::AngleBracketed(arguments) = &mut name.arguments else {
            return;
        };
        for argument in &mut arguments.args {
            let length = match argument {
                GenericArgument::Const(length) => length.clone(),
                GenericArgument::Type(Type::Path(TypePath {
                    qself: None, path, ..
                })) if path.segments.iter().all(|name| name.arguments.is_none()) => {
                    Expr::Path(ExprPath {
                        attrs: Vec::new(),
                        qself: None,
                        path: path.clone(),
                    })
                }
                _ => continue,
            };
            if let Some(number) = self.number(&length) {
                *argument = GenericArgument::Const(number);
            }
        }
    }
}

/// Whether a parameter of the item or a constant of its body is mentioned.
struct Mentions<'a, 'l>(&'a Lengths<'l>, bool);

impl Visit<'_> for Mentions<'_, '_> {
    fn visit_ident(&mut self, ident: &Ident) {
        self.1 |=
            self.0.parameters.contains(ident) || self.0.of_body.contains_key(&ident.to_string());
    }
}

/// The constants of a body. The value of a name that is declared twice is unknown.
#[derive(Default)]
struct Constants(HashMap<String, Option<u64>>);

impl Visit<'_> for Constants {
    fn visit_item(&mut self, item: &Item) {
        if let Item::Const(constant) = item {
            let number = match &*constant.expr {
                Expr::Lit(ExprLit {
                    lit: Lit::Int(number),
                    ..
                }) => number.base10_parse().ok(),
                _ => None,
            };
            let known = self.0.entry(constant.ident.to_string());
            known.and_modify(|known| *known = None).or_insert(number);
        }
        visit::visit_item(self, item);
    }
}

/// The lengths in the types of a body's constants.
struct OfConstants<'a, 'l>(&'a mut Lengths<'l>);

impl VisitMut for OfConstants<'_, '_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        if let Item::Const(constant) = item {
            self.0.visit_type_mut(&mut constant.ty);
        }
        visit::visit_item_mut(self, item);
    }
}
