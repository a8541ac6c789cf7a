//! Signatures of kernels and helpers.

use amp_spirv::diagnostic::Code;
use quote::ToTokens;
use syn::{
    Expr, FnArg, GenericParam, Generics, Ident, ItemFn, Pat, Receiver, ReceiverKind, ReturnType,
    Safety, Type, spanned::Spanned,
};

use super::{
    bundle,
    context::FnCx,
    kept, kept_slice, lending,
    names::{ConstKey, Meaning, Names},
    parameter,
    program::{ConstDef, ParamDef, Program},
    range::RANGE_HELP,
    returned,
    ty::{Arguments, Len, Parameters, Ty},
    type_expr::{TypeScope, literal_usize, read_type, read_view},
};
use crate::{
    attribute::TaskKind,
    report::{Locate, Place, Report},
};

/// The place where a signature, or a field, is written.
pub(super) struct SignatureScope<'a> {
    pub(super) program: &'a mut Program,
    pub(super) names: &'a Names,
    pub(super) arguments: &'a Arguments,
    pub(super) report: &'a mut Report,
    /// Array lengths must be numbers.
    pub(super) literal_only: bool,
}

impl TypeScope for SignatureScope<'_> {
    fn meaning(&self, path: &str) -> Option<Meaning> {
        self.names.get(path)
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn program_mut(&mut self) -> &mut Program {
        self.program
    }

    fn parameter(&self, name: &str) -> Option<Ty> {
        self.arguments.types.get(name).cloned()
    }

    fn is_parameter(&self, length: Len) -> bool {
        let owner = self.program.functions.len();
        let is_own = |length: &Len| matches!(length, Len::Const(at) if self.program.consts[*at].owner == owner);
        self.arguments
            .lengths
            .values()
            .any(|own| *own == length && is_own(own))
    }

    fn number(&mut self, expr: &Expr, ty: &Ty) -> Len {
        if let Some(number) = literal_usize(expr) {
            return Len::Literal(number);
        }
        let text: String = expr
            .to_token_stream()
            .to_string()
            .split_whitespace()
            .collect();
        if let Some(length) = self.arguments.lengths.get(&text) {
            return *length;
        }
        if self.literal_only {
            self.report.error_help(
                Code::StructField,
                expr,
                "the length of an array in an `#[amp_struct]` must be a number",
                format!(
                    "rustc alone knows `{text}`, after the layout is fixed; {}",
                    number_help(&text)
                ),
            );
            return Len::Literal(1);
        }
        let owner = self.program.functions.len();
        let within = self
            .names
            .constants_in(&expr.to_token_stream(), self.arguments);
        let key = ConstKey::new(&text, within.as_ref());
        let known = self
            .program
            .consts
            .iter()
            .position(|constant| constant.owner == owner && constant.key() == key);
        Len::Const(known.unwrap_or_else(|| {
            self.program.consts.push(ConstDef {
                owner,
                expr: expr.to_token_stream(),
                text,
                ty: ty.clone(),
                span: expr.span(),
                within,
            });
            self.program.consts.len() - 1
        }))
    }

    fn report(&mut self) -> &mut Report {
        self.report
    }
}

/// Reads the parameters and the result of the function that is added next.
pub fn function(
    program: &mut Program,
    item: &ItemFn,
    names: &Names,
    kind: TaskKind,
    arguments: &Arguments,
    report: &mut Report,
) -> (Vec<ParamDef>, Ty) {
    let signature = &item.sig;
    let mut refuse = |place: Place, what: &str, help: &str| {
        report.error_help(Code::Signature, place, what, help);
    };
    if let Some(token) = &signature.asyncness {
        refuse(
            token.locate(),
            "kernel code cannot be `async`",
            "remove `async`",
        );
    }
    if let Safety::Unsafe(token) = &signature.safety {
        refuse(
            token.locate(),
            "kernel code cannot be `unsafe`",
            "remove `unsafe`; `unsafe { kernel.unchecked() }` is where checks are given up",
        );
    }
    if let Some(abi) = &signature.abi {
        refuse(abi.locate(), "kernel code has no ABI", "remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        refuse(
            variadic.locate(),
            "kernel code cannot be variadic",
            "name the parameters",
        );
    }
    let mut scope = SignatureScope {
        program,
        names,
        arguments,
        report,
        literal_only: false,
    };
    let mut params = Vec::new();
    for (i, input) in signature.inputs.iter().enumerate() {
        if let Some(param) = parameter(input, i == 0, kind == TaskKind::Kernel, &mut scope) {
            params.push(param);
        }
    }
    if kind == TaskKind::Kernel && signature.inputs.is_empty() {
        scope.report.error_help(
            Code::Signature,
            &signature.ident,
            "a kernel's first parameter is its index",
            "write `idx: Index<1>` or `t_idx: TiledIndex<2, 16, 16>`",
        );
    }
    let result = match &signature.output {
        ReturnType::Default => Ty::Unit,
        ReturnType::Type(_, ty) => {
            let result = returned::result(ty, item, &params, kind, &mut scope)
                .or_else(|| kept_slice::chosen(ty, item, &mut scope))
                .or_else(|| lending::result(ty, &mut scope))
                .or_else(|| kept::option(ty, &mut scope))
                .unwrap_or_else(|| read_type(ty, &mut scope));
            if kind == TaskKind::Kernel && !matches!(result, Ty::Unit | Ty::Error) {
                scope.report.error_help(
                    Code::Signature,
                    ty,
                    "a kernel returns nothing",
                    "write its results to an `&mut ArrayViewMut`",
                );
            }
            let refused = match result {
                Ty::Barrier => {
                    Some("take the tiled index as a parameter, and wait at `t_idx.barrier`")
                }
                Ty::Never => Some("kernels end by returning; leave the result out"),
                _ => None,
            };
            if let Some(help) = refused {
                let message = "a helper cannot return this type";
                scope
                    .report
                    .error_help(Code::Signature, &**ty, message, help);
            }
            result
        }
    };
    (params, result)
}

/// Reads the types that a kernel's type parameters stand for.
pub fn listed(
    program: &mut Program,
    generics: &Generics,
    types: &[(Ident, Type)],
    names: &Names,
    report: &mut Report,
) -> Arguments {
    let mut arguments = parameter::unlisted(generics);
    for parameter in generics.type_params() {
        let name = &parameter.ident;
        let Some((_, ty)) = types.iter().find(|(listed, _)| listed == name) else {
            report.error_help(
                Code::Generic,
                parameter,
                format!("the kernel does not say which types `{name}` has"),
                format!("list them: `#[amp_kernel({name} = f32 | i32)]`"),
            );
            continue;
        };
        let mut unread = Report::default();
        let mut scope = SignatureScope {
            program,
            names,
            arguments: &Arguments::default(),
            report: &mut unread,
            literal_only: true,
        };
        let read = read_type(ty, &mut scope);
        let bounds = parameter::bounds(generics, name);
        let unmet = program.unmet_bound(names, &bounds, &read);
        let shown = ty.to_token_stream().to_string().replace(' ', "");
        if !unread.is_clean() {
            report.error_help(
                Code::UnsupportedType,
                ty,
                format!("`{shown}` cannot stand for the type parameter `{name}` of a kernel"),
                "the parameters of a kernel stand for numbers, glam's vectors, and types of your own \
                 that are `#[amp_struct]`s or `#[amp_enum]`s",
            );
        } else if let Some(bound) = unmet {
            report.error_help(
                Code::Generic,
                ty,
                format!("`{shown}` is not a `{bound}`, which the kernel requires of `{name}`"),
                "list other types, or bound the parameter by what it needs",
            );
        } else {
            arguments.types.insert(name.to_string(), read);
        }
    }
    arguments
}

/// Reads how a helper calls its parameters that are closures.
pub fn closures(
    program: &mut Program,
    item: &ItemFn,
    names: &Names,
    parameters: &Parameters,
    arguments: &Arguments,
    report: &mut Report,
) {
    let mut scope = SignatureScope {
        program,
        names,
        arguments,
        report,
        literal_only: false,
    };
    for (index, signature) in parameter::closures(item, parameters, &mut scope) {
        program.type_params[index].closure = Some(signature);
    }
}

fn parameter(
    input: &FnArg,
    is_first: bool,
    kernel: bool,
    scope: &mut SignatureScope,
) -> Option<ParamDef> {
    if let FnArg::Typed(typed) = input
        && let Some(attribute) = typed.attrs.first()
    {
        scope.report.error_help(
            Code::Signature,
            attribute,
            "an attribute on a parameter of kernel code",
            "remove it",
        );
    }
    let typed = match input {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => return self::receiver(receiver, scope),
    };
    let Pat::Ident(ident) = &*typed.pat else {
        scope.report.error_help(
            Code::UnsupportedPattern,
            &typed.pat,
            "a parameter must be a name",
            "name it, and take it apart with `let` in the body",
        );
        return None;
    };
    let bundle = match kernel {
        true => bundle::kernel_parameter(&typed.ty, scope),
        false => bundle::parameter(&typed.ty, scope),
    };
    let ty = match &*typed.ty {
        _ if let Some(bundle) = bundle => bundle,
        Type::Reference(reference) => match read_view(reference, scope) {
            Some(ty) => ty,
            None if reference.mutability.is_none() && is_path(&reference.elem, "TileBarrier") => {
                Ty::Barrier
            }
            None if !kernel => super::reference::parameter(reference, scope),
            None => read_type(&typed.ty, scope),
        },
        _ if !kernel && let Some(option) = kept::option(&typed.ty, scope) => option,
        _ => read_type(&typed.ty, scope),
    };
    let ty = match kernel {
        true => kept_slice::refuse(&typed.ty, ty, scope),
        false => ty,
    };
    if kernel && let Some(length) = open_length(&ty) {
        let length = &scope.program.consts[length].text;
        let help = match scope.arguments.lengths.contains_key(length) {
            true => "take the elements as `&ArrayView<T, 1>`".to_owned(),
            false => format!(
                "rustc alone knows `{length}`, after the place of each argument is fixed; {}, or \
                 take the elements as `&ArrayView<T, 1>`",
                number_help(length)
            ),
        };
        scope.report.error_help(
            Code::Signature,
            &*typed.ty,
            "a length in a value that a kernel takes must be a number",
            help,
        );
    }
    let is_index = is_first && kernel;
    let index_like = matches!(ty, Ty::Index(_) | Ty::Tiled(_) | Ty::Error);
    if is_index && !index_like {
        scope.report.error_help(
            Code::Signature,
            &typed.ty,
            "a kernel's first parameter is its index",
            "write `idx: Index<1>` or `t_idx: TiledIndex<2, 16, 16>` first",
        );
    }
    let misplaced = match &ty {
        Ty::Tiled(_) if kernel && !is_first => {
            Some("a kernel has one tiled index, its first parameter; compute others in the body")
        }
        Ty::Barrier if kernel => Some("the barrier comes with the tiled index: `t_idx.barrier`"),
        _ if kernel && scope.program.holds_range(&ty) => Some(RANGE_HELP),
        Ty::Unit if kernel => Some("it has no value; leave the parameter out"),
        Ty::Never => Some("it has no value; leave the parameter out"),
        _ => None,
    };
    if let Some(help) = misplaced.filter(|_| !is_index) {
        let message = "this type cannot be a parameter here";
        scope
            .report
            .error_help(Code::Signature, &*typed.ty, message, help);
    }
    Some(ParamDef {
        ident: ident.ident.clone(),
        ty,
    })
}

/// The length in a value that only rustc knows.
fn open_length(ty: &Ty) -> Option<usize> {
    let of_parts = || ty.parts().find_map(open_length);
    let own = match ty {
        Ty::Array(_, length) => std::slice::from_ref(length),
        Ty::Struct(_, applied) => &applied.lengths,
        Ty::Tuple(_) => &[],
        _ => return None,
    };
    let open = own.iter().find_map(|length| match length {
        Len::Const(length) => Some(*length),
        Len::Literal(_) => None,
    });
    open.or_else(of_parts)
}

/// What to write for the length `text`, which has a name.
fn number_help(text: &str) -> String {
    format!("write the number, and have it checked: `const _: () = assert!({text} == 9);` for 9")
}

/// The value or place that a method is called on: `self: T`, `self: &T`, `self: &mut T`,
/// which is how blocks are written out.
fn receiver(receiver: &Receiver, scope: &mut SignatureScope) -> Option<ParamDef> {
    let ReceiverKind::Typed(_, ty) = &receiver.kind else {
        scope.report.error_help(
            Code::Signature,
            receiver,
            "a function outside of an `impl` or trait has no `self`",
            "write `#[amp_fn]` before the `impl`, or pass the value as a parameter",
        );
        return None;
    };
    let ty = match &**ty {
        ty if let Some(bundle) = bundle::parameter(ty, scope) => bundle,
        Type::Reference(reference) => super::reference::parameter(reference, scope),
        ty => read_type(ty, scope),
    };
    Some(ParamDef {
        ident: Ident::new("self", receiver.self_token.span()),
        ty,
    })
}

/// Reads a type that stands outside of functions, among such parameters.
pub fn written(
    program: &mut Program,
    ty: &Type,
    names: &Names,
    arguments: &Arguments,
    report: &mut Report,
) -> Ty {
    let mut scope = SignatureScope {
        program,
        names,
        arguments,
        report,
        literal_only: true,
    };
    bundle::read(ty, &scope).unwrap_or_else(|| read_type(ty, &mut scope))
}

fn is_path(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == name))
}

impl FnCx<'_> {
    /// Makes const parameters constants of known type; refuses what no function has.
    pub fn declare_generics(&mut self, generics: &Generics, kind: TaskKind) {
        for (index, constant) in self.program.consts.iter().enumerate() {
            if constant.owner == self.owner {
                self.consts.insert(constant.key(), index);
            }
        }
        for param in &generics.params {
            match param {
                GenericParam::Const(constant) if kind == TaskKind::Kernel => {
                    let ty = self.read_type(&constant.ty);
                    let name = constant.ident.to_token_stream();
                    self.constant(name, Some(ty), constant.ident.span());
                }
                GenericParam::Lifetime(param)
                    if kind == TaskKind::Kernel || matches!(self.result, Ty::View(_)) =>
                {
                    self.report.error_help(
                        Code::Signature,
                        param,
                        "a kernel, or a helper that returns a view, has no lifetime parameters",
                        "leave lifetimes out: views are `&ArrayView<T, N>`",
                    );
                }
                _ => {}
            }
        }
    }
}
