//! Operators of the user's types: the functions of `impl Add for Vec2` and the like, and
//! what `#[derive(PartialEq)]` gives.

use amp_spirv::{diagnostic::Code, tree::BinaryOp};
use proc_macro2::Span;
use syn::{Expr, ExprBinary, ExprUnary, UnOp, spanned::Spanned};

use super::{context::FnCx, node::NodeId, ty::Ty};

/// The trait of a binary operator and its function.
pub fn operator_trait(op: BinaryOp, assigns: bool) -> (&'static str, &'static str) {
    match (op, assigns) {
        (BinaryOp::Add, false) => ("Add", "add"),
        (BinaryOp::Sub, false) => ("Sub", "sub"),
        (BinaryOp::Mul, false) => ("Mul", "mul"),
        (BinaryOp::Div, false) => ("Div", "div"),
        (BinaryOp::Rem, false) => ("Rem", "rem"),
        (BinaryOp::BitAnd, false) => ("BitAnd", "bitand"),
        (BinaryOp::BitOr, false) => ("BitOr", "bitor"),
        (BinaryOp::BitXor, false) => ("BitXor", "bitxor"),
        (BinaryOp::Shl, false) => ("Shl", "shl"),
        (BinaryOp::Shr, false) => ("Shr", "shr"),
        (BinaryOp::Add, true) => ("AddAssign", "add_assign"),
        (BinaryOp::Sub, true) => ("SubAssign", "sub_assign"),
        (BinaryOp::Mul, true) => ("MulAssign", "mul_assign"),
        (BinaryOp::Div, true) => ("DivAssign", "div_assign"),
        (BinaryOp::Rem, true) => ("RemAssign", "rem_assign"),
        (BinaryOp::BitAnd, true) => ("BitAndAssign", "bitand_assign"),
        (BinaryOp::BitOr, true) => ("BitOrAssign", "bitor_assign"),
        (BinaryOp::BitXor, true) => ("BitXorAssign", "bitxor_assign"),
        (BinaryOp::Shl, true) => ("ShlAssign", "shl_assign"),
        (BinaryOp::Shr, true) => ("ShrAssign", "shr_assign"),
        (BinaryOp::Eq, _) => ("PartialEq", "eq"),
        (BinaryOp::Ne, _) => ("PartialEq", "ne"),
        (BinaryOp::Lt, _) => ("PartialOrd", "lt"),
        (BinaryOp::Le, _) => ("PartialOrd", "le"),
        (BinaryOp::Gt, _) => ("PartialOrd", "gt"),
        (BinaryOp::Ge, _) => ("PartialOrd", "ge"),
    }
}

/// What to write instead of what `Wrapping` does not have.
pub const WRAPPING_HELP: &str = "both operands are `Wrapping`, but that of a shift is a `usize`; for what it does \
    not have, use its number: `Wrapping(x.0.wrapping_pow(2))`";

/// Whether an operator is `==` or `!=`.
pub fn is_equality(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne)
}

/// The trait of `-` or `!` and its function.
pub fn unary_trait(op: &UnOp) -> (&'static str, &'static str) {
    match op {
        UnOp::Neg(_) => ("Neg", "neg"),
        _ => ("Not", "not"),
    }
}

impl FnCx<'_> {
    /// Whether an operator on these types is the user's, rather than the language's.
    pub fn is_of_module(&self, op: BinaryOp, assigns: bool, left: &Ty, right: &Ty) -> bool {
        let (of_trait, _) = operator_trait(op, assigns);
        [left, right].into_iter().any(|side| {
            let side = self.unifier.shallow(self.unifier.shallow(side).target());
            match side {
                Ty::Struct(..) => true,
                Ty::Enum(_) => self
                    .program
                    .methods
                    .iter()
                    .any(|method| method.is_of_library(of_trait) && method.owner == side),
                _ => false,
            }
        })
    }

    /// Type of a binary operator that [`FnCx::is_of_module`].
    pub fn own_operation(
        &mut self,
        op: BinaryOp,
        assigns: bool,
        binary: &ExprBinary,
        left: &Ty,
        right: &Ty,
    ) -> Ty {
        let (l, r) = (self.unifier.shallow(left), self.unifier.shallow(right));
        let result = match op.is_comparison() {
            true => Ty::BOOL,
            false => Ty::Error,
        };
        if l == Ty::Error || r == Ty::Error {
            return result;
        }
        let span = binary.op.span();
        let Some(function) = self.operator_of_module(op, assigns, &l, &r, span) else {
            self.unifier.poison(&l);
            self.unifier.poison(&r);
            return result;
        };
        self.own_call(
            self.typed.id(binary),
            function,
            &[(&l, &binary.left), (&r, &binary.right)],
            span,
        )
    }

    /// Type of `-x` or `!x`, if `x` is of a user's type that has it.
    pub fn own_unary(&mut self, unary: &ExprUnary, operand: &Ty) -> Option<Ty> {
        let operand = self.unifier.shallow(operand);
        let target = self.unifier.shallow(operand.target());
        if !matches!(target, Ty::Struct(..) | Ty::Enum(_)) {
            return None;
        }
        let (of_trait, name) = unary_trait(&unary.op);
        if self.program.operators_of(&target).is_some() {
            self.program
                .declare_standard(&target, name, unary.op.span());
        }
        let mut methods = self.program.methods.iter();
        let found = methods.find(|method| {
            method.is_of_library(of_trait)
                && method.name == name
                && self.fits(&target, &method.owner)
                && self.is_passed_so(method.function, 0, &operand)
        });
        let found = found.map(|method| method.function);
        let span = unary.op.span();
        if found.is_none() && matches!(operand, Ty::Reference { .. }) {
            let symbol = if name == "neg" { "-" } else { "!" };
            let message = format!("`{symbol}` does not apply to {}", self.show(&operand));
            let help = format!(
                "read what it refers to, `{symbol}*a`, or write an `#[amp_fn] impl {of_trait}` for the \
                 reference beside the type"
            );
            self.report.error_help(Code::Operator, span, message, help);
            return Some(Ty::Error);
        }
        let function = found?;
        Some(self.own_call(
            self.typed.id(unary),
            function,
            &[(&operand, &unary.expr)],
            span,
        ))
    }

    /// Whether a function takes a parameter as the operand is: a value, or a reference.
    fn is_passed_so(&self, function: usize, position: usize, operand: &Ty) -> bool {
        let params = &self.program.functions[function].params;
        let is_reference = |ty: &Ty| matches!(ty, Ty::Reference { .. });
        params
            .get(position)
            .is_some_and(|param| is_reference(&param.ty) == is_reference(operand))
    }

    /// The call that an operator is.
    pub fn own_call(
        &mut self,
        node: NodeId,
        function: usize,
        operands: &[(&Ty, &Expr)],
        span: Span,
    ) -> Ty {
        if !self.program.functions[function].parameters.is_empty() {
            let operands: Vec<(&Ty, &Expr)> = operands
                .iter()
                .map(|(found, operand)| (found.target(), *operand))
                .collect();
            return self.generic_operation(node, function, &operands, span);
        }
        let params = self.program.functions[function].params.clone();
        for ((found, operand), param) in operands.iter().zip(&params) {
            self.expect(found.target(), param.ty.target(), *operand);
        }
        self.calls(node, function, span);
        self.program.functions[function].result.clone()
    }

    /// The function of `left op right`, where one side is of a user's type.
    pub fn operator_of_module(
        &mut self,
        op: BinaryOp,
        assigns: bool,
        left: &Ty,
        right: &Ty,
        span: Span,
    ) -> Option<usize> {
        let (of_trait, name) = operator_trait(op, assigns);
        let of = self.unifier.shallow(left.target());
        if self.program.operators_of(&of).is_some() {
            self.program.declare_standard(&of, name, span);
        }
        let methods = &self.program.methods;
        let has = |name: &str| {
            let mut methods = methods.iter();
            methods.any(|method| {
                method.is_of_library(of_trait)
                    && method.name == name
                    && self.fits(left.target(), &method.owner)
            })
        };
        // What is not equal is what `eq` says it is not.
        let name = match name {
            "ne" if !has("ne") => "eq",
            name => name,
        };
        let candidates: Vec<usize> = methods
            .iter()
            .filter(|method| method.is_of_library(of_trait) && method.name == name)
            .filter(|method| self.could_be(left, &method.owner))
            .map(|method| method.function)
            .filter(|function| self.fits_second(*function, left, right))
            .filter(|function| {
                op.is_comparison()
                    || (assigns || self.is_passed_so(*function, 0, left))
                        && self.is_passed_so(*function, 1, right)
            })
            .collect();
        let symbol = format!("{}{}", op.symbol(), if assigns { "=" } else { "" });
        match &*candidates {
            [function] => Some(*function),
            [] => {
                let message = format!(
                    "`{symbol}` does not combine {} with {}",
                    self.show(left),
                    self.show(right)
                );
                let help = match op {
                    _ if self.program.core_name(&of) == Some("Wrapping") => {
                        WRAPPING_HELP.to_owned()
                    }
                    BinaryOp::Eq | BinaryOp::Ne => "derive it, `#[derive(PartialEq)]`, or \
                         write an `#[amp_fn] impl PartialEq` beside the type"
                        .to_owned(),
                    _ if op.is_comparison() => "derive it, `#[derive(PartialOrd)]`, or \
                         write an `#[amp_fn] impl PartialOrd` beside the type"
                        .to_owned(),
                    _ if [left, right]
                        .iter()
                        .any(|side| matches!(side, Ty::Reference { .. })) =>
                    {
                        format!(
                            "read what they refer to, `*a {symbol} *b`, or write an `#[amp_fn] impl \
                             {of_trait}` for the references beside the type"
                        )
                    }
                    _ => format!(
                        "write an `#[amp_fn] impl {of_trait}` beside the type, or apply it to the \
                         components"
                    ),
                };
                self.report.error_help(Code::Operator, span, message, help);
                None
            }
            _ => {
                let message = format!("`{symbol}` has several meanings here");
                let help = "give the operands types where they are declared";
                self.report
                    .error_help(Code::UnknownType, span, message, help);
                None
            }
        }
    }
}
