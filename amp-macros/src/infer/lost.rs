//! What depends on something that has been refused: it is read without a word, so that one
//! mistake is one error.

use syn::{Expr, ExprPath, Ident, Pat, PatIdent};

use super::{context::FnCx, node::bare, ty::Ty, typed::Resolved};
use crate::visit::{self, Visit};

impl FnCx<'_> {
    /// Reads the arguments of a call that is refused.
    pub fn lost_arguments<'e>(&mut self, arguments: impl IntoIterator<Item = &'e Expr>) {
        for argument in arguments {
            self.lost(argument);
        }
    }

    /// Reads an expression whose place is refused. What only that place could have allowed (a
    /// closure, a reference, a range, a string, the name of a function) is not refused for itself.
    pub fn lost(&mut self, expr: &Expr) {
        let expr = bare(expr);
        match expr {
            Expr::Reference(reference) => self.lost(&reference.expr),
            Expr::Range(range) => {
                let bounds = [&range.start, &range.end];
                self.lost_arguments(bounds.into_iter().flatten().map(|bound| &**bound));
            }
            Expr::Closure(closure) => {
                self.scopes.enter();
                for input in &closure.inputs {
                    self.declare_lost(input);
                }
                let result = std::mem::replace(&mut self.result, Ty::Error);
                let jumps = std::mem::take(&mut self.scopes.jumps);
                self.lost(&closure.body);
                self.scopes.jumps = jumps;
                self.result = result;
                self.scopes.leave();
            }
            Expr::Index(index) => {
                self.lost(&index.expr);
                self.lost(&index.index);
            }
            Expr::Lit(_) => {}
            Expr::Path(path) if !self.is_local(path) => {}
            other => {
                let found = self.expr(other);
                self.unifier.poison(&found);
            }
        }
    }

    /// Whether a path is the name of something that is declared in the body.
    fn is_local(&self, path: &ExprPath) -> bool {
        let name = path.path.get_ident();
        name.is_some_and(|name| self.scopes.get(name).is_some())
    }

    /// Declares the names of a pattern that has been refused: they are not unknown.
    pub fn declare_lost(&mut self, pattern: &Pat) {
        struct Names<'a>(Vec<&'a Ident>);
        impl<'a> Visit<'a> for Names<'a> {
            fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
                self.0.push(&pattern.ident);
                visit::visit_pat_ident(self, pattern);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        for ident in names.0 {
            let local = self.new_local(ident, Ty::Error);
            self.scopes.declare(ident, Resolved::Local(local));
        }
    }
}
