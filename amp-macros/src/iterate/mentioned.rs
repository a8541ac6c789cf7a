//! The variables that syntax mentions, and those that patterns declare.

use std::collections::HashSet;

use proc_macro2::Ident;
use syn::{Expr, ExprClosure, ExprPath, PatIdent};

use super::flow::{Flow, Stage, closure};
use crate::visit::{self, Visit};

/// The variables that an expression mentions, but for those that its closures declare.
pub fn mentioned(expr: &Expr) -> HashSet<String> {
    let mut mentioned = Mentioned::default();
    mentioned.visit_expr(expr);
    mentioned.0
}

/// The variables of others that a closure mentions.
pub fn mentioned_by(f: &ExprClosure) -> HashSet<String> {
    let mut mentioned = Mentioned::default();
    mentioned.visit_expr_closure(f);
    mentioned.0
}

/// Whether an item mentions what the closure of a `flat_map` declares, which is not there behind the chain.
pub fn binds(flow: &Flow, item: &Expr) -> bool {
    let mentioned = mentioned(item);
    flow.stages.iter().any(|stage| match stage {
        Stage::FlatMap(f) => closure(f).is_some_and(|f| !declared(f).is_disjoint(&mentioned)),
        _ => false,
    })
}

/// The variables that the parameters of a closure declare.
pub(super) fn declared(f: &ExprClosure) -> HashSet<String> {
    let mut declared = Declared::default();
    f.inputs.iter().for_each(|input| declared.visit_pat(input));
    declared.0
}

#[derive(Default)]
struct Mentioned(HashSet<String>);

impl Visit<'_> for Mentioned {
    fn visit_expr_path(&mut self, path: &ExprPath) {
        self.0.extend(path.path.get_ident().map(Ident::to_string));
    }

    fn visit_expr_closure(&mut self, closure: &ExprClosure) {
        let mut inner = Self::default();
        inner.visit_expr(&closure.body);
        self.0
            .extend(inner.0.difference(&declared(closure)).cloned());
    }
}

#[derive(Default)]
struct Declared(HashSet<String>);

impl Visit<'_> for Declared {
    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        self.0.insert(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}
