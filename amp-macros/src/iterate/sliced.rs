//! Functions and methods that return slices, as far as their signatures tell.

use std::collections::{HashMap, HashSet};

use syn::{Expr, ReturnType, Signature, Type};

use super::bare;
use crate::language::name::local_key;

/// See the module's documentation.
#[derive(Default)]
pub struct Sliced {
    /// The functions, by their paths.
    functions: HashSet<String>,
    /// By the names of methods: whether all of a name return slices.
    methods: HashMap<String, bool>,
}

impl Sliced {
    /// Adds a function.
    pub fn function(&mut self, path: &str, signature: &Signature) {
        if returns_slice(signature) {
            self.functions.insert(path.to_owned());
        }
    }

    /// Adds a function of a type.
    pub fn method(&mut self, own: Option<&String>, signature: &Signature) {
        let (name, is_slice) = (signature.ident.to_string(), returns_slice(signature));
        if let (Some(own), true) = (own, is_slice) {
            self.functions.insert(format!("{own}::{name}"));
        }
        *self.methods.entry(name).or_insert(is_slice) &= is_slice;
    }

    /// Whether an expression calls one of them.
    pub fn makes(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Call(call) => match bare(&call.func) {
                Expr::Path(path) => self.functions.contains(&local_key(&path.path)),
                _ => false,
            },
            Expr::MethodCall(call) => self.methods.get(&call.method.to_string()) == Some(&true),
            _ => false,
        }
    }
}

/// Whether a function returns a slice.
fn returns_slice(signature: &Signature) -> bool {
    match &signature.output {
        ReturnType::Type(_, ty) => {
            matches!(&**ty, Type::Reference(of) if matches!(*of.elem, Type::Slice(_)))
        }
        ReturnType::Default => false,
    }
}
