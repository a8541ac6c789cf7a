//! Calls: helpers, struct constructors, functions of built-in types, fences.

use amp_spirv::{
    diagnostic::Code,
    tree::{MemoryFence, Scalar},
};
use proc_macro2::Span;
use syn::{Expr, ExprCall, ExprPath, Path, spanned::Spanned};

use super::{
    context::FnCx,
    generic::GenericCall,
    names::Meaning,
    node::Node,
    shown::name,
    ty::{Kind, Len, Ty},
    type_expr::{scalar, turbofish},
    typed::{Callee, Resolved},
};
use crate::{
    language::{
        atomic::AtomicFunction,
        fence::{self, FENCES},
        name::{is_reserved_name, is_type_name, path_key},
    },
    message::Told,
    report::Locate,
};

impl FnCx<'_> {
    /// Type of `function(arguments)`.
    pub fn call(&mut self, expr: &Expr, call: &ExprCall) -> Ty {
        if let Expr::Path(ExprPath {
            qself: Some(of),
            path,
            ..
        }) = &*call.func
            && let Some(result) = self.qualified_call(expr, call, (of, path))
        {
            return result;
        }
        let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = &*call.func
        else {
            let help = match &*call.func {
                Expr::Path(_) => "name it by the type: `Square::zero()`, `u32::default()`",
                _ => "call an `#[amp_fn]` by its name",
            };
            self.not_callable(call, "this", help);
            return Ty::Error;
        };
        if let Some(told) = Told::of(path) {
            return self.told(expr, call, told);
        }
        let text = path_key(path);
        let variable = path.get_ident().and_then(|name| self.scopes.get(name));
        if let Some(Resolved::Local(local)) = variable
            && let Some(ty) = self.called_variable(expr, call, &text, local)
        {
            return ty;
        }
        if variable.is_some() {
            let what = format!("the variable `{text}`");
            self.not_callable(
                call,
                &what,
                "it is no closure; a closure is named by a `let`: `let f = |x| x + 1;`",
            );
            return Ty::Error;
        }
        if let Some(result) = self.bound_call(expr, call, path) {
            return result;
        }
        if let Some(result) = self.conversion_by_bound(expr, call, path) {
            return result;
        }
        if let Some(result) = self.case_call(expr, call, path) {
            return result;
        }
        if let Some(result) = self.call_of_member(expr, call, path) {
            return result;
        }
        match self.names.get(&text).or_else(|| self.of_core(&text)) {
            Some(Meaning::Function(index)) => return self.helper_call(expr, call, index),
            Some(Meaning::Struct(index)) => return self.tuple_struct(expr, call, index, path),
            Some(Meaning::Enum(_) | Meaning::Trait(_)) | None => {}
            Some(Meaning::Broken) => {
                self.lost_arguments(&call.args);
                return Ty::Error;
            }
        }
        if let Some(ty) = self.size(expr, call, path, &text) {
            return ty;
        }
        if let Some(index) = self.program.function_of_core(&text) {
            return self.helper_call(expr, call, index);
        }
        if let Some(ty) = self.subgroup(expr, call, path) {
            return ty;
        }
        if let Some(ty) = self.vector_call(expr, call, path) {
            return ty;
        }
        let last = path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        let owner = (path.segments.len() > 1)
            .then(|| path.segments[path.segments.len() - 2].ident.to_string());
        if let [owner, function] = &*path.segments.iter().collect::<Vec<_>>()
            && let Some(ty) = self.arguments.types.get(&owner.ident.to_string()).cloned()
        {
            let name = function.ident.to_string();
            if name == "default"
                && call.args.is_empty()
                && let Some(ty) = self.derived_default(self.typed.id(expr), &ty, call.func.span())
            {
                return ty;
            }
            return self.conversion_to(expr, call, ty, &name);
        }
        let scalar = |name: &str| scalar(name).filter(|scalar| *scalar != Scalar::Bool);
        match (owner.as_deref(), last.as_str()) {
            (Some("Index" | "Extent"), "new" | "from") => {
                let extent = owner.as_deref() == Some("Extent");
                self.index_constructor(expr, call, extent)
            }
            (Some("Index" | "Extent"), "default") if call.args.is_empty() => {
                let mut owner = path.clone();
                owner.segments.pop();
                owner.segments.pop_punct();
                self.typed.note(expr).callee = Some(Callee::Default);
                self.read_type(&syn::parse_quote!(#owner))
            }
            (Some("Default"), "default") if call.args.is_empty() => {
                let made = self.unifier.fresh(Kind::Any);
                self.defaults.push((made.clone(), call.func.span()));
                self.typed.note(expr).callee = Some(Callee::Default);
                made
            }
            (Some(owner), name) if let Some(scalar) = scalar(owner) => {
                self.math_function(expr, call, scalar, name)
            }
            (_, name) if let Some(orders) = fence::named(FENCES, name) => match orders {
                Some(orders) => self.fence(expr, call, orders),
                None => self.device_fence(expr, call),
            },
            (_, name) if let Some(function) = AtomicFunction::named(name) => {
                self.atomic(expr, call, function)
            }
            _ => {
                let help = match (text.split("::").next(), owner.as_deref()) {
                    _ if is_reserved_name(&text) => {
                        "a macro of the standard library has this name; rename the function"
                    }
                    (Some("Vec" | "Box" | "String" | "Rc" | "Arc"), _) => {
                        "kernels allocate nothing; use arrays of fixed length"
                    }
                    (_, Some("Array" | "ArrayView" | "ArrayViewMut" | "Accelerator")) => {
                        "arrays and views are made on the host; pass them as parameters"
                    }
                    (Some("std" | "core" | "alloc"), _) => {
                        "use a numeric method, as in `a.max(b)`, or write an `#[amp_fn]`"
                    }
                    (_, Some(owner)) if is_type_name(owner) => {
                        "functions of types are not seen by kernels; write an `#[amp_fn]`"
                    }
                    _ => "mark the function with `#[amp_fn]`",
                };
                self.not_callable(call, &format!("`{text}`"), help);
                Ty::Error
            }
        }
    }

    /// Notes that the node of this key calls a function of the program.
    pub fn calls(&mut self, node: impl Node, index: usize, span: Span) {
        self.typed.note(node).callee = Some(Callee::Helper(index));
        self.typed.callees.push((index, span));
    }

    pub(super) fn not_callable(&mut self, call: &ExprCall, what: &str, help: &str) {
        self.lost_arguments(&call.args);
        self.report.error_help(
            Code::NotCallable,
            &call.func,
            format!("{what} cannot be called from a kernel"),
            help.to_owned(),
        );
    }

    fn helper_call(&mut self, expr: &Expr, call: &ExprCall, index: usize) -> Ty {
        if !self.program.functions[index].parameters.is_empty() {
            let turbofish = match &*call.func {
                Expr::Path(ExprPath { path, .. }) => turbofish(path),
                _ => None,
            };
            return self.generic_call(GenericCall {
                node: self.typed.id(expr),
                span: call.func.span(),
                template: index,
                of_trait: &[],
                turbofish,
                owner: None,
                skipped: 0,
                arguments: call.args.iter().collect(),
            });
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let found: Vec<Ty> = arguments.iter().map(|part| self.argument(part)).collect();
        self.pass(index, 0, &arguments, &found, &*call.func);
        self.calls(expr, index, call.func.span());
        self.program.functions[index].result.clone()
    }

    /// Requires that arguments of these types may be passed to a function, behind its
    /// first `skipped` parameters.
    pub fn pass(
        &mut self,
        index: usize,
        skipped: usize,
        arguments: &[&Expr],
        found: &[Ty],
        place: impl Locate,
    ) {
        self.count_arguments(index, skipped, arguments.len(), place);
        let params = self.program.functions[index].params.get(skipped..);
        let wanted: Vec<Ty> = params
            .unwrap_or_default()
            .iter()
            .map(|param| param.ty.clone())
            .collect();
        for (i, (argument, found)) in arguments.iter().zip(found).enumerate() {
            match wanted.get(i) {
                Some(wanted) => {
                    if !self.coerce(found, wanted, argument) {
                        self.note_parameter(index, skipped + i);
                    }
                }
                None => self.unifier.poison(found),
            }
        }
    }

    /// Reports a number of arguments that is not that of a function's parameters behind the
    /// first `skipped`.
    pub fn count_arguments(
        &mut self,
        index: usize,
        skipped: usize,
        count: usize,
        place: impl Locate,
    ) {
        let function = &self.program.functions[index];
        let called = function.item.sig.ident.to_string();
        let params = function.params.get(skipped..).unwrap_or_default();
        let wanted = params.len();
        if count == wanted {
            return;
        }
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!("`{called}` takes {wanted} argument{plural}, found {count}");
        let parameters: Vec<String> = params
            .iter()
            .map(|param| format!("`{}: {}`", param.ident, name(self.program, &param.ty)))
            .collect();
        let help = match parameters.is_empty() {
            true => format!("write `{called}()`"),
            false => format!("its parameters are {}", parameters.join(", ")),
        };
        let declared = function.item.sig.ident.clone();
        self.report.error_help(Code::Arity, place, message, help);
        if self.program.is_standard(index) {
            return;
        }
        let text = format!("`{called}` is declared here");
        self.report.note(&declared, text);
    }

    /// Requires that an argument has the type of its parameter, as by deref coercion: what
    /// may be written may be read. Says whether it has.
    pub fn coerce(&mut self, found: &Ty, wanted: &Ty, argument: &Expr) -> bool {
        let is_named = matches!(wanted, Ty::View(_) | Ty::Barrier | Ty::Tiled(_));
        match (self.unifier.shallow(found), wanted) {
            // Such an argument stands for a parameter of the kernel: it is not computed.
            (Ty::Never, _) if is_named || self.is_bundle(wanted) => {
                self.report.error_help(
                    Code::ViewValue,
                    argument,
                    format!(
                        "an argument that never completes, where {} is needed",
                        self.show(wanted)
                    ),
                    "make it a statement of its own, before the call",
                );
                false
            }
            (Ty::View(mut found), Ty::View(wanted)) if found.mutable && !wanted.mutable => {
                found.mutable = false;
                self.expect(&Ty::View(found), &Ty::View(wanted.clone()), argument)
            }
            (reference @ Ty::Reference { .. }, wanted)
                if self
                    .program
                    .kept_slice(&self.unifier.shallow(wanted))
                    .is_some() =>
            {
                self.keep_slice(argument, &reference, wanted)
            }
            (reference @ Ty::Reference { mutable: false, .. }, wanted)
                if let Some(kept) = self.program.kept(&self.unifier.shallow(wanted)).cloned() =>
            {
                let agrees = self.expect(reference.target(), &kept, argument);
                self.keep(argument, &reference, agrees)
            }
            (
                kept,
                Ty::Reference {
                    mutable: false,
                    target,
                },
            ) if matches!(argument, Expr::Path(_))
                && let Some(found) = self.program.kept(&kept).cloned() =>
            {
                self.typed.note(argument).ty = Some(Ty::Reference {
                    mutable: false,
                    target: Box::new(found.clone()),
                });
                self.expect(&found, target, argument)
            }
            (
                Ty::Reference { mutable, target },
                Ty::Reference {
                    mutable: wanted_mutable,
                    target: wanted_target,
                },
            ) if mutable || !wanted_mutable => {
                // `&mut T` is a `&T`, and `&[T; N]` a `&[T]`.
                let (target, becomes_slice) =
                    match (self.unifier.shallow(&target), &**wanted_target) {
                        (Ty::Array(element, _), Ty::Slice(_)) => {
                            (Box::new(Ty::Slice(element)), true)
                        }
                        _ => (target, false),
                    };
                let lent = Ty::Reference {
                    mutable: *wanted_mutable,
                    target,
                };
                let becomes_shared =
                    mutable != *wanted_mutable && matches!(argument, Expr::Path(_));
                if becomes_slice || becomes_shared {
                    self.typed.note(argument).ty = Some(lent.clone());
                }
                self.expect(&lent, wanted, argument)
            }
            _ => self.expect(found, wanted, argument),
        }
    }

    /// An argument: a value, a reference, or a view or barrier by name, with or without
    /// `&`.
    pub fn argument(&mut self, argument: &Expr) -> Ty {
        match argument {
            Expr::Reference(reference) => self.borrowed(argument, reference),
            other => {
                let ty = self.passed_view(other, false);
                let ty = self.known_bundle(other, ty);
                self.reference_by_name(other, ty)
            }
        }
    }

    fn tuple_struct(&mut self, expr: &Expr, call: &ExprCall, index: usize, path: &Path) -> Ty {
        let structure = &self.program.structs[index];
        let name = structure.name.clone();
        if !structure.is_tuple {
            let what = format!("the struct `{name}`");
            self.not_callable(
                call,
                &what,
                &format!("write `{name} {{ .. }}` with its fields"),
            );
            return Ty::Error;
        }
        if structure.is_bundle {
            self.made_here(call.args.iter(), &call.func);
            return Ty::Error;
        }
        let applied = self.applied(index, path, path.segments.len() - 1);
        let fields = self.program.fields(index, &applied).into_iter();
        let wanted: Vec<Ty> = fields.map(|(_, ty)| ty).collect();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        self.arguments(&name, &arguments, &wanted, &call.func);
        self.typed.note(expr).callee = Some(Callee::TupleStruct);
        Ty::Struct(index, applied)
    }

    fn index_constructor(&mut self, expr: &Expr, call: &ExprCall, extent: bool) -> Ty {
        let [argument] = &*call.args.iter().collect::<Vec<_>>() else {
            self.report.error_help(
                Code::Arity,
                call,
                "an index is made from one array",
                "write `Index::new([i, j])`",
            );
            return Ty::Error;
        };
        let found = self.expr(argument);
        let rank = match self.unifier.shallow(&found) {
            Ty::Array(element, Len::Literal(rank)) => {
                self.expect(&element, &Ty::USIZE, argument);
                rank
            }
            Ty::Error => return Ty::Error,
            _ => {
                self.report.error_help(
                    Code::TypeMismatch,
                    argument,
                    "an index is made from an array of usize",
                    "write `Index::new([i, j])`",
                );
                return Ty::Error;
            }
        };
        self.typed.note(expr).callee = Some(Callee::IndexFrom);
        if extent {
            Ty::Extent(rank)
        } else {
            Ty::Index(rank)
        }
    }

    fn fence(&mut self, expr: &Expr, call: &ExprCall, fence: MemoryFence) -> Ty {
        let is_barrier = match &*call.args.iter().collect::<Vec<_>>() {
            [argument] => {
                let found = self.argument(argument);
                matches!(self.unifier.shallow(&found), Ty::Barrier | Ty::Error)
            }
            _ => false,
        };
        if !is_barrier {
            self.report.error_help(
                Code::Arity,
                call,
                "a fence takes the tile's barrier",
                "write `all_memory_fence(&t_idx.barrier)`",
            );
        }
        self.typed.note(expr).callee = Some(Callee::Fence(fence));
        Ty::Unit
    }

    fn device_fence(&mut self, expr: &Expr, call: &ExprCall) -> Ty {
        if let Some(first) = call.args.first() {
            self.lost_arguments(&call.args);
            self.report.error_help(
                Code::Arity,
                first,
                "`device_memory_fence` takes no argument",
                "write `device_memory_fence()`: it orders memory for all tiles",
            );
        }
        self.typed.note(expr).callee = Some(Callee::DeviceFence);
        Ty::Unit
    }
}
