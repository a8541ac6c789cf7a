//! Conditions with `let`: `if let`, `while let`, and chains of conditions, written as `match`es.
//!
//! ```text
//! if a && let P = x && b { .. } else { e }    if a { match x { P if b => .., _ => e } } else { e }
//! ```
//!
//! What is done otherwise stands behind each test. To stand there once it needs a labelled block
//! around it, from which unlabelled jumps would not lead out.

use proc_macro2::{Ident, Span};
use syn::{
    BinOp, Expr, ExprIf, ExprLet, ExprLoop, ExprMatch, ExprWhile, Lifetime, Pat, Stmt, Token,
    parse_quote_spanned,
};

use super::{block_of, choice, guarded};
use crate::{
    iterate::Names,
    visit::{self, Visit},
};

/// An `if` with a `let` as `match`es, if the expression is one.
pub fn branch(branch: &ExprIf, names: &mut Names) -> Option<Expr> {
    let span = branch.if_token.span;
    let links = links(&branch.cond);
    if !has_let(&links) {
        return None;
    }
    let otherwise: Expr = match &branch.else_branch {
        Some((_, otherwise)) => (**otherwise).clone(),
        None => parse_quote_spanned!(span=> {}),
    };
    let then = block_of(&branch.then_branch);
    let mut plain = match is_repeated(&links) && !jumps(&then) && !jumps(&otherwise) {
        true if branch.else_branch.is_some() => {
            let label = names.fresh("chain", span);
            once(&links, &then, &otherwise, label)
        }
        _ => nested(&links, &then, &otherwise, span),
    };
    if let Expr::Match(ExprMatch { attrs, .. }) | Expr::If(ExprIf { attrs, .. }) = &mut plain {
        attrs.clone_from(&branch.attrs);
    }
    Some(plain)
}

/// A `while` with a `let` as a `loop`, if the expression is one.
pub fn round(round: &ExprWhile) -> Option<Expr> {
    let span = round.while_token.span;
    let links = links(&round.cond);
    if !has_let(&links) {
        return None;
    }
    let leave: Expr = parse_quote_spanned!(span=> break);
    let body = nested(&links, &block_of(&round.body), &leave, span);
    Some(Expr::Loop(ExprLoop {
        attrs: round.attrs.clone(),
        label: round.label.clone(),
        loop_token: Token![loop](span),
        body: syn::Block {
            brace_token: round.body.brace_token,
            stmts: vec![Stmt::Expr(body, None)],
        },
    }))
}

/// The operands of `a && b && c`.
fn links(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            let mut all = links(&binary.left);
            all.extend(links(&binary.right));
            all
        }
        link => vec![link],
    }
}

fn has_let(links: &[&Expr]) -> bool {
    links.iter().any(|link| matches!(link, Expr::Let(_)))
}

/// Whether there is more than one test, behind which the other way stands.
fn is_repeated(links: &[&Expr]) -> bool {
    let mut rest = links;
    let mut count = 0;
    while let Some((_, _, behind)) = test(rest) {
        (rest, count) = (behind, count + 1);
    }
    count > 1
}

/// The first test of a chain: a `let` with the conditions that can be its guard, or the conditions
/// before the first `let`; and the rest of the chain.
fn test<'a, 'e>(
    links: &'a [&'e Expr],
) -> Option<(Option<&'e ExprLet>, &'a [&'e Expr], &'a [&'e Expr])> {
    let (first, rest) = links.split_first()?;
    let (test, conditions) = match first {
        Expr::Let(test) => (Some(test), rest),
        _ => (None, links),
    };
    // A guard is computed for each alternative that matches.
    let count = match test {
        Some(test) if has_alternatives(&test.pat) => 0,
        _ => conditions
            .iter()
            .take_while(|link| !matches!(link, Expr::Let(_)))
            .count(),
    };
    let (own, rest) = conditions.split_at(count);
    Some((test, own, rest))
}

/// The tests of a chain within each other.
fn nested(links: &[&Expr], then: &Expr, otherwise: &Expr, span: Span) -> Expr {
    let Some((test, conditions, rest)) = test(links) else {
        return then.clone();
    };
    let inner = nested(rest, then, otherwise, span);
    let all = conditions.iter().copied().cloned();
    let all = all.reduce(|one, other| parse_quote_spanned!(span=> #one && #other));
    match (test, all) {
        (Some(test), all) => {
            let pattern = match all {
                Some(guard) => guarded((*test.pat).clone(), Token![if](span), guard),
                None => (*test.pat).clone(),
            };
            Expr::Match(choice(&test.expr, &pattern, &inner, otherwise, span))
        }
        (None, Some(condition)) => {
            parse_quote_spanned!(span=> if #condition { #inner } else { #otherwise })
        }
        (None, None) => inner,
    }
}

/// The same, with the other way behind them.
fn once(links: &[&Expr], then: &Expr, otherwise: &Expr, label: Ident) -> Expr {
    let span = label.span();
    let label = Lifetime {
        apostrophe: span,
        ident: label,
    };
    // rustc warns of a bare block here.
    let then = parse_quote_spanned!(span=> break #label (#then));
    let nothing = parse_quote_spanned!(span=> {});
    let tests = nested(links, &then, &nothing, span);
    parse_quote_spanned!(span=> #label: { #tests #otherwise })
}

/// Whether a pattern has alternatives.
fn has_alternatives(pattern: &Pat) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_pat_or(&mut self, _: &syn::PatOr) {
            self.0 = true;
        }
    }
    let mut search = Search(false);
    search.visit_pat(pattern);
    search.0
}

/// Whether an expression has a jump out of it without a label.
fn jumps(expr: &Expr) -> bool {
    struct Search(bool);
    impl Visit<'_> for Search {
        fn visit_expr(&mut self, expr: &Expr) {
            match expr {
                Expr::Break(jump) if jump.label.is_none() => self.0 = true,
                Expr::Continue(jump) if jump.label.is_none() => self.0 = true,
                Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Closure(_) => {}
                expr => visit::visit_expr(self, expr),
            }
        }
        fn visit_item(&mut self, _: &syn::Item) {}
    }
    let mut search = Search(false);
    search.visit_expr(expr);
    search.0
}
