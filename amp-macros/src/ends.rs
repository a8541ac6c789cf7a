//! What bodies of functions end with, as far as their syntax tells.
//!
//! A function that returns a slice returns one place, at its end, or chooses one: its callers have to know which
//! before its types are known.

use syn::{
    Block, Expr, ExprAssign, ExprPath, ExprReturn, FnArg, ItemFn, Pat, ReturnType, Stmt, Type,
};

use crate::visit::{self, Visit};

/// Whether a function's result is a slice that is one of several, as far as its syntax tells.
pub fn chooses(item: &ItemFn) -> bool {
    let is_slice = match &item.sig.output {
        ReturnType::Type(_, ty) => {
            matches!(&**ty, Type::Reference(of) if matches!(*of.elem, Type::Slice(_))
            && of.mutability.is_none())
        }
        ReturnType::Default => false,
    };
    if !is_slice || item.block.stmts.is_empty() {
        return false;
    }
    let leaves = Leaves::any(&item.block);
    match only_end(&item.block) {
        _ if leaves => true,
        // A variable names a place that callers do not see.
        Some(Expr::Path(path)) => !is_parameter(item, path) || assigns(&item.block, path),
        end => end.is_none(),
    }
}

fn is_parameter(item: &ItemFn, path: &ExprPath) -> bool {
    item.sig.inputs.iter().any(|input| match input {
        FnArg::Typed(typed) => matches!((&*typed.pat, path.path.get_ident()),
            (Pat::Ident(name), Some(path)) if name.ident == *path),
        FnArg::Receiver(_) => false,
    })
}

/// Whether a body assigns a variable.
fn assigns(body: &Block, variable: &ExprPath) -> bool {
    struct Assigns<'a>(&'a ExprPath, bool);
    impl Visit<'_> for Assigns<'_> {
        fn visit_expr_assign(&mut self, assign: &ExprAssign) {
            self.1 |= matches!(bare(&assign.left), Expr::Path(path)
                if self.0.path.get_ident().is_some_and(|name| path.path.is_ident(name)));
            visit::visit_expr_assign(self, assign);
        }
    }
    let mut assigns = Assigns(variable, false);
    assigns.visit_block(body);
    assigns.1
}

/// What a body ends with, if that is one expression for a place.
pub fn only_end(block: &Block) -> Option<&Expr> {
    let Some(Stmt::Expr(value, None)) = block.stmts.last() else {
        return None;
    };
    let value = bare(value);
    match value {
        Expr::Block(block) if block.label.is_none() => only_end(&block.block),
        Expr::Reference(_) | Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_) => Some(value),
        _ => None,
    }
}

/// Whether something leaves a body before its end.
pub struct Leaves(bool);

impl Leaves {
    /// Whether anything leaves this body.
    pub fn any(body: &Block) -> bool {
        let mut leaves = Self(false);
        leaves.visit_block(body);
        leaves.0
    }
}

impl Visit<'_> for Leaves {
    fn visit_expr(&mut self, expr: &Expr) {
        self.0 |= matches!(expr, Expr::Return(_) | Expr::Try(_));
        visit::visit_expr(self, expr);
    }

    fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {}

    fn visit_item(&mut self, _: &syn::Item) {}
}

/// Calls `meet` with what each `return` returns.
pub fn each_returned(body: &Block, mut meet: impl FnMut(&Expr)) {
    struct Returns<'m>(&'m mut dyn FnMut(&Expr));
    impl Visit<'_> for Returns<'_> {
        fn visit_expr_return(&mut self, jump: &ExprReturn) {
            if let Some(value) = &jump.expr {
                (self.0)(value);
            }
            visit::visit_expr_return(self, jump);
        }

        fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {}

        fn visit_item(&mut self, _: &syn::Item) {}
    }
    Returns(&mut meet).visit_block(body);
}

/// An expression without what stands around it.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => bare(&paren.expr),
        Expr::Group(group) => bare(&group.expr),
        expr => expr,
    }
}
