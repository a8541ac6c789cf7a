//! The optimiser's form of a kernel: structured SSA.
//!
//! # Shape
//!
//! A [`Function`] is a tree of [`Region`]s. A region is a list of [`Inst`]s and an [`End`];
//! instructions such as [`Op::If`] and [`Op::Loop`] own regions, so control flow is always
//! structured and every value dominates its uses by position: a value can be used after its
//! definition in its region, and in all regions inside of those that follow it. Instead of phis
//! a region has parameters, and an instruction with regions has results, which the ends of the
//! regions supply.
//!
//! Locals are values. A [`Slot`] is a variable that stays in memory because it is indexed by
//! what only the run knows, or because it is [bulk](MemoryLayout::is_bulk): an array or struct of
//! too many scalars to be one value.
//!
//! # Faults
//!
//! Checks are explicit. A bounds check is a pure value ([`Op::InBounds`]), and the access names
//! the value that it runs under ([`Inst::guard`]): if that is false a load yields zero and a
//! store does nothing. [`Op::NoteFault`] records the thread's first fault. So a pass that moves,
//! merges or proves pure values moves, merges or proves checks. At the end guards and notes become
//! branches (`opt/branches.rs`): an access then stands in an `if` whose condition was its guard.
//!
//! # Rules
//!
//! * Every value is defined once, before its uses, and has the type that its definition's row in
//!   [`Op::info`] and the operands imply.
//! * An access with an index runs under a guard that implies [`Op::InBounds`] of the same
//!   operands: the guard is that value, or a conjunction (`&` of `bool`) that contains it. The
//!   conditions of the `if`s around it count as well, in the regions where they hold.
//! * The end of a region passes as many values as its target takes, of the same types.
//! * No region takes or passes a view, and no value is bulk.
//! * `Break` and `Continue` name a loop around them, `Break` also a block. What follows an
//!   instruction that never completes is only [`End::Unreachable`].
//! * Callees precede callers; the kernel is the last function.
//!
//! # What it leaves out
//!
//! Names, closures and references are gone, as in the tree it is built from. Bit-exactness of
//! floats and packed storage are decided below, in `emit`.

mod build;
#[cfg(feature = "testing")]
pub mod interpret;
mod names;
mod op;
#[cfg(feature = "testing")]
mod parse;
mod place;
mod text;
mod types;
#[cfg(feature = "testing")]
mod verify;

pub use self::build::build;
pub use self::op::{Access, Base, Bound, Effects, Hidden, Memory, Op, OpInfo, Proof, Step};
#[cfg(feature = "testing")]
pub use self::parse::{ParseError, parse};
pub use self::types::{Ty, Types};
#[cfg(feature = "testing")]
pub use self::verify::verify;

use crate::artifact::{FaultKind, MessageKind};
use crate::proof::Proofs;
use crate::tree::{
    BinaryOp, Const, Domain, IndexWidth, Literal, Location, MemoryLayout, Options, Span, Struct,
    TileStatic,
};

/// A kernel with the functions that it calls.
#[derive(Clone, Debug)]
pub struct Module {
    /// The kernel's Rust name.
    pub name: String,
    /// What the kernel runs over.
    pub domain: Domain,
    /// What it asks of the compiler. Coarsening is gone once it is done ([`Module::merged`]).
    pub options: Options,
    /// How wide its indices are.
    pub index: IndexWidth,
    /// User structs, each before those that contain it.
    pub structs: Vec<Struct>,
    /// Constants that the host supplies as specialization constants.
    pub consts: Vec<Const>,
    /// Variables shared by the threads of a tile.
    pub tile_statics: Vec<TileStatic>,
    /// The types of all values.
    pub types: Types,
    /// Places where a fault can happen, by [`SiteId`].
    pub sites: Vec<Site>,
    /// Texts of assertions, panics and prints, by [`MessageId`].
    pub messages: Vec<Message>,
    /// Callees before callers; the kernel last, and before it the wide kernel, if there is one.
    pub functions: Vec<Function>,
    /// Whether the kernel, as it is written, is [`pointwise`](crate::analysis::pointwise).
    pub pointwise: bool,
    /// Checks that the host makes for each launch; see [`Proof::Launch`].
    pub proofs: Proofs,
    /// How many neighbouring indices of the last dimension a thread of the wide kernel runs, the
    /// first of which is its own; 1 if there is none.
    pub lanes: u32,
    /// How many threads of a tile the kernel runs in each dimension, as far apart as the tile then
    /// has threads there: with two of a tile of 8, its second runs 1 and 5. None if it runs one.
    pub merged: Vec<u32>,
    /// Source files by [`Location::file`].
    pub files: Vec<String>,
    /// Source positions by [`Span`].
    pub locations: Vec<Location>,
}

/// A place where a kernel can fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// What can go wrong there.
    pub kind: FaultKind,
    /// For which of the indices of a thread, counted from its first; row-major, if threads of a
    /// tile are merged.
    pub lane: u32,
    /// Where it is in the source.
    pub span: Span,
}

/// The text of an assertion, panic or print. Its operands are those of the instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Where it goes.
    pub kind: MessageKind,
    /// The format string, whose arguments are all named by number.
    pub format: String,
}

/// A kernel or a helper.
#[derive(Clone, Debug)]
pub struct Function {
    /// Rust name.
    pub name: String,
    /// In order. A kernel's first is its index.
    pub params: Vec<Param>,
    /// The Rust names of the parameters.
    pub names: Vec<String>,
    /// Type of the result.
    pub result: Ty,
    /// The caller's variable that takes the result, if that is bulk; `Return` then has no value.
    pub result_slot: Option<SlotId>,
    /// Variables in memory.
    pub slots: Vec<Slot>,
    /// All values, by [`Value`].
    pub values: Vec<ValueInfo>,
    /// All instructions, by [`InstId`]; those that no region lists are dead.
    pub insts: Vec<Inst>,
    /// All regions, by [`RegionId`].
    pub regions: Vec<Region>,
    /// What it does.
    pub body: RegionId,
    /// Whether its results need not be more exact than the device's own instructions.
    pub fast_math: bool,
    /// The function's name in the source.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// Passed as a value.
    Value(Value),
    /// Bulk: passed as the address of a variable of the caller, which neither changes while the
    /// callee runs.
    Slot(SlotId),
}

/// A variable in the memory of a function.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Rust name, or empty.
    pub name: String,
    /// What it holds.
    pub ty: Ty,
}

/// What is known about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueInfo {
    /// Its type.
    pub ty: Ty,
    /// What defines it.
    pub def: Def,
}

/// What defines a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// A parameter of the function, by position.
    Param(u32),
    /// A parameter of a region, by position.
    Region(RegionId, u32),
    /// A result of an instruction, by position.
    Inst(InstId, u32),
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Operands, in the order of the operation's row.
    pub args: Vec<Value>,
    /// Variables of the caller that a call passes, for each [`Param::Slot`] in order, after the
    /// one for a bulk result.
    pub slots: Vec<SlotId>,
    /// The `bool` without which it does nothing and its result is zero.
    pub guard: Option<Value>,
    /// Whether the device's compiler is asked to unroll it, of a loop.
    pub unroll: bool,
    /// The regions that it owns.
    pub regions: Vec<RegionId>,
    /// What it defines.
    pub results: Vec<Value>,
    /// Where it is in the source.
    pub span: Span,
}

impl Inst {
    /// An instruction of these operands alone; [`Function::new_inst`] gives it results.
    pub fn new(op: Op, args: Vec<Value>, span: Span) -> Self {
        Inst {
            op,
            args,
            slots: Vec::new(),
            guard: None,
            unroll: false,
            regions: Vec::new(),
            results: Vec::new(),
            span,
        }
    }
}

/// A list of instructions with one entry and one end.
#[derive(Clone, Debug)]
pub struct Region {
    /// What the owner supplies at entry: the values that a loop carries.
    pub params: Vec<Value>,
    /// In order of execution.
    pub insts: Vec<InstId>,
    /// How it ends.
    pub end: End,
}

/// How a region ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// With the results of the instruction that owns the region. In an [`Op::Loop`] or
    /// [`Op::For`] the same as `Continue` of it.
    Yield(Vec<Value>),
    /// With the results of an instruction around it.
    Break(InstId, Vec<Value>),
    /// With the next round of a loop around it, which takes the values that it carries.
    Continue(InstId, Vec<Value>),
    /// With the result of the function, if it has one that is not bulk.
    Return(Option<Value>),
    /// Not at all: the instruction before it never completes.
    Unreachable,
}

/// Index into [`Function::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);
/// Index into [`Function::insts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(pub u32);
/// Index into [`Function::regions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegionId(pub u32);
/// Index into [`Function::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId(pub u32);
/// Index into [`Module::sites`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SiteId(pub u32);
/// Index into [`Module::messages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(pub u32);

impl Module {
    /// The kernel itself.
    ///
    /// # Panics
    ///
    /// If the module has no function, which nothing builds.
    pub fn kernel(&self) -> &Function {
        self.functions
            .last()
            .expect("a module ends with its kernel")
    }

    /// The kernel whose threads run several indices.
    pub fn wide_kernel(&self) -> Option<&Function> {
        let number = self.functions.len().checked_sub(2)?;
        (self.lanes > 1).then(|| &self.functions[number])
    }

    /// The source position behind a span.
    pub fn location(&self, span: Span) -> &Location {
        &self.locations[span.0 as usize]
    }

    /// How its values lie in memory.
    pub fn layout(&self) -> MemoryLayout<'_> {
        MemoryLayout {
            structs: &self.structs,
            index: self.index,
        }
    }
}

impl Function {
    /// The type of a parameter.
    pub fn param_ty(&self, param: Param) -> Ty {
        match param {
            Param::Value(value) => self.ty(value),
            Param::Slot(slot) => self.slots[slot.0 as usize].ty,
        }
    }

    /// The instruction behind an id.
    pub fn inst(&self, id: InstId) -> &Inst {
        &self.insts[id.0 as usize]
    }

    /// The region behind an id.
    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id.0 as usize]
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Ty {
        self.values[value.0 as usize].ty
    }

    /// What defines a value.
    pub fn def(&self, value: Value) -> Def {
        self.values[value.0 as usize].def
    }

    /// The instruction that defines a value, if one does.
    pub fn def_inst(&self, value: Value) -> Option<&Inst> {
        match self.def(value) {
            Def::Inst(id, _) => Some(self.inst(id)),
            Def::Param(_) | Def::Region(..) => None,
        }
    }

    /// Whether a condition holds in every launch.
    pub fn always_holds(&self, condition: Value) -> bool {
        self.def_inst(condition).is_some_and(|inst| match inst.op {
            Op::InBounds(_, Proof::Always | Proof::InRange) | Op::Literal(Literal::Bool(true)) => {
                true
            }
            Op::Binary(BinaryOp::BitAnd) => inst.args.iter().all(|it| self.always_holds(*it)),
            _ => false,
        })
    }

    /// The instructions that regions list, each before those that it contains.
    pub fn live_insts(&self) -> Vec<InstId> {
        let mut live = Vec::new();
        let mut open = vec![self.body];
        while let Some(region) = open.pop() {
            for &id in &self.region(region).insts {
                live.push(id);
                open.extend(&self.inst(id).regions);
            }
        }
        live
    }

    /// Whether control can get past an instruction.
    pub fn completes(&self, id: InstId) -> bool {
        let inst = self.inst(id);
        let yields = |region: &RegionId| matches!(self.region(*region).end, End::Yield(_));
        let is_left = |region: &RegionId| self.leaves(*region, id);
        match inst.op {
            Op::If => inst.regions.iter().any(yields),
            Op::Block => inst.regions.iter().any(|it| yields(it) || is_left(it)),
            Op::Loop => inst
                .regions
                .iter()
                .any(|it| is_left(it) || self.has_test(*it)),
            _ => true,
        }
    }

    /// Whether a loop with this region is left by an [`Op::While`].
    pub fn has_test(&self, region: RegionId) -> bool {
        let mut insts = self.region(region).insts.iter();
        insts.any(|id| self.inst(*id).op == Op::While)
    }

    /// Whether a region, or one inside, breaks out of an instruction.
    fn leaves(&self, region: RegionId, target: InstId) -> bool {
        let region = self.region(region);
        let inner = region.insts.iter().flat_map(|it| &self.inst(*it).regions);
        matches!(region.end, End::Break(found, _) if found == target)
            || inner.into_iter().any(|inner| self.leaves(*inner, target))
    }

    /// A new value.
    pub fn new_value(&mut self, ty: Ty, def: Def) -> Value {
        let value = Value(self.values.len() as u32);
        self.values.push(ValueInfo { ty, def });
        value
    }

    /// A new region without parameters or instructions.
    pub fn new_region(&mut self) -> RegionId {
        let id = RegionId(self.regions.len() as u32);
        self.regions.push(Region {
            params: Vec::new(),
            insts: Vec::new(),
            end: End::Unreachable,
        });
        id
    }

    /// Adds a parameter to a region.
    pub fn region_param(&mut self, region: RegionId, ty: Ty) -> Value {
        let position = self.region(region).params.len() as u32;
        let value = self.new_value(ty, Def::Region(region, position));
        self.regions[region.0 as usize].params.push(value);
        value
    }

    /// A new instruction, with results of these types, that no region lists yet.
    pub fn new_inst(&mut self, inst: Inst, results: &[Ty]) -> InstId {
        let id = InstId(self.insts.len() as u32);
        self.insts.push(inst);
        for ty in results {
            self.new_result(id, *ty);
        }
        id
    }

    /// Adds a result to an instruction.
    pub fn new_result(&mut self, id: InstId, ty: Ty) -> Value {
        let position = self.inst(id).results.len() as u32;
        let value = self.new_value(ty, Def::Inst(id, position));
        self.insts[id.0 as usize].results.push(value);
        value
    }

    /// Meets every instruction of a region and of the regions inside, in order: an instruction
    /// before those of its regions.
    pub fn walk<'f>(&'f self, region: RegionId, meet: &mut dyn FnMut(InstId, &'f Inst)) {
        for id in &self.region(region).insts {
            let inst = self.inst(*id);
            meet(*id, inst);
            for inner in &inst.regions {
                self.walk(*inner, meet);
            }
        }
    }

    /// Adds a slot.
    pub fn new_slot(&mut self, name: &str, ty: Ty) -> SlotId {
        let id = SlotId(self.slots.len() as u32);
        self.slots.push(Slot {
            name: name.to_owned(),
            ty,
        });
        id
    }
}

impl End {
    /// The values that it passes on.
    pub fn values(&self) -> &[Value] {
        match self {
            End::Yield(values) | End::Break(_, values) | End::Continue(_, values) => values,
            End::Return(value) => value.as_slice(),
            End::Unreachable => &[],
        }
    }

    /// The values that it passes on, to be replaced.
    pub fn values_mut(&mut self) -> &mut [Value] {
        match self {
            End::Yield(values) | End::Break(_, values) | End::Continue(_, values) => values,
            End::Return(value) => value.as_mut_slice(),
            End::Unreachable => &mut [],
        }
    }
}
