//! Parts of bodies under `#[cfg(..)]`, as ones that rustc chooses by `cfg!`, which kernels have as a constant.
//!
//! ```text
//! #[cfg(a)] { .. }                                       if cfg!(a) { .. }
//! #[cfg(a)] let x = 1; #[cfg(not(a))] let x = 2;         let x = if cfg!(a) { 1 } else { 2 };
//! #[cfg(a)] let x = 1;                                   let x = if cfg!(a) { 1 } else { x };
//! P { #[cfg(a)] x: 1, #[cfg(not(a))] x: 2 }              P { x: if cfg!(a) { 1 } else { 2 } }
//! #[cfg(a)] pattern if b => value                        pattern if cfg!(a) && b => value
//! ```
//!
//! So what is left out has to type-check, too, and arms under a condition do not count where rustc proves that
//! none is missing. Left to inference, which refuses them, are conditions on everything else, and on a `let` of
//! a name that has no value before.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Arm, AttrStyle, Attribute, Block, Expr, ExprStruct, FieldValue, FnArg, Ident, ItemFn, Local,
    Meta, Pat, Stmt, Token, parse_quote_spanned, spanned::Spanned,
};

use super::guarded;
use crate::{
    iterate::{both, pattern_of},
    visit::{self, VisitMut},
};

/// Rewrites the parts of a function that are there under a condition.
pub fn rewrite(item: &mut ItemFn) {
    let parameters = item.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => declared(&typed.pat),
        FnArg::Receiver(_) => None,
    });
    let declared = parameters.cloned().collect();
    Conditional { declared }.visit_block_mut(&mut item.block);
}

struct Conditional {
    /// The variables that have a value.
    declared: Vec<Ident>,
}

impl VisitMut for Conditional {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let around = self.declared.len();
        let mut statements = std::mem::take(&mut block.stmts).into_iter().peekable();
        while let Some(mut statement) = statements.next() {
            let either = statements.peek().and_then(|next| either(&statement, next));
            if let Some(either) = either {
                statements.next();
                statement = either;
            } else if let Some(chosen) = chosen(&statement) {
                statement = chosen;
            } else if let Stmt::Local(local) = &mut statement {
                self.redeclare(local);
            }
            self.visit_stmt_mut(&mut statement);
            if let Stmt::Local(local) = &statement {
                self.declared.extend(declared(&local.pat).cloned());
            }
            block.stmts.push(statement);
        }
        self.declared.truncate(around);
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        if let Some(condition) = taken(&mut arm.attrs) {
            let (pattern, guard) = pattern_of(arm);
            let (pattern, span) = (pattern.clone(), pattern.span());
            let condition = parse_quote_spanned!(span=> ::core::cfg!(#condition));
            let guard = match guard {
                Some((_, guard)) => both(condition, guard.clone(), span),
                None => condition,
            };
            arm.pat = guarded(pattern, Token![if](span), guard);
        }
        visit::visit_arm_mut(self, arm);
    }

    fn visit_expr_struct_mut(&mut self, of: &mut ExprStruct) {
        if of.fields.iter().any(|field| !field.attrs.is_empty()) {
            let mut fields = std::mem::take(&mut of.fields).into_iter().peekable();
            while let Some(mut field) = fields.next() {
                if let Some(either) = fields.peek().and_then(|next| either_field(&field, next)) {
                    fields.next();
                    field = either;
                }
                of.fields.push_value(field);
                of.fields.push_punct(Token![,](of.brace_token.span.close()));
            }
        }
        visit::visit_expr_struct_mut(self, of);
    }
}

impl Conditional {
    /// A declaration of a name that keeps its value where the declaration is not there.
    fn redeclare(&self, local: &mut Local) {
        let mut plain = local.clone();
        let name = declared(&local.pat).filter(|name| self.declared.contains(name));
        let init = plain.init.as_mut().filter(|init| init.diverge.is_none());
        let (Some(name), Some(init), Some(condition)) = (name, init, taken(&mut plain.attrs))
        else {
            return;
        };
        let (span, value) = (init.expr.span(), &init.expr);
        *init.expr =
            parse_quote_spanned!(span=> if ::core::cfg!(#condition) { #value } else { #name });
        *local = plain;
    }
}

/// The name that a pattern is.
pub(super) fn declared(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => Some(&name.ident),
        Pat::Type(typed) => declared(&typed.pat),
        _ => None,
    }
}

/// A statement that does something, under a condition.
fn chosen(statement: &Stmt) -> Option<Stmt> {
    let mut plain = statement.clone();
    let attributes = match &mut plain {
        Stmt::Macro(call) => &mut call.attrs,
        Stmt::Expr(expr, _) => attributes_of(expr)?,
        _ => return None,
    };
    let condition = taken(attributes)?;
    let span = statement.span();
    Some(parse_quote_spanned!(span=> if ::core::cfg!(#condition) { #plain }))
}

/// Two declarations of a name, one of which is there.
fn either(one: &Stmt, other: &Stmt) -> Option<Stmt> {
    let (Stmt::Local(one), Stmt::Local(other)) = (one, other) else {
        return None;
    };
    let (mut one, mut other) = (one.clone(), other.clone());
    let first = opposite(&mut one.attrs, &mut other.attrs)?;
    if text(&one.pat) != text(&other.pat) {
        return None;
    }
    let value = other.init.filter(|init| init.diverge.is_none())?.expr;
    let init = one.init.as_mut().filter(|init| init.diverge.is_none())?;
    let (span, own) = (init.expr.span(), &init.expr);
    *init.expr = parse_quote_spanned!(span=> if ::core::cfg!(#first) { #own } else { #value });
    Some(Stmt::Local(one))
}

/// Two values of a field, one of which is there.
fn either_field(one: &FieldValue, other: &FieldValue) -> Option<FieldValue> {
    let (mut one, mut other) = (one.clone(), other.clone());
    let first = opposite(&mut one.attrs, &mut other.attrs)?;
    if one.member != other.member {
        return None;
    }
    let (span, own, value) = (one.expr.span(), &one.expr, &other.expr);
    one.expr = parse_quote_spanned!(span=> if ::core::cfg!(#first) { #own } else { #value });
    one.colon_token.get_or_insert_with(|| Token![:](span));
    Some(one)
}

/// Takes the conditions out of the attributes of two, of which always one is there; gives that of the first.
fn opposite(one: &mut Vec<Attribute>, other: &mut Vec<Attribute>) -> Option<TokenStream> {
    let (first, second) = (taken(one)?, taken(other)?);
    let is_not = |of: &TokenStream, not: &TokenStream| text(not) == format!("not({})", text(of));
    (is_not(&first, &second) || is_not(&second, &first)).then_some(first)
}

/// Tokens without spaces, to compare them.
fn text(tokens: &impl ToTokens) -> String {
    tokens
        .to_token_stream()
        .to_string()
        .split_whitespace()
        .collect()
}

/// Takes the condition out of attributes, if there is one.
fn taken(attributes: &mut Vec<Attribute>) -> Option<TokenStream> {
    let is_condition = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && matches!(attribute.style, AttrStyle::Outer)
    };
    let position = attributes.iter().position(is_condition)?;
    let Meta::List(condition) = attributes.remove(position).meta else {
        return None;
    };
    Some(condition.tokens)
}

/// The attributes of an expression on which Rust has them as a statement's.
fn attributes_of(expr: &mut Expr) -> Option<&mut Vec<Attribute>> {
    Some(match expr {
        Expr::Block(expr) => &mut expr.attrs,
        Expr::Break(expr) => &mut expr.attrs,
        Expr::Call(expr) => &mut expr.attrs,
        Expr::Continue(expr) => &mut expr.attrs,
        Expr::ForLoop(expr) => &mut expr.attrs,
        Expr::If(expr) => &mut expr.attrs,
        Expr::Loop(expr) => &mut expr.attrs,
        Expr::Macro(expr) => &mut expr.attrs,
        Expr::Match(expr) => &mut expr.attrs,
        Expr::MethodCall(expr) => &mut expr.attrs,
        Expr::Return(expr) => &mut expr.attrs,
        Expr::While(expr) => &mut expr.attrs,
        _ => return None,
    })
}
