//! Expressions and members that kernels do not have, and attributes.

use amp_spirv::diagnostic::Code;
use syn::{Attribute, Expr, Item, Local};

use super::{context::FnCx, own_operator::WRAPPING_HELP, program::Method, ty::Ty};
use crate::{
    attribute::{choice_of, is_unroll},
    language::name::is_standard_trait,
    suggest::suggest,
    visit::{self, Visit},
};

impl FnCx<'_> {
    /// Refuses a form that kernels do not have.
    pub fn unsupported(&mut self, expr: &Expr) {
        let (what, help) = match expr {
            Expr::Async(_) | Expr::Await(_) => {
                ("`async` code", "launch kernels from async code instead")
            }
            Expr::TryBlock(_) => ("a `try` block", "put what may fail into an `#[amp_fn]`"),
            Expr::Unsafe(_) => ("an `unsafe` block", "kernels need none; remove it"),
            Expr::Reference(_) => (
                "a reference",
                "name the place, `let r = &mut x;`, or pass it to an `#[amp_fn]`: `helper(&mut x)`; \
                 choose between places by their indices",
            ),
            Expr::RawAddr(_) => ("a raw pointer", "index a view or an array"),
            Expr::Range(_) => (
                "a range that is no value, as it has no end, no start, or includes its end,",
                "write both bounds, `a..b`: it has the type `std::ops::Range`",
            ),
            Expr::Let(_) => (
                "`let` in this place of a condition",
                "join it by `&&` to the others, without parentheses: `if a && let P = x`",
            ),
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
            Expr::Unsafe(block) => {
                self.block(&block.block);
            }
            _ => {}
        }
    }

    /// What to write instead of a member that is not there.
    pub fn members_help(&self, owner: &Ty, name: &str) -> String {
        if self.program.standard_name(owner).is_some() {
            return self.program.standard_help(owner, name);
        }
        if self.program.core_name(owner) == Some("Wrapping") {
            return WRAPPING_HELP.to_owned();
        }
        let methods = self.program.methods.iter();
        let names = methods
            .filter(|method| self.fits(owner, &method.owner))
            .map(|method| method.name.as_str());
        let cases = match owner {
            Ty::Struct(index, _) => &*self.program.structs[*index].cases,
            _ => &[],
        };
        if matches!(name, "cmp" | "partial_cmp" | "max" | "min") {
            return "derive its order, `#[derive(PartialEq, Eq, PartialOrd, Ord)]`, or write an \
                    `#[amp_fn] impl Ord` beside the type"
                .to_owned();
        }
        if name == "clamp" {
            return "write `x.max(low).min(high)`".to_owned();
        }
        let names = names.chain(cases.iter().map(|case| &*case.name));
        let help = suggest(name, names).unwrap_or_else(|| {
            "write `#[amp_fn]` before its `impl`, beside the type, or make it an `#[amp_fn]` without a type".to_owned()
        });
        match self.supplied_help(owner, name) {
            Some(supplied) => format!("{help}; {supplied}"),
            None => help,
        }
    }

    /// What to write if a trait of another module may supply a function.
    pub fn supplied_help(&self, owner: &Ty, name: &str) -> Option<String> {
        let of_trait = |method: &Method| {
            let of_trait = method.of_trait.clone()?;
            let has = match &method.trait_id {
                Some(id) => {
                    let known = self.program.traits.iter().find(|known| known.id == *id)?;
                    known.functions.iter().any(|known| known.name == name)
                }
                None => !is_standard_trait(&of_trait),
            };
            has.then_some(of_trait)
        };
        let methods = self.program.methods.iter();
        let is_written_out = |block: &str| {
            let mut methods = self.program.methods.iter();
            methods.any(|method| method.block == block && method.name == name)
        };
        let of_trait = methods
            .filter(|method| self.fits(owner, &method.owner) && !is_written_out(&method.block))
            .find_map(of_trait)?;
        Some(format!(
            "what `{of_trait}` supplies in another module has to be written out in the `impl`"
        ))
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
        let is_choice = |attribute: &&Attribute| choice_of(attribute).is_some();
        let attributes = local.attrs.iter();
        for attribute in attributes.filter(|it| !is_tile_static(it) && !is_choice(it)) {
            self.visit_attribute(attribute);
        }
        self.visit_pat(&local.pat);
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        let attributes = match expr {
            Expr::ForLoop(round) => &round.attrs,
            Expr::While(round) => &round.attrs,
            Expr::Loop(round) => &round.attrs,
            _ => return visit::visit_expr(self, expr),
        };
        for attribute in attributes.iter().filter(|it| !is_unroll(it)) {
            self.visit_attribute(attribute);
        }
        match expr {
            Expr::ForLoop(round) => {
                self.visit_pat(&round.pat);
                self.visit_expr(&round.expr);
                self.visit_block(&round.body);
            }
            Expr::While(round) => {
                self.visit_expr(&round.cond);
                self.visit_block(&round.body);
            }
            Expr::Loop(round) => self.visit_block(&round.body),
            _ => {}
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
