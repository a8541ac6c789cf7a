//! glam's vectors and matrices: their names, constants and constructors, and the types
//! of what is called on them.
//!
//! A type is known by the last segment of its path, unless the program has an
//! `#[amp_struct]` of that name. What the methods compute is in `language/vector`, or in
//! `lower/vector` if it is no arithmetic.
//!
//! It leaves out what is aligned for the CPU's sake (`Vec3A`, `Mat3A`), quaternions and
//! affine transforms, and methods whose results depend on how glam was compiled.

mod method;

mod operator;

use amp_spirv::{diagnostic::Code, tree::Scalar};
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, Path, spanned::Spanned};

pub use self::method::has_method;
use self::method::{Signature, Slot};

pub use self::operator::{component, parts_of};
use super::{
    context::FnCx,
    ty::{Len, Ty},
    typed::Callee,
    vector_operation::{Operation, VectorCall},
};
use crate::{
    language::{
        glam::{COMPONENTS, Glam, constructor, named},
        name::path_key,
        owner::Owner,
        source::Source,
    },
    report::Locate,
};

impl FnCx<'_> {
    /// The vector type that the owner in `owner::name` denotes.
    fn vector_owner(&self, path: &Path) -> Option<Ty> {
        let owner = path.segments.iter().nth_back(1)?;
        let mut key = path_key(path);
        key.truncate(key.rfind("::")?);
        match self.names.get(&key) {
            Some(_) => None,
            None => named(&owner.ident.to_string()).map(Ty::from),
        }
    }

    /// Type of a constant like `Vec3::ZERO`.
    pub fn vector_constant(&mut self, expr: &Expr, path: &ExprPath) -> Option<Ty> {
        let ty = self.vector_owner(&path.path)?;
        let last = path.path.segments.last()?.ident.to_string();
        let name = ty.glam().map(Glam::name)?;
        if !has_constant(&ty, &last) {
            let message = format!("`{name}::{last}` is not a constant of kernels");
            self.report.error_help(
                Code::UnknownMember,
                path,
                message,
                "there are `ZERO`, `ONE`, `NEG_ONE`, `MIN`, `MAX`, `NAN`, `INFINITY`, \
                 `NEG_INFINITY`, `TRUE`, `FALSE`, the axes `X` and `NEG_X`, and `IDENTITY`, where \
                 glam has them",
            );
            return Some(Ty::Error);
        }
        self.typed.note(expr).vector_constant = true;
        Some(ty)
    }

    /// Type of `Vec3::new(..)`, `vec3(..)`, `Vec3::dot(a, b)`.
    pub fn vector_call(&mut self, expr: &Expr, call: &ExprCall, path: &Path) -> Option<Ty> {
        let last = path.segments.last()?.ident.to_string();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if let Some(ty) = constructor(&last).map(Ty::from) {
            return Some(self.vector_new(expr, &last, ty, &arguments, &call.func));
        }
        let ty = self.vector_owner(path)?;
        Some(match (&ty, last.as_str()) {
            (Ty::Vector(..), "new") | (Ty::Matrix(_), "from_cols") => {
                self.vector_new(expr, &last, ty, &arguments, &call.func)
            }
            (Ty::Vector(..), "from") => self.vector_from(expr, ty, &arguments, call),
            _ => {
                if let Some(source) = self.written(&ty, &last) {
                    return Some(self.standard_call(expr, source, &arguments, 0, &call.func));
                }
                let found = Signature::of_function(&ty, &last)
                    .or_else(|| Signature::of_method(&ty, &last).map(Signature::with_receiver));
                self.vector_operation(expr, &ty, &last, found, &arguments, &call.func)
            }
        })
    }

    /// Type of `receiver.method(..)`.
    pub fn vector_method(&mut self, expr: &Expr, call: &ExprMethodCall, receiver: &Ty) -> Ty {
        let name = call.method.to_string();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if name == "clone" && arguments.is_empty() {
            self.typed.note(expr).callee = Some(Callee::Copy);
            return receiver.clone();
        }
        if let Some(source) = self.written(receiver, &name) {
            return self.standard_call(expr, source, &arguments, 1, &call.method);
        }
        let found = Signature::of_method(receiver, &name);
        self.vector_operation(expr, receiver, &name, found, &arguments, &call.method)
    }

    /// The function that is written in the kernel language.
    fn written(&self, ty: &Ty, name: &str) -> Option<(Source, Owner)> {
        let owner = Owner::Glam(ty.glam()?);
        Some((self.standard(name, owner)?, owner))
    }

    fn vector_operation(
        &mut self,
        expr: &Expr,
        ty: &Ty,
        name: &str,
        found: Option<Signature>,
        arguments: &[&Expr],
        place: impl Locate,
    ) -> Ty {
        let Some(signature) = found else {
            self.lost_arguments(arguments.iter().copied());
            let message = format!("{} has no function `{name}` in kernels", self.show(ty));
            let help = method::instead(ty, name);
            self.report
                .error_help(Code::UnknownMember, place, message, help);
            return Ty::Error;
        };
        let wanted: Vec<Ty> = signature.arguments.iter().map(|slot| slot.ty(ty)).collect();
        self.arguments(name, arguments, &wanted, place);
        let result = signature.result.ty(ty);
        if let Ty::Vector(scalar, _) = ty
            && self.library_call_of_each(expr, name, *scalar, expr.span())
        {
            return result;
        }
        let call = VectorCall {
            operation: signature.operation,
            of: ty.clone(),
        };
        self.typed.note(expr).callee = Some(Callee::Vector(call));
        result
    }

    /// A vector from its components, a matrix from its columns.
    fn vector_new(
        &mut self,
        expr: &Expr,
        name: &str,
        ty: Ty,
        arguments: &[&Expr],
        place: impl Locate,
    ) -> Ty {
        let parts = match ty {
            Ty::Vector(_, parts) | Ty::Matrix(parts) => parts as usize,
            _ => 0,
        };
        let part = Slot::Part.ty(&ty);
        self.arguments(name, arguments, &vec![part; parts], place);
        let call = VectorCall {
            operation: Operation::New,
            of: ty.clone(),
        };
        self.typed.note(expr).callee = Some(Callee::Vector(call));
        ty
    }

    /// `Vec4::from(..)` of an array, of a tuple of scalars and vectors, of a mask.
    fn vector_from(&mut self, expr: &Expr, ty: Ty, arguments: &[&Expr], call: &ExprCall) -> Ty {
        let (&[argument], &Ty::Vector(scalar, components)) = (arguments, &ty) else {
            self.lost_arguments(arguments.iter().copied());
            let message = format!("{} is not made like this", self.show(&ty));
            let help = match &ty {
                Ty::Matrix(_) => "give its columns to `from_cols`",
                _ => "`from` takes one array, tuple or mask",
            };
            self.report.error_help(Code::Arity, call, message, help);
            return ty;
        };
        let component = Ty::Scalar(scalar);
        let found = self.expr(argument);
        let operation = match self.unifier.shallow(&found) {
            Ty::Error => return ty,
            Ty::Array(element, Len::Literal(length)) if length == components => {
                self.expect(&element, &component, argument);
                Operation::FromArray
            }
            Ty::Tuple(parts) if self.fill(&parts, scalar, components) => Operation::FromTuple,
            Ty::Vector(Scalar::Bool, found) if found == components && scalar != Scalar::Bool => {
                Operation::Cast
            }
            other => {
                let message = format!(
                    "{} is not made from {} in kernels",
                    self.show(&ty),
                    self.show(&other)
                );
                self.report.error_help(
                    Code::TypeMismatch,
                    argument,
                    message,
                    "it is made from an array or a tuple of its components, from shorter vectors \
                     and scalars as glam makes it, and from a mask; `as_vec3()` and the like \
                     convert",
                );
                self.unifier.poison(&found);
                return ty;
            }
        };
        let call = VectorCall {
            operation,
            of: ty.clone(),
        };
        self.typed.note(expr).callee = Some(Callee::Vector(call));
        ty
    }

    /// Whether glam makes a vector from a tuple of these: at most one vector before or
    /// behind scalars, or two of two components.
    fn fill(&mut self, parts: &[Ty], scalar: Scalar, components: u32) -> bool {
        let mut widths = Vec::new();
        for part in parts {
            match self.unifier.shallow(part) {
                Ty::Vector(found, width) if found == scalar => widths.push(width),
                Ty::Vector(..) => return false,
                other if self.unifier.unify(&other, &Ty::Scalar(scalar)) => widths.push(1),
                _ => return false,
            }
        }
        let whole = widths.iter().sum::<u32>() == components;
        let of_scalars = widths.iter().all(|width| *width == 1);
        let known: &[&[u32]] = &[&[2, 1], &[3, 1], &[1, 3], &[2, 1, 1], &[2, 2]];
        whole && scalar != Scalar::Bool && (of_scalars || known.contains(&widths.as_slice()))
    }
}

/// Whether glam has the constant.
fn has_constant(ty: &Ty, name: &str) -> bool {
    match ty {
        Ty::Vector(Scalar::Bool, _) => matches!(name, "TRUE" | "FALSE"),
        Ty::Vector(scalar, components) => {
            let float = !scalar.is_integer();
            let signed = float || scalar.is_signed();
            match name {
                "ZERO" | "ONE" | "MIN" | "MAX" => true,
                "NEG_ONE" => signed,
                "NAN" | "INFINITY" | "NEG_INFINITY" => float,
                _ => {
                    let axis = name.strip_prefix("NEG_");
                    let letter = axis.unwrap_or(name).to_lowercase();
                    let known = COMPONENTS[..*components as usize].contains(&letter.as_str());
                    known && name == name.to_uppercase() && (axis.is_none() || signed)
                }
            }
        }
        Ty::Matrix(_) => matches!(name, "ZERO" | "IDENTITY" | "NAN"),
        _ => false,
    }
}
