//! What all threads do to the same memory, in whatever order: atomic operations, and sums
//! over subgroups.
//!
//! Nothing looks at what an operation found, and each cell knows one operation. What a
//! subgroup computes is either the same for all sizes of subgroups, or goes by one thread
//! into such a cell.

use amp_spirv::tree::*;

use super::Generator;
use super::scope::Variable;
use crate::build::*;
use crate::world::{ATOMICS, CELLS, Param};

impl Generator {
    /// `atomic_fetch_op(&mut cells[i], value);`, if there are cells.
    pub fn atomic_statement(&mut self) -> Option<Statement> {
        let kind = self.rng.usize(0..ATOMICS.len());
        let place = self.cell(kind)?;
        let value = self.operand(&place.ty.clone(), 3);
        Some(Statement::Expr(atomic(ATOMICS[kind], place, value)))
    }

    /// An operand of an operation. In Rust the place is borrowed while it is computed, so it has no
    /// operations on the same cells.
    fn operand(&mut self, ty: &Type, depth: u32) -> Expr {
        match self.is_rust() {
            true => self.pure_value(ty, depth),
            false => self.value(ty, depth),
        }
    }

    /// A cell for an operation.
    fn cell(&mut self, kind: usize) -> Option<Place> {
        let views: Vec<(LocalId, Type)> = [Param::Cells, Param::SignedCells]
            .iter()
            .filter_map(|param| match param.ty() {
                Type::View(view) => Some((self.scope.view(param.name())?, *view.element)),
                _ => None,
            })
            .collect();
        let (view, ty) = self.rng.choice(&views)?.clone();
        let first = usize_(kind as u32 * CELLS);
        let which = match self.one_in(25) {
            // Behind the last cell.
            true => usize_(CELLS * ATOMICS.len() as u32 + self.rng.u32(0..3)),
            false => self.small(CELLS),
        };
        let index = binary(BinaryOp::Add, first, which);
        Some(element(view, vec![index], ty))
    }

    /// Operations on elements of a tile_static variable, one kind of them, by all threads.
    pub fn tile_atomics(&mut self, elements: impl Fn(&mut Self) -> Place) -> Vec<Statement> {
        let op = ATOMICS[self.rng.usize(0..ATOMICS.len())];
        let mut statements = Vec::new();
        for _ in 0..self.rng.usize(1..4) {
            let place = elements(self);
            let value = self.operand(&place.ty.clone(), 2);
            let statement = Statement::Expr(atomic(op, place, value));
            statements.push(match self.one_in(3) {
                true => {
                    let condition = self.pure_value(&Type::BOOL, 2);
                    when(condition, vec![statement])
                }
                false => statement,
            });
        }
        statements
    }

    /// Something that the threads of a subgroup do together.
    pub fn subgroup(&mut self) -> Vec<Statement> {
        let ty = [Type::U32, Type::I32, Type::F32][self.rng.usize(0..3)].clone();
        let operation = |op, ty: Type, operands| expr(ExprKind::Subgroup(op, operands), ty);
        match self.rng.u8(0..8) {
            0 => {
                let value = self.value(&ty, 3);
                let own = operation(SubgroupOp::Index, Type::USIZE, Vec::new());
                let same = operation(SubgroupOp::Shuffle, ty, vec![value, own]);
                self.seen(same)
            }
            1 => {
                let value = self.value(&ty, 3);
                let same = operation(SubgroupOp::ShuffleXor, ty, vec![value, usize_(0)]);
                self.seen(same)
            }
            2 => {
                let op = [SubgroupOp::All, SubgroupOp::Any][self.rng.usize(0..2)];
                let condition = self.uniform_condition();
                let same = operation(op, Type::BOOL, vec![condition]);
                self.seen(same)
            }
            3 if ty != Type::F32 => {
                let value = self.value(&ty, 3);
                let name = format!("x{}", self.scope.locals.len());
                let x = self.scope.fresh(&name, ty.clone());
                let mut statements = vec![let_(x, value)];
                let [with, without] = [SubgroupOp::InclusiveAdd, SubgroupOp::ExclusiveAdd]
                    .map(|op| operation(op, ty.clone(), vec![get(x, ty.clone())]));
                let own = binary(BinaryOp::Sub, with, without);
                statements.extend(self.seen(own));
                statements
            }
            4 => {
                let condition = self.value(&Type::BOOL, 3);
                let lanes = Type::Array(Box::new(Type::U32), Len::Literal(4));
                let ballot = operation(SubgroupOp::Ballot, lanes.clone(), vec![condition]);
                let name = format!("lanes{}", self.scope.locals.len());
                let id = self.scope.fresh(&name, lanes.clone());
                let count = (0..4).map(|k| {
                    let step = Projection::Index(Box::new(usize_(k)));
                    let word = load(project(local(id, lanes.clone()), step, Type::U32));
                    math(MathOp::CountOnes, Type::U32, vec![word])
                });
                let count = count.reduce(|a, b| binary(BinaryOp::Add, a, b));
                let mut statements = vec![let_(id, ballot)];
                statements.extend(self.gathered(0, count.expect("there are four")));
                statements
            }
            _ => {
                let kind = self.rng.usize(0..3);
                let op = [SubgroupOp::Add, SubgroupOp::Min, SubgroupOp::Max][kind];
                let ty = [Type::U32, Type::I32][self.rng.usize(0..2)].clone();
                let value = self.value(&ty, 3);
                let whole = operation(op, ty, vec![value]);
                self.gathered(kind, whole)
            }
        }
    }

    /// `let v = value;`, which all may see.
    fn seen(&mut self, value: Expr) -> Vec<Statement> {
        let ty = value.ty.clone();
        let name = format!("v{}", self.scope.locals.len());
        let id = self.scope.fresh(&name, ty.clone());
        self.scope.show(Variable {
            id,
            ty,
            assignable: true,
            counts: false,
        });
        vec![let_(id, value)]
    }

    /// What a subgroup has computed together goes into a cell once.
    fn gathered(&mut self, kind: usize, whole: Expr) -> Vec<Statement> {
        let ty = whole.ty.clone();
        let name = format!("whole{}", self.scope.locals.len());
        let id = self.scope.fresh(&name, ty.clone());
        let mut statements = vec![let_(id, whole)];
        let elected = expr(
            ExprKind::Subgroup(SubgroupOp::Elect, Vec::new()),
            Type::BOOL,
        );
        let name = format!("first{}", self.scope.locals.len());
        let first = self.scope.fresh(&name, Type::BOOL);
        statements.push(let_(first, elected));
        let param = match ty == Type::U32 {
            true => Param::Cells,
            false => Param::SignedCells,
        };
        if let Some(view) = self.scope.view(param.name()) {
            let index = usize_(kind as u32 * CELLS + self.rng.u32(0..CELLS));
            let place = element(view, vec![index], ty.clone());
            let add = Statement::Expr(atomic(ATOMICS[kind], place, get(id, ty)));
            statements.push(when(get(first, Type::BOOL), vec![add]));
        }
        statements
    }
}

fn atomic(op: AtomicOp, place: Place, value: Expr) -> Expr {
    let ty = place.ty.clone();
    let atomic = Atomic {
        op,
        place,
        operands: vec![value],
    };
    expr(ExprKind::Atomic(Box::new(atomic)), ty)
}
