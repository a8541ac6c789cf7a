//! Closures that a block returns: the block's variables move out of it.
//!
//! ```text
//! let f = { let k = 2.0; move |x| x * k };    let __amp_kept_1 = 2.0; let f = move |x| x * __amp_kept_1;
//! ```
//!
//! Left out are blocks with more than `let`s of names, and with names that are bound again inside, and
//! closures without `move`.

use proc_macro2::Ident;
use syn::{Expr, Local, Pat, Stmt};

use crate::{
    iterate::{Names, bare},
    visit::{self, Renamed, Visit, VisitMut},
};

/// The statements that a `let` of such a block is.
pub fn out_of_block(local: &Local, names: &mut Names) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let Expr::Block(block) = bare(&init.expr) else {
        return None;
    };
    let (Stmt::Expr(value, None), kept) = block.block.stmts.split_last()? else {
        return None;
    };
    let Expr::Closure(closure) = bare(value) else {
        return None;
    };
    // Rust has it own what it captures.
    if block.label.is_some() || closure.capture.is_none() && !kept.is_empty() {
        return None;
    }
    let mut bound = Bound::default();
    bound.visit_block(&block.block);
    let mut moved = Renamed(Vec::new());
    let mut statements = Vec::new();
    for statement in kept {
        let Stmt::Local(kept) = statement else {
            return None;
        };
        let mut kept = kept.clone();
        // The names that it may use are those before it.
        moved.visit_local_init_mut(kept.init.as_mut()?);
        let name = name_of(&kept.pat)?.clone();
        if bound.names.iter().filter(|bound| **bound == name).count() > 1 {
            return None;
        }
        let fresh = names.fresh("kept", name.span());
        moved.0.push((name, fresh));
        moved.visit_pat_mut(&mut kept.pat);
        statements.push(Stmt::Local(kept));
    }
    if bound.has_macro {
        return None;
    }
    let mut closure = local.clone();
    if let Some(init) = &mut closure.init {
        *init.expr = value.clone();
        moved.visit_expr_mut(&mut init.expr);
    }
    statements.push(Stmt::Local(closure));
    Some(statements)
}

/// The name that a pattern is, with or without its type.
fn name_of(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Type(typed) => name_of(&typed.pat),
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(&name.ident),
        _ => None,
    }
}

/// The names that a block binds.
#[derive(Default)]
struct Bound {
    names: Vec<Ident>,
    /// What its tokens mean is not seen.
    has_macro: bool,
}

impl<'a> Visit<'a> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
        self.names.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, _: &'a syn::Macro) {
        self.has_macro = true;
    }
}
