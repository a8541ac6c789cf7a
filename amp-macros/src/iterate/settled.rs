//! Which methods the calls call that have waited for the functions of a module (see `own_sources`): by what the
//! declarations tell of variables.

use proc_macro2::Ident;
use syn::{Block, Expr, ExprClosure, Stmt};

use super::{
    Known, Names,
    own_sources::{WAITS, own_name},
};
use crate::visit::{self, VisitMut};

impl Names {
    /// Says which methods the calls of a statement call that wait, but in its blocks, whose variables are not known
    /// yet.
    pub fn settle_own(&self, statement: &mut Stmt) {
        if self.called.is_some() {
            let known = self.known.clone();
            Settled(known).visit_stmt_mut(statement);
        }
    }
}

struct Settled(Known);

impl VisitMut for Settled {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::MethodCall(call) = expr
            && let Some(name) = call.method.to_string().strip_prefix(WAITS)
        {
            let own = self.0.owner_of(&call.receiver, name);
            let name = own.map_or_else(|| name.to_owned(), |of| own_name(&of, name));
            call.method = Ident::new(&name, call.method.span());
        }
        visit::visit_expr_mut(self, expr);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        let around = self.0.clone();
        closure.inputs.iter().for_each(|input| self.0.forget(input));
        visit::visit_expr_closure_mut(self, closure);
        self.0 = around;
    }

    fn visit_block_mut(&mut self, _: &mut Block) {}
}
