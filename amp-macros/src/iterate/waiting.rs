//! Whether a body has something that waits for the functions that it calls.

use proc_macro2::Ident;
use syn::{Block, Expr, LocalInit, Stmt};

use super::{ADAPTERS, bare, called::Called, ends::is_end, own_sources};
use crate::visit::{self, Visit};

impl Called {
    /// Whether a body calls one of them, or has a chain that has waited for them.
    pub fn concerns(&self, body: &Block) -> bool {
        if self.has_iterators() {
            return true;
        }
        struct Search<'a>(&'a Called, bool);
        impl<'a> Visit<'a> for Search<'_> {
            fn visit_expr(&mut self, expr: &'a Expr) {
                let is_end = |name: &Ident| is_end(&name.to_string());
                self.1 |= match expr {
                    Expr::ForLoop(round) => has_waited(&round.expr),
                    Expr::MethodCall(call) if call.method == "collect" => true,
                    Expr::MethodCall(call) if is_end(&call.method) => has_waited(&call.receiver),
                    _ => false,
                };
                self.1 |=
                    matches!(expr, Expr::MethodCall(call) if own_sources::waits(&call.method));
                self.1 |= self.0.of_call(expr).is_some() || self.0.taken_by(expr).is_some();
                self.1 |= self.0.is_range_field(expr) || self.0.sliced.makes(expr);
                if !self.1 {
                    visit::visit_expr(self, expr);
                }
            }

            fn visit_local_init(&mut self, init: &'a LocalInit) {
                self.1 |= matches!(bare(&init.expr), Expr::Closure(f) if makes_chain(&f.body));
                visit::visit_local_init(self, init);
            }
        }
        let mut search = Search(self, false);
        search.visit_block(body);
        search.1
    }
}

/// Whether a closure may make an iterator.
fn makes_chain(body: &Expr) -> bool {
    match bare(body) {
        Expr::Block(block) => match block.block.stmts.last() {
            Some(Stmt::Expr(end, None)) => makes_chain(end),
            _ => false,
        },
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            ADAPTERS.contains(&&*name) || own_sources::is_doubtful(&name)
        }
        _ => false,
    }
}

/// Whether an expression is a chain with what may wait in it.
fn has_waited(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            ADAPTERS.contains(&&*name) && (!call.args.is_empty() || has_waited(&call.receiver))
        }
        _ => false,
    }
}
