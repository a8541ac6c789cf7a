//! `ref` and `@` in patterns: `let (ref a, _) = pair;` as `let (a, _) = &pair;`, the same in `match`, and
//! `let p @ (a, b) = pair;` as `let p = pair; let (a, b) = p;`. Tuples of references, which are no values, are
//! taken apart where they are written.
//!
//! Left to inference, which refuses them, are patterns that bind some names by `ref` and others not, and both
//! in parameters and loops.

use syn::{
    Expr, ExprMatch, Local, Pat, PatIdent, Stmt, parse_quote_spanned, spanned::Spanned, token::Ref,
};

use crate::{
    iterate,
    language::name::is_type_name,
    visit::{self, Visit, VisitMut},
};

/// `match x { Some(ref a) => .. }` as `match &x { Some(a) => .. }`.
pub fn of_match(whole: &ExprMatch) -> Option<Expr> {
    let mut names = Names::default();
    whole.arms.iter().for_each(|arm| names.visit_pat(&arm.pat));
    let value = names.referred(&whole.expr)?;
    let mut whole = whole.clone();
    *whole.expr = value;
    let arms = whole.arms.iter_mut();
    arms.for_each(|arm| ByValue.visit_pat_mut(&mut arm.pat));
    Some(Expr::Match(whole))
}

/// `let (ref a, _) = x;` as `let (a, _) = &x;`.
pub fn of_local(local: &mut Local) {
    let mut names = Names::default();
    names.visit_pat(&local.pat);
    if let Some(init) = &mut local.init
        && let Some(value) = names.referred(&init.expr)
    {
        *init.expr = value;
        ByValue.visit_pat_mut(&mut local.pat);
    }
}

/// `let (a, b) = (&x, &y);` as a `let` for each. What stands on the right may have the names of the left.
pub fn of_references(local: &Local, names: &mut iterate::Names) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let (Pat::Tuple(patterns), Expr::Tuple(values)) = (&local.pat, &*init.expr) else {
        return None;
    };
    let are_parts = patterns.elems.len() == values.elems.len()
        && patterns
            .elems
            .iter()
            .all(|part| !matches!(part, Pat::Rest(_)))
        && values
            .elems
            .iter()
            .any(|value| matches!(value, Expr::Reference(_)) || names.known.is_reference(value));
    are_parts.then(|| {
        let (mut values, parts): (Vec<Stmt>, Vec<Stmt>) = patterns
            .elems
            .iter()
            .zip(&values.elems)
            .map(|(part, value)| -> (Stmt, Stmt) {
                let span = value.span();
                let name = names.fresh("part", span);
                (
                    parse_quote_spanned!(span=> let #name = #value;),
                    parse_quote_spanned!(span=> let #part = #name;),
                )
            })
            .unzip();
        values.extend(parts);
        values
    })
}

/// `let p @ (a, b) = x;` as `let p = x; let (a, b) = p;`.
pub fn apart(local: &Local) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref()?;
    let mut whole = local.clone();
    let mut inner = Inner(Vec::new());
    inner.visit_pat_mut(&mut whole.pat);
    if inner.0.is_empty() || init.diverge.is_some() {
        return None;
    }
    let mut statements = vec![Stmt::Local(whole)];
    for (name, part) in inner.0 {
        let statement: Stmt = parse_quote_spanned!(part.span()=> let #part = #name;);
        match &statement {
            Stmt::Local(local) if let Some(all) = apart(local) => statements.extend(all),
            _ => statements.push(statement),
        }
    }
    Some(statements)
}

/// How the names of patterns are bound.
#[derive(Default)]
struct Names {
    by_ref: Option<(Ref, bool)>,
    /// Whether there are others than those.
    is_mixed: bool,
}

impl Names {
    /// A reference to what is taken apart, if all names are bound by that.
    fn referred(&self, value: &Expr) -> Option<Expr> {
        let (by_ref, mutable) = self.by_ref.filter(|_| !self.is_mixed)?;
        let span = by_ref.span;
        match value {
            Expr::Reference(_) => None,
            value if mutable => Some(parse_quote_spanned!(span=> &mut #value)),
            value => Some(parse_quote_spanned!(span=> &#value)),
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, name: &'ast PatIdent) {
        match (name.by_ref, self.by_ref) {
            // It may be a constant.
            (None, _) if is_type_name(&name.ident.to_string()) => {}
            (Some(by_ref), None) => self.by_ref = Some((by_ref, name.mutability.is_some())),
            (Some(_), Some((_, mutable))) => self.is_mixed |= mutable != name.mutability.is_some(),
            (None, _) => self.is_mixed = true,
        }
        visit::visit_pat_ident(self, name);
    }
}

/// Binds names without `ref`.
struct ByValue;

impl VisitMut for ByValue {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(name) = pattern
            && name.by_ref.take().is_some()
        {
            name.mutability = None;
        }
        visit::visit_pat_mut(self, pattern);
    }
}

/// Takes what stands behind `@` out.
struct Inner(Vec<(syn::Ident, Pat)>);

impl VisitMut for Inner {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(name) = pattern
            && name.by_ref.is_none()
        {
            // `rest @ ..` is a part of its own.
            let part = name
                .subpat
                .take_if(|(_, part)| !matches!(**part, Pat::Rest(_)));
            let part = part.map(|(_, part)| (name.ident.clone(), *part));
            self.0.extend(part);
            return;
        }
        visit::visit_pat_mut(self, pattern);
    }
}
