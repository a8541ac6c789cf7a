//! Structs with views in them: bundles.
//!
//! A bundle is no value: it is a parameter, or a field of one, named where it is used. So
//! it is always known whose elements its views have, and what takes a bundle takes its
//! parts: each view is a parameter of its own on a device. Its fields are never assigned.
//! The elements of its views are, where the bundle is reached through a `&mut` or is the
//! function's own; that two of them are not used at once is for rustc to prove, on the
//! host version.

use amp_spirv::diagnostic::Code;
use syn::{
    Expr, ExprField, GenericArgument, GenericParam, ItemStruct, Member, PathArguments, Type,
    TypePath, TypeReference, UnOp,
};

use super::{
    apart::member_name,
    context::FnCx,
    names::Meaning,
    node::bare,
    program::Program,
    range::RANGE_HELP,
    reference,
    ty::Ty,
    type_expr::{TypeScope, read_type, read_view_path},
    typed::Resolved,
};
use crate::{language::name::path_key, report::Locate};

impl Program {
    /// The place of a field among those of its struct, and its type.
    pub fn field(&self, structure: usize, member: &Member) -> Option<(usize, &Ty)> {
        let name = member_name(member);
        let mut fields = self.structs[structure].fields.iter().enumerate();
        let (position, (_, ty)) = fields.find(|(_, (field, _))| *field == name)?;
        Some((position, ty))
    }

    /// Whether elements can be written through a bundle.
    pub fn is_writable_bundle(&self, index: usize) -> bool {
        let fields = &self.structs[index].fields;
        fields.iter().any(|(_, ty)| match ty {
            Ty::View(view) => view.mutable,
            Ty::Bundle(inner) => self.is_writable_bundle(*inner),
            _ => false,
        })
    }
}

/// Whether a field of this type makes a struct a bundle.
pub fn is_part(ty: &Ty) -> bool {
    matches!(ty, Ty::View(_) | Ty::Bundle(_))
}

/// The type of a bundle, if one is written.
pub fn read(ty: &Type, scope: &impl TypeScope) -> Option<Ty> {
    match ty {
        Type::Path(path) if path.qself.is_none() => match scope.meaning(&path_key(&path.path)) {
            Some(Meaning::Struct(index)) if scope.program().structs[index].is_bundle => {
                Some(Ty::Bundle(index))
            }
            _ => None,
        },
        Type::Paren(paren) => read(&paren.elem, scope),
        Type::Group(group) => read(&group.elem, scope),
        _ => None,
    }
}

/// The type of a field of a struct: of a value, a view or a bundle.
pub fn field_type(ty: &Type, scope: &mut impl TypeScope) -> Ty {
    if let Some(bundle) = read(ty, scope) {
        return bundle;
    }
    if let Some((path, mutable)) = view_path(ty) {
        return read_view_path(path, mutable, scope);
    }
    match ty {
        Type::Path(_) if names_container(ty) => {
            refuse_field(
                ty,
                "write `ArrayView<'a, T, N>` or `ArrayViewMut<'a, T, N>`; `array.view()` and \
                 `array.view_mut()` make them",
                scope,
            );
            Ty::Error
        }
        Type::Reference(reference) if names_container(&reference.elem) => {
            refuse_field(
                ty,
                "a struct has the view itself: `ArrayView<'a, T, N>` or `ArrayViewMut<'a, T, N>`",
                scope,
            );
            Ty::Error
        }
        _ => read_type(ty, scope),
    }
}

/// The path that a type is if it is written as a view, and whether that is writable.
pub fn view_path(ty: &Type) -> Option<(&TypePath, bool)> {
    let Type::Path(path) = ty else { return None };
    match path.path.segments.last()?.ident.to_string().as_str() {
        "ArrayView" => Some((path, false)),
        "ArrayViewMut" => Some((path, true)),
        _ => None,
    }
}

fn names_container(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last().map(|last| last.ident.to_string());
    matches!(
        last.as_deref(),
        Some("ArrayView" | "ArrayViewMut" | "Array")
    )
}

fn refuse_field(ty: &Type, help: &str, scope: &mut impl TypeScope) {
    scope.report().error_help(
        Code::StructField,
        ty,
        "this type cannot be a field of an `#[amp_struct]`",
        help,
    );
}

/// Refuses the fields of a struct that are neither values nor views.
pub fn refuse_no_values(item: &ItemStruct, fields: &[(String, Ty)], scope: &mut impl TypeScope) {
    for (field, (_, ty)) in item.fields.iter().zip(fields) {
        if let Ty::Tiled(_) | Ty::Barrier | Ty::Unit | Ty::Never = ty {
            let help = "its fields are values (numbers, bools, indices, extents, vectors, tuples, arrays, \
                        `#[amp_struct]`s and `#[amp_enum]`s) and views";
            refuse_field(&field.ty, help, scope);
        }
    }
}

/// Checks what a struct with views is, apart from its views.
pub fn check(item: &ItemStruct, fields: &[(String, Ty)], scope: &mut impl TypeScope) {
    refuse_no_values(item, fields, scope);
    for (field, (_, ty)) in item.fields.iter().zip(fields) {
        if scope.program().holds_range(ty) {
            refuse_field(&field.ty, RANGE_HELP, scope);
        }
    }
    let mut params = item.generics.params.iter();
    match (params.next(), params.next()) {
        (Some(GenericParam::Lifetime(lifetime)), None) if lifetime.bounds.is_empty() => {}
        (None, _) => scope.report().error_help(
            Code::StructField,
            &item.ident,
            "a struct with views has a lifetime, that of the data that they are over",
            format!(
                "write `struct {}<'a>`, and `ArrayView<'a, T, N>`",
                item.ident
            ),
        ),
        _ => scope.report().error_help(
            Code::StructField,
            &item.generics,
            "a struct with views has one lifetime, and no other generic parameter",
            format!("write `struct {}<'a>`", item.ident),
        ),
    }
    if let Some(clause) = &item.generics.where_clause {
        scope.report().error_help(
            Code::StructField,
            clause,
            "a `where` on an `#[amp_struct]`",
            "leave it out",
        );
    }
}

/// The type of a kernel's parameter, if it is a bundle: by value or by reference.
pub fn kernel_parameter(ty: &Type, scope: &mut impl TypeScope) -> Option<Ty> {
    if let Type::Reference(reference) = ty {
        return referred(reference, scope);
    }
    let bundle = read(ty, scope)?;
    if !has_lifetime(ty) {
        let name = super::shown::name(scope.program(), &bundle);
        scope.report().error_help(
            Code::Signature,
            ty,
            "a kernel that takes a struct with views for itself says that it has a lifetime",
            format!("write `{name}<'_>`, or borrow it: `&{name}` or `&mut {name}`"),
        );
        return Some(Ty::Error);
    }
    Some(bundle)
}

fn referred(reference: &TypeReference, scope: &mut impl TypeScope) -> Option<Ty> {
    let target = read(&reference.elem, scope)?;
    let mutable = reference.mutability.is_some();
    if let Ty::Bundle(index) = target
        && !mutable
        && scope.program().is_writable_bundle(index)
    {
        let name = super::shown::name(scope.program(), &target);
        scope.report().error_help(
            Code::Signature,
            reference,
            "a struct with an `ArrayViewMut` behind a shared reference",
            format!("write `&mut {name}`"),
        );
        return Some(Ty::Error);
    }
    Some(Ty::Reference {
        mutable,
        target: Box::new(target),
    })
}

/// Whether a path ends with a lifetime argument, as in `Particles<'_>`.
pub fn has_lifetime(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let last = path.path.segments.last().map(|last| &last.arguments);
    let Some(PathArguments::AngleBracketed(arguments)) = last else {
        return false;
    };
    let mut arguments = arguments.args.iter();
    arguments.any(|argument| matches!(argument, GenericArgument::Lifetime(_)))
}

/// A parameter on which a method of a bundle is called, or another of a helper.
pub fn parameter(ty: &Type, scope: &mut impl TypeScope) -> Option<Ty> {
    match ty {
        Type::Reference(reference) => Some(Ty::Reference {
            mutable: reference.mutability.is_some(),
            target: Box::new(read(&reference.elem, scope)?),
        }),
        ty => read(ty, scope),
    }
}

impl FnCx<'_> {
    /// Whether a type is that of a bundle, or of a reference to one.
    pub fn is_bundle(&self, ty: &Ty) -> bool {
        let ty = self.unifier.shallow(ty);
        matches!(self.unifier.shallow(ty.target()), Ty::Bundle(_))
    }

    /// Whether an expression names a bundle or a part of one.
    pub fn names_part(&self, expr: &Expr) -> bool {
        let expr = bare(expr);
        match expr {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                self.names_part(&unary.expr)
            }
            Expr::Path(_) => true,
            Expr::Field(field) => self.names_part(&field.base),
            _ => false,
        }
    }

    /// The type of a bundle that is used, as far as it is known which one it is.
    pub fn known_bundle(&mut self, expr: &Expr, ty: Ty) -> Ty {
        if self.is_bundle(&ty) && !self.names_part(expr) {
            self.report.error_help(
                Code::ViewValue,
                expr,
                "a struct with views that depends on more than its name",
                "name the struct, and choose what depends on it: its elements, or a value",
            );
            return Ty::Error;
        }
        ty
    }

    /// Type of a field of a bundle: its views cannot be written where it cannot.
    pub fn bundle_field(&self, index: usize, field: &ExprField) -> Option<Ty> {
        let (_, ty) = self.program.field(index, &field.member)?;
        let mut ty = ty.clone();
        if let Ty::View(view) = &mut ty {
            view.mutable &= self.unwritable_bundle(&field.base).is_none();
        }
        Some(ty)
    }

    /// Why the elements of a bundle's views cannot be written, if they cannot.
    pub fn unwritable_bundle(&self, expr: &Expr) -> Option<(&'static str, &'static str)> {
        let expr = bare(expr);
        match expr {
            Expr::Unary(unary) => self.unwritable_bundle(&unary.expr),
            Expr::Field(field) => self.unwritable_bundle(&field.base),
            _ => match self.typed.of(expr).path {
                Some(Resolved::Local(local)) => match &self.typed.locals[local.0 as usize].ty {
                    Ty::Reference { mutable, .. } => reference::unwritable(*mutable, false),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// Whether something can be passed on as `&mut`; says so if not.
    pub fn lends(&mut self, place: &Expr) -> bool {
        if !matches!(self.unifier.shallow(self.typed.ty(place)), Ty::Bundle(_)) {
            return self.is_temporary(place) || self.writable(place);
        }
        let refused = self.unwritable_bundle(place);
        if let Some((message, help)) = refused {
            self.report
                .error_help(Code::NotAssignable, place, message, help);
        }
        refused.is_none()
    }

    /// Refuses a bundle that is made of these parts.
    pub fn made_here<'e>(&mut self, parts: impl Iterator<Item = &'e Expr>, place: impl Locate) {
        self.lost_arguments(parts);
        self.report.error_help(
            Code::ViewValue,
            place,
            "a struct with views that is made in a kernel",
            "it is made on the host; pass views on by themselves",
        );
    }
}
