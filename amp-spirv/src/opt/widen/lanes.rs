//! A kernel for several indices, instruction by instruction.
//!
//! All indices of a thread go the same way (`Lanes::All`) but in the regions of conditions on
//! which they differ, which each runs alone (`Lanes::One`).

use super::shape::Shape;
use super::{Plan, is_mutable};
use crate::mir::{
    Access, Base, Bound, Def, End, Function, Inst, InstId, Module, Op, Param, Proof, RegionId,
    SiteId, Ty, Value,
};
use crate::opt::lane_sites::LaneSites;
use crate::tree::{BinaryOp, Literal, Span};
use rustc_hash::FxHashMap as HashMap;

/// The indices that something is done for.
#[derive(Clone, Copy)]
pub(super) enum Lanes {
    All,
    One(u32),
}

/// Elements of views that do not change, where they are known: view, components before the last,
/// and how far the last is from the thread's first index.
type Elements = HashMap<(Value, Vec<Value>, i64), Value>;

/// A kernel on its way to a wide one.
pub(super) struct Widening<'k> {
    pub module: &'k mut Module,
    pub kernel: &'k Function,
    pub plan: &'k Plan,
    pub wide: Function,
    /// The region that is being filled.
    pub at: RegionId,
    /// By value of the kernel: one for all indices, or one for each.
    values: Vec<Vec<Value>>,
    pub elements: Elements,
    /// The index of the thread, and its last component.
    index: Value,
    last: Value,
    /// What the wide kernel starts with: all that is computed from these and literals.
    start: Vec<InstId>,
    /// Indices of the thread but its first.
    indices: HashMap<u32, Value>,
    /// Sums of the last component of its first.
    sums: HashMap<i64, Value>,
    sites: LaneSites,
}

impl<'k> Widening<'k> {
    pub fn new(module: &'k mut Module, kernel: &'k Function, plan: &'k Plan) -> Self {
        let mut wide = Function {
            name: kernel.name.clone(),
            params: Vec::new(),
            names: kernel.names.clone(),
            result: kernel.result,
            result_slot: None,
            slots: Vec::new(),
            values: Vec::new(),
            insts: Vec::new(),
            regions: Vec::new(),
            body: RegionId(0),
            fast_math: kernel.fast_math,
            span: kernel.span,
        };
        wide.body = wide.new_region();
        let mut values = vec![Vec::new(); kernel.values.len()];
        for (position, param) in (0..).zip(&kernel.params) {
            if let Param::Value(value) = param {
                let own = wide.new_value(kernel.ty(*value), Def::Param(position));
                wide.params.push(Param::Value(own));
                values[value.0 as usize] = vec![own];
            }
        }
        let usize_ty = module.types.scalar(module.index.scalar());
        let index = Value(0);
        let op = Op::Extract(module.domain.rank() - 1);
        let first = wide.new_inst(Inst::new(op, vec![index], kernel.span), &[usize_ty]);
        Self {
            at: wide.body,
            last: wide.inst(first).results[0],
            module,
            kernel,
            plan,
            wide,
            values,
            elements: HashMap::default(),
            index,
            start: vec![first],
            indices: HashMap::default(),
            sums: HashMap::default(),
            sites: LaneSites::default(),
        }
    }

    /// The wide kernel.
    pub fn run(mut self) -> Function {
        self.insts(self.kernel.body, Lanes::All);
        let body = &mut self.wide.regions[self.wide.body.0 as usize];
        body.end = End::Return(None);
        let rest = std::mem::replace(&mut body.insts, self.start);
        body.insts.extend(rest);
        self.wide
    }

    /// What a region of the kernel lists, in the current region.
    pub fn insts(&mut self, region: RegionId, lanes: Lanes) {
        let kernel = self.kernel;
        for &id in &kernel.region(region).insts {
            let inst = kernel.inst(id);
            match (&inst.op, lanes) {
                (Op::NoteFault(site), Lanes::All) => {
                    for lane in 0..self.plan.lanes {
                        self.note(*site, inst, lane);
                    }
                }
                (Op::NoteFault(site), Lanes::One(lane)) => self.note(*site, inst, lane),
                (Op::If, _) => self.condition(inst, lanes),
                (Op::Load(access), Lanes::All) if !self.plan.shapes.does_same(inst) => {
                    self.load(access, inst, region);
                }
                (Op::Store(access), Lanes::All) => self.store(access, inst),
                (_, Lanes::All) => self.each(inst),
                (_, Lanes::One(lane)) => {
                    let made = self.copy(inst, lane);
                    self.define(inst, vec![made]);
                }
            }
        }
    }

    /// An instruction for all indices, once if it does the same for them.
    fn each(&mut self, inst: &Inst) {
        let is_sum = |value: &Value| {
            let shape = self.plan.shapes.of_value(*value);
            matches!(shape, Shape::Along(_))
        };
        if inst.results.iter().any(is_sum) {
            return;
        }
        let lanes = match self.plan.shapes.does_same(inst) {
            true => 1,
            false => self.plan.lanes,
        };
        let made = (0..lanes).map(|lane| self.copy(inst, lane)).collect();
        self.define(inst, made);
    }

    /// An instruction without regions, for one index.
    fn copy(&mut self, inst: &Inst, lane: u32) -> Vec<Value> {
        let op = match &inst.op {
            Op::InBounds(bound, _) => Op::InBounds(*bound, Proof::Always),
            op => op.clone(),
        };
        let args = self.all(&inst.args, lane);
        let mut copy = Inst::new(op, args, inst.span);
        copy.guard = inst.guard.map(|guard| self.value(guard, lane));
        let types: Vec<Ty> = inst.results.iter().map(|it| self.kernel.ty(*it)).collect();
        self.add(copy, &types)
    }

    /// Says what the results of an instruction are: for all indices, or for each of them.
    pub fn define(&mut self, inst: &Inst, made: Vec<Vec<Value>>) {
        for (position, result) in inst.results.iter().enumerate() {
            let own = made.iter().map(|results| results[position]);
            self.values[result.0 as usize] = own.collect();
        }
    }

    /// Adds an instruction to the current region.
    pub fn add(&mut self, inst: Inst, types: &[Ty]) -> Vec<Value> {
        let id = self.wide.new_inst(inst, types);
        self.wide.regions[self.at.0 as usize].insts.push(id);
        self.wide.inst(id).results.clone()
    }

    /// A value of the kernel for one index.
    pub fn value(&mut self, value: Value, lane: u32) -> Value {
        match self.plan.shapes.of_value(value) {
            Shape::Index => self.index_of(lane),
            Shape::Along(offset) => self.sum(offset + i64::from(lane)),
            _ => match &*self.values[value.0 as usize] {
                [one] => *one,
                each => each[lane as usize],
            },
        }
    }

    pub fn all(&mut self, values: &[Value], lane: u32) -> Vec<Value> {
        values.iter().map(|it| self.value(*it, lane)).collect()
    }

    /// An instruction at the start.
    fn at_start(&mut self, op: Op, args: Vec<Value>, ty: Ty) -> Value {
        let id = self
            .wide
            .new_inst(Inst::new(op, args, self.kernel.span), &[ty]);
        self.start.push(id);
        self.wide.inst(id).results[0]
    }

    /// The last component of the thread's first index, and so much more.
    fn sum(&mut self, offset: i64) -> Value {
        if offset == 0 {
            return self.last;
        }
        if let Some(known) = self.sums.get(&offset) {
            return *known;
        }
        let ty = self.wide.ty(self.last);
        let by = Literal::new(self.module.index.scalar(), offset.unsigned_abs());
        let by = self.at_start(Op::Literal(by), Vec::new(), ty);
        let op = match offset > 0 {
            true => BinaryOp::Add,
            false => BinaryOp::Sub,
        };
        let sum = self.at_start(Op::Binary(op), vec![self.last, by], ty);
        self.sums.insert(offset, sum);
        sum
    }

    /// An index of the thread.
    fn index_of(&mut self, lane: u32) -> Value {
        if lane == 0 {
            return self.index;
        }
        if let Some(known) = self.indices.get(&lane) {
            return *known;
        }
        let last = self.sum(lane.into());
        let (op, ty) = (
            Op::Insert(self.module.domain.rank() - 1),
            self.wide.ty(self.index),
        );
        let index = self.at_start(op, vec![self.index, last], ty);
        self.indices.insert(lane, index);
        index
    }

    fn note(&mut self, site: SiteId, inst: &Inst, lane: u32) {
        let own = self.sites.of(&mut self.module.sites, site, lane);
        let args = self.all(&inst.args, lane);
        self.add(Inst::new(Op::NoteFault(own), args, inst.span), &[]);
    }

    /// The distance of the element that an access goes to from the thread's first index.
    fn offset(&self, access: &Access, inst: &Inst) -> i64 {
        let last = inst.args[access.operands() - 1];
        match self.plan.shapes.of_value(last) {
            Shape::Along(offset) => offset,
            _ => 0,
        }
    }

    fn load(&mut self, access: &Access, inst: &Inst, region: RegionId) {
        let first = self.offset(access, inst);
        let (view, before) = parts(access, inst);
        if is_mutable(self.module, self.kernel, view) {
            let run = self.run_at(access, inst, first);
            return self.define(inst, run.into_iter().map(|it| vec![it]).collect());
        }
        let offsets = first..first + i64::from(self.plan.lanes);
        let key = |offset| (view, before.to_vec(), offset);
        let is_known = |it: &Self, offset| it.elements.contains_key(&key(offset));
        if !offsets.clone().all(|offset| is_known(self, offset)) {
            for start in self.runs(access, inst, region) {
                if is_known(self, start) {
                    continue;
                }
                let run = self.run_at(access, inst, start);
                for (offset, element) in (start..).zip(run) {
                    self.elements.insert(key(offset), element);
                }
            }
        }
        let mut found = Vec::new();
        for offset in offsets {
            let element = match self.elements.get(&key(offset)) {
                Some(element) => *element,
                None => {
                    let element = self.element(access, inst, offset);
                    self.elements.insert(key(offset), element);
                    element
                }
            };
            found.push(vec![element]);
        }
        self.define(inst, found);
    }

    /// Where the runs start that a region reads where an access goes, or beside it.
    fn runs(&self, access: &Access, inst: &Inst, region: RegionId) -> Vec<i64> {
        let lanes = i64::from(self.plan.lanes);
        let first = self.offset(access, inst);
        let insts = &self.kernel.region(region).insts;
        let starts = insts.iter().filter_map(|id| {
            let other = self.kernel.inst(*id);
            let Op::Load(its) = &other.op else {
                return None;
            };
            let start = self.offset(its, other);
            let is_run = its == access && parts(its, other) == parts(access, inst);
            (is_run && start % lanes == 0 && (start - first).abs() < lanes).then_some(start)
        });
        starts.collect()
    }

    /// The place of an access so far from the thread's first index.
    fn operands(&mut self, access: &Access, inst: &Inst, offset: i64) -> Vec<Value> {
        let count = access.operands();
        let mut operands = self.all(&inst.args[..count - 1], 0);
        operands.push(self.sum(offset));
        operands
    }

    fn run_at(&mut self, access: &Access, inst: &Inst, offset: i64) -> Vec<Value> {
        let operands = self.operands(access, inst, offset);
        let types = vec![self.kernel.ty(inst.results[0]); self.plan.lanes as usize];
        self.add(
            Inst::new(Op::LoadRun(access.clone()), operands, inst.span),
            &types,
        )
    }

    fn element(&mut self, access: &Access, inst: &Inst, offset: i64) -> Value {
        let operands = self.operands(access, inst, offset);
        let guard = self.always_in_bounds(access, &operands, inst.span);
        let mut load = Inst::new(Op::Load(access.clone()), operands, inst.span);
        load.guard = Some(guard);
        self.add(load, &[self.kernel.ty(inst.results[0])])[0]
    }

    fn always_in_bounds(&mut self, access: &Access, operands: &[Value], span: Span) -> Value {
        let rank = match access.base {
            Base::Element(rank) => rank,
            _ => 0,
        };
        let check = Op::InBounds(Bound::View(rank), Proof::Always);
        let bool = self.module.types.bool();
        self.add(Inst::new(check, operands.to_vec(), span), &[bool])[0]
    }

    fn store(&mut self, access: &Access, inst: &Inst) {
        let offset = self.offset(access, inst);
        let mut args = self.operands(access, inst, offset);
        let value = inst.args[access.operands()];
        for lane in 0..self.plan.lanes {
            args.push(self.value(value, lane));
        }
        self.add(
            Inst::new(Op::StoreRun(access.clone()), args, inst.span),
            &[],
        );
    }
}

/// The view that an access goes to, and the components before the last.
fn parts<'i>(access: &Access, inst: &'i Inst) -> (Value, &'i [Value]) {
    (inst.args[0], &inst.args[1..access.operands() - 1])
}
