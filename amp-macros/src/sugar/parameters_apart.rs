//! Parameters that are references, taken apart by `let`: by `match`, whose names are of the places that the
//! caller lends; and by `match` where several patterns have the names: by an arm for each, as each name is of
//! one place.
//!
//! ```text
//! fn swap(p: &mut Pair) { let Pair { a, b } = p; .. }     match p { Pair { a, b } => { .. } }
//! match self { A(x) | B(x) => f(x), .. }                  match self { A(x) => f(x), B(x) => f(x), .. }
//! ```
//!
//! So are parts of such parameters, `let (a, b) = &mut p.pairs[i];`. Left out are slices, parameters whose name the body declares again, and `|` within a pattern.

use std::collections::HashSet;

use syn::{
    Arm, Block, Expr, ExprField, ExprIndex, ExprMatch, ExprPath, FnArg, Ident, ItemFn, Local, Pat,
    PatIdent, Path, ReceiverKind, Signature, Stmt, Token, Type, parse_quote_spanned,
    spanned::Spanned,
};

use super::chosen::used_length;
use crate::{
    iterate::rest_name,
    language::name::is_type_name,
    visit::{self, Visit, VisitMut},
};

/// Rewrites the body of a function.
pub fn rewrite(item: &mut ItemFn) {
    let mut lent = lent(&item.sig);
    let mut declared = Declared(HashSet::new());
    declared.visit_block(&item.block);
    lent.retain(|name| !declared.0.contains(name));
    Apart(lent).visit_block_mut(&mut item.block);
}

/// The names of the parameters that are references to values.
fn lent(signature: &Signature) -> HashSet<Ident> {
    let names = signature.inputs.iter().filter_map(|input| {
        let typed = match input {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => {
                let is_lent = matches!(receiver.kind, ReceiverKind::Reference(..));
                return is_lent.then(|| Ident::from(receiver.self_token));
            }
        };
        let (Pat::Ident(name), Type::Reference(reference)) = (&*typed.pat, &*typed.ty) else {
            return None;
        };
        let is_value = match &*reference.elem {
            Type::Slice(_) => false,
            // Others may change its elements meanwhile.
            Type::Path(ty) => (ty.path.segments.last())
                .is_none_or(|name| name.ident != "ArrayView" && name.ident != "ArrayViewMut"),
            _ => true,
        };
        is_value.then(|| name.ident.clone())
    });
    names.collect()
}

/// The names that patterns declare.
struct Declared(HashSet<Ident>);

impl Visit<'_> for Declared {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        self.0.insert(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }
}

struct Apart(HashSet<Ident>);

impl Apart {
    fn is_lent(&self, path: &Path) -> bool {
        path.get_ident().is_some_and(|name| self.0.contains(name))
    }

    /// Whether a value is a reference, or has such parts side by side.
    fn refers(&self, value: &Expr) -> bool {
        match value {
            Expr::Path(ExprPath { path, .. }) => self.is_lent(path),
            Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.refers(part)),
            value => matches!(value, Expr::Reference(_)),
        }
    }

    /// The arms of a `match` that takes such a place apart, each with one pattern that has names.
    fn one_by_one(&self, choice: &mut ExprMatch) {
        if !self.refers(&choice.expr) {
            return;
        }
        let arms = std::mem::take(&mut choice.arms).into_iter();
        choice.arms = arms.flat_map(each_pattern).collect();
    }

    /// The parameter that a `let` takes apart.
    fn taken<'s>(&self, statement: &'s Stmt) -> Option<(&'s Pat, &'s Expr)> {
        let Stmt::Local(Local {
            attrs,
            pat: pattern @ (Pat::Struct(_) | Pat::TupleStruct(_) | Pat::Tuple(_) | Pat::Slice(_)),
            init: Some(init),
            ..
        }) = statement
        else {
            return None;
        };
        let mut root = match &*init.expr {
            Expr::Reference(part) if !matches!(*part.expr, Expr::Path(_)) => &*part.expr,
            whole => whole,
        };
        while let Expr::Field(ExprField { base: expr, .. }) | Expr::Index(ExprIndex { expr, .. }) =
            root
        {
            root = expr;
        }
        let Expr::Path(ExprPath { path, .. }) = root else {
            return None;
        };
        // The rest of an array is a slice.
        if let Pat::Slice(array) = pattern
            && array.elems.iter().any(|part| rest_name(part).is_some())
        {
            return None;
        }
        (self.is_lent(path) && init.diverge.is_none() && attrs.is_empty())
            .then_some((pattern, &*init.expr))
    }
}

/// An arm for each of the patterns of an arm, if these have names.
fn each_pattern(arm: Arm) -> Vec<Arm> {
    let whole = match &arm.pat {
        Pat::Guard(guarded) => &*guarded.pat,
        pattern => pattern,
    };
    let Pat::Or(patterns) = whole else {
        return vec![arm];
    };
    let has_names = |pattern: &Pat| {
        let mut declared = Declared(HashSet::new());
        declared.visit_pat(pattern);
        let mut names = declared.0.iter().map(Ident::to_string);
        names.any(|name| !is_type_name(&name))
    };
    if !patterns.cases.iter().all(has_names) {
        return vec![arm];
    }
    let alone = |pattern: &Pat| {
        let mut arm = arm.clone();
        match &mut arm.pat {
            Pat::Guard(guarded) => *guarded.pat = pattern.clone(),
            whole => *whole = pattern.clone(),
        }
        // One that is no block needs one before the next arm.
        arm.comma = Some(Token![,](pattern.span()));
        arm
    };
    patterns.cases.iter().map(alone).collect()
}

impl VisitMut for Apart {
    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        self.one_by_one(choice);
        visit::visit_expr_match_mut(self, choice);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let found = block.stmts.iter().enumerate();
        let mut found = found.filter_map(|(at, it)| Some((at, self.taken(it)?)));
        if let Some((at, (pattern, parameter))) = found.next() {
            let rest = &block.stmts[at + 1..];
            let mut declared = Declared(HashSet::new());
            declared.visit_pat(pattern);
            let names: Vec<Ident> = declared.0.into_iter().collect();
            let length = used_length(rest, &names).unwrap_or(0);
            let (is_last, used) = (length == rest.len(), &rest[..length]);
            let whole = parse_quote_spanned! {pattern.span()=>
                match #parameter { #pattern => { #(#used)* } }
            };
            let end = (!is_last).then(|| Token![;](pattern.span()));
            block
                .stmts
                .splice(at..at + 1 + length, [Stmt::Expr(whole, end)]);
        }
        visit::visit_block_mut(self, block);
    }
}
