//! `impl` blocks of an `#[amp_module]`, written so that each of their functions stands
//! for itself.
//!
//! ```text
//! impl Add for Vec2 {                         impl Add for Vec2 {
//!     type Output = Self;                         type Output = Vec2;
//!     fn add(self, o: Self) -> Self::Output   ─►  fn add(self: Vec2, o: Vec2) -> Vec2
//! ```
//!
//! A function that the trait supplies is written out for the type: its body means
//! something else for each.

use amp_spirv::tree::Scalar;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Expr, FnArg, GenericArgument, GenericParam, Ident, ImplItem, ImplItemConst,
    ImplItemFn, Item, ItemFn, ItemImpl, ItemTrait, LifetimeParam, LitStr, Path, PathArguments,
    PathSegment, Receiver, ReceiverKind, TraitItem, Type, parse_quote, parse_quote_spanned,
    spanned::Spanned,
};

use super::supplied::{supplied, supplier, supply};
use crate::{
    language::{name::path_key, returned},
    message, sugar,
    visit::{self, Elided, Visit, VisitMut},
};

/// The functions of an `impl` block, each as if it stood alone. Constants that are no
/// scalars, or of no single type, are among them: a kernel computes these where it names
/// them.
pub fn functions(item: &ItemImpl) -> impl Iterator<Item = ItemFn> {
    item.items.iter().filter_map(|part| match part {
        ImplItem::Fn(function) => Some(outside(item, alone(function))),
        ImplItem::Const(constant) => computed(item, constant).or_else(|| of_bound(item, constant)),
        _ => None,
    })
}

/// A scalar constant of a trait, which rustc hands over where its path names the type, as a
/// function for where the type is a parameter: there, no path of the host's leads to it.
pub fn of_bound(block: &ItemImpl, constant: &ImplItemConst) -> Option<ItemFn> {
    let is_of_trait = block.trait_.is_some() && block.generics.params.is_empty();
    (is_of_trait && is_scalar(&constant.ty)).then(|| constant_function(constant))
}

fn constant_function(constant: &ImplItemConst) -> ItemFn {
    let ImplItemConst {
        ident, ty, expr, ..
    } = constant;
    parse_quote_spanned!(ident.span()=> fn #ident() -> #ty { #expr })
}

/// A function of a block with the parameters of the block before its own.
pub fn outside(block: &ItemImpl, mut function: ItemFn) -> ItemFn {
    let generics = &mut function.sig.generics;
    let own = std::mem::take(&mut generics.params);
    generics.params = block.generics.params.iter().cloned().chain(own).collect();
    if let Some(clause) = &block.generics.where_clause {
        let own = &mut generics.make_where_clause().predicates;
        own.extend(clause.predicates.iter().cloned());
    }
    function
}

/// A constant as a function without arguments, if kernels compute it.
pub fn computed(block: &ItemImpl, constant: &ImplItemConst) -> Option<ItemFn> {
    struct Foreign(bool);
    impl Visit<'_> for Foreign {
        fn visit_type_reference(&mut self, _: &syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut foreign = Foreign(false);
    foreign.visit_type(&constant.ty);
    if foreign.0 || is_scalar(&constant.ty) && block.generics.params.is_empty() {
        return None;
    }
    Some(outside(block, constant_function(constant)))
}

/// Whether a type is written as one whose constants rustc hands over.
fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| Scalar::from_name(&name.to_string()).is_some()),
        Type::Paren(paren) => is_scalar(&paren.elem),
        Type::Group(group) => is_scalar(&group.elem),
        _ => false,
    }
}

/// A function of an `impl` block, as if it stood alone.
pub fn alone(function: &ImplItemFn) -> ItemFn {
    ItemFn {
        attrs: function.attrs.clone(),
        vis: function.vis.clone(),
        modifiers: syn::FnModifiers::default(),
        sig: function.sig.clone(),
        block: Box::new(function.block.clone()),
    }
}

/// The last segment of the trait that is implemented.
pub fn trait_name(item: &ItemImpl) -> Option<String> {
    let (path, _) = item.trait_.as_ref()?;
    Some(path.segments.last()?.ident.to_string())
}

/// The attribute by which a block tells the id of its trait, where it travels: its path may mean
/// nothing there.
pub fn mark(of_trait: Option<&str>) -> Vec<Attribute> {
    let mark = of_trait.map(|id| parse_quote!(#[amp_trait(#id)]));
    mark.into_iter().collect()
}

/// The id of the trait of a block that has travelled.
pub fn trait_id(item: &ItemImpl) -> Option<String> {
    let mark = item.attrs.first()?;
    Some(mark.parse_args::<LitStr>().ok()?.value())
}

/// The path that the type of an `impl` block is, which operators have of references to the type, too.
pub fn self_path(item: &ItemImpl) -> Option<&Path> {
    fn of(ty: &Type) -> Option<&Path> {
        match ty {
            Type::Path(path) if path.qself.is_none() => Some(&path.path),
            Type::Paren(paren) => of(&paren.elem),
            Type::Group(group) => of(&group.elem),
            _ => None,
        }
    }
    of(referred(item).unwrap_or(&item.self_ty))
}

/// Whether a block has an array or a tuple made of a value: `impl From<V> for [f32; 3]`.
pub fn is_made_of_parts(item: &ItemImpl) -> bool {
    let is_conversion = trait_name(item).is_some_and(|name| name == "From");
    is_conversion && matches!(&*item.self_ty, Type::Array(_) | Type::Tuple(_))
}

/// What the reference refers to that the type of a block with an operator is.
pub fn referred(item: &ItemImpl) -> Option<&Type> {
    match &*item.self_ty {
        Type::Reference(reference) if is_of_operator(item) && reference.mutability.is_none() => {
            Some(&reference.elem)
        }
        _ => None,
    }
}

fn is_of_operator(item: &ItemImpl) -> bool {
    trait_name(item).is_some_and(|name| is_operator_trait(&name))
}

/// Whether a trait of this name is that of an operator that takes operands as they are.
pub fn is_operator_trait(name: &str) -> bool {
    OPERATORS.contains(&name)
}

/// The traits of operators that take operands as they are.
const OPERATORS: [&str; 12] = [
    "Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Shl", "Shr", "Neg", "Not",
];

/// Takes the lifetimes out of a block with an operator, where rustc elides them.
fn without_lifetimes(item: &mut ItemImpl) {
    let is_bound = |param: &LifetimeParam| !param.bounds.is_empty();
    let in_path = |ty: &Type| match ty {
        Type::Path(path) => path
            .path
            .segments
            .iter()
            .any(|part| has_lifetime(&part.arguments)),
        _ => false,
    };
    let own = referred(item).unwrap_or(&item.self_ty);
    if is_of_operator(item) && !in_path(own) && !item.generics.lifetimes().any(is_bound) {
        let params = std::mem::take(&mut item.generics.params).into_iter();
        item.generics.params = params
            .filter(|param| !matches!(param, GenericParam::Lifetime(_)))
            .collect();
        Elided.visit_type_mut(&mut item.self_ty);
        if let Some((of, _)) = &mut item.trait_ {
            Elided.visit_path_mut(of);
        }
        for part in &mut item.items {
            Elided.visit_impl_item_mut(part);
        }
    }
}

/// Adds the functions that the traits of the module supply, and takes `Self` out.
pub fn complete(items: &mut [Item]) {
    let functions = items.iter_mut().flat_map(|item| match item {
        Item::Trait(item) => item.items.iter_mut().collect(),
        _ => Vec::new(),
    });
    for part in functions {
        if let TraitItem::Fn(function) = part {
            sugar::name_patterns(&mut function.sig, function.default.as_mut());
            sugar::name_parameters(&mut function.sig);
        }
    }
    let traits: Vec<ItemTrait> = items
        .iter()
        .filter_map(|item| match item {
            Item::Trait(item) => Some(item.clone()),
            _ => None,
        })
        .collect();
    let outputs: Vec<_> = items.iter().filter_map(output_of_index).collect();
    for item in items {
        let Item::Impl(item) = item else { continue };
        without_lifetimes(item);
        if let Some(supplier) = supplier(item, traits.iter()) {
            supply(item, &supplier);
        }
        for part in &mut item.items {
            if let ImplItem::Const(constant) = part
                && let Expr::Block(value) = &mut constant.expr
            {
                sugar::imports::of_body(&mut value.block);
            }
            if let ImplItem::Fn(function) = part {
                let mut plain = alone(function);
                message::rewrite(&mut plain);
                // A trait says what its functions take.
                if item.trait_.is_none() {
                    sugar::taken::rewrite(&mut plain);
                }
                sugar::returned::rewrite(&mut plain);
                sugar::rewrite(&mut plain);
                (function.sig, function.block) = (plain.sig, *plain.block);
                if returned::is_written(&function.sig) {
                    let name = &function.sig.ident;
                    let name = format_ident!("{}{name}", returned::METHOD, span = name.span());
                    function.sig.ident = name;
                    function.attrs = vec![
                        parse_quote!(#[doc(hidden)]),
                        parse_quote!(#[allow(dead_code)]),
                    ];
                }
                sugar::name_parameters(&mut function.sig);
            }
        }
        if is_made_of_parts(item) {
            let ty = (*item.self_ty).clone();
            for part in &mut item.items {
                Unnamed(&ty).visit_impl_item_mut(part);
            }
        }
        if let Some(path) = self_path(item).cloned() {
            let of = index_of(item, "IndexMut");
            let output = outputs.iter().find(|(read, _)| of.as_ref() == Some(read));
            take_self_out(item, &path, output.map(|(_, ty)| ty.clone()));
        }
    }
}

/// The type and the index of a block of this trait, as text.
fn index_of(item: &ItemImpl, of_trait: &str) -> Option<String> {
    let (path, _) = item.trait_.as_ref()?;
    let last = path.segments.last()?;
    let (ty, index) = (&item.self_ty, &last.arguments);
    (last.ident == of_trait).then(|| quote!(#ty #index).to_string())
}

/// Which `impl Index` an item is, and its `Output`, which `IndexMut` names too.
fn output_of_index(item: &Item) -> Option<(String, (Ident, Type))> {
    let Item::Impl(item) = item else { return None };
    let of = index_of(item, "Index")?;
    let output = item.items.iter().find_map(|part| match part {
        ImplItem::Type(output) => Some((output.ident.clone(), output.ty.clone())),
        _ => None,
    })?;
    Some((of, output))
}

/// A name in a function that the trait of a block supplies, if the type has another member of this
/// name: where the function is written out, it would no longer mean the trait's.
pub fn ambiguous<'a>(item: &ItemImpl, items: &'a [Item]) -> Option<&'a Ident> {
    let (of, _) = item.trait_.as_ref()?;
    let own = path_key(self_path(item)?);
    let traits = items.iter().filter_map(|known| match known {
        Item::Trait(known) => Some(known),
        _ => None,
    });
    let supplier = supplier(item, traits)?;
    let members = supplier.items.iter();
    let members = members.filter_map(|part| match part {
        TraitItem::Fn(part) => Some(&part.sig.ident),
        TraitItem::Const(part) => Some(&part.ident),
        _ => None,
    });
    let mut names = Vec::new();
    for body in supplied(item, &supplier).filter_map(|function| function.default.as_ref()) {
        mentioned(body.to_token_stream(), &mut names);
    }
    let named: Vec<&Ident> = members.filter(|name| names.contains(name)).collect();
    let of_others = items.iter().filter_map(|other| match other {
        Item::Impl(other) => Some(other),
        _ => None,
    });
    of_others
        .filter(|other| self_path(other).map(path_key).as_ref() == Some(&own))
        .filter(|other| !matches!(&other.trait_, Some((path, _)) if path_key(path) == path_key(of)))
        .flat_map(|other| &other.items)
        .filter_map(|part| match part {
            ImplItem::Fn(part) => Some(&part.sig.ident),
            ImplItem::Const(part) => Some(&part.ident),
            _ => None,
        })
        .find(|name| named.contains(name))
}

/// The names in these tokens.
fn mentioned(tokens: TokenStream, names: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => names.push(name),
            TokenTree::Group(group) => mentioned(group.stream(), names),
            _ => {}
        }
    }
}

fn take_self_out(item: &mut ItemImpl, path: &Path, output: Option<(Ident, Type)>) {
    let of_reference = referred(item).is_some();
    let mut types: Vec<(Ident, Type)> = Vec::new();
    if let Some((name, mut ty)) = output {
        SelfType {
            path,
            of_reference,
            types: &types,
        }
        .visit_type_mut(&mut ty);
        types.push((name, ty));
    }
    for part in &mut item.items {
        if let ImplItem::Type(associated) = part {
            SelfType {
                path,
                of_reference,
                types: &types,
            }
            .visit_type_mut(&mut associated.ty);
            types.push((associated.ident.clone(), associated.ty.clone()));
        }
    }
    let mut rewrite = SelfType {
        path,
        of_reference,
        types: &types,
    };
    if let Some((of, _)) = &mut item.trait_ {
        rewrite.visit_path_mut(of);
    }
    for part in &mut item.items {
        rewrite.visit_impl_item_mut(part);
    }
}

/// `Self` becomes the type.
struct SelfType<'a> {
    path: &'a Path,
    /// Whether it is a reference to the type.
    of_reference: bool,
    /// Associated types of the block.
    types: &'a [(Ident, Type)],
}

/// `Self` becomes a type that has no name.
struct Unnamed<'a>(&'a Type);

impl VisitMut for Unnamed<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(path) if path.path.is_ident("Self") => *ty = self.0.clone(),
            ty => visit::visit_type_mut(self, ty),
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn has_lifetime(arguments: &PathArguments) -> bool {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return false;
    };
    let mut arguments = arguments.args.iter();
    arguments.any(|argument| matches!(argument, GenericArgument::Lifetime(_)))
}

impl VisitMut for SelfType<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && path.path.segments.len() == 2
            && path.path.segments[0].ident == "Self"
        {
            let name = &path.path.segments[1].ident;
            let known = self.types.iter().find(|(known, _)| known == name);
            if let Some((_, found)) = known {
                *ty = found.clone();
                return;
            }
        }
        if self.of_reference
            && let Type::Path(own) = ty
            && own.path.is_ident("Self")
        {
            let (span, path) = (own.span(), self.path);
            *ty = parse_quote_spanned!(span=> &#path);
            return;
        }
        visit::visit_type_mut(self, ty);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit::visit_path_mut(self, path);
        if path.leading_colon.is_some() || path.segments[0].ident != "Self" {
            return;
        }
        let span = path.segments[0].ident.span();
        let is_alone = path.segments.len() == 1;
        let own = self.path.segments.iter().map(|segment| {
            let mut ident = segment.ident.clone();
            ident.set_span(span);
            let mut arguments = segment.arguments.clone();
            // Where it is an expression, it needs the colons; where it is a type, it may
            // have them. A lifetime is said where the type is alone.
            if let PathArguments::AngleBracketed(arguments) = &mut arguments {
                arguments.colon2_token = Some(syn::Token![::](span));
            }
            if !is_alone && has_lifetime(&segment.arguments) {
                arguments = PathArguments::None;
            }
            PathSegment { ident, arguments }
        });
        path.segments = own.chain(path.segments.iter().skip(1).cloned()).collect();
        path.leading_colon = self.path.leading_colon;
    }

    fn visit_receiver_mut(&mut self, receiver: &mut Receiver) {
        let span = receiver.self_token.span();
        let path = self.path.to_token_stream();
        let ty: Type = match &receiver.kind {
            ReceiverKind::Value if self.of_reference => parse_quote_spanned!(span=> &#path),
            ReceiverKind::Value => parse_quote_spanned!(span=> #path),
            ReceiverKind::Reference(and, lifetime, mutability) => {
                parse_quote_spanned!(span=> #and #lifetime #mutability #path)
            }
            _ => return visit::visit_receiver_mut(self, receiver),
        };
        receiver.kind = ReceiverKind::Typed(syn::Token![:](span), Box::new(ty));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Whether a function has the value or the place that it is called on as a parameter.
pub fn has_receiver(function: &ItemFn) -> bool {
    matches!(function.sig.inputs.first(), Some(FnArg::Receiver(_)))
}
