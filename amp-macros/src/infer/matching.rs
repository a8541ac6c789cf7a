//! `match`, `let ... else`, and the patterns that may fail.
//!
//! That the arms leave no value out is for rustc to prove, on the host version.

use amp_spirv::{diagnostic::Code, tree::LocalId};
use quote::ToTokens;
use syn::{Arm, Expr, ExprLit, ExprMatch, ExprPath, Lit, Pat, PatIdent, PatOr, spanned::Spanned};

use super::{
    assigned::keeps,
    cause::ValueOf,
    context::{Class, FnCx},
    node::{Node, bare},
    ty::Ty,
    typed::Resolved,
};
use crate::{
    language::name::{is_type_name, standard_case},
    report::{Locate, Place},
    visit::Visit,
};

impl FnCx<'_> {
    /// Type of a `match`: of the first arm that completes.
    pub fn match_expr(&mut self, choice: &ExprMatch) -> Ty {
        let value = self.taken_apart(&choice.expr, choice.arms.len() == 1);
        if choice.arms.is_empty() {
            self.report.error_help(
                Code::UnsupportedSyntax,
                choice.match_token.span,
                "a `match` without arms in a kernel",
                "give it an arm for each case, the last one `_`",
            );
            return Ty::Error;
        }
        let mut result: Option<(Ty, Place)> = None;
        let mut agree = true;
        for arm in &choice.arms {
            let found = self.arm(arm, &value, &choice.expr);
            if self.unifier.shallow(&found) == Ty::Never {
                continue;
            }
            match &result {
                Some((wanted, first)) => {
                    if !self.expect(&found, wanted, arm_value(arm)) {
                        self.report.note(*first, "another arm has this type");
                        agree = false;
                    }
                }
                None => result = Some((found, arm_value(arm))),
            }
        }
        match result {
            Some(_) if !agree => Ty::Error,
            Some((ty, _)) => ty,
            None => Ty::Never,
        }
    }

    /// Type of what a `match` takes apart: a value, or a place by reference, whose parts are
    /// references then. If there is `one_arm`, its pattern may name the place as a whole.
    fn taken_apart(&mut self, expr: &Expr, one_arm: bool) -> Ty {
        if let Some(side_by_side) = self.side_by_side(expr) {
            return side_by_side;
        }
        let found = match expr {
            Expr::Reference(reference) => self.borrowed(expr, reference),
            other => self.expr(other),
        };
        let found = self.matched_kept_slice(expr, found);
        if let Ty::Reference { target, .. } = self.unifier.shallow(&found)
            && let Ty::Slice(_) = *target
        {
            self.slice_apart(expr);
            return Ty::Error;
        }
        let has_parts = match self.unifier.shallow(&found) {
            Ty::Reference { .. } if one_arm => true,
            Ty::Reference { target, .. } => matches!(
                self.unifier.shallow(&target),
                Ty::Scalar(_) | Ty::Struct(..) | Ty::Tuple(_) | Ty::Array(..) | Ty::Enum(_)
            ),
            _ => false,
        };
        if has_parts && !self.can_wait_lent(expr) {
            return Ty::Error;
        }
        match expr {
            Expr::Reference(_) if has_parts => found,
            _ if has_parts => self.reference_by_name(bare(expr), found),
            _ => self.storable(found, expr),
        }
    }

    /// Type of a tuple with references in it, which is no value, and is taken apart where it is written.
    pub fn side_by_side(&mut self, expr: &Expr) -> Option<Ty> {
        let Expr::Tuple(tuple) = expr else {
            return None;
        };
        if !self.refers_in_part(expr) {
            return None;
        }
        let parts = tuple.elems.iter();
        let ty = Ty::Tuple(parts.map(|part| self.taken_apart(part, true)).collect());
        self.typed.note(expr).ty = Some(ty.clone());
        Some(ty)
    }

    fn refers_in_part(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Tuple(tuple) => tuple.elems.iter().any(|part| self.refers_in_part(part)),
            part => self.refers(part),
        }
    }

    fn arm(&mut self, arm: &Arm, value: &Ty, of: &Expr) -> Ty {
        self.scopes.enter();
        if let Pat::Guard(guarded) = &arm.pat {
            self.case(&guarded.pat, value);
            self.one_try(&guarded.pat);
            let guard = self.expr(&guarded.guard);
            self.expect(&guard, &Ty::BOOL, &*guarded.guard);
        } else {
            match &arm.pat {
                // It outlives the `match` then.
                Pat::Ident(name)
                    if matches!(
                        self.unifier.shallow(value),
                        Ty::Reference { mutable: false, .. }
                    ) && self.names_shared(of)
                        && keeps(&arm.body, &name.ident) =>
                {
                    self.pattern(&arm.pat, value);
                    self.name_changing(name, of);
                }
                pattern => self.case(pattern, value),
            }
        }
        let found = self.expr(&arm.body);
        self.scopes.leave();
        self.slice_as_value(&arm.body, found)
    }

    /// The block of `let ... else`, which must not complete.
    pub fn diverging_else(&mut self, otherwise: &Expr) {
        let found = self.expr(otherwise);
        if !matches!(self.unifier.shallow(&found), Ty::Never | Ty::Error) {
            self.report.error_help(
                Code::TypeMismatch,
                otherwise,
                "the `else` of a `let` goes on behind it",
                "leave by `return`, `break` or `continue`",
            );
        }
    }

    /// A pattern that only a `match` has.
    pub fn failing_pattern(&mut self, pattern: &Pat, ty: &Ty) {
        match pattern {
            Pat::Lit(literal) => self.literal_pattern(literal, ty),
            Pat::Path(path) => self.constant_pattern(path, path, ty),
            Pat::Range(range) => {
                let (ty, _) = self.behind_pattern(ty, true);
                let ty = &ty;
                for bound in [&range.start, &range.end].into_iter().flatten() {
                    self.bound(bound, ty);
                }
                self.oblige(ty, Class::Number, "..", range.limits.span());
            }
            Pat::Or(choice) => {
                self.alternatives(&choice.cases, ty);
            }
            other => {
                self.report.error_help(
                    Code::UnsupportedPattern,
                    other,
                    "kernels do not have this pattern",
                    "use literals, ranges, constants, names, `_`, `|`, tuples, arrays and structs",
                );
                self.declare_lost(other);
            }
        }
    }

    /// Refuses names of which a guard would see several values: Rust tries it with each.
    fn one_try(&mut self, guarded: &Pat) {
        struct Choices<'a>(Vec<&'a PatOr>);
        impl<'a> Visit<'a> for Choices<'a> {
            fn visit_pat_or(&mut self, choice: &'a PatOr) {
                self.0.push(choice);
            }
        }
        let mut choices = Choices(Vec::new());
        choices.visit_pat(guarded);
        for choice in choices.0 {
            if choice
                .cases
                .iter()
                .any(|case| !self.names_of(case).is_empty())
            {
                self.report.error_help(
                    Code::UnsupportedPattern,
                    choice,
                    "a name in several patterns that have a guard",
                    "write an arm for each pattern, with the guard",
                );
            }
        }
    }

    /// Patterns that have the same names.
    fn alternatives<'p>(&mut self, cases: impl IntoIterator<Item = &'p Pat>, ty: &Ty) {
        let outer = self.alternatives.len();
        let mut first = None;
        for case in cases {
            self.case(case, ty);
            let names = self.names_of(case);
            let is_reference = |&local: &LocalId| {
                let ty = &self.typed.locals[local.0 as usize].ty;
                matches!(self.unifier.shallow(ty), Ty::Reference { .. })
            };
            let (what, help) = match &first {
                Some(first) if *first != names => (
                    "a name that not all of the patterns have",
                    "write an arm for each, or name the whole: `x @ (1 | 2)`",
                ),
                None if names.iter().any(is_reference) => (
                    "a name for one of several parts of a reference",
                    "take the value apart, not the reference, or write an arm for each pattern",
                ),
                None => {
                    self.alternatives.extend(&names);
                    first = Some(names);
                    continue;
                }
                _ => continue,
            };
            self.report
                .error_help(Code::UnsupportedPattern, case, what, help);
            break;
        }
        self.alternatives.truncate(outer);
    }

    fn literal_pattern(&mut self, literal: &ExprLit, ty: &Ty) {
        let (ty, _) = self.behind_pattern(ty, true);
        let ty = &ty;
        let found = self.literal(literal, false);
        if let Lit::Int(int) = &literal.lit
            && int.base10_digits().starts_with('-')
        {
            self.oblige(&found, Class::Signed, "-", int.span());
        }
        self.expect(&found, ty, literal);
        self.oblige(ty, Class::Comparable, "match", literal.span());
    }

    /// A constant; `node` is the pattern that names it.
    pub fn constant_pattern(&mut self, node: impl Node, constant: &ExprPath, ty: &Ty) {
        let (ty, _) = self.behind_pattern(ty, true);
        let ty = &ty;
        let path = &constant.path;
        if constant.qself.is_none()
            && let Some((found, meaning)) = self.variant(path)
        {
            self.typed.note(node).path = meaning;
            self.expect(&found, ty, path);
            return;
        }
        let known = path.get_ident().and_then(|name| self.scopes.get(name));
        let constant = match known {
            Some(Resolved::Const(constant)) => constant,
            _ => {
                let known = self
                    .constant_of_type(path)
                    .or_else(|| super::constant::known_constant(path));
                self.constant(constant.to_token_stream(), known, constant.span())
            }
        };
        *self.const_uses.entry(constant).or_default() += 1;
        self.typed.note(node).path = Some(Resolved::Const(constant));
        let found = self.program.consts[constant].ty.clone();
        self.expect(&found, ty, path);
        self.oblige(ty, Class::Comparable, "match", path.span());
    }

    /// Whether a name in a pattern that may fail is a constant's, as the body or the file tells,
    /// or else its letters. The host version makes sure that rustc sees it the same way.
    pub(super) fn names_constant(&self, pattern: &PatIdent) -> bool {
        let PatIdent {
            by_ref,
            mutability,
            subpat,
            ident,
            ..
        } = pattern;
        if by_ref.is_some() || mutability.is_some() || subpat.is_some() {
            return false;
        }
        let name = ident.to_string();
        let is_case = standard_case(&name).is_some();
        is_case
            || self
                .is_constant(&ident.clone().into())
                .unwrap_or_else(|| is_type_name(&name))
    }

    fn bound(&mut self, bound: &Expr, ty: &Ty) {
        match bound {
            Expr::Lit(literal) => self.literal_pattern(literal, ty),
            Expr::Path(path) => self.constant_pattern(path, path, ty),
            other => self.report.error_help(
                Code::UnsupportedPattern,
                other,
                "a bound that is neither a number nor a constant",
                "give the constant a name: `const LAST: u32 = ..`",
            ),
        }
    }
}

/// Where an arm's value stands.
fn arm_value(arm: &Arm) -> Place {
    match &*arm.body {
        Expr::Block(block) => ValueOf(&block.block).locate(),
        other => other.locate(),
    }
}
