//! What type parameters have that are bounded by `Scalar`.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprCall, Path};

use crate::{
    infer::{
        context::FnCx,
        program::{ParamDef, Program},
        ty::{Len, Ty},
        typed::{Callee, Known, Resolved},
    },
    report::{Locate, Report},
};

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

/// Whether references among the parameters are Rust's own in the host version, as a method's are: a
/// place that faults is zero, and a type that is no number may have no zero. What holds a range is not
/// copied.
pub fn has_own_references(program: &Program, params: &[ParamDef]) -> bool {
    params.iter().any(|param| {
        has_own_reference(program, &param.ty)
            || matches!(&param.ty, Ty::Reference { target, .. } if program.holds_range(target))
    })
}

/// Whether a type is a reference to what is not known to be a number, or to have a zero.
pub fn has_own_reference(program: &Program, ty: &Ty) -> bool {
    matches!(ty, Ty::Reference { target, .. }
        if unbounded(program, target).is_some() || program.without_zero(target).is_some())
}

/// A type parameter in a type that is not known to be a number.
pub fn unbounded(program: &Program, ty: &Ty) -> Option<usize> {
    match ty {
        Ty::Param(index) => {
            let of = &program.type_params[*index];
            (!of.is_scalar && !of.is_atomic).then_some(*index)
        }
        Ty::Tuple(parts) => parts.iter().find_map(|part| unbounded(program, part)),
        Ty::Array(element, _) | Ty::Slice(element) => unbounded(program, element),
        Ty::Struct(_, applied) => applied
            .types
            .iter()
            .find_map(|part| unbounded(program, part)),
        _ => None,
    }
}

/// Refuses an operation on a type parameter that is not known to be a number.
pub fn missing_bound(
    report: &mut Report,
    span: Span,
    (operator, is_unary): (&str, bool),
    name: &str,
    is_scalar: bool,
) {
    let help = match is_scalar {
        true if operator == "-" => {
            format!(
                "bound it by `precise_math::Float`, or by `Scalar` and `std::ops::Neg<Output = {name}>`"
            )
        }
        true if matches!(operator, "&" | "|" | "^" | "!" | "<<" | ">>") => {
            format!("bound it: `{name}: Integer`")
        }
        true => format!(
            "a `Scalar` has `+ - * / %`, comparisons and conversions; `{operator}` is not one"
        ),
        false => match of_operators(operator, is_unary) {
            Some(of_trait) => format!(
                "bound it: `{name}: Scalar`, or `{name}: std::ops::{of_trait}<Output = {name}>`"
            ),
            None => format!("bound it: `{name}: Scalar`"),
        },
    };
    report.error_help(
        Code::Operator,
        span,
        format!("`{operator}` on the type parameter `{name}`"),
        help,
    );
}

/// The trait of an operator whose result is of the type of its operands.
fn of_operators(symbol: &str, is_unary: bool) -> Option<&'static str> {
    Some(match symbol {
        "-" if is_unary => "Neg",
        "+" => "Add",
        "-" => "Sub",
        "*" => "Mul",
        "/" => "Div",
        "%" => "Rem",
        "&" => "BitAnd",
        "|" => "BitOr",
        "^" => "BitXor",
        "!" => "Not",
        _ => return None,
    })
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
    /// The type of a const parameter whose number is known.
    fn type_of_parameter(&self, name: &str) -> Ty {
        let template = self.program.functions[self.owner].template;
        let template = template.map(|template| &self.program.functions[template]);
        let mut declared = template.iter().flat_map(|it| &it.parameters.consts);
        let declared = declared.find(|index| self.program.consts[**index].text == name);
        declared.map_or(Ty::USIZE, |index| self.program.consts[*index].ty.clone())
    }

    /// `N`, `T::ZERO`, `T::ONE` of generic parameters.
    pub fn generic_constant(&mut self, path: &Path) -> Option<(Resolved, Ty)> {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        match &*segments {
            [name] => match *self.arguments.lengths.get(name)? {
                Len::Literal(number) => {
                    let ty = self.type_of_parameter(name);
                    Some((Resolved::Known(Known::Length(number)), ty))
                }
                Len::Const(index) => {
                    *self.const_uses.entry(index).or_default() += 1;
                    let ty = self.program.consts[index].ty.clone();
                    Some((Resolved::Const(index), ty))
                }
            },
            [owner, name] => {
                let ty = self.arguments.types.get(owner)?.clone();
                if let Ty::Param(parameter) = ty
                    && let Some(found) = self.bound_constant(parameter, name, None)
                {
                    return Some(found);
                }
                let known = match &**name {
                    "ZERO" => Known::Zero,
                    "ONE" => Known::One,
                    _ => {
                        let help = match &ty {
                            Ty::Param(index) if !self.program.type_params[*index].is_scalar => {
                                self.bound_help(*index, name)
                            }
                            _ => "a `Scalar` has `ZERO`, `ONE` and `from_f32` and the like".into(),
                        };
                        self.report.error_help(
                            Code::UnknownName,
                            path,
                            format!("`{owner}::{name}` is not a constant that kernels can see"),
                            help,
                        );
                        return Some((Resolved::Known(Known::Zero), Ty::Error));
                    }
                };
                Some((Resolved::Known(known), ty))
            }
            _ => None,
        }
    }

    /// Type of `T::from_f32(x)` and the like.
    pub fn conversion_to(&mut self, expr: &Expr, call: &ExprCall, ty: Ty, name: &str) -> Ty {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let Some(from) = conversion("from_", name) else {
            self.lost_arguments(arguments);
            let help = match &ty {
                Ty::Param(index) if name == "from" => {
                    let name = &self.program.type_params[*index].ident;
                    format!(
                        "bound it: `{name}: From<u8>`, or `{name}: Scalar`, which has `from_u32`"
                    )
                }
                Ty::Param(index) if !self.program.type_params[*index].is_scalar => {
                    self.bound_help(*index, name)
                }
                _ => "a `Scalar` has `from_f32`, `from_f64`, `from_i32`, `from_u32` and \
                      `from_usize`"
                    .into(),
            };
            self.report.error_help(
                Code::NotCallable,
                &call.func,
                format!("`{}` cannot be called from a kernel", path_text(&call.func)),
                help,
            );
            return Ty::Error;
        };
        self.arguments(name, &arguments, &[Ty::Scalar(from)], &call.func);
        self.typed.note(expr).callee = Some(Callee::Convert);
        ty
    }
}

fn path_text(expr: &Expr) -> String {
    expr.to_token_stream().to_string().replace(' ', "")
}
