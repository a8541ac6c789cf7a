//! Constants of type parameters by the trait that declares them: `<S as Shape>::SIDES` as `S::SIDES`.
//!
//! rustc refuses what is ambiguous then. Left to inference are functions, and constants of types, which may have
//! others of the name.

use syn::{Generics, Ident, Path, QSelf, Type};

use crate::visit::{self, VisitMut};

/// Writes the members of parameters so, in what is visited.
pub struct Qualified(Vec<Ident>);

impl Qualified {
    /// Of these parameters.
    pub fn of(generics: &Generics) -> Self {
        let parameters = generics.type_params();
        Self(
            parameters
                .map(|parameter| parameter.ident.clone())
                .collect(),
        )
    }

    fn shorten(&self, qself: &mut Option<QSelf>, path: &mut Path) {
        let Some(of) = qself.as_ref().filter(|qself| qself.as_token.is_some()) else {
            return;
        };
        let Type::Path(owner) = &*of.ty else { return };
        let Some(name) = owner.path.get_ident().filter(|name| self.0.contains(name)) else {
            return;
        };
        let members = path.segments.iter().skip(of.position).cloned();
        let mut short = Path::from(name.clone());
        short.segments.extend(members);
        *path = short;
        *qself = None;
    }
}

impl VisitMut for Qualified {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        let name = path.path.segments.last().map(|last| last.ident.to_string());
        if name.is_some_and(|name| !name.contains(char::is_lowercase)) {
            self.shorten(&mut path.qself, &mut path.path);
        }
        visit::visit_expr_path_mut(self, path);
    }
}
