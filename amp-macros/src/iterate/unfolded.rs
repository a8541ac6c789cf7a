//! Calls of functions that return iterators where items are taken out of these one by one: as what the function does
//! and the chain that it ends with.
//!
//! ```text
//! fn multiples(k: u32) -> impl Iterator<Item = u32> {       let k_1: u32 = 3; let step_1 = k_1 * 2;
//!     let step = k * 2;                                     let mut it = (0..9).map(move |x| x * step_1);
//!     (0..9).map(move |x| x * step)
//! }
//! let mut it = multiples(3);
//! ```
//!
//! The variables get names that nothing else has, and the arguments are computed before. Left out are functions of other
//! modules, whose names may mean something else here, and bodies that mention type parameters that the call does not
//! write.

use std::collections::{HashMap, HashSet};

use proc_macro2::Ident;
use syn::{
    Expr, GenericArgument, GenericParam, Local, Pat, PatIdent, PathArguments, Stmt, Type,
    parse_quote_spanned, spanned::Spanned,
};

use super::{
    Names, bare,
    body::{Body, By, is_unsaid},
    recognise,
    sources::{INTO_ITER, function_of_iter},
};
use crate::visit::{self, Elided, Renamed, Visit, VisitMut};

/// How many calls of a function are unfolded: one that returns itself would never end.
const MOST: usize = 200;

impl Names {
    /// The `let` of an iterator that a function returns, with what the function does before.
    pub fn unfolded_local(&mut self, local: &Local) -> Option<Vec<Stmt>> {
        let (Pat::Ident(_), Some(init)) = (&local.pat, &local.init) else {
            return None;
        };
        if init.diverge.is_some() {
            return None;
        }
        let (depth, call) = self.unfolding(&init.expr)?;
        let (mut statements, chain) = self.unfold(&call)?;
        let mut local = local.clone();
        if let Some(init) = &mut local.init {
            let mut whole = without_into_iter(&init.expr).clone();
            replace(&mut whole, depth, chain);
            *init.expr = whole;
        }
        statements.push(Stmt::Local(local));
        Some(statements)
    }

    /// Whether an expression is a chain of what a function returns that is unfolded.
    pub(super) fn is_unfolded(&self, expr: &Expr) -> bool {
        self.unfolding(expr).is_some()
    }

    /// The call that a chain begins with, if it is unfolded, and how many methods are called on it.
    fn unfolding(&self, expr: &Expr) -> Option<(usize, Expr)> {
        let expr = bare(without_into_iter(expr));
        let (chain, last) = match expr {
            Expr::MethodCall(call) if call.args.is_empty() && call.method == "peekable" => {
                (&*call.receiver, 1)
            }
            chain => (chain, 0),
        };
        let (source, adapters) = recognise(chain, self)?;
        if self.body_of_closure(source).is_none() {
            self.iterator_of_call(source)?;
            self.body_of_call(source)?;
        }
        Some((adapters.len() + last, source.clone()))
    }

    /// What a function does before it returns an iterator, and the chain that this is.
    pub(super) fn unfold(&mut self, call: &Expr) -> Option<(Vec<Stmt>, Expr)> {
        self.unfolded += 1;
        let body = self
            .body_of_closure(call)
            .or_else(|| self.body_of_call(call));
        let body = body.filter(|_| self.unfolded < MOST)?;
        let (mut arguments, turbofish) = match bare(call) {
            Expr::Call(call) => {
                let Expr::Path(path) = bare(&call.func) else {
                    return None;
                };
                let last = path.path.segments.last()?;
                let written = match &last.arguments {
                    PathArguments::AngleBracketed(arguments) => Some(arguments.clone()),
                    _ => None,
                };
                (call.args.iter().cloned().collect::<Vec<_>>(), written)
            }
            Expr::MethodCall(call) => {
                let receiver = std::iter::once(&*call.receiver);
                let all = receiver.chain(&call.args).cloned().collect();
                (all, call.turbofish.clone())
            }
            _ => return None,
        };
        let of_self = body.receiver.filter(|_| !arguments.is_empty());
        let of_self = of_self.map(|by| (by, arguments.remove(0)));
        if let (Some((By::Reference { .. }, this)), Expr::Call(_)) = (&of_self, bare(call))
            && !matches!(bare(this), Expr::Reference(_))
        {
            return None;
        }
        let mut given = HashMap::new();
        let written = turbofish.into_iter().flat_map(|it| it.args);
        let written = written.filter(|it| !matches!(it, GenericArgument::Lifetime(_)));
        for (parameter, argument) in body.generics.iter().zip(written) {
            given.insert(name_of(parameter)?.to_string(), argument);
        }
        let mut lengths = HashMap::new();
        for (name, ty) in &body.parameters {
            lengths.extend(length_of(ty).map(|length| (length.to_string(), name.ident.clone())));
        }
        let mut open: HashSet<String> = HashSet::new();
        let all = body.generics.iter().chain(&body.of_block);
        open.extend(all.filter_map(name_of).map(Ident::to_string));
        open.retain(|name| !given.contains_key(name));
        let span = call.span();
        let mut written = Written {
            given,
            lengths,
            open: &open,
            left: false,
        };
        let mut statements = body.statements.clone();
        let mut chain = body.chain.clone();
        statements
            .iter_mut()
            .for_each(|it| written.visit_stmt_mut(it));
        written.visit_expr_mut(&mut chain);
        if std::mem::take(&mut written.left) {
            return None;
        }
        let renamed = self.owned(&body, &mut statements, &mut chain);
        let mut declared = Vec::new();
        if let Some((by, this)) = of_self {
            let name = renamed.fresh(&Ident::new("self", span))?;
            let this = match bare(&this) {
                Expr::Reference(reference) if matches!(bare(call), Expr::Call(_)) => {
                    (*reference.expr).clone()
                }
                this => this.clone(),
            };
            let is_reference = self.known.is_reference(&this);
            declared.push(match by {
                By::Value => parse_quote_spanned!(span=> let #name = #this;),
                By::Reference { mutable: false } if is_reference => {
                    parse_quote_spanned!(span=> let #name = #this;)
                }
                By::Reference { mutable: false } => {
                    parse_quote_spanned!(span=> let #name = &#this;)
                }
                By::Reference { mutable: true } if is_reference => {
                    parse_quote_spanned!(span=> let #name = &mut *#this;)
                }
                By::Reference { mutable: true } => {
                    parse_quote_spanned!(span=> let #name = &mut #this;)
                }
            });
        }
        for ((name, ty), argument) in body.parameters.iter().zip(arguments) {
            let (mut name, mut ty) = (Pat::Ident(name.clone()), ty.clone());
            let mut renamed = Renamed(renamed.0.clone());
            renamed.visit_pat_mut(&mut name);
            Elided.visit_type_mut(&mut ty);
            written.visit_type_mut(&mut ty);
            written.left |= is_unsaid(&ty);
            declared.push(match std::mem::take(&mut written.left) {
                true => parse_quote_spanned!(span=> let #name = #argument;),
                false => parse_quote_spanned!(span=> let #name: #ty = #argument;),
            });
        }
        if let Some(mut ty) = body.item.clone() {
            written.visit_type_mut(&mut ty);
            if !std::mem::take(&mut written.left) {
                let item = self.fresh("item", span);
                chain = parse_quote_spanned!(span=> (#chain).map(|#item: #ty| #item));
            }
        }
        declared.extend(statements);
        Some((declared, chain))
    }

    /// Gives `self`, the parameters, and the variables that the statements declare, names of their own.
    fn owned(&mut self, body: &Body, statements: &mut [Stmt], chain: &mut Expr) -> Renamed {
        let mut bound = Bound::default();
        let parameters = body.parameters.iter();
        parameters.for_each(|(name, _)| bound.visit_pat_ident(name));
        statements.iter().for_each(|it| bound.visit_stmt(it));
        let mut renamed = Renamed(Vec::new());
        for name in &bound.names {
            let fresh = self.fresh(&format!("of_{name}"), name.span());
            if bound.changing.contains(name) {
                self.known.note_mutable(&fresh);
            }
            renamed.0.push((name.clone(), fresh));
        }
        // A closure has the receiver of the function around it.
        if body.receiver.is_some() {
            let this = Ident::new("self", chain.span());
            let fresh = self.fresh("of_self", chain.span());
            renamed.0.push((this, fresh));
        }
        statements
            .iter_mut()
            .for_each(|it| renamed.visit_stmt_mut(it));
        renamed.visit_expr_mut(chain);
        renamed
    }
}

fn name_of(parameter: &GenericParam) -> Option<&Ident> {
    match parameter {
        GenericParam::Type(of) => Some(&of.ident),
        GenericParam::Const(of) => Some(&of.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// The argument of what makes an iterator of anything.
fn without_into_iter(expr: &Expr) -> &Expr {
    match function_of_iter(bare(expr)) {
        Some((INTO_ITER, arguments)) => arguments.first().copied().unwrap_or(expr),
        _ => expr,
    }
}

/// Puts a chain in the place of what so many methods are called on.
fn replace(expr: &mut Expr, depth: usize, chain: Expr) {
    match expr {
        Expr::Paren(paren) => replace(&mut paren.expr, depth, chain),
        Expr::Group(group) => replace(&mut group.expr, depth, chain),
        Expr::MethodCall(call) if depth > 0 => replace(&mut call.receiver, depth - 1, chain),
        expr => *expr = chain,
    }
}

/// The constant parameter that is the length of an array.
fn length_of(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Reference(reference) => length_of(&reference.elem),
        Type::Array(array) => match &array.len {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        },
        _ => None,
    }
}

/// The parameters of types as what the call has for them.
struct Written<'a> {
    given: HashMap<String, GenericArgument>,
    /// The parameters that are arrays of these lengths.
    lengths: HashMap<String, Ident>,
    open: &'a HashSet<String>,
    /// Whether one has been found that the call does not write.
    left: bool,
}

impl VisitMut for Written<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = &*expr
            && let Some(name) = path.path.get_ident()
        {
            let (span, key) = (name.span(), name.to_string());
            let argument = match self.given.get(&key) {
                Some(GenericArgument::Const(value)) => Some(value.clone()),
                Some(GenericArgument::Type(Type::Path(value))) => {
                    Some(parse_quote_spanned!(span=> #value))
                }
                _ => self
                    .lengths
                    .get(&key)
                    .map(|array| parse_quote_spanned!(span=> #array.len())),
            };
            if let Some(argument) = argument {
                *expr = argument;
                return;
            }
        }
        visit::visit_expr_mut(self, expr);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = &*ty
            && let Some(name) = path.path.get_ident()
            && let Some(GenericArgument::Type(given)) = self.given.get(&name.to_string())
        {
            *ty = given.clone();
            return;
        }
        self.left |= matches!(ty, Type::ImplTrait(_));
        // The length of an array is no constant.
        let lengths = std::mem::take(&mut self.lengths);
        visit::visit_type_mut(self, ty);
        self.lengths = lengths;
    }

    fn visit_ident_mut(&mut self, name: &mut Ident) {
        self.left |= self.open.contains(&name.to_string());
    }
}

/// The variables that statements declare, and those that may change.
#[derive(Default)]
struct Bound {
    names: Vec<Ident>,
    changing: Vec<Ident>,
}

impl Visit<'_> for Bound {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        let name = &pattern.ident;
        let is_constant = name.to_string().starts_with(char::is_uppercase);
        if !is_constant && !self.names.contains(name) {
            self.names.push(name.clone());
        }
        if pattern.mutability.is_some() {
            self.changing.push(name.clone());
        }
        visit::visit_pat_ident(self, pattern);
    }
}
