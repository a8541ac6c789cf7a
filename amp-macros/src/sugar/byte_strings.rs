//! Strings of bytes as the arrays that they are, and as patterns of these.
//!
//! ```text
//! b"ab"              &[97_u8, 98_u8]
//! b"ab".len()        [97_u8, 98_u8].len()
//! match line { b"ab" => x, .. }      match line { [97_u8, 98_u8] => x, .. }
//! ```
//!
//! Left out are those of constants, which rustc computes.

use proc_macro2::Literal;
use syn::{
    Block, Expr, ExprLit, Item, Lit, LitByteStr, Pat, Token, UnOp, parse_quote_spanned,
    punctuated::Punctuated, token::Bracket,
};

use crate::{
    iterate::bare,
    visit::{self, VisitMut},
};

/// Rewrites a body.
pub fn rewrite(body: &mut Block) {
    ByteStrings.visit_block_mut(body);
}

struct ByteStrings;

impl VisitMut for ByteStrings {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Index(index) => behind(&mut index.expr),
            Expr::MethodCall(call) if call.method != "into_iter" => behind(&mut call.receiver),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                if let Some(string) = string(&unary.expr) {
                    *expr = array(string);
                }
            }
            Expr::Lit(ExprLit {
                lit: Lit::ByteStr(string),
                ..
            }) => {
                let array = array(string);
                *expr = parse_quote_spanned!(string.span()=> &#array);
            }
            _ => {}
        }
        visit::visit_expr_mut(self, expr);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Lit(literal) = pattern
            && let Lit::ByteStr(string) = &literal.lit
        {
            let span = string.span();
            let byte = |byte: u8| -> Pat {
                let byte = Literal::u8_suffixed(byte);
                parse_quote_spanned!(span=> #byte)
            };
            *pattern = Pat::Slice(syn::PatSlice {
                attrs: Vec::new(),
                bracket_token: Bracket(span),
                elems: string.value().into_iter().map(byte).collect(),
            });
        }
        visit::visit_pat_mut(self, pattern);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_expr_const_mut(&mut self, _: &mut syn::ExprConst) {}
}

/// Writes the array for a string, where what it is behind the reference is meant.
fn behind(expr: &mut Expr) {
    if let Some(string) = string(expr) {
        *expr = array(string);
    }
}

fn string(expr: &Expr) -> Option<&LitByteStr> {
    match bare(expr) {
        Expr::Lit(ExprLit {
            lit: Lit::ByteStr(string),
            ..
        }) => Some(string),
        _ => None,
    }
}

fn array(string: &LitByteStr) -> Expr {
    let span = string.span();
    let bytes = string.value().into_iter().map(Literal::u8_suffixed);
    let bytes: Punctuated<Literal, Token![,]> = bytes.collect();
    match bytes.is_empty() {
        // Kernels have no arrays without elements.
        true => parse_quote_spanned!(span=> [0_u8; 1][..0]),
        false => parse_quote_spanned!(span=> [#bytes]),
    }
}
