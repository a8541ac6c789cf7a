//! The twin: the user's function as the CPU accelerator runs it.
//!
//! The user's own tokens, with the least that makes them mean on the CPU what they
//! mean on a device, whatever the profile: integer arithmetic that wraps, division and
//! indexing that fault instead of panicking, tile_static variables shared by a tile.
//! Every `let` carries the type that inference found, so that rustc refuses the twin
//! where the two disagree.
//!
//! Rewrites go from the leaves up, and look types up by the address of the node they
//! are about to replace: a node's children may have been replaced, its own place has
//! not moved.
//!
//! A fault is reported where `Location::caller()` says, which is the place of whatever
//! token rustc takes for the operation's: it gets the place where the whole operation
//! begins, which is also what the compiled kernel reports.

use std::rc::Rc;

use amp_spirv::ir::{BinaryOp, MathOp, Scalar};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{
    Arm, Attribute, Expr, ExprForLoop, FnArg, ItemFn, Local, Pat, PatType, Stmt, Token, Type,
    parse_quote, parse_quote_spanned, spanned::Spanned, visit_mut, visit_mut::VisitMut,
};

use super::{bundle, pattern::Unmistakable, place::own, reference, types, vector, view};
use crate::import::place_hash;
use crate::infer::{BinaryKind, Callee, FunctionDef, MathMethod, Program, Resolved, Ty, key};
use crate::message::Told;

/// The twin of a kernel, as a function called `name`.
pub fn kernel(program: Program, name: &Ident) -> TokenStream {
    let mut item = rewrite(program);
    item.vis = syn::Visibility::Inherited;
    item.attrs.clear();
    item.sig.ident = name.clone();
    // An instance has types of these names.
    let parameters = std::mem::take(&mut item.sig.generics.params);
    item.sig.generics.params = parameters
        .into_iter()
        .filter(|param| !matches!(param, syn::GenericParam::Type(_)))
        .collect();
    item.sig.generics.where_clause = None;
    quote! {
        #[allow(unused_parens, unused_braces, clippy::all)]
        #item
    }
}

/// The twin of a helper.
pub fn helper(program: Program) -> ItemFn {
    rewrite(program)
}

fn rewrite(mut program: Program) -> ItemFn {
    // Functions of the program are named by their places in the list, so they stay there
    // without their items.
    let mut items: Vec<Option<ItemFn>> = Vec::new();
    for function in &mut program.functions {
        let taken: ItemFn = parse_quote!(
            fn taken() {}
        );
        let item = std::mem::replace(&mut function.item, Rc::new(taken));
        items.push(Rc::into_inner(item));
    }
    let (Some(function), Some(Some(mut item))) = (program.functions.last(), items.pop()) else {
        unreachable!("a program ends with its item, which nobody else holds")
    };
    let proofs = vector::proofs(&item, &|path| function.names.get(path).is_some());
    let mut twin = Twin {
        program: &program,
        function,
        items: &mut items,
    };
    twin.function(&mut item);
    let proofs = proofs
        .into_iter()
        .map(|proof| -> Stmt { parse_quote!(#proof;) });
    item.block.stmts.splice(0..0, proofs);
    item
}

/// `&ArrayView<T, N>` becomes the CPU accelerator's view.
fn view_of_cpu(ty: &mut Type) {
    let Type::Reference(reference) = ty else {
        return;
    };
    let Type::Path(path) = &mut *reference.elem else {
        return;
    };
    view_path_of_cpu(&mut path.path, &quote!('_));
}

/// The same for the view itself, with a lifetime.
pub(super) fn view_path_of_cpu(path: &mut syn::Path, lifetime: &TokenStream) {
    let Some(last) = path.segments.last().cloned() else {
        return;
    };
    if last.ident != "ArrayView" && last.ident != "ArrayViewMut" {
        return;
    }
    let syn::PathArguments::AngleBracketed(mut arguments) = last.arguments else {
        return;
    };
    arguments
        .args
        .retain(|argument| !matches!(argument, syn::GenericArgument::Lifetime(_)));
    if arguments.args.len() == 1 {
        arguments.args.push(parse_quote!(1));
    }
    let (name, arguments) = (&last.ident, &arguments.args);
    *path = parse_quote!(::amp::__private::cpu::#name<#lifetime, #arguments>);
}

pub(super) struct Twin<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a FunctionDef,
    /// The items of all functions, by their places in the program.
    items: &'a mut Vec<Option<ItemFn>>,
}

/// A function of the twin's run time, spanned so that its caller is the user's code.
pub(super) fn run_time(name: &str, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::amp::__private::twin::#name)
}

impl Twin<'_> {
    fn function(&mut self, item: &mut ItemFn) {
        self.visit_block_mut(&mut item.block);
        for (position, input) in item.sig.inputs.iter_mut().enumerate() {
            bundle::parameter(input, self.function, position);
            if let FnArg::Typed(typed) = input {
                view_of_cpu(&mut typed.ty);
            }
        }
        // A method's receiver is Rust's own reference, and a trait fixes the others.
        if !self.function.is_member {
            reference::parameters(item, self.function);
        }
        view::result(item, self.function);
    }

    /// A function in the body, whose own item is the one that was inferred.
    fn nested(&mut self, item: &mut ItemFn) {
        let Some(&index) = self.function.typed.nested.get(&key(item)) else {
            return;
        };
        let Some(mut inferred) = self.items[index].take() else {
            return;
        };
        let mut twin = Twin {
            program: self.program,
            function: &self.program.functions[index],
            items: self.items,
        };
        twin.function(&mut inferred);
        inferred.attrs = std::mem::take(&mut item.attrs);
        *item = inferred;
    }

    fn scalar(&self, expr: usize) -> Option<Scalar> {
        match self.function.typed.types.get(&expr) {
            Some(Ty::Scalar(scalar)) => Some(*scalar),
            _ => None,
        }
    }

    pub(super) fn integer(&self, expr: usize) -> Option<TokenStream> {
        self.scalar(expr)
            .filter(|scalar| scalar.is_integer())
            .map(types::scalar)
    }

    /// Whether an operator is the user's: then it is Rust's own call of the twin.
    fn is_own(&self, node: usize) -> bool {
        self.function.typed.calls.contains_key(&node)
    }

    /// Whether an expression is an index or extent.
    fn is_vector(&self, key: usize) -> bool {
        let ty = self.function.typed.types.get(&key);
        matches!(ty, Some(Ty::Index(_) | Ty::Extent(_)))
    }

    /// `left op right` of integers, or `None` where Rust's operator is right already.
    pub(super) fn integer_operation(
        &self,
        op: BinaryOp,
        ty: &TokenStream,
        left: &TokenStream,
        right: &TokenStream,
        span: Span,
    ) -> Option<TokenStream> {
        let method = |name: &str| {
            let name = Ident::new(name, span);
            quote_spanned!(span=> #ty::#name(#left, #right))
        };
        let checked = |name: &str| {
            let function = run_time(name, span);
            quote_spanned!(span=> #function(#left, #right))
        };
        Some(match op {
            BinaryOp::Add => method("wrapping_add"),
            BinaryOp::Sub => method("wrapping_sub"),
            BinaryOp::Mul => method("wrapping_mul"),
            BinaryOp::Div => checked("div"),
            BinaryOp::Rem => checked("rem"),
            BinaryOp::Shl => quote_spanned!(span=> #ty::wrapping_shl(#left, (#right) as u32)),
            BinaryOp::Shr => quote_spanned!(span=> #ty::wrapping_shr(#left, (#right) as u32)),
            _ => return None,
        })
    }

    fn binary(&mut self, expr: &mut Expr) {
        let Expr::Binary(binary) = expr else { return };
        let span = binary.span();
        let (left_key, right_key) = (key(&*binary.left), key(&*binary.right));
        match BinaryKind::of(&binary.op) {
            BinaryKind::Plain(op) => {
                let is_own = self.is_own(key(&*binary));
                self.visit_expr_mut(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
                if self.is_glam(left_key) || self.is_glam(right_key) {
                    let (left, right) = (&binary.left, &binary.right);
                    let (left, right) = (quote!(#left), quote!(#right));
                    let (left, right) = ((left_key, &left), (right_key, &right));
                    if let Some(tokens) = self.vector_operation(op, left, right, span) {
                        *expr = Expr::Verbatim(tokens);
                    }
                    return;
                }
                if is_own {
                    return;
                }
                if self.is_vector(right_key) {
                    // `usize op Index`, whose operators follow the same rules themselves.
                    return;
                }
                let (left, right) = (&binary.left, &binary.right);
                let rewritten = self.operation(left_key, op, &quote!(#left), &quote!(#right), span);
                if let Some(tokens) = rewritten {
                    *expr = Expr::Verbatim(tokens);
                }
            }
            BinaryKind::Assign(op) => {
                self.visit_expr_mut(&mut binary.right);
                let shared = self.is_shared(&binary.left);
                let (place, value) = (own("__amp_place"), own("__amp_value"));
                let (old, new) = match shared {
                    true => (quote_spanned!(span=> #place.load()), quote!(#value)),
                    false => (quote!(*#place), quote!(#value)),
                };
                let tokens = if self.is_glam(left_key) {
                    let operands = ((left_key, &old), (right_key, &new));
                    let operation = self.vector_operation(op, operands.0, operands.1, span);
                    let symbol: TokenStream = op.symbol().parse().unwrap_or_default();
                    operation.or_else(|| Some(quote_spanned!(span=> #old #symbol #new)))
                } else {
                    self.operation(left_key, op, &old, &new, span)
                };
                // As for Rust's own scalars, the right side is evaluated first.
                if shared {
                    let left = self.shared(&mut binary.left, true);
                    let (assign, right) = (&binary.op, &binary.right);
                    let changed = tokens.unwrap_or_else(|| {
                        let all = own("__amp_all");
                        quote_spanned!(span=> { let mut #all = #old; #all #assign #new; #all })
                    });
                    *expr = Expr::Verbatim(quote_spanned! {span=> {
                        let #value = #right;
                        match #left { #place => #place.store(#changed) }
                    }});
                    return;
                }
                self.place(&mut binary.left);
                let (left, right) = (&binary.left, &binary.right);
                if let Some(tokens) = tokens {
                    *expr = Expr::Verbatim(quote_spanned! {span=> {
                        let #value = #right;
                        let #place = &mut #left;
                        *#place = #tokens;
                    }});
                }
            }
            BinaryKind::Lazy(_) => {
                self.visit_expr_mut(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
            }
        }
    }

    fn math(&self, callee: &Callee, receiver: usize) -> Option<&'static str> {
        let op = match callee {
            Callee::Math(MathMethod::Op(op)) => op,
            Callee::Math(MathMethod::WrappingDivision(BinaryOp::Div)) => {
                return Some("wrapping_div");
            }
            Callee::Math(MathMethod::WrappingDivision(_)) => return Some("wrapping_rem"),
            _ => return None,
        };
        let float = self.scalar(receiver).is_some_and(Scalar::is_float);
        Some(match op {
            MathOp::Min if float => "min_float",
            MathOp::Max if float => "max_float",
            MathOp::Clamp => "clamp",
            MathOp::RemEuclid => "rem_euclid",
            MathOp::DivEuclid => "div_euclid",
            MathOp::DivCeil => "div_ceil",
            _ => return None,
        })
    }

    /// Methods of integers that panic where kernels wrap.
    fn wrapping(&self, callee: &Callee, receiver: usize) -> Option<&'static str> {
        let Callee::Math(MathMethod::Op(op)) = callee else {
            return None;
        };
        self.integer(receiver)?;
        match op {
            MathOp::Abs => Some("wrapping_abs"),
            MathOp::IntPow => Some("wrapping_pow"),
            _ => None,
        }
    }

    fn call(&mut self, expr: &mut Expr) {
        // Of what the user wrote: what its parts become has other places too.
        let span = expr.span();
        let this = key(expr);
        let callee = self.function.typed.calls.get(&this).cloned();
        if let Some(Callee::Atomic(function)) = callee {
            self.atomic(expr, function);
            return;
        }
        let lends = self.lends(expr, callee.as_ref());
        let (receiver, mut operands) = match &mut *expr {
            Expr::MethodCall(call) => {
                let receiver = key(&*call.receiver);
                let step_span = call.args.first().map(Spanned::span);
                if let Some(Callee::Derived(_)) = callee {
                    self.derived_view(call, span);
                }
                match callee {
                    Some(Callee::Helper(function)) => {
                        self.receiver(function, &mut call.receiver);
                        call.args
                            .iter_mut()
                            .for_each(|argument| self.argument(argument, false));
                    }
                    _ => {
                        self.visit_expr_mut(&mut call.receiver);
                        call.args
                            .iter_mut()
                            .for_each(|argument| self.visit_expr_mut(argument));
                    }
                }
                let step = call.method == "step_by" && callee.is_none();
                if step && let (Some(step), Some(span)) = (call.args.first_mut(), step_span) {
                    let function = run_time("step", span);
                    *step = Expr::Verbatim(quote_spanned!(span=> #function(#step)));
                }
                let first = (*call.receiver).clone();
                (receiver, vec![first])
            }
            Expr::Call(call) => {
                if let Some(function) = self.function_of_twin(&call.func) {
                    *call.func = function;
                }
                let receiver = call.args.first().map_or(0, key);
                let of_helper = matches!(callee, Some(Callee::Helper(function))
                    if !self.program.functions[function].is_member);
                call.args
                    .iter_mut()
                    .for_each(|argument| self.argument(argument, of_helper));
                (receiver, Vec::new())
            }
            _ => return,
        };
        let Some(callee) = callee else { return };
        if lends {
            // What was lent goes back as soon as the method is done.
            let result = own("__amp_result");
            *expr = Expr::Verbatim(quote_spanned!(span=> { let #result = #expr; #result }));
            return;
        }
        let library = self.function.typed.library.get(&this);
        match &*expr {
            Expr::MethodCall(call) => operands.extend(call.args.iter().cloned()),
            Expr::Call(call) => operands.extend(call.args.iter().cloned()),
            _ => {}
        }
        if let Some(path) = library {
            let path: TokenStream = path.parse().unwrap_or_default();
            *expr = Expr::Verbatim(quote_spanned!(span=> #path(#(#operands),*)));
        } else if let Callee::Told(told) = callee {
            let Expr::Call(call) = expr else { return };
            let (function, words) = (&call.func, &call.args);
            let said = quote_spanned!(span=> #function(::core::format_args!(#words)));
            *expr = Expr::Verbatim(match told {
                Told::Panic => quote_spanned!(span=> (return #said)),
                Told::Fault | Told::Stdout | Told::Stderr => said,
            });
        } else if let Some(function) = self.vector_function(&callee, span) {
            *expr = Expr::Verbatim(quote_spanned!(span=> #function(#(#operands),*)));
        } else if let Some(name) = self.math(&callee, receiver) {
            let function = run_time(name, span);
            *expr = Expr::Verbatim(quote_spanned!(span=> #function(#(#operands),*)));
        } else if let Some(name) = self.wrapping(&callee, receiver)
            && let Some(ty) = self.integer(receiver)
        {
            let name = Ident::new(name, span);
            *expr = Expr::Verbatim(quote_spanned!(span=> #ty::#name(#(#operands),*)));
        }
    }

    fn for_loop(&mut self, this: usize, round: &mut ExprForLoop) {
        // The types of the variables, said once where rustc checks them.
        let mut declared = self.declared_types(&round.pat);
        match self.function.typed.each.get(&this) {
            Some(&each) => declared.extend(self.each(round, each)),
            None => self.visit_expr_mut(&mut round.expr),
        }
        self.visit_block_mut(&mut round.body);
        round.body.stmts.splice(..0, declared);
    }

    fn tile_static(&self, local: &mut Local) {
        let Pat::Type(PatType { pat, ty, .. }) = &local.pat else {
            return;
        };
        let span = pat.span();
        let (pat, ty) = (pat.clone(), ty.clone());
        let tile_static = run_time("tile_static", span);
        // Which variable: where it stands.
        let which = place_hash(span) as u32;
        local.attrs.retain(|attribute| !is_tile_static(attribute));
        local.pat = *pat;
        local.init = Some(syn::LocalInit {
            eq_token: Token![=](span),
            expr: Box::new(Expr::Verbatim(
                quote_spanned!(span=> #tile_static::<#ty>(#which)),
            )),
            diverge: None,
        });
    }
}

fn is_tile_static(attribute: &Attribute) -> bool {
    attribute.path().is_ident("tile_static")
}

impl VisitMut for Twin<'_> {
    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        if let Stmt::Local(local) = statement {
            if local.attrs.iter().any(is_tile_static) {
                self.tile_static(local);
                return;
            }
            let diverges = matches!(&local.init, Some(init) if init.diverge.is_some());
            let typed = self.pattern_type(&local.pat);
            if diverges {
                Unmistakable.visit_pat_mut(&mut local.pat);
            }
            if !matches!(local.pat, Pat::Type(_))
                && let Some(ty) = typed
            {
                let span = local.pat.span();
                let pat = local.pat.clone();
                local.pat = Pat::Type(parse_quote_spanned!(span=> #pat: #ty));
            }
            if let Some(init) = &mut local.init {
                self.visit_expr_mut(&mut init.expr);
                if let Some((_, otherwise)) = &mut init.diverge {
                    self.visit_expr_mut(otherwise);
                }
            }
            return;
        }
        visit_mut::visit_stmt_mut(self, statement);
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let syn::Item::Fn(function) = item {
            self.nested(function);
        }
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        self.arm(arm);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let this = key(expr);
        match expr {
            Expr::Index(_) | Expr::Field(_) | Expr::Unary(_) if self.is_shared(expr) => {
                *expr = self.loaded(expr);
            }
            Expr::Binary(_) => self.binary(expr),
            Expr::Assign(assign) => {
                self.visit_expr_mut(&mut assign.right);
                if self.is_shared(&assign.left) {
                    *expr = self.stored(&mut assign.left, &assign.right);
                    return;
                }
                self.place(&mut assign.left);
                if matches!(&*assign.left, Expr::Verbatim(_)) {
                    // Rust evaluates the value first; so does what this becomes.
                    let (left, right) = (&assign.left, &assign.right);
                    let span = assign.eq_token.span();
                    *expr = Expr::Verbatim(quote_spanned! {span=> {
                        let __amp_value = #right;
                        #left = __amp_value;
                    }});
                }
            }
            Expr::Unary(unary) => {
                let literal = matches!(&*unary.expr, Expr::Lit(_)) || self.is_own(key(&*unary));
                self.visit_expr_mut(&mut unary.expr);
                if matches!(unary.op, syn::UnOp::Neg(_))
                    && let Some(negation) = self.vector_negation(this, &unary.expr, unary.span())
                {
                    *expr = Expr::Verbatim(negation);
                } else if matches!(unary.op, syn::UnOp::Neg(_))
                    && !literal
                    && let Some(ty) = self.integer(this)
                {
                    let (span, operand) = (unary.span(), &unary.expr);
                    *expr = Expr::Verbatim(quote_spanned!(span=> #ty::wrapping_neg(#operand)));
                }
            }
            Expr::Index(index) => {
                let span = index.span();
                self.visit_expr_mut(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
                let (base, position) = (&index.expr, &index.index);
                let at = run_time("at", span);
                *expr = Expr::Verbatim(quote_spanned!(span=> (*#at(&#base, #position))));
            }
            Expr::Path(path) => {
                let typed = &self.function.typed;
                let shared = matches!(typed.paths.get(&this), Some(Resolved::TileStatic(_)));
                if typed.dereferenced.contains(&this) && self.is_reference(this) {
                    *expr = self.loaded(expr);
                } else if shared || typed.dereferenced.contains(&this) {
                    let span = path.span();
                    *expr = Expr::Verbatim(quote_spanned!(span=> (*#path)));
                }
            }
            Expr::Field(field) => {
                let only_read = self.is_only_read(this, field);
                self.visit_expr_mut(&mut field.base);
                if only_read {
                    let span = field.span();
                    *expr = Expr::Verbatim(quote_spanned!(span=> (*#field)));
                }
            }
            Expr::MethodCall(_) | Expr::Call(_) => self.call(expr),
            Expr::Closure(closure) => self.closure(closure),
            Expr::ForLoop(round) => self.for_loop(this, round),
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }
}
