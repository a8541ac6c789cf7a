//! Closures that make iterators: each call is the chain that the closure ends with, and what it does before.
//!
//! ```text
//! let free = |row: usize| (0..8).filter(|c| board[row] >> c & 1 == 0);
//! free(3).count()                       { let row_1: usize = 3; (0..8).filter(|c| board[row_1] >> c & 1 == 0).count() }
//! ```
//!
//! They are written out when the functions of the program are known, which their chains may begin with. The names that
//! they mention must mean the same where they are called. Left out are closures that `return`.

use std::rc::Rc;

use proc_macro2::Ident;
use syn::{
    Expr, ExprCall, ExprClosure, Local, Pat, PatIdent, Stmt, parse_quote_spanned, spanned::Spanned,
};

use super::{
    Made, Names, Refusal, bare,
    body::Body,
    build,
    flow::{Flow, closure},
    into_flow,
    mentioned::mentioned,
    recognise,
};
use crate::visit::{Leaves, Visit};

/// The `let` of such a closure, whose name means it from then on.
pub fn declared(local: &Local, names: &mut Names) -> Option<Vec<Stmt>> {
    names.called.as_ref()?;
    let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
        return None;
    };
    if init.diverge.is_some() || name.subpat.is_some() || name.by_ref.is_some() {
        return None;
    }
    let (_, chain) = build::split((*closure(&init.expr)?.body).clone());
    let (source, adapters) = recognise(&chain, names)?;
    let is_made = matches!(bare(source), Expr::MethodCall(_)) && !names.is_range(source);
    if adapters.is_empty() && (!is_made || names.known.is_own_iterator(source)) {
        return None;
    }
    let mut statements = Vec::new();
    let moved = names.moved(&init.expr, &mut statements);
    let body = of_closure(closure(&moved)?, names)?;
    let left = names.fresh("closure", name.ident.span());
    let span = name.ident.span();
    statements.push(parse_quote_spanned!(span=> let #left = 0..0_usize;));
    let made = MadeBy {
        name: name.ident.to_string(),
        body: Rc::new(body),
        mentioned: Rc::new(mentioned(&moved)),
    };
    names.closures.insert(left.to_string(), made);
    Some(statements)
}

/// A closure that makes an iterator.
pub struct MadeBy {
    pub name: String,
    pub body: Rc<Body>,
    pub mentioned: Rc<std::collections::HashSet<String>>,
}

/// What a closure does.
fn of_closure(f: &ExprClosure, names: &mut Names) -> Option<Body> {
    let mut leaves = Leaves::default();
    leaves.visit_expr(&f.body);
    if leaves.0 || f.asyncness.is_some() {
        return None;
    }
    let (before, chain) = build::split((*f.body).clone());
    let (mut parameters, mut statements) = (Vec::new(), Vec::new());
    for input in &f.inputs {
        let span = input.span();
        let (pattern, ty) = match input {
            Pat::Type(typed) => ((*typed.pat).clone(), (*typed.ty).clone()),
            pattern => (pattern.clone(), parse_quote_spanned!(span=> _)),
        };
        let name = match pattern {
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => name,
            pattern => {
                let name = names.fresh("given", span);
                statements.push(parse_quote_spanned!(span=> let #pattern = #name;));
                plain(name)
            }
        };
        parameters.push((name, ty));
    }
    statements.extend(before);
    Some(Body::of_closure(parameters, statements, chain))
}

fn plain(ident: Ident) -> PatIdent {
    PatIdent {
        attrs: Vec::new(),
        by_ref: None,
        mutability: None,
        ident,
        subpat: None,
    }
}

impl Names {
    /// What the closure does that a call calls, if it makes an iterator.
    pub(super) fn body_of_closure(&self, call: &Expr) -> Option<Rc<Body>> {
        let Expr::Call(ExprCall { func, args, .. }) = bare(call) else {
            return None;
        };
        let made = self.closures.get(&self.known.chain(func)?.left)?;
        (made.body.parameters.len() == args.len()).then(|| made.body.clone())
    }

    /// The chain of such a call.
    pub(super) fn flow_of_closure(&mut self, call: &Expr) -> Option<Made<Flow>> {
        self.body_of_closure(call)?;
        let Expr::Call(called) = bare(call) else {
            return None;
        };
        if let Some(hidden) = &self.known.chain(&called.func)?.hidden {
            return Some(Err(Refusal::new(
                call.span(),
                format!("the closure mentions `{hidden}`, which has been declared again"),
                "give one of the two another name",
            )));
        }
        let (mut setup, chain) = self.unfold(call)?;
        let flow = into_flow(&chain, self);
        Some(flow.map(|flow| {
            setup.extend(flow.setup);
            Flow { setup, ..flow }
        }))
    }
}
