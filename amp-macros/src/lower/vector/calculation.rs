//! Formulas: trees of values that are computed once and used as often as one likes.

use amp_spirv::tree::{self, BinaryOp, ExprKind, Literal, MathOp, Projection, Scalar, Type};

use crate::lower::{FnLower, load, local_place, sequence, usize_literal};

/// A formula under way. Every operation works on vectors as on scalars, a scalar among
/// vectors standing for each component.
pub struct Calculation<'c, 'a, 'p> {
    pub(super) cx: &'c mut FnLower<'a, 'p>,
    statements: Vec<tree::Statement>,
    span: tree::Span,
}

impl<'c, 'a, 'p> Calculation<'c, 'a, 'p> {
    pub fn new(cx: &'c mut FnLower<'a, 'p>, span: tree::Span) -> Self {
        Self {
            cx,
            statements: Vec::new(),
            span,
        }
    }

    /// The whole, whose value is `value`.
    pub fn finish(self, value: tree::Expr) -> tree::Expr {
        sequence(self.statements, value)
    }

    fn expr(&self, kind: ExprKind, ty: Type) -> tree::Expr {
        let span = self.span;
        tree::Expr { kind, ty, span }
    }

    /// The value, computed now and once.
    pub fn keep(&mut self, value: tree::Expr) -> tree::Expr {
        if let ExprKind::Literal(_) | ExprKind::Const(_) = value.kind {
            return value;
        }
        let (ty, span) = (value.ty.clone(), self.span);
        let local = self.cx.temporary("vector", ty.clone(), span);
        let value = Some(value);
        self.statements.push(tree::Statement::Let { local, value });
        load(local_place(local, ty, span))
    }

    /// A number of the scalar type of `like`.
    pub fn number(&self, like: &tree::Expr, value: f64) -> tree::Expr {
        let scalar = scalar(&like.ty);
        let literal = match scalar {
            Scalar::Bool => Literal::Bool(value != 0.0),
            Scalar::F32 => Literal::F32((value as f32).to_bits()),
            Scalar::F64 => Literal::new(Scalar::F64, value.to_bits()),
            other => Literal::new(other, (value as i64).cast_unsigned()),
        };
        self.expr(ExprKind::Literal(literal), Type::Scalar(scalar))
    }

    pub fn binary(&self, op: BinaryOp, a: tree::Expr, b: tree::Expr) -> tree::Expr {
        let wide = match a.ty {
            Type::Vector(..) => &a.ty,
            _ => &b.ty,
        };
        let ty = match op.is_comparison() {
            true => wide.with_scalar(Scalar::Bool),
            false => wide.clone(),
        };
        self.expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    pub fn mul(&self, a: tree::Expr, b: tree::Expr) -> tree::Expr {
        self.binary(BinaryOp::Mul, a, b)
    }

    pub fn neg(&self, a: tree::Expr) -> tree::Expr {
        let ty = a.ty.clone();
        self.expr(ExprKind::Unary(tree::UnaryOp::Neg, Box::new(a)), ty)
    }

    /// A method of the type of its receiver.
    pub fn math(&self, op: MathOp, operands: Vec<tree::Expr>) -> tree::Expr {
        let ty = match op {
            MathOp::IsNan | MathOp::IsFinite => operands[0].ty.with_scalar(Scalar::Bool),
            _ => operands[0].ty.clone(),
        };
        self.expr(ExprKind::Math(op, operands), ty)
    }

    /// `if condition { yes } else { no }`, where both are values.
    pub fn select(&self, condition: tree::Expr, yes: tree::Expr, no: tree::Expr) -> tree::Expr {
        let ty = match no.ty {
            Type::Vector(..) => no.ty.clone(),
            _ => yes.ty.clone(),
        };
        self.expr(ExprKind::Math(MathOp::Select, vec![condition, yes, no]), ty)
    }

    pub fn cast(&self, value: tree::Expr, ty: Type) -> tree::Expr {
        self.expr(ExprKind::Cast(Box::new(value)), ty)
    }

    pub fn construct(&self, ty: Type, parts: Vec<tree::Expr>) -> tree::Expr {
        self.expr(ExprKind::Construct(parts), ty)
    }

    /// A vector of these components.
    pub fn vector(&self, parts: Vec<tree::Expr>) -> tree::Expr {
        let ty = Type::Vector(scalar(&parts[0].ty), parts.len() as u32);
        self.construct(ty, parts)
    }

    /// `value` in each component of the type.
    pub fn splat(&mut self, ty: &Type, value: tree::Expr) -> tree::Expr {
        let value = self.keep(value);
        self.construct(ty.clone(), vec![value; count(ty)])
    }

    /// A part of a kept value: component of a vector, column of a matrix, element of an
    /// array, component of a tuple.
    pub fn part(&self, of: &tree::Expr, k: usize) -> tree::Expr {
        let ty = match &of.ty {
            Type::Vector(scalar, _) => Type::Scalar(*scalar),
            Type::Array(element, _) => (**element).clone(),
            Type::Tuple(parts) => parts[k].clone(),
            other => other.clone(),
        };
        let ExprKind::Load(place) = &of.kind else {
            return self.expr(ExprKind::Field(Box::new(of.clone()), k as u32), ty);
        };
        let mut place = place.clone();
        place.projections.push(match &of.ty {
            Type::Array(..) => Projection::Index(Box::new(usize_literal(k as u32, self.span))),
            _ => Projection::Field(k as u32),
        });
        place.ty = ty;
        load(place)
    }

    /// All parts of a kept value.
    pub fn parts(&self, of: &tree::Expr) -> Vec<tree::Expr> {
        (0..count(&of.ty)).map(|k| self.part(of, k)).collect()
    }

    /// The element of a kept array or matrix, component of a kept vector, at `index`.
    pub fn at(&self, of: &tree::Expr, index: tree::Expr) -> tree::Expr {
        let mut part = self.part(of, 0);
        if let ExprKind::Load(place) = &mut part.kind {
            place.projections.pop();
            place.projections.push(Projection::Index(Box::new(index)));
        }
        part
    }

    /// `a op b op c`
    pub fn fold(&self, op: BinaryOp, parts: Vec<tree::Expr>) -> tree::Expr {
        parts
            .into_iter()
            .reduce(|all, part| self.binary(op, all, part))
            .expect("a vector has components")
    }
}

/// The scalar that a scalar or vector is made of.
pub fn scalar(ty: &Type) -> Scalar {
    match ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => *scalar,
        Type::Array(element, _) => scalar(element),
        _ => Scalar::F32,
    }
}

/// How many parts a vector, matrix, array or tuple has.
pub fn count(ty: &Type) -> usize {
    match ty {
        Type::Vector(_, count) | Type::Array(_, tree::Len::Literal(count)) => *count as usize,
        Type::Tuple(parts) => parts.len(),
        _ => 1,
    }
}
