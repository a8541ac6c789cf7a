//! `ref` and `@` in patterns: `let (ref a, _) = pair;` as `let (a, _) = &pair;`, the same in `match`, and
//! `let (A(x) | B(x)) = e;` as a `match`, `let p @ (a, b) = pair;` as `let p = pair; let (a, b) = p;`, `let (a, b);` as `let a; let b;`. Tuples of references, which are no values, are
//! taken apart where they are written.
//!
//! Left to inference, which refuses them, are patterns that bind some names by `ref` and others by `ref mut`, and all
//! of these in closures and loops.

use proc_macro2::Span;
use syn::{
    Expr, ExprMatch, FieldPat, Ident, Local, Pat, PatIdent, Stmt, Token, Type, parse_quote_spanned,
    spanned::Spanned, token::Ref,
};

use crate::{
    head::before_brace,
    iterate,
    language::name::is_type_name,
    visit::{self, Visit, VisitMut},
};

/// `match x { Some(ref a) => .. }` as `match &x { Some(a) => .. }`.
pub fn of_match(whole: &ExprMatch) -> Option<Expr> {
    let mut names = Names::default();
    whole.arms.iter().for_each(|arm| names.visit_pat(&arm.pat));
    let mut plain = whole.clone();
    if let Some(value) = names.mixed_value(&whole.expr) {
        *plain.expr = value;
        for arm in &mut plain.arms {
            let (pattern, guard) = match &mut arm.pat {
                Pat::Guard(of) => (&mut *of.pat, Some(&mut of.guard)),
                pattern => (pattern, None),
            };
            let bound = names.apart(pattern);
            for body in guard
                .into_iter()
                .chain([&mut arm.body])
                .filter(|_| !bound.is_empty())
            {
                let span = body.span();
                **body = parse_quote_spanned!(span=> {
                    #(#[allow(unused_variables)] #bound)*
                    #body
                });
            }
        }
        return Some(Expr::Match(plain));
    }
    *plain.expr = names.referred(&whole.expr)?;
    let arms = plain.arms.iter_mut();
    arms.for_each(|arm| ByValue.visit_pat_mut(&mut arm.pat));
    Some(Expr::Match(plain))
}

/// `let (ref a, b) = x;` as `let (c, b) = x; let a = &c;`.
pub fn mixed(local: &Local) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref()?;
    let mut names = Names::default();
    names.visit_pat(&local.pat);
    let value = names.mixed_value(&init.expr)?;
    let mut whole = local.clone();
    let bound = names.apart(&mut whole.pat);
    if let Some(init) = &mut whole.init {
        *init.expr = value;
    }
    let mut statements = vec![Stmt::Local(whole)];
    statements.extend(bound);
    Some(statements)
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

/// `let (A(x) | B(x)) = e;` as `let x = match e { A(x) | B(x) => x };`.
pub fn of_alternatives(local: &mut Local) {
    struct Bound(Vec<Ident>, bool);
    impl Visit<'_> for Bound {
        fn visit_pat_ident(&mut self, name: &PatIdent) {
            self.0.push(name.ident.clone());
            self.1 |= name.mutability.is_some() || name.by_ref.is_some() || name.subpat.is_some();
        }
    }
    let Some(init) = local.init.as_mut().filter(|init| init.diverge.is_none()) else {
        return;
    };
    let Pat::Paren(whole) = &local.pat else {
        return;
    };
    let Pat::Or(pattern) = &*whole.pat else {
        return;
    };
    let mut bound = Bound(Vec::new(), false);
    if let Some(first) = pattern.cases.first() {
        bound.visit_pat(first);
    }
    bound.0.retain(|name| !is_type_name(&name.to_string()));
    if bound.0.is_empty() || bound.1 {
        return;
    }
    let (names, value, span) = (bound.0, before_brace(&init.expr), whole.span());
    *init.expr = parse_quote_spanned!(span=> match #value { #pattern => (#(#names),*) });
    local.pat = parse_quote_spanned!(span=> (#(#names),*));
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

/// `let (a, b);` as `let a; let b;`.
pub fn without_value(local: &Local) -> Option<Vec<Stmt>> {
    let Local {
        pat, init: None, ..
    } = local
    else {
        return None;
    };
    // One in tile memory has a single name.
    if !local.attrs.is_empty() {
        return None;
    }
    let (pattern, types) = match pat {
        Pat::Type(typed) => match &*typed.ty {
            Type::Tuple(types) => (&*typed.pat, Some(types)),
            _ => return None,
        },
        pattern => (pattern, None),
    };
    let Pat::Tuple(pattern) = pattern else {
        return None;
    };
    let is_whole = types.is_none_or(|types| types.elems.len() == pattern.elems.len());
    let mut statements = Vec::new();
    for (position, part) in pattern.elems.iter().enumerate().filter(|_| is_whole) {
        let mut one = local.clone();
        one.pat = match types {
            Some(types) => {
                let ty = &types.elems[position];
                Pat::Type(parse_quote_spanned!(part.span()=> #part: #ty))
            }
            None => part.clone(),
        };
        match &one.pat {
            Pat::Wild(_) => {}
            _ => statements.extend(without_value(&one).unwrap_or_else(|| vec![Stmt::Local(one)])),
        }
    }
    is_whole.then_some(statements)
}

/// How the names of patterns are bound.
#[derive(Default)]
struct Names {
    by_ref: Option<(Ref, bool)>,
    /// Whether there are others than those.
    is_mixed: bool,
    /// Whether some are bound by `ref`, and some by `ref mut`.
    is_both: bool,
}

impl Names {
    /// What is taken apart if only some names are bound by reference: by `ref`, these get references to
    /// copies; by `ref mut`, the others get what references refer to.
    fn mixed_value(&self, value: &Expr) -> Option<Expr> {
        let (by_ref, mutable) = self.by_ref.filter(|_| self.is_mixed && !self.is_both)?;
        let span = by_ref.span;
        Some(match mutable {
            true => parse_quote_spanned!(span=> &mut #value),
            false => value.clone(),
        })
    }

    /// Has a pattern bind all names alike, and what declares the others.
    fn apart(&self, pattern: &mut Pat) -> Vec<Stmt> {
        struct Apart(bool, Vec<Stmt>);
        impl VisitMut for Apart {
            fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
                // What has another name than the field is no shorthand for it.
                let span = field.member.span();
                field.colon_token.get_or_insert(Token![:](span));
                visit::visit_field_pat_mut(self, field);
            }

            fn visit_pat_ident_mut(&mut self, name: &mut PatIdent) {
                let own = name.ident.clone();
                let is_name = name.by_ref.is_some() || !is_type_name(&own.to_string());
                if is_name && name.by_ref.take().is_some() != self.0 {
                    let span = own.span().resolved_at(Span::mixed_site());
                    let (other, mutability) = (
                        Ident::new(&format!("__amp_bound_{own}"), span),
                        name.mutability.take(),
                    );
                    self.1.push(match self.0 {
                        true => parse_quote_spanned!(own.span()=> let #mutability #own = *#other;),
                        false => parse_quote_spanned!(own.span()=> let #own = &#other;),
                    });
                    name.ident = other;
                } else if is_name && self.0 {
                    name.mutability = None;
                }
                visit::visit_pat_ident_mut(self, name);
            }
        }
        let is_to_write = self.by_ref.is_some_and(|(_, mutable)| mutable);
        let mut apart = Apart(is_to_write, Vec::new());
        apart.visit_pat_mut(pattern);
        apart.1
    }

    /// A reference to what is taken apart, if all names are bound by that.
    fn referred(&self, value: &Expr) -> Option<Expr> {
        let (by_ref, mutable) = self.by_ref.filter(|_| !self.is_mixed && !self.is_both)?;
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
            (Some(_), Some((_, mutable))) => self.is_both |= mutable != name.mutability.is_some(),
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
