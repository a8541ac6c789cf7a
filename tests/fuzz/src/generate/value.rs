//! Expressions of any type, and places.

use amp_spirv::tree::*;

use super::Generator;
use super::scope::Target;
use crate::build::*;

/// One step on the way to a part of a variable.
#[derive(Clone)]
pub enum Step {
    Field(u32, Type),
    Element(Len, Type),
}

impl Generator {
    /// An expression without effects.
    pub fn pure_value(&mut self, ty: &Type, depth: u32) -> Expr {
        let before = std::mem::replace(&mut self.scope.pure, true);
        let value = self.value(ty, depth);
        self.scope.pure = before;
        value
    }

    /// An expression of a type.
    pub fn value(&mut self, ty: &Type, depth: u32) -> Expr {
        self.budget -= 1;
        if depth > 0 && self.budget > 0 {
            let lower = depth - 1;
            match self.rng.u8(0..24) {
                0 => return self.if_value(ty, lower),
                1 => {
                    if let Some(call) = self.call(ty, lower) {
                        return call;
                    }
                }
                2 if !self.scope.pure => return self.block_value(ty, lower),
                3 if self.one_in(2) => return self.part_of_built(ty, lower),
                _ => {}
            }
        }
        match ty {
            Type::Scalar(scalar) => self.scalar(*scalar, depth),
            Type::Vector(scalar, components) if depth > 0 && self.budget > 0 && self.rng.bool() => {
                self.vector(*scalar, *components, depth - 1)
            }
            _ => self.aggregate(ty, depth),
        }
    }

    fn aggregate(&mut self, ty: &Type, depth: u32) -> Expr {
        if self.rng.bool()
            && let Some(place) = self.place(ty, false)
        {
            return load(place);
        }
        if self.rng.bool()
            && let Some(value) = self.viewed(ty)
        {
            return value;
        }
        let lower = depth.saturating_sub(1);
        let parts: Vec<Type> = match ty {
            Type::Tuple(parts) => parts.clone(),
            Type::Struct(id) => self.structs[id.0 as usize]
                .fields
                .iter()
                .map(|field| field.ty.clone())
                .collect(),
            Type::Index(rank) | Type::Extent(rank) => vec![Type::USIZE; *rank as usize],
            Type::Vector(scalar, components) => {
                vec![Type::Scalar(*scalar); *components as usize]
            }
            Type::Array(element, Len::Literal(len)) if self.rng.bool() => {
                vec![(**element).clone(); *len as usize]
            }
            Type::Array(element, _) => {
                let element = self.value(element, lower);
                return expr(ExprKind::Repeat(Box::new(element)), ty.clone());
            }
            other => panic!("{other:?} has no values"),
        };
        let parts = parts.iter().map(|part| self.value(part, lower)).collect();
        expr(ExprKind::Construct(parts), ty.clone())
    }

    /// `if c { a } else { b }`, where one side may leave.
    fn if_value(&mut self, ty: &Type, depth: u32) -> Expr {
        let condition = self.value(&Type::BOOL, depth);
        let yes = self.value_block(ty, depth);
        let leaves = !self.scope.pure && self.one_in(6);
        let no = match leaves.then(|| self.any_jump()).flatten() {
            Some(jump) => block(vec![Statement::Expr(jump)], None, Type::Never),
            None => self.value_block(ty, depth),
        };
        let (yes, no) = if self.rng.bool() {
            (yes, no)
        } else {
            (no, yes)
        };
        if_(condition, yes, no, ty.clone())
    }

    /// `{ statements value }`
    fn value_block(&mut self, ty: &Type, depth: u32) -> Block {
        if self.scope.pure || self.rng.u8(0..4) > 0 {
            return valued(self.value(ty, depth));
        }
        let seen = self.scope.visible.len();
        let mut statements = self.statement();
        let ends = matches!(statements.last(), Some(Statement::Expr(it)) if it.ty == Type::Never);
        if ends {
            statements.pop();
        }
        let value = self.value(ty, depth);
        self.scope.visible.truncate(seen);
        block(statements, Some(value), ty.clone())
    }

    /// A block, a labelled block or a loop with a value.
    fn block_value(&mut self, ty: &Type, depth: u32) -> Expr {
        match self.rng.u8(0..4) {
            0 => {
                let label = self.scope.label();
                self.scope.targets.push(Target {
                    label,
                    ty: ty.clone(),
                    is_loop: false,
                });
                let seen = self.scope.visible.len();
                let count = self.rng.usize(1..4);
                let mut statements = self.statements(count);
                let ends =
                    matches!(statements.last(), Some(Statement::Expr(it)) if it.ty == Type::Never);
                if ends {
                    statements.pop();
                }
                let value = self.value(ty, depth);
                self.scope.visible.truncate(seen);
                self.scope.targets.pop();
                let body = block(statements, Some(value), ty.clone());
                expr(ExprKind::LabelledBlock(label, Box::new(body)), ty.clone())
            }
            1 if self.scope.loops < 2 => {
                let seen = self.scope.visible.len();
                let (count, looped) = self.value_loop(ty);
                self.scope.visible.truncate(seen);
                let body = block(vec![count], Some(looped), ty.clone());
                expr(ExprKind::Block(Box::new(body)), ty.clone())
            }
            _ => {
                let body = self.value_block(ty, depth);
                expr(ExprKind::Block(Box::new(body)), ty.clone())
            }
        }
    }

    /// `(a, b).1`
    fn part_of_built(&mut self, ty: &Type, depth: u32) -> Expr {
        let other = self.scalar_ty();
        let first = self.rng.bool();
        let parts = match first {
            true => vec![ty.clone(), other],
            false => vec![other, ty.clone()],
        };
        let whole = Type::Tuple(parts.clone());
        let parts = parts.iter().map(|part| self.value(part, depth)).collect();
        let whole = expr(ExprKind::Construct(parts), whole);
        let field = u32::from(!first);
        expr(ExprKind::Field(Box::new(whole), field), ty.clone())
    }

    /// A call of a helper with this result, if there is one.
    fn call(&mut self, ty: &Type, depth: u32) -> Option<Expr> {
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|&k| self.functions[k].result == *ty)
            .collect();
        let callee = *self.rng.choice(&fitting)?;
        let function = &self.functions[callee];
        let params: Vec<Local> = function.locals[..function.params as usize].to_vec();
        let mut arguments = Vec::new();
        for param in params {
            arguments.push(match &param.ty {
                Type::View(wanted) => {
                    let views = self.scope.read_views();
                    let fitting: Vec<LocalId> = views
                        .into_iter()
                        .filter_map(|(id, view)| (view == *wanted).then_some(id))
                        .collect();
                    let view = *self.rng.choice(&fitting)?;
                    expr(ExprKind::View(view), param.ty.clone())
                }
                ty => self.value(ty, depth),
            });
        }
        let kind = ExprKind::Call(FunctionId(callee as u32), arguments);
        Some(expr(kind, ty.clone()))
    }

    /// A place of a type among the variables in sight, if there is one.
    pub fn place(&mut self, ty: &Type, assignable: bool) -> Option<Place> {
        let mut found = Vec::new();
        for variable in &self.scope.visible {
            if !assignable || variable.assignable {
                let mut way = Vec::new();
                self.ways(&variable.ty, ty, &mut way, &mut |way| {
                    found.push((variable.id, variable.ty.clone(), way.to_vec()));
                });
            }
        }
        let (id, whole, way) = self.rng.choice(&found)?.clone();
        Some(self.along(local(id, whole), way))
    }

    /// The part of a place at the end of a way.
    pub fn along(&mut self, mut place: Place, way: Vec<Step>) -> Place {
        for step in way {
            place = match step {
                Step::Field(field, ty) => project(place, Projection::Field(field), ty),
                Step::Element(len, ty) => {
                    let index = Box::new(self.index_below(len));
                    project(place, Projection::Index(index), ty)
                }
            };
        }
        place
    }

    /// The ways from a type to parts of another.
    pub fn ways(
        &self,
        from: &Type,
        to: &Type,
        way: &mut Vec<Step>,
        found: &mut dyn FnMut(&[Step]),
    ) {
        if from == to {
            found(way);
            return;
        }
        let mut go = |this: &Self, step: Step, part: &Type| {
            way.push(step);
            this.ways(part, to, way, found);
            way.pop();
        };
        match from {
            Type::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    go(self, Step::Field(k as u32, part.clone()), part);
                }
            }
            Type::Struct(id) => {
                for (k, field) in self.structs[id.0 as usize].fields.iter().enumerate() {
                    go(self, Step::Field(k as u32, field.ty.clone()), &field.ty);
                }
            }
            Type::TiledIndex(rank) => {
                let part = Type::Index(*rank);
                for k in 0..4 {
                    go(self, Step::Field(k, part.clone()), &part);
                }
            }
            Type::Array(element, len) => {
                go(self, Step::Element(*len, (**element).clone()), element);
            }
            Type::Vector(scalar, components) => {
                let part = Type::Scalar(*scalar);
                for k in 0..*components {
                    go(self, Step::Field(k, part.clone()), &part);
                }
                // A mask has no components to count.
                if *scalar != Scalar::Bool {
                    let len = Len::Literal(*components);
                    go(self, Step::Element(len, part.clone()), &part);
                }
            }
            Type::Index(rank) | Type::Extent(rank) => {
                let len = Len::Literal(*rank);
                go(self, Step::Element(len, Type::USIZE), &Type::USIZE);
            }
            _ => {}
        }
    }

    /// An index that is mostly below a length, and has no effects.
    pub fn index_below(&mut self, len: Len) -> Expr {
        let most = match len {
            // Of nothing no index is below.
            Len::Literal(len) => len.max(1),
            Len::Const(id) => self.constants[id.0 as usize] as u32,
        };
        let counters: Vec<_> = self
            .scope
            .visible
            .iter()
            .filter(|it| it.counts)
            .cloned()
            .collect();
        match self.rng.u8(0..10) {
            0..=2 => {
                // A literal past a length that is not literal is only known to rustc.
                let most = if matches!(len, Len::Const(_)) {
                    1
                } else {
                    most
                };
                usize_(self.rng.u32(0..most))
            }
            3..=6 if !counters.is_empty() => {
                let counter = self.rng.choice(&counters).expect("there are some").clone();
                let value = get(counter.id, counter.ty.clone());
                let value = match counter.ty {
                    Type::Scalar(Scalar::Usize) => value,
                    Type::Scalar(Scalar::U8 | Scalar::U16 | Scalar::U32) => self.as_size(value),
                    _ => {
                        let bits = cast(value, Type::U32);
                        self.as_size(bits)
                    }
                };
                match self.rng.u8(0..6) {
                    0 => binary(BinaryOp::Add, value, usize_(self.rng.u32(0..3))),
                    1 => binary(BinaryOp::Mul, value, usize_(self.rng.u32(0..3))),
                    2 => binary(BinaryOp::Rem, value, usize_(most)),
                    _ => value,
                }
            }
            7 => {
                let value = self.pure_value(&Type::USIZE, 2);
                binary(
                    BinaryOp::BitAnd,
                    value,
                    usize_(most.next_power_of_two() - 1),
                )
            }
            8 if self.one_in(6) => self.small(most + 2),
            _ => self.small(most),
        }
    }

    /// A `usize` below a bound, without effects.
    pub fn small(&mut self, bound: u32) -> Expr {
        let value = self.pure_value(&Type::U32, 2);
        let value = cast(value, Type::USIZE);
        binary(BinaryOp::Rem, value, usize_(bound))
    }

    /// A `usize` below 8 of which no host knows that it is, without effects.
    pub fn few(&mut self) -> Expr {
        let value = self.viewed(&Type::U32);
        let value = value.unwrap_or_else(|| self.pure_value(&Type::U32, 2));
        let value = cast(value, Type::USIZE);
        binary(BinaryOp::Shr, value, u32_(29))
    }

    /// A `u32` as a `usize` that may be computed with.
    pub fn as_size(&mut self, value: Expr) -> Expr {
        let size = cast(value, Type::USIZE);
        match self.is_rust() {
            true => binary(BinaryOp::BitAnd, size, usize_(0xffff)),
            false => size,
        }
    }
}
