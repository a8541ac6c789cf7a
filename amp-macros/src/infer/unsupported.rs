//! Expressions of forms that kernels do not have, and the attributes of those that they have.

use amp_spirv::diagnostic::Code;
use syn::{Attribute, Expr};

use super::function::FnCx;

impl FnCx<'_> {
    /// Refuses a form that kernels do not have.
    pub fn unsupported(&mut self, expr: &Expr) {
        let (what, help) = match expr {
            Expr::Async(_) | Expr::Await(_) => {
                ("`async` code", "launch kernels from async code instead")
            }
            Expr::Try(_) | Expr::TryBlock(_) => {
                ("`?`", "kernels have no Result; use a value and a bool")
            }
            Expr::Unsafe(_) => ("an `unsafe` block", "kernels need none; remove it"),
            Expr::Reference(_) => (
                "a reference",
                "name the place where it is passed to an `#[amp_fn]`: `helper(&mut x)`",
            ),
            Expr::RawAddr(_) => ("a raw pointer", "index a view or an array"),
            Expr::Range(_) => ("a range outside a `for`", "use it as `for i in a..b`"),
            Expr::Const(_) => ("a `const` block", "use a `const` item"),
            Expr::Infer(_) => ("`_` as an expression", "assign to a variable"),
            Expr::Yield(_) => ("`yield`", "write a loop"),
            _ => (
                "this expression",
                "write it in terms of values, arrays and views",
            ),
        };
        self.report.error_help(
            Code::UnsupportedSyntax,
            expr,
            format!("{what} in a kernel"),
            help,
        );
        match expr {
            Expr::Reference(_) | Expr::Range(_) => self.lost(expr),
            Expr::RawAddr(address) => self.lost(&address.expr),
            Expr::Try(tried) => self.lost(&tried.expr),
            Expr::Unsafe(block) => {
                self.block(&block.block);
            }
            _ => {}
        }
    }
}

/// The attributes on an expression of a form that kernels have.
pub fn attributes(expr: &Expr) -> &[Attribute] {
    match expr {
        Expr::Array(expr) => &expr.attrs,
        Expr::Assign(expr) => &expr.attrs,
        Expr::Binary(expr) => &expr.attrs,
        Expr::Block(expr) => &expr.attrs,
        Expr::Break(expr) => &expr.attrs,
        Expr::Call(expr) => &expr.attrs,
        Expr::Cast(expr) => &expr.attrs,
        Expr::Continue(expr) => &expr.attrs,
        Expr::Field(expr) => &expr.attrs,
        Expr::ForLoop(expr) => &expr.attrs,
        Expr::Group(expr) => &expr.attrs,
        Expr::If(expr) => &expr.attrs,
        Expr::Index(expr) => &expr.attrs,
        Expr::Lit(expr) => &expr.attrs,
        Expr::Loop(expr) => &expr.attrs,
        Expr::Match(expr) => &expr.attrs,
        Expr::MethodCall(expr) => &expr.attrs,
        Expr::Paren(expr) => &expr.attrs,
        Expr::Path(expr) => &expr.attrs,
        Expr::Repeat(expr) => &expr.attrs,
        Expr::Return(expr) => &expr.attrs,
        Expr::Struct(expr) => &expr.attrs,
        Expr::Tuple(expr) => &expr.attrs,
        Expr::Unary(expr) => &expr.attrs,
        Expr::While(expr) => &expr.attrs,
        _ => &[],
    }
}
