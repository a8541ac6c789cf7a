//! Patterns: names and `_`; `apart` has those of several parts. Those of `match` that may fail
//! are taken apart here too, down to what only they have.

use std::collections::BTreeSet;

use amp_spirv::diagnostic::Code;
use amp_spirv::tree::LocalId;
use syn::{ExprPath, Pat, PatIdent, PatStruct, PatTupleStruct};

use super::{
    context::FnCx,
    ty::Ty,
    typed::{Resolved, Typed},
};
use crate::visit::{self, Visit};

impl FnCx<'_> {
    /// Declares the variables of a pattern that takes a value of type `ty` apart.
    pub fn pattern(&mut self, pattern: &Pat, ty: &Ty) {
        self.take_apart(pattern, ty, false);
    }

    /// Like [`FnCx::pattern`], for a pattern that the value need not match.
    pub fn case(&mut self, pattern: &Pat, ty: &Ty) {
        self.take_apart(pattern, ty, true);
    }

    pub(super) fn take_apart(&mut self, pattern: &Pat, ty: &Ty, may_fail: bool) {
        match pattern {
            _ if self.unifier.shallow(ty) == Ty::Error => self.declare_lost(pattern),
            Pat::Ident(ident) if may_fail && self.names_constant(ident) => {
                let constant = ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: ident.ident.clone().into(),
                };
                self.constant_pattern(ident, &constant, ty);
            }
            Pat::Ident(ident) => self.name_pattern(ident, ty, may_fail),
            Pat::Wild(_) => {}
            Pat::Paren(paren) => self.take_apart(&paren.pat, ty, may_fail),
            Pat::Reference(pattern)
                if may_fail && let Ty::Reference { target, .. } = self.unifier.shallow(ty) =>
            {
                self.take_apart(&pattern.pat, &target, may_fail);
            }
            Pat::Lit(_) | Pat::Path(_) | Pat::Range(_) | Pat::Or(_) if may_fail => {
                self.failing_pattern(pattern, ty);
            }
            Pat::Tuple(tuple) if tuple.elems.is_empty() => {
                self.expect(ty, &Ty::Unit, pattern);
            }
            Pat::Tuple(_) => self.tuple_pattern(pattern, ty, may_fail),
            Pat::Slice(_) => self.array_pattern(pattern, ty, may_fail),
            Pat::Struct(PatStruct {
                qself: None, path, ..
            })
            | Pat::TupleStruct(PatTupleStruct {
                qself: None, path, ..
            }) => self.struct_pattern(pattern, path, ty, may_fail),
            other => {
                let help = match other {
                    Pat::Type(_) => "write the type behind the whole pattern",
                    Pat::Struct(_) | Pat::TupleStruct(_) => "write the struct's own name",
                    Pat::Reference(_) => "the value is no reference: leave the `&` out",
                    Pat::Rest(_) => "what it leaves out has no name: write `..` alone",
                    Pat::Lit(_) | Pat::Range(_) | Pat::Or(_) => {
                        "it may fail: use `match`, `if let` or `let ... else`"
                    }
                    _ => "use names, `_`, tuples, arrays and structs",
                };
                self.report.error_help(
                    Code::UnsupportedPattern,
                    other,
                    "kernels do not have this pattern here",
                    help,
                );
                self.declare_lost(other);
            }
        }
    }

    /// The variables that a pattern declares.
    pub(super) fn names_of(&self, pattern: &Pat) -> BTreeSet<LocalId> {
        struct Names<'a>(&'a Typed, BTreeSet<LocalId>);
        impl<'p> Visit<'p> for Names<'_> {
            fn visit_pat_ident(&mut self, ident: &'p PatIdent) {
                self.1.extend(self.0.of(ident).local);
                visit::visit_pat_ident(self, ident);
            }
        }
        let mut names = Names(&self.typed, BTreeSet::new());
        names.visit_pat(pattern);
        names.1
    }

    fn name_pattern(&mut self, ident: &PatIdent, ty: &Ty, may_fail: bool) {
        if let Some(token) = &ident.by_ref {
            self.report.error_help(
                Code::UnsupportedPattern,
                token.span,
                "`ref` in a kernel",
                "bind all names alike, or match a reference: `match &x { Some(a) => .. }`",
            );
        }
        if let Some((_, part)) = &ident.subpat
            && may_fail
        {
            self.case(part, ty);
        } else if let Some((token, _)) = &ident.subpat {
            self.report.error_help(
                Code::UnsupportedPattern,
                token.span,
                "`@` in a kernel",
                "bind the value, then take it apart",
            );
        }
        self.declare_name(ident, ty, may_fail);
    }

    /// Declares the variable of a name.
    pub(super) fn declare_name(&mut self, ident: &PatIdent, ty: &Ty, may_fail: bool) {
        let lost = Ty::Error;
        let ty = match ty {
            ty if ty.is_side_by_side() => {
                self.report.error_help(
                    Code::Reference,
                    &ident.ident,
                    "a name for a tuple with references in it",
                    "a reference is not a value: name the parts, `(a, b)`",
                );
                &lost
            }
            ty => ty,
        };
        let is_same = |local: &&LocalId| {
            let known = &self.typed.locals[local.0 as usize].name;
            ident.ident == known
        };
        let local = match self.alternatives.iter().find(is_same).copied() {
            Some(local) => {
                let wanted = self.typed.locals[local.0 as usize].ty.clone();
                self.expect(ty, &wanted, &ident.ident);
                local
            }
            None => self.new_local(&ident.ident, ty.clone()),
        };
        self.typed.note(ident).local = Some(local);
        if may_fail && let Ty::Reference { .. } = ty {
            self.typed.places.insert(local);
        }
        self.scopes.declare(&ident.ident, Resolved::Local(local));
    }
}
