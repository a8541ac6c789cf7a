//! Expressions of forms that kernels do not have, and attributes.

use amp_spirv::diagnostic::Code;
use syn::{Attribute, Expr, Item, Local, visit::Visit};

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

/// The attributes in a body, wherever they stand. Those of functions and constants in it are looked
/// at where these are declared.
pub struct Attributes<'a, 'b>(pub &'a mut FnCx<'b>);

impl<'ast> Visit<'ast> for Attributes<'_, '_> {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        self.0.attribute(attribute);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let is_tile_static = |attribute: &&Attribute| attribute.path().is_ident("tile_static");
        for attribute in local.attrs.iter().filter(|it| !is_tile_static(it)) {
            self.visit_attribute(attribute);
        }
        self.visit_pat(&local.pat);
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
