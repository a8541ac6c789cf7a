//! `Type::default()`, `x.into()`, `f32::from(x)`, `u8::try_from(x)` and `x.try_into()`: what the
//! standard library's traits give types that say so.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::Span;
use syn::{Expr, ExprMethodCall};

use super::{
    context::{FnCx, Into},
    node::NodeId,
    program::Program,
    ty::{Kind, Len, Ty},
    typed::{Callee, Library},
};
use crate::{
    attribute::ELEMENT,
    language::{owner::Owner, standard},
};

/// Whether Rust's `From` converts one scalar to another, which loses nothing.
pub fn is_lossless(from: Scalar, to: Scalar) -> bool {
    let width = |scalar: Scalar| match scalar {
        // As far as Rust's `From` knows.
        Scalar::Isize | Scalar::Usize => 16,
        Scalar::F32 => f32::MANTISSA_DIGITS,
        Scalar::F64 => f64::MANTISSA_DIGITS,
        other => other.bits(),
    };
    match (from, to) {
        (Scalar::Bool, _) => to.is_integer(),
        (Scalar::F32, _) => to == Scalar::F64,
        (Scalar::Isize | Scalar::Usize, _) | (_, Scalar::Bool) => false,
        _ if !from.is_integer() || to.is_half() || from == to => false,
        _ if to.is_float() || from.is_signed() == to.is_signed() => width(from) <= width(to),
        _ => to.is_signed() && width(from) < width(to),
    }
}

impl Program {
    /// Whether a type is the struct by which arrays hold an enum.
    pub fn is_zero_by_default(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Struct(index, _) if self.structs[*index].derives(ELEMENT))
    }

    /// Whether a type is an enum.
    pub fn is_enum(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(index, _) => self.structs[*index].is_enum(),
            other => matches!(other, Ty::Enum(_)),
        }
    }

    /// Whether a struct or enum derives `Default`; others need not.
    fn derives_default(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(index, _) => {
                self.is_zero_by_default(ty) || self.structs[*index].derives("Default")
            }
            Ty::Enum(index) => self.enums[*index].derives("Default"),
            _ => true,
        }
    }
}

impl FnCx<'_> {
    /// Type of `Pair::default()` of a struct or enum that derives `Default`, and of `T::default()`.
    pub fn derived_default(&mut self, node: NodeId, owner: &Ty, span: Span) -> Option<Ty> {
        let derives = match owner {
            Ty::Struct(..) | Ty::Enum(_) => self.program.derives_default(owner),
            Ty::Unit | Ty::Param(_) | Ty::Scalar(_) | Ty::Vector(..) => true,
            Ty::Tuple(_) | Ty::Array(..) => true,
            _ => false,
        };
        if !derives && self.own_default(owner).is_none() {
            return None;
        }
        self.defaults.push((owner.clone(), span));
        self.typed.note(node).callee = Some(Callee::Default);
        Some(owner.clone())
    }

    /// Type of `f32::from(x)`, where that loses nothing, of `u8::try_from(x)` and of
    /// `f32::default()`.
    pub fn standard_function(
        &mut self,
        node: NodeId,
        scalar: Scalar,
        name: &str,
        found: &[Ty],
        span: Span,
    ) -> Option<Ty> {
        match (name, found) {
            ("try_from", [receiver]) => {
                let result = Ty::Scalar(scalar);
                return self.later(node, receiver.clone(), result, true, span);
            }
            ("try_from", _) => {
                let message = format!("`try_from` takes 1 argument, found {}", found.len());
                let help = "it takes the number that is converted";
                self.report.error_help(Code::Arity, span, message, help);
                return Some(Ty::Error);
            }
            _ => {}
        }
        let callee = match (name, found) {
            ("default", []) => Callee::Default,
            ("from", [found]) => match self.unifier.shallow(found) {
                Ty::Scalar(from) if from == scalar || is_lossless(from, scalar) => Callee::Convert,
                Ty::Error => Callee::Convert,
                _ => return None,
            },
            _ => return None,
        };
        self.typed.note(node).callee = Some(callee);
        Some(Ty::Scalar(scalar))
    }

    /// Type of `x.into()` and `x.try_into()`.
    pub fn into(&mut self, expr: &Expr, call: &ExprMethodCall, receiver: &Ty) -> Ty {
        self.told_by_template(&call.receiver, receiver);
        let (node, result) = (self.typed.id(expr), self.unifier.fresh(Kind::Any));
        let (can_fail, span) = (call.method == "try_into", call.method.span());
        let ty = self.later(node, receiver.clone(), result, can_fail, span);
        ty.unwrap_or(Ty::Error)
    }

    /// Type of a conversion that is found when its types are known.
    fn later(
        &mut self,
        node: NodeId,
        receiver: Ty,
        result: Ty,
        can_fail: bool,
        span: Span,
    ) -> Option<Ty> {
        let error = can_fail.then(|| self.unifier.fresh(Kind::Any));
        let ty = match &error {
            Some(error) => self.program.core_type("Result", [&result, error])?,
            None => result.clone(),
        };
        let conversion = Into {
            node,
            receiver,
            result,
            error,
            span,
        };
        // Its error may be what a method is called on.
        let (from, to) = (
            self.unifier.shallow(&conversion.receiver),
            self.unifier.shallow(&conversion.result),
        );
        if !self.tried(&conversion, &from, &to) {
            self.intos.push(conversion);
        }
        Some(ty)
    }

    /// Tells the elements of the array that an index or extent becomes: what stands behind needs them.
    pub fn tell_components(&mut self, value: &Expr, array: &Ty) {
        let node = self.typed.id(value);
        let of_point = self.intos.last().filter(|into| into.node == node);
        if let Some(Into { receiver, span, .. }) = of_point
            && let Ty::Index(_) | Ty::Extent(_) = self.unifier.shallow(receiver)
            && let Ty::Array(element, _) = self.unifier.shallow(array)
        {
            let span = *span;
            self.expect(&element, &Ty::USIZE, span);
        }
    }

    /// Finds what a conversion of scalars that can fail calls. Whether it is one whose types are known.
    fn tried(&mut self, conversion: &Into, receiver: &Ty, result: &Ty) -> bool {
        let (Some(error), Ty::Scalar(from), Ty::Scalar(to)) = (&conversion.error, receiver, result)
        else {
            return false;
        };
        let (from, to) = (*from, *to);
        let is_lossless = from == to || is_lossless(from, to);
        if !(is_lossless || from.is_integer() && to.is_integer()) {
            return false;
        }
        let fails_with = if is_lossless {
            "Infallible"
        } else {
            "TryFromIntError"
        };
        if let Some(fails_with) = self.program.core_type(fails_with, []) {
            self.expect(&fails_with, error, conversion.span);
        }
        let owner = Owner::Conversion { from, to };
        if let Some(source) = standard::conversion(is_lossless)
            && let Some(function) = self.declared(source, owner, conversion.span)
        {
            self.typed.note(conversion.node).library = Some(Library::Source(owner, source));
            self.calls(conversion.node, function, conversion.span);
        }
        true
    }

    /// What an `into` calls that makes an index or extent of an array, or an array of one.
    fn point_conversion(&mut self, receiver: &Ty, result: &Ty, span: Span) -> Option<Callee> {
        let (array, rank, callee) = match (self.unifier.shallow(receiver), result) {
            (array, Ty::Index(rank) | Ty::Extent(rank)) => (array, *rank, Callee::IndexFrom),
            (Ty::Index(rank) | Ty::Extent(rank), array) => {
                (array.clone(), rank, Callee::Components)
            }
            _ => return None,
        };
        match array {
            Ty::Array(element, Len::Literal(length)) if length == rank => {
                self.expect(&element, &Ty::USIZE, span);
                Some(callee)
            }
            _ => None,
        }
    }

    /// The function of the `Default` that a type has of its own.
    fn own_default(&self, ty: &Ty) -> Option<usize> {
        let mut methods = self.program.methods.iter();
        let own = methods.find(|method| {
            method.is_of_library("Default")
                && method.name == "default"
                && self.fits(ty, &method.owner)
        });
        Some(own?.function)
    }

    /// Whether a type has a `Default` that is derived down to its numbers and to the parts that have one of
    /// their own, which are added to `own`.
    fn has_default(&self, ty: &Ty, own: &mut Vec<(Ty, usize)>) -> bool {
        let program = &*self.program;
        match ty {
            Ty::Unit | Ty::Scalar(_) | Ty::Vector(..) | Ty::Param(_) => true,
            Ty::Index(_) | Ty::Extent(_) => true,
            Ty::Array(element, _) => self.has_default(element, own),
            Ty::Tuple(parts) => parts.iter().all(|part| self.has_default(part, own)),
            _ if let Some(function) = self.own_default(ty) => {
                own.push((ty.clone(), function));
                true
            }
            Ty::Enum(index) => program.enums[*index].default.is_some(),
            Ty::Struct(..) if program.is_zero_by_default(ty) => true,
            Ty::Struct(index, _) if program.structs[*index].is_enum() => {
                program.structs[*index].default_case().is_some()
            }
            Ty::Struct(index, applied) => {
                let fields = program.fields(*index, applied);
                let mut fields = fields.iter();
                program.derives_default(ty) && fields.all(|(_, field)| self.has_default(field, own))
            }
            _ => false,
        }
    }

    /// Finds what the defaults of types call, now that their types are known, and refuses those of types with a part
    /// that has none.
    pub fn settle_defaults(&mut self) {
        for (ty, span) in std::mem::take(&mut self.defaults) {
            let ty = self.unifier.defaulted(&ty);
            let mut own = Vec::new();
            if self.is_open(&ty) {
                continue;
            }
            if self.has_default(&ty, &mut own) {
                for (part, function) in own {
                    let Some(function) = self.instance_for(function, &part, span) else {
                        return;
                    };
                    self.typed.own_defaults.push((part, function));
                    self.typed.callees.push((function, span));
                }
                continue;
            }
            let name = self.show(&ty);
            let help = match self.program.derives_default(&ty) {
                true => {
                    "one of its parts does not derive `Default`: write an `#[amp_fn] impl Default`"
                }
                false => {
                    "it does not derive `Default`: call the function of the type, as in `Pair::default()`"
                }
            };
            let message = format!("the derived default of {name}");
            self.report
                .error_help(Code::NotCallable, span, message, help);
        }
    }

    /// Says what each `into` and `try_into` calls, now that its type is known.
    pub fn settle_intos(&mut self) {
        for conversion in std::mem::take(&mut self.intos) {
            let result = self.unifier.defaulted(&conversion.result);
            if self.is_open(&conversion.receiver)
                && let [function] =
                    *self.sources(conversion.function(), &conversion.receiver, &result)
                && self.program.functions[function].parameters.is_empty()
            {
                let from = self.program.functions[function].params[0].ty.clone();
                self.expect(&conversion.receiver, &from, conversion.span);
            }
            let (from, span) = (&conversion.receiver, conversion.span);
            if conversion.error.is_none() && self.is_made_by_bound(from, &result, span) {
                self.typed.note(conversion.node).callee = Some(Callee::Convert);
                continue;
            }
            let receiver = self.unifier.defaulted(&conversion.receiver);
            if self.tried(&conversion, &receiver, &result) {
                continue;
            }
            if !self.settled(&conversion, &receiver, &result) {
                self.unifier.poison(&conversion.result);
                conversion
                    .error
                    .iter()
                    .for_each(|error| self.unifier.poison(error));
            }
        }
    }

    /// The functions of `From` and `TryFrom` that a conversion could call.
    pub fn sources(
        &self,
        (of_trait, name): (&str, &str),
        receiver: &Ty,
        result: &Ty,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for method in &self.program.methods {
            if method.is_of_library(of_trait)
                && method.name == name
                && self.fits(result, &method.owner)
                && let [param] = &*self.program.functions[method.function].params
                && self.could_be(receiver, &param.ty)
            {
                found.push(method.function);
            }
        }
        found
    }

    /// Finds what a conversion calls that is not between scalars and can fail. Whether it is there.
    fn settled(&mut self, conversion: &Into, receiver: &Ty, result: &Ty) -> bool {
        let Into {
            node, error, span, ..
        } = conversion;
        let (node, span) = (*node, *span);
        let built_in = match (error, receiver, result) {
            (Some(_), ..) => None,
            (_, one, other) if one == other => Some(Callee::Copy),
            (_, Ty::Scalar(from), Ty::Scalar(to)) if is_lossless(*from, *to) => {
                Some(Callee::Convert)
            }
            // An instance knows which one; that the bound says so, rustc proves.
            (_, Ty::Param(index), result)
                if self.program.type_params[*index].has_bound("Into")
                    && !matches!(result, Ty::Var(_) | Ty::Error) =>
            {
                Some(Callee::Convert)
            }
            _ => self.point_conversion(&conversion.receiver, result, span),
        };
        if built_in.is_some() {
            self.typed.note(node).callee = built_in;
            return true;
        }
        let (of_trait, name) = conversion.function();
        let (called, kept) = match error {
            None => ("into", "let x: T = y.into()"),
            Some(_) => ("try_into", "let x: Result<T, _> = y.try_into()"),
        };
        match (receiver, result) {
            (Ty::Error, _) | (_, Ty::Error) => return false,
            (_, Ty::Var(_)) => {
                let message = format!("nothing tells what `{called}` makes here");
                let help =
                    format!("say it where the value is kept, `{kept}`, or write `T::{name}(y)`");
                self.report
                    .error_help(Code::UnknownType, span, message, help);
                return false;
            }
            _ => {}
        }
        let found = self.sources((of_trait, name), receiver, result);
        let Some(function) = found.first().copied() else {
            let message = format!(
                "{} is not made from {} in kernels",
                self.show(result),
                self.show(receiver)
            );
            let help = match (receiver, result) {
                (Ty::Scalar(_), Ty::Scalar(_)) => "convert with `as`",
                (Ty::Slice(_), Ty::Array(..)) => {
                    "take the array where it is made: `let a: [u8; 4] = slice.try_into().unwrap();`"
                }
                (Ty::Param(_), _) => "convert it in the callers, or take a type that is known",
                (Ty::Vector(..) | Ty::Matrix(_), _) | (_, Ty::Vector(..) | Ty::Matrix(_)) => {
                    "write the type: `Vec4::from(..)`, `v.to_array()`"
                }
                _ => &format!("write an `#[amp_fn] impl {of_trait}` beside the type"),
            };
            self.report
                .error_help(Code::UnknownMember, span, message, help);
            return false;
        };
        let made = match error {
            None => Some(result.clone()),
            Some(error) => self.program.core_type("Result", [result, error]),
        };
        if let Some(made) = made {
            self.made_from(node, function, &made, receiver, span);
        }
        true
    }
}
