//! Patterns of the host version: the types of their names, and names that rustc cannot take for
//! constants.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Arm, Expr, ExprMatch, LocalInit, Pat, PatType, Stmt, Token, Type, parse_quote_spanned,
    spanned::Spanned,
};

use super::{host_version::HostVersion, types};
use crate::{
    infer::{Ty, Typed, is_told_by_value},
    iterate::is_tested,
    sugar::is_of_matches,
    visit::{self, Visit, VisitMut},
};

/// The names of a pattern.
struct Names<'a>(Vec<&'a syn::PatIdent>);

impl<'a> Visit<'a> for Names<'a> {
    fn visit_pat_ident(&mut self, ident: &'a syn::PatIdent) {
        self.0.push(ident);
        visit::visit_pat_ident(self, ident);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// `name` becomes `name @ _` in a pattern that may fail: there, rustc would read the
/// name of a constant that kernels do not see as the constant.
pub(super) struct Unmistakable<'a>(pub(super) &'a Typed);

impl VisitMut for Unmistakable<'_> {
    fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
        let span = ident.ident.span();
        let is_constant = self.0.of(&*ident).path.is_some();
        if let Some((_, part)) = &mut ident.subpat {
            self.visit_pat_mut(part);
        } else if !is_constant {
            ident.subpat = Some((Token![@](span), parse_quote_spanned!(span=> _)));
        }
    }

    /// A name for a field of that name has to be written out.
    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        let span = field.pat.span();
        field.colon_token.get_or_insert(Token![:](span));
        self.visit_pat_mut(&mut field.pat);
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

/// Writes its type behind a pattern.
pub(super) fn say_type(pattern: &mut Pat, ty: TokenStream) {
    let colon_token = Token![:](pattern.span());
    let bare = std::mem::replace(pattern, Pat::Verbatim(TokenStream::new()));
    *pattern = Pat::Type(PatType {
        attrs: Vec::new(),
        pat: Box::new(bare),
        colon_token,
        ty: Box::new(Type::Verbatim(ty)),
    });
}

impl HostVersion<'_> {
    /// The type of a variable, by the pattern that declares it.
    pub(super) fn name_type(&self, ident: &syn::PatIdent) -> Option<TokenStream> {
        let local = self.function.typed.of(ident).local?;
        let ty = &self.function.typed.locals[local.0 as usize].ty;
        types::written(self.program, self.function, ty)
    }

    /// The type of a pattern, from the types of its variables.
    pub(super) fn pattern_type(&self, pattern: &Pat) -> Option<TokenStream> {
        match pattern {
            Pat::Ident(ident) => self.name_type(ident),
            Pat::Paren(paren) => self.pattern_type(&paren.pat),
            _ if is_told_by_value(pattern) => None,
            Pat::Tuple(tuple) => {
                let parts = tuple
                    .elems
                    .iter()
                    .map(|part| self.pattern_type(part).unwrap_or_else(|| quote!(_)));
                Some(quote!((#(#parts,)*)))
            }
            Pat::Slice(slice) => {
                let part = slice
                    .elems
                    .iter()
                    .find_map(|part| self.pattern_type(part))?;
                let length = slice.elems.len();
                Some(quote!([#part; #length]))
            }
            _ => None,
        }
    }

    /// The type of what a `let` takes apart.
    pub(super) fn taken_type(
        &self,
        pattern: &Pat,
        init: Option<&LocalInit>,
    ) -> Option<TokenStream> {
        let of = init.and_then(|init| self.function.typed.of(&init.expr).ty.as_ref());
        // A name for a part is a reference then, and the part none.
        if of.is_some_and(Ty::is_side_by_side) {
            return None;
        }
        let Some(ty) = of.filter(|_| is_told_by_value(pattern)) else {
            return self.pattern_type(pattern);
        };
        types::written(self.program, self.function, ty)
    }

    /// Has a `match` whose only arm is known to match leave nothing out for rustc.
    pub(super) fn sure(&self, choice: &mut ExprMatch) {
        let attributes = choice.attrs.len();
        choice.attrs.retain(|attribute| !is_tested(attribute));
        if choice.attrs.len() < attributes {
            choice
                .arms
                .push(parse_quote_spanned! {choice.match_token.span=>
                    #[allow(unreachable_patterns)]
                    _ => ::core::unreachable!(),
                });
        }
    }

    /// What a `match` takes apart: a value, a reference, or several of these side by side.
    pub(super) fn taken_apart(&mut self, value: &mut Expr) {
        let are_several = self.function.typed.ty(&*value).is_side_by_side();
        match value {
            Expr::Tuple(tuple) if are_several => {
                let parts = tuple.elems.iter_mut();
                parts.for_each(|part| self.taken_apart(part));
            }
            value => self.argument(value, false),
        }
    }

    /// Statements that say the types of a pattern's names.
    pub(super) fn declared_types(&self, pattern: &Pat) -> Vec<Stmt> {
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        let declared = names.0.into_iter().filter_map(|ident| {
            let (ty, name) = (self.name_type(ident)?, &ident.ident);
            Some(parse_quote_spanned!(name.span()=> let _: &#ty = &#name;))
        });
        declared.collect()
    }

    /// An arm of a `match`: its names' types, said once where rustc checks them.
    pub(super) fn arm(&mut self, arm: &mut Arm) {
        let declared = self.declared_types(&arm.pat);
        arm.attrs.retain(|attribute| !is_of_matches(attribute));
        if let Pat::Guard(guarded) = &mut arm.pat {
            self.visit_expr_mut(&mut guarded.guard);
        }
        Unmistakable(&self.function.typed).visit_pat_mut(&mut arm.pat);
        self.visit_expr_mut(&mut arm.body);
        match &mut *arm.body {
            _ if declared.is_empty() => {}
            Expr::Block(body) if body.label.is_none() => {
                body.block.stmts.splice(..0, declared);
            }
            body => {
                let span = body.span();
                *body = parse_quote_spanned!(span=> { #(#declared)* #body });
            }
        }
    }
}
