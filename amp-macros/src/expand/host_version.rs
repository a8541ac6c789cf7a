//! The host version: the user's function as the CPU accelerator runs it.
//!
//! The user's own tokens, with the least that makes them mean on the CPU what they
//! mean on a device, whatever the profile: integer arithmetic that wraps, division and
//! indexing that fault instead of panicking, tile_static variables shared by a tile.
//! Every `let` carries the type that inference found, so that rustc refuses the host version
//! where the two disagree.

use std::collections::HashSet;

use amp_spirv::tree::{LocalId, Scalar};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::{Expr, ItemFn, Stmt, parse_quote};

use super::{resolved::Imported, types};
use crate::infer::{FunctionDef, Node, NodeId, Program, Ty};

/// `ArrayView<T, N>` becomes the CPU accelerator's view, with a lifetime; whether it is one.
pub(super) fn view_path_of_cpu(path: &mut syn::Path, lifetime: &TokenStream) -> bool {
    let Some(last) = path.segments.last().cloned() else {
        return false;
    };
    if last.ident != "ArrayView" && last.ident != "ArrayViewMut" {
        return false;
    }
    let syn::PathArguments::AngleBracketed(mut arguments) = last.arguments else {
        return false;
    };
    arguments
        .args
        .retain(|argument| !matches!(argument, syn::GenericArgument::Lifetime(_)));
    if arguments.args.len() == 1 {
        arguments.args.push(parse_quote!(1));
    }
    let (name, arguments) = (&last.ident, &arguments.args);
    *path = parse_quote!(::amp::__private::cpu::#name<#lifetime, #arguments>);
    true
}

/// A function whose host version is being written.
pub(super) struct HostVersion<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a FunctionDef,
    /// Type of the result of the function, or of the closure that is being written.
    pub(super) result: &'a Ty,
    /// The items of all functions, by their places in the program.
    pub(super) items: &'a mut Vec<Option<ItemFn>>,
    pub(super) imported: &'a Imported<'a>,
    /// Whether tile_static variables are Rust's own places, as in lockstep: the threads of a tile are told apart
    /// there by nothing that could be checked.
    pub(super) in_lockstep: bool,
    /// Paths of functions that a call has proven.
    pub(super) proven: HashSet<String>,
    /// What a `let` keeps in variables while it is being written, if it names a part of that.
    pub(super) kept: Option<Vec<Stmt>>,
    /// Variables that are Rust's own references in the part that is being written.
    pub(super) own_references: Vec<LocalId>,
}

/// A function of the host version's run time, spanned so that its caller is the user's code.
pub(super) fn run_time(name: &str, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::amp::__private::host_version::#name)
}

impl HostVersion<'_> {
    /// The id of a node that is about to be replaced.
    pub(super) fn id(&self, expr: &Expr) -> NodeId {
        self.function.typed.id(expr)
    }

    pub(super) fn scalar(&self, expr: NodeId) -> Option<Scalar> {
        match self.function.typed.ty(expr) {
            Ty::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    pub(super) fn integer(&self, expr: NodeId) -> Option<TokenStream> {
        self.scalar(expr)
            .filter(|scalar| scalar.is_integer())
            .map(types::scalar)
    }

    /// Whether an operator is the user's: then it is Rust's own call of the host version.
    pub(super) fn is_own(&self, node: impl Node) -> bool {
        self.function.typed.of(node).callee.is_some()
    }

    /// Whether an expression is an index or extent.
    pub(super) fn is_vector(&self, key: NodeId) -> bool {
        matches!(self.function.typed.ty(key), Ty::Index(_) | Ty::Extent(_))
    }
}
