//! What operators demand of types that are not known yet.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::Span;
use syn::Expr;

use super::{
    context::{Class, FnCx, Obligation},
    generic::missing_bound,
    ty::Ty,
};
use crate::language::{method::half_constructors, name::path_key};

impl FnCx<'_> {
    /// Requires that a type turns out to belong to a class.
    pub fn oblige(&mut self, ty: &Ty, class: Class, operator: &'static str, span: Span) {
        self.obligations.push(Obligation {
            ty: ty.clone(),
            class,
            operator,
            span,
            owner: None,
        });
    }

    /// The same of the operand of an operator.
    pub fn oblige_operand(
        &mut self,
        ty: &Ty,
        class: Class,
        operator: &'static str,
        span: Span,
        operand: &Expr,
    ) {
        self.oblige(ty, class, operator, span);
        let is_unknown = matches!(self.unifier.shallow(ty), Ty::Var(_));
        if let Expr::Path(path) = operand
            && let Some((owner, _)) = path_key(&path.path).rsplit_once("::")
            && let Some(obligation) = self.obligations.last_mut()
        {
            obligation.owner = is_unknown.then(|| owner.to_owned());
        }
    }

    /// Reports operands whose types turned out not to have the operator.
    pub fn settle_obligations(&mut self) {
        for Obligation {
            ty,
            class,
            operator,
            span,
            owner,
        } in std::mem::take(&mut self.obligations)
        {
            let ty = self.unifier.defaulted(&ty);
            let fits = match &ty {
                Ty::Error | Ty::Never => true,
                // A constant or a default that is reported elsewhere.
                Ty::Var(_) => true,
                Ty::Scalar(scalar) => match class {
                    Class::Number => *scalar != Scalar::Bool,
                    Class::Signed => scalar.is_signed() || scalar.is_float(),
                    Class::Integer => scalar.is_integer(),
                    Class::Bits | Class::Ordered => scalar.is_integer() || *scalar == Scalar::Bool,
                    Class::Comparable => true,
                    Class::Castable => !scalar.is_half(),
                },
                Ty::Struct(..) | Ty::Enum(_) | Ty::Param(_) if class == Class::Ordered => {
                    self.program.is_ordered(&ty)
                }
                Ty::Struct(..) | Ty::Tuple(_) | Ty::Array(..) => {
                    class == Class::Comparable
                        && operator == "match"
                        && self.program.is_structural(&ty)
                }
                Ty::Param(index) => match class {
                    Class::Number => self.program.type_params[*index].is_scalar,
                    Class::Signed => {
                        let of = &self.program.type_params[*index];
                        operator == "-" && of.is_scalar && of.is_signed
                    }
                    Class::Integer | Class::Bits => self.program.type_params[*index].is_integer,
                    Class::Comparable => operator != "match",
                    _ => false,
                },
                Ty::Enum(index) => match class {
                    Class::Comparable => {
                        matches!(operator, "==" | "!=" | "match")
                            || self.program.enums[*index].derives("PartialOrd")
                    }
                    Class::Castable => true,
                    _ => false,
                },
                _ => false,
            };
            if let Ty::Param(index) = ty
                && !fits
            {
                let param = &self.program.type_params[index];
                let (name, is_scalar) = (param.shown.clone(), param.is_scalar);
                let operator = (operator, class == Class::Signed);
                missing_bound(self.report, span, operator, &name, is_scalar);
            } else if !fits {
                let found = self.show(&ty);
                let wanted = match class {
                    Class::Number => "numbers",
                    Class::Signed => "signed integers and floats",
                    Class::Integer => "integers",
                    Class::Bits | Class::Ordered => "integers and bool",
                    Class::Comparable => "numbers and bool",
                    Class::Castable => "numbers and bool",
                };
                let variant = owner.map(|owner| {
                    format!(
                        "if `{owner}` is an enum, say so first: `let x: {owner} = ..; {operator}x`"
                    )
                });
                let help = match (&ty, class) {
                    _ if let Some(variant) = &variant => variant,
                    (Ty::Struct(..) | Ty::Enum(_), Class::Ordered) => {
                        "derive its order, `#[derive(PartialEq, Eq, PartialOrd, Ord)]`, or write an \
                         `#[amp_fn] impl Ord` beside the type"
                    }
                    (Ty::Struct(..), Class::Comparable) if operator == "match" => {
                        "derive what compares its values: `#[derive(PartialEq)]`"
                    }
                    (Ty::Tuple(_) | Ty::Array(..) | Ty::Struct(..), _) => {
                        "apply it to the components"
                    }
                    (Ty::Scalar(_), Class::Ordered) => {
                        "floats have no `Ord`: `.fold(f32::INFINITY, f32::min)`, or \
                         `.min_by(|a, b| a.total_cmp(b))`"
                    }
                    (Ty::Enum(_), Class::Comparable) => {
                        "derive the order of its values: `#[derive(PartialOrd)]`"
                    }
                    (Ty::Enum(_), _) => "convert it first: `value as i32`",
                    (Ty::Scalar(Scalar::U64), Class::Signed) => {
                        "convert it first: `-(value as i64)`"
                    }
                    (Ty::Scalar(scalar), Class::Signed) if scalar.is_integer() => {
                        "convert it first: `-(value as i32)`"
                    }
                    (Ty::Scalar(scalar), Class::Castable) if scalar.is_half() => {
                        &format!("write `x.to_f32()`, and {}", half_constructors())
                    }
                    _ => "convert the operand with `as`, or use another operator",
                };
                self.report.error_help(
                    Code::Operator,
                    span,
                    format!("`{operator}` works on {wanted}, not on {found}"),
                    help,
                );
            }
        }
    }
}
