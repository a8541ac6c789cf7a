//! Random modules that keep the rules of the tree, have no races, and end.
//!
//! Loops count their rounds. A thread writes only its own elements. Barriers stand only
//! where control is uniform, on the kernel's *spine*: its top level, and uniform branches
//! and loops there. No result depends on the bits of a NaN.

mod float;
mod integer;
mod number;
mod scope;
mod shared;
mod spine;
mod statement;
mod value;
mod vector;
mod view;

use amp_spirv::check::check;
use amp_spirv::tree::*;
use fastrand::Rng;

use self::scope::{Scope, Variable};
use crate::build::*;
use crate::number::number_lines;
use crate::program::{Dialect, Program};
use crate::world::{self, Inputs, Param, ROW, Shape};

/// A module on its way.
struct Generator {
    rng: Rng,
    dialect: Dialect,
    structs: Vec<Struct>,
    consts: Vec<Const>,
    constants: Vec<u64>,
    /// The scalars of most variables: few, so that they meet.
    palette: Vec<Scalar>,
    tile_statics: Vec<TileStatic>,
    functions: Vec<Function>,
    shape: Shape,
    /// The function being made.
    scope: Scope,
    /// Nodes that may still be made.
    budget: i32,
}

pub fn program(seed: u64, dialect: Dialect, mut rng: Rng) -> Program {
    let shape = Shape::any(&mut rng);
    let inputs = Inputs::any(&mut rng);
    let mut generator = Generator {
        rng,
        dialect,
        structs: vec![world::item()],
        consts: Vec::new(),
        constants: Vec::new(),
        palette: vec![Scalar::U32, Scalar::U32, Scalar::Usize, Scalar::Bool],
        tile_statics: Vec::new(),
        functions: Vec::new(),
        shape,
        scope: Scope::default(),
        budget: 0,
    };
    generator.items();
    let params: Vec<Param> = Param::ALL
        .into_iter()
        .filter(|param| param.always() || generator.rng.bool())
        .collect();
    let has_barriers = generator.kernel(&params);
    let mut module = Module {
        name: format!("fuzz_{seed}"),
        index: IndexWidth::Bits32,
        domain: shape.domain(),
        domain_span: Span(0),
        options: Options::default(),
        structs: generator.structs,
        consts: generator.consts,
        tile_statics: generator.tile_statics,
        functions: generator.functions,
        files: vec!["fuzz.rs".into()],
        locations: Vec::new(),
    };
    number_lines(&mut module);
    if let Some(tile) = shape.tile() {
        module.options.coarsening = coarsening(tile, &mut generator.rng);
        // Operations of subgroups do not go with it.
        if !check(&module).is_empty() {
            module.options.coarsening = None;
        }
    }
    if dialect == Dialect::Tree && seed.is_multiple_of(3) {
        module.widen_index();
    }
    Program {
        seed,
        module,
        shape,
        params,
        constants: generator.constants,
        inputs,
        has_barriers,
    }
}

/// How many threads of a tile are merged, if they are.
fn coarsening(tile: &[u32], rng: &mut Rng) -> Option<Coarsening> {
    let factors = tile.iter().map(|length| {
        let divisors: Vec<u32> = (1..=*length).filter(|it| length % it == 0).collect();
        *rng.choice(&divisors).expect("1 divides it")
    });
    let (factors, span) = (factors.collect(), Span(0));
    rng.bool().then_some(Coarsening { factors, span })
}

impl Generator {
    /// How many threads of a tile are merged, if they are.
    /// One chance in `n`.
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.u32(0..n) == 0
    }

    fn is_rust(&self) -> bool {
        self.dialect == Dialect::Rust
    }

    /// Structs, constants and helpers.
    fn items(&mut self) {
        self.choose_scalars();
        if self.rng.bool() {
            let width = [8, 16, 32, 64][self.rng.usize(0..4)];
            let fields = (0..self.rng.usize(1..4))
                .map(|k| Field {
                    name: format!("f{k}"),
                    ty: self.field_ty(width),
                })
                .collect();
            self.structs.push(Struct {
                name: "Extra".into(),
                fields,
            });
        }
        for k in 0..self.rng.usize(0..4) {
            let ty = match self.rng.u8(0..3) {
                0 => Scalar::Usize,
                _ => self.palette[self.rng.usize(0..self.palette.len())],
            };
            let bits = match ty {
                Scalar::Usize => self.rng.u64(1..7),
                ty => self.bits(ty),
            };
            self.constants.push(bits);
            self.consts.push(Const {
                name: format!("C{k}"),
                ty,
            });
        }
        for k in 0..self.rng.usize(0..4) {
            self.helper(k);
        }
    }

    fn choose_scalars(&mut self) {
        for _ in 0..self.rng.usize(2..6) {
            let any = Scalar::ALL[self.rng.usize(1..Scalar::ALL.len())];
            let one = match self.rng.u8(0..6) {
                0 | 1 => Scalar::I32,
                2 => Scalar::F32,
                // It is not as wide on the CPU.
                _ if any == Scalar::Isize && self.is_rust() => Scalar::I64,
                _ => any,
            };
            self.palette.push(one);
        }
    }

    /// The type of a field, of scalars of one width: no struct has padding.
    fn field_ty(&mut self, width: u32) -> Type {
        if width == 64 && self.one_in(3) {
            return world::ITEM;
        }
        let scalar = loop {
            let scalar = Scalar::ALL[self.rng.usize(0..Scalar::ALL.len())];
            if scalar.bits() == width && scalar.is_element() {
                break Type::Scalar(scalar);
            }
        };
        match self.one_in(3) {
            true => Type::Array(Box::new(scalar), Len::Literal(self.rng.u32(1..4))),
            false => scalar,
        }
    }

    /// A scalar type.
    fn scalar_ty(&mut self) -> Type {
        Type::Scalar(self.palette[self.rng.usize(0..self.palette.len())])
    }

    /// The type of a variable.
    fn any_ty(&mut self, depth: u32) -> Type {
        if depth == 0 || self.rng.u8(0..4) > 0 {
            return self.scalar_ty();
        }
        match self.rng.u8(0..7) {
            0 | 1 => {
                let parts = self.rng.usize(1..4);
                Type::Tuple((0..parts).map(|_| self.any_ty(depth - 1)).collect())
            }
            2 | 3 => {
                let len = self.len();
                Type::Array(Box::new(self.element_ty(depth - 1)), len)
            }
            4 => Type::Struct(StructId(self.rng.u32(0..self.structs.len() as u32))),
            5 => self.vector_ty(),
            _ => Type::Index(self.rng.u32(1..4)),
        }
    }

    /// The type of the elements of an array or of tile memory. Out of bounds they are read as
    /// zeroes, which glam promises of no mask.
    fn element_ty(&mut self, depth: u32) -> Type {
        loop {
            let ty = self.any_ty(depth);
            let mut has_mask = false;
            for components in 2..5 {
                let mask = Type::Vector(Scalar::Bool, components);
                self.ways(&ty, &mask, &mut Vec::new(), &mut |_| has_mask = true);
            }
            if !(self.is_rust() && has_mask) {
                return ty;
            }
        }
    }

    fn len(&mut self) -> Len {
        let lengths: Vec<u32> = (0..self.consts.len() as u32)
            .filter(|&id| self.consts[id as usize].ty == Scalar::Usize)
            .collect();
        match self.rng.choice(&lengths) {
            Some(&id) if self.one_in(3) => Len::Const(ConstId(id)),
            _ => Len::Literal(self.rng.u32(1..6)),
        }
    }

    fn helper(&mut self, number: usize) {
        let mut scope = Scope::default();
        let values = self.rng.usize(1..4);
        for k in 0..values {
            let ty = self.any_ty(1);
            scope.param(&format!("p{k}"), ty);
        }
        for param in Param::ALL {
            if param.is_read() && self.one_in(6) {
                scope.param(param.name(), param.ty());
            }
        }
        let result = match self.one_in(3) {
            true => self.any_ty(1),
            false => self.scalar_ty(),
        };
        scope.result = result.clone();
        scope.may_return = true;
        self.scope = scope;
        self.budget = self.rng.i32(10..80);
        let count = self.rng.usize(0..4);
        let mut statements = self.statements(count);
        let ends =
            matches!(statements.last(), Some(Statement::Expr(last)) if last.ty == Type::Never);
        let body = if ends {
            block(statements, None, Type::Never)
        } else if self.one_in(6) {
            let value = self.value(&result, 2);
            statements.push(Statement::Expr(expr(
                ExprKind::Return(Some(Box::new(value))),
                Type::Never,
            )));
            block(statements, None, Type::Never)
        } else {
            let value = self.value(&result, 3);
            block(statements, Some(value), result)
        };
        self.finish(format!("helper{number}"), body);
    }

    /// Makes the kernel; says whether it has barriers.
    fn kernel(&mut self, params: &[Param]) -> bool {
        let mut scope = Scope {
            is_kernel: true,
            ..Scope::default()
        };
        scope.param("idx", self.shape.index());
        for param in params {
            scope.param(param.name(), param.ty());
        }
        self.scope = scope;
        self.budget = self.rng.i32(40..260);
        let mut statements = vec![self.position()];
        statements.extend(self.own_row());
        let tiled = self.shape.tile().is_some();
        if tiled && self.rng.u8(0..4) > 0 {
            self.declare_tile_statics();
        }
        let has_barriers = !self.tile_statics.is_empty();
        let count = self.rng.usize(2..8);
        if has_barriers {
            let spine = self.spine(count, 0);
            statements.extend(spine);
        } else {
            self.scope.may_return = true;
            let body = self.statements(count);
            statements.extend(body);
        }
        let ends =
            matches!(statements.last(), Some(Statement::Expr(last)) if last.ty == Type::Never);
        if !ends {
            statements.extend(self.results());
        }
        let ty = if ends { Type::Never } else { Type::Unit };
        let body = block(statements, None, ty);
        self.finish("kernel".into(), body);
        has_barriers
    }

    /// `let me = ..`: the thread's number in the domain.
    fn position(&mut self) -> Statement {
        let rank = self.shape.extent().len();
        let index = |k: u32| {
            let mut place = local(LocalId(0), self.shape.index());
            if self.shape.tile().is_some() {
                let ty = Type::Index(rank as u32);
                place = project(place, Projection::Field(TiledField::Global as u32), ty);
            }
            let step = Projection::Index(Box::new(usize_(k)));
            load(project(place, step, Type::USIZE))
        };
        let mut flat = index(0);
        for (k, &extent) in self.shape.extent().iter().enumerate().skip(1) {
            let row = binary(BinaryOp::Mul, flat, usize_(extent));
            flat = binary(BinaryOp::Add, row, index(k as u32));
        }
        let me = self.scope.fresh("me", Type::USIZE);
        self.scope.show(Variable {
            id: me,
            ty: Type::USIZE,
            assignable: false,
            counts: false,
        });
        self.scope.me = Some(me);
        let_(me, flat)
    }

    /// Writes something of every type, so that little of what was computed is lost.
    fn results(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        for k in 0..ROW {
            let value = self.value(&Type::U32, 3);
            statements.push(assign(self.word(usize_(k)), value));
        }
        let value = self.value(&world::ITEM, 3);
        statements.push(assign(self.own_item(), value));
        for k in 0..world::BYTES {
            if self.scope.view(Param::BytesOut.name()).is_some() {
                let value = self.value(&Type::Scalar(Scalar::U8), 3);
                statements.push(assign(self.byte(usize_(k)), value));
            }
        }
        statements
    }

    fn finish(&mut self, name: String, body: Block) {
        let scope = std::mem::take(&mut self.scope);
        self.functions.push(Function {
            name,
            params: scope.params,
            locals: scope.locals,
            result: scope.result,
            body,
            fast_math: false,
            span: Span(0),
        });
    }
}
