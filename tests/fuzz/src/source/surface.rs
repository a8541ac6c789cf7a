//! The many ways to write the same: `match` for `if`, `matches!` for a comparison,
//! methods for operators, operators of references, patterns for tuples, literals without a suffix.

use amp_spirv::tree::*;

use super::print::Printer;

impl Printer<'_> {
    /// `if condition yes else no`, or a `match` that does the same.
    pub fn choice(&mut self, condition: &Expr, yes: &Block, no: &Block) -> String {
        if let ExprKind::Binary(BinaryOp::Eq, value, pattern) = &condition.kind
            && let Some(pattern) = integer_pattern(pattern)
            && self.rng.bool()
        {
            let value = self.expr(value);
            let (yes, no) = (self.block(yes), self.block(no));
            return format!("match {value} {{ {pattern} => {yes} _ => {no} }}");
        }
        if let Some(text) = self.picked(condition, yes, no) {
            return text;
        }
        let written = self.expr(condition);
        let (yes_text, no_text) = (self.block(yes), self.block(no));
        match self.rng.u8(0..12) {
            0 => format!("match {written} {{ true => {yes_text} false => {no_text} }}"),
            1 => format!("match 7u32 {{ _ if {written} => {yes_text} _ => {no_text} }}"),
            2 => format!("if let true = {written} {yes_text} else {no_text}"),
            _ if no.statements.is_empty() && no.value.is_none() => {
                format!("if {written} {yes_text}")
            }
            _ => match &no.value {
                Some(value)
                    if no.statements.is_empty() && matches!(value.kind, ExprKind::If(..)) =>
                {
                    let ExprKind::If(condition, yes, no) = &value.kind else {
                        unreachable!("just matched")
                    };
                    let rest = self.choice(condition, yes, no);
                    match rest.starts_with("if ") {
                        true => format!("if {written} {yes_text} else {rest}"),
                        false => format!("if {written} {yes_text} else {{ {rest} }}"),
                    }
                }
                _ => format!("if {written} {yes_text} else {no_text}"),
            },
        }
    }

    /// `a op b` in its other forms; none for the plain one.
    pub fn other_operator(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        let is_number = matches!(a.ty, Type::Scalar(scalar) if scalar != Scalar::Bool);
        if is_number && a.ty == b.ty && self.rng.u8(0..12) == 0 {
            let (a, b) = (self.expr(a), self.expr(b));
            return Some(format!("(&({a}) {} &({b}))", op.symbol()));
        }
        let is_integer = a.ty.scalar().is_some_and(Scalar::is_integer);
        if !is_integer || self.rng.u8(0..6) > 0 {
            return None;
        }
        if let Some(helper) = of_integers(op, a, b) {
            let (a, b) = (self.expr(a), self.expr(b));
            return Some(format!("{helper}({a}, {b})"));
        }
        if let Some(pattern) = integer_pattern(b) {
            let range = match op {
                BinaryOp::Eq => pattern,
                BinaryOp::Le => format!("..={pattern}"),
                BinaryOp::Ge => format!("{pattern}.."),
                _ => return None,
            };
            let value = self.expr(a);
            return Some(format!("matches!({value}, {range})"));
        }
        let method = match op {
            BinaryOp::Add => "wrapping_add",
            BinaryOp::Sub => "wrapping_sub",
            BinaryOp::Mul => "wrapping_mul",
            _ => return None,
        };
        let (a, b) = (self.expr(a), self.expr(b));
        Some(format!("{a}.{method}({b})"))
    }

    /// `let` with its type, or without where the value says it, or taken apart and put
    /// together again.
    pub fn let_(&mut self, name: &str, ty: &Type, value: &Expr) -> String {
        let written = self.expr(value);
        if let Type::View(_) = ty {
            return format!("let mut {name} = {written};");
        }
        if let Type::Tuple(parts) = ty
            && self.rng.bool()
        {
            let names: Vec<String> = (0..parts.len()).map(|k| format!("{name}_{k}")).collect();
            let names = names.join(", ");
            return format!("let ({names},) = {written}; let mut {name} = ({names},);");
        }
        if let Type::Array(_, Len::Literal(count @ 2..=4)) = ty
            && self.rng.bool()
        {
            let rest: Vec<String> = (0..count - 1)
                .map(|k| format!("{name}_rest[{k}]"))
                .collect();
            let (rest, ty) = (rest.join(", "), self.ty(ty));
            return format!(
                "let {name}_all: {ty} = {written}; let [{name}_0, {name}_rest @ ..] = {name}_all; \
                 let mut {name}: {ty} = [{name}_0, {rest}];"
            );
        }
        if let Some(closure) = self.captured(value) {
            return format!("let mut {name}: {} = {closure};", self.ty(ty));
        }
        if says_its_type(value) && self.rng.bool() {
            return format!("let mut {name} = {written};");
        }
        format!("let mut {name}: {} = {written};", self.ty(ty))
    }
}

/// The generic helper that is an operator of integers.
fn of_integers(op: BinaryOp, a: &Expr, b: &Expr) -> Option<&'static str> {
    let is_fixed = |ty: &Type| {
        let scalar = ty.scalar();
        scalar.is_some_and(|it| it.is_integer() && !matches!(it, Scalar::Usize | Scalar::Isize))
    };
    let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
    if !is_fixed(&a.ty) || is_shift && b.ty.scalar() != Some(Scalar::U32) {
        return None;
    }
    Some(match op {
        BinaryOp::BitAnd => "both",
        BinaryOp::BitOr => "either",
        BinaryOp::BitXor => "one_of",
        BinaryOp::Shl => "raised",
        BinaryOp::Shr => "lowered",
        _ => return None,
    })
}

/// Whether rustc and amp know the type of an expression as soon as they see it.
fn says_its_type(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Load(_) | ExprKind::Cast(_) | ExprKind::Call(..) | ExprKind::Const(_) => true,
        ExprKind::Binary(op, left, _) => op.is_comparison() || says_its_type(left),
        ExprKind::Construct(parts) => parts.iter().all(says_its_type),
        _ => false,
    }
}

/// An integer literal as a pattern.
fn integer_pattern(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Literal(literal) => literal.integer().map(|value| value.to_string()),
        ExprKind::Unary(UnaryOp::Neg, inner) => match inner.kind {
            ExprKind::Literal(literal) => literal.integer().map(|value| format!("-{value}")),
            _ => None,
        },
        _ => None,
    }
}
