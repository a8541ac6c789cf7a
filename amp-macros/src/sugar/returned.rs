//! Functions that return an iterator or a closure, as functions that are given what is done with it.
//!
//! ```text
//! fn evens(n: u32) -> impl Iterator<Item = u32> {      fn evens(n: u32, mut each: impl FnMut(u32) -> bool) {
//!     (0..n).filter(|x| x % 2 == 0)                        for x in (0..n).filter(|x| x % 2 == 0) {
//! }                                                            if each(x) { return; }
//!                                                          }
//!                                                      }
//! fn scaler(k: f32) -> impl Fn(f32) -> f32 {           fn scaler(k: f32, x: f32) -> f32 { x * k }
//!     move |x| x * k
//! }
//! ```
//!
//! What is given returns whether it wants no more items. What stands before a closure is computed by each of
//! its calls. The host has the function as it is written; `iterate::called` writes the calls in kernels. Left
//! out are bodies that do not end with the iterator or the closure, and closures that change what they capture.

use std::{collections::HashSet, rc::Rc};

use amp_spirv::diagnostic::Code;
use proc_macro2::{Ident, Span};
use syn::{
    Block, Expr, ExprClosure, GenericArgument, ItemFn, Pat, PatIdent, PathArguments, ReturnType,
    Signature, Stmt, Type, TypeParamBound, parse_quote_spanned, spanned::Spanned,
};

use super::{taken, written_out};
use crate::{
    head::before_brace,
    iterate::{self, Called, bare},
    language::returned::{ARGUMENT, EACH, yields},
    report::Report,
    visit::{self, Elided, Leaves, Visit, VisitMut},
};

/// Writes a function so, if it returns an iterator or a closure at its end.
pub fn rewrite(function: &mut ItemFn) {
    let ReturnType::Type(_, output) = &function.sig.output else {
        return;
    };
    match returned(output) {
        Some(Returned::Iterator(item)) => {
            let output = (**output).clone();
            iterator(function, &item, &output);
        }
        Some(Returned::Closure(parameters, result)) => closure(function, parameters, result),
        None => {}
    }
}

/// Refuses an `impl Trait` that a function returns, or an iterator that it takes, and that is not written anew.
pub fn check(signature: &mut Signature, report: &mut Report) {
    taken::check(signature, report);
    if let ReturnType::Type(_, output) = &mut signature.output
        && let Type::ImplTrait(_) = &**output
    {
        report.error_help(
            Code::UnsupportedType,
            &**output,
            "the body does not end with an iterator or closure that kernels can return",
            "end with the chain, `(0..n).filter(f)`, as `impl Iterator<Item = T>`, or with the closure, \
             `move |x| ..`, as `impl Fn(A) -> B`: without `return` or a choice, and without a closure that \
             changes what it captures",
        );
        **output = parse_quote_spanned!(output.span()=> !);
    }
}

/// Rewrites what calls functions that return iterators and closures, if a function does.
pub fn rewrite_called(item: &mut ItemFn, called: &Rc<Called>) {
    if called.concerns(&item.block) || yields(&item.sig) {
        iterate::name_collected(item);
        let names = iterate::Names::with_called(item, called);
        written_out(&mut item.block, names);
    }
}

/// What an `impl Trait` names.
enum Returned {
    /// The type of an item.
    Iterator(Box<Type>),
    /// The types of the parameters and of the result.
    Closure(Vec<Type>, ReturnType),
}

fn returned(ty: &Type) -> Option<Returned> {
    let bounds = match ty {
        Type::Paren(paren) => return returned(&paren.elem),
        Type::Group(group) => return returned(&group.elem),
        Type::ImplTrait(of) => &of.bounds,
        _ => return None,
    };
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        match (&*last.ident.to_string(), &last.arguments) {
            (
                "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator",
                PathArguments::AngleBracketed(arguments),
            ) => arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::AssocType(item) if item.ident == "Item" => {
                    Some(Returned::Iterator(Box::new(item.ty.clone())))
                }
                _ => None,
            }),
            ("Fn" | "FnOnce", PathArguments::Parenthesized(of)) => {
                let parameters = of.inputs.iter().map(|input| input.ty.clone());
                Some(Returned::Closure(parameters.collect(), of.output.clone()))
            }
            _ => None,
        }
    })
}

fn iterator(function: &mut ItemFn, item: &Type, output: &Type) {
    let Some(chain) = ended(&function.block) else {
        return;
    };
    let span = chain.span().resolved_at(Span::mixed_site());
    let mut parts = match item {
        Type::Tuple(tuple) if tuple.elems.iter().any(is_reference) => {
            tuple.elems.iter().cloned().collect()
        }
        item => vec![item.clone()],
    };
    parts
        .iter_mut()
        .for_each(|part| Elided.visit_type_mut(part));
    let name = |position: usize| Ident::new(&format!("__amp_part_{position}"), span);
    let names: Vec<Ident> = (0..parts.len()).map(name).collect();
    let pattern: Pat = match &*names {
        [one] => parse_quote_spanned!(span=> #one),
        all => parse_quote_spanned!(span=> (#(#all),*)),
    };
    let each = Ident::new(EACH, span);
    let mut chain = before_brace(&chain);
    let mut changing = Changing::default();
    changing.visit_signature(&function.sig);
    changing.visit_block(&function.block);
    let mut seen = Seen::default();
    seen.visit_expr(&chain);
    // Copies of the iterator have copies of the variables.
    if !is_clone(output) {
        Alone {
            changing: changing.0,
            seen: seen.0,
        }
        .visit_expr_mut(&mut chain);
    }
    let visited: Stmt = parse_quote_spanned! {span=>
        for #pattern in #chain {
            if #each(#(#names),*) {
                return;
            }
        }
    };
    if let Some(last) = function.block.stmts.last_mut() {
        *last = visited;
    }
    let given = parse_quote_spanned!(span=> mut #each: impl FnMut(#(#parts),*) -> bool);
    function.sig.inputs.push(given);
    function.sig.output = ReturnType::Default;
}

fn closure(function: &mut ItemFn, parameters: Vec<Type>, result: ReturnType) {
    let Some(Expr::Closure(closure)) = ended(&function.block).map(|end| bare(&end).clone()) else {
        return;
    };
    let statements = function.block.stmts.split_last();
    let is_repeated = |statement: &Stmt| matches!(statement, Stmt::Local(_) | Stmt::Item(_));
    if closure.inputs.len() != parameters.len()
        || closure.asyncness.is_some()
        || !statements.is_some_and(|(_, before)| before.iter().all(is_repeated))
    {
        return;
    }
    let span = closure.body.span();
    function.block.stmts.pop();
    for (position, (input, mut ty)) in closure.inputs.iter().zip(parameters).enumerate() {
        Elided.visit_type_mut(&mut ty);
        let name = format!("{ARGUMENT}{position}");
        let name = Ident::new(&name, input.span().resolved_at(Span::mixed_site()));
        function
            .sig
            .inputs
            .push(parse_quote_spanned!(span=> #name: #ty));
        let given = parse_quote_spanned!(span=> let #input = #name;);
        function.block.stmts.push(given);
    }
    function.block.stmts.push(Stmt::Expr(*closure.body, None));
    function.sig.output = result;
}

/// Whether a type is `impl .. + Clone`.
fn is_clone(ty: &Type) -> bool {
    match ty {
        Type::Paren(paren) => is_clone(&paren.elem),
        Type::Group(group) => is_clone(&group.elem),
        Type::ImplTrait(of) => of.bounds.iter().any(|bound| {
            let TypeParamBound::Trait(bound) = bound else {
                return false;
            };
            let last = bound.path.segments.last();
            last.is_some_and(|last| last.ident == "Clone")
        }),
        _ => false,
    }
}

/// The variables that may change.
#[derive(Default)]
struct Changing(HashSet<String>);

impl Visit<'_> for Changing {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        if pattern.mutability.is_some() {
            self.0.insert(pattern.ident.to_string());
        }
        visit::visit_pat_ident(self, pattern);
    }
}

/// The variables that each closure mentions, those of the closures in it among them.
#[derive(Default)]
struct Seen(Vec<HashSet<String>>);

impl Visit<'_> for Seen {
    fn visit_expr_closure(&mut self, f: &ExprClosure) {
        self.0.push(iterate::mentioned_by(f));
        visit::visit_expr_closure(self, f);
    }
}

/// Takes `move` out of closures that share no variable that changes: what they have moved, nothing else sees.
struct Alone {
    changing: HashSet<String>,
    seen: Vec<HashSet<String>>,
}

impl VisitMut for Alone {
    fn visit_expr_closure_mut(&mut self, f: &mut ExprClosure) {
        let is_shared = |name: &String| self.seen.iter().filter(|it| it.contains(name)).count() > 1;
        let mentioned = iterate::mentioned_by(f);
        if !mentioned.intersection(&self.changing).any(is_shared) {
            f.capture = None;
        }
        visit::visit_expr_closure_mut(self, f);
    }
}

/// What a body ends with, if nothing leaves it before.
fn ended(body: &Block) -> Option<Expr> {
    let Some(Stmt::Expr(end, None)) = body.stmts.last() else {
        return None;
    };
    let mut leaves = Leaves::default();
    leaves.visit_block(body);
    let is_block = matches!(
        end,
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) | Expr::Loop(_)
    );
    (!leaves.0 && !is_block).then(|| end.clone())
}

fn is_reference(ty: &Type) -> bool {
    match ty {
        Type::Paren(paren) => is_reference(&paren.elem),
        Type::Group(group) => is_reference(&group.elem),
        ty => matches!(ty, Type::Reference(_)),
    }
}
