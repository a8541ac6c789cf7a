//! Operators and calls of the host version.

use amp_spirv::tree::BinaryOp;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    AngleBracketedGenericArguments, Expr, ExprCall, ExprMethodCall, ExprPath, GenericArgument,
    PathArguments, parse_quote, parse_quote_spanned, spanned::Spanned,
};

use super::{
    claim::item_of,
    host_version::{HostVersion, run_time},
    iterator,
    place::own,
    standard, types, vector,
};
use crate::{
    infer::{BinaryKind, Callee, Library, Ty, bare},
    iterate,
    language::{
        method::Host,
        name::path_key,
        owner::Owner,
        returned::{EACH, of_const},
    },
    message::Told,
    visit::VisitMut,
};

impl HostVersion<'_> {
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

    pub(super) fn binary(&mut self, expr: &mut Expr) {
        let Expr::Binary(binary) = expr else { return };
        let span = binary.span();
        let (left_key, right_key) = (self.id(&binary.left), self.id(&binary.right));
        match BinaryKind::of(&binary.op) {
            BinaryKind::Plain(op) => {
                let is_own = self.is_own(&*binary);
                self.argument(&mut binary.left, false);
                self.argument(&mut binary.right, false);
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
                let is_own = self.is_own(&*binary);
                self.argument(&mut binary.right, false);
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
                } else if self.is_bounded(left_key) {
                    None
                } else {
                    self.operation(left_key, op, &old, &new, span)
                };
                // As for Rust's own scalars, the right side is evaluated first.
                if shared {
                    let left = self.shared(&mut binary.left, true);
                    let (assign, right) = (&binary.op, &binary.right);
                    let changed = tokens.unwrap_or_else(|| {
                        let all = own("__amp_all");
                        let parts = (&quote!(#all), assign, &new);
                        let assigned = self.assigned(left_key, op, parts, span);
                        quote_spanned!(span=> { let mut #all = #old; #assigned; #all })
                    });
                    *expr = Expr::Verbatim(quote_spanned! {span=> {
                        let #value = #right;
                        match #left { #place => #place.store(#changed) }
                    }});
                    return;
                }
                let is_found = self.is_found(&binary.left);
                let indices = self.place_behind(&mut binary.left);
                let (left, assign, right) = (&binary.left, &binary.op, &binary.right);
                *expr = Expr::Verbatim(match tokens {
                    // What a function was lent lives as long.
                    Some(tokens) if is_found => quote_spanned! {span=> {
                        let #value = #right;
                        #(#indices)*
                        match &mut #left { #place => *#place = #tokens }
                    }},
                    Some(tokens) => quote_spanned! {span=> {
                        let #value = #right;
                        #(#indices)*
                        let #place = &mut #left;
                        *#place = #tokens;
                    }},
                    None if indices.is_empty() && !self.is_bounded(left_key) => return,
                    // The operator is a function, whose arguments are evaluated in order; the
                    // value may read what is changed.
                    None if is_own => quote_spanned! {span=> {
                        #(#indices)*
                        match (#right) { #value => #left #assign #value }
                    }},
                    None => {
                        let parts = (&quote!(#left), assign, &quote!(#value));
                        let assigned = self.assigned(left_key, op, parts, span);
                        quote_spanned! {span=> {
                            let #value = #right;
                            #(#indices)*
                            #assigned;
                        }}
                    }
                });
            }
            BinaryKind::Lazy(_) => {
                self.visit_expr_mut(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
            }
        }
    }

    /// Makes a call of a function of the program prove which function that is, and go to its
    /// host version, if it has one of its own. The arguments are already what the host version takes.
    pub(super) fn resolved(&mut self, call: &mut ExprCall, callee: Option<&Callee>) {
        let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = &*call.func
        else {
            return;
        };
        let has_host_version = match callee {
            // One in the body is there already.
            Some(Callee::Helper(index)) if self.program.functions[*index].within.is_none() => {
                self.program.functions[*index].has_host_version()
            }
            Some(Callee::TupleStruct) => false,
            _ => return,
        };
        let span = path.span();
        let item = match (self.imported.get(path), callee) {
            (Some(entry), _) => item_of(&entry.id, span),
            (None, Some(Callee::Helper(index))) => {
                let function = &self.program.functions[*index];
                if has_host_version || !self.imported.is_method(function) {
                    return;
                }
                item_of(&function.id, span)
            }
            _ => return,
        };
        if has_host_version {
            let witness: Expr = parse_quote_spanned! {span=>
                ::amp::__private::witness(#path, |f, parameters| <#item>::same(f, parameters))
            };
            *call.func = Expr::Verbatim(quote_spanned!(span=> <#item>::host_version));
            call.args.insert(0, witness);
        } else if self.proven.insert(path_key(path)) {
            *call.func = Expr::Verbatim(quote_spanned! {span=>
                ::amp::__private::proven(#path, |f| <#item>::same(f))
            });
        }
    }

    /// A panic with this message, and what the function returns then.
    fn ended(&self, words: TokenStream, span: Span) -> TokenStream {
        let Some(zero) = types::end(self.program, self.result) else {
            let ends = run_time(Told::Panic.function(), span);
            return quote_spanned!(span=> (return #ends(::core::format_args!(#words))));
        };
        let fault = run_time(Told::Fault.function(), span);
        quote_spanned!(span=> { #fault(::core::format_args!(#words)); return #zero })
    }

    /// The arguments of a slice's method that are computed before the slice is borrowed, as in
    /// `s.swap(0, s.len() - 1)`: Rust borrows the slice of a reference when the method begins.
    fn computed_first(&self, call: &ExprMethodCall) -> Vec<(usize, Span)> {
        let is_slice = match self.function.typed.ty(&call.receiver) {
            Ty::Reference { target, .. } => matches!(**target, Ty::Slice(_)),
            ty => matches!(ty, Ty::Slice(_)),
        };
        if !is_slice || !matches!(bare(&call.receiver), Expr::Path(_)) {
            return Vec::new();
        }
        let arguments = call.args.iter().enumerate();
        let computed = arguments.filter(|(_, argument)| {
            self.scalar(self.id(argument)).is_some()
                && !matches!(bare(argument), Expr::Lit(_) | Expr::Path(_))
        });
        computed.map(|(at, it)| (at, it.span())).collect()
    }

    pub(super) fn call(&mut self, expr: &mut Expr) {
        // Of what the user wrote: what its parts become has other places too.
        let span = expr.span();
        let this = self.id(expr);
        let callee = self.function.typed.of(this).callee.clone();
        if let Some(Callee::Atomic(function)) = callee {
            self.atomic(expr, function);
            return;
        }
        if let (Some(Callee::SliceLength), Expr::MethodCall(call)) = (&callee, &mut *expr) {
            let of = &mut *call.receiver;
            let slice = match self.is_shared(of) {
                true => self.shared(of, false),
                false => {
                    self.visit_expr_mut(of);
                    of.to_token_stream()
                }
            };
            *expr = Expr::Verbatim(quote_spanned!(span=> #slice.len()));
            return;
        }
        if let Some(told) = &self.function.typed.of(this).told {
            let written = match &mut *expr {
                Expr::MethodCall(call) => call.turbofish.as_mut(),
                Expr::Call(call) => written_arguments(&mut call.func),
                _ => None,
            };
            if let Some(written) = written {
                let all = told.0.order.len() - told.0.of_block;
                // The function as the user wrote it returns the items.
                let added = match callee {
                    Some(Callee::Helper(index)) => {
                        let mut params = self.program.functions[index].params.iter();
                        usize::from(params.any(|param| param.ident == EACH))
                    }
                    _ => 0,
                };
                let unnamed = all.saturating_sub(written.args.len() + added);
                let inferred = std::iter::repeat_n::<GenericArgument>(parse_quote!(_), unnamed);
                written.args.extend(inferred);
            }
        }
        let keeps = self.program.holds_kept(self.function.typed.ty(this));
        let lends = self.lends(expr, callee.as_ref()) && !self.is_found(expr) && !keeps;
        let mut of_run_time = false;
        let mut before = Vec::new();
        let (receiver, mut operands) = match &mut *expr {
            Expr::MethodCall(call) => {
                let receiver = self.id(&call.receiver);
                let computed_first = self.computed_first(call);
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
                        if self.program.functions[function].has_constant_beside() {
                            call.method = of_const(&call.method);
                        }
                        if self.program.is_of_run_time(function) {
                            of_run_time = true;
                            call.method = format_ident!("amp_{}", call.method);
                        }
                    }
                    _ => {
                        self.visit_expr_mut(&mut call.receiver);
                        call.args
                            .iter_mut()
                            .for_each(|argument| self.visit_expr_mut(argument));
                    }
                }
                let all = std::iter::once(&mut *call.receiver).chain(&mut call.args);
                self.kept_arguments(all, callee.as_ref());
                let step = call.method == "step_by" && callee.is_none();
                if step && let (Some(step), Some(span)) = (call.args.first_mut(), step_span) {
                    let function = run_time("step", span);
                    *step = Expr::Verbatim(quote_spanned!(span=> #function(#step)));
                }
                for (position, span) in computed_first.into_iter().filter(|_| lends) {
                    let argument = &mut call.args[position];
                    let name = own(&format!("__amp_argument_{position}"));
                    before.push(quote_spanned!(span=> let #name = #argument;));
                    *argument = Expr::Verbatim(quote!(#name));
                }
                let first = (*call.receiver).clone();
                (receiver, vec![first])
            }
            Expr::Call(call) => {
                if let Some(function) = self.function_of_host_version(&call.func) {
                    *call.func = function;
                }
                let receiver = call.args.first().map_or(this, |first| self.id(first));
                let of_helper = matches!(callee, Some(Callee::Helper(function))
                    if !self.program.functions[function].is_member);
                call.args
                    .iter_mut()
                    .for_each(|argument| self.argument(argument, of_helper));
                self.kept_arguments(&mut call.args, callee.as_ref());
                self.resolved(call, callee.as_ref());
                if let Some(Callee::Helper(function)) = callee
                    && self.program.functions[function].has_constant_beside()
                    && let Expr::Path(path) = &mut *call.func
                    && let Some(name) = path.path.segments.last_mut()
                {
                    name.ident = of_const(&name.ident);
                }
                (receiver, Vec::new())
            }
            _ => return,
        };
        let Some(callee) = callee else { return };
        if of_run_time {
            *expr = Expr::Verbatim(quote_spanned! {span=> {
                #[allow(unused_imports)]
                use ::amp::__private::{ArrayMethods as _, host_version::KeptMethods as _};
                #expr
            } });
        }
        if keeps && self.kept_of_call(expr, &callee) {
            return;
        }
        if lends {
            // What was lent goes back as soon as the method is done. In parentheses, because a
            // statement that begins with a block ends with it.
            let result = own("__amp_result");
            *expr = Expr::Verbatim(
                quote_spanned!(span=> ({ #(#before)* let #result = #expr; #result })),
            );
            return;
        }
        let library = self.function.typed.of(this).library.as_ref();
        match &*expr {
            Expr::MethodCall(call) => operands.extend(call.args.iter().cloned()),
            Expr::Call(call) => operands.extend(call.args.iter().cloned()),
            _ => {}
        }
        if let Expr::MethodCall(call) = &*expr
            && iterate::own(&call.method).is_some()
        {
            let ty = self.function.typed.ty(this);
            let ty = types::written(self.program, self.function, ty);
            *expr = Expr::Verbatim(iterator::asked(&callee, call, ty, self.program, span));
            return;
        }
        if let Some(Library::Source(Owner::Glam(ty), source)) = library {
            *expr = Expr::Verbatim(vector::written(*ty, source, &operands, span));
        } else if let Some(Library::Source(owner, source)) = library {
            let Callee::Helper(function) = callee else {
                return;
            };
            let function = &self.program.functions[function];
            let tokens = standard::call(*owner, source, function, &operands, span);
            *expr = Expr::Verbatim(tokens);
        } else if let Some(Library::Own(path)) = library {
            let path: TokenStream = path.parse().unwrap_or_default();
            *expr = Expr::Verbatim(match callee {
                Callee::Each(_) => vector::of_each(&path, &operands, span),
                _ => quote_spanned!(span=> #path(#(#operands),*)),
            });
        } else if let Callee::ViewSize { is_empty } = callee {
            let view = &operands[0];
            *expr = Expr::Verbatim(match is_empty {
                true => quote_spanned!(span=> (#view.extent().size() == 0)),
                false => quote_spanned!(span=> #view.extent().size()),
            });
        } else if let Callee::Told(told) = callee {
            let Expr::Call(call) = expr else { return };
            let (function, words) = (run_time(told.function(), span), &call.args);
            let said = quote_spanned!(span=> #function(::core::format_args!(#words)));
            *expr = Expr::Verbatim(match told {
                Told::Panic => self.ended(words.into_token_stream(), span),
                Told::Fault | Told::Stdout | Told::Stderr => said,
            });
        } else if let Callee::Unwrap(unwrapped) = &callee {
            let Expr::MethodCall(call) = &*expr else {
                return;
            };
            let span = call.method.span();
            let words = Literal::string(&unwrapped.format());
            let (receiver, ended) = (&call.receiver, self.ended(words.into_token_stream(), span));
            let case = &self.program.structs[unwrapped.of].cases[unwrapped.position];
            let case = types::standard_case(&case.name, span);
            let value = own("__amp_value");
            // In parentheses, because a statement that begins with a `match` ends with it.
            *expr = Expr::Verbatim(quote_spanned! {span=>
                (match (#receiver) {
                    #case(#value) => #value,
                    _ => #ended,
                })
            });
        } else if let Callee::Vector(call) = &callee {
            if let Some(tokens) = vector::call(call, &operands, span) {
                *expr = Expr::Verbatim(tokens);
            }
        } else if let Callee::Math(method) = callee {
            let function = match method.host {
                Host::Same => return,
                Host::Function(name) => run_time(name, span),
                Host::Method(name) => {
                    let (ty, name) = (self.integer(receiver), Ident::new(name, span));
                    quote_spanned!(span=> #ty::#name)
                }
            };
            *expr = Expr::Verbatim(quote_spanned!(span=> #function(#(#operands),*)));
        }
    }
}

/// The generic arguments that a call of a function writes.
fn written_arguments(function: &mut Expr) -> Option<&mut AngleBracketedGenericArguments> {
    let Expr::Path(function) = function else {
        return None;
    };
    match &mut function.path.segments.last_mut()?.arguments {
        PathArguments::AngleBracketed(written) => Some(written),
        _ => None,
    }
}
