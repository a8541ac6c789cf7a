//! From the tree to MIR: [`build`].
//!
//! The tree says what a kernel means; here it is spelled out what is done for that. Variables
//! become values, or slots where they have to be in memory; operations that can fault get their
//! checks; bulk values get slots and copies. One family of nodes a file.
//!
//! # How variables become values
//!
//! The builder walks the tree once, in the order of evaluation, and knows the value of each
//! variable at every point ([`Local`]). Where control comes together, the variables that differ
//! among the ways there become results of the instruction that the ways end; a loop carries the
//! variables that its rounds assign. A variable that had no value before a region has none
//! behind it, but for the names of a pattern, which are declared in front of its guard. Slots are
//! for variables that are bulk, and for those that are indexed by what only the run knows.
//!
//! # What it leaves out
//!
//! What never runs is not built. Nothing is optimised but what an index is known to stay below
//! ([`bounds`]).

mod arithmetic;
mod bounds;
mod bulk;
mod control;
mod function;
mod loops;
mod math;
mod place;
mod variables;
mod view;

use self::bounds::Bounds;
use self::control::Construct;
use super::{End, Function, Inst, InstId, Module, Op, RegionId, Site, SiteId, SlotId, Ty, Value};
use crate::artifact::FaultKind;
use crate::tree::{self, LabelId, Literal, LocalId, Scalar, Span, Type};
use rustc_hash::FxHashSet as HashSet;

/// Builds the MIR of a module that keeps the rules of [`crate::tree`].
pub fn build(tree: &tree::Module) -> Module {
    let messages = tree.messages();
    let mut module = Module {
        name: tree.name.clone(),
        domain: tree.domain.clone(),
        options: tree.options.clone(),
        index: tree.index,
        structs: tree.structs.clone(),
        consts: tree.consts.clone(),
        tile_statics: tree.tile_statics.clone(),
        types: super::Types::default(),
        sites: Vec::new(),
        messages: messages
            .iter()
            .map(|message| super::Message {
                kind: message.kind,
                format: message.format.clone(),
            })
            .collect(),
        functions: Vec::new(),
        pointwise: false,
        proofs: crate::proof::Proofs::default(),
        lanes: 1,
        merged: Vec::new(),
        files: tree.files.clone(),
        locations: tree.locations.clone(),
    };
    for (index, function) in tree.functions.iter().enumerate() {
        let is_kernel = index + 1 == tree.functions.len();
        let function = Builder::new(&mut module, tree, &messages, function, is_kernel).build();
        module.functions.push(function);
    }
    module
}

/// Control does not come out of what was built; the region has its end.
#[derive(Debug)]
struct Diverges;

/// A value, if control gets there.
type Flow<T> = Result<T, Diverges>;

/// A function on its way to MIR.
struct Builder<'m, 'b> {
    tree: &'m tree::Module,
    /// What is built of it.
    module: &'b mut Module,
    /// The distinct messages.
    messages: &'b [&'m tree::Message],
    source: &'m tree::Function,
    function: Function,
    /// What stands behind each variable of the source.
    state: Vec<Local>,
    /// The variables that are used outside of the region that they are declared in.
    escaping: HashSet<LocalId>,
    /// The variables that are used behind a loop that they are declared in, with the loop.
    outliving: HashSet<(LocalId, LabelId)>,
    bounds: Bounds<'m>,
    /// The region that is added to.
    region: RegionId,
    /// The part of the source that is built.
    span: Span,
    /// Loops and labelled blocks around the current point, innermost last.
    constructs: Vec<Construct>,
}

/// What stands behind a variable at some point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Local {
    /// Nothing: it has no value yet, or none ever.
    Absent,
    /// Its value.
    Value(Value),
    /// The slot that it is in.
    Slot(SlotId),
}

/// What an expression gives.
#[derive(Clone, Copy)]
enum Operand {
    /// Nothing but `()`.
    Unit,
    Value(Value),
    /// A bulk value, in a slot that nothing changes before it is used.
    Slot(SlotId),
}

impl Builder<'_, '_> {
    fn ty(&mut self, ty: &Type) -> Ty {
        self.module.types.intern(ty)
    }

    fn is_bulk(&self, ty: &Type) -> bool {
        self.tree.is_bulk(ty)
    }

    /// Adds an instruction with results of these types to the region.
    fn add(&mut self, inst: Inst, results: &[Ty]) -> InstId {
        let id = self.function.new_inst(inst, results);
        self.function.regions[self.region.0 as usize].insts.push(id);
        id
    }

    fn inst(&self, op: Op, args: Vec<Value>) -> Inst {
        Inst::new(op, args, self.span)
    }

    /// Adds an instruction without results.
    fn effect(&mut self, op: Op, args: Vec<Value>, guard: Option<Value>) {
        let inst = Inst {
            guard,
            ..self.inst(op, args)
        };
        self.add(inst, &[]);
    }

    /// Adds an instruction with one result, under a guard.
    fn guarded(&mut self, op: Op, args: Vec<Value>, guard: Option<Value>, ty: &Type) -> Value {
        let ty = self.ty(ty);
        let inst = Inst {
            guard,
            ..self.inst(op, args)
        };
        let id = self.add(inst, &[ty]);
        self.function.inst(id).results[0]
    }

    /// Adds an instruction with one result.
    fn op(&mut self, op: Op, args: Vec<Value>, ty: &Type) -> Value {
        self.guarded(op, args, None, ty)
    }

    /// An operation on `bool`s, or a comparison.
    fn test(&mut self, op: tree::BinaryOp, a: Value, b: Value) -> Value {
        self.op(Op::Binary(op), vec![a, b], &Type::BOOL)
    }

    fn not(&mut self, value: Value) -> Value {
        self.op(Op::Unary(tree::UnaryOp::Not), vec![value], &Type::BOOL)
    }

    fn literal(&mut self, literal: Literal) -> Value {
        self.op(Op::Literal(literal), Vec::new(), Type::of(literal.scalar()))
    }

    /// The integer `value` of a type that has it.
    fn number(&mut self, scalar: Scalar, value: i128) -> Value {
        self.literal(Literal::new(scalar, value as u64))
    }

    /// A `usize`.
    fn index_number(&mut self, value: u32) -> Value {
        self.number(self.tree.index.scalar(), value.into())
    }

    /// The number of an array's elements, a `usize`.
    fn len(&mut self, len: tree::Len) -> Value {
        match len {
            tree::Len::Literal(len) => self.index_number(len),
            tree::Len::Const(id) => self.op(Op::Const(id), Vec::new(), self.tree.index.ty()),
        }
    }

    fn zero(&mut self, ty: &Type) -> Value {
        self.op(Op::Zero, Vec::new(), ty)
    }

    fn cast(&mut self, value: Value, from: &Type, to: &Type) -> Value {
        match from == to {
            true => value,
            false => self.op(Op::Cast, vec![value], to),
        }
    }

    fn extract(&mut self, whole: Value, part: u32, ty: &Type) -> Value {
        self.op(Op::Extract(part), vec![whole], ty)
    }

    /// Ends the region.
    fn end(&mut self, end: End) {
        self.function.regions[self.region.0 as usize].end = end;
    }

    /// A place where a fault can happen.
    fn site(&mut self, kind: FaultKind, span: Span) -> SiteId {
        self.module.sites.push(Site {
            kind,
            lane: 0,
            span,
        });
        SiteId(self.module.sites.len() as u32 - 1)
    }

    /// Records a fault unless a condition holds.
    fn note(&mut self, condition: Value, site: SiteId, operands: [Value; 2]) {
        let [a, b] = operands;
        self.effect(Op::NoteFault(site), vec![condition, a, b], None);
    }

    /// What a fault reports of a check with two sides for each dimension: those of the first
    /// dimension that does not fit. If no other is wrong, it is the last.
    fn first_wrong(
        &mut self,
        sides: &[[Value; 2]],
        mut fits: impl FnMut(&mut Self, [Value; 2], u32) -> Value,
    ) -> [Value; 2] {
        let Some((last, others)) = sides.split_last() else {
            return [self.index_number(0); 2];
        };
        let mut wrong = *last;
        for (k, sides) in others.iter().enumerate().rev() {
            let fits = fits(self, *sides, k as u32);
            for (wrong, side) in wrong.iter_mut().zip(sides) {
                *wrong = self.select(fits, *wrong, *side, self.tree.index.ty());
            }
        }
        wrong
    }
}

/// Whether there are values of a type that MIR computes with.
fn has_value(ty: &Type) -> bool {
    !matches!(ty, Type::Unit | Type::Never | Type::View(_))
}

/// The number of a point's components.
fn rank(ty: &Type) -> u32 {
    match ty {
        Type::Index(rank) | Type::Extent(rank) => *rank,
        _ => 0,
    }
}
