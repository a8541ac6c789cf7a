//! [`Quiet`]: which expressions neither fault nor do anything but compute a value.

use syn::{Expr, Lit};

use crate::infer::{BinaryKind, Callee, FunctionDef, Len, Program, Resolved, Ty, bare};
use crate::language::method::{Host, MathMethod};
use crate::visit::{self, Visit};
use amp_spirv::tree::{BinaryOp, Scalar};

/// See the module's documentation.
pub(super) struct Quiet<'a> {
    program: &'a Program,
    function: &'a FunctionDef,
    helpers: &'a QuietHelpers,
}

/// Which functions of a program do nothing but compute a value from values, by their places in it.
pub(in crate::expand) struct QuietHelpers(Vec<bool>);

impl QuietHelpers {
    /// Of a program that still has its functions' items.
    pub(in crate::expand) fn of(program: &Program) -> Self {
        let mut helpers = Self(Vec::new());
        // Callees come before callers.
        for helper in &program.functions {
            let takes_values = helper.params.iter().all(|param| is_value(&param.ty));
            let is_quiet = takes_values && helper.body.is_none() && helper.outlined.is_none() && {
                let within = Quiet::of(program, helper, &helpers);
                let mut acts = Acts::of(&within);
                acts.visit_block(&helper.item.block);
                !acts.found
            };
            helpers.0.push(is_quiet);
        }
        helpers
    }
}

impl<'a> Quiet<'a> {
    pub(super) fn of(
        program: &'a Program,
        function: &'a FunctionDef,
        helpers: &'a QuietHelpers,
    ) -> Self {
        Self {
            program,
            function,
            helpers,
        }
    }

    /// Whether a function of the program does nothing but compute a value from values.
    pub(super) fn is_quiet_helper(&self, index: usize) -> bool {
        self.helpers.0.get(index).is_some_and(|is_quiet| *is_quiet)
    }

    /// Whether an expression itself can fault or does something, its parts aside.
    pub(super) fn acts(&self, expr: &Expr) -> bool {
        let typed = &self.function.typed;
        match expr {
            Expr::Index(index) => match typed.ty(&index.expr) {
                Ty::Index(_) | Ty::Extent(_) => number(&index.index).is_none(),
                Ty::Array(_, length) => match self.program.canonical(*length) {
                    Len::Literal(length) => !self.is_below(&index.index, length.into()),
                    // A literal that is out of bounds is refused.
                    Len::Const(_) => number(&index.index).is_none(),
                },
                _ => true,
            },
            Expr::Binary(binary) => {
                let divides = matches!(
                    BinaryKind::of(&binary.op),
                    BinaryKind::Plain(BinaryOp::Div | BinaryOp::Rem)
                        | BinaryKind::Assign(BinaryOp::Div | BinaryOp::Rem)
                );
                let is_float =
                    matches!(typed.ty(&binary.left), Ty::Scalar(scalar) if scalar.is_float());
                typed.of(binary).callee.is_some()
                    || divides
                        && !is_float
                        && number(&binary.right).is_none_or(|divisor| divisor == 0)
            }
            Expr::Unary(unary) => typed.of(unary).callee.is_some(),
            Expr::Call(_) | Expr::MethodCall(_) => match typed.of(expr).callee {
                Some(Callee::Math(method)) => match method.host {
                    Host::Same | Host::Method(_) => {
                        matches!(method.means, MathMethod::WrappingDivision(_))
                    }
                    Host::Function(name) => !name.ends_with("_float"),
                },
                Some(Callee::Helper(index)) => !self.is_quiet_helper(index),
                Some(
                    Callee::ViewExtent
                    | Callee::ViewSize { .. }
                    | Callee::ExtentSize
                    | Callee::ExtentContains
                    | Callee::Components
                    | Callee::IndexFrom
                    | Callee::ArrayLength(_)
                    | Callee::TupleStruct
                    | Callee::Case { .. }
                    | Callee::Copy
                    | Callee::Convert
                    | Callee::Default,
                ) => false,
                _ => true,
            },
            // It may have no end.
            Expr::While(_) | Expr::Loop(_) => true,
            Expr::Macro(_) | Expr::Try(_) | Expr::Closure(_) => true,
            _ => false,
        }
    }

    /// Whether an expression is an atomic operation, which never faults itself.
    pub(super) fn is_atomic(&self, expr: &Expr) -> bool {
        matches!(self.function.typed.of(expr).callee, Some(Callee::Atomic(_)))
    }

    /// Whether an index is known to be less than a length, by its form.
    fn is_below(&self, index: &Expr, length: u128) -> bool {
        let index = bare(index);
        match index {
            Expr::Cast(cast) => match self.function.typed.ty(&cast.expr) {
                Ty::Scalar(Scalar::U8) => length > u8::MAX.into(),
                Ty::Scalar(Scalar::U16) => length > u16::MAX.into(),
                _ => false,
            },
            Expr::Binary(binary) => match BinaryKind::of(&binary.op) {
                BinaryKind::Plain(BinaryOp::BitAnd) => {
                    [&binary.left, &binary.right].iter().any(|part| {
                        let number = number(part);
                        number.is_some_and(|number| number < length)
                    })
                }
                BinaryKind::Plain(BinaryOp::Rem) => {
                    let divisor = number(&binary.right);
                    divisor.is_some_and(|divisor| (1..=length).contains(&divisor))
                }
                _ => false,
            },
            _ => number(index).is_some_and(|number| number < length),
        }
    }

    /// Whether an expression, or a part of it, can fault or does something.
    pub(super) fn may_act(&self, expr: &Expr) -> bool {
        let mut acts = Acts::of(self);
        acts.visit_expr(expr);
        acts.found
    }

    /// Whether an expression is arithmetic of variables, which costs nothing to repeat.
    pub(super) fn is_arithmetic(&self, expr: &Expr) -> bool {
        let mut arithmetic = Arithmetic {
            function: self.function,
            found_other: false,
        };
        arithmetic.visit_expr(expr);
        !arithmetic.found_other && !self.may_act(expr)
    }
}

/// Whether a value of a type is a copy, and no place that others have.
pub(super) fn is_value(ty: &Ty) -> bool {
    let is_place = matches!(
        ty,
        Ty::View(_)
            | Ty::Bundle(_)
            | Ty::Reference { .. }
            | Ty::Closure(_)
            | Ty::Tiled(_)
            | Ty::Barrier
    );
    !is_place && ty.parts().all(is_value)
}

/// The number that a literal is.
fn number(expr: &Expr) -> Option<u128> {
    match bare(expr) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

struct Acts<'q, 'a> {
    quiet: &'q Quiet<'a>,
    found: bool,
}

impl<'q, 'a> Acts<'q, 'a> {
    fn of(quiet: &'q Quiet<'a>) -> Self {
        Self {
            quiet,
            found: false,
        }
    }
}

impl<'ast> Visit<'ast> for Acts<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.found = self.found || self.quiet.acts(expr);
        if !self.found {
            visit::visit_expr(self, expr);
        }
    }
}

struct Arithmetic<'a> {
    function: &'a FunctionDef,
    found_other: bool,
}

impl<'ast> Visit<'ast> for Arithmetic<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let typed = &self.function.typed;
        let is_arithmetic = match expr {
            Expr::Path(_) => !matches!(typed.of(expr).path, Some(Resolved::TileStatic(_))),
            Expr::Lit(_)
            | Expr::Paren(_)
            | Expr::Group(_)
            | Expr::Binary(_)
            | Expr::Cast(_)
            | Expr::Tuple(_)
            | Expr::Array(_)
            | Expr::Index(_)
            | Expr::Field(_) => true,
            Expr::MethodCall(_) => matches!(
                typed.of(expr).callee,
                Some(
                    Callee::ViewExtent
                        | Callee::ViewSize { .. }
                        | Callee::ExtentSize
                        | Callee::Components
                )
            ),
            _ => false,
        };
        // Numbers of a view's elements are no indices; and floats are seldom.
        let is_value = match typed.ty(expr) {
            Ty::Scalar(scalar) => !scalar.is_float() && *scalar != Scalar::Bool,
            _ => true,
        };
        self.found_other |= !is_arithmetic || !is_value;
        if !self.found_other {
            visit::visit_expr(self, expr);
        }
    }
}
