//! Calls of functions that return closures and iterators, as they are written: with the arguments computed
//! before, and as closures that pass theirs on.

use proc_macro2::Ident;
use syn::{Expr, Local, Pat, Stmt, parse_quote_spanned, punctuated::Punctuated, spanned::Spanned};

use super::{Names, bare, build, own_sources, refused};
use crate::language::{name::is_of_type, returned::METHOD};

/// The call of the function as it has been written anew, whose arguments are computed before.
pub(super) fn written(call: &Expr, setup: &mut Vec<Stmt>, names: &mut Names) -> Expr {
    written_by(call, setup, names, &is_kept)
}

fn written_by(
    call: &Expr,
    setup: &mut Vec<Stmt>,
    names: &mut Names,
    is_fixed: &dyn Fn(&Expr, &Names) -> bool,
) -> Expr {
    let mut call = named(call).unwrap_or_else(|| bare(call).clone());
    let arguments = match &mut call {
        Expr::Call(call) => &mut call.args,
        Expr::MethodCall(call) => &mut call.args,
        _ => return call,
    };
    for argument in arguments {
        if !is_fixed(argument, names) {
            let (span, name) = (argument.span(), names.fresh("source", argument.span()));
            setup.push(parse_quote_spanned!(span=> let #name = #argument;));
            *argument = parse_quote_spanned!(span=> #name);
        }
    }
    call
}

/// The call of a function of a type, by the name that it has in kernels.
pub(super) fn named(call: &Expr) -> Option<Expr> {
    let mut call = bare(call).clone();
    match &mut call {
        Expr::Call(call) => {
            let Expr::Path(path) = &mut *call.func else {
                return None;
            };
            let is_of_type = is_of_type(&path.path);
            let last = path.path.segments.last_mut().filter(|_| is_of_type)?;
            let name = &last.ident;
            last.ident = Ident::new(&format!("{METHOD}{name}"), name.span());
        }
        Expr::MethodCall(call) => {
            let (name, span) = (call.method.to_string(), call.method.span());
            let name = own_sources::owned(&name).map_or(&*name, |(_, name)| name);
            call.method = Ident::new(&format!("{METHOD}{name}"), span);
        }
        _ => return None,
    }
    Some(call)
}

/// Whether an argument may be computed where it is used, at once.
pub(super) fn is_fixed(argument: &Expr, _: &Names) -> bool {
    match bare(argument) {
        Expr::Lit(_) | Expr::Path(_) | Expr::Closure(_) => true,
        Expr::Reference(reference) => matches!(
            bare(&reference.expr),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
        ),
        _ => false,
    }
}

/// The same of one that is used later: a variable that changes meanwhile is not what was passed.
fn is_kept(argument: &Expr, names: &Names) -> bool {
    let changes = match bare(argument) {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
            let is_mutable = names.known.is_mutable(&name.to_string());
            is_mutable && !names.known.is_reference(argument)
        }),
        _ => false,
    };
    is_fixed(argument, names) && !changes
}

impl Names {
    /// `let s = scaler(2.0);`
    pub fn closure_of_local(&mut self, local: &Local) -> Option<Vec<Stmt>> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let parameters = self.parameters_of_call(&init.expr)?;
        let mut statements = Vec::new();
        let call = written(&init.expr, &mut statements, self);
        let mut local = local.clone();
        if let Some(init) = &mut local.init {
            *init.expr = closure(call, parameters, self);
        }
        statements.push(Stmt::Local(local));
        Some(statements)
    }

    /// `scaler(2.0)(x)`, and `scaler(k)` as an argument.
    pub fn closure_of_call(&mut self, expr: &Expr) -> Option<Expr> {
        if let Expr::Call(outer) = expr
            && self.parameters_of_call(&outer.func).is_some()
        {
            let mut call = bare(&outer.func).clone();
            let mut setup = Vec::new();
            call = written(&call, &mut setup, self);
            add(&mut call, outer.args.iter().cloned());
            return Some(build::within(setup, call, expr.span()));
        }
        if let Expr::Call(_) = expr
            && self.iterator_of_call(expr).is_some()
        {
            return Some(refused(
                expr.span(),
                "an iterator that a function returns, kept as a value",
                "use it where it stands: `for x in evens(n)`, `evens(n).sum::<u32>()`",
            ));
        }
        let parameters = self.parameters_of_call(expr)?;
        let mut setup = Vec::new();
        let call = written_by(expr, &mut setup, self, &is_fixed);
        if setup.is_empty() {
            return Some(closure(call, parameters, self));
        }
        Some(refused(
            expr.span(),
            "a closure that a function returns, made of values that have no names",
            "name it: `let f = scaler(2.0 * k);`",
        ))
    }
}

/// The closure that passes its arguments on.
fn closure(mut call: Expr, parameters: usize, names: &mut Names) -> Expr {
    let span = call.span();
    let given: Vec<Ident> = (0..parameters)
        .map(|_| names.fresh("given", span))
        .collect();
    let arguments = given.iter().map(|name| parse_quote_spanned!(span=> #name));
    add(&mut call, arguments);
    let inputs: Punctuated<Pat, syn::Token![,]> = given
        .iter()
        .map(|name| -> Pat { parse_quote_spanned!(span=> #name) })
        .collect();
    parse_quote_spanned!(span=> |#inputs| #call)
}

pub(super) fn add(call: &mut Expr, arguments: impl Iterator<Item = Expr>) {
    match call {
        Expr::Call(call) => call.args.extend(arguments),
        Expr::MethodCall(call) => call.args.extend(arguments),
        _ => {}
    }
}
