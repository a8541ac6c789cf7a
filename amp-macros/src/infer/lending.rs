//! Functions that return references: `fn x_mut(&mut self) -> &mut f32`, `fn row(&self, i: usize) -> &[f32]`.
//!
//! Such a function is compiled into its callers, so that its result is a place of theirs. A body that
//! ends with one place is that place; one that chooses, or that leaves early, has a copy of what it
//! chose, which `lower` keeps equal to the place. A slice is never chosen. That the place outlives the
//! function is for rustc to prove, on the host version, where the references are Rust's own.

use amp_spirv::diagnostic::Code;
use syn::{Block, Expr, ExprReturn, ItemFn, Stmt, Type};

use super::{
    context::FnCx,
    node::bare,
    program::FunctionDef,
    reference,
    ty::Ty,
    type_expr::TypeScope,
    typed::{Callee, Typed},
};
use crate::{
    ends::{Leaves, only_end},
    message::Told,
    visit::{self, Visit},
};

/// The type of a function's result, if that is a reference.
pub fn result(ty: &Type, scope: &mut impl TypeScope) -> Option<Ty> {
    match ty {
        Type::Reference(reference) => Some(reference::parameter(reference, scope)),
        Type::Paren(paren) => result(&paren.elem, scope),
        Type::Group(group) => result(&group.elem, scope),
        _ => None,
    }
}

/// The expressions that a body returns.
struct Returned<'a>(Vec<&'a Expr>);

impl<'a> Returned<'a> {
    fn of(body: &'a Block) -> Self {
        let mut found = Self(Vec::new());
        found.visit_block(body);
        found.end(body);
        found
    }

    fn end(&mut self, block: &'a Block) {
        if let Some(Stmt::Expr(value, None)) = block.stmts.last() {
            self.value(value);
        }
    }

    /// A value, and those that it may have.
    fn value(&mut self, value: &'a Expr) {
        self.0.push(value);
        match value {
            Expr::Paren(paren) => self.value(&paren.expr),
            Expr::Group(group) => self.value(&group.expr),
            Expr::Block(block) if block.label.is_none() => self.end(&block.block),
            Expr::If(branch) => {
                self.end(&branch.then_branch);
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.value(otherwise);
                }
            }
            Expr::Match(choice) => choice.arms.iter().for_each(|arm| self.value(&arm.body)),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Returned<'a> {
    fn visit_expr_return(&mut self, jump: &'a ExprReturn) {
        if let Some(value) = &jump.expr {
            self.value(value);
        }
        visit::visit_expr_return(self, jump);
    }

    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Notes which expressions are returned by a function that returns a reference.
pub fn mark(typed: &mut Typed, body: &Block) {
    for value in Returned::of(body).0 {
        typed.note(value).returned = true;
    }
}

/// The place that a function returns if it always returns that one, at its end.
pub fn only_place(function: &FunctionDef) -> Option<&Expr> {
    let place = only_end(&function.item.block)?;
    let mut facts = function.typed.facts.iter();
    let ends = facts.any(|fact| {
        matches!(
            fact.callee,
            Some(Callee::Told(Told::Panic) | Callee::Unwrap(_))
        )
    });
    let leaves = Leaves::any(&function.item.block);
    (!ends && !leaves).then_some(place)
}

impl FnCx<'_> {
    /// Type of a place that a function returns by reference; nothing of what has places in it, or of
    /// what ends there.
    pub fn returned_place(&mut self, expr: &Expr) -> Option<Ty> {
        let found = match expr {
            Expr::Reference(reference) => self.borrowed(expr, reference),
            Expr::Path(_) => self.expr_form(expr),
            Expr::Call(_) | Expr::MethodCall(_) => match self.expr_form(expr) {
                Ty::Never => return Some(Ty::Never),
                found => found,
            },
            _ => return None,
        };
        self.typed.note(expr).ty = Some(found.clone());
        if self.names_foreign(expr) {
            self.report.error_help(
                Code::Reference,
                expr,
                "an element that a variable names, or that of a view, is returned by reference",
                "return the place itself, `&self.a[i]`; of a view, return the index",
            );
            return Some(Ty::Error);
        }
        let wanted = self.result.clone();
        self.coerce(&found, &wanted, expr);
        Some(wanted)
    }

    /// Whether a place is one that the host version has no reference of Rust's own to: an element of a
    /// view, or what a variable names that is not Rust's own reference.
    pub fn names_foreign(&self, place: &Expr) -> bool {
        let place = bare(place);
        match place {
            Expr::Reference(reference) => self.names_foreign(&reference.expr),
            Expr::Field(field) => self.names_foreign(&field.base),
            Expr::Unary(unary) => self.names_foreign(&unary.expr),
            Expr::Index(index) => {
                let base = self.unifier.shallow(self.typed.ty(&*index.expr));
                matches!(base, Ty::View(_)) || self.names_foreign(&index.expr)
            }
            Expr::Path(_) => self.names_shared(place),
            _ => false,
        }
    }

    /// Whether an expression calls a function that returns a reference, if that is its type.
    pub fn is_lending_call(expr: &Expr) -> bool {
        matches!(bare(expr), Expr::Call(_) | Expr::MethodCall(_))
    }

    /// Whether the call of a function that returns a reference returns one to write.
    pub fn lends_to_write(&self, call: &Expr) -> bool {
        let call = self.typed.id(bare(call));
        let mut pending = self.pending.iter();
        let generic = pending.find(|pending| pending.call == call);
        let function = generic.map(|pending| pending.template);
        let Some(function) = function.or(self.typed.of(call).helper()) else {
            return false;
        };
        matches!(
            self.program.functions[function].result,
            Ty::Reference { mutable: true, .. }
        )
    }

    /// Whether a place is one that a function found in another that other threads may use: the host
    /// version lends the function a copy of that.
    pub fn is_lent(&self, place: &Expr) -> bool {
        let place = bare(place);
        let is_lent = |part: &Expr| match bare(part) {
            Expr::Reference(reference) => self.is_lent(&reference.expr) || self.names_shared(part),
            part => self.is_lent(part) || self.names_shared(part),
        };
        let is_reference = |part: &&Expr| self.unifier.shallow(self.typed.ty(*part)).is_reference();
        if Self::is_lending_call(place)
            && !self.typed.of(place).dereferenced
            && !is_reference(&place)
        {
            return false;
        }
        match place {
            Expr::Reference(reference) => self.is_lent(&reference.expr),
            Expr::Field(field) => self.is_lent(&field.base),
            Expr::Unary(unary) => self.is_lent(&unary.expr),
            Expr::Index(index) if self.is_own_index(place) => is_lent(&index.expr),
            Expr::Index(index) => self.is_lent(&index.expr),
            Expr::MethodCall(call) => {
                is_lent(&call.receiver) || call.args.iter().filter(is_reference).any(is_lent)
            }
            Expr::Call(call) => call.args.iter().filter(is_reference).any(is_lent),
            _ => false,
        }
    }

    /// Whether a `for` or `match` may have a place meanwhile. Says so if not.
    pub fn can_wait_lent(&mut self, place: &Expr) -> bool {
        let ty = Ty::Reference {
            mutable: false,
            target: Box::new(Ty::Unit),
        };
        !self.is_lent(place) || self.can_keep_lent(place, &ty)
    }

    /// Whether a `let` may name such a place: only to read, and not where threads of a tile wait for
    /// each other. Says so if not.
    pub fn can_keep_lent(&mut self, place: &Expr, ty: &Ty) -> bool {
        let is_read = matches!(
            self.unifier.shallow(ty),
            Ty::Reference { mutable: false, .. }
        );
        if is_read && !self.has_tile {
            return true;
        }
        self.report.error_help(
            Code::Reference,
            place,
            "a reference that a function returns, into memory that other threads may use, is kept",
            "use it where it stands, `*a[i].x_mut() += 1.0`, or copy the element first, `let mut v = a[i];`",
        );
        false
    }

    /// Checks the end of a function that returns a slice: there is only one.
    pub fn check_lending(&mut self, item: &ItemFn) {
        let is_slice = matches!(self.result.target(), Ty::Slice(_));
        if !self.result.is_reference() || !self.report.is_clean() {
            return;
        }
        let leaves = Leaves::any(&item.block);
        let mut facts = self.typed.facts.iter();
        let ends = facts.any(|fact| {
            matches!(
                fact.callee,
                Some(Callee::Told(Told::Panic) | Callee::Unwrap(_))
            )
        });
        if ends && !is_slice {
            let target = self.result.target().clone();
            self.needs_zero(&target, &item.sig.output, "which a panic leaves behind");
        }
        if is_slice && (ends || leaves || only_end(&item.block).is_none()) {
            self.report.error_help(
                Code::Reference,
                super::cause::ValueOf(&item.block),
                "a slice that is chosen, or that a panic or an early `return` may leave out",
                "end with one slice, and choose where it starts and ends: `&self.a[i..j]`; \
                 use `assert!` for what must hold",
            );
        }
    }
}
