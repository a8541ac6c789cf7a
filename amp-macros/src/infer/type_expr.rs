//! Types as they are written, and how they are shown in messages.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use quote::ToTokens;
use syn::{Expr, ExprLit, GenericArgument, Lit, PathArguments, Type, TypePath, spanned::Spanned};

use super::{
    bundle,
    function::FnCx,
    generic,
    program::{Meaning, Program},
    ty::{Kind, Len, Ty, Unifier, ViewTy},
    vector,
};
use crate::{import::path_key, report::Report};

/// What reading a type needs from the place where it is written.
pub trait TypeScope {
    /// What a path means there.
    fn meaning(&self, path: &str) -> Option<Meaning>;
    /// What a type parameter stands for.
    fn parameter(&self, name: &str) -> Option<Ty>;
    /// The types that are known so far.
    fn program(&self) -> &Program;
    /// The length or tile extent that `expr` stands for.
    fn length(&mut self, expr: &Expr) -> Len;
    /// Where errors go.
    fn report(&mut self) -> &mut Report;
}

/// The number that an expression is, if it is a literal.
pub fn literal_usize(expr: &Expr) -> Option<u32> {
    match expr {
        Expr::Lit(ExprLit {
            lit: Lit::Int(int), ..
        }) => int.base10_parse().ok(),
        Expr::Group(group) => literal_usize(&group.expr),
        Expr::Paren(paren) => literal_usize(&paren.expr),
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
        Type::Array(array) => {
            let element = read_type(&array.elem, scope);
            Ty::Array(Box::new(element), scope.length(&array.len))
        }
        Type::Paren(paren) => read_type(&paren.elem, scope),
        Type::Group(group) => read_type(&group.elem, scope),
        Type::Never(_) => Ty::Never,
        other => {
            let (what, help) = match other {
                Type::Reference(reference) if matches!(*reference.elem, Type::Slice(_)) => (
                    "a reference to a slice",
                    "take it as a view, `&ArrayView<f32, 1>` or `&mut ArrayViewMut<f32, 1>`; the \
                     host makes one of a slice: `ArrayView::new(length, slice)?`",
                ),
                Type::Reference(_) => (
                    "a reference",
                    "only parameters are references: views of kernels and helpers, and `&T` or \
                     `&mut T` of an `#[amp_fn]`",
                ),
                Type::Ptr(_) => ("a raw pointer", "index a view or an array"),
                Type::Slice(_) => ("a slice", "use an array `[T; N]` or a view"),
                Type::FnPtr(_) => ("a function pointer", "call the `#[amp_fn]` by name"),
                Type::TraitObject(_) | Type::ImplTrait(_) => (
                    "a trait object or `impl Trait`",
                    "kernels have no dynamic dispatch; name the type",
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
                bundle::refuse_type(ty, scope);
                Ty::Error
            }
            Some(Meaning::Struct(index)) => generic::structure(&ty.path, index, scope),
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
            None if let Some(vector) = vector::named(&name) => vector,
            None if let Some(scalar) = scalar(&name) => Ty::Scalar(scalar),
            None => {
                let help = match name.as_str() {
                    "i128" => "use i64",
                    "u128" => "use u64",
                    "f16" | "bf16" => {
                        "switch on the feature `half` of the crate `amp`, and use `half::f16`"
                    }
                    "f128" => "use f64",
                    "char" => "use u32",
                    "Vec" | "Box" | "String" | "str" | "VecDeque" => {
                        "kernels allocate nothing; use an array of fixed length"
                    }
                    "Option" | "Result" => "use a value and a bool, or a tuple of both",
                    name => vector::refused(name)
                        .unwrap_or("mark it with `#[amp_struct]` or `#[amp_enum]`"),
                };
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
    if is_element(element) && scope.program().is_any_bytes(element) {
        return true;
    }
    let help = match element {
        Ty::Enum(_) => {
            "the bytes of an array may be no variant; use u32 or i32, and `match` the number"
        }
        Ty::Struct(_, applied) if !applied.is_empty() => {
            "a generic struct may have padding for some parameters; write an `#[amp_struct]` \
             without parameters, and convert"
        }
        Ty::Struct(..) => {
            "it has an enum or a generic struct in it, and the bytes of an array may be no variant; make that a \
             u32 or i32"
        }
        Ty::Scalar(_) | Ty::Vector(..) => {
            "a bool has no layout in memory, and usize and isize differ between host and \
             device; use u32 or i32"
        }
        _ => "elements are numbers, glam's vectors and matrices, or `#[amp_struct]`s",
    };
    let shown = written.to_token_stream().to_string().replace(' ', "");
    scope.report().error_help(
        Code::UnsupportedType,
        written,
        format!("`{shown}` cannot be the element of a view"),
        help,
    );
    false
}

/// Whether values of the type can lie in a global array.
pub fn is_element(ty: &Ty) -> bool {
    match ty {
        Ty::Error | Ty::Param(_) | Ty::Struct(..) | Ty::Matrix(_) => true,
        Ty::Scalar(scalar) | Ty::Vector(scalar, _) => scalar.is_element(),
        _ => false,
    }
}

/// The scalar that a name stands for if nothing that kernels see has that name.
pub fn scalar(name: &str) -> Option<Scalar> {
    Scalar::from_name(name).filter(|scalar| cfg!(feature = "half") || !scalar.is_half())
}

impl TypeScope for FnCx<'_> {
    fn meaning(&self, path: &str) -> Option<Meaning> {
        self.names.get(path)
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn parameter(&self, name: &str) -> Option<Ty> {
        self.arguments.types.get(name).cloned()
    }

    fn length(&mut self, expr: &Expr) -> Len {
        if let Expr::Path(path) = expr
            && let Some(length) = self.arguments.lengths.get(&path_key(&path.path))
        {
            return *length;
        }
        match literal_usize(expr) {
            Some(number) => Len::Literal(number),
            None => Len::Const(self.constant(expr.to_token_stream(), Some(Ty::USIZE), expr.span())),
        }
    }

    fn report(&mut self) -> &mut Report {
        self.report
    }
}

impl FnCx<'_> {
    /// Reads a type that stands in the body.
    pub fn read_type(&mut self, ty: &Type) -> Ty {
        read_type(ty, self)
    }

    /// A type as a message shows it.
    pub fn show(&self, ty: &Ty) -> String {
        show(self.program, &self.unifier.deep(ty), Some(&self.unifier))
    }
}

/// A type as a message shows it, in backquotes where it is a name.
pub fn show(program: &Program, ty: &Ty, unifier: Option<&Unifier>) -> String {
    match ty {
        Ty::Var(var) => match unifier.map(|unifier| unifier.kind(*var)) {
            Some(Kind::Int) => "an integer".into(),
            Some(Kind::Float) => "a float".into(),
            _ => "an unknown type".into(),
        },
        Ty::Error => "an unknown type".into(),
        Ty::Unit => "`()`".into(),
        Ty::Never => "`!`".into(),
        Ty::Closure(_) => "a closure".into(),
        other => format!("`{}`", name(program, other)),
    }
}

/// A type as a message shows it, bare.
pub fn name(program: &Program, ty: &Ty) -> String {
    let length = |len: &Len| match len {
        Len::Literal(number) => number.to_string(),
        Len::Const(index) => program.consts[*index].text.clone(),
    };
    match ty {
        Ty::Scalar(scalar) => scalar.name().into(),
        Ty::Tuple(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| name(program, part)).collect();
            match &*parts {
                [one] => format!("({one},)"),
                many => format!("({})", many.join(", ")),
            }
        }
        Ty::Array(element, len) => format!("[{}; {}]", name(program, element), length(len)),
        Ty::Vector(..) | Ty::Matrix(_) => vector::name(ty).unwrap_or_default(),
        Ty::Struct(index, applied) => {
            let types = applied.types.iter().map(|ty| name(program, ty));
            let arguments: Vec<_> = types.chain(applied.lengths.iter().map(length)).collect();
            let name = &program.structs[*index].name;
            match arguments.is_empty() {
                true => name.clone(),
                false => format!("{name}<{}>", arguments.join(", ")),
            }
        }
        Ty::Bundle(index) => program.structs[*index].name.clone(),
        Ty::Enum(index) => program.enums[*index].name.clone(),
        Ty::Index(rank) => format!("Index<{rank}>"),
        Ty::Extent(rank) => format!("Extent<{rank}>"),
        Ty::Tiled(dims) => {
            let dims: Vec<_> = dims.iter().map(length).collect();
            format!("TiledIndex<{}, {}>", dims.len(), dims.join(", "))
        }
        Ty::Barrier => "TileBarrier".into(),
        Ty::View(view) => format!(
            "{}<{}, {}>",
            if view.mutable {
                "&mut ArrayViewMut"
            } else {
                "&ArrayView"
            },
            name(program, &view.element),
            view.rank
        ),
        Ty::Closure(_) => "a closure".into(),
        Ty::Param(index) => program.type_params[*index].ident.to_string(),
        Ty::Reference { mutable, target } => {
            let sign = if *mutable { "&mut " } else { "&" };
            format!("{sign}{}", name(program, target))
        }
        Ty::Unit => "()".into(),
        Ty::Never => "!".into(),
        Ty::Var(_) | Ty::Error => "_".into(),
    }
}
