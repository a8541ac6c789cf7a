//! Functions by their names where a closure is wanted, and closures that move.
//!
//! ```text
//! x.map(f32::sqrt)        x.map(|a| f32::sqrt(a))
//! move |x| k * x          |x| k * x        if nothing that it captures is changed
//! ```
//!
//! How many arguments a function takes is what the tables or the file tell; rustc proves it.

use std::collections::{HashMap, HashSet};

use amp_spirv::tree::{IndexWidth, Scalar};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::{
    Block, Expr, ExprClosure, ExprPath, ItemFn, Local, PatIdent, Path, Signature,
    parse_quote_spanned, spanned::Spanned,
};

use super::module::{File, Found};
use crate::{
    attribute::TaskKind,
    language::{
        core,
        method::{constructor, library_function, scalar_method},
        name::is_type_name,
        owner::Owner,
    },
    visit::{self, Visit, VisitMut},
};

/// Methods that call their last argument with one.
const CALLERS: &[&str] = &[
    "and_then",
    "filter",
    "is_err_and",
    "is_none_or",
    "is_ok_and",
    "is_some_and",
    "map",
    "map_err",
    "map_or",
    "map_or_else",
    "or_else",
    "unwrap_or_else",
];

/// Writes closures for the functions that a body passes and names.
pub fn as_closures(body: &mut Block, signature: &Signature, kind: TaskKind) {
    let mut declared = Declared::default();
    declared.visit_signature(signature);
    declared.visit_block(body);
    let home = File::around(&signature.ident, kind);
    let is_of_file = |path: &Path| match &home {
        Some((file, home)) => match file.find(*home, path) {
            Found::Function(_, _, function) => Some(function.arity().unwrap_or(1)),
            _ if path.segments.len() > 1 => {
                file.arity_of_method(&path.segments.last()?.ident.to_string())
            }
            _ => None,
        },
        // A macro makes the function: the file does not tell its module.
        None => {
            let last = &path.segments.last()?.ident;
            File::of(last.span())?.only_function(last)?.arity()
        }
    };
    Closures {
        declared: &declared,
        arity: &is_of_file,
    }
    .visit_block_mut(body);
}

/// The variables and functions that a body declares.
#[derive(Default)]
struct Declared {
    names: HashSet<String>,
    /// Variables that may change.
    changing: HashSet<String>,
    /// How many arguments the functions take.
    functions: HashMap<String, usize>,
}

impl<'a> Visit<'a> for Declared {
    fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
        let name = pattern.ident.to_string();
        if pattern.mutability.is_some() {
            self.changing.insert(name.clone());
        }
        self.names.insert(name);
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_item_fn(&mut self, function: &'a ItemFn) {
        let signature = &function.sig;
        self.functions
            .insert(signature.ident.to_string(), signature.inputs.len());
        visit::visit_item_fn(self, function);
    }
}

struct Closures<'a> {
    declared: &'a Declared,
    /// How many arguments a function of the file takes.
    arity: &'a dyn Fn(&Path) -> Option<usize>,
}

impl Closures<'_> {
    /// Writes a closure for an expression that names a function; `called` if it stands where one
    /// is called with one argument.
    fn closure(&self, expr: &mut Expr, called: bool) {
        if let Expr::Reference(reference) = expr {
            return self.closure(&mut reference.expr, called);
        }
        let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = &*expr
        else {
            return;
        };
        let Some(arity) = self.arity_of(path, called) else {
            return;
        };
        let span = path.span().resolved_at(Span::mixed_site());
        let names: Vec<Ident> = (0..arity)
            .map(|k| format_ident!("__amp_argument_{k}", span = span))
            .collect();
        *expr = parse_quote_spanned!(span=> |#(#names),*| #path(#(#names),*));
    }

    fn arity_of(&self, path: &Path, called: bool) -> Option<usize> {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        let (last, owners) = names.split_last()?;
        if is_type_name(last) {
            // Constants are values, and have no small letters.
            let is_function = called && last.contains(|letter: char| letter.is_lowercase());
            let is_standard = matches!(&**last, "Some" | "Ok" | "Err");
            return (is_standard || is_function).then_some(1);
        }
        let Some(owner) = owners.last() else {
            let is_variable = self.declared.names.contains(last);
            let in_the_body = self.declared.functions.get(last).copied();
            return (!is_variable).then(|| in_the_body.or_else(|| (self.arity)(path)))?;
        };
        match Scalar::from_name(owner) {
            Some(scalar) => Some(arity_of_scalar(last, scalar)),
            None => Some((self.arity)(path).unwrap_or(1)),
        }
    }

    /// Whether nothing that a closure captures changes.
    fn keeps(&self, closure: &ExprClosure) -> bool {
        struct Changes<'a>(&'a HashSet<String>, bool);
        impl<'a> Visit<'a> for Changes<'_> {
            fn visit_expr_path(&mut self, expr: &'a ExprPath) {
                let name = expr.path.get_ident();
                self.1 |= name.is_some_and(|name| self.0.contains(&name.to_string()));
            }
        }
        let mut changing = self.declared.changing.clone();
        let mut own = Declared::default();
        let parameters = closure.inputs.iter();
        parameters.for_each(|pattern| own.visit_pat(pattern));
        changing.retain(|name| !own.names.contains(name));
        let mut changes = Changes(&changing, false);
        changes.visit_expr(&closure.body);
        !changes.1
    }
}

/// How many arguments a function of a scalar takes.
fn arity_of_scalar(name: &str, scalar: Scalar) -> usize {
    if let Some(method) = constructor(name, scalar) {
        return method.arguments.len();
    }
    if let Some(method) = scalar_method(name, scalar) {
        return method.arguments.len() + 1;
    }
    let owner = Owner::Scalar(scalar);
    if let Some(source) = owner.find(name, IndexWidth::Bits32, false) {
        let function = owner.tokens(&source, IndexWidth::Bits32, Span::call_site());
        return syn::parse2::<ItemFn>(function).map_or(1, |it| it.sig.inputs.len());
    }
    if core::File::Comparison.has(name) {
        return 2;
    }
    let has_two = ["atan2", "hypot", "powf", "powi"].contains(&name);
    match library_function(name, scalar) {
        Some(_) if has_two => 2,
        _ => 1,
    }
}

impl VisitMut for Closures<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Call(call) => call
                .args
                .iter_mut()
                .for_each(|argument| self.closure(argument, false)),
            Expr::MethodCall(call) => {
                let called = CALLERS.contains(&&*call.method.to_string());
                let last = call.args.len();
                for (k, argument) in call.args.iter_mut().enumerate() {
                    self.closure(argument, called && k + 1 == last);
                }
            }
            Expr::Closure(closure) if closure.capture.is_some() && self.keeps(closure) => {
                closure.capture = None;
            }
            _ => {}
        }
        visit::visit_expr_mut(self, expr);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        if let Some(init) = &mut local.init {
            self.closure(&mut init.expr, false);
        }
        visit::visit_local_mut(self, local);
    }
}
