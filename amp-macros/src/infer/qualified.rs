//! Calls of functions that are named by a type in brackets: `<S as Shape>::kind(&s)`, `<S::Kind>::new()`.
//!
//! The type says whose function it is, and the trait with its arguments which: one of the type's own of this name is
//! another. Left out are traits that are none of kernels, and functions of structs with views.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprCall, ExprPath, Path, QSelf};

use super::{
    context::FnCx,
    names::Meaning,
    trait_arguments::TraitRef,
    ty::Ty,
    type_expr::{scalar, text},
};
use crate::{
    import::siblings,
    language::name::{path_key, qualifying_trait},
};

impl FnCx<'_> {
    /// Whether a path that is not called names a function: one of a scalar, or one that the file
    /// declares.
    pub fn names_function(&self, path: &ExprPath, text: &str) -> bool {
        let is_lower = |name: &str| name.chars().all(|letter| !letter.is_uppercase());
        match text.rsplit_once("::") {
            Some((owner, name)) => scalar(owner).is_some() && is_lower(name),
            None => {
                let own = &self.program.functions[self.owner].item.sig.ident;
                is_lower(text) && siblings::names_function(own, &path.path)
            }
        }
    }

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
        let of_bound = match (&of_trait, &owner) {
            (Some(of), owner) => self.function_of_bound(of, &name, owner),
            (None, Ty::Param(parameter)) => self.bound_function(*parameter, &name, &call.func),
            _ => None,
        };
        if let Some(function) = of_bound {
            return Some(self.call_of_bound(expr, call, (path, &function), &owner));
        }
        let declared_by = of_trait.clone().or_else(|| self.trait_called(expr));
        let known = self.members(Some(&owner), &name, declared_by.as_ref());
        if known.0.is_empty() {
            self.lost_arguments(&call.args);
            let of_trait = of_trait.map(|of| format!("{}::", self.program.traits[of.of].name));
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
        self.called_member(
            expr,
            call,
            path,
            Some(owner),
            (None, declared_by.as_ref()),
            &known,
        )
    }

    /// Type of `<S::Kind>::ZERO`, a constant of an associated type of a parameter, or of
    /// `<S as Shape>::SIDES`, one that a trait declares.
    pub fn constant_of_projection(&mut self, expr: &Expr, constant: &ExprPath) -> Option<Ty> {
        let (of, path) = (constant.qself.as_ref()?, &constant.path);
        let name = path.segments.last()?.ident.to_string();
        let named = of.as_token.and_then(|_| self.trait_qualifying(of, path));
        let written = text(&of.ty);
        let Some(owner) = self.arguments.types.get(&written).cloned() else {
            // One that rustc hands over needs nothing.
            let named = named?;
            let owner = self.read_type(&of.ty);
            return self.constant_of_block(expr, (&owner, &name), false, Some(&named));
        };
        if of.as_token.is_some() && named.is_none() {
            let short = format!("{written}::{name}");
            let (meaning, ty) = self.generic_constant(&syn::parse_str(&short).ok()?)?;
            self.typed.note(expr).path = Some(meaning);
            return Some(ty);
        }
        if let Ty::Param(parameter) = owner
            && let Some((meaning, ty)) = self.bound_constant(parameter, &name, named.as_ref())
        {
            self.typed.note(expr).path = Some(meaning);
            return Some(ty);
        }
        let declared_by = named.or_else(|| self.trait_of_constant(expr));
        let found = declared_by
            .and_then(|of| self.constant_of_block(expr, (&owner, &name), true, Some(&of)));
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

    /// The trait of `<S as Shape>::kind`.
    fn qualifying(&mut self, of: &QSelf, path: &Path) -> Option<TraitRef> {
        let of_trait = self.trait_qualifying(of, path)?;
        let has_functions = !self.program.traits[of_trait.of].functions.is_empty();
        (has_functions || !of_trait.arguments.is_empty()).then_some(of_trait)
    }

    fn trait_qualifying(&mut self, of: &QSelf, path: &Path) -> Option<TraitRef> {
        match self.names.get(&path_key(&qualifying_trait(of, path))) {
            Some(Meaning::Trait(index)) => {
                Some(self.trait_of_path(index, path, of.position.checked_sub(1)?))
            }
            _ => None,
        }
    }
}
