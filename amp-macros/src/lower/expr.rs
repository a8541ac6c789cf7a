//! Expressions.

use amp_spirv::tree::{self, ExprKind};
use syn::{Expr, ExprCall, ExprMethodCall, UnOp, spanned::Spanned};

use super::{FnLower, frame::Part, load, vector};
use crate::{
    infer::{BinaryKind, Callee, Resolved, Ty, component, member_name},
    language::method::MathMethod,
    report::Place,
};

impl FnLower<'_, '_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> tree::Expr {
        match self.slice_value(expr) {
            Some(value) => value,
            None => self.plain_value(expr),
        }
    }

    /// A value, also of what becomes a slice.
    pub(super) fn plain_value(&mut self, expr: &Expr) -> tree::Expr {
        let outer = std::mem::take(&mut self.pending);
        let value = self.expr_form(expr);
        let before = std::mem::replace(&mut self.pending, outer);
        super::sequence(before, value)
    }

    fn expr_form(&mut self, expr: &Expr) -> tree::Expr {
        if let Some(choice) = self.choice(expr) {
            return choice;
        }
        match expr {
            Expr::Paren(paren) => return self.expr(&paren.expr),
            Expr::Group(group) => return self.expr(&group.expr),
            // Arguments of helpers: views by name.
            Expr::Reference(reference) => return self.expr(&reference.expr),
            _ => {}
        }
        if let Some(value) = self.kept_value(expr) {
            return value;
        }
        if let Some(place) = self.place(expr) {
            return load(place);
        }
        let span = self.span(Place::of(expr));
        if self.finder(expr).is_some() {
            return self.unused_slice(expr, span);
        }
        let part = self.part(expr);
        let typed = &self.frame.function.typed;
        let ty = self.type_of(expr);
        let kind = match expr {
            _ if *typed.ty(expr) == Ty::Barrier => ExprKind::Unit,
            _ if let Some(Part::View(local)) = part => ExprKind::View(local),
            // It is named, and nothing is done with it.
            _ if let Some(Part::Bundle(..)) = part => ExprKind::Unit,
            Expr::Lit(literal) => ExprKind::Literal(self.literal(&literal.lit, &ty)),
            Expr::Path(path) if let Some(value) = self.vector_constant(expr, path) => {
                return value;
            }
            Expr::Path(_) if let Some(constant) = self.own_function(expr) => {
                return self.own_call(constant, &[], ty, span);
            }
            Expr::Path(_) | Expr::Macro(_) | Expr::Const(_) => match self.resolved(expr) {
                Some(Resolved::Const(index)) => return self.constant(index, ty, span),
                Some(Resolved::Known(known)) => return self.known(known, ty, span),
                Some(Resolved::Local(local)) => ExprKind::View(local),
                Some(Resolved::Case { position, .. }) => {
                    return self.of_case((position, 1), Vec::new(), ty, span);
                }
                Some(Resolved::Unit) => ExprKind::Construct(Vec::new()),
                Some(Resolved::Variant { of, position }) => {
                    ExprKind::Literal(self.variant(of, position))
                }
                _ => unreachable!("a tile_static is a place, and nothing else is left"),
            },
            Expr::Unary(unary) if let Some(function) = self.own_function(unary) => {
                return self.own_call(function, &[&unary.expr], ty, span);
            }
            Expr::Unary(unary) => {
                let op = match unary.op {
                    UnOp::Neg(_) => tree::UnaryOp::Neg,
                    _ => tree::UnaryOp::Not,
                };
                let operand = self.expr(&unary.expr);
                if vector::is_matrix(&operand.ty) {
                    return self.matrix_negation(operand, span);
                }
                ExprKind::Unary(op, Box::new(operand))
            }
            Expr::Binary(binary) => match BinaryKind::of(&binary.op) {
                BinaryKind::Lazy(op) => {
                    let left = self.expr(&binary.left);
                    ExprKind::Lazy(op, Box::new(left), Box::new(self.expr(&binary.right)))
                }
                BinaryKind::Plain(op) | BinaryKind::Assign(op)
                    if let Some(own) = self.own_binary(op, binary, &ty, span) =>
                {
                    return own;
                }
                BinaryKind::Plain(op) => {
                    let left = self.expr(&binary.left);
                    let right = self.expr(&binary.right);
                    return self.binary(op, left, right, ty, span);
                }
                BinaryKind::Assign(op) => {
                    let value = self.expr(&binary.right);
                    let (value, place) = self.assigned_place(&binary.left, value);
                    if matches!(place.ty, tree::Type::Index(_) | tree::Type::Extent(_)) {
                        let result = place.ty.clone();
                        let sum = self.binary(op, load(place.clone()), value, result, span);
                        return self.assignment(None, place, sum, span);
                    } else if vector::is_matrix(&place.ty) {
                        return self.matrix_assignment(op, place, value, span);
                    } else {
                        return self.assignment(Some(op), place, value, span);
                    }
                }
            },
            Expr::Assign(assign) => return self.assign(assign),
            Expr::Cast(cast) => match typed.of(expr).const_cast.and_then(|c| c.whole) {
                Some(whole) => ExprKind::Const(self.consts.id(whole)),
                None => ExprKind::Cast(Box::new(self.expr(&cast.expr))),
            },
            Expr::Field(field) => {
                let position = self.field_position(field);
                ExprKind::Field(Box::new(self.expr(&field.base)), position)
            }
            Expr::Index(index) => return self.index_of_value((expr, index), ty, span),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => ExprKind::Unit,
            Expr::Tuple(tuple) => {
                ExprKind::Construct(tuple.elems.iter().map(|part| self.expr(part)).collect())
            }
            Expr::Array(array) => {
                ExprKind::Construct(array.elems.iter().map(|part| self.expr(part)).collect())
            }
            Expr::Repeat(repeat) => ExprKind::Repeat(Box::new(self.expr(&repeat.expr))),
            Expr::Struct(literal) => return self.struct_literal(expr, literal, ty, span),
            Expr::Call(call) => return self.call(expr, call, ty, span),
            Expr::MethodCall(call) => return self.method_call(expr, call, ty, span),
            Expr::If(branch) => {
                let condition = self.expr(&branch.cond);
                let then = self.block(&branch.then_branch);
                let otherwise = match &branch.else_branch {
                    Some((_, otherwise)) => self.as_block(otherwise),
                    None => tree::Block {
                        statements: Vec::new(),
                        value: None,
                        ty: tree::Type::Unit,
                        span,
                    },
                };
                ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Expr::Range(range) => return self.range_value(range, ty, span),
            Expr::Match(choice) => return self.match_expr(choice, ty, span),
            Expr::Try(tried) => {
                let span = self.span(tried.question_token.span());
                return self.propagated(expr, tried, span);
            }
            Expr::Block(block) => match self.label(expr) {
                Some(label) => ExprKind::LabelledBlock(label, Box::new(self.block(&block.block))),
                None => ExprKind::Block(Box::new(self.block(&block.block))),
            },
            Expr::While(_) | Expr::Loop(_) | Expr::ForLoop(_) => {
                return self.loop_expr(expr, ty, span);
            }
            Expr::Break(jump) => {
                let value = jump.expr.as_ref().map(|value| Box::new(self.expr(value)));
                ExprKind::Break(self.target(expr), value)
            }
            Expr::Continue(_) => ExprKind::Continue(self.target(expr)),
            Expr::Return(jump) => {
                let value = jump.expr.as_ref().map(|value| self.expr(value));
                self.leave(value)
            }
            _ => unreachable!("inference refuses every other form"),
        };
        tree::Expr { kind, ty, span }
    }

    pub(super) fn as_block(&mut self, expr: &Expr) -> tree::Block {
        if let Expr::Block(block) = expr
            && block.label.is_none()
        {
            return self.block(&block.block);
        }
        let value = self.expr(expr);
        let (ty, span) = (value.ty.clone(), value.span);
        let (statements, value) = if matches!(ty, tree::Type::Unit | tree::Type::Never) {
            (vec![tree::Statement::Expr(value)], None)
        } else {
            (Vec::new(), Some(Box::new(value)))
        };
        tree::Block {
            statements,
            value,
            ty,
            span,
        }
    }

    fn struct_literal(
        &mut self,
        expr: &Expr,
        literal: &syn::ExprStruct,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let tree::Type::Struct(id) = ty else {
            unreachable!("a struct literal is a struct")
        };
        let mut fields = self.consts.structs[id.0 as usize].fields.clone();
        let case = self.case(self.resolved(expr));
        if let Some((_, case)) = case {
            fields = fields[case.first..case.first + case.fields.len()].to_vec();
            for (field, name) in fields.iter_mut().zip(&case.fields) {
                field.name.clone_from(name);
            }
        }
        // Fields are evaluated as written and stored as declared.
        let mut statements = Vec::new();
        let mut parts: Vec<Option<tree::Expr>> = vec![None; fields.len()];
        let in_order = literal.rest.is_none()
            && literal.fields.iter().enumerate().all(|(i, value)| {
                let field = fields.get(i);
                field.is_some_and(|field| field.name == member_name(&value.member))
            });
        for value in &literal.fields {
            let name = member_name(&value.member);
            let lowered = self.expr(&value.expr);
            let kept = if in_order {
                lowered
            } else {
                let local = self.temporary("field", lowered.ty.clone(), lowered.span);
                let place = super::local_place(local, lowered.ty.clone(), lowered.span);
                let value = Some(lowered);
                statements.push(tree::Statement::Let { local, value });
                load(place)
            };
            if let Some(position) = fields.iter().position(|field| field.name == name) {
                parts[position] = Some(kept);
            }
        }
        if let Some(rest) = &literal.rest {
            let rest = self.borrowed(rest, &mut statements);
            for (position, (part, field)) in parts.iter_mut().zip(&fields).enumerate() {
                part.get_or_insert_with(|| {
                    let mut place = rest.clone();
                    let field_of = tree::Projection::Field(position as u32);
                    place.projections.push(field_of);
                    place.ty = field.ty.clone();
                    load(place)
                });
            }
        }
        let parts = parts.into_iter().flatten().collect();
        let value = match case {
            Some((position, case)) => self.of_case((position, case.first), parts, ty, span),
            None => tree::Expr {
                kind: ExprKind::Construct(parts),
                ty,
                span,
            },
        };
        super::sequence(statements, value)
    }

    fn callee(&self, call: &Expr) -> Callee {
        let facts = self.frame.function.typed.of(call);
        let Some(callee) = &facts.callee else {
            unreachable!("inference refuses calls of nothing")
        };
        callee.clone()
    }

    fn call(
        &mut self,
        expr: &Expr,
        call: &ExprCall,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let callee = self.callee(expr);
        match callee {
            Callee::IndexFrom => return self.index_from(&call.args[0], ty, span),
            Callee::Atomic(function) => return self.atomic(call, function, ty, span),
            Callee::Told(told) => return self.told(call, told),
            Callee::ArrayLength(size) => return self.length(size, span),
            Callee::Convert => return self.converted(&call.args[0], ty, span),
            _ => {}
        }
        let is_inlined = match &callee {
            Callee::Closure(_) => true,
            Callee::Helper(index) => !self.ids.contains_key(index),
            _ => false,
        };
        if is_inlined && !self.growth.admits(span) {
            let kind = ExprKind::Zero;
            return tree::Expr { kind, ty, span };
        }
        if let Callee::Closure(index) = callee {
            return self.closure_call(index, call, ty, span);
        }
        if let Callee::Helper(function) = callee {
            let arguments: Vec<&Expr> = call.args.iter().collect();
            return self.own_call(function, &arguments, ty, span);
        }
        let arguments: Vec<tree::Expr> = match callee {
            Callee::Fence(_) => Vec::new(),
            _ => call
                .args
                .iter()
                .map(|argument| self.expr(argument))
                .collect(),
        };
        let kind = match callee {
            Callee::Default => return self.default_value(self.frame.function.typed.ty(expr), span),
            Callee::TupleStruct => ExprKind::Construct(arguments),
            Callee::Case { of, position } => {
                let first = self.program.structs[of].cases[position].first;
                return self.of_case((position, first), arguments, ty, span);
            }
            Callee::Math(method) => return self.math(method.means, arguments, ty, span),
            Callee::Vector(call) => return self.vector_call(&call, arguments, ty, span),
            Callee::Each(function) => return self.each_call(function, arguments, ty, span),
            Callee::Fence(fence) => ExprKind::Fence(fence),
            Callee::DeviceFence => ExprKind::DeviceFence,
            Callee::Subgroup(op) => ExprKind::Subgroup(op, arguments),
            _ => unreachable!("every other callee is a method"),
        };
        tree::Expr { kind, ty, span }
    }

    fn method_call(
        &mut self,
        expr: &Expr,
        call: &ExprMethodCall,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        match self.callee(expr) {
            Callee::Math(method) => {
                let arguments = self.operands(call);
                self.math(method.means, arguments, ty, span)
            }
            Callee::Vector(of) => {
                let arguments = self.operands(call);
                self.vector_call(&of, arguments, ty, span)
            }
            Callee::Each(function) => {
                let arguments = self.operands(call);
                self.each_call(function, arguments, ty, span)
            }
            Callee::Helper(function) => {
                let mut arguments = vec![&*call.receiver];
                arguments.extend(&call.args);
                self.own_call(function, &arguments, ty, span)
            }
            Callee::Unwrap(unwrapped) => {
                let span = self.span(&call.method);
                self.unwrapped(&call.receiver, &unwrapped, span)
            }
            Callee::Copy => self.expr(&call.receiver),
            Callee::Convert => self.converted(&call.receiver, ty, span),
            Callee::Derived(derived) => self.derived_view(call, derived, ty, span),
            Callee::ViewExtent => self.view_extent(&call.receiver, ty, span),
            Callee::ViewSize { is_empty } => self.view_size(&call.receiver, is_empty, span),
            Callee::ExtentSize => {
                let extent = self.expr(&call.receiver);
                self.extent_size(extent, span)
            }
            Callee::ArrayLength(length) => {
                let length = self.length(length, span);
                if matches!(&*call.receiver, Expr::Path(_)) {
                    return length;
                }
                // What it computes on the way may fault.
                let whole = tree::Statement::Expr(self.expr(&call.receiver));
                super::sequence(vec![whole], length)
            }
            Callee::SliceLength => self.slice_length(&call.receiver, span),
            Callee::IndexFrom => self.index_from(&call.receiver, ty, span),
            Callee::Components => {
                let mut statements = Vec::new();
                let whole = self.expr(&call.receiver);
                let kind = ExprKind::Construct(self.components(whole, &mut statements));
                super::sequence(statements, tree::Expr { kind, ty, span })
            }
            Callee::ExtentContains => {
                let extent = self.expr(&call.receiver);
                let index = self.expr(&call.args[0]);
                self.extent_contains(extent, index, span)
            }
            Callee::Iteration(what) => self.iteration(call, what, ty, span),
            Callee::Barrier(fence) => tree::Expr {
                kind: ExprKind::Barrier(fence),
                ty,
                span,
            },
            _ => unreachable!("every other callee is a function"),
        }
    }

    /// The receiver of a method, and its arguments.
    fn operands(&mut self, call: &ExprMethodCall) -> Vec<tree::Expr> {
        let all = std::iter::once(&*call.receiver).chain(&call.args);
        all.map(|operand| self.expr(operand)).collect()
    }

    fn math(
        &mut self,
        method: MathMethod,
        arguments: Vec<tree::Expr>,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let kind = match method {
            MathMethod::Op(op) => ExprKind::Math(op, arguments),
            MathMethod::Neg | MathMethod::Convert => {
                let [operand] = exactly(arguments);
                match method {
                    MathMethod::Neg => ExprKind::Unary(tree::UnaryOp::Neg, Box::new(operand)),
                    _ => ExprKind::Cast(Box::new(operand)),
                }
            }
            MathMethod::Binary(op) | MathMethod::WrappingDivision(op) => {
                let [left, right] = exactly(arguments);
                let wraps = matches!(method, MathMethod::WrappingDivision(_));
                if wraps && ty.scalar().is_some_and(tree::Scalar::is_signed) {
                    return self.wrapping_division(op, left, right, span);
                }
                ExprKind::Binary(op, Box::new(left), Box::new(right))
            }
        };
        tree::Expr { kind, ty, span }
    }

    /// A variant as the number that it is.
    pub(super) fn variant(&self, of: usize, position: usize) -> tree::Literal {
        let definition = &self.consts.program.enums[of];
        let (_, bits) = definition.variants[position];
        match definition.repr {
            tree::Scalar::U32 => tree::Literal::U32(bits),
            _ => tree::Literal::I32(bits.cast_signed()),
        }
    }

    pub(super) fn field_position(&self, field: &syn::ExprField) -> u32 {
        let name = member_name(&field.member);
        match self.frame.function.typed.ty(&field.base) {
            Ty::Struct(index, _) => {
                let fields = &self.consts.program.structs[*index].fields;
                fields
                    .iter()
                    .position(|(field, _)| *field == name)
                    .unwrap_or(0) as u32
            }
            Ty::Tiled(_) => match name.as_str() {
                "global" => tree::TiledField::Global as u32,
                "local" => tree::TiledField::Local as u32,
                "tile" => tree::TiledField::Tile as u32,
                _ => tree::TiledField::TileOrigin as u32,
            },
            base @ (Ty::Vector(..) | Ty::Matrix(_)) => component(base, &name).unwrap_or(0),
            _ => name.parse().unwrap_or(0),
        }
    }
}

/// The operands of a method, which inference has counted.
fn exactly<const N: usize>(operands: Vec<tree::Expr>) -> [tree::Expr; N] {
    let operands = operands.try_into();
    operands.unwrap_or_else(|_| unreachable!("inference counts the arguments"))
}
