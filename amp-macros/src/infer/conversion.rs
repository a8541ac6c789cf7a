//! `Type::default()`, `x.into()` and `f32::from(x)`: what the standard library's traits
//! give types that say so.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::Span;
use syn::{Expr, ExprMethodCall};

use super::{
    context::{FnCx, Into},
    node::NodeId,
    program::Program,
    ty::{Kind, Len, Ty},
    typed::Callee,
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
    /// Whether the type's `Default` is derived down to its numbers: a value of zeroes.
    fn defaults_to_zero(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Scalar(_) | Ty::Vector(..) | Ty::Param(_) => true,
            Ty::Array(element, _) => self.defaults_to_zero(element),
            Ty::Tuple(parts) => parts.iter().all(|part| self.defaults_to_zero(part)),
            Ty::Struct(index, _) if let Some(first) = self.structs[*index].cases.first() => {
                first.is_default
            }
            Ty::Struct(index, applied) => {
                let fields = self.fields(*index, applied);
                self.structs[*index].derives("Default")
                    && fields.iter().all(|(_, field)| self.defaults_to_zero(field))
            }
            _ => false,
        }
    }
}

impl FnCx<'_> {
    /// Type of `Pair::default()` of a struct or enum that derives `Default`, and of `T::default()`.
    pub fn derived_default(&mut self, node: NodeId, owner: &Ty, span: Span) -> Option<Ty> {
        let derives = match owner {
            Ty::Struct(index, _) => self.program.structs[*index].derives("Default"),
            Ty::Param(_) | Ty::Scalar(_) | Ty::Vector(..) | Ty::Tuple(_) | Ty::Array(..) => true,
            _ => false,
        };
        if !derives {
            return None;
        }
        let default = match owner {
            Ty::Struct(of, _) => {
                let mut cases = self.program.structs[*of].cases.iter();
                let position = cases.position(|case| case.is_default);
                position.map(|position| Callee::Case { of: *of, position })
            }
            _ => None,
        };
        if default.is_none() {
            self.defaults.push((owner.clone(), span));
        }
        self.typed.note(node).callee = Some(default.unwrap_or(Callee::Zero));
        Some(owner.clone())
    }

    /// Type of `f32::from(x)`, where that loses nothing, and of `f32::default()`.
    pub fn standard_function(
        &mut self,
        node: NodeId,
        scalar: Scalar,
        name: &str,
        found: &[Ty],
    ) -> Option<Ty> {
        let callee = match (name, found) {
            ("default", []) => Callee::Zero,
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

    /// Type of `x.into()`.
    pub fn into(&mut self, expr: &Expr, call: &ExprMethodCall, receiver: &Ty) -> Ty {
        let result = self.unifier.fresh(Kind::Any);
        self.intos.push(Into {
            node: self.typed.id(expr),
            receiver: receiver.clone(),
            result: result.clone(),
            span: call.method.span(),
        });
        result
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

    /// Refuses derived defaults that are not zero, now that their types are known.
    pub fn settle_defaults(&mut self) {
        for (ty, span) in std::mem::take(&mut self.defaults) {
            let ty = self.unifier.defaulted(&ty);
            if self.is_open(&ty) || self.program.defaults_to_zero(&ty) {
                continue;
            }
            let message = format!("the derived default of {}", self.show(&ty));
            self.report.error_help(
                Code::NotCallable,
                span,
                message,
                "one of its fields does not derive `Default`: write an `#[amp_fn] impl \
                 Default`",
            );
        }
    }

    /// Says what each `into` calls, now that its type is known.
    pub fn settle_intos(&mut self) {
        for Into {
            node,
            receiver,
            result,
            span,
        } in std::mem::take(&mut self.intos)
        {
            let result = self.unifier.defaulted(&result);
            if let Some(callee) = self.point_conversion(&receiver, &result, span) {
                self.typed.note(node).callee = Some(callee);
                continue;
            }
            let receiver = self.unifier.defaulted(&receiver);
            match (&receiver, &result) {
                (Ty::Error, _) | (_, Ty::Error) => continue,
                (_, Ty::Var(_)) => {
                    self.report.error_help(
                        Code::UnknownType,
                        span,
                        "nothing tells what `into` makes here",
                        "say it where the value is kept, `let x: T = y.into()`, or write `T::from(y)`",
                    );
                    self.unifier.poison(&result);
                    continue;
                }
                (one, other) if one == other => {
                    self.typed.note(node).callee = Some(Callee::Copy);
                    continue;
                }
                (Ty::Scalar(from), Ty::Scalar(to)) if is_lossless(*from, *to) => {
                    self.typed.note(node).callee = Some(Callee::Convert);
                    continue;
                }
                // An instance knows which one; that the bound says so, rustc proves.
                (Ty::Param(index), _) if self.program.type_params[*index].has_bound("Into") => {
                    self.typed.note(node).callee = Some(Callee::Convert);
                    continue;
                }
                _ => {}
            }
            let mut methods = self.program.methods.iter();
            let found = methods.find(|method| {
                method.is_of_library("From")
                    && method.name == "from"
                    && self.fits(&result, &method.owner)
                    && matches!(
                        &*self.program.functions[method.function].params,
                        [param] if self.could_be(&receiver, &param.ty)
                    )
            });
            let Some(function) = found.map(|method| method.function) else {
                let message = format!(
                    "{} is not made from {} in kernels",
                    self.show(&result),
                    self.show(&receiver)
                );
                let help = match (&receiver, &result) {
                    (Ty::Scalar(_), Ty::Scalar(_)) => "convert with `as`",
                    (Ty::Vector(..) | Ty::Matrix(_), _) | (_, Ty::Vector(..) | Ty::Matrix(_)) => {
                        "write the type: `Vec4::from(..)`, `v.to_array()`"
                    }
                    _ => "write an `#[amp_fn] impl From` beside the type",
                };
                self.report
                    .error_help(Code::UnknownMember, span, message, help);
                continue;
            };
            self.made_from(node, function, &result, &receiver, span);
        }
    }
}
