//! Methods: the numeric ones as a table, those of views, extents and barriers.

use amp_spirv::{
    diagnostic::Code,
    ir::{BinaryOp, MathOp, MemoryFence, Scalar},
};
use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

use super::{
    function::{Callee, FnCx},
    key,
    ty::{Kind, Ty, ViewTy},
};
use crate::report::Locate;

/// What a numeric method is in the IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathMethod {
    /// A math operation.
    Op(MathOp),
    /// An operator: `wrapping_add` is `+`.
    Binary(BinaryOp),
    /// `wrapping_neg`
    Neg,
    /// `wrapping_div`, `wrapping_rem`: the operator, but `MIN` by -1 is no fault.
    WrappingDivision(BinaryOp),
}

/// Type of an argument or result, relative to the receiver.
#[derive(Clone, Copy)]
enum Rel {
    Same,
    Is(Scalar),
}

struct Entry {
    method: MathMethod,
    arguments: &'static [Rel],
    result: Rel,
}

const fn entry(op: MathOp, arguments: &'static [Rel], result: Rel) -> Option<Entry> {
    Some(Entry {
        method: MathMethod::Op(op),
        arguments,
        result,
    })
}

const SAME: Rel = Rel::Same;
const U32: Rel = Rel::Is(Scalar::U32);
const BOOL: Rel = Rel::Is(Scalar::Bool);

fn integer_method(name: &str, scalar: Scalar) -> Option<Entry> {
    use MathOp::*;
    let binary = |op, argument: &'static [Rel]| {
        Some(Entry {
            method: MathMethod::Binary(op),
            arguments: argument,
            result: SAME,
        })
    };
    let division = |op| {
        Some(Entry {
            method: MathMethod::WrappingDivision(op),
            arguments: &[SAME],
            result: SAME,
        })
    };
    let signed = scalar.is_signed();
    match name {
        "min" => entry(Min, &[SAME], SAME),
        "max" => entry(Max, &[SAME], SAME),
        "clamp" => entry(Clamp, &[SAME, SAME], SAME),
        "abs" | "wrapping_abs" if signed => entry(Abs, &[], SAME),
        "signum" if signed => entry(Signum, &[], SAME),
        "unsigned_abs" if signed => entry(UnsignedAbs, &[], U32),
        "abs_diff" => entry(AbsDiff, &[SAME], if signed { U32 } else { SAME }),
        "count_ones" => entry(CountOnes, &[], U32),
        "count_zeros" => entry(CountZeros, &[], U32),
        "leading_zeros" => entry(LeadingZeros, &[], U32),
        "trailing_zeros" => entry(TrailingZeros, &[], U32),
        "leading_ones" => entry(LeadingOnes, &[], U32),
        "trailing_ones" => entry(TrailingOnes, &[], U32),
        "reverse_bits" => entry(ReverseBits, &[], SAME),
        "swap_bytes" => entry(SwapBytes, &[], SAME),
        "rotate_left" => entry(RotateLeft, &[U32], SAME),
        "rotate_right" => entry(RotateRight, &[U32], SAME),
        "pow" | "wrapping_pow" => entry(IntPow, &[U32], SAME),
        "is_power_of_two" if !signed => entry(IsPowerOfTwo, &[], BOOL),
        "rem_euclid" => entry(RemEuclid, &[SAME], SAME),
        "div_euclid" => entry(DivEuclid, &[SAME], SAME),
        "div_ceil" if !signed => entry(DivCeil, &[SAME], SAME),
        "wrapping_add" => binary(BinaryOp::Add, &[SAME]),
        "wrapping_sub" => binary(BinaryOp::Sub, &[SAME]),
        "wrapping_mul" => binary(BinaryOp::Mul, &[SAME]),
        "wrapping_div" => division(BinaryOp::Div),
        "wrapping_rem" => division(BinaryOp::Rem),
        "wrapping_shl" => binary(BinaryOp::Shl, &[U32]),
        "wrapping_shr" => binary(BinaryOp::Shr, &[U32]),
        "wrapping_neg" => Some(Entry {
            method: MathMethod::Neg,
            arguments: &[],
            result: SAME,
        }),
        _ => None,
    }
}

/// Methods whose result depends on how wide the integer is: a usize is 32 bits wide on
/// a device and 64 on the CPU.
fn depends_on_width(name: &str) -> bool {
    matches!(
        name,
        "count_zeros"
            | "leading_zeros"
            | "trailing_zeros"
            | "leading_ones"
            | "reverse_bits"
            | "swap_bytes"
            | "rotate_left"
            | "rotate_right"
    )
}

fn float_method(name: &str) -> Option<Entry> {
    use MathOp::*;
    match name {
        "min" => entry(Min, &[SAME], SAME),
        "max" => entry(Max, &[SAME], SAME),
        "clamp" => entry(Clamp, &[SAME, SAME], SAME),
        "abs" => entry(Abs, &[], SAME),
        "signum" => entry(Signum, &[], SAME),
        "sqrt" => entry(Sqrt, &[], SAME),
        "mul_add" => entry(MulAdd, &[SAME, SAME], SAME),
        "floor" => entry(Floor, &[], SAME),
        "ceil" => entry(Ceil, &[], SAME),
        "trunc" => entry(Trunc, &[], SAME),
        "round" => entry(Round, &[], SAME),
        "round_ties_even" => entry(RoundTiesEven, &[], SAME),
        "fract" => entry(Fract, &[], SAME),
        "copysign" => entry(Copysign, &[SAME], SAME),
        "to_bits" => entry(ToBits, &[], U32),
        "is_nan" => entry(IsNan, &[], BOOL),
        "is_infinite" => entry(IsInfinite, &[], BOOL),
        "is_finite" => entry(IsFinite, &[], BOOL),
        "is_sign_negative" => entry(IsSignNegative, &[], BOOL),
        "is_sign_positive" => entry(IsSignPositive, &[], BOOL),
        "recip" => entry(Recip, &[], SAME),
        "sin" => entry(Sin, &[], SAME),
        "cos" => entry(Cos, &[], SAME),
        "tan" => entry(Tan, &[], SAME),
        "asin" => entry(Asin, &[], SAME),
        "acos" => entry(Acos, &[], SAME),
        "atan" => entry(Atan, &[], SAME),
        "atan2" => entry(Atan2, &[SAME], SAME),
        "sinh" => entry(Sinh, &[], SAME),
        "cosh" => entry(Cosh, &[], SAME),
        "tanh" => entry(Tanh, &[], SAME),
        "asinh" => entry(Asinh, &[], SAME),
        "acosh" => entry(Acosh, &[], SAME),
        "atanh" => entry(Atanh, &[], SAME),
        "exp" => entry(Exp, &[], SAME),
        "exp2" => entry(Exp2, &[], SAME),
        "ln" => entry(Ln, &[], SAME),
        "log2" => entry(Log2, &[], SAME),
        "log10" => entry(Log10, &[], SAME),
        "log" => entry(Log, &[SAME], SAME),
        "powf" => entry(Powf, &[SAME], SAME),
        "powi" => entry(Powi, &[Rel::Is(Scalar::I32)], SAME),
        "hypot" => entry(Hypot, &[SAME], SAME),
        "cbrt" => entry(Cbrt, &[], SAME),
        "to_degrees" => entry(ToDegrees, &[], SAME),
        "to_radians" => entry(ToRadians, &[], SAME),
        _ => None,
    }
}

fn scalar_method(name: &str, scalar: Scalar) -> Option<Entry> {
    match scalar {
        Scalar::F32 => float_method(name),
        Scalar::Usize if depends_on_width(name) => None,
        scalar if scalar.is_integer() => integer_method(name, scalar),
        _ => None,
    }
}

/// The barrier that a method name waits at.
fn barrier(name: &str) -> Option<MemoryFence> {
    Some(match name {
        "wait" | "wait_with_all_memory_fence" => MemoryFence::All,
        "wait_with_global_memory_fence" => MemoryFence::Global,
        "wait_with_tile_static_memory_fence" => MemoryFence::TileStatic,
        _ => return None,
    })
}

impl FnCx<'_> {
    /// Type of `receiver.method(arguments)`.
    pub fn method_call(&mut self, expr: &Expr, call: &ExprMethodCall) -> Ty {
        let receiver = self.owner_of(&call.receiver);
        let name = call.method.to_string();
        if let Some(turbofish) = &call.turbofish {
            self.report.error_help(
                Code::UnsupportedSyntax,
                turbofish,
                "generic arguments of a method in a kernel",
                "leave them out",
            );
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let (callee, wanted, result) = match &receiver {
            Ty::Error => {
                for argument in arguments {
                    let found = self.expr(argument);
                    self.unifier.poison(&found);
                }
                return Ty::Error;
            }
            Ty::Scalar(scalar) => match scalar_method(&name, *scalar) {
                Some(found) => {
                    let (method, wanted, result) = self.related(*scalar, found);
                    (Callee::Math(method), wanted, result)
                }
                None if name == "clone" => (Callee::Copy, Vec::new(), receiver.clone()),
                None => return self.unknown_method(call, &receiver),
            },
            Ty::Var(var) => {
                let (found, suffix) = match self.unifier.kind(*var) {
                    Kind::Int => ("an integer whose type is not known yet", "_i32"),
                    Kind::Float => ("a float whose type is not known yet", "_f32"),
                    Kind::Any => ("something whose type is not known yet", ""),
                };
                let help = match &*call.receiver {
                    literal @ Expr::Lit(_) => {
                        format!("give it a type: `{}{suffix}`", literal.to_token_stream())
                    }
                    _ => "give it a type where it is declared: `let x: f32`".to_owned(),
                };
                self.report.error_help(
                    Code::UnknownType,
                    &*call.receiver,
                    format!("method `{name}` on {found}"),
                    help,
                );
                self.unifier.poison(&receiver);
                for argument in arguments {
                    let found = self.expr(argument);
                    self.unifier.poison(&found);
                }
                return Ty::Error;
            }
            Ty::View(view) => match name.as_str() {
                "extent" => (Callee::ViewExtent, Vec::new(), Ty::Extent(view.rank)),
                "row" if view.rank > 1 => {
                    let row = ViewTy {
                        rank: view.rank - 1,
                        ..view.clone()
                    };
                    (Callee::Row, vec![Ty::USIZE], Ty::View(row))
                }
                _ => return self.unknown_method(call, &receiver),
            },
            Ty::Extent(rank) => match name.as_str() {
                "size" => (Callee::ExtentSize, Vec::new(), Ty::USIZE),
                "contains" => (Callee::ExtentContains, vec![Ty::Index(*rank)], Ty::BOOL),
                "clone" => (Callee::Copy, Vec::new(), receiver.clone()),
                _ => return self.unknown_method(call, &receiver),
            },
            Ty::Vector(..) | Ty::Matrix(_) => return self.vector_method(expr, call, &receiver),
            Ty::Barrier => match barrier(&name) {
                Some(fence) => (Callee::Barrier(fence), Vec::new(), Ty::Unit),
                None => return self.unknown_method(call, &receiver),
            },
            Ty::Index(_)
            | Ty::Array(..)
            | Ty::Tuple(_)
            | Ty::Struct(_)
            | Ty::Enum(_)
            | Ty::Tiled(_)
                if name == "clone" =>
            {
                (Callee::Copy, Vec::new(), receiver.clone())
            }
            _ => return self.unknown_method(call, &receiver),
        };
        self.arguments(&name, &arguments, &wanted, &call.method);
        self.typed.calls.insert(key(expr), callee);
        result
    }

    /// Requires that arguments agree in number and type with what is wanted.
    pub fn arguments(
        &mut self,
        name: &str,
        arguments: &[&Expr],
        wanted: &[Ty],
        place: impl Locate,
    ) {
        if arguments.len() != wanted.len() {
            let plural = if wanted.len() == 1 { "" } else { "s" };
            let message = format!(
                "`{name}` takes {} argument{plural}, found {}",
                wanted.len(),
                arguments.len()
            );
            let shown: Vec<String> = wanted.iter().map(|ty| self.show(ty)).collect();
            let help = match shown.is_empty() {
                true => format!("write `{name}()`"),
                false => format!("it takes {}", shown.join(", ")),
            };
            self.report.error_help(Code::Arity, place, message, help);
        }
        for (i, argument) in arguments.iter().enumerate() {
            let found = self.expr(argument);
            match wanted.get(i) {
                Some(wanted) => self.expect(&found, wanted, *argument),
                None => self.unifier.poison(&found),
            }
        }
    }

    /// A numeric function written as a path: `f32::max(a, b)`.
    pub fn math_function(
        &mut self,
        expr: &Expr,
        call: &syn::ExprCall,
        scalar: Scalar,
        name: &str,
    ) -> Ty {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        if name == "from_bits" && scalar == Scalar::F32 {
            self.arguments(name, &arguments, &[Ty::U32], &call.func);
            let method = MathMethod::Op(MathOp::FromBits);
            self.typed.calls.insert(key(expr), Callee::Math(method));
            return Ty::F32;
        }
        let Some(found) = scalar_method(name, scalar) else {
            for argument in arguments {
                let found = self.expr(argument);
                self.unifier.poison(&found);
            }
            self.report.error_help(
                Code::UnknownMember,
                &call.func,
                format!("`{}::{name}` is not a function of kernels", scalar.name()),
                "convert with `as`; docs/language.md lists the functions that there are",
            );
            return Ty::Error;
        };
        let (method, mut wanted, result) = self.related(scalar, found);
        wanted.insert(0, Ty::Scalar(scalar));
        self.arguments(name, &arguments, &wanted, &call.func);
        self.typed.calls.insert(key(expr), Callee::Math(method));
        result
    }

    fn related(&self, scalar: Scalar, found: Entry) -> (MathMethod, Vec<Ty>, Ty) {
        let ty = |rel: &Rel| match rel {
            Rel::Same => Ty::Scalar(scalar),
            Rel::Is(scalar) => Ty::Scalar(*scalar),
        };
        // `usize::abs_diff` is a usize, `usize::unsigned_abs` does not exist.
        let wanted = found.arguments.iter().map(ty).collect();
        (found.method, wanted, ty(&found.result))
    }

    fn unknown_method(&mut self, call: &ExprMethodCall, receiver: &Ty) -> Ty {
        for argument in &call.args {
            let found = self.expr(argument);
            self.unifier.poison(&found);
        }
        let name = call.method.to_string();
        let help = match (receiver, name.as_str()) {
            (Ty::Scalar(Scalar::Usize), name) if depends_on_width(name) => {
                "a usize has 32 bits on a device and 64 on the host; convert it: `x as u32`"
            }
            (Ty::Scalar(_), name)
                if name.starts_with("checked_") || name.starts_with("overflowing_") =>
            {
                "kernels have no Option; use the wrapping method, and compare"
            }
            (Ty::Scalar(_), "into") => "convert with `as`",
            (Ty::View(_), "row") => "a view of rank 1 has no rows; index it",
            (Ty::View(_), "len") => "write `a.extent().size()`",
            (Ty::View(_), _) => "a view in a kernel has `extent()`, `row(i)` and indexing",
            (Ty::Array(..), "len") => "write the length",
            (Ty::Array(..) | Ty::Tuple(_), _) => "index it, or use a `for` over `0..n`",
            (Ty::Barrier, _) => {
                "it has `wait`, `wait_with_all_memory_fence`, `wait_with_global_memory_fence` and \
                 `wait_with_tile_static_memory_fence`"
            }
            (Ty::Extent(_), "tile") => "tiles are made on the host; here they are `t_idx.tile`",
            (Ty::Extent(_), _) => {
                "an extent in a kernel has `size()`, `contains(index)`, `[i]` and arithmetic"
            }
            (Ty::Index(_), _) => "an index in a kernel has `[i]` and arithmetic",
            (Ty::Tiled(_), _) => "it has `global`, `local`, `tile`, `tile_origin` and `barrier`",
            (Ty::Enum(_), _) => "write an `#[amp_fn]` that takes the enum as a parameter",
            (Ty::Struct(_), _) => "write an `#[amp_fn]` that takes the struct as a parameter",
            _ => "write it as an `#[amp_fn]`",
        };
        let message = format!("{} has no method `{name}` in kernels", self.show(receiver));
        self.report
            .error_help(Code::UnknownMember, &call.method, message, help);
        Ty::Error
    }
}
