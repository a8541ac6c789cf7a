//! The symbols of an analysis: what each stands for, and what operations make of forms.

use super::value::{Form, Symbol, Value};
use crate::tree::{
    BinaryOp, ConstId, Expr, ExprKind, Literal, LocalId, MathOp, Scalar, Type, UnaryOp,
};
use crate::value::number;
use rustc_hash::FxHashMap as HashMap;

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    /// An extent of the tile that is at least 2.
    Dimension(ConstId),
    /// Any other specialization constant.
    Const(ConstId),
    /// Component of a parameter of the kernel, of an extent, of a position of the tile.
    Input(LocalId, Vec<u32>),
    /// An element of a view, or a part of one.
    Element {
        view: LocalId,
        index: Vec<Form>,
        part: Vec<u32>,
        /// Which read it is, if the element may be written.
        read: Option<u32>,
    },
    /// The variable of a loop, by a number of its own.
    Round(u32),
    /// An operation on known values.
    Operation(Operation, Scalar, Vec<Form>),
}

/// What decides a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// Literals and specialization constants.
    Compilation,
    /// Parameters, extents and the position of the tile too.
    Launch,
    /// Elements of views too.
    Data,
}

/// An operation that is not linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Unary(UnaryOp),
    /// With the type of the operands.
    Binary(BinaryOp, Scalar),
    Cast(Scalar),
    Math(MathOp),
}

/// The symbols of an analysis, one for each meaning.
#[derive(Default)]
pub(super) struct Symbols {
    ids: HashMap<Meaning, Symbol>,
    meanings: Vec<Meaning>,
    origins: Vec<Origin>,
}

impl Symbols {
    pub(super) fn form(&mut self, meaning: Meaning) -> Form {
        let symbol = match self.ids.get(&meaning) {
            Some(symbol) => *symbol,
            None => {
                let symbol = Symbol(self.meanings.len() as u32);
                let origin = match &meaning {
                    Meaning::Dimension(_) | Meaning::Const(_) => Origin::Compilation,
                    Meaning::Input(..) => Origin::Launch,
                    Meaning::Element { .. } | Meaning::Round(_) => Origin::Data,
                    Meaning::Operation(_, _, operands) => operands
                        .iter()
                        .map(|operand| self.origin(operand))
                        .max()
                        .unwrap_or(Origin::Compilation),
                };
                self.origins.push(origin);
                self.meanings.push(meaning.clone());
                self.ids.insert(meaning, symbol);
                symbol
            }
        };
        Form::of(symbol)
    }

    pub(super) fn value(&mut self, meaning: Meaning) -> Value {
        Value::Scalar(self.form(meaning))
    }

    /// The variable of a loop.
    pub(super) fn round(&mut self) -> Form {
        self.form(Meaning::Round(self.meanings.len() as u32))
    }

    /// The value of a form of a type, if these symbols are known.
    pub(super) fn evaluate(
        &mut self,
        form: &Form,
        ty: Option<Scalar>,
        known: &HashMap<Symbol, u64>,
    ) -> Option<u64> {
        let ty = ty?;
        let mut sum = Form::constant(form.constant);
        for (symbol, coefficient) in &form.terms {
            let value = match known.get(symbol) {
                Some(value) => *value,
                None => self.operation(*symbol, known)?,
            };
            sum = sum.add(&Form::constant(value), *coefficient, ty);
        }
        sum.known()
    }

    fn operation(&mut self, symbol: Symbol, known: &HashMap<Symbol, u64>) -> Option<u64> {
        let Meaning::Operation(operation, ty, operands) = self.meanings[symbol.0 as usize].clone()
        else {
            return None;
        };
        let of = match operation {
            Operation::Unary(_) | Operation::Math(_) => ty,
            Operation::Binary(_, of) | Operation::Cast(of) => of,
        };
        let values: Option<Vec<Form>> = operands
            .iter()
            .map(|operand| self.evaluate(operand, Some(of), known).map(Form::constant))
            .collect();
        let result = match (operation, &values?[..]) {
            (Operation::Unary(op), [operand]) => self.unary(op, ty, operand),
            (Operation::Binary(op, _), [left, right]) => self.binary(op, of, left, right)?,
            (Operation::Cast(_), [operand]) => self.cast(of, ty, operand),
            _ => return None,
        };
        result.known()
    }

    /// What a value depends on at most.
    pub(super) fn origin(&self, form: &Form) -> Origin {
        let origins = form
            .terms
            .iter()
            .map(|(symbol, _)| self.origins[symbol.0 as usize]);
        origins.max().unwrap_or(Origin::Compilation)
    }

    /// Whether two values are different, where different elements of a view count as
    /// different, and sums and products with such elements.
    pub(super) fn differ(&self, left: &Form, right: &Form) -> bool {
        if let Some(difference) = left.difference(right) {
            return difference != 0;
        }
        let (Some(left), Some(right)) = (left.base(), right.base()) else {
            return false;
        };
        match (
            &self.meanings[left.0 as usize],
            &self.meanings[right.0 as usize],
        ) {
            (
                Meaning::Element {
                    view,
                    index,
                    part,
                    read,
                },
                Meaning::Element {
                    view: view2,
                    index: index2,
                    part: part2,
                    read: read2,
                },
            ) => {
                view == view2
                    && part == part2
                    && read.is_some() == read2.is_some()
                    && self.one_differs(index, index2)
            }
            (
                Meaning::Operation(operation, ty, operands),
                Meaning::Operation(operation2, ty2, operands2),
            ) => {
                let keeps = matches!(
                    operation,
                    Operation::Cast(_)
                        | Operation::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, _)
                );
                keeps
                    && operation == operation2
                    && ty == ty2
                    && self.one_differs(operands, operands2)
            }
            _ => false,
        }
    }

    /// Whether some differ and all others are equal.
    fn one_differs(&self, left: &[Form], right: &[Form]) -> bool {
        left != right
            && left.len() == right.len()
            && left
                .iter()
                .zip(right)
                .all(|(left, right)| left == right || self.differ(left, right))
    }

    /// The values that a form can have.
    fn range(&self, form: &Form, ty: Scalar) -> Option<(i128, i128)> {
        if let Some(value) = form.known() {
            let value = as_number(ty, value);
            return Some((value, value));
        }
        let [(symbol, 1)] = form.terms[..] else {
            return None;
        };
        // Small and perhaps negative, whatever the type.
        let unused = 64 - ty.bits();
        let offset = i128::from((form.constant << unused).cast_signed() >> unused);
        match self.meanings[symbol.0 as usize] {
            // A tile has at most 1024 threads.
            Meaning::Dimension(_) if (-2..i128::from(i32::MAX) - 1024).contains(&offset) => {
                Some((2 + offset, 1024 + offset))
            }
            _ => None,
        }
    }

    /// The result of an operator, a cast or a method, if it is known.
    pub(super) fn result(&mut self, expr: &Expr, operands: &[&Form]) -> Option<Form> {
        let ty = expr.ty.scalar();
        match (&expr.kind, operands) {
            (ExprKind::Unary(op, _), [operand]) => Some(self.unary(*op, ty?, operand)),
            (ExprKind::Binary(op, of, _), [left, right]) => {
                self.binary(*op, of.ty.scalar()?, left, right)
            }
            (ExprKind::Cast(of), [operand]) => Some(self.cast(of.ty.scalar()?, ty?, operand)),
            (ExprKind::Math(op, _), _) => {
                let operands = operands.iter().map(|&operand| operand.clone()).collect();
                Some(self.math(*op, ty?, operands))
            }
            _ => None,
        }
    }

    /// `left op right` of operands of type `ty`.
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: Scalar,
        left: &Form,
        right: &Form,
    ) -> Option<Form> {
        let words = is_counted(ty);
        let folded = match op {
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
                if words || ty == Scalar::Bool =>
            {
                self.compare(op, ty, left, right)
                    .map(|holds| Form::constant(holds.into()))
            }
            BinaryOp::BitAnd | BinaryOp::BitOr if ty == Scalar::Bool => logical(op, left, right),
            BinaryOp::Add if words => Some(left.add(right, 1, ty)),
            BinaryOp::Sub if words => Some(left.minus(right, ty)),
            BinaryOp::Mul if words => match (left.known(), right.known()) {
                (Some(factor), _) => Some(Form::constant(0).add(right, factor, ty)),
                (_, Some(factor)) => Some(Form::constant(0).add(left, factor, ty)),
                _ => None,
            },
            _ if words => match (left.known(), right.known()) {
                (Some(left), Some(right)) => {
                    let [left, right] = [left, right].map(|bits| number::of_bits(ty, bits));
                    let value = number::binary(op, Type::of(ty), &left, &right).ok()?;
                    Some(Form::constant(number::to_bits(ty, &value)).reduced(ty))
                }
                _ => None,
            },
            _ => None,
        };
        Some(folded.unwrap_or_else(|| {
            let result = match op {
                BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge => Scalar::Bool,
                _ => ty,
            };
            let operands = vec![left.clone(), right.clone()];
            self.form(Meaning::Operation(
                Operation::Binary(op, ty),
                result,
                operands,
            ))
        }))
    }

    fn compare(&self, op: BinaryOp, ty: Scalar, left: &Form, right: &Form) -> Option<bool> {
        let difference = left.difference(right);
        match op {
            BinaryOp::Eq if difference.is_some() => return Some(difference == Some(0)),
            BinaryOp::Ne if difference.is_some() => return Some(difference != Some(0)),
            BinaryOp::Le | BinaryOp::Ge if difference == Some(0) => return Some(true),
            BinaryOp::Lt | BinaryOp::Gt if difference == Some(0) => return Some(false),
            _ => {}
        }
        let (left, right) = (self.range(left, ty)?, self.range(right, ty)?);
        let (below, above) = (left.1 < right.0, left.0 > right.1);
        match op {
            BinaryOp::Eq => (below || above).then_some(false),
            BinaryOp::Ne => (below || above).then_some(true),
            BinaryOp::Lt => decide(below, left.0 >= right.1),
            BinaryOp::Le => decide(left.1 <= right.0, above),
            BinaryOp::Gt => decide(above, left.1 <= right.0),
            BinaryOp::Ge => decide(left.0 >= right.1, below),
            _ => None,
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, operand: &Form) -> Form {
        match (op, ty, operand.known()) {
            (UnaryOp::Not, Scalar::Bool, Some(value)) => Form::constant(1 - value.min(1)),
            (UnaryOp::Neg, ty, _) if is_counted(ty) => Form::constant(0).minus(operand, ty),
            (UnaryOp::Not, ty, _) if is_counted(ty) => Form::constant(u64::MAX).minus(operand, ty),
            _ => self.form(Meaning::Operation(
                Operation::Unary(op),
                ty,
                vec![operand.clone()],
            )),
        }
    }

    pub(super) fn cast(&mut self, from: Scalar, to: Scalar, operand: &Form) -> Form {
        let integers = is_counted(from) && is_counted(to);
        if from == to || integers && from.bits() >= to.bits() {
            return operand.clone().reduced(to);
        }
        // A sum that wraps is another one where there is more room.
        if let Some(value) = operand.known()
            && (integers || from == Scalar::Bool && is_counted(to))
        {
            return Form::constant(as_number(from, value) as u64).reduced(to);
        }
        if from == Scalar::Bool && is_counted(to) {
            return operand.clone();
        }
        self.form(Meaning::Operation(
            Operation::Cast(from),
            to,
            vec![operand.clone()],
        ))
    }

    fn math(&mut self, op: MathOp, ty: Scalar, operands: Vec<Form>) -> Form {
        if let ([left, right], MathOp::Min | MathOp::Max) = (&operands[..], op)
            && is_counted(ty)
            && let Some(less) = self.compare(BinaryOp::Le, ty, left, right)
        {
            let first = less == (op == MathOp::Min);
            return if first { left } else { right }.clone();
        }
        self.form(Meaning::Operation(Operation::Math(op), ty, operands))
    }
}

/// Integers that forms compute with: those that no register is too wide for.
pub(super) fn is_counted(ty: Scalar) -> bool {
    ty.is_integer() && ty.bits() >= 32
}

/// Bits as a number of their type.
pub(super) fn as_number(ty: Scalar, bits: u64) -> i128 {
    Literal::new(ty, bits).integer().unwrap_or(bits.into())
}

fn decide(holds: bool, fails: bool) -> Option<bool> {
    match (holds, fails) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// `&` and `|` of conditions.
fn logical(op: BinaryOp, left: &Form, right: &Form) -> Option<Form> {
    let decisive = u64::from(op == BinaryOp::BitOr);
    match (left.known(), right.known()) {
        (Some(known), _) if known == decisive => Some(Form::constant(decisive)),
        (_, Some(known)) if known == decisive => Some(Form::constant(decisive)),
        (Some(_), _) => Some(right.clone()),
        (_, Some(_)) => Some(left.clone()),
        _ if left == right => Some(left.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_wrap_where_their_type_does() {
        let mut symbols = Symbols::default();
        let n = symbols.form(Meaning::Const(ConstId(0)));
        let of = |ty| Form::constant(1 << 31).add(&n, 1 << 31, ty);
        for ty in [Scalar::U32, Scalar::Usize] {
            assert_eq!(of(ty).add(&of(ty), 1, ty), Form::constant(0));
        }
        let twice = of(Scalar::U64).add(&of(Scalar::U64), 1, Scalar::U64);
        assert_eq!(twice.constant, 1 << 32);
        assert_eq!(twice.clone().reduced(Scalar::U32), Form::constant(0));
        assert_eq!(twice.minus(&twice, Scalar::U64), Form::constant(0));
    }

    #[test]
    fn constants_are_those_of_the_type() {
        let mut symbols = Symbols::default();
        for (ty, extreme) in [
            (Scalar::I32, i32::MIN as i128),
            (Scalar::Usize, u32::MAX as i128),
            (Scalar::I64, i64::MIN as i128),
            (Scalar::U64, u64::MAX as i128),
        ] {
            let mut of = |op, left: i128, right: i128| {
                let [left, right] = [left, right].map(|it| Form::constant(it as u64).reduced(ty));
                let value = symbols.binary(op, ty, &left, &right)?.known()?;
                Literal::new(ty, value).integer()
            };
            assert_eq!(of(BinaryOp::Div, extreme, 0), None);
            let one = i128::from(ty.bits()) + 1;
            assert_eq!(of(BinaryOp::Shl, 1, one), Some(2), "{}", ty.name());
            assert_eq!(of(BinaryOp::Shr, extreme, one), Some(extreme >> 1));
            let negated = of(BinaryOp::Div, extreme, -1);
            assert_eq!(negated, (!ty.is_signed()).then_some(1));
        }
    }

    #[test]
    fn only_what_is_known_is_extended() {
        let mut symbols = Symbols::default();
        let n = symbols.form(Meaning::Const(ConstId(0)));
        let next = n.add(&Form::constant(1), 1, Scalar::U32);
        let wide = symbols.cast(Scalar::U32, Scalar::U64, &next);
        assert_eq!(wide.terms.len(), 1);
        assert_eq!(wide.constant, 0);
        let minus_one = Form::constant(u32::MAX.into());
        let wide = symbols.cast(Scalar::I32, Scalar::U64, &minus_one);
        assert_eq!(wide, Form::constant(u64::MAX));
        assert_eq!(symbols.cast(Scalar::U64, Scalar::U32, &wide), minus_one);
        let yes = symbols.cast(Scalar::Bool, Scalar::U64, &n);
        assert_eq!(yes, n);
    }
}
