//! What a function does that returns an iterator: its statements, and the chain that it ends with.
//!
//! It is read from what `sugar::returned` makes of the function. Left out are functions with items in them, with `mut self`, and
//! those that take iterators.

use syn::{
    Block, Expr, FnArg, GenericParam, Generics, Pat, PatIdent, PathArguments, ReceiverKind,
    Signature, Stmt, Type, TypeParamBound, parse_quote_spanned, spanned::Spanned,
};

use crate::{
    language::returned::{self, EACH},
    visit::Visit,
};

/// See the module's documentation.
pub struct Body {
    /// How it takes `self`, if it does.
    pub receiver: Option<By>,
    pub parameters: Vec<(PatIdent, Type)>,
    /// The parameters of its own, in order, and those of its block.
    pub generics: Vec<GenericParam>,
    pub of_block: Vec<GenericParam>,
    pub statements: Vec<Stmt>,
    pub chain: Expr,
    /// The type of the items, if these are values.
    pub item: Option<Type>,
}

/// How a function takes `self`.
#[derive(Clone, Copy)]
pub enum By {
    Value,
    Reference { mutable: bool },
}

impl Body {
    /// That of a closure.
    pub fn of_closure(
        parameters: Vec<(PatIdent, Type)>,
        statements: Vec<Stmt>,
        chain: Expr,
    ) -> Self {
        Self {
            receiver: None,
            parameters,
            generics: Vec::new(),
            of_block: Vec::new(),
            statements,
            chain,
            item: None,
        }
    }

    /// That of a function which `sugar::returned` has written anew, and of which nothing else is written anew.
    pub fn of(signature: &Signature, body: &Block, block: &Generics) -> Option<Self> {
        let mut statements = Vec::new();
        let chain = split(body, &mut statements)?;
        let is_plain = |statement: &Stmt| !matches!(statement, Stmt::Item(_));
        if !statements.iter().all(is_plain) {
            return None;
        }
        let (mut receiver, mut parameters, mut item) = (None, Vec::new(), None);
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(of) if of.mutability.is_some() => return None,
                FnArg::Receiver(of) => {
                    receiver = Some(match &of.kind {
                        ReceiverKind::Reference(_, _, mutability) => By::Reference {
                            mutable: mutability.is_some(),
                        },
                        ReceiverKind::Typed(_, ty) if let Type::Reference(ty) = &**ty => {
                            By::Reference {
                                mutable: ty.mutability.is_some(),
                            }
                        }
                        _ => By::Value,
                    });
                }
                FnArg::Typed(typed) => {
                    let Pat::Ident(name) = &*typed.pat else {
                        return None;
                    };
                    match returned::name_of(input) {
                        None => parameters.push((name.clone(), (*typed.ty).clone())),
                        Some(added) if *added == EACH => item = item_of(&typed.ty, signature),
                        Some(_) => return None,
                    }
                }
            }
        }
        let parameters_of = |generics: &Generics| {
            generics
                .params
                .iter()
                .filter(|it| !is_lifetime(it))
                .cloned()
                .collect()
        };
        Some(Self {
            receiver,
            parameters,
            generics: parameters_of(&signature.generics),
            of_block: parameters_of(block),
            statements,
            chain,
            item,
        })
    }
}

/// The chain that a body visits at its end, and the statements before, with those whose `let` is a `match` of the rest.
fn split(body: &Block, statements: &mut Vec<Stmt>) -> Option<Expr> {
    let (last, before) = body.stmts.split_last()?;
    statements.extend(before.iter().cloned());
    match last {
        Stmt::Expr(Expr::ForLoop(visited), None) => Some((*visited.expr).clone()),
        Stmt::Expr(Expr::Match(choice), None) => {
            let ([arm], value) = (&*choice.arms, &choice.expr) else {
                return None;
            };
            let (pattern, Expr::Block(inner)) = (&arm.pat, &*arm.body) else {
                return None;
            };
            let span = pattern.span();
            statements.push(parse_quote_spanned!(span=> let #pattern = #value;));
            split(&inner.block, statements)
        }
        _ => None,
    }
}

fn is_lifetime(parameter: &GenericParam) -> bool {
    matches!(parameter, GenericParam::Lifetime(_))
}

/// The type of the one value that what is done with each item is given.
fn item_of(ty: &Type, signature: &Signature) -> Option<Type> {
    let bounds = match ty {
        Type::ImplTrait(of) => &of.bounds,
        Type::Path(path) => {
            let mut parameters = signature.generics.type_params();
            &parameters.find(|it| path.path.is_ident(&it.ident))?.bounds
        }
        _ => return None,
    };
    let inputs = bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(bound) => match &bound.path.segments.last()?.arguments {
            PathArguments::Parenthesized(given) => Some(&given.inputs),
            _ => None,
        },
        _ => None,
    })?;
    match inputs.first().map(|input| &input.ty) {
        Some(ty) if inputs.len() == 1 && !has_reference(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// Whether a type has a reference in it.
pub fn has_reference(ty: &Type) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_type_reference(&mut self, _: &syn::TypeReference) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_type(ty);
    search.0
}

/// Whether a type is one that a closure does not say.
pub fn is_unsaid(ty: &Type) -> bool {
    matches!(ty, Type::Infer(_))
}
