//! What `move` closures of chains capture: variables that may change are copied where the closure is made, as Rust does.
//!
//! ```text
//! (0..n).map(move |x| { k += 1; x + k })      let mut moved = k; (0..n).map(|x| { moved += 1; x + moved })
//! ```
//!
//! What does not change, and references, need no copy.

use proc_macro2::Ident;
use syn::{
    Arm, Block, Expr, ExprClosure, ExprIf, ExprPath, Local, Pat, PatIdent, Stmt,
    parse_quote_spanned, spanned::Spanned,
};

use super::{Names, flow::closure};
use crate::visit::{self, Renamed, Visit, VisitMut};

/// What the names of copies begin with.
const COPY: &str = "moved";

/// Whether a statement makes a copy for a closure.
pub fn is_copy(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Local(Local { pat: Pat::Ident(name), .. })
        if name.ident.to_string().starts_with(&format!("__amp_{COPY}_")))
}

impl Names {
    /// A function of a chain, with its own copies of what it captures.
    pub(super) fn moved(&mut self, f: &Expr, setup: &mut Vec<Stmt>) -> Expr {
        let mut moved = f.clone();
        let Some(token) = closure(f).and_then(|f| f.capture) else {
            return moved;
        };
        let span = token.span();
        let mut captured = Captured::default();
        captured.visit_expr(f);
        let mut copies = Vec::new();
        for name in captured.names {
            let variable: Expr = parse_quote_spanned!(span=> #name);
            if self.known.is_mutable(&name.to_string()) && !self.known.is_reference(&variable) {
                let copy = self.fresh(COPY, span);
                setup.push(parse_quote_spanned!(span=> let mut #copy = #name;));
                self.known.note_mutable(&copy);
                self.copied.push(name.clone());
                copies.push((name, copy));
            }
        }
        Renamed(copies).visit_expr_mut(&mut moved);
        unmoved(&mut moved);
        moved
    }

    /// Has rustc take variables for ones that change, where only the copies of closures do.
    pub fn allow_copied(&self, block: &mut Block) {
        Unchanged(&self.copied).visit_block_mut(block);
    }
}

struct Unchanged<'a>(&'a [Ident]);

impl VisitMut for Unchanged<'_> {
    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Pat::Ident(name) = &local.pat
            && name.mutability.is_some()
            && self.0.contains(&name.ident)
        {
            let allow = parse_quote_spanned!(name.ident.span()=> #[allow(unused_mut)]);
            local.attrs.push(allow);
        }
        visit::visit_local_mut(self, local);
    }
}

/// The names that may be those of variables outside, each once.
#[derive(Default)]
struct Captured {
    names: Vec<Ident>,
    /// Those that are declared inside, where they mean that.
    declared: Vec<Ident>,
}

impl Captured {
    /// Visits what sees its own declarations alone.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let around = self.declared.len();
        visit(self);
        self.declared.truncate(around);
    }
}

impl Visit<'_> for Captured {
    fn visit_expr_path(&mut self, path: &ExprPath) {
        if let Some(name) = path.path.get_ident()
            && !self.declared.contains(name)
            && !self.names.contains(name)
        {
            self.names.push(name.clone());
        }
    }

    fn visit_pat_ident(&mut self, pattern: &PatIdent) {
        self.declared.push(pattern.ident.clone());
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_local(&mut self, local: &Local) {
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
        self.visit_pat(&local.pat);
    }

    fn visit_block(&mut self, block: &Block) {
        self.within(|it| visit::visit_block(it, block));
    }

    fn visit_arm(&mut self, arm: &Arm) {
        self.within(|it| visit::visit_arm(it, arm));
    }

    fn visit_expr_closure(&mut self, f: &ExprClosure) {
        self.within(|it| visit::visit_expr_closure(it, f));
    }

    fn visit_expr_if(&mut self, choice: &ExprIf) {
        self.within(|it| {
            it.visit_expr(&choice.cond);
            it.visit_block(&choice.then_branch);
        });
        if let Some((_, otherwise)) = &choice.else_branch {
            self.visit_expr(otherwise);
        }
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Let(condition) => {
                self.visit_expr(&condition.expr);
                self.visit_pat(&condition.pat);
            }
            Expr::ForLoop(round) => {
                self.visit_expr(&round.expr);
                self.within(|it| {
                    it.visit_pat(&round.pat);
                    it.visit_block(&round.body);
                });
            }
            Expr::While(_) => self.within(|it| visit::visit_expr(it, expr)),
            _ => visit::visit_expr(self, expr),
        }
    }
}

/// Takes `move` out of a closure.
fn unmoved(f: &mut Expr) {
    match f {
        Expr::Paren(paren) => unmoved(&mut paren.expr),
        Expr::Group(group) => unmoved(&mut group.expr),
        Expr::Closure(closure) => closure.capture = None,
        _ => {}
    }
}
