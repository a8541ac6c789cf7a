//! Calls of functions that are named by a type in brackets: `<S as Shape>::kind(&s)`, `<S::Kind>::new()`.
//!
//! The type says whose function it is, and the trait with its arguments which: one of the type's own of this name is
//! another. Left out are traits that are none of kernels, and functions of structs with views.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprCall, ExprPath, Path, QSelf};

use super::{
    context::FnCx,
    implementation::Members,
    names::Meaning,
    trait_arguments::types,
    ty::Ty,
    type_expr::{arguments_at, text},
};
use crate::language::name::{path_key, qualifying_trait};

impl FnCx<'_> {
    /// Type of `<S as Shape>::kind(&s)`, if kernels know the trait.
    pub fn qualified_call(
        &mut self,
        expr: &Expr,
        call: &ExprCall,
        (of, path): (&QSelf, &Path),
    ) -> Option<Ty> {
        let name = path.segments.last()?.ident.to_string();
        let of_trait = match of.as_token {
            Some(_) => Some(self.qualifying(of, path)?),
            None => None,
        };
        let owner = self.read_type(&of.ty);
        // What is proved of its functions is proved of the struct's own.
        if let Ty::Bundle(_) = owner {
            return None;
        }
        if owner == Ty::Error {
            self.lost_arguments(&call.args);
            return Some(Ty::Error);
        }
        let of_bound = match (of_trait, &owner) {
            (Some(of), owner) => self.function_of_bound(of, &name, owner),
            (None, Ty::Param(parameter)) => self.bound_function(*parameter, &name).map(|it| it.0),
            _ => None,
        };
        if let Some(template) = of_bound {
            return Some(self.call_of_bound(expr, call, (path, template), &owner));
        }
        let declared_by = of_trait.or_else(|| self.trait_called(expr));
        let mut known = self.members(Some(&owner), &name, declared_by);
        self.retain_told(&mut known, (of, path));
        if known.0.is_empty() {
            self.lost_arguments(&call.args);
            let of_trait = of_trait.map(|of| format!("{}::", self.program.traits[of].name));
            let message = format!(
                "{} has no `{}{name}` in kernels",
                self.show(&owner),
                of_trait.unwrap_or_default()
            );
            let help = self.supplied_help(&owner, &name).unwrap_or_else(|| {
                "write an `#[amp_fn] impl` of the trait for the type".to_owned()
            });
            self.report
                .error_help(Code::UnknownMember, &call.func, message, help);
            return Some(Ty::Error);
        }
        self.called_member(expr, call, path, Some(owner), (None, declared_by), &known)
    }

    /// Type of `<S::Kind>::ZERO`, a constant of an associated type of a parameter.
    pub fn constant_of_projection(&mut self, expr: &Expr, constant: &ExprPath) -> Option<Ty> {
        let (of, path) = (constant.qself.as_ref()?, &constant.path);
        let name = path.segments.last()?.ident.to_string();
        let written = text(&of.ty);
        let owner = self.arguments.types.get(&written)?.clone();
        if let Ty::Param(parameter) = owner
            && let Some((meaning, ty)) = self.bound_constant(parameter, &name)
        {
            self.typed.note(expr).path = Some(meaning);
            return Some(ty);
        }
        let declared_by = match of.as_token {
            Some(_) => self.trait_qualifying(of, path),
            None => self.trait_of_constant(expr),
        };
        let found = declared_by
            .and_then(|of| self.constant_of_block(expr, (&owner, &name), true, Some(of)));
        Some(found.unwrap_or_else(|| {
            self.report.error_help(
                Code::UnknownName,
                constant,
                format!("`{written}` has no constant `{name}` that kernels can see"),
                format!("name the trait that has it: `<{written} as Trait>::{name}`"),
            );
            Ty::Error
        }))
    }

    /// Leaves of functions those of the blocks whose trait has the arguments of a path.
    fn retain_told(&mut self, Members(known): &mut Members, (of, path): (&QSelf, &Path)) {
        let written = of
            .position
            .checked_sub(1)
            .and_then(|last| arguments_at(path, last));
        let Some(written) = written else { return };
        let told: Vec<Ty> = types(written).map(|ty| self.read_type(ty)).collect();
        known.retain(|position| {
            let known = &self.program.methods[*position].of_arguments;
            let mut pairs = told.iter().zip(known);
            pairs.all(|(told, known)| self.fits(told, known))
        });
    }

    /// The trait of `<S as Shape>::kind`.
    fn qualifying(&self, of: &QSelf, path: &Path) -> Option<usize> {
        let of_trait = self.trait_qualifying(of, path)?;
        let has_functions = !self.program.traits[of_trait].functions.is_empty();
        let has_arguments = arguments_at(path, of.position.checked_sub(1)?).is_some();
        (has_functions || has_arguments).then_some(of_trait)
    }

    fn trait_qualifying(&self, of: &QSelf, path: &Path) -> Option<usize> {
        match self.names.get(&path_key(&qualifying_trait(of, path))) {
            Some(Meaning::Trait(index)) => Some(index),
            _ => None,
        }
    }
}
