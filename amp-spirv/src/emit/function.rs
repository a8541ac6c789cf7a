//! Functions, calls and the dispatch over instructions.
//!
//! A value of the module is a word, which is known once its definition has been emitted; a
//! view is its address, extents and strides, each a word and a parameter of its own. Regions
//! give [`Diverges`] if control does not come out of them; the block has then ended, and
//! nothing is emitted for what can never run.

use spirv::{Decoration, Op as SpvOp, Word};

use super::Emitter;
use super::jumps::{Construct, Jumps};
use super::types::{UNIT, has_value};
use crate::mir::{Function, Inst, InstId, Op, Param, RegionId, SlotId, Value};
use crate::remark::RemarkKind;
use crate::tree::{FunctionId, Literal, Type};

/// Control does not come out of what was emitted.
#[derive(Debug)]
pub(super) struct Diverges;

/// A value, if control gets there.
pub(super) type Flow<T> = Result<T, Diverges>;

/// A view in registers.
#[derive(Clone)]
pub(super) struct ViewValue {
    pub pointer: Word,
    pub extents: Vec<Word>,
    pub strides: Vec<Word>,
    /// Whether the launch may write the elements.
    pub mutable: bool,
}

/// What stands behind a value.
#[derive(Clone)]
pub(super) enum Register {
    /// [`UNIT`] for what has no value in SPIR-V.
    Word(Word),
    View(ViewValue),
}

/// An operand of an operation.
#[derive(Clone, Copy)]
pub(super) struct Operand<'t> {
    pub word: Word,
    pub ty: &'t Type,
}

/// State of the function being emitted.
#[derive(Default)]
pub(super) struct Body<'m> {
    /// The number of the function.
    pub number: usize,
    /// By value.
    registers: Vec<Register>,
    /// By slot: the variable.
    pub slots: Vec<Word>,
    pub jumps: Jumps,
    /// Loops and labelled blocks around the current point, innermost last.
    pub constructs: Vec<Construct<'m>>,
    /// Variable that says where control is heading while it leaves several constructs.
    pub escape: Option<Word>,
    /// Number of different places it can be heading for.
    pub escapes: u32,
    /// The number of loops around the current point.
    pub open_loops: u32,
}

impl<'m> Emitter<'m> {
    /// The function being emitted.
    pub fn current(&self) -> &'m Function {
        &self.ir.functions[self.body.number]
    }

    /// Whether that is the kernel.
    pub fn is_kernel(&self) -> bool {
        self.body.number + 1 == self.ir.functions.len()
    }

    /// The type of a value.
    pub fn type_of(&self, value: Value) -> &'m Type {
        &self.ir.types[self.current().ty(value)]
    }

    /// Emits one function.
    pub fn function(&mut self, number: usize) {
        let ir = self.ir;
        let function = &ir.functions[number];
        let around = std::mem::replace(&mut self.b.fast, function.fast_math);
        self.body = Body {
            number,
            registers: vec![Register::Word(UNIT); function.values.len()],
            jumps: Jumps::of(function),
            ..Body::default()
        };

        let mut types = Vec::new();
        if let Some(slot) = function.result_slot {
            types.push(self.slot_pointer(slot));
        }
        for (position, param) in function.params.iter().enumerate() {
            match (param, &ir.types[function.param_ty(*param)]) {
                (Param::Slot(slot), _) => types.push(self.slot_pointer(*slot)),
                (_, Type::View(view)) => {
                    let mutable = self.footprints.mutable[number][position];
                    types.push(self.view_pointer(view, !mutable));
                    types.extend(vec![self.index_ty(); 2 * view.rank as usize - 1]);
                }
                (_, ty) if has_value(ty) => types.push(self.ty(ty)),
                _ => {}
            }
        }
        let result = match function.result_slot {
            Some(_) => self.b.scalar.void,
            None => self.ty(&ir.types[function.result]),
        };
        let id = self.b.id();
        self.functions.push(id);
        let words = self.b.begin_function(id, &function.name, result, &types);
        self.receive(function, words);
        // A body ends with a return.
        if self.region(function.body).is_ok() {
            self.b.unreachable();
        }
        self.b.end_function();
        self.b.fast = around;
    }

    /// Takes the parameters of a function, and makes its variables.
    fn receive(&mut self, function: &'m Function, words: Vec<Word>) {
        let mut words = words.into_iter();
        let mut next = || words.next().unwrap_or(UNIT);
        let mut slots = vec![None; function.slots.len()];
        if let Some(slot) = function.result_slot {
            slots[slot.0 as usize] = Some(next());
        }
        for (position, param) in function.params.iter().enumerate() {
            let first = match (param, &self.ir.types[function.param_ty(*param)]) {
                (Param::Slot(slot), _) => {
                    let variable = next();
                    slots[slot.0 as usize] = Some(variable);
                    variable
                }
                (Param::Value(value), Type::View(view)) => {
                    let pointer = next();
                    self.b.decorate(pointer, Decoration::Aliased, None);
                    let view = ViewValue {
                        pointer,
                        extents: (0..view.rank).map(|_| next()).collect(),
                        strides: (1..view.rank).map(|_| next()).collect(),
                        mutable: self.footprints.mutable[self.body.number][position],
                    };
                    self.set(*value, Register::View(view));
                    pointer
                }
                (Param::Value(value), ty) if has_value(ty) => {
                    let word = next();
                    self.set(*value, Register::Word(word));
                    word
                }
                _ => continue,
            };
            if let Some(name) = function.names.get(position) {
                self.b.name(first, name);
            }
        }
        for (slot, variable) in function.slots.iter().zip(slots) {
            let variable = variable.unwrap_or_else(|| {
                let ty = self.ty(&self.ir.types[slot.ty]);
                self.b.variable(ty, &slot.name)
            });
            self.body.slots.push(variable);
        }
    }

    fn slot_pointer(&mut self, slot: SlotId) -> Word {
        let ty = self.slot_ty(slot);
        let id = self.ty(ty);
        self.b.pointer(spirv::StorageClass::Function, id)
    }

    /// Type of what a variable holds.
    pub fn slot_ty(&self, slot: SlotId) -> &'m Type {
        &self.ir.types[self.current().slots[slot.0 as usize].ty]
    }

    /// The variable behind a slot.
    pub fn slot(&self, slot: SlotId) -> Word {
        self.body.slots[slot.0 as usize]
    }

    /// Whether floats are the device's own here.
    pub fn is_fast(&self) -> bool {
        self.b.fast
    }

    /// Says what stands behind a value.
    pub fn set(&mut self, value: Value, register: Register) {
        self.body.registers[value.0 as usize] = register;
    }

    /// The word of a value.
    pub fn word(&self, value: Value) -> Word {
        match &self.body.registers[value.0 as usize] {
            Register::Word(word) => *word,
            // The form's rules: operands have the types that the operation takes.
            Register::View(_) => unreachable!("value {} is a view", value.0),
        }
    }

    /// The words of some values.
    pub fn words(&self, values: &[Value]) -> Vec<Word> {
        values.iter().map(|value| self.word(*value)).collect()
    }

    /// The view that a value is.
    pub fn view(&self, value: Value) -> ViewValue {
        match &self.body.registers[value.0 as usize] {
            Register::View(view) => view.clone(),
            Register::Word(_) => unreachable!("value {} is no view", value.0),
        }
    }

    /// A value as an operand.
    pub fn operand(&self, value: Value) -> Operand<'m> {
        Operand {
            word: self.word(value),
            ty: self.type_of(value),
        }
    }

    /// The literal that a value is.
    pub fn literal_of(&self, value: Value) -> Option<Literal> {
        let function = self.current();
        match function.def_inst(value)?.op {
            Op::Literal(literal) => Some(literal),
            _ => None,
        }
    }

    /// Emits a region; gives the words that it yields.
    pub fn region(&mut self, region: RegionId) -> Flow<Vec<Word>> {
        let region = self.current().region(region);
        self.insts(&region.insts)?;
        self.end(&region.end)
    }

    /// Returns from the current function with a value of zeroes, if it has one.
    pub fn leave_with_zero(&mut self) {
        let function = self.current();
        let result = &self.ir.types[function.result];
        if let Some(slot) = function.result_slot {
            let variable = self.slot(slot);
            self.zero_into(variable, result);
            return self.b.ret(None);
        }
        let zero = has_value(result).then(|| self.hidden_zero_of(result));
        self.b.ret(zero);
    }

    /// Emits a list of instructions.
    pub fn insts(&mut self, list: &'m [InstId]) -> Flow<()> {
        list.iter().try_for_each(|id| self.inst(*id))
    }

    /// Emits an instruction.
    pub fn inst(&mut self, id: InstId) -> Flow<()> {
        let inst = self.current().inst(id);
        if !matches!(inst.op, Op::Literal(_) | Op::Hide(_)) {
            self.at(inst.span);
        }
        let results = match &inst.op {
            Op::If => self.if_(inst)?,
            Op::Block => self.block(id, inst)?,
            Op::Loop | Op::For | Op::ForInclusive => self.loop_(id, inst)?,
            Op::LoadRun(access) => self.load_run(access, inst),
            _ => {
                let register = self.operation(inst);
                if let Some(result) = inst.results.first() {
                    self.set(*result, register);
                }
                return Ok(());
            }
        };
        for (result, word) in inst.results.iter().zip(results) {
            self.set(*result, Register::Word(word));
        }
        Ok(())
    }

    /// Emits an instruction without regions; gives its result.
    fn operation(&mut self, inst: &'m Inst) -> Register {
        let args = &inst.args;
        let ty = match inst.results.first() {
            Some(result) => self.type_of(*result),
            None => &Type::Unit,
        };
        let guard = inst.guard.map(|guard| self.word(guard));
        Register::Word(match &inst.op {
            Op::Literal(literal) => self.literal(*literal),
            Op::Const(id) => self.constant(*id),
            Op::Zero => self.zero(ty),
            Op::Construct => {
                let parts = self.words(args);
                self.aggregate(ty, parts)
            }
            Op::Extract(part) if has_value(ty) => {
                let (id, whole) = (self.ty(ty), self.word(args[0]));
                self.b.extract(id, whole, *part)
            }
            Op::Insert(part) if has_value(self.type_of(args[1])) => {
                let operands = [self.word(args[1]), self.word(args[0]), *part];
                let id = self.ty(ty);
                self.b.op(SpvOp::CompositeInsert, id, &operands)
            }
            Op::Insert(_) => self.word(args[0]),
            Op::Extract(_) => UNIT,
            Op::Unary(op) => {
                let operand = self.operand(args[0]);
                self.unary(*op, operand.ty, operand.word)
            }
            Op::Binary(op) => {
                let (a, b) = (self.operand(args[0]), self.operand(args[1]));
                self.binary(*op, a, b, guard)
            }
            Op::Cast => {
                let operand = self.operand(args[0]);
                self.cast(operand.word, operand.ty, ty)
            }
            Op::Math(op) => {
                let operands: Vec<Operand<'_>> =
                    args.iter().map(|value| self.operand(*value)).collect();
                self.math(*op, ty, &operands, guard)
            }
            Op::Hide(hidden) => self.hide(*hidden, args[0]),
            Op::ViewExtent(k) => self.view(args[0]).extents[*k as usize],
            Op::Position => self.position(args),
            Op::Proven(group) => {
                let (proven, condition) = (self.proven(*group), self.word(args[0]));
                self.b.test(SpvOp::LogicalOr, proven, condition)
            }
            Op::InBounds(bound, proof) => {
                self.remark_check(*proof, inst.span);
                self.in_bounds(*bound, *proof, args)
            }
            Op::Section | Op::Row | Op::Shape | Op::Elements => {
                return Register::View(self.derived(inst, ty, guard));
            }
            Op::Load(_) | Op::Store(_) | Op::Copy(..) | Op::Clear(_) | Op::Atomic(..) => {
                self.access(inst)
            }
            Op::NoteFault(site) => {
                self.note_fault(*site, args);
                UNIT
            }
            Op::Fault(sites) => {
                self.fault(sites, args);
                UNIT
            }
            Op::NoteCut(site) => {
                self.note_cut(*site, args);
                UNIT
            }
            Op::Unchecked => self.unchecked(),
            Op::While => {
                self.test(args);
                UNIT
            }
            Op::StoreRun(access) => {
                self.store_run(access, inst);
                UNIT
            }
            Op::Message(message, site) => {
                self.message(*message, *site, args);
                UNIT
            }
            Op::Barrier(fence, ordered) => {
                let relaxed = *ordered != fence.orders();
                self.remark(RemarkKind::Barrier { relaxed }, inst.span);
                self.barrier(*ordered);
                UNIT
            }
            Op::Fence(fence) => {
                self.fence(*fence);
                UNIT
            }
            Op::DeviceFence => {
                self.device_fence();
                UNIT
            }
            Op::Subgroup(op) => {
                let operands = self.words(args);
                self.subgroup(*op, ty, &operands)
            }
            Op::Call(callee) => self.call(*callee, inst),
            // Those with several results.
            Op::LoadRun(_) | Op::If | Op::Block | Op::Loop | Op::For | Op::ForInclusive => UNIT,
        })
    }

    fn call(&mut self, callee: FunctionId, call: &'m Inst) -> Word {
        let number = callee.0 as usize;
        let callee = &self.ir.functions[number];
        let mut operands = vec![self.functions[number]];
        let slots: Vec<Word> = call.slots.iter().map(|slot| self.slot(*slot)).collect();
        let mut slots = slots.into_iter();
        let mut args = call.args.iter();
        operands.extend(callee.result_slot.and_then(|_| slots.next()));
        for (position, param) in callee.params.iter().enumerate() {
            let Param::Value(inner) = param else {
                operands.extend(slots.next());
                continue;
            };
            let Some(arg) = args.next() else { continue };
            match &self.ir.types[callee.ty(*inner)] {
                Type::View(wanted) => {
                    let mut view = self.view(*arg);
                    let mutable = self.footprints.mutable[number][position];
                    if mutable != view.mutable {
                        let pointer = self.view_pointer(wanted, !mutable);
                        view.pointer = self.b.bitcast(pointer, view.pointer);
                    }
                    operands.push(view.pointer);
                    operands.extend(view.extents);
                    operands.extend(view.strides);
                }
                ty if has_value(ty) => operands.push(self.word(*arg)),
                _ => {}
            }
        }
        let result = &self.ir.types[callee.result];
        let ty = match callee.result_slot {
            Some(_) => self.b.scalar.void,
            None => self.ty(result),
        };
        let value = self.b.op(SpvOp::FunctionCall, ty, &operands);
        match callee.result_slot.is_none() && has_value(result) {
            true => value,
            false => UNIT,
        }
    }
}
