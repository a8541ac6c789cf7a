//! References of the host version: a helper's `&mut T` is a place that other threads may see.
//!
//! ```text
//! fn bump(x: &mut i32) { .. }    fn bump<'amp0>(x: impl Into<RefMut<'amp0, i32>>) {
//!                                    let mut x: RefMut<'_, i32> = x.into(); .. }
//! bump(x)                        bump(x.place_mut().named())
//! ```
//!
//! `amp_runtime::cpu::host_version::RefMut` says why. Plain Rust that calls the helper
//! passes `&mut x` as ever.

use amp_spirv::tree::LocalId;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{
    Expr, ExprAssign, ExprMatch, FnArg, ItemFn, Lifetime, Local, Pat, Stmt, Token, Type,
    parse_quote, parse_quote_spanned, spanned::Spanned,
};

use super::{
    host_version::{HostVersion, run_time},
    pattern::{Unmistakable, say_type},
    types,
};
use crate::{
    infer::{Callee, FunctionDef, Resolved, Ty, bare},
    iterate::is_of_halves,
    visit::VisitMut,
};

/// Rewrites a helper's parameters that are references to values.
pub(super) fn parameters(item: &mut ItemFn, function: &FunctionDef) {
    let mut converted: Vec<Stmt> = Vec::new();
    for (position, input) in item.sig.inputs.iter_mut().enumerate() {
        let is_reference = function
            .params
            .get(position)
            .is_some_and(|param| match &param.ty {
                Ty::Reference { target, .. } => !matches!(**target, Ty::Bundle(_)),
                _ => false,
            });
        let FnArg::Typed(typed) = input else { continue };
        let (Pat::Ident(name), Type::Reference(reference)) = (&mut *typed.pat, &*typed.ty) else {
            continue;
        };
        if !is_reference {
            continue;
        }
        let span = reference.span();
        let (kind, target) = match &*reference.elem {
            Type::Slice(slice) => ("Slice", &slice.elem),
            _ => ("Ref", &reference.elem),
        };
        let kind = kind_of(kind, reference.mutability.is_some(), span);
        let lifetime = Lifetime::new(&format!("'amp{position}"), Span::call_site());
        // What it is converted to changes.
        name.mutability = None;
        let name = &name.ident;
        converted.push(parse_quote! {
            #[allow(unused_mut, unused_variables)]
            let mut #name: #kind<'_, #target> = #name.into();
        });
        *typed.ty = parse_quote!(impl ::core::convert::Into<#kind<#lifetime, #target>>);
        item.sig.generics.params.insert(0, parse_quote!(#lifetime));
    }
    item.block.stmts.splice(..0, converted);
}

/// A half of a slice that is split, if an expression is one: the first leaves the second behind. The slice is the
/// run time's, or one of Rust's `own`.
fn half(expr: &Expr, own: bool) -> Option<Expr> {
    let Expr::Reference(reference) = expr else {
        return None;
    };
    let Expr::Index(part) = &*reference.expr else {
        return None;
    };
    let Expr::Range(range) = &*part.index else {
        return None;
    };
    let (span, whole) = (part.span(), &part.expr);
    let is_half = reference.attrs.iter().any(is_of_halves);
    is_half.then(|| match &range.end {
        Some(middle) if own => {
            let split_off = run_time("split_off", span);
            parse_quote_spanned!(span=> #split_off(&mut #whole, #middle))
        }
        Some(middle) => parse_quote_spanned!(span=> #whole.split_off(#middle)),
        None => (**whole).clone(),
    })
}

/// The type of the run time that stands for a reference.
fn kind_of(kind: &str, mutable: bool, span: Span) -> TokenStream {
    match mutable {
        true => run_time(&format!("{kind}Mut"), span),
        false => run_time(kind, span),
    }
}

impl HostVersion<'_> {
    /// `let r = &place;`, and whether it is one.
    pub(super) fn reference_local(&mut self, local: &mut Local) -> bool {
        let Some(init) = &mut local.init else {
            return self.deferred_reference(local);
        };
        if self.function.typed.of(&init.expr).keeps_slice {
            return false;
        }
        let Ty::Reference { mutable, target } = self.function.typed.ty(&init.expr) else {
            return false;
        };
        let (kind, target) = match &**target {
            Ty::Slice(element) => ("Slice", element),
            _ => ("Ref", target),
        };
        let (found, target) = (
            *mutable,
            types::written(self.program, self.function, target),
        );
        if let Some((_, otherwise)) = &mut init.diverge {
            self.visit_expr_mut(otherwise);
            Unmistakable(&self.function.typed).visit_pat_mut(&mut local.pat);
        }
        let pattern = match &mut local.pat {
            Pat::Type(typed) => &mut *typed.pat,
            pattern => pattern,
        };
        let name = match pattern {
            Pat::Ident(name) => Some(name),
            _ => None,
        };
        let named = name.and_then(|name| {
            let variable = self.function.typed.of(&*name).local?;
            let own = self.function.typed.places.contains(&variable);
            match self.function.typed.locals[variable.0 as usize].ty {
                Ty::Reference { mutable, .. } => Some((name, mutable, own)),
                _ => None,
            }
        });
        let span = init.expr.span();
        let declared = named.as_ref().map(|(_, mutable, _)| *mutable);
        let Some((name, mutable, false)) = named else {
            let half = half(&init.expr, true);
            if let (Some((name, true, _)), "Slice") = (named, kind) {
                name.mutability.get_or_insert(Token![mut](span));
                local.attrs.push(parse_quote!(#[allow(unused_mut)]));
            }
            if let (Some(mutable), Some(target)) = (declared, target)
                && !matches!(local.pat, Pat::Type(_))
            {
                let target = match kind {
                    "Slice" => quote_spanned!(span=> [#target]),
                    _ => target,
                };
                let ty = match mutable {
                    true => quote_spanned!(span=> &mut #target),
                    false => quote_spanned!(span=> &#target),
                };
                say_type(&mut local.pat, ty);
            }
            match half {
                Some(half) => *init.expr = half,
                None if !matches!(&*init.expr, Expr::Path(_)) || self.is_reference(&*init.expr) => {
                    self.argument(&mut init.expr, false);
                }
                None => {}
            }
            return true;
        };
        let kind_is = kind_of(kind, mutable, span);
        if mutable {
            name.mutability.get_or_insert(Token![mut](span));
            local.attrs.push(parse_quote!(#[allow(unused_mut)]));
        }
        match half(&init.expr, false) {
            Some(half) => *init.expr = half,
            None => self.kept_reference(&mut init.expr, found == mutable, kind, &kind_is),
        }
        let ty = target.map(|target| quote_spanned!(span=> #kind_is<'_, #target>));
        let written = matches!(local.pat, Pat::Type(_));
        if written && let Pat::Type(typed) = &local.pat {
            local.pat = (*typed.pat).clone();
        }
        if let Some(ty) = ty {
            say_type(&mut local.pat, ty);
        }
        true
    }

    /// A reference as a variable keeps it. One that has a name already is copied or moved, as in Rust, if
    /// both are for the same use.
    fn kept_reference(
        &mut self,
        init: &mut Expr,
        for_same_use: bool,
        kind: &str,
        kind_is: &TokenStream,
    ) {
        let is_same = |local: LocalId| {
            let held = &self.function.typed.locals[local.0 as usize].ty;
            matches!(held.target(), Ty::Slice(_)) == (kind == "Slice")
        };
        let moved = for_same_use
            && self.is_reference(&*init)
            && matches!(self.function.typed.of(&*init).path,
                Some(Resolved::Local(local)) if is_same(local));
        if !moved {
            self.argument(init, true);
            let place = &*init;
            *init = Expr::Verbatim(quote_spanned!(place.span()=> #kind_is::from(#place)));
        }
    }

    /// `rest = &rest[1..]`, `r = &x`, and whether it is one.
    pub(super) fn reference_assignment(&mut self, assign: &mut ExprAssign) -> bool {
        let typed = &self.function.typed;
        let Some(Resolved::Local(local)) = typed.of(bare(&assign.left)).path else {
            return false;
        };
        let kind = match typed.assigned_slices.contains(&local) {
            true => "Slice",
            false if typed.assigned_references.contains(&local) => "Ref",
            false => return false,
        };
        if !self.is_reference(bare(&assign.left)) {
            match kind {
                "Ref" => self.argument(&mut assign.right, false),
                _ => self.kept_slice(&mut assign.right),
            }
            return true;
        }
        let mutable = matches!(typed.ty(&assign.right), Ty::Reference { mutable: true, .. });
        let kind_is = kind_of(kind, false, assign.right.span());
        self.kept_reference(&mut assign.right, !mutable, kind, &kind_is);
        true
    }

    /// `let r;` of a reference, and whether it is one.
    fn deferred_reference(&mut self, local: &mut Local) -> bool {
        let pattern = match &mut local.pat {
            Pat::Type(typed) => &mut *typed.pat,
            pattern => pattern,
        };
        let Pat::Ident(name) = pattern else {
            return false;
        };
        let typed = &self.function.typed;
        let Some(variable) = typed.of(&*name).local else {
            return false;
        };
        let Ty::Reference { target, .. } = &typed.locals[variable.0 as usize].ty else {
            return false;
        };
        let (kind, target) = match &**target {
            Ty::Slice(element) => ("Slice", element),
            _ => ("Ref", target),
        };
        let Some(target) = types::written(self.program, self.function, target) else {
            return true;
        };
        let (kind, span) = (kind_of(kind, false, name.span()), name.span());
        let ty = match typed.places.contains(&variable) {
            true => quote_spanned!(span=> &#target),
            false => quote_spanned!(span=> #kind<'_, #target>),
        };
        local.pat = Pat::Ident(name.clone());
        say_type(&mut local.pat, ty);
        true
    }

    /// `match &place { name => body }` of a name that outlives it, as a `let`, if an expression is one.
    pub(super) fn outliving(&mut self, choice: &mut ExprMatch) -> Option<Expr> {
        let [arm] = &mut *choice.arms else {
            return None;
        };
        let Pat::Ident(name) = &arm.pat else {
            return None;
        };
        let typed = &self.function.typed;
        let local = typed.of(name).local?;
        let ty = &typed.locals[local.0 as usize].ty;
        if !ty.is_reference() || typed.places.contains(&local) {
            return None;
        }
        let target = types::written(self.program, self.function, ty.target())?;
        let kind_is = kind_of("Ref", false, choice.match_token.span);
        self.kept_reference(&mut choice.expr, true, "Ref", &kind_is);
        self.visit_expr_mut(&mut arm.body);
        let (place, body) = (&choice.expr, &arm.body);
        let span = choice.match_token.span;
        Some(parse_quote_spanned!(span=> { let #name: #kind_is<'_, #target> = #place; #body }))
    }

    /// What a method of a module is called on.
    pub(super) fn receiver(&mut self, method: usize, receiver: &mut Expr) {
        let params = &self.program.functions[method].params;
        let Some(&Ty::Reference { mutable, .. }) = params.first().map(|param| &param.ty) else {
            return self.visit_expr_mut(receiver);
        };
        if self.is_shared(receiver) {
            *receiver = self.lent(receiver, mutable);
        } else if mutable {
            self.place(receiver);
        } else {
            self.visit_expr_mut(receiver);
        }
        if let Expr::Verbatim(place) = receiver {
            *place = quote_spanned!(place.span()=> (#place));
        }
    }

    /// Whether a call is that of a method to which shared places are lent.
    pub(super) fn lends(&self, call: &Expr, callee: Option<&Callee>) -> bool {
        let is_method = matches!(callee, Some(Callee::Helper(function))
            if self.program.functions[*function].is_member);
        let is_lent = |argument: &Expr| match argument {
            Expr::Reference(reference) => self.is_shared(&reference.expr),
            other => self.is_shared(other),
        };
        is_method
            && match call {
                Expr::MethodCall(call) => is_lent(&call.receiver) || call.args.iter().any(is_lent),
                Expr::Call(call) => call.args.iter().any(is_lent),
                _ => false,
            }
    }

    /// A shared place as one of Rust's own, for as long as a method has it.
    pub(super) fn lent(&mut self, place: &mut Expr, mutable: bool) -> Expr {
        let span = place.span();
        let shared = self.shared(place, mutable);
        if mutable {
            return Expr::Verbatim(quote_spanned!(span=> *#shared.writing()));
        }
        let lent = self.kept(Expr::Verbatim(quote_spanned!(span=> #shared.reading())));
        Expr::Verbatim(quote_spanned!(span=> *#lent))
    }

    /// An argument of a call. A helper takes a reference as a place, everything else as one of
    /// Rust's own.
    pub(super) fn argument(&mut self, argument: &mut Expr, of_helper: bool) {
        if self.function.typed.of(&*argument).keeps_slice {
            return self.kept_slice(argument);
        }
        match self.function.typed.of(&*argument).is_kept {
            true => self.kept_value(argument),
            false => self.lent_argument(argument, of_helper),
        }
    }

    /// An argument that is no value made of a reference.
    pub(super) fn lent_argument(&mut self, argument: &mut Expr, of_helper: bool) {
        let mutable = match self.function.typed.ty(&*argument) {
            Ty::Reference { mutable, .. } => *mutable,
            _ => return self.visit_expr_mut(argument),
        };
        let span = argument.span();
        let place = match &mut *argument {
            Expr::Reference(reference) => &mut *reference.expr,
            other => other,
        };
        if self.is_shared(place) {
            *argument = Expr::Verbatim(if of_helper {
                // A fault is one of the place, and so is its location.
                let span = place.span();
                let shared = self.shared(place, mutable);
                quote_spanned!(span=> #shared.named())
            } else {
                let place = self.lent(place, mutable);
                match mutable {
                    true => quote_spanned!(span=> &mut #place),
                    false => quote_spanned!(span=> &#place),
                }
            });
            return;
        }
        let is_behind_two = self.is_behind_two(&*argument);
        match argument {
            Expr::Reference(reference) if mutable => self.place(&mut reference.expr),
            Expr::Reference(reference)
                if self.function.typed.of(bare(&reference.expr)).is_kept_slice =>
            {
                self.visit_expr_mut(&mut reference.expr);
                let slice = &reference.expr;
                *argument = Expr::Verbatim(quote_spanned!(span=> &*#slice));
            }
            Expr::Path(path) if is_behind_two => {
                *argument = Expr::Verbatim(quote_spanned!(span=> *#path));
            }
            Expr::Path(path) => {
                *argument = Expr::Verbatim(match mutable {
                    true => quote_spanned!(span=> &mut *#path),
                    false => quote_spanned!(span=> &*#path),
                });
            }
            other => self.visit_expr_mut(other),
        }
    }
}
