//! Binary operators, their assigning forms, and the rules of `as`.

use amp_spirv::{
    diagnostic::Code,
    tree::{BinaryOp, LazyOp, Scalar},
};
use proc_macro2::Span;
use syn::{BinOp, Expr, ExprBinary, spanned::Spanned};

use super::{
    context::{Class, FnCx},
    node::bare,
    reference,
    ty::{Kind, Len, Ty},
    typed::Resolved,
};
use crate::language::method::half_of;

/// A binary operator by what it is lowered to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryKind {
    /// An operator of the tree.
    Plain(BinaryOp),
    /// The same, assigning.
    Assign(BinaryOp),
    /// `&&` and `||`.
    Lazy(LazyOp),
}

impl BinaryKind {
    /// What a syntax operator is.
    pub fn of(op: &BinOp) -> BinaryKind {
        use BinaryKind::{Assign, Lazy, Plain};
        match op {
            BinOp::Sub(_) => Plain(BinaryOp::Sub),
            BinOp::Mul(_) => Plain(BinaryOp::Mul),
            BinOp::Div(_) => Plain(BinaryOp::Div),
            BinOp::Rem(_) => Plain(BinaryOp::Rem),
            BinOp::And(_) => Lazy(LazyOp::And),
            BinOp::Or(_) => Lazy(LazyOp::Or),
            BinOp::BitXor(_) => Plain(BinaryOp::BitXor),
            BinOp::BitAnd(_) => Plain(BinaryOp::BitAnd),
            BinOp::BitOr(_) => Plain(BinaryOp::BitOr),
            BinOp::Shl(_) => Plain(BinaryOp::Shl),
            BinOp::Shr(_) => Plain(BinaryOp::Shr),
            BinOp::Eq(_) => Plain(BinaryOp::Eq),
            BinOp::Lt(_) => Plain(BinaryOp::Lt),
            BinOp::Le(_) => Plain(BinaryOp::Le),
            BinOp::Ne(_) => Plain(BinaryOp::Ne),
            BinOp::Ge(_) => Plain(BinaryOp::Ge),
            BinOp::Gt(_) => Plain(BinaryOp::Gt),
            BinOp::AddAssign(_) => Assign(BinaryOp::Add),
            BinOp::SubAssign(_) => Assign(BinaryOp::Sub),
            BinOp::MulAssign(_) => Assign(BinaryOp::Mul),
            BinOp::DivAssign(_) => Assign(BinaryOp::Div),
            BinOp::RemAssign(_) => Assign(BinaryOp::Rem),
            BinOp::BitXorAssign(_) => Assign(BinaryOp::BitXor),
            BinOp::BitAndAssign(_) => Assign(BinaryOp::BitAnd),
            BinOp::BitOrAssign(_) => Assign(BinaryOp::BitOr),
            BinOp::ShlAssign(_) => Assign(BinaryOp::Shl),
            BinOp::ShrAssign(_) => Assign(BinaryOp::Shr),
            // `Add`, and whatever a later version of the parser adds: the type check of
            // the host version would show the difference.
            _ => Plain(BinaryOp::Add),
        }
    }
}

impl FnCx<'_> {
    /// Type of a binary expression.
    pub fn binary(&mut self, binary: &ExprBinary) -> Ty {
        let span = binary.op.span();
        match BinaryKind::of(&binary.op) {
            BinaryKind::Lazy(_) => {
                for side in [&binary.left, &binary.right] {
                    let found = self.expr(side);
                    self.expect(&found, &Ty::BOOL, side);
                }
                Ty::BOOL
            }
            BinaryKind::Plain(op) => {
                let sides = [&*binary.left, &*binary.right];
                let [left, right] = match op.is_comparison() {
                    true => self.compared(sides),
                    false => sides.map(|side| self.operand(side)),
                };
                if let Some(result) = self.comparison_by_parts(op, binary, &left, &right) {
                    return result;
                }
                if self.is_of_module(op, false, &left, &right) {
                    return self.own_operation(op, false, binary, &left, &right);
                }
                if let Some(result) = self.operation_by_bound(op, false, binary, &left, &right) {
                    return result;
                }
                self.operation(op, &left, &right, binary)
            }
            BinaryKind::Assign(op) => {
                let right = self.operand(&binary.right);
                let left = self.expr(&binary.left);
                if !self.writable(&binary.left) {
                    self.unifier.poison(&left);
                    self.unifier.poison(&right);
                    return Ty::Unit;
                }
                if self.is_of_module(op, true, &left, &right) {
                    self.own_operation(op, true, binary, &left, &right);
                    return Ty::Unit;
                }
                if let Some(result) = self.operation_by_bound(op, true, binary, &left, &right) {
                    return result;
                }
                let is_vector = matches!(self.unifier.shallow(&left), Ty::Index(_) | Ty::Extent(_));
                if is_vector && !matches!(&*binary.left, Expr::Path(_)) {
                    self.report.error_help(
                        Code::Operator,
                        span,
                        "an assigning operator on an index inside another value",
                        "write `x = x + y`",
                    );
                }
                let result = self.operation(op, &left, &right, binary);
                self.expect(&result, &left, binary);
                Ty::Unit
            }
        }
    }

    fn operation(&mut self, op: BinaryOp, left: &Ty, right: &Ty, binary: &ExprBinary) -> Ty {
        let span = binary.op.span();
        let (l, r) = (self.unifier.shallow(left), self.unifier.shallow(right));
        if l == Ty::Error || r == Ty::Error {
            return if op.is_comparison() { Ty::BOOL } else { l };
        }
        if let Some(result) = self.vector_binary(op, &l, &r, span) {
            return result;
        }
        if matches!(l, Ty::Index(_) | Ty::Extent(_)) || matches!(r, Ty::Index(_) | Ty::Extent(_)) {
            return self.index_operation(op, &l, &r, span);
        }
        match op {
            BinaryOp::Shl | BinaryOp::Shr => {
                self.oblige(&l, Class::Integer, op.symbol(), span);
                match l {
                    Ty::Param(_) => {
                        self.expect(&r, &Ty::U32, &binary.right);
                    }
                    _ => self.oblige(&r, Class::Integer, op.symbol(), span),
                }
                return l;
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                self.oblige(&l, Class::Bits, op.symbol(), span);
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.oblige(&l, Class::Number, op.symbol(), span);
            }
            _ => self.oblige(&l, Class::Comparable, op.symbol(), span),
        }
        if !self.expect(&r, &l, &binary.right) {
            self.report
                .note(&binary.left, "the left side has this type");
        }
        if op.is_comparison() {
            Ty::BOOL
        } else if l == Ty::Never {
            r
        } else {
            l
        }
    }

    /// Arithmetic of indices and extents (C++ AMP §4.1.4, §4.2.4).
    fn index_operation(&mut self, op: BinaryOp, left: &Ty, right: &Ty, span: Span) -> Ty {
        let array_rank = |ty: &Ty| match ty {
            Ty::Array(_, Len::Literal(length)) => Some(*length),
            _ => None,
        };
        let arithmetic = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem
        );
        let sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let is_count = |cx: &mut Self, ty: &Ty| match ty {
            Ty::Scalar(Scalar::Usize) => true,
            Ty::Var(var) => {
                cx.unifier.kind(*var) != Kind::Float && cx.unifier.unify(ty, &Ty::USIZE)
            }
            _ => false,
        };
        let result = match (left, right) {
            (Ty::Index(m), Ty::Index(n)) | (Ty::Extent(m), Ty::Extent(n)) if m == n => {
                if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                    Some(Ty::BOOL)
                } else {
                    sum.then(|| left.clone())
                }
            }
            (Ty::Extent(m), Ty::Index(n)) if m == n => sum.then(|| left.clone()),
            (Ty::Index(n) | Ty::Extent(n), array) if array_rank(array) == Some(*n) => {
                if let Ty::Array(element, _) = array {
                    self.expect(element, &Ty::USIZE, span);
                }
                sum.then(|| left.clone())
            }
            (Ty::Index(_) | Ty::Extent(_), count) if arithmetic && is_count(self, count) => {
                Some(left.clone())
            }
            (count, Ty::Index(_) | Ty::Extent(_)) if arithmetic && is_count(self, count) => {
                Some(right.clone())
            }
            _ => None,
        };
        result.unwrap_or_else(|| {
            let message = format!(
                "`{}` does not combine {} with {}",
                op.symbol(),
                self.show(left),
                self.show(right)
            );
            self.report.error_help(
                Code::Operator,
                span,
                message,
                "indices of one rank are added and subtracted; with a usize on one side every \
                 component is added, subtracted, multiplied, divided",
            );
            Ty::Error
        })
    }

    /// What `as` refuses although both types are scalars.
    pub fn cast_rules(&mut self, source: &Expr, found: &Ty, target: Scalar, span: Span) {
        let found = self.unifier.shallow(found);
        let from_f32 = format!("write {}", half_of(target, "x"));
        let refused = match (&found, target) {
            (_, target) if target.is_half() => Some(&*from_f32),
            (Ty::Scalar(Scalar::Bool), target) if target.is_float() => {
                Some("convert to an integer first: `b as u32 as f32`")
            }
            (Ty::Enum(_), target) if target.is_float() => {
                Some("convert to an integer first: `e as i32 as f32`")
            }
            (Ty::Enum(_), Scalar::Bool) => Some("compare it: `e == Suit::Hearts`"),
            (Ty::Scalar(scalar), Scalar::Bool) if *scalar != Scalar::Bool => {
                Some("compare it: `x != 0`")
            }
            (Ty::Var(_), Scalar::Bool) if self.typed.of(source).path.is_none() => {
                Some("compare it: `x != 0`")
            }
            _ => None,
        };
        if let Some(help) = refused {
            let message = format!(
                "`as` does not convert {} to `{}`",
                self.show(&found),
                target.name()
            );
            self.report.error_help(Code::Operator, span, message, help);
        }
    }

    /// Requires that an expression is a place that may be written; says whether it is.
    pub fn writable(&mut self, place: &Expr) -> bool {
        let is_bundle = matches!(self.unifier.shallow(self.typed.ty(place)), Ty::Bundle(_));
        let refused = match place {
            _ if is_bundle => Some((
                "a struct with views cannot be assigned",
                "assign elements of its views: `p.a[i] = x`",
            )),
            Expr::Path(_) => match self.typed.of(place).path {
                Some(Resolved::Local(local)) => match &self.typed.locals[local.0 as usize].ty {
                    Ty::View(_) | Ty::Barrier => Some((
                        "a view cannot be assigned",
                        "assign its elements: `c[i] = x`",
                    )),
                    Ty::Reference { mutable, .. } => {
                        let whole = self.unifier.shallow(self.typed.ty(place));
                        let is_slice = matches!(self.unifier.shallow(whole.target()), Ty::Slice(_));
                        match matches!(whole, Ty::Reference { .. }) {
                            true if is_slice => Some((
                                "a `&mut` slice cannot be assigned",
                                "name the part, `let part = &mut rest[1..];`, or keep where it starts: `rest[start] = x; start += 1;`",
                            )),
                            whole => reference::unwritable(*mutable, whole),
                        }
                    }
                    ty if self.typed.of(place).dereferenced
                        && self.program.kept(&self.unifier.shallow(ty)).is_some() =>
                    {
                        reference::unwritable(false, false)
                    }
                    _ => None,
                },
                Some(Resolved::TileStatic(_)) => None,
                // It has been reported.
                None if *self.typed.ty(place) == Ty::Error => return false,
                _ => Some(("a constant cannot be assigned", "use a variable")),
            },
            Expr::Paren(paren) => return self.writable(&paren.expr),
            Expr::Group(group) => return self.writable(&group.expr),
            Expr::Unary(unary) if self.is_reference_to_slice(&unary.expr) => {
                reference::unwritable(self.is_mutable_name(&unary.expr), false)
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                match self.unifier.shallow(self.typed.ty(&unary.expr)) {
                    Ty::Reference { mutable, .. } => reference::unwritable(mutable, false),
                    kept if self.program.kept(&kept).is_some() => {
                        reference::unwritable(false, false)
                    }
                    // It has been reported.
                    _ => return false,
                }
            }
            Expr::Field(field) => match self.unifier.shallow(self.typed.ty(&field.base)) {
                Ty::Bundle(_) => Some((
                    "a field of a struct with views cannot be assigned",
                    "assign elements of its views, `p.a[i] = x`, or a copy: `let mut x = p.x;`",
                )),
                Ty::Tiled(_) => Some((
                    "the fields of a tiled index cannot be assigned",
                    "copy what you want to change: `let mut i = t_idx.global;`",
                )),
                _ => return self.writable(&field.base),
            },
            Expr::Index(index) if self.is_own_index(place) => {
                return self.written_by_index(place, index) && self.writable(&index.expr);
            }
            Expr::Index(index) if self.typed.of(bare(&index.expr)).is_kept_slice => {
                reference::unwritable(false, false)
            }
            Expr::Index(index) => match self.unifier.shallow(self.typed.ty(&index.expr)) {
                Ty::View(view) if !view.mutable && matches!(&*index.expr, Expr::Field(_)) => {
                    Some((
                        "an element of a view that is only read here cannot be assigned",
                        "make the field an `ArrayViewMut`, and take the struct as `&mut`",
                    ))
                }
                Ty::View(view) if !view.mutable => Some((
                    "an element of an `ArrayView` cannot be assigned",
                    "take the view as `&mut ArrayViewMut<T, N>`",
                )),
                Ty::View(_) => None,
                _ => return self.writable(&index.expr),
            },
            Expr::MethodCall(_)
                if matches!(self.unifier.shallow(self.typed.ty(place)), Ty::View(_)) =>
            {
                None
            }
            call if self.typed.of(call).dereferenced && Self::is_lending_call(call) => {
                reference::unwritable(self.lends_to_write(call), false)
            }
            Expr::Tuple(_) => Some((
                "a part of this tuple is not a place that can be assigned",
                "assign variables, fields and elements: `(x, c[i]) = (1, 2)`",
            )),
            Expr::Array(_) => Some((
                "a part of this array is not a place that can be assigned",
                "assign variables, fields and elements: `[x, c[i]] = [1, 2]`",
            )),
            Expr::Struct(_) | Expr::Call(_) => Some((
                "a part of this is not a place that can be assigned",
                "assign variables, fields and elements: `Point { x, y: c[i] } = p`",
            )),
            _ => Some((
                "this is not a place that can be assigned",
                "assign a variable, a field or an element",
            )),
        };
        if let Some((message, help)) = refused {
            self.report
                .error_help(Code::NotAssignable, place, message, help);
            self.note_declaration(place);
        }
        refused.is_none()
    }
}
