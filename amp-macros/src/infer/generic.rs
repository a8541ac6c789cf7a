//! Generic helpers: one function of the program for each set of arguments that they are
//! called with.
//!
//! A helper with type or const parameters is typed on its own only where it is written,
//! with its parameters as types of which nothing is known but their bounds
//! ([`Ty::Param`]): that is for its twin, on which rustc proves the bounds. A kernel calls
//! *instances*, each typed with the arguments in the parameters' stead, once the caller's
//! types are known.

use std::collections::HashMap;

use amp_spirv::{diagnostic::Code, ir::Scalar};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{
    Expr, ExprCall, GenericArgument, GenericParam, Generics, ItemFn, ParenthesizedGenericArguments,
    Path, PathArguments, ReturnType, Type, TypeParamBound, WherePredicate, punctuated::Punctuated,
    spanned::Spanned,
};

use super::{
    function::{Callee, FnCx, Known, Resolved, Typed},
    key,
    program::{ConstDef, FunctionDef, Program},
    signature,
    ty::{Kind, Len, Ty},
    type_expr::{TypeScope, argument_expr, literal_usize, read_type},
};
use crate::{
    import::TaskKind,
    report::{Locate, Report},
};

/// More functions than any kernel needs.
const MOST_FUNCTIONS: usize = 2000;

/// A type parameter.
pub struct TypeParam {
    /// Its name.
    pub ident: Ident,
    /// It is bounded by `Scalar`.
    pub is_scalar: bool,
    /// Parameters and result, if it is bounded by `Fn` or one of its kin.
    pub closure: Option<(Vec<Ty>, Ty)>,
}

/// The parameters of a generic helper.
#[derive(Clone, Default)]
pub struct Parameters {
    /// Indices into [`Program::type_params`].
    pub types: Vec<usize>,
    /// Indices into [`Program::consts`].
    pub consts: Vec<usize>,
    /// Of all, in order: whether it is a const parameter.
    order: Vec<bool>,
}

impl Parameters {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

/// What the parameters of a function stand for, by name.
#[derive(Clone, Default, PartialEq)]
pub struct Arguments {
    /// Type parameters.
    pub types: HashMap<String, Ty>,
    /// Const parameters.
    pub lengths: HashMap<String, Len>,
}

/// The call of a generic helper whose arguments are not all known yet.
pub struct Pending {
    call: usize,
    span: Span,
    template: usize,
    types: Vec<Ty>,
    lengths: Vec<Len>,
}

/// Declares the parameters of a helper that is about to be added.
pub fn declare(program: &mut Program, item: &ItemFn) -> (Parameters, Arguments) {
    let mut parameters = Parameters::default();
    let mut arguments = Arguments::default();
    for parameter in &item.sig.generics.params {
        match parameter {
            GenericParam::Type(ty) => {
                let name = ty.ident.to_string();
                let bounds = bounds_of(item, &ty.ident, &ty.bounds);
                let is_scalar = bounds.iter().any(|bound| bound_name(bound) == "Scalar");
                program.type_params.push(TypeParam {
                    ident: ty.ident.clone(),
                    is_scalar,
                    closure: None,
                });
                let index = program.type_params.len() - 1;
                parameters.types.push(index);
                parameters.order.push(false);
                arguments.types.insert(name, Ty::Param(index));
            }
            GenericParam::Const(constant) => {
                let name = constant.ident.to_string();
                program.consts.push(ConstDef {
                    owner: program.functions.len(),
                    expr: constant.ident.to_token_stream(),
                    text: name.clone(),
                    ty: const_type(&constant.ty),
                    span: constant.ident.span(),
                });
                let index = program.consts.len() - 1;
                parameters.consts.push(index);
                parameters.order.push(true);
                arguments.lengths.insert(name, Len::Const(index));
            }
            GenericParam::Lifetime(_) => {}
        }
    }
    (parameters, arguments)
}

/// What type parameters stand for where nothing says their types, which is an error.
pub fn unlisted(generics: &Generics) -> Arguments {
    let parameters = generics.type_params();
    Arguments {
        types: parameters
            .map(|param| (param.ident.to_string(), Ty::Error))
            .collect(),
        lengths: HashMap::new(),
    }
}

/// Refuses generic parameters of a function that belongs to a type.
pub fn refuse_on_member(item: &ItemFn, report: &mut Report) {
    if let Some(parameter) = item.sig.generics.params.first() {
        report.error_help(
            Code::Generic,
            parameter,
            "a function of a type has no generic parameters in kernels",
            "write a generic `#[amp_fn]`, and call that",
        );
    }
}

/// Reads the bounds that say how a parameter is called.
pub fn closures(
    item: &ItemFn,
    parameters: &Parameters,
    scope: &mut impl TypeScope,
) -> Vec<(usize, (Vec<Ty>, Ty))> {
    let mut found = Vec::new();
    let declared = item.sig.generics.type_params();
    for (parameter, index) in declared.zip(&parameters.types) {
        for bound in bounds_of(item, &parameter.ident, &parameter.bounds) {
            if let Some(signature) = call_signature(bound) {
                let params = signature
                    .inputs
                    .iter()
                    .map(|ty| read_type(&ty.ty, scope))
                    .collect();
                let result = match &signature.output {
                    ReturnType::Default => Ty::Unit,
                    ReturnType::Type(_, ty) => read_type(ty, scope),
                };
                found.push((*index, (params, result)));
            }
        }
    }
    found
}

fn const_type(ty: &Type) -> Ty {
    match ty.to_token_stream().to_string().as_str() {
        "bool" => Ty::BOOL,
        "i32" => Ty::I32,
        "u32" => Ty::U32,
        _ => Ty::USIZE,
    }
}

/// The bounds of a type parameter, those behind `where` included.
fn bounds_of<'a>(
    item: &'a ItemFn,
    name: &Ident,
    own: &'a Punctuated<TypeParamBound, syn::Token![+]>,
) -> Vec<&'a TypeParamBound> {
    let mut bounds: Vec<&TypeParamBound> = own.iter().collect();
    let clause = item.sig.generics.where_clause.iter();
    for predicate in clause.flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate
            && let Type::Path(path) = &predicate.bounded_ty
            && path.path.is_ident(name)
        {
            bounds.extend(&predicate.bounds);
        }
    }
    bounds
}

fn bound_name(bound: &TypeParamBound) -> String {
    match bound {
        TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// `(A, B) -> R` of `Fn(A, B) -> R`.
fn call_signature(bound: &TypeParamBound) -> Option<&ParenthesizedGenericArguments> {
    if !matches!(&*bound_name(bound), "Fn" | "FnMut" | "FnOnce") {
        return None;
    }
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    match &bound.path.segments.last()?.arguments {
        PathArguments::Parenthesized(signature) => Some(signature),
        _ => None,
    }
}

/// A type with arguments in the place of parameters.
struct Substitution<'a> {
    parameters: &'a Parameters,
    types: &'a [Ty],
    lengths: &'a [Len],
}

impl Substitution<'_> {
    fn ty(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Param(index) => {
                let position = self.parameters.types.iter().position(|at| at == index);
                position.map_or(Ty::Error, |at| self.types[at].clone())
            }
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.ty(part)).collect()),
            Ty::Array(element, length) => {
                Ty::Array(Box::new(self.ty(element)), self.length(*length))
            }
            Ty::Tiled(dims) => Ty::Tiled(dims.iter().map(|dim| self.length(*dim)).collect()),
            Ty::View(view) => {
                let mut view = view.clone();
                view.element = Box::new(self.ty(&view.element));
                Ty::View(view)
            }
            Ty::Reference { mutable, target } => Ty::Reference {
                mutable: *mutable,
                target: Box::new(self.ty(target)),
            },
            other => other.clone(),
        }
    }

    fn length(&self, length: Len) -> Len {
        let position = match length {
            Len::Const(index) => self.parameters.consts.iter().position(|at| *at == index),
            Len::Literal(_) => None,
        };
        position.map_or(length, |at| self.lengths[at])
    }
}

impl FnCx<'_> {
    /// Type of a call of a generic helper.
    pub fn generic_call(&mut self, expr: &Expr, call: &ExprCall, template: usize) -> Ty {
        let function = &self.program.functions[template];
        let parameters = function.parameters.clone();
        let wanted: Vec<Ty> = function
            .params
            .iter()
            .map(|param| param.ty.clone())
            .collect();
        let result = function.result.clone();
        let (mut types, lengths) = self.fresh_arguments(call, template, &parameters);
        self.count_arguments(template, 0, call.args.len(), &*call.func);
        let mut closures = Vec::new();
        for (i, argument) in call.args.iter().enumerate() {
            let Some(wanted) = wanted.get(i) else {
                let found = self.argument(argument);
                self.unifier.poison(&found);
                continue;
            };
            // Closures last: their parameters may have types that the others tell.
            if let Ty::Param(param) = wanted
                && let Some(signature) = self.program.type_params[*param].closure.clone()
            {
                closures.push((argument, *param, signature));
                continue;
            }
            let substitution = Substitution {
                parameters: &parameters,
                types: &types,
                lengths: &lengths,
            };
            let wanted = substitution.ty(wanted);
            let found = self.argument(argument);
            self.coerce(&found, &wanted, argument);
        }
        for (argument, param, (inputs, output)) in closures {
            let substitution = Substitution {
                parameters: &parameters,
                types: &types,
                lengths: &lengths,
            };
            let inputs: Vec<Ty> = inputs.iter().map(|ty| substitution.ty(ty)).collect();
            let output = substitution.ty(&output);
            let found = self.passed_closure(argument, &inputs, &output);
            if let Some(position) = parameters.types.iter().position(|at| *at == param) {
                types[position] = found;
            }
        }
        let substitution = Substitution {
            parameters: &parameters,
            types: &types,
            lengths: &lengths,
        };
        let result = substitution.ty(&result);
        self.pending.push(Pending {
            call: key(expr),
            span: call.func.span(),
            template,
            types,
            lengths,
        });
        result
    }

    /// Arguments as far as the call spells them out; else something that is still to be
    /// found. A length that is to be found is a constant that nobody owns.
    fn fresh_arguments(
        &mut self,
        call: &ExprCall,
        template: usize,
        parameters: &Parameters,
    ) -> (Vec<Ty>, Vec<Len>) {
        let mut written: Vec<GenericArgument> = Vec::new();
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
            && let PathArguments::AngleBracketed(arguments) = &last.arguments
        {
            written = arguments.args.iter().cloned().collect();
            if written.len() != parameters.order.len() {
                let called = &self.program.functions[template].item.sig.ident;
                let message = format!(
                    "`{called}` has {} generic parameters, found {} arguments",
                    parameters.order.len(),
                    written.len()
                );
                self.report.error_help(
                    Code::Arity,
                    arguments,
                    message,
                    "name all of them, with `_` for what the call tells, or leave all out",
                );
                written.clear();
            }
        }
        let (mut types, mut lengths) = (Vec::new(), Vec::new());
        for (i, is_const) in parameters.order.iter().enumerate() {
            let written = written.get(i);
            if *is_const {
                let index = parameters.consts[lengths.len()];
                lengths.push(self.length_argument(written, index));
            } else {
                types.push(match written {
                    Some(GenericArgument::Type(ty)) if !matches!(ty, Type::Infer(_)) => {
                        self.read_type(ty)
                    }
                    _ => self.unifier.fresh(Kind::Any),
                });
            }
        }
        (types, lengths)
    }

    fn length_argument(&mut self, written: Option<&GenericArgument>, parameter: usize) -> Len {
        let ty = self.program.consts[parameter].ty.clone();
        let expr = written
            .filter(|argument| !matches!(argument, GenericArgument::Type(Type::Infer(_))))
            .and_then(argument_expr);
        match expr {
            Some(expr) if ty == Ty::USIZE => self.length(&expr),
            Some(expr) if literal_usize(&expr).is_none() || ty != Ty::USIZE => {
                let span = expr.span();
                Len::Const(self.constant(expr.to_token_stream(), Some(ty), span))
            }
            _ => {
                let name = self.program.consts[parameter].text.clone();
                self.program.consts.push(ConstDef {
                    owner: ConstDef::NOBODY,
                    expr: proc_macro2::TokenStream::new(),
                    text: name,
                    ty: Ty::Error,
                    span: Span::call_site(),
                });
                Len::Const(self.program.consts.len() - 1)
            }
        }
    }

    /// Type of a closure as an argument, which its parameter's bound describes.
    fn passed_closure(&mut self, argument: &Expr, inputs: &[Ty], output: &Ty) -> Ty {
        let found = match argument {
            Expr::Closure(closure) => self.closure(argument, closure, Some(inputs)),
            other => self.argument(other),
        };
        let (params, result) = match self.unifier.shallow(&found) {
            Ty::Closure(index) => {
                let closure = &self.program.closures[index];
                (closure.params.clone(), closure.result.clone())
            }
            Ty::Param(param) if let Some(signature) = &self.program.type_params[param].closure => {
                signature.clone()
            }
            Ty::Error => return Ty::Error,
            other => {
                let message = format!("expected a closure, found {}", self.show(&other));
                self.unifier.poison(&other);
                self.report.error_help(
                    Code::TypeMismatch,
                    argument,
                    message,
                    "pass `|x| ..`, or the name of a closure",
                );
                return Ty::Error;
            }
        };
        if params.len() != inputs.len() {
            let message = format!(
                "the closure has {} parameters, but is called with {}",
                params.len(),
                inputs.len()
            );
            self.report.error_help(
                Code::Arity,
                argument,
                message,
                "give it the parameters that the helper's bound names",
            );
            return Ty::Error;
        }
        for (param, input) in params.iter().zip(inputs) {
            self.expect(input, param, argument);
        }
        self.expect(&result, output, argument);
        found
    }

    /// Makes the instances that were called, now that all types are known.
    pub fn settle_instances(&mut self, typed: &mut Typed) {
        for pending in std::mem::take(&mut self.pending) {
            let Pending {
                call,
                span,
                template,
                types,
                lengths,
            } = pending;
            let types: Vec<Ty> = types.iter().map(|ty| self.unifier.defaulted(ty)).collect();
            let lengths: Vec<Len> = lengths
                .iter()
                .map(|len| self.program.canonical(*len))
                .collect();
            if types.contains(&Ty::Error) {
                continue;
            }
            let function = &self.program.functions[template];
            let parameters = function.parameters.clone();
            let called = function.item.sig.ident.to_string();
            let open_type = types.iter().position(|ty| self.is_open(ty));
            let open_length = lengths.iter().position(|len| self.program.is_nobodys(*len));
            let unknown = match (open_type, open_length) {
                (Some(at), _) => Some(
                    self.program.type_params[parameters.types[at]]
                        .ident
                        .to_string(),
                ),
                (_, Some(at)) => Some(self.program.consts[parameters.consts[at]].text.clone()),
                _ => None,
            };
            if let Some(name) = unknown {
                self.report.error_help(
                    Code::UnknownType,
                    span,
                    format!("nothing tells the parameter `{name}` of `{called}` here"),
                    format!("write it: `{called}::<..>(..)`, with all of its parameters"),
                );
                continue;
            }
            // What is wrong here already would be wrong in the instance too.
            if !self.report.is_clean() {
                continue;
            }
            // In a generic helper itself: the bounds are all that is known.
            let index = match types.iter().any(has_parameter) {
                true => template,
                false => match self.instance(template, &types, &lengths, span) {
                    Some(index) => index,
                    None => return,
                },
            };
            typed.calls.insert(call, Callee::Helper(index));
            typed.callees.push((index, span));
        }
    }

    fn instance(
        &mut self,
        template: usize,
        types: &[Ty],
        lengths: &[Len],
        span: Span,
    ) -> Option<usize> {
        let program = &mut *self.program;
        let function = &program.functions[template];
        let mut arguments = Arguments::default();
        for (param, ty) in function.parameters.types.iter().zip(types) {
            let name = program.type_params[*param].ident.to_string();
            arguments.types.insert(name, ty.clone());
        }
        for (param, length) in function.parameters.consts.iter().zip(lengths) {
            let name = program.consts[*param].text.clone();
            arguments.lengths.insert(name, *length);
        }
        let known = program
            .functions
            .iter()
            .position(|other| other.template == Some(template) && other.arguments == arguments);
        if known.is_some() {
            return known;
        }
        if program.functions.len() > MOST_FUNCTIONS {
            self.report.error_help(
                Code::Generic,
                span,
                format!(
                    "this kernel calls more than {MOST_FUNCTIONS} instances of generic helpers"
                ),
                "call them with fewer different types and lengths",
            );
            return None;
        }
        let (id, entry, names, item) = (
            function.id.clone(),
            function.entry.clone(),
            function.names.clone(),
            function.item.clone(),
        );
        let (params, result) = signature::function(
            program,
            &item,
            &names,
            TaskKind::Function,
            &arguments,
            self.report,
        );
        program.functions.push(FunctionDef {
            id,
            entry,
            names,
            item,
            params,
            result,
            typed: Typed::default(),
            within: None,
            is_member: false,
            parameters: Parameters::default(),
            arguments,
            template: Some(template),
        });
        Some(program.functions.len() - 1)
    }
}

fn has_parameter(ty: &Ty) -> bool {
    match ty {
        Ty::Param(_) => true,
        Ty::Tuple(parts) => parts.iter().any(has_parameter),
        Ty::Array(element, _) => has_parameter(element),
        _ => false,
    }
}

impl FnCx<'_> {
    /// Refuses what needs a value to stand in for one that is not there, of a type of which
    /// nothing is known.
    pub fn needs_scalar(&mut self, ty: &Ty, place: impl Locate, what: &str) {
        let Some(index) = unbounded(self.program, &self.unifier.deep(ty)) else {
            return;
        };
        let name = self.program.type_params[index].ident.to_string();
        self.report.error_help(
            Code::Operator,
            place,
            format!("{what} of the type parameter `{name}`"),
            format!("an access that faults gives zero, which `{name}` may not have: bound it, `{name}: Scalar`"),
        );
    }
}

/// A type parameter in a type that is not known to be a number.
fn unbounded(program: &Program, ty: &Ty) -> Option<usize> {
    match ty {
        Ty::Param(index) => (!program.type_params[*index].is_scalar).then_some(*index),
        Ty::Tuple(parts) => parts.iter().find_map(|part| unbounded(program, part)),
        Ty::Array(element, _) => unbounded(program, element),
        _ => None,
    }
}

/// Refuses an operation on a type parameter that is not known to be a number.
pub fn missing_bound(report: &mut Report, span: Span, operator: &str, name: &str, is_scalar: bool) {
    let help = match is_scalar {
        true => format!(
            "a `Scalar` has `+ - * / %`, comparisons and conversions; `{operator}` is not one"
        ),
        false => format!("bound it: `{name}: Scalar`"),
    };
    report.error_help(
        Code::Operator,
        span,
        format!("`{operator}` on the type parameter `{name}`"),
        help,
    );
}

/// The scalar that `to_f32` or `from_f32` names behind its prefix.
pub fn conversion(prefix: &str, name: &str) -> Option<Scalar> {
    Some(match name.strip_prefix(prefix)? {
        "f32" => Scalar::F32,
        "f64" => Scalar::F64,
        "i32" => Scalar::I32,
        "u32" => Scalar::U32,
        "usize" => Scalar::Usize,
        _ => return None,
    })
}

/// The result of a conversion of a scalar that is a `Scalar`.
pub fn conversion_from(name: &str, scalar: Scalar) -> Option<Scalar> {
    match scalar {
        Scalar::Bool | Scalar::Usize => None,
        _ => conversion("to_", name),
    }
}

impl FnCx<'_> {
    /// `N`, `T::ZERO`, `T::ONE` of generic parameters.
    pub fn generic_constant(&mut self, path: &Path) -> Option<(Resolved, Ty)> {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        match &*segments {
            [name] => match *self.arguments.lengths.get(name)? {
                Len::Literal(number) => Some((Resolved::Known(Known::Length(number)), Ty::USIZE)),
                Len::Const(index) => {
                    *self.const_uses.entry(index).or_default() += 1;
                    let ty = self.program.consts[index].ty.clone();
                    Some((Resolved::Const(index), ty))
                }
            },
            [owner, name] => {
                let ty = self.arguments.types.get(owner)?.clone();
                let known = match &**name {
                    "ZERO" => Known::Zero,
                    "ONE" => Known::One,
                    _ => {
                        self.report.error_help(
                            Code::UnknownName,
                            path,
                            format!("`{owner}::{name}` is not a constant that kernels can see"),
                            "a `Scalar` has `ZERO`, `ONE` and `from_f32` and its kin",
                        );
                        return Some((Resolved::Known(Known::Zero), Ty::Error));
                    }
                };
                Some((Resolved::Known(known), ty))
            }
            _ => None,
        }
    }

    /// Type of `T::from_f32(x)` and its kin.
    pub fn conversion_to(&mut self, expr: &Expr, call: &ExprCall, ty: Ty, name: &str) -> Ty {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let Some(from) = conversion("from_", name) else {
            for argument in arguments {
                let found = self.argument(argument);
                self.unifier.poison(&found);
            }
            self.report.error_help(
                Code::NotCallable,
                &call.func,
                format!("`{}` cannot be called from a kernel", path_text(&call.func)),
                "a `Scalar` has `from_f32`, `from_f64`, `from_i32`, `from_u32` and `from_usize`",
            );
            return Ty::Error;
        };
        self.arguments(name, &arguments, &[Ty::Scalar(from)], &call.func);
        self.typed.calls.insert(key(expr), Callee::Convert);
        ty
    }
}

fn path_text(expr: &Expr) -> String {
    expr.to_token_stream().to_string().replace(' ', "")
}
