//! What syntax tells of variables: which are references, and which are arrays or slices.
//!
//! Names are told by their last declaration before a use, wherever its block ends. What that gets wrong
//! is refused later, by inference or by rustc, and not compiled otherwise.

use std::collections::HashSet;

use syn::{Expr, FnArg, Local, Pat, Signature, Type, UnOp};

use super::bare;

/// See the module's documentation.
#[derive(Default)]
pub struct Known {
    references: HashSet<String>,
    slices: HashSet<String>,
}

impl Known {
    /// What a signature tells.
    pub fn of(signature: &Signature) -> Self {
        let mut known = Self::default();
        for input in &signature.inputs {
            if let FnArg::Typed(typed) = input
                && let Pat::Ident(name) = &*typed.pat
            {
                known.note(&name.ident.to_string(), shape_of_type(&typed.ty));
            }
        }
        known
    }

    /// What a `let` tells.
    pub fn declare(&mut self, local: &Local) {
        let (pattern, written) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let Pat::Ident(name) = pattern else { return };
        let shape = match (written, &local.init) {
            (Some(ty), _) => shape_of_type(ty),
            (None, Some(init)) => self.shape_of_value(&init.expr),
            (None, None) => Shape::default(),
        };
        self.note(&name.ident.to_string(), shape);
    }

    /// Whether a name is that of a reference.
    pub fn is_reference(&self, expr: &Expr) -> bool {
        named(expr).is_some_and(|name| self.references.contains(&name))
    }

    /// Whether an expression is an array or a slice.
    pub fn is_slice(&self, expr: &Expr) -> bool {
        self.shape_of_value(expr).is_slice
    }

    fn note(&mut self, name: &str, shape: Shape) {
        for (names, is) in [
            (&mut self.references, shape.is_reference),
            (&mut self.slices, shape.is_slice),
        ] {
            match is {
                true => names.insert(name.to_owned()),
                false => names.remove(name),
            };
        }
    }

    fn shape_of_value(&self, expr: &Expr) -> Shape {
        match bare(expr) {
            Expr::Array(_) | Expr::Repeat(_) => Shape {
                is_reference: false,
                is_slice: true,
            },
            Expr::Index(index) => Shape {
                is_reference: false,
                is_slice: matches!(bare(&index.index), Expr::Range(_)),
            },
            Expr::Reference(reference) => Shape {
                is_reference: true,
                ..self.shape_of_value(&reference.expr)
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.shape_of_value(&unary.expr)
            }
            name => named(name).map_or_else(Shape::default, |name| Shape {
                is_reference: self.references.contains(&name),
                is_slice: self.slices.contains(&name),
            }),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Shape {
    is_reference: bool,
    is_slice: bool,
}

fn shape_of_type(ty: &Type) -> Shape {
    match ty {
        Type::Group(group) => shape_of_type(&group.elem),
        Type::Paren(paren) => shape_of_type(&paren.elem),
        Type::Reference(reference) => Shape {
            is_reference: true,
            ..shape_of_type(&reference.elem)
        },
        Type::Array(_) | Type::Slice(_) => Shape {
            is_reference: false,
            is_slice: true,
        },
        _ => Shape::default(),
    }
}

fn named(expr: &Expr) -> Option<String> {
    match bare(expr) {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}
