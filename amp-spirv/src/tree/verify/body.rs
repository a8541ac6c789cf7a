//! What a function does: types, and where variables and labels can be used.
//!
//! A variable can be used where it is declared on every way there. What is declared in a block
//! can be used behind it, but what is declared in a loop or labelled block cannot. What one side
//! of a condition declares can be used where that side has been evaluated: the names that the
//! guard of a pattern declares, behind the guard.

use super::{Check, Verifier, known};
use crate::tree::rules::{self, fits};
use crate::tree::{
    Adapter, Block, Expr, ExprKind, LabelId, LazyOp, LocalId, Loop, LoopKind, Place, Projection,
    Root, Span, Statement, Type, UnaryOp, ViewStep,
    visit::{self, Node},
};

/// A loop or labelled block around a place.
pub(super) struct Target<'m> {
    label: LabelId,
    /// The type of what a `break` has.
    value: &'m Type,
    is_loop: bool,
}

impl<'m> Verifier<'m> {
    pub(super) fn body(&mut self) {
        let function = self.function;
        self.distinct_labels();
        self.block(&function.body);
    }

    /// No two loops or blocks have the same label, and no two declarations of a view make it from
    /// different ones.
    fn distinct_labels(&mut self) {
        let (mut labels, mut origins) = (Vec::new(), Vec::new());
        let mut wrong = Vec::new();
        visit::block(&self.function.body, &mut |node| match node {
            Node::Expr(expr) => {
                let label = match &expr.kind {
                    ExprKind::Loop(looping) => looping.label,
                    ExprKind::LabelledBlock(label, _) => *label,
                    _ => return,
                };
                if labels.contains(&label) {
                    wrong.push((expr.span, format!("there are two labels '{}", label.0)));
                }
                labels.push(label);
            }
            Node::Let(local, Some(value)) => {
                let origin = (local, value.viewed());
                let mut known = origins.iter().filter(|(of, _)| *of == local);
                if value.viewed().is_some() && known.any(|it| *it != origin) {
                    wrong.push((value.span, "a view is made from two".to_owned()));
                }
                origins.push(origin);
            }
            Node::Let(..) | Node::Done(_) => {}
        });
        for (span, message) in wrong {
            self.error(span, message);
        }
    }

    fn statements(&mut self, block: &'m Block) {
        for statement in &block.statements {
            match statement {
                Statement::Let { local, value } => self.declare(*local, value.as_ref(), block.span),
                Statement::Expr(value) => self.expr(value),
            }
        }
    }

    fn block(&mut self, block: &'m Block) {
        self.statements(block);
        if let Some(value) = &block.value {
            self.value(value);
        }
        self.block_type(block);
    }

    fn block_type(&mut self, block: &Block) {
        let ty = rules::block(block);
        if ty != block.ty {
            let (ty, stated) = (self.text(&ty), self.text(&block.ty));
            self.error(
                block.span,
                format!("a block of type {ty} is said to be {stated}"),
            );
        }
    }

    fn declare(&mut self, local: LocalId, value: Option<&'m Expr>, span: Span) {
        if let Some(value) = value {
            match value.kind {
                ExprKind::Derive(_) => self.expr(value),
                _ => self.value(value),
            }
        }
        let Some(variable) = self.function.locals.get(local.0 as usize) else {
            return self.error(span, format!("there is no variable {}", local.0));
        };
        let span = value.map_or(span, |it| it.span);
        let name = &variable.name;
        match (&variable.ty, value) {
            _ if local.0 < self.function.params => {
                self.error(span, format!("the parameter `{name}` is declared again"));
            }
            (Type::View(_), None) => self.error(span, format!("the view `{name}` has no value")),
            (ty, Some(value)) if !fits(&value.ty, ty) => {
                let found = self.text(&value.ty);
                self.error(span, format!("`{name}` gets a {found}"));
            }
            _ => {}
        }
        self.declared[local.0 as usize] = true;
    }

    fn uses(&mut self, local: LocalId, span: Span) {
        if self.declared.get(local.0 as usize) == Some(&false) {
            let name = &self.function.local(local).name;
            self.error(span, format!("`{name}` is not declared here"));
        }
    }

    /// A value, which is no view.
    fn value(&mut self, value: &'m Expr) {
        self.expr(value);
        self.no_view(value);
    }

    fn no_view(&mut self, value: &Expr) {
        if let Type::View(_) = value.ty {
            self.error(value.span, "a view is no value".to_owned());
        }
    }

    fn values(&mut self, values: impl IntoIterator<Item = &'m Expr>) {
        for value in values {
            self.value(value);
        }
    }

    fn place(&mut self, place: &'m Place) {
        match &place.root {
            Root::Local(local) => self.uses(*local, place.span),
            Root::TileStatic(_) => {}
            Root::Element { view, index } => {
                self.value(index);
                self.uses(*view, place.span);
            }
        }
        for projection in &place.projections {
            if let Projection::Index(index) = projection {
                self.value(index);
            }
        }
        match self.scope.place(place) {
            Ok(ty) if ty != place.ty => {
                let (ty, stated) = (self.text(&ty), self.text(&place.ty));
                self.error(
                    place.span,
                    format!("a place of type {ty} is said to be {stated}"),
                );
            }
            // The expression that the place is of has it, too.
            Ok(_) | Err(_) => {}
        }
    }

    fn expr(&mut self, expr: &'m Expr) {
        self.parts(expr);
        self.typed(expr);
    }

    fn typed(&mut self, expr: &Expr) {
        let check = known(self.module, &expr.ty);
        self.report(expr.span, check);
        match self.scope.expr(&expr.kind, &expr.ty) {
            Ok(ty) if ty == expr.ty => {}
            Ok(ty) => {
                let (ty, stated) = (self.text(&ty), self.text(&expr.ty));
                self.error(expr.span, format!("a {ty} is said to be a {stated}"));
            }
            Err(message) => self.error(expr.span, message),
        }
    }

    fn parts(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::Const(_)
            | ExprKind::Unit
            | ExprKind::Zero
            | ExprKind::Panic
            | ExprKind::Barrier(_)
            | ExprKind::Fence(_)
            | ExprKind::DeviceFence => {}
            ExprKind::ViewExtent(view) | ExprKind::View(view) => self.uses(*view, expr.span),
            ExprKind::Load(place) => self.place(place),
            ExprKind::Unary(_, operand)
            | ExprKind::Cast(operand)
            | ExprKind::Repeat(operand)
            | ExprKind::Field(operand, _) => self.value(operand),
            ExprKind::Binary(_, left, right) => self.values([&**left, &**right]),
            ExprKind::Lazy(op, left, right) => {
                let (holds, fails) = self.lazy(*op, left, right);
                self.declared = both(holds, &fails);
            }
            ExprKind::Math(_, operands)
            | ExprKind::Subgroup(_, operands)
            | ExprKind::Construct(operands) => self.values(operands),
            ExprKind::Message(message) => self.values(&message.operands),
            ExprKind::Call(_, arguments) => arguments.iter().for_each(|it| self.expr(it)),
            ExprKind::Derive(derivation) => {
                self.expr(&derivation.of);
                match &derivation.step {
                    ViewStep::Section { origin, extent } => self.values([origin, extent]),
                    ViewStep::Row(operand) | ViewStep::Shape(operand) => self.value(operand),
                    ViewStep::Elements => {}
                }
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, place, value) => {
                self.value(value);
                self.place(place);
            }
            ExprKind::Atomic(atomic) => {
                self.place(&atomic.place);
                self.values(&atomic.operands);
            }
            ExprKind::If(condition, yes, no) => {
                let (holds, fails) = self.condition(condition);
                self.declared = holds;
                self.block(yes);
                let behind_yes = std::mem::replace(&mut self.declared, fails);
                self.block(no);
                self.declared = match (&yes.ty, &no.ty) {
                    (Type::Never, _) => std::mem::take(&mut self.declared),
                    (_, Type::Never) => behind_yes,
                    _ => both(behind_yes, &self.declared),
                };
            }
            ExprKind::Block(body) => self.block(body),
            ExprKind::LabelledBlock(label, body) => {
                let check = match fits(&body.ty, &expr.ty) {
                    true => Ok(()),
                    false => Err("its body has another type".to_owned()),
                };
                self.report(expr.span, check);
                self.inside(*label, &expr.ty, false, |it| it.block(body));
            }
            ExprKind::Loop(looping) => self.looping(looping, expr),
            ExprKind::Break(label, value) => {
                self.values(value.as_deref());
                let ty = value.as_ref().map_or(&Type::Unit, |it| &it.ty);
                let check = self.jump(*label, Some(ty));
                self.report(expr.span, check);
            }
            ExprKind::Continue(label) => {
                let check = self.jump(*label, None);
                self.report(expr.span, check);
            }
            ExprKind::Return(value) => {
                self.values(value.as_deref());
                let ty = value.as_ref().map_or(&Type::Unit, |it| &it.ty);
                if !fits(ty, &self.function.result) {
                    self.error(expr.span, "returns what is no result".to_owned());
                }
            }
        }
    }

    /// What is declared where a condition holds, and where it does not.
    fn condition(&mut self, of: &'m Expr) -> (Vec<bool>, Vec<bool>) {
        let ways = match &of.kind {
            ExprKind::Lazy(op, left, right) => self.lazy(*op, left, right),
            ExprKind::Unary(UnaryOp::Not, operand) if of.ty == Type::BOOL => {
                let (holds, fails) = self.condition(operand);
                (fails, holds)
            }
            ExprKind::Block(body) if let Some(value) = &body.value => {
                self.statements(body);
                let ways = self.condition(value);
                self.block_type(body);
                ways
            }
            _ => {
                self.parts(of);
                (self.declared.clone(), self.declared.clone())
            }
        };
        self.typed(of);
        ways
    }

    fn lazy(&mut self, op: LazyOp, left: &'m Expr, right: &'m Expr) -> (Vec<bool>, Vec<bool>) {
        let (holds, fails) = self.condition(left);
        match op {
            LazyOp::And => {
                self.declared = holds;
                let (holds, also_fails) = self.condition(right);
                (holds, both(fails, &also_fails))
            }
            LazyOp::Or => {
                self.declared = fails;
                let (also_holds, fails) = self.condition(right);
                (both(holds, &also_holds), fails)
            }
        }
    }

    fn looping(&mut self, looping: &'m Loop, expr: &'m Expr) {
        let before = self.declared.clone();
        let value = match &looping.kind {
            LoopKind::Infinite => &expr.ty,
            LoopKind::While(condition) => {
                let (holds, _) = self.condition(condition);
                self.declared = holds;
                if !fits(&condition.ty, &Type::BOOL) {
                    self.error(condition.span, "a condition is a bool".to_owned());
                }
                &Type::Unit
            }
            LoopKind::For(range) => {
                self.values([&range.start, &range.end]);
                for adapter in &range.adapters {
                    if let Adapter::StepBy(step) = adapter {
                        self.value(step);
                        if !fits(&step.ty, self.module.index.ty()) {
                            self.error(step.span, "a step is a `usize`".to_owned());
                        }
                    }
                }
                let variable = self.function.locals.get(range.local.0 as usize);
                let ty = variable.map(|it| &it.ty);
                let is_integer = ty.and_then(Type::scalar).is_some_and(|it| it.is_integer());
                let bounds = [&range.start, &range.end];
                let fit = ty.is_some_and(|ty| bounds.iter().all(|it| fits(&it.ty, ty)));
                if !is_integer || !fit {
                    self.error(
                        range.start.span,
                        "is no range of the variable's type".to_owned(),
                    );
                } else {
                    self.declared[range.local.0 as usize] = true;
                }
                &Type::Unit
            }
        };
        if !matches!(looping.kind, LoopKind::Infinite) && expr.ty != Type::Unit {
            self.error(expr.span, "only a `loop` has a value".to_owned());
        }
        if !matches!(looping.body.ty, Type::Unit | Type::Never) {
            self.error(expr.span, "the body of a loop has no value".to_owned());
        }
        self.inside(looping.label, value, true, |it| it.block(&looping.body));
        self.declared = before;
    }

    /// What a loop or labelled block has inside, from which nothing declared gets out.
    fn inside(
        &mut self,
        label: LabelId,
        value: &'m Type,
        is_loop: bool,
        body: impl FnOnce(&mut Self),
    ) {
        let before = self.declared.clone();
        self.labels.push(Target {
            label,
            value,
            is_loop,
        });
        body(self);
        self.labels.pop();
        self.declared = before;
    }

    /// Whether something can be left with a value, or gone on with.
    fn jump(&self, label: LabelId, value: Option<&Type>) -> Check {
        let target = self.labels.iter().find(|it| it.label == label);
        match (target, value) {
            (None, _) => Err(format!("nothing around this is '{}", label.0)),
            (Some(target), None) if !target.is_loop => Err("only loops go on".to_owned()),
            (Some(target), Some(value)) if !fits(value, target.value) => {
                Err("leaves with the wrong type".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// What is declared on both of two ways.
fn both(mut one: Vec<bool>, other: &[bool]) -> Vec<bool> {
    one.iter_mut()
        .zip(other)
        .for_each(|(it, other)| *it &= other);
    one
}
