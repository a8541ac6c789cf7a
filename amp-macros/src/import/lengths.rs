//! Lengths in the fields of structs and enums, in the types of exported constants, in the parameters of kernels and in the elements of
//! views, of arrays, as arguments of generic structs, and in the types of constants in bodies: named ones become the numbers that the file
//! tells, as a layout is fixed before rustc knows them.
//!
//! rustc proves the numbers. Other lengths stay as they are, and are refused where they are read.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use proc_macro2::{Literal, TokenStream};
use quote::quote_spanned;
use syn::{
    Expr, ExprLit, ExprPath, FnArg, GenericArgument, GenericParam, Generics, Ident, Item, Lit,
    Path, PathArguments, Type, TypeArray, TypePath, parse_quote_spanned, spanned::Spanned,
};

use super::{member::ident_of, module::File};
use crate::{
    attribute::TaskKind,
    language::name::path_key,
    visit::{self, Visit, VisitMut},
};

/// Writes the numbers that the file tells for the lengths in an item, and gives what has rustc prove them,
/// beside it.
pub fn settle(item: &mut Item, kind: TaskKind) -> TokenStream {
    let Some((file, home)) = home_of(item, kind) else {
        return TokenStream::new();
    };
    settle_by(item, kind, &|length| file.number(home, length))
}

/// The lengths in an item that other crates seem to export.
pub fn exported(item: &Item, kind: TaskKind) -> Vec<Path> {
    let Some((file, home)) = home_of(item, kind) else {
        return Vec::new();
    };
    let exported = RefCell::new(Vec::new());
    settle_by(&mut item.clone(), kind, &|length| {
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

/// The module of an item, as far as its file tells.
fn home_of(item: &Item, kind: TaskKind) -> Option<(Rc<File>, usize)> {
    let anchor = match item {
        Item::Const(item) => &item.ident,
        item => ident_of(item)?,
    };
    let file = File::of(anchor.span())?;
    let home = file.home(&anchor.to_string(), kind)?;
    Some((file, home))
}

/// Writes the numbers that lengths in an item are.
pub fn settle_by(
    item: &mut Item,
    kind: TaskKind,
    number: &dyn Fn(&Expr) -> Option<u64>,
) -> TokenStream {
    let Some(mut lengths) = Lengths::of(item, number) else {
        return TokenStream::new();
    };
    match item {
        Item::Fn(function) => {
            for input in &mut function.sig.inputs {
                let FnArg::Typed(typed) = input else {
                    continue;
                };
                let laid_out = match kind {
                    TaskKind::Kernel => Some(&mut *typed.ty),
                    _ => element_of_view(&mut typed.ty),
                };
                if let Some(ty) = laid_out {
                    lengths.visit_type_mut(ty);
                }
            }
            let mut constants = Constants::default();
            constants.visit_block(&function.block);
            lengths.of_body = constants.0;
            OfConstants(&mut lengths).visit_block_mut(&mut function.block);
        }
        Item::Struct(item) => lengths.visit_fields_mut(&mut item.fields),
        Item::Const(item) => lengths.visit_type_mut(&mut item.ty),
        Item::Enum(item) => {
            for case in &mut item.variants {
                lengths.visit_fields_mut(&mut case.fields);
            }
        }
        _ => {}
    }
    lengths.proofs
}

/// The type of the elements in the type of a reference to a view.
fn element_of_view(ty: &mut Type) -> Option<&mut Type> {
    let Type::Reference(reference) = ty else {
        return None;
    };
    let Type::Path(view) = &mut *reference.elem else {
        return None;
    };
    if !is_view(view) {
        return None;
    }
    let name = view.path.segments.last_mut()?;
    let PathArguments::AngleBracketed(arguments) = &mut name.arguments else {
        return None;
    };
    arguments
        .args
        .iter_mut()
        .find_map(|argument| match argument {
            GenericArgument::Type(element) => Some(element),
            _ => None,
        })
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
            _ => return None,
        };
        let parameters = generics
            .params
            .iter()
            .filter_map(|parameter| match parameter {
                GenericParam::Type(it) => Some(it.ident.clone()),
                GenericParam::Const(it) => Some(it.ident.clone()),
                GenericParam::Lifetime(_) => None,
            });
        Some(Self {
            number,
            parameters: parameters.collect(),
            of_body: HashMap::new(),
            proofs: TokenStream::new(),
        })
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

/// The constants of a body; of several with one name, none is known.
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
