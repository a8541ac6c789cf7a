//! `impl` blocks of an `#[amp_module]` that are the host's: of traits whose functions kernels cannot have.
//!
//! `Sum` and `Product` are the host's, too, but where they fold with the type's own operator, kernels have the
//! value that the fold begins with, as a function of the type. So are blocks by which a type is copied. `visited` has what
//! stands for `IntoIterator`, `collected` for `FromIterator` and `Extend`.

mod collected;
mod extended;
mod visited;

use proc_macro2::Span;
use quote::{ToTokens, format_ident, quote};
use syn::{
    BinOp, Block, Expr, FnArg, Generics, Ident, ImplItem, Item, ItemImpl, Pat, Stmt, Type, UnOp,
    parse_quote, parse_quote_spanned,
};

use crate::{
    attribute::{IMPLEMENTED, has_attribute},
    import::implementation::{self_path, trait_name},
    iterate::bare,
    language::{
        EMPTY,
        name::{local_key, path_key},
    },
};

/// The traits of std that the host has alone.
pub(super) const TRAITS: &[&str] = &[
    "AsMut",
    "AsRef",
    "Borrow",
    "BorrowMut",
    "Debug",
    "Display",
    "Error",
    "Extend",
    "FromIterator",
    "FromStr",
    "Hash",
    "IntoIterator",
    "Product",
    "Sum",
];

/// Takes the host's blocks out of the members, and adds what kernels have in their place.
pub fn take_out(members: &mut Vec<Item>) -> Vec<Item> {
    let own: Vec<String> = members.iter().filter_map(crate::import::name_of).collect();
    let extending = members.iter().filter_map(|member| match member {
        Item::Impl(block) => collected::extends(block),
        _ => None,
    });
    let extending: Vec<Ident> = extending.collect();
    let mut host = extended::take_out(members);
    let mut kept = Vec::new();
    let mut sums: Vec<Sum> = Vec::new();
    let mut copied: Vec<(Ident, Ident)> = Vec::new();
    for member in std::mem::take(members) {
        let Item::Impl(block) = member else {
            kept.push(member);
            continue;
        };
        let of_trait = block.trait_.as_ref().map(|(path, _)| local_key(path));
        let is_own = of_trait.is_some_and(|of_trait| own.contains(&of_trait));
        let name = trait_name(&block).filter(|_| !is_own);
        let name_of_trait = name.clone();
        let sum = name.as_deref().and_then(|name| Sum::of(&block, name));
        let is_known = sum.as_ref().is_some_and(|sum| sum.start.is_some());
        let copies = name.as_deref().and_then(|name| copies(&block, name));
        let is_host = name.is_some_and(|name| TRAITS.contains(&&*name))
            && (is_known || !has_attribute(&block.attrs, "amp_fn"));
        sums.extend(sum);
        if let Some(of) = copies {
            copied.push(of);
            host.push(Item::Impl(block));
            continue;
        }
        if is_host && name_of_trait.as_deref() == Some("IntoIterator") {
            kept.extend(visited::method_of(&block));
        }
        if is_host && name_of_trait.as_deref() == Some("FromIterator") {
            kept.extend(collected::made(&block));
        }
        if is_host && name_of_trait.as_deref() == Some("Extend") {
            kept.extend(collected::extended(&block, &extending));
        }
        if is_host {
            let mut block = block;
            block.attrs.retain(|it| !it.path().is_ident("amp_fn"));
            host.push(Item::Impl(block));
        } else {
            kept.push(Item::Impl(block));
        }
    }
    for sum in sums.iter().filter(|sum| !sum.of_references) {
        // Those of references begin with the same.
        let is_same = |other: &Sum| other.key != sum.key || other.begins() == sum.begins();
        if sums.iter().all(is_same) {
            kept.extend(sum.function());
        }
    }
    for member in &mut kept {
        let (name, attributes) = match member {
            Item::Struct(item) => (&item.ident, &mut item.attrs),
            Item::Enum(item) => (&item.ident, &mut item.attrs),
            _ => continue,
        };
        let own = copied.iter().filter(|(of, _)| of == name);
        let mark = format_ident!("{IMPLEMENTED}");
        attributes.extend(own.map(|(_, of_trait)| parse_quote!(#[#mark(#of_trait)])));
    }
    *members = kept;
    host
}

/// The type and the trait of a block that says that the type is copied, as kernels copy all: `impl Copy`, and a
/// `clone` that is `*self`.
fn copies(block: &ItemImpl, name: &str) -> Option<(Ident, Ident)> {
    let is_copy = match (name, &*block.items) {
        ("Copy", []) => true,
        ("Clone", [ImplItem::Fn(clone)]) => {
            let body = clone.block.to_token_stream().to_string();
            clone.sig.ident == "clone" && body == quote!({ *self }).to_string()
        }
        _ => false,
    };
    let path = self_path(block).filter(|path| path.segments.len() == 1)?;
    let of = &path.segments[0].ident;
    is_copy.then(|| (of.clone(), Ident::new(name, of.span())))
}

/// A `Sum` or `Product` of a type.
struct Sum {
    /// The type and the function.
    key: String,
    own: Type,
    generics: Generics,
    function: Ident,
    of_references: bool,
    /// What it begins with, if it combines the items by the type's own operator.
    start: Option<Expr>,
}

impl Sum {
    fn of(block: &ItemImpl, name: &str) -> Option<Self> {
        let (known, operator) = match name {
            "Sum" => ("sum", "add"),
            "Product" => ("product", "mul"),
            _ => return None,
        };
        let [ImplItem::Fn(method)] = &*block.items else {
            return None;
        };
        let Some(FnArg::Typed(iterator)) = method.sig.inputs.first() else {
            return None;
        };
        let Pat::Ident(iterator) = &*iterator.pat else {
            return None;
        };
        let (path, _) = block.trait_.as_ref()?;
        let arguments = &path.segments.last()?.arguments;
        let own = (*block.self_ty).clone();
        let is_plain = method.sig.ident == known;
        let start = folded(&method.block, &iterator.ident, operator);
        Some(Self {
            key: format!("{} {known}", own.to_token_stream()),
            own,
            generics: block.generics.clone(),
            function: method.sig.ident.clone(),
            of_references: arguments.to_token_stream().to_string().contains('&'),
            start: start.filter(|_| is_plain),
        })
    }

    /// What it begins with, as text.
    fn begins(&self) -> Option<String> {
        Some(self.start.as_ref()?.to_token_stream().to_string())
    }

    /// What kernels have in its place: the value of no items.
    fn function(&self) -> Option<Item> {
        let (own, function, start) = (&self.own, &self.function, self.start.as_ref()?);
        let span = function.span();
        let name = format_ident!(
            "{EMPTY}{function}",
            span = span.resolved_at(Span::mixed_site())
        );
        let (params, _, clause) = self.generics.split_for_impl();
        Some(parse_quote_spanned! {span=>
            impl #params #own #clause {
                #[doc(hidden)]
                #[allow(dead_code)]
                fn #name() -> #own {
                    #start
                }
            }
        })
    }
}

/// What a body starts with that combines the items of an iterator by an operator.
fn folded(body: &Block, iterator: &Ident, operator: &str) -> Option<Expr> {
    match &*body.stmts {
        // `iter.fold(zero, |a, b| a + b)`
        [Stmt::Expr(Expr::MethodCall(call), None)]
            if call.method == "fold" && is_named(&call.receiver, iterator) =>
        {
            let (start, f) = (call.args.first()?, call.args.get(1)?);
            combines(f, operator).then(|| start.clone())
        }
        // `let mut sum = zero; for x in iter { sum += x; } sum`
        [
            Stmt::Local(local),
            Stmt::Expr(Expr::ForLoop(round), _),
            Stmt::Expr(end, None),
        ] => {
            let Pat::Ident(sum) = &local.pat else {
                return None;
            };
            let (Pat::Ident(item), [Stmt::Expr(step, _)]) = (&*round.pat, &*round.body.stmts)
            else {
                return None;
            };
            let adds = match step {
                Expr::Assign(assign) => {
                    is_named(&assign.left, &sum.ident)
                        && is_combined(&assign.right, [&sum.ident, &item.ident], operator)
                }
                _ => false,
            };
            let is_fold = adds && is_named(&round.expr, iterator) && is_named(end, &sum.ident);
            let start = local.init.as_ref().map(|init| (*init.expr).clone());
            start.filter(|_| is_fold)
        }
        _ => None,
    }
}

/// Whether a function adds, or multiplies, its two arguments in their order.
fn combines(f: &Expr, operator: &str) -> bool {
    match bare(f) {
        Expr::Path(path) => path_key(&path.path).ends_with(&format!("::{operator}")),
        Expr::Closure(closure) => {
            let inputs = closure.inputs.iter().map(|input| match input {
                Pat::Ident(name) => Some(&name.ident),
                _ => None,
            });
            match &*inputs.collect::<Vec<_>>() {
                [Some(first), Some(second)] => {
                    is_combined(&closure.body, [first, second], operator)
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_combined(value: &Expr, [first, second]: [&Ident; 2], operator: &str) -> bool {
    let Expr::Binary(binary) = bare(value) else {
        return false;
    };
    let is_operator = match binary.op {
        BinOp::Add(_) => operator == "add",
        BinOp::Mul(_) => operator == "mul",
        _ => false,
    };
    is_operator && is_named(&binary.left, first) && is_named(&binary.right, second)
}

/// Whether an expression is a variable, or what that refers to.
fn is_named(expr: &Expr, name: &Ident) -> bool {
    match bare(expr) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => is_named(&unary.expr, name),
        Expr::Path(path) => path.path.is_ident(name),
        _ => false,
    }
}
