//! Types as they are written.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use quote::ToTokens;
use syn::{
    AngleBracketedGenericArguments, Expr, ExprLit, GenericArgument, Lit, Path, PathArguments, Type,
    TypePath,
};

use super::{
    element,
    names::Meaning,
    node::bare,
    program::Program,
    ty::{Applied, Len, Ty, ViewTy},
    unknown_type,
};
use crate::{
    attribute::PADDED,
    language::{
        glam,
        name::{KEPT_SLICE, path_key, standard_type},
    },
    report::Report,
};

/// What reading a type needs from the place where it is written.
pub trait TypeScope {
    /// What a path means there.
    fn meaning(&self, path: &str) -> Option<Meaning>;
    /// The argument of a type parameter.
    fn parameter(&self, name: &str) -> Option<Ty>;
    /// Whether a length is a parameter of the function itself: its instances know the number.
    fn is_parameter(&self, _length: Len) -> bool {
        false
    }
    /// The types that are known so far.
    fn program(&self) -> &Program;
    /// The same, for what is read when it is named.
    fn program_mut(&mut self) -> &mut Program;
    /// The type that stands around `_` tells, where something does.
    fn told(&mut self) -> Option<Ty> {
        None
    }
    /// The length or tile extent that `expr` denotes.
    fn length(&mut self, expr: &Expr) -> Len {
        self.number(expr, &Ty::USIZE)
    }
    /// The argument of a const parameter of this type that `expr` denotes.
    fn number(&mut self, expr: &Expr, ty: &Ty) -> Len;
    /// Where errors go.
    fn report(&mut self) -> &mut Report;
}

/// The number that an expression is, if it is a literal.
pub fn literal_usize(expr: &Expr) -> Option<u32> {
    let expr = bare(expr);
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => int.base10_parse().ok(),
        Expr::Block(block) => match &*block.block.stmts {
            [syn::Stmt::Expr(expr, None)] => literal_usize(expr),
            _ => None,
        },
        _ => None,
    }
}

/// Reads a written type. Views and tile barriers are allowed only where the caller
/// unwraps them itself.
pub fn read_type(ty: &Type, scope: &mut impl TypeScope) -> Ty {
    match ty {
        Type::Path(path) => read_path(path, scope),
        Type::Tuple(tuple) if tuple.elems.is_empty() => Ty::Unit,
        Type::Tuple(tuple) => Ty::Tuple(
            tuple
                .elems
                .iter()
                .map(|part| read_type(part, scope))
                .collect(),
        ),
        Type::Array(array) if !matches!(array.len, Expr::Infer(_)) => {
            let element = read_type(&array.elem, scope);
            Ty::Array(Box::new(element), scope.length(&array.len))
        }
        Type::Paren(paren) => read_type(&paren.elem, scope),
        Type::Group(group) => read_type(&group.elem, scope),
        Type::Never(_) => Ty::Never,
        Type::Reference(reference)
            if let (Type::Slice(slice), None) = (&*reference.elem, reference.mutability) =>
        {
            let element = read_type(&slice.elem, scope);
            let kept = scope.program_mut().core_type(KEPT_SLICE, [&element]);
            kept.unwrap_or(Ty::Error)
        }
        Type::Infer(_) if let Some(told) = scope.told() => told,
        other => {
            let (what, help) = match other {
                Type::Reference(_) => (
                    "a reference",
                    "only parameters are references: views of kernels and helpers, and `&T` or \
                     `&mut T` of an `#[amp_fn]`",
                ),
                Type::Array(_) => (
                    "an array of the length `_` that no `[a, b]` or `[x; N]` beside it tells",
                    "write the length: `[u32; 4]`",
                ),
                Type::Ptr(_) => ("a raw pointer", "index a view or an array"),
                Type::Slice(_) => ("a slice", "use an array `[T; N]` or a view"),
                Type::FnPtr(_) => ("a function pointer", "call the `#[amp_fn]` by name"),
                Type::TraitObject(_) | Type::ImplTrait(_) => (
                    "a trait object or `impl Trait`",
                    "kernels have no dynamic dispatch; name the type, or take a closure as `impl Fn(i32) -> i32`",
                ),
                Type::Infer(_) => ("`_`", "leave the type out, or write all of it"),
                _ => (
                    "this",
                    "write bool, a number type, a tuple, an array or an `#[amp_struct]`",
                ),
            };
            scope.report().error_help(
                Code::UnsupportedType,
                other,
                format!("{what} is not a type of kernels"),
                help,
            );
            Ty::Error
        }
    }
}

fn read_path(ty: &TypePath, scope: &mut impl TypeScope) -> Ty {
    let Some(last) = ty.path.segments.last() else {
        return Ty::Error;
    };
    let name = last.ident.to_string();
    match name.as_str() {
        "Index" => rank(ty, scope).map_or(Ty::Error, Ty::Index),
        "Extent" => rank(ty, scope).map_or(Ty::Error, Ty::Extent),
        "TiledIndex" => read_tiled(ty, scope),
        "TileBarrier" => Ty::Barrier,
        "ArrayView" | "ArrayViewMut" | "Array" => {
            scope.report().error_help(
                Code::ViewValue,
                ty,
                format!("`{name}` is passed by reference"),
                "write `&ArrayView<T, N>` to read, `&mut ArrayViewMut<T, N>` to write",
            );
            Ty::Error
        }
        _ => match scope.meaning(&path_key(&ty.path)) {
            Some(Meaning::Struct(index)) if scope.program().structs[index].is_bundle => {
                refuse_type(ty, scope);
                Ty::Error
            }
            Some(Meaning::Struct(index)) => structure(&ty.path, index, scope),
            Some(Meaning::Enum(index)) => Ty::Enum(index),
            Some(Meaning::Function(_)) => {
                scope.report().error_help(
                    Code::UnsupportedType,
                    ty,
                    format!("`{name}` is a function, not a type"),
                    "name the type of its result",
                );
                Ty::Error
            }
            Some(Meaning::Trait(_)) => {
                scope.report().error_help(
                    Code::UnsupportedType,
                    ty,
                    format!("`{name}` is a trait, not a type"),
                    "name the type",
                );
                Ty::Error
            }
            Some(Meaning::Broken) => Ty::Error,
            None if let Some(ty) = ty.path.get_ident().and(scope.parameter(&name)) => ty,
            None if let Some(key) = projection_key(ty)
                && let Some(ty) = scope.parameter(&key) =>
            {
                ty
            }
            None if let Some(vector) = glam::named(&name) => vector.into(),
            None if let Some(scalar) = scalar(&name) => Ty::Scalar(scalar),
            None if let Some(of) = standard_type(&path_key(&ty.path))
                .and_then(|(name, _)| scope.program_mut().standard(name)) =>
            {
                match of {
                    Meaning::Enum(index) => Ty::Enum(index),
                    Meaning::Struct(index) => structure(&ty.path, index, scope),
                    _ => Ty::Error,
                }
            }
            None => {
                let help = unknown_type::help(&ty.path, is_of_parameter(ty, scope));
                let shown = ty.to_token_stream().to_string().replace(' ', "");
                scope.report().error_help(
                    Code::UnsupportedType,
                    ty,
                    format!("`{shown}` is not a type of kernels"),
                    help,
                );
                Ty::Error
            }
        },
    }
}

/// Whether a type is written as an associated type of a parameter.
fn is_of_parameter(ty: &TypePath, scope: &impl TypeScope) -> bool {
    let owner = match &ty.qself {
        Some(of) => of.ty.to_token_stream().to_string(),
        None => ty.path.segments[0].ident.to_string(),
    };
    projection_key(ty).is_some() && scope.parameter(&owner).is_some()
}

/// The text by which a mention of an associated type is found, if a path may be one.
pub fn projection_key(path: &TypePath) -> Option<String> {
    let is_mention = path.qself.is_some() || path.path.segments.len() == 2;
    is_mention.then(|| text(path))
}

/// Tokens without spaces.
pub fn text(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect()
}

fn generic_arguments(ty: &TypePath) -> Vec<&GenericArgument> {
    match ty.path.segments.last().map(|segment| &segment.arguments) {
        Some(PathArguments::AngleBracketed(arguments)) => arguments
            .args
            .iter()
            .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
            .collect(),
        _ => Vec::new(),
    }
}

/// The expression that a generic argument is: a bare name parses as a type. The braces of
/// `{ 2 * N }` are needed there alone: elsewhere rustc would call them unnecessary.
pub fn argument_expr(argument: &GenericArgument) -> Option<Expr> {
    match argument {
        GenericArgument::Const(Expr::Block(block)) if block.label.is_none() => {
            match &*block.block.stmts {
                [syn::Stmt::Expr(inner, None)] => Some(inner.clone()),
                _ => Some(Expr::Block(block.clone())),
            }
        }
        GenericArgument::Const(expr) => Some(expr.clone()),
        GenericArgument::Type(Type::Path(path)) => Some(Expr::Path(syn::ExprPath {
            attrs: Vec::new(),
            qself: path.qself.clone(),
            path: path.path.clone(),
        })),
        _ => None,
    }
}

/// The most dimensions that anything has: each of them costs every access something, when
/// it is compiled and when it runs.
const MAX_RANK: u32 = 128;

fn rank_of(argument: Option<&&GenericArgument>) -> Option<u32> {
    let rank = literal_usize(&argument_expr(argument?)?)?;
    (1..=MAX_RANK).contains(&rank).then_some(rank)
}

fn rank(ty: &TypePath, scope: &mut impl TypeScope) -> Option<u32> {
    let arguments = generic_arguments(ty);
    let rank = rank_of(arguments.first());
    if rank.is_none() || arguments.len() != 1 {
        scope.report().error_help(
            Code::Arity,
            ty,
            "the rank is missing or not a number from 1 to 128",
            "write it as a literal: `Index<2>`",
        );
        return None;
    }
    rank
}

fn read_tiled(ty: &TypePath, scope: &mut impl TypeScope) -> Ty {
    let arguments = generic_arguments(ty);
    let dims: Vec<Expr> = arguments
        .iter()
        .skip(1)
        .filter_map(|a| argument_expr(a))
        .collect();
    match rank_of(arguments.first()) {
        Some(rank @ 1..=3) if dims.len() == rank as usize && arguments.len() == dims.len() + 1 => {
            Ty::Tiled(dims.iter().map(|dim| scope.length(dim)).collect())
        }
        _ => {
            scope.report().error_help(
                Code::Arity,
                ty,
                "a tiled index has a rank of 1 to 3 and as many tile extents",
                "write `TiledIndex<2, 16, 16>`",
            );
            Ty::Error
        }
    }
}

/// Reads `ArrayView<T, N>` or `ArrayViewMut<T, N>` behind a reference.
pub fn read_view(reference: &syn::TypeReference, scope: &mut impl TypeScope) -> Option<Ty> {
    let Type::Path(path) = &*reference.elem else {
        return None;
    };
    let name = path.path.segments.last()?.ident.to_string();
    let mutable = match name.as_str() {
        "ArrayView" => false,
        "ArrayViewMut" => true,
        "Array" => {
            scope.report().error_help(
                Code::Signature,
                reference,
                "a kernel takes arrays as views",
                "write `&ArrayView<T, N>` or `&mut ArrayViewMut<T, N>`; a call passes `&Array` or \
                 `&mut Array` to it",
            );
            return Some(Ty::Error);
        }
        _ => return None,
    };
    if mutable != reference.mutability.is_some() {
        let (message, help) = if mutable {
            (
                "`ArrayViewMut` behind a shared reference",
                "write `&mut ArrayViewMut<T, N>`",
            )
        } else {
            (
                "`ArrayView` cannot be written",
                "write `&ArrayView<T, N>`, or `&mut ArrayViewMut<T, N>`",
            )
        };
        scope
            .report()
            .error_help(Code::Signature, reference, message, help);
        return Some(Ty::Error);
    }
    Some(read_view_path(path, mutable, scope))
}

/// Reads `ArrayView<T, N>` or `ArrayViewMut<T, N>`.
pub fn read_view_path(path: &TypePath, mutable: bool, scope: &mut impl TypeScope) -> Ty {
    let arguments = generic_arguments(path);
    let element = match arguments.first() {
        Some(GenericArgument::Type(element)) => read_type(element, scope),
        _ => {
            scope.report().error_help(
                Code::Arity,
                path,
                "a view has an element type and a rank",
                "write `ArrayView<f32, 2>`",
            );
            return Ty::Error;
        }
    };
    let rank = match arguments.get(1) {
        None => Some(1),
        some => rank_of(some),
    };
    let Some(rank) = rank else {
        scope.report().error_help(
            Code::Arity,
            path,
            "the rank of a view is a number from 1 to 128",
            "write it as a literal: `ArrayView<f32, 2>`",
        );
        return Ty::Error;
    };
    if !expect_element(&element, arguments[0], scope) {
        return Ty::Error;
    }
    Ty::View(ViewTy {
        element: Box::new(element),
        rank,
        mutable,
    })
}

/// Whether elements of a view can have the type that is written there; says so if not.
pub fn expect_element(element: &Ty, written: &impl ToTokens, scope: &mut impl TypeScope) -> bool {
    let is_known = |length| matches!(length, Len::Literal(1..)) || scope.is_parameter(length);
    let Some(help) = element::unfit(scope.program(), element, &is_known) else {
        return true;
    };
    if let Ty::Struct(index, _) = element
        && scope.program().structs[*index].derives(PADDED)
    {
        scope.program_mut().broken = true;
        return false;
    }
    let shown = written.to_token_stream().to_string().replace(' ', "");
    scope.report().error_help(
        Code::UnsupportedType,
        written,
        format!("`{shown}` cannot be the element of a view"),
        help,
    );
    false
}

/// The scalar that a name denotes if nothing that kernels see has that name.
pub fn scalar(name: &str) -> Option<Scalar> {
    Scalar::from_name(name).filter(|scalar| cfg!(feature = "half") || !scalar.is_half())
}

/// Refuses a bundle where a type of values is wanted.
pub fn refuse_type(ty: &TypePath, scope: &mut impl TypeScope) {
    let name = path_key(&ty.path);
    scope.report().error_help(
        Code::ViewValue,
        ty,
        format!("`{name}` has views in it, and is not a type of values"),
        "it is the type of a parameter, or of a field of another such struct; elements, \
         tile_static variables, results and what else is kept are values",
    );
}

/// What stands between `<` and `>` behind the last name of a path.
pub fn turbofish(path: &Path) -> Option<&AngleBracketedGenericArguments> {
    arguments_at(path, path.segments.len() - 1)
}

/// The same behind another of its names.
pub fn arguments_at(path: &Path, segment: usize) -> Option<&AngleBracketedGenericArguments> {
    match &path.segments.get(segment)?.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments),
        _ => None,
    }
}

/// The struct that a type names, applied to what the type says.
pub fn structure(path: &Path, index: usize, scope: &mut impl TypeScope) -> Ty {
    let definition = &scope.program().structs[index];
    let (name, parameters) = (definition.name.clone(), definition.parameters.clone());
    let arguments: Vec<GenericArgument> = turbofish(path)
        .map(|written| {
            let arguments = written.args.iter();
            let known = arguments.filter(|it| !matches!(it, GenericArgument::Lifetime(_)));
            known.cloned().collect()
        })
        .unwrap_or_default();
    if arguments.len() > parameters.order.len() {
        return miscounted(path, (index, arguments.len()), scope);
    }
    let mut applied = Applied::default();
    for (argument, is_const) in arguments.iter().zip(&parameters.order) {
        match (argument, is_const) {
            (GenericArgument::Type(ty), false) => {
                let read = read_type(ty, scope);
                if read == Ty::Error {
                    return Ty::Error;
                }
                applied.types.push(read);
            }
            (argument, true) if let Some(expr) = argument_expr(argument) => {
                let program = scope.program();
                let declared = parameters.consts.get(applied.lengths.len());
                let ty = declared.map_or(Ty::USIZE, |index| program.consts[*index].ty.clone());
                applied.lengths.push(scope.number(&expr, &ty));
            }
            (argument, is_const) => {
                let wanted = if *is_const { "a number" } else { "a type" };
                scope.report().error_help(
                    Code::Arity,
                    argument,
                    format!("this argument of `{name}` is not {wanted}"),
                    "give the parameters what they are declared for",
                );
                return Ty::Error;
            }
        }
    }
    match scope.program().fill_in(index, &mut applied) {
        true => Ty::Struct(index, applied),
        false => miscounted(path, (index, arguments.len()), scope),
    }
}

fn miscounted(path: &Path, (index, found): (usize, usize), scope: &mut impl TypeScope) -> Ty {
    let definition = &scope.program().structs[index];
    let (name, count) = (&definition.name, definition.parameters.order.len());
    let message = format!("`{name}` has {count} generic parameters, found {found} arguments");
    let help = match count {
        0 => format!("write `{name}`"),
        _ => format!("name all of them: `{name}<..>`"),
    };
    scope.report().error_help(Code::Arity, path, message, help);
    Ty::Error
}
