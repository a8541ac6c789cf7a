//! What the trait of an `impl` block supplies: its functions and constants with a default are written out for the
//! type, because their bodies mean something else for each. The parameters of the trait become the types that
//! the block names, `impl Conv<u8> for X`.
//!
//! Traits are found by their names among those of the module; what the standard library supplies, `comparison`
//! knows.

use syn::{
    Expr, ExprPath, GenericArgument, GenericParam, Generics, Ident, ImplItem, ImplItemFn, ItemFn,
    ItemImpl, ItemTrait, Path, PathArguments, TraitItem, TraitItemConst, TraitItemFn, Visibility,
    parse_quote_spanned,
};

use super::comparison;
use crate::{
    language::name::path_key,
    message,
    sugar::aliases::{Aliases, Applied},
    visit::{self, VisitMut},
};

/// The trait of a block, if it is known what that supplies: one of these, or the standard library's.
pub(super) fn supplier<'a>(
    item: &ItemImpl,
    mut traits: impl Iterator<Item = &'a ItemTrait>,
) -> Option<ItemTrait> {
    let (of, _) = item.trait_.as_ref()?;
    let is_meant = |known: &&ItemTrait| known.ident == path_key(of);
    let own = traits.find(is_meant);
    own.cloned()
        .or_else(|| comparison::supplier(&of.segments.last()?.ident.to_string(), item))
}

/// The functions that a block has of its trait.
pub(super) fn supplied<'a>(
    item: &ItemImpl,
    supplier: &'a ItemTrait,
) -> impl Iterator<Item = &'a TraitItemFn> {
    let own: Vec<Ident> = item
        .items
        .iter()
        .filter_map(|part| match part {
            ImplItem::Fn(function) => Some(function.sig.ident.clone()),
            _ => None,
        })
        .collect();
    let functions = supplier.items.iter().filter_map(|part| match part {
        TraitItem::Fn(function) if function.default.is_some() => Some(function),
        _ => None,
    });
    functions.filter(move |function| !own.contains(&function.sig.ident))
}

pub(super) fn supply(item: &mut ItemImpl, supplier: &ItemTrait) {
    let functions = supplied(item, supplier).filter_map(|supplied| {
        let mut function = ItemFn {
            attrs: supplied.attrs.clone(),
            vis: Visibility::Inherited,
            modifiers: syn::FnModifiers::default(),
            sig: supplied.sig.clone(),
            block: Box::new(supplied.default.clone()?),
        };
        // What the parameters of the trait are is put into code, not into the tokens of a macro.
        message::rewrite(&mut function);
        Some(ImplItem::Fn(ImplItemFn {
            attrs: function.attrs,
            vis: function.vis,
            modifiers: function.modifiers,
            sig: function.sig,
            block: *function.block,
        }))
    });
    let constants = supplied_constants(item, supplier);
    let mut supplied: Vec<ImplItem> = functions.chain(constants).collect();
    let (mut types, mut constants) = arguments_of_trait(item, supplier);
    let mut qualified = item.trait_.as_ref().map(|(of, _)| Qualified(of, supplier));
    for part in &mut supplied {
        types.visit_impl_item_mut(part);
        constants.visit_impl_item_mut(part);
        if let Some(qualified) = &mut qualified {
            qualified.visit_impl_item_mut(part);
        }
    }
    item.items.extend(supplied);
}

/// Constants of the trait by what they are of, `<Self as Trait>::ZERO`: where a function is written out, other traits
/// of the type have constants of their names, too.
struct Qualified<'a>(&'a Path, &'a ItemTrait);

impl VisitMut for Qualified<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit::visit_expr_mut(self, expr);
        let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = expr
        else {
            return;
        };
        let names: Vec<&Ident> = path.segments.iter().map(|name| &name.ident).collect();
        let [owner, name] = names.as_slice() else {
            return;
        };
        let mut items = self.1.items.iter();
        let is_of_trait = items
            .any(|item| matches!(item, TraitItem::Const(constant) if constant.ident == **name));
        if *owner == "Self" && is_of_trait {
            let (of, span) = (self.0, name.span());
            *expr = parse_quote_spanned!(span=> <#owner as #of>::#name);
        }
    }
}

/// The constants that a block has of its trait.
fn supplied_constants(item: &ItemImpl, supplier: &ItemTrait) -> Vec<ImplItem> {
    let is_own = |name: &Ident| {
        let mut own = item.items.iter();
        own.any(|part| matches!(part, ImplItem::Const(own) if own.ident == *name))
    };
    let supplied = supplier.items.iter().filter_map(|part| match part {
        TraitItem::Const(constant) if !is_own(&constant.ident) => {
            let TraitItemConst { ident, ty, .. } = constant;
            let (_, value) = constant.default.as_ref()?;
            // Numbers stand where the parameters of the trait do.
            Some(parse_quote_spanned! {ident.span()=>
                #[allow(clippy::all)]
                const #ident: #ty = #value;
            })
        }
        _ => None,
    });
    supplied.collect()
}

/// The parameters of the trait of a block as what the block says that they are: types and constants.
fn arguments_of_trait(item: &ItemImpl, supplier: &ItemTrait) -> (Aliases, Applied) {
    let (mut types, mut constants) = (Aliases::default(), Applied::default());
    let last = item.trait_.as_ref().and_then(|(of, _)| of.segments.last());
    let written = match last.map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(written)) => written.args.iter().collect(),
        _ => Vec::new(),
    };
    let is_counted = |argument: &&GenericArgument| {
        matches!(
            argument,
            GenericArgument::Type(_) | GenericArgument::Const(_)
        )
    };
    let mut written = written.into_iter().filter(is_counted).cloned();
    for parameter in &supplier.generics.params {
        match parameter {
            GenericParam::Type(of) => {
                let default = || Some(GenericArgument::Type(of.default.as_ref()?.1.clone()));
                if let Some(GenericArgument::Type(ty)) = written.next().or_else(default) {
                    types.add(&of.ident.clone().into(), Generics::default(), ty);
                }
            }
            GenericParam::Const(of) => {
                let default = || Some(GenericArgument::Const(of.default.as_ref()?.1.clone()));
                if let Some(value) = written.next().or_else(default) {
                    constants.apply(parameter.clone(), value);
                }
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    (types, constants)
}
