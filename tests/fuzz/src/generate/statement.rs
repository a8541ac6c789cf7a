//! Statements.

use amp_spirv::tree::*;

use super::Generator;
use super::scope::{Target, Variable};
use crate::build::*;
use crate::world::{ITEM, ROW};

/// Loops within loops.
const MAX_LOOPS: u32 = 3;

impl Generator {
    /// Some statements; the last of them may not complete.
    pub fn statements(&mut self, count: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..count {
            statements.extend(self.statement());
            if let Some(Statement::Expr(last)) = statements.last()
                && last.ty == Type::Never
            {
                break;
            }
        }
        statements
    }

    /// A block of statements with a scope of its own.
    fn inner(&mut self, most: usize) -> Vec<Statement> {
        let seen = self.scope.visible.len();
        let count = self.rng.usize(0..most);
        let statements = self.statements(count);
        self.scope.visible.truncate(seen);
        statements
    }

    /// One statement, with what has to stand before it.
    pub fn statement(&mut self) -> Vec<Statement> {
        self.budget -= 2;
        if self.budget < 0 {
            return Vec::new();
        }
        match self.rng.u8(0..44) {
            0..=11 => vec![self.let_statement()],
            12..=20 => self.assignment(),
            21..=23 if self.scope.is_kernel => vec![self.output()],
            24..=27 => vec![self.branch()],
            28..=32 if self.scope.loops < MAX_LOOPS => self.any_loop(),
            33 => vec![self.labelled_block()],
            34..=36 => self.jump(),
            37 => self.deferred(),
            38 if self.one_in(4) => {
                let condition = self.value(&Type::BOOL, 2);
                vec![Statement::Expr(assert(condition, "it holds"))]
            }
            39 | 40 if self.scope.is_kernel => {
                let atomic = self.atomic_statement();
                vec![atomic.unwrap_or_else(|| self.let_statement())]
            }
            41 | 42 => {
                let view = self.view_statement();
                vec![view.unwrap_or_else(|| self.let_statement())]
            }
            _ => vec![self.let_statement()],
        }
    }

    fn let_statement(&mut self) -> Statement {
        let ty = self.any_ty(2);
        let value = self.value(&ty, 4);
        let name = format!("v{}", self.scope.locals.len());
        let id = self.scope.fresh(&name, ty.clone());
        self.scope.show(Variable {
            id,
            ty,
            assignable: true,
            counts: false,
        });
        let_(id, value)
    }

    fn assignment(&mut self) -> Vec<Statement> {
        let op = self.rng.bool();
        let ty = match op {
            true => self.scalar_ty(),
            false => self.any_ty(2),
        };
        // What is on the left must not be moved by what is on the right.
        let Some(place) = self.assignable(&ty) else {
            return vec![self.let_statement()];
        };
        if !op {
            let value = self.value(&ty, 4);
            return vec![assign(place, value)];
        }
        let (op, value) = self.operation(&ty);
        match self.is_rust() && ty == Type::USIZE {
            // It must stay small.
            true => {
                let value = self.value(&ty, 3);
                vec![assign(place, value)]
            }
            false => vec![assign_op(op, place, value)],
        }
    }

    /// An operator and its right side.
    fn operation(&mut self, ty: &Type) -> (BinaryOp, Expr) {
        let op = self.operator(ty);
        let right = match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift_count(2),
            _ => self.value(ty, 3),
        };
        (op, right)
    }

    /// Writes to an element of this thread.
    fn output(&mut self) -> Statement {
        if self.one_in(3) {
            let ty = self.scalar_ty();
            let mut ways = Vec::new();
            self.ways(&ITEM, &ty, &mut Vec::new(), &mut |way| {
                ways.push(way.to_vec())
            });
            if let Some(way) = self.rng.choice(&ways).cloned() {
                let item = self.own_item();
                let place = self.along(item, way);
                let value = self.value(&ty, 3);
                return assign(place, value);
            }
        }
        if self.one_in(6)
            && let Some(place) = self.any_byte()
        {
            let ty = place.ty.clone();
            let (op, value) = self.operation(&ty);
            return match self.rng.bool() {
                true => assign_op(op, place, value),
                false => assign(place, self.value(&ty, 3)),
            };
        }
        let k = match self.rng.bool() {
            true => usize_(self.rng.u32(0..ROW)),
            false => self.index_below(Len::Literal(ROW)),
        };
        let place = self.word(k);
        if self.rng.bool() {
            let (op, value) = self.operation(&Type::U32);
            return assign_op(op, place, value);
        }
        let value = self.value(&Type::U32, 3);
        assign(place, value)
    }

    fn branch(&mut self) -> Statement {
        let condition = self.value(&Type::BOOL, 3);
        let yes = self.inner(4);
        if self.rng.bool() {
            return when(condition, yes);
        }
        let no = self.inner(4);
        let [yes, no] = [yes, no].map(|statements| {
            let ends =
                matches!(statements.last(), Some(Statement::Expr(it)) if it.ty == Type::Never);
            let ty = if ends { Type::Never } else { Type::Unit };
            block(statements, None, ty)
        });
        let ty = match yes.ty == Type::Never && no.ty == Type::Never {
            true => Type::Never,
            false => Type::Unit,
        };
        Statement::Expr(if_(condition, yes, no, ty))
    }

    /// `let x; if c { x = a } else { x = b }`
    fn deferred(&mut self) -> Vec<Statement> {
        let ty = self.any_ty(1);
        let name = format!("v{}", self.scope.locals.len());
        let id = self.scope.fresh(&name, ty.clone());
        let condition = self.value(&Type::BOOL, 2);
        let [yes, no] = [(); 2].map(|()| {
            let value = self.value(&ty, 2);
            block(vec![assign(local(id, ty.clone()), value)], None, Type::Unit)
        });
        self.scope.show(Variable {
            id,
            ty,
            assignable: false,
            counts: false,
        });
        vec![
            Statement::Let {
                local: id,
                value: None,
            },
            Statement::Expr(if_(condition, yes, no, Type::Unit)),
        ]
    }

    fn labelled_block(&mut self) -> Statement {
        let label = self.scope.label();
        self.scope.targets.push(Target {
            label,
            ty: Type::Unit,
            is_loop: false,
        });
        let body = self.inner(5);
        self.scope.targets.pop();
        let ends = matches!(body.last(), Some(Statement::Expr(it)) if it.ty == Type::Never);
        let ty = if ends { Type::Never } else { Type::Unit };
        let body = block(body, None, ty);
        Statement::Expr(expr(
            ExprKind::LabelledBlock(label, Box::new(body)),
            Type::Unit,
        ))
    }

    /// `if c { jump }`, or rarely a jump that is always taken.
    fn jump(&mut self) -> Vec<Statement> {
        let Some(jump) = self.any_jump() else {
            return vec![self.let_statement()];
        };
        let jump = Statement::Expr(jump);
        if self.one_in(10) {
            return vec![jump];
        }
        let condition = self.value(&Type::BOOL, 3);
        vec![when(condition, vec![jump])]
    }

    /// `break`, `continue` or `return`, if there is anything to leave.
    pub fn any_jump(&mut self) -> Option<Expr> {
        let returns = self.scope.may_return && self.one_in(4);
        if !returns && let Some(target) = self.rng.choice(&self.scope.targets).cloned() {
            if target.is_loop && self.rng.bool() {
                return Some(expr(ExprKind::Continue(target.label), Type::Never));
            }
            let value = match &target.ty {
                Type::Unit => None,
                ty => Some(self.value(&ty.clone(), 2)),
            };
            return Some(break_(target.label, value));
        }
        if !self.scope.may_return {
            return None;
        }
        if !self.scope.is_kernel && self.one_in(12) {
            return Some(panic("it ends"));
        }
        let value = match self.scope.result.clone() {
            Type::Unit => None,
            ty => Some(Box::new(self.value(&ty, 2))),
        };
        Some(expr(ExprKind::Return(value), Type::Never))
    }

    /// The body of a loop that `break` leaves with a value of some type.
    fn body(&mut self, label: LabelId, ty: &Type) -> Vec<Statement> {
        self.scope.targets.push(Target {
            label,
            ty: ty.clone(),
            is_loop: true,
        });
        self.scope.loops += 1;
        let body = self.inner(5);
        self.scope.loops -= 1;
        self.scope.targets.pop();
        body
    }

    fn any_loop(&mut self) -> Vec<Statement> {
        match self.rng.u8(0..4) {
            0 => self.while_loop(),
            1 => {
                let (count, looped) = self.value_loop(&Type::Unit);
                vec![count, Statement::Expr(looped)]
            }
            _ => vec![self.for_loop()],
        }
    }

    /// A counter that ends a loop.
    fn count(&mut self) -> (LocalId, Statement, Expr, Statement) {
        let counter = self.scope.fresh("count", Type::U32);
        let most = u32_(self.rng.u32(1..7));
        let start = let_(counter, u32_(0));
        let goes_on = binary(BinaryOp::Lt, get(counter, Type::U32), most);
        let step = assign_op(BinaryOp::Add, local(counter, Type::U32), u32_(1));
        (counter, start, goes_on, step)
    }

    fn while_loop(&mut self) -> Vec<Statement> {
        let (counter, start, goes_on, step) = self.count();
        self.scope.show(Variable {
            id: counter,
            ty: Type::U32,
            assignable: false,
            counts: true,
        });
        let label = self.scope.label();
        let condition = match self.rng.bool() {
            true => {
                let more = self.value(&Type::BOOL, 3);
                let both = ExprKind::Lazy(LazyOp::And, Box::new(goes_on), Box::new(more));
                expr(both, Type::BOOL)
            }
            false => goes_on,
        };
        let mut body = vec![step];
        body.extend(self.body(label, &Type::Unit));
        let looped = loop_(label, LoopKind::While(condition), body, Type::Unit);
        vec![start, Statement::Expr(looped)]
    }

    /// `loop { .. }` with a value, and the counter that stands before it.
    pub fn value_loop(&mut self, ty: &Type) -> (Statement, Expr) {
        let (counter, start, goes_on, step) = self.count();
        let label = self.scope.label();
        let result = match ty {
            Type::Unit => None,
            ty => Some(self.value(ty, 2)),
        };
        self.scope.show(Variable {
            id: counter,
            ty: Type::U32,
            assignable: false,
            counts: true,
        });
        let done = expr(ExprKind::Unary(UnaryOp::Not, Box::new(goes_on)), Type::BOOL);
        let leave = Statement::Expr(break_(label, result));
        let mut body = vec![when(done, vec![leave]), step];
        body.extend(self.body(label, ty));
        (start, loop_(label, LoopKind::Infinite, body, ty.clone()))
    }

    fn for_loop(&mut self) -> Statement {
        let ty = match self.rng.bool() {
            true => Type::USIZE,
            false => self.integer_ty(),
        };
        let (start, end, inclusive) = self.range(&ty);
        let mut adapters = Vec::new();
        for _ in 0..[0, 0, 0, 1, 1, 2][self.rng.usize(0..6)] {
            let is_step = adapters
                .last()
                .is_some_and(|it| matches!(it, Adapter::StepBy(_)));
            // Rust cannot reverse the steps of a range that does not tell its exact length.
            let exact = !inclusive && ty.scalar().is_none_or(|it| it.bits() < 64);
            if self.rng.bool() && (exact || !(self.is_rust() && is_step)) {
                adapters.push(Adapter::Rev);
            } else {
                adapters.push(Adapter::StepBy(match self.rng.u8(0..8) {
                    0 => self.small(4),
                    _ => usize_(self.rng.u32(1..5)),
                }));
            }
        }
        let label = self.scope.label();
        let counter = self.scope.fresh("i", ty.clone());
        let range = ForRange {
            local: counter,
            start,
            end,
            inclusive,
            adapters,
        };
        let seen = self.scope.visible.len();
        self.scope.show(Variable {
            id: counter,
            ty,
            assignable: false,
            counts: true,
        });
        let body = self.body(label, &Type::Unit);
        self.scope.visible.truncate(seen);
        Statement::Expr(loop_(label, LoopKind::For(range), body, Type::Unit))
    }

    /// The ends of a short range.
    fn range(&mut self, ty: &Type) -> (Expr, Expr, bool) {
        let scalar = ty.scalar().expect("ranges are of integers");
        let literal = |value: i128| {
            let literal = Literal::new(scalar, value as u64);
            expr(ExprKind::Literal(literal), ty.clone())
        };
        let inclusive = self.one_in(3);
        let length = self.rng.i128(0..6);
        if self.is_rust() && *ty == Type::USIZE {
            let end = match self.rng.u8(0..4) {
                0 | 1 => literal(length),
                2 => self.few(),
                _ => self.small(6),
            };
            return (literal(self.rng.i128(0..3)), end, inclusive);
        }
        match self.rng.u8(0..8) {
            0 => {
                let (least, most) = (scalar.min(), scalar.max());
                let (start, end) = match self.rng.bool() {
                    true => (least, least + length),
                    false => (most - length, most),
                };
                (literal(start), literal(end), inclusive)
            }
            1..=3 => {
                let [start, end] = [4, 7].map(|bound| match self.rng.bool() {
                    true => self.few(),
                    false => self.small(bound),
                });
                (cast_if(start, ty), cast_if(end, ty), inclusive)
            }
            4 => (literal(self.rng.i128(0..8)), literal(length), inclusive),
            _ => {
                let start = self.rng.i128(0..3);
                (literal(start), literal(start + length), inclusive)
            }
        }
    }

    /// A place of a type that may be written, if there is one.
    fn assignable(&mut self, ty: &Type) -> Option<Place> {
        if self.scope.is_kernel && self.one_in(8) {
            if *ty == ITEM {
                return Some(self.own_item());
            }
            if *ty == Type::Scalar(Scalar::U8)
                && let Some(byte) = self.any_byte()
            {
                return Some(byte);
            }
            if *ty == Type::U32 {
                let k = self.index_below(Len::Literal(ROW));
                return Some(self.word(k));
            }
        }
        self.place(ty, true)
    }
}

fn cast_if(value: Expr, ty: &Type) -> Expr {
    match value.ty == *ty {
        true => value,
        false => cast(value, ty.clone()),
    }
}
