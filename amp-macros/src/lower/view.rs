//! Views: their names, and what is made from them.

use amp_spirv::tree::{self, ExprKind};
use syn::{Block, Expr, ExprMethodCall, Stmt};

use super::FnLower;
use crate::infer::{Callee, Derived, Ty, bare};

impl FnLower<'_, '_> {
    /// The local behind a view, and the rows that are picked from it. A view without a name
    /// gets one in `statements`, unless it is a row: that is part of an index.
    pub(super) fn view(
        &mut self,
        expr: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> (tree::LocalId, Vec<tree::Expr>) {
        let expr = bare(expr);
        match expr {
            Expr::MethodCall(call) if self.derived(expr) == Some(Derived::Row) => {
                let (view, mut rows) = self.view(&call.receiver, statements);
                rows.push(self.expr(&call.args[0]));
                (view, rows)
            }
            _ => (self.named_view(expr, statements), Vec::new()),
        }
    }

    /// The local behind a view, which gets one in `statements` if it has none.
    pub(super) fn named_view(
        &mut self,
        expr: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::LocalId {
        let view = self.expr(expr);
        if let ExprKind::View(local) = view.kind {
            return local;
        }
        let Some(origin) = view.viewed() else {
            unreachable!("inference lets no other views through")
        };
        // Messages name it by the view that it is made from.
        self.locals.push(tree::Local {
            name: self.locals[origin.0 as usize].name.clone(),
            ty: view.ty.clone(),
            span: view.span,
        });
        let local = tree::LocalId(self.locals.len() as u32 - 1);
        let value = Some(view);
        statements.push(tree::Statement::Let { local, value });
        local
    }

    /// A view that a `let` names; what is done to make it goes into `statements`.
    pub(super) fn made_view(
        &mut self,
        expr: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Expr {
        let expr = bare(expr);
        match expr {
            Expr::Block(block) => self.last_view(&block.block, statements),
            Expr::Call(call) if let Some(function) = self.own_function(expr) => {
                let arguments: Vec<&Expr> = call.args.iter().collect();
                self.view_of(function, &arguments, expr, statements)
            }
            Expr::MethodCall(call) if let Some(function) = self.own_function(expr) => {
                let mut arguments = vec![&*call.receiver];
                arguments.extend(&call.args);
                self.view_of(function, &arguments, expr, statements)
            }
            _ => self.expr(expr),
        }
    }

    /// The view that a block ends with.
    pub(super) fn last_view(
        &mut self,
        block: &Block,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Expr {
        let Some((Stmt::Expr(view, None), before)) = block.stmts.split_last() else {
            unreachable!("inference found a view at the end")
        };
        for statement in before {
            self.statement(statement, statements);
        }
        self.made_view(view, statements)
    }

    /// The view that a helper returns.
    fn view_of(
        &mut self,
        function: usize,
        arguments: &[&Expr],
        call: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Expr {
        let span = self.span(call);
        if self.growth.admits(span) {
            return self.returned_view(function, arguments, statements);
        }
        // Any view of the type: the module is not used.
        let ty = self.consts.ty(&self.program.functions[function].result);
        let local = self.temporary("view", ty.clone(), span);
        let kind = ExprKind::View(local);
        tree::Expr { kind, ty, span }
    }

    /// `view.len()`, or `view.is_empty()`.
    pub(super) fn view_size(
        &mut self,
        view: &Expr,
        is_empty: bool,
        span: tree::Span,
    ) -> tree::Expr {
        let rank = match self.frame.function.typed.ty(view).target() {
            Ty::View(view) => view.rank,
            _ => unreachable!("inference found a view"),
        };
        let extent = self.view_extent(view, tree::Type::Extent(rank), span);
        let size = self.extent_size(extent, span);
        if !is_empty {
            return size;
        }
        let zero = tree::Expr {
            kind: ExprKind::Literal(tree::Literal::new(tree::Scalar::Usize, 0)),
            ty: size.ty.clone(),
            span,
        };
        let kind = ExprKind::Binary(tree::BinaryOp::Eq, Box::new(size), Box::new(zero));
        let ty = tree::Type::BOOL;
        tree::Expr { kind, ty, span }
    }

    fn derived(&self, expr: &Expr) -> Option<Derived> {
        match self.frame.function.typed.of(expr).callee {
            Some(Callee::Derived(derived)) => Some(derived),
            _ => None,
        }
    }

    /// `view.section(origin, extent)` and the like.
    pub(super) fn derived_view(
        &mut self,
        call: &ExprMethodCall,
        derived: Derived,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let of = self.expr(&call.receiver);
        let step = match derived {
            Derived::Section => tree::ViewStep::Section {
                origin: self.position(&call.args[0]),
                extent: self.position(&call.args[1]),
            },
            Derived::Row => tree::ViewStep::Row(self.expr(&call.args[0])),
            Derived::Shape => tree::ViewStep::Shape(self.position(&call.args[0])),
            Derived::Elements => tree::ViewStep::Elements,
        };
        let kind = ExprKind::Derive(Box::new(tree::Derivation { of, step }));
        tree::Expr { kind, ty, span }
    }

    /// An origin or extent, however it is written, as an `Index`.
    fn position(&mut self, expr: &Expr) -> tree::Expr {
        let span = self.span(expr);
        self.view_index(expr, Vec::new(), Vec::new(), span)
    }
}
