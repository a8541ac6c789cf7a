//! Where control is uniform: threads hand values to each other through tile_static
//! variables.

use amp_spirv::tree::*;

use super::Generator;
use super::scope::Variable;
use crate::build::*;
use crate::world::Param;

impl Generator {
    /// One to three variables with an element for each thread of the tile.
    pub fn declare_tile_statics(&mut self) {
        let tile = self.shape.tile().expect("only tiled kernels have them");
        for k in 0..self.rng.usize(1..4) {
            let mut ty = match self.rng.u8(0..6) {
                0 => self.element_ty(2),
                1 => [Type::U32, Type::I32][self.rng.usize(0..2)].clone(),
                _ => self.scalar_ty(),
            };
            for &extent in tile.iter().rev() {
                ty = Type::Array(Box::new(ty), Len::Literal(extent));
            }
            self.tile_statics.push(TileStatic {
                name: format!("shared{k}"),
                ty,
                span: Span(0),
            });
        }
    }

    /// Statements that all threads of a tile run together.
    pub fn spine(&mut self, count: usize, depth: u32) -> Vec<Statement> {
        let mut statements = Vec::new();
        let seen = self.scope.visible.len();
        for _ in 0..count {
            match self.rng.u8(0..10) {
                0..=3 => statements.extend(self.exchange()),
                4 if depth < 2 => statements.push(self.uniform_loop(depth)),
                5 if depth < 2 => statements.push(self.uniform_branch(depth)),
                6 => statements.extend(self.subgroup()),
                _ => statements.extend(self.statement()),
            }
        }
        if depth > 0 {
            self.scope.visible.truncate(seen);
        }
        statements
    }

    /// A condition that is the same for all threads.
    pub fn uniform_condition(&mut self) -> Expr {
        if let Some(flag) = self.scope.view(Param::Flag.name())
            && self.rng.bool()
        {
            return get(flag, Type::BOOL);
        }
        if let Some(size) = self.scope.view(Param::Size.name()) {
            let bound = usize_(self.rng.u32(0..20));
            return binary(BinaryOp::Lt, get(size, Type::USIZE), bound);
        }
        expr(
            ExprKind::Literal(Literal::Bool(self.rng.bool())),
            Type::BOOL,
        )
    }

    fn uniform_branch(&mut self, depth: u32) -> Statement {
        let condition = self.uniform_condition();
        let counts = [self.rng.usize(1..3), self.rng.usize(0..2)];
        let [yes, no] = counts.map(|count| {
            let statements = self.spine(count, depth + 1);
            block(statements, None, Type::Unit)
        });
        Statement::Expr(if_(condition, yes, no, Type::Unit))
    }

    fn uniform_loop(&mut self, depth: u32) -> Statement {
        let label = self.scope.label();
        let counter = self.scope.fresh("round", Type::USIZE);
        let end = match self.scope.view(Param::Size.name()) {
            Some(size) if self.rng.bool() => {
                let four = usize_(4);
                binary(BinaryOp::Rem, get(size, Type::USIZE), four)
            }
            _ => usize_(self.rng.u32(0..4)),
        };
        let range = ForRange {
            local: counter,
            start: usize_(0),
            end,
            inclusive: false,
            adapters: Vec::new(),
        };
        let seen = self.scope.visible.len();
        self.scope.show(Variable {
            id: counter,
            ty: Type::USIZE,
            assignable: false,
            counts: true,
        });
        self.scope.loops += 1;
        let count = self.rng.usize(1..3);
        let mut body = self.spine(count, depth + 1);
        if self.one_in(3) {
            let condition = self.uniform_condition();
            let leave = Statement::Expr(match self.rng.bool() {
                true => break_(label, None),
                false => expr(ExprKind::Continue(label), Type::Never),
            });
            // Not between a barrier and what it protects.
            let at = if self.rng.bool() { 0 } else { body.len() };
            body.insert(at, when(condition, vec![leave]));
        }
        self.scope.loops -= 1;
        self.scope.visible.truncate(seen);
        Statement::Expr(loop_(label, LoopKind::For(range), body, Type::Unit))
    }

    /// Every thread writes its element, or some do, all wait, every thread reads some, all wait.
    fn exchange(&mut self) -> Vec<Statement> {
        let number = self.rng.u32(0..self.tile_statics.len() as u32);
        let whole = self.tile_statics[number as usize].ty.clone();
        let tile = self.shape.tile().expect("only tiled kernels have them");
        let rank = tile.len() as u32;
        let element_of = |indices: Vec<Expr>| {
            let mut place = tile_static(TileStaticId(number), whole.clone());
            for index in indices {
                let Type::Array(element, _) = place.ty.clone() else {
                    unreachable!("it has as many dimensions as the tile")
                };
                place = project(place, Projection::Index(Box::new(index)), *element);
            }
            place
        };
        let own: Vec<Expr> = (0..rank).map(|k| self.local_index(k)).collect();
        let own = element_of(own);
        let element_ty = own.ty.clone();
        let mut statements = Vec::new();
        let value = self.value(&element_ty, 3);
        let write = assign(own.clone(), value);
        if self.one_in(6) {
            let condition = self.pure_value(&Type::BOOL, 2);
            statements.push(when(condition, vec![write]));
        } else {
            statements.push(write);
        }
        if self.one_in(4) {
            let condition = self.pure_value(&Type::BOOL, 2);
            let value = self.value(&element_ty, 2);
            statements.push(when(condition, vec![assign(own, value)]));
        }
        statements.push(self.barrier());
        let any = |this: &mut Self| {
            let indices = tile
                .iter()
                .map(|&extent| this.index_below(Len::Literal(extent)))
                .collect();
            element_of(indices)
        };
        if matches!(element_ty, Type::I32 | Type::U32) && self.rng.bool() {
            statements.extend(self.tile_atomics(any));
            statements.push(self.barrier());
        }
        for _ in 0..self.rng.usize(1..4) {
            let read = load(any(self));
            let local = self.scope.fresh("got", element_ty.clone());
            statements.push(let_(local, read));
            self.scope.show(Variable {
                id: local,
                ty: element_ty.clone(),
                assignable: true,
                counts: false,
            });
        }
        statements.push(self.barrier());
        statements
    }

    /// `idx.local[k]`
    fn local_index(&self, k: u32) -> Expr {
        let rank = self.shape.extent().len() as u32;
        let index = local(LocalId(0), self.shape.index());
        let field = Projection::Field(TiledField::Local as u32);
        let place = project(index, field, Type::Index(rank));
        let step = Projection::Index(Box::new(usize_(k)));
        load(project(place, step, Type::USIZE))
    }

    fn barrier(&mut self) -> Statement {
        let fence = match self.rng.bool() {
            true => MemoryFence::All,
            false => MemoryFence::TileStatic,
        };
        Statement::Expr(expr(ExprKind::Barrier(fence), Type::Unit))
    }
}
