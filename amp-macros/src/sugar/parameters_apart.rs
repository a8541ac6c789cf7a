//! Parameters that are references, taken apart by `let`: by `match`, whose names are of the places that the
//! caller lends.
//!
//! ```text
//! fn swap(p: &mut Pair) { let Pair { a, b } = p; .. }     match p { Pair { a, b } => { .. } }
//! ```
//!
//! Left out are slices, and parameters whose name the body declares again.

use std::collections::HashSet;

use syn::{
    Block, Expr, ExprPath, FnArg, Ident, ItemFn, Local, Pat, PatIdent, Signature, Stmt, Type,
    parse_quote_spanned, spanned::Spanned,
};

use crate::visit::{self, Visit, VisitMut};

/// Rewrites the body of a function.
pub fn rewrite(item: &mut ItemFn) {
    let mut lent = lent(&item.sig);
    if lent.is_empty() {
        return;
    }
    let mut declared = Declared(HashSet::new());
    declared.visit_block(&item.block);
    lent.retain(|name| !declared.0.contains(name));
    Apart(lent).visit_block_mut(&mut item.block);
}

/// The names of the parameters that are references to values.
fn lent(signature: &Signature) -> HashSet<Ident> {
    let names = signature.inputs.iter().filter_map(|input| {
        let FnArg::Typed(typed) = input else {
            return None;
        };
        let (Pat::Ident(name), Type::Reference(reference)) = (&*typed.pat, &*typed.ty) else {
            return None;
        };
        let is_slice = matches!(&*reference.elem, Type::Slice(_));
        (!is_slice).then(|| name.ident.clone())
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
        let Expr::Path(ExprPath { path, .. }) = &*init.expr else {
            return None;
        };
        let is_lent = path.get_ident().is_some_and(|name| self.0.contains(name));
        (is_lent && init.diverge.is_none() && attrs.is_empty()).then_some((pattern, &*init.expr))
    }
}

impl VisitMut for Apart {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let found = block.stmts.iter().enumerate();
        let mut found = found.filter_map(|(at, it)| Some((at, self.taken(it)?)));
        if let Some((at, (pattern, parameter))) = found.next() {
            let rest = &block.stmts[at + 1..];
            let whole = parse_quote_spanned! {pattern.span()=>
                match #parameter { #pattern => { #(#rest)* } }
            };
            block.stmts.truncate(at);
            block.stmts.push(Stmt::Expr(whole, None));
        }
        visit::visit_block_mut(self, block);
    }
}
