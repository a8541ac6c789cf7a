//! Methods: the numeric ones, which `numeric` lists, and those of views, extents and
//! barriers.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall, UnOp, spanned::Spanned};

use super::{
    context::FnCx,
    expr::TILED_FIELDS,
    generic::{conversion, conversion_from},
    library,
    node::bare,
    ty::{Kind, Len, Ty},
    typed::Callee,
};
use crate::{
    language::fence::{BARRIERS, named},
    language::method::{
        Method, OF_INTEGERS, Rel, constructor, depends_on_width, half_of, method_names,
        scalar_method,
    },
    language::{core::File, owner::Owner, source::Source},
    report::Locate,
    suggest::{nearest, suggest, suggest_or},
};

/// The methods of views and of extents, as far as kernels have them.
const VIEW_METHODS: [&str; 7] = [
    "extent",
    "section",
    "row",
    "view_as",
    "reinterpret",
    "len",
    "is_empty",
];
const EXTENT_METHODS: [&str; 3] = ["size", "contains", "to_array"];

/// The methods of `Ord` that integers have before rustc knows which type they are of.
const OF_ORDER: [&str; 3] = ["max", "min", "clamp"];

/// The types of a method's arguments and result.
fn related(receiver: Scalar, method: &Method) -> (Vec<Ty>, Ty) {
    let ty = |rel: &Rel| Ty::Scalar(rel.to(receiver));
    (
        method.arguments.iter().map(ty).collect(),
        ty(&method.result),
    )
}

impl FnCx<'_> {
    /// Type of `receiver.method(arguments)`.
    pub fn method_call(&mut self, expr: &Expr, call: &ExprMethodCall) -> Ty {
        if let Some(ty) = self.iteration(expr, call) {
            return ty;
        }
        self.note_iterator(call);
        if let range @ Expr::Range(_) = bare(&call.receiver) {
            self.lost(range);
            return self.method_of_range(call);
        }
        let receiver = self.owner_of(&call.receiver);
        let receiver = self.known_view(&call.receiver, receiver);
        let receiver = self.told_by_argument(call, receiver);
        let result = self.method_of(expr, call, receiver.clone());
        if let Some(turbofish) = &call.turbofish
            && !(matches!(receiver, Ty::View(_)) && call.method == "reinterpret")
            && result != Ty::Error
            && !self.is_generic_call(expr)
        {
            self.report.error_help(
                Code::UnsupportedSyntax,
                turbofish,
                "generic arguments of a method in a kernel",
                "leave them out",
            );
        }
        result
    }

    /// The type of a number that only an argument tells, as in `best.max(x)`: both have one type.
    fn told_by_argument(&mut self, call: &ExprMethodCall, receiver: Ty) -> Ty {
        let Ty::Var(var) = receiver else {
            return receiver;
        };
        let some = match self.unifier.kind(var) {
            Kind::Int => Scalar::I32,
            Kind::Float => Scalar::F32,
            Kind::Any => return receiver,
        };
        let method = scalar_method(&call.method.to_string(), some);
        let is_same = method.is_some_and(|it| matches!(it.arguments.first(), Some(Rel::Same)));
        let Some(argument) = call.args.first().filter(|it| is_same && is_name(it)) else {
            return receiver;
        };
        let told = self.value(argument);
        match self.unifier.shallow(&told) {
            told @ Ty::Scalar(of) if of.is_float() == some.is_float() && of != Scalar::Bool => {
                self.expect(&receiver, &told, argument.locate());
                told
            }
            _ => receiver,
        }
    }

    /// Type of a call of a method, whose receiver has this type.
    fn method_of(&mut self, expr: &Expr, call: &ExprMethodCall, receiver: Ty) -> Ty {
        let name = call.method.to_string();
        let is_of_bound = self.trait_called(expr).is_some();
        let (is_operation, standard) = match &receiver {
            Ty::Scalar(of) if self.scalar_method(&name, *of).is_some() => (true, None),
            Ty::Scalar(of) => (false, self.standard_method(&name, *of)),
            _ => (false, None),
        };
        let built_in = !is_of_bound && (is_operation || standard.is_some());
        let is_into = matches!(&*name, "into" | "try_into")
            && call.args.is_empty()
            && !is_of_bound
            && !self.has_of_its_own(&receiver, &name);
        if is_into && !matches!(receiver, Ty::Error | Ty::View(_) | Ty::Barrier) {
            return self.into(expr, call, &receiver);
        }
        if let Some(result) = self.unwrapped(expr, call, &receiver) {
            return result;
        }
        if !built_in && let Some(result) = self.method_of_module(expr, call, &receiver, &name) {
            return result;
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let Ty::Scalar(of) = receiver
            && let Some(result) =
                self.library_call(expr, &name, of, &arguments, 1, call.method.span())
        {
            return result;
        }
        if let Some(standard) = standard {
            return self.standard_call(expr, standard, &arguments, 1, call.method.span());
        }
        let (callee, wanted, result) = match &receiver {
            Ty::Error => {
                self.lost_arguments(arguments);
                return Ty::Error;
            }
            Ty::Scalar(scalar) => match self.scalar_method(&name, *scalar) {
                Some(method) => {
                    let (wanted, result) = related(*scalar, method);
                    (Callee::Math(method), wanted, result)
                }
                None if name == "clone" => (Callee::Copy, Vec::new(), receiver.clone()),
                None if let Some(to) = conversion_from(&name, *scalar) => {
                    (Callee::Convert, Vec::new(), Ty::Scalar(to))
                }
                None => return self.unknown_method(call, &receiver),
            },
            Ty::Param(parameter) => match conversion("to_", &name) {
                Some(to) => (Callee::Convert, Vec::new(), Ty::Scalar(to)),
                None if name == "clone" => (Callee::Copy, Vec::new(), receiver.clone()),
                None if let Some(method) = self.integer_method(*parameter, &name) => {
                    let ty = |rel: &Rel| match rel {
                        Rel::Is(scalar) => Ty::Scalar(*scalar),
                        _ => receiver.clone(),
                    };
                    let wanted = method.arguments.iter().map(ty).collect();
                    (Callee::Math(method), wanted, ty(&method.result))
                }
                None => return self.unknown_method(call, &receiver),
            },
            // These are of `Ord`, and the same for all integers.
            Ty::Var(var)
                if self.unifier.kind(*var) == Kind::Int
                    && OF_ORDER.contains(&name.as_str())
                    && let Some(method) = scalar_method(&name, Scalar::I32) =>
            {
                let wanted = vec![receiver.clone(); method.arguments.len()];
                (Callee::Math(method), wanted, receiver.clone())
            }
            Ty::Var(var) => {
                let (found, suffix) = match self.unifier.kind(*var) {
                    Kind::Int => ("an integer whose type is not known yet", "_i32"),
                    Kind::Float => ("a float whose type is not known yet", "_f32"),
                    Kind::Any => ("something whose type is not known yet", ""),
                };
                let help = match &*call.receiver {
                    literal @ Expr::Lit(_) => {
                        format!("give it a type: `{}{suffix}`", literal.to_token_stream())
                    }
                    constant if self.names_a_constant(constant) => {
                        let ty = if name == "len" { "[f32; 9]" } else { "f32" };
                        self.constant_help(constant, ty)
                    }
                    _ => "give it a type where it is declared: `let x: f32`".to_owned(),
                };
                self.report.error_help(
                    Code::UnknownType,
                    &*call.receiver,
                    format!("method `{name}` on {found}"),
                    help,
                );
                self.note_declaration(&call.receiver);
                self.unifier.poison(&receiver);
                self.lost_arguments(arguments);
                return Ty::Error;
            }
            Ty::View(view) => {
                let found = self.view_method(expr, call, view);
                return found.unwrap_or_else(|| self.unknown_method(call, &receiver));
            }
            Ty::Index(rank) | Ty::Extent(rank) if name == "to_array" => {
                let components = Ty::Array(Box::new(Ty::USIZE), Len::Literal(*rank));
                (Callee::Components, Vec::new(), components)
            }
            Ty::Extent(rank) => match name.as_str() {
                "size" => (Callee::ExtentSize, Vec::new(), Ty::USIZE),
                "contains" if let [index] = arguments[..] => {
                    return self.contains(expr, index, *rank);
                }
                "contains" => (Callee::ExtentContains, vec![Ty::Index(*rank)], Ty::BOOL),
                "clone" => (Callee::Copy, Vec::new(), receiver.clone()),
                _ => return self.unknown_method(call, &receiver),
            },
            Ty::Vector(..) | Ty::Matrix(_) => return self.vector_method(expr, call, &receiver),
            Ty::Barrier => match named(BARRIERS, &name) {
                Some(fence) => (Callee::Barrier(fence), Vec::new(), Ty::Unit),
                None => return self.unknown_method(call, &receiver),
            },
            Ty::Array(_, length) if name == "len" => {
                (Callee::ArrayLength(*length), Vec::new(), Ty::USIZE)
            }
            Ty::Slice(_) if name == "len" => (Callee::SliceLength, Vec::new(), Ty::USIZE),
            Ty::Index(_)
            | Ty::Array(..)
            | Ty::Tuple(_)
            | Ty::Struct(..)
            | Ty::Bundle(_)
            | Ty::Enum(_)
            | Ty::Tiled(_)
                if name == "clone" =>
            {
                (Callee::Copy, Vec::new(), receiver.clone())
            }
            _ => return self.unknown_method(call, &receiver),
        };
        self.arguments(&name, &arguments, &wanted, &call.method);
        self.typed.note(expr).callee = Some(callee);
        result
    }

    /// Requires that arguments agree in number and type with what is wanted.
    pub fn arguments(
        &mut self,
        name: &str,
        arguments: &[&Expr],
        wanted: &[Ty],
        place: impl Locate,
    ) {
        if arguments.len() != wanted.len() {
            let plural = if wanted.len() == 1 { "" } else { "s" };
            let message = format!(
                "`{name}` takes {} argument{plural}, found {}",
                wanted.len(),
                arguments.len()
            );
            let shown: Vec<String> = wanted.iter().map(|ty| self.show(ty)).collect();
            let help = match shown.is_empty() {
                true => format!("write `{name}()`"),
                false => format!("it takes {}", shown.join(", ")),
            };
            self.report.error_help(Code::Arity, place, message, help);
        }
        for (i, argument) in arguments.iter().enumerate() {
            if let Some(wanted) = wanted.get(i) {
                self.expects_slices(argument, wanted);
            }
            let found = self.expr(argument);
            match wanted.get(i) {
                Some(wanted) => {
                    self.expect(&found, wanted, *argument);
                }
                None => self.unifier.poison(&found),
            }
        }
    }

    /// A numeric function written as a path: `f32::max(a, b)`.
    pub fn math_function(
        &mut self,
        expr: &Expr,
        call: &syn::ExprCall,
        scalar: Scalar,
        name: &str,
    ) -> Ty {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let Some(method) = constructor(name, scalar) {
            let (wanted, result) = related(scalar, method);
            self.arguments(name, &arguments, &wanted, &call.func);
            self.typed.note(expr).callee = Some(Callee::Math(method));
            return result;
        }
        let span = call.func.span();
        if let Some(result) = self.library_call(expr, name, scalar, &arguments, 0, span) {
            return result;
        }
        let Some(method) = self.scalar_method(name, scalar) else {
            let owner = Owner::Scalar(scalar);
            if let Some(source) = self.standard(name, owner) {
                return self.standard_call(expr, (source, owner), &arguments, 0, span);
            }
            let found: Vec<Ty> = arguments.iter().map(|part| self.expr(part)).collect();
            if let Some(result) =
                self.standard_function(self.typed.id(expr), scalar, name, &found, span)
            {
                return result;
            }
            found.iter().for_each(|found| self.unifier.poison(found));
            let help = match name {
                "from" => "convert with `as`".to_owned(),
                _ => suggest_or(
                    name,
                    method_names(scalar),
                    half_help(scalar).unwrap_or("write it as an `#[amp_fn]`".to_owned()),
                ),
            };
            self.report.error_help(
                Code::UnknownMember,
                &call.func,
                format!("`{}::{name}` is not a function of kernels", scalar.name()),
                help,
            );
            return Ty::Error;
        };
        let (mut wanted, result) = related(scalar, method);
        wanted.insert(0, Ty::Scalar(scalar));
        self.arguments(name, &arguments, &wanted, &call.func);
        self.typed.note(expr).callee = Some(Callee::Math(method));
        result
    }

    /// Whether a scalar has a function of this name, which is meant before one of a trait.
    pub(super) fn is_built_in(&self, name: &str, scalar: Scalar) -> bool {
        self.scalar_method(name, scalar).is_some()
            || constructor(name, scalar).is_some()
            || self.standard(name, Owner::Scalar(scalar)).is_some()
            || library::method(name, scalar, self.is_fast).is_some()
    }

    /// The method of a scalar that has this name.
    fn scalar_method(&self, name: &str, scalar: Scalar) -> Option<&'static Method> {
        scalar_method(name, self.program.index.settled(scalar))
    }

    /// The method of a type parameter that is an `Integer`.
    fn integer_method(&self, parameter: usize, name: &str) -> Option<&'static Method> {
        let is_integer = self.program.type_params[parameter].is_integer;
        let has = is_integer && OF_INTEGERS.contains(&name);
        has.then(|| scalar_method(name, Scalar::U32)).flatten()
    }

    /// The function of the standard library that is this method of a scalar.
    fn standard_method(&self, name: &str, scalar: Scalar) -> Option<(Source, Owner)> {
        let owner = Owner::Scalar(scalar);
        let source = self.standard(name, owner)?;
        (!source.is_constructor()).then_some((source, owner))
    }

    fn unknown_method(&mut self, call: &ExprMethodCall, receiver: &Ty) -> Ty {
        self.lost_arguments(&call.args);
        if matches!(receiver, Ty::Array(..)) && self.unknown_of_iterator(call) {
            return Ty::Error;
        }
        let name = call.method.to_string();
        let there: Vec<&str> = match receiver {
            Ty::Scalar(scalar) => method_names(*scalar).collect(),
            Ty::View(_) => VIEW_METHODS.to_vec(),
            Ty::Extent(_) => EXTENT_METHODS.to_vec(),
            Ty::Array(..) => File::Array.names().chain(File::Slice.names()).collect(),
            Ty::Slice(_) => File::Slice.names().collect(),
            _ => Vec::new(),
        };
        let near = nearest(&name, there).filter(|near| *near != name);
        let near = near.map(|near| format!("there is `{near}`"));
        let as_f32 = match receiver {
            Ty::Scalar(scalar) => half_help(*scalar),
            _ => None,
        };
        let help = match (receiver, name.as_str()) {
            (Ty::Scalar(Scalar::Usize), name) if depends_on_width(name) => {
                "a usize has 32 bits on a device and 64 on the host: convert it, `x as u32`, or \
                 give the attribute the argument `index = 64`"
            }
            (Ty::Scalar(Scalar::Isize), name) if depends_on_width(name) => {
                "an isize has 32 bits on a device and 64 on the host: convert it, `x as i32`, or \
                 give the attribute the argument `index = 64`"
            }
            _ if let Some(as_f32) = &as_f32 => as_f32,
            (Ty::Scalar(_), name) if name.starts_with("atomic_") || name.starts_with("fetch_") => {
                "atomic operations are functions: `atomic_fetch_add(&mut a[i], x)`"
            }
            _ if let Some(near) = &near => near,
            (Ty::Param(index), _) if !self.program.type_params[*index].is_scalar => {
                &self.bound_help(*index, &name)
            }
            (Ty::Param(index), name)
                if OF_INTEGERS.contains(&name) && !self.program.type_params[*index].is_integer =>
            {
                "an `Integer` has it: bound the type by that"
            }
            (Ty::Param(_), _) => "a `Scalar` has `to_f32` and the like; do the rest in its callers",
            (Ty::View(_), "row") => "a view of rank 1 has no rows; index it",
            (Ty::View(_), "view_as" | "reinterpret") => {
                "a view of rank 1 has it, whose elements stand next to each other: `a.row(i)`"
            }
            (Ty::View(_), "get" | "get_mut") => {
                "compare the index: `if i < a.extent()[0] { .. a[i] .. }`, or `a.extent().contains(idx)`"
            }
            (Ty::View(_), _) => {
                "a view in a kernel has `extent()`, `section(origin, extent)`, `row(i)`, \
                 `view_as(extent)`, `reinterpret::<T>()` and indexing"
            }
            (Ty::Array(..), "iter" | "iter_mut" | "into_iter") => {
                "an iterator is for a loop alone: `for x in a.iter() { .. }`"
            }
            (Ty::Array(..) | Ty::Slice(_), "first" | "last" | "get") => {
                "name the array first, `let part = &x.part[..];`, and copy the element, \
                 `part.first().copied()`, or take it apart, `if let Some(x) = part.first()`"
            }
            (Ty::Array(..) | Ty::Slice(_), "split_at") => {
                "name both parts: `let left = &a[..i]; let right = &a[i..];`"
            }
            (Ty::Array(..) | Ty::Slice(_), "split_at_mut") => {
                "name one part after the other: `let left = &mut a[..i];`, and then `&mut a[i..]`"
            }
            (Ty::Array(..), "as_slice") => "write `&a[..]`",
            (Ty::Array(..), "as_mut_slice") => "write `&mut a[..]`",
            (Ty::Slice(_), "to_vec") => "kernels allocate nothing: copy the elements to an array",
            (Ty::Array(..) | Ty::Tuple(_), _) => "index it, or use a `for` over `0..n`",
            (Ty::Barrier, name) => {
                let methods = BARRIERS.iter().map(|(method, _)| *method);
                &suggest(name, methods).unwrap_or_default()
            }
            (Ty::Extent(_), "tile") => "tiles are made on the host; here they are `t_idx.tile`",
            (Ty::Extent(_), _) => {
                "an extent in a kernel has `size()`, `contains(index)`, `to_array()`, `[i]` and \
                 arithmetic"
            }
            (Ty::Index(_), _) => "an index in a kernel has `to_array()`, `[i]` and arithmetic",
            (Ty::Tiled(_), name) if TILED_FIELDS.contains(&name) => {
                "it is a field: leave the parentheses out"
            }
            (Ty::Tiled(_), _) => "it has `global`, `local`, `tile`, `tile_origin` and `barrier`",
            (Ty::Enum(_) | Ty::Struct(..) | Ty::Bundle(_), name) => {
                &self.members_help(receiver, name)
            }
            _ => "write it as an `#[amp_fn]`",
        };
        let message = format!("{} has no method `{name}` in kernels", self.show(receiver));
        self.report
            .error_help(Code::UnknownMember, &call.method, message, help);
        Ty::Error
    }
}

/// What to write instead of a method that `f32` has and a float of the `half` crate has not.
fn half_help(scalar: Scalar) -> Option<String> {
    let call = || half_of(scalar, "x.to_f32().sqrt()");
    scalar
        .is_half()
        .then(|| format!("compute it as f32: {}", call()))
}

/// Whether an expression is a name, or reads what one refers to.
fn is_name(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Path(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_name(&unary.expr),
        _ => false,
    }
}
