//! References to values: parameters of helpers and variables that name a place.
//!
//! A reference is no value. It is made by `&x` or `&mut x` where a helper is called or a `let`
//! names it, passed on by its name, and read and written through `*`; it is never stored. `lending` has
//! those that functions return. So there is one place behind each reference, which `lower` puts in the
//! reference's stead. That no two of them overlap is for rustc to prove, on the host version.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprReference, ItemFn, Type, TypeReference, UnOp};

use super::{
    context::FnCx,
    node::bare,
    program::ParamDef,
    ty::{Kind, Ty},
    type_expr::{TypeScope, read_type},
};
use crate::{
    report::{Locate, Report},
    sugar::range_method::is_of_contains,
};

/// The type of a helper's parameter that is written as a reference to a value.
pub fn parameter(reference: &TypeReference, scope: &mut impl TypeScope) -> Ty {
    let target = match &*reference.elem {
        Type::Slice(slice) => match read_type(&slice.elem, scope) {
            Ty::Error => Ty::Error,
            element => Ty::Slice(Box::new(element)),
        },
        other => read_type(other, scope),
    };
    let help = match &target {
        Ty::Error => return Ty::Error,
        // A reference to a closure is called as the closure is.
        Ty::Closure(_) => return target,
        Ty::Param(index) if scope.program().type_params[*index].closure.is_some() => return target,
        Ty::Tiled(_) => "a tiled index is passed by value",
        Ty::Barrier => "take the barrier as `&TileBarrier`",
        Ty::Unit | Ty::Never => "it has no value; leave the parameter out",
        _ => {
            return Ty::Reference {
                mutable: reference.mutability.is_some(),
                target: Box::new(target),
            };
        }
    };
    scope.report().error_help(
        Code::Reference,
        reference,
        "a reference to this type cannot be a parameter",
        help,
    );
    Ty::Error
}

/// Why a place behind a reference cannot be assigned; `whole` if it is the reference
/// itself that is.
pub fn unwritable(mutable: bool, whole: bool) -> Option<(&'static str, &'static str)> {
    if whole {
        Some((
            "a reference cannot be assigned",
            "assign what it refers to, `*x = value`; for another place, declare it anew, `let x = &mut y;`, or keep \
             an index: `a[i] = value`",
        ))
    } else if !mutable {
        Some((
            "what a `&T` refers to cannot be assigned",
            "name the place as `&mut x`; a parameter is a `&mut T` then",
        ))
    } else {
        None
    }
}

/// Refuses a function that holds a place by reference while others of its tile run.
pub fn check_waiting(item: &ItemFn, params: &[ParamDef], report: &mut Report) {
    let waits = |param: &ParamDef| matches!(param.ty, Ty::Tiled(_) | Ty::Barrier);
    // The fields of a bundle never change.
    let refers = |param: &ParamDef| match &param.ty {
        Ty::Reference { target, .. } => !matches!(**target, Ty::Bundle(_)),
        _ => false,
    };
    if params.iter().any(waits) && params.iter().any(refers) {
        report.error_help(
            Code::Implementation,
            &item.sig.ident,
            "a function of an `impl` block, or one that returns a reference, with a reference and a tile",
            "take `self` by value, or write an `#[amp_fn]` that returns a value: others may change the place \
             at a barrier",
        );
    }
}

impl FnCx<'_> {
    /// Type of `&x` or `&mut x` as an argument.
    pub fn borrowed(&mut self, argument: &Expr, reference: &ExprReference) -> Ty {
        let mutable = reference.mutability.is_some();
        if let array @ Expr::Array(written) = bare(&reference.expr)
            && written.elems.is_empty()
        {
            return self.empty_slice(argument, array, mutable);
        }
        let mut found = self.passed_view(&reference.expr, true);
        if let Ty::View(view) = &mut found {
            view.mutable &= mutable;
        }
        if self.unifier.shallow(&found).is_reference() && Self::is_lending_call(&reference.expr) {
            found = self.behind(&reference.expr, found);
        }
        if let Some(ty) = self.borrowed_kept_slice(argument, reference, &found) {
            return ty;
        }
        let refused = match self.unifier.shallow(&found) {
            Ty::View(_) | Ty::Barrier | Ty::Closure(_) | Ty::Error | Ty::Never => None,
            Ty::Param(index) if self.program.type_params[index].closure.is_some() => None,
            Ty::Reference { .. } => Some((
                "a reference to a reference",
                "a reference is passed on by its name: `helper(x)`",
            )),
            Ty::Bundle(_) => {
                let target = Box::new(self.known_bundle(&reference.expr, found));
                let refused = mutable && !self.lends(&reference.expr);
                if *target == Ty::Error || refused {
                    return Ty::Error;
                }
                let ty = Ty::Reference { mutable, target };
                self.typed.note(argument).ty = Some(ty.clone());
                return ty;
            }
            Ty::Tiled(_) | Ty::Unit => Some((
                "a reference to something that is passed by value",
                "leave the `&` out",
            )),
            target => {
                let target = Box::new(target);
                let ty = Ty::Reference { mutable, target };
                self.typed.note(argument).ty = Some(ty.clone());
                if mutable && !self.lends(&reference.expr) {
                    self.unifier.poison(&ty);
                    return Ty::Error;
                }
                return ty;
            }
        };
        if let Some((message, help)) = refused {
            self.report
                .error_help(Code::Reference, argument, message, help);
            return Ty::Error;
        }
        self.typed.note(argument).ty = Some(found.clone());
        found
    }

    /// Whether an expression is a value without a place, which gets one of its own where it is borrowed.
    pub fn is_temporary(&self, expr: &Expr) -> bool {
        let expr = bare(expr);
        match expr {
            Expr::Call(_) | Expr::MethodCall(_) => {
                let ty = self.unifier.shallow(self.typed.ty(expr));
                !self.typed.of(expr).dereferenced
                    && !ty.is_reference()
                    && !matches!(ty, Ty::View(_) | Ty::Error)
            }
            Expr::Struct(_) | Expr::Array(_) | Expr::Repeat(_) => true,
            _ => false,
        }
    }

    /// An argument that is a reference already: it has a name.
    pub fn reference_by_name(&mut self, argument: &Expr, ty: Ty) -> Ty {
        if self.unifier.shallow(&ty).is_reference()
            && !matches!(argument, Expr::Path(_))
            && !self.typed.of(argument).is_kept_slice
            && !Self::is_lending_call(argument)
        {
            self.report.error_help(
                Code::Reference,
                argument,
                "a reference that depends on more than its name",
                "pass it on by its name, or choose before the place is named",
            );
            return Ty::Error;
        }
        ty
    }

    /// Refuses a slice where a value is wanted.
    pub fn slice_value(&mut self, place: impl Locate) -> Ty {
        self.report.error_help(
            Code::Reference,
            place,
            "a slice is not a value",
            "refer to it: `&a[1..]`, `&mut a[1..]`",
        );
        Ty::Error
    }

    /// Refuses to take a slice apart.
    pub fn slice_apart(&mut self, place: impl Locate) {
        self.report.error_help(
            Code::UnsupportedPattern,
            place,
            "a slice is taken apart",
            "match a reference to it, `match &a[1..] { [x, ..] => .., _ => .. }`, name it first, or use its elements: `s[0]`",
        );
    }

    /// Refuses a reference where a value is wanted.
    pub fn not_a_reference(&mut self, expr: &Expr, ty: Ty) -> Ty {
        if !self.unifier.shallow(&ty).is_reference() || self.typed.of(expr).returned {
            return ty;
        }
        if self.typed.of(bare(expr)).is_kept_slice {
            return self.slice_as_value(expr, ty);
        }
        self.report.error_help(
            Code::Reference,
            expr,
            "a reference is not a value",
            "read what it refers to: `*x`",
        );
        Ty::Error
    }

    /// Type of an operand of arithmetic, which looks behind a `&T` to a number, as Rust does.
    pub fn operand(&mut self, operand: &Expr) -> Ty {
        if let Some(target) = self.written_reference(operand) {
            return match self.is_number(&target) {
                true => target,
                false if self.is_own(&target) => {
                    let found = reference_to(target);
                    for node in [operand, bare(operand)] {
                        self.typed.note(node).ty = Some(found.clone());
                    }
                    self.typed.note(bare(operand)).dereferenced = false;
                    found
                }
                false => self.not_a_reference(operand, reference_to(target)),
            };
        }
        let found = self.expr(operand);
        if let Ty::Reference { target, .. } = self.unifier.shallow(&found)
            && self.is_own(&target)
        {
            return self.reference_by_name(bare(operand), found);
        }
        let is_number = match &self.unifier.shallow(&found) {
            kept if let Some(target) = self.program.kept(kept) => self.is_number(target),
            Ty::Reference {
                mutable: false,
                target,
            } => self.is_number(target),
            _ => false,
        };
        match is_number {
            true => self.behind(operand, found),
            false => self.kept(operand, found),
        }
    }

    /// Whether a type may have operators of its own.
    fn is_own(&self, ty: &Ty) -> bool {
        let ty = self.unifier.shallow(ty);
        matches!(ty, Ty::Struct(..) | Ty::Enum(_)) && self.program.standard_name(&ty).is_none()
    }

    fn is_number(&self, ty: &Ty) -> bool {
        match self.unifier.shallow(ty) {
            Ty::Scalar(_) | Ty::Error => true,
            Ty::Var(var) => self.unifier.kind(var) != Kind::Any,
            _ => false,
        }
    }

    /// Types of what a comparison compares: two values, or what two references refer to, as in
    /// Rust.
    pub fn compared(&mut self, sides: [&Expr; 2]) -> [Ty; 2] {
        let found = sides.map(|side| match self.written_reference(side) {
            Some(target) => (target, true),
            None => (self.expr(side), false),
        });
        let is_slice =
            |(ty, _): &(Ty, bool)| matches!(self.unifier.shallow(ty).target(), Ty::Slice(_));
        if found.iter().all(is_slice) {
            self.report.error_help(
                Code::Reference,
                sides[0],
                "a comparison of slices that does not say that they are slices",
                "compare their elements, `a.iter().eq(b)`, or name one with its type: `let a: &[u8] = x.part();`",
            );
            return [Ty::Error, Ty::Error];
        }
        let is_reference = |(ty, is_written): &(Ty, bool)| {
            let ty = self.unifier.shallow(ty);
            *is_written || ty.is_reference() || self.program.kept(&ty).is_some()
        };
        let are_references = found.iter().all(is_reference);
        let [left, right] = found;
        [(sides[0], left), (sides[1], right)].map(|(side, (ty, is_written))| {
            match (are_references, is_written) {
                (true, true) => ty,
                (true, false) => {
                    let target = self.behind(side, ty);
                    self.kept(side, target)
                }
                (false, true) => self.not_a_reference(side, reference_to(ty)),
                (false, false) => self.kept(side, ty),
            }
        })
    }

    /// Type of `x` in an operand `&x`, which is read where it stands.
    fn written_reference(&mut self, operand: &Expr) -> Option<Ty> {
        let name = bare(operand);
        let Expr::Reference(reference) = name else {
            return None;
        };
        if reference.mutability.is_some() || !reference.attrs.is_empty() {
            return None;
        }
        let target = self.value(&reference.expr);
        for node in [operand, name] {
            self.typed.note(node).ty = Some(target.clone());
        }
        self.typed.note(name).dereferenced = true;
        Some(target)
    }

    /// Type of what an argument refers to, which is read where it stands: `u8::is_ascii_digit(&x)`.
    pub fn read_argument(&mut self, argument: &Expr) -> Ty {
        if let Some(target) = self.written_reference(argument) {
            return target;
        }
        let found = self.expr(argument);
        if let Ty::Reference { .. } | Ty::Error = self.unifier.shallow(&found) {
            return self.behind(argument, found);
        }
        let message = format!(
            "mismatched types: expected a reference, found {}",
            self.show(&found)
        );
        self.report
            .error_help(Code::TypeMismatch, argument, message, "refer to it: `&x`");
        self.unifier.poison(&found);
        Ty::Error
    }

    /// Type of `*inner`.
    pub fn dereference(&mut self, expr: &Expr, inner: &Expr) -> Ty {
        let found = self.expr(inner);
        if let Some(target) = self.program.kept(&self.unifier.shallow(&found)) {
            return target.clone();
        }
        let found_is = self.unifier.shallow(&found);
        if self.is_reference_to_slice(inner) {
            self.typed.note(expr).is_kept_slice = true;
            return found_is;
        }
        match found_is {
            Ty::Reference { target, .. } => {
                let named = self.reference_by_name(bare(inner), found);
                if named == Ty::Error {
                    return Ty::Error;
                }
                *target
            }
            Ty::Error => Ty::Error,
            other => {
                if let Expr::Unary(unary) = expr
                    && unary.attrs.iter().any(is_of_contains)
                {
                    self.unifier.poison(&other);
                    self.report.error_help(
                        Code::TypeMismatch,
                        inner,
                        format!("`contains` takes a reference, found {}", self.show(&other)),
                        "write `(a..b).contains(&x)`",
                    );
                    return Ty::Error;
                }
                let help = match other {
                    Ty::View(_) => "views are indexed as they are: `a[i]`",
                    _ if matches!(bare(inner), Expr::Unary(it) if matches!(it.op, UnOp::Deref(_))) => {
                        "kernels have no references to references: name the place behind the first, \
                         `let q = &*p;`, and write one `*`"
                    }
                    _ => "it is a value already: leave the `*`, or the `&` of the pattern, out",
                };
                let message = format!(
                    "{} is dereferenced, which is no reference",
                    self.show(&other)
                );
                self.unifier.poison(&other);
                self.report.error_help(Code::Reference, expr, message, help);
                Ty::Error
            }
        }
    }

    /// Type of what a field, an element or a method is taken of: as Rust does, it looks
    /// behind a reference.
    pub fn owner_of(&mut self, owner: &Expr) -> Ty {
        let found = self.expr(owner);
        self.behind(owner, found)
    }

    /// What is behind an expression's type, if it is a reference.
    fn behind(&mut self, owner: &Expr, found: Ty) -> Ty {
        let found = self.unifier.shallow(&found);
        if let Some(target) = self.behind_kept(owner, &found) {
            return target;
        }
        let Ty::Reference { target, .. } = &found else {
            return found;
        };
        let name = bare(owner);
        if self.reference_by_name(name, found.clone()) == Ty::Error {
            return Ty::Error;
        }
        let target = self.unifier.shallow(target);
        let target = match self.program.kept(&target) {
            Some(target) => self.unifier.shallow(target),
            None => target,
        };
        for node in [owner, name] {
            self.typed.note(node).ty = Some(target.clone());
        }
        self.typed.note(name).dereferenced = true;
        target
    }
}

/// The type of a reference to read.
fn reference_to(target: Ty) -> Ty {
    Ty::Reference {
        mutable: false,
        target: Box::new(target),
    }
}
