//! The operands and results of each operation.

use super::{Check, Verifier};
use crate::mir::{Access, Base, Bound, Inst, Memory, Op, Param, SiteId, Value};
use crate::tree::{AtomicOp, FunctionId, Scalar, SubgroupOp, Type, View};

/// The operands and results that an operation has.
pub(super) struct Row {
    operands: Vec<Type>,
    results: Vec<Type>,
}

impl Row {
    pub fn new(operands: Vec<Type>, result: Type) -> Self {
        Row {
            operands,
            results: vec![result],
        }
    }

    fn effect(operands: Vec<Type>) -> Self {
        Row {
            operands,
            results: Vec::new(),
        }
    }
}

pub(super) type Rule = Result<Row, String>;

impl Verifier<'_> {
    /// Whether an instruction has the operands and results of its operation.
    pub fn rule(&self, inst: &Inst) -> Check {
        if !inst.slots.is_empty() && !matches!(inst.op, Op::Call(_)) {
            return Err("passes slots to no function".to_owned());
        }
        let row = self.row(inst)?;
        let of = |what, found: &[Value], wanted: &[Type]| {
            let found = self.types_of(found);
            match found == wanted {
                true => Ok(()),
                false => Err(format!(
                    "has {what} {}, not {}",
                    self.types_text(&found),
                    self.types_text(wanted)
                )),
            }
        };
        of("operands", &inst.args, &row.operands)?;
        of("results", &inst.results, &row.results)
    }

    pub fn usize(&self) -> Type {
        self.module.index.ty().clone()
    }

    fn usizes(&self, count: u32) -> Vec<Type> {
        vec![self.usize(); count as usize]
    }

    /// A view's type and then so many of `usize`.
    fn of_view(&self, inst: &Inst, rank: Option<u32>, count: u32) -> Result<Vec<Type>, String> {
        let view = self.view(inst)?;
        if rank.is_some_and(|rank| rank != view.rank) {
            return Err(format!("is not made for a view of rank {}", view.rank));
        }
        let mut types = vec![Type::View(view)];
        types.extend(self.usizes(count));
        Ok(types)
    }

    /// The type of the view that is the first operand.
    fn view(&self, inst: &Inst) -> Result<View, String> {
        match inst.args.first().map(|it| self.value_ty(*it)) {
            Some(Type::View(view)) => Ok(view.clone()),
            _ => Err("has no view as its first operand".to_owned()),
        }
    }

    pub fn operand(&self, inst: &Inst, number: usize) -> Result<Type, String> {
        match inst.args.get(number) {
            Some(operand) => Ok(self.value_ty(*operand).clone()),
            None => Err(format!("has only {} operands", inst.args.len())),
        }
    }

    pub fn result(&self, inst: &Inst) -> Result<Type, String> {
        match inst.results.as_slice() {
            [result] => Ok(self.value_ty(*result).clone()),
            results => Err(format!("has {} results, not one", results.len())),
        }
    }

    fn row(&self, inst: &Inst) -> Rule {
        let module = self.module;
        Ok(match &inst.op {
            Op::Literal(literal) => Row::new(Vec::new(), Type::Scalar(literal.scalar())),
            Op::Const(id) => match module.consts.get(id.0 as usize) {
                Some(item) => Row::new(Vec::new(), Type::Scalar(item.ty)),
                None => return Err(format!("there is no constant #{}", id.0)),
            },
            Op::Zero => Row::new(Vec::new(), self.result(inst)?),
            Op::Construct => {
                let whole = self.result(inst)?;
                match module.parts(&whole) {
                    Some(parts) => Row::new(parts, whole),
                    None => return Err("is no value of known parts".to_owned()),
                }
            }
            Op::Extract(part) => {
                let whole = self.operand(inst, 0)?;
                let part = self.part(&whole, *part)?;
                Row::new(vec![whole], part)
            }
            Op::Insert(part) => {
                let whole = self.operand(inst, 0)?;
                let part = self.part(&whole, *part)?;
                Row::new(vec![whole.clone(), part], whole)
            }
            Op::Unary(op) => self.unary(inst, *op)?,
            Op::Binary(op) => self.binary(inst, *op)?,
            Op::Cast => self.cast(inst)?,
            Op::Math(op) => self.math(inst, *op)?,
            Op::Hide(_) => {
                let ty = self.result(inst)?;
                Row::new(vec![ty.clone()], ty)
            }
            Op::ViewExtent(component) => {
                let operands = self.of_view(inst, None, 0)?;
                if *component >= self.view(inst)?.rank {
                    return Err("the view has fewer dimensions".to_owned());
                }
                Row::new(operands, self.usize())
            }
            Op::Position => {
                let rank = self.view(inst)?.rank;
                Row::new(self.of_view(inst, None, rank)?, self.usize())
            }
            Op::Proven(_) => Row::new(vec![Type::BOOL], Type::BOOL),
            Op::InBounds(bound, _) => Row::new(self.bound(inst, *bound)?, Type::BOOL),
            Op::Section | Op::Row | Op::Shape | Op::Elements => self.derived(inst)?,
            Op::Load(_)
            | Op::Store(_)
            | Op::LoadRun(_)
            | Op::StoreRun(_)
            | Op::Copy(..)
            | Op::Clear(_)
            | Op::Atomic(..) => self.access(inst)?,
            Op::NoteFault(site) | Op::NoteCut(site) => Row::effect(self.fault(*site)?),
            Op::Fault(sites) => {
                let faults = sites.iter().map(|site| self.fault(*site));
                let mut operands = faults.collect::<Result<Vec<_>, _>>()?;
                if let Some(last) = operands.last_mut() {
                    last.remove(0);
                }
                Row::effect(operands.concat())
            }
            Op::While => {
                let around = self.around.last().map(|id| self.function.inst(*id));
                match around {
                    Some(around) if around.op == Op::Loop => {
                        let mut operands = vec![Type::BOOL];
                        operands.extend(self.types_of(&around.results));
                        Row::effect(operands)
                    }
                    _ => return Err("is in no loop".to_owned()),
                }
            }
            Op::Unchecked => Row::new(Vec::new(), Type::BOOL),
            Op::Message(message, site) => {
                if site.0 as usize >= module.sites.len()
                    || message.0 as usize >= module.messages.len()
                {
                    return Err("its message or site does not exist".to_owned());
                }
                Row::effect(self.types_of(&inst.args))
            }
            Op::Barrier(fence, ordered) => {
                let said = fence.orders();
                if (ordered.views && !said.views) || (ordered.tile && !said.tile) {
                    return Err("orders more than its fence".to_owned());
                }
                Row::effect(Vec::new())
            }
            Op::Fence(_) | Op::DeviceFence | Op::Subgroup(SubgroupOp::Barrier) => {
                Row::effect(Vec::new())
            }
            Op::Subgroup(op) => self.subgroup(inst, *op)?,
            Op::Call(callee) => self.call(inst, *callee)?,
            Op::If => self.control(inst, vec![Type::BOOL])?,
            Op::Block => self.control(inst, Vec::new())?,
            Op::Loop => {
                let params = self.params(inst);
                let results = self.results(inst)?;
                Row {
                    operands: params,
                    results,
                }
            }
            Op::For | Op::ForInclusive => self.counted(inst)?,
        })
    }

    fn part(&self, whole: &Type, part: u32) -> Result<Type, String> {
        self.module.part(whole, part).ok_or_else(|| {
            let whole = self.module.type_text(whole);
            format!("a {whole} has no part {part}")
        })
    }

    fn bound(&self, inst: &Inst, bound: Bound) -> Result<Vec<Type>, String> {
        match bound {
            Bound::View(rank) => self.of_view(inst, Some(rank), rank),
            Bound::Len(_) => Ok(self.usizes(1)),
            Bound::Section(rank) => self.of_view(inst, Some(rank), 2 * rank),
            Bound::Row => self.of_view(inst, None, 1),
            Bound::Shape(rank) => self.of_view(inst, Some(1), rank),
            Bound::Elements(_) => self.of_view(inst, Some(1), 0),
        }
    }

    /// A view made from a view.
    fn derived(&self, inst: &Inst) -> Rule {
        let of = self.view(inst)?;
        let Type::View(made) = self.result(inst)? else {
            return Err("makes no view".to_owned());
        };
        let numbers = inst.args.len() as u32 - 1;
        let (operands, rank) = match inst.op {
            Op::Section => (self.of_view(inst, None, 2 * of.rank)?, of.rank),
            Op::Row if of.rank < 2 => return Err("the view has no rows".to_owned()),
            Op::Row => (self.of_view(inst, None, 1)?, of.rank - 1),
            Op::Shape => (self.of_view(inst, Some(1), numbers)?, numbers),
            _ => (self.of_view(inst, Some(1), 0)?, 1),
        };
        let element = match inst.op {
            Op::Elements => made.element,
            _ => of.element,
        };
        if made.mutable && !of.mutable {
            return Err("makes a read-only view mutable".to_owned());
        }
        let made = View {
            element,
            rank,
            mutable: made.mutable,
        };
        Ok(Row::new(operands, Type::View(made)))
    }

    fn access(&self, inst: &Inst) -> Rule {
        let mut operands = Vec::new();
        let mut places = Vec::new();
        for access in inst.op.accesses() {
            let count = access.operands();
            let own = inst.args.get(operands.len()..operands.len() + count);
            let Some(own) = own else {
                return Err(format!("has only {} operands", inst.args.len()));
            };
            if access.is_private && access.memory() == Memory::Slot {
                return Err("calls a slot private, as all are".to_owned());
            }
            let mut indices = own;
            if let Base::Position = access.base {
                let position = self.function.def_inst(own[1]);
                if position.is_none_or(|it| it.op != Op::Position || it.args[0] != own[0]) {
                    return Err("is at no position of its view".to_owned());
                }
                operands.push(self.value_ty(own[0]).clone());
                indices = &own[1..];
            }
            if let Base::Element(rank) = access.base {
                match self.value_ty(own[0]) {
                    Type::View(view) if view.rank == rank => {
                        operands.push(Type::View(view.clone()));
                    }
                    _ => return Err(format!("is no access to a view of rank {rank}")),
                }
                indices = &own[1..];
            }
            operands.extend(self.usizes(indices.len() as u32));
            let Some(place) = self.module.place_ty(self.function, access, own) else {
                return Err("accesses no place".to_owned());
            };
            places.push(place);
        }
        let place = places.swap_remove(0);
        let is_bulk = self.is_bulk(&place);
        let takes_bulk = matches!(inst.op, Op::Copy(..) | Op::Clear(_));
        if is_bulk != takes_bulk {
            return Err(match is_bulk {
                true => "the place is bulk".to_owned(),
                false => "the place is not bulk".to_owned(),
            });
        }
        match &inst.op {
            Op::Load(_) => Ok(Row::new(operands, place)),
            Op::Store(_) => {
                operands.push(place);
                Ok(Row::effect(operands))
            }
            Op::LoadRun(access) => Ok(Row {
                operands,
                results: self.run(access, place)?,
            }),
            Op::StoreRun(access) => {
                operands.extend(self.run(access, place)?);
                Ok(Row::effect(operands))
            }
            Op::Copy(to, from) => {
                if places != [place] {
                    return Err("copies between places of two types".to_owned());
                }
                match to == from && to.operands() == 0 {
                    true => Err("copies a place to itself".to_owned()),
                    false => Ok(Row::effect(operands)),
                }
            }
            Op::Atomic(op, access) => {
                let is_number = matches!(
                    place.scalar(),
                    Some(
                        Scalar::I32
                            | Scalar::U32
                            | Scalar::I64
                            | Scalar::U64
                            | Scalar::F32
                            | Scalar::F64
                    )
                );
                if !is_number || matches!(access.base, Base::Slot(_)) {
                    return Err("is no place for atomic operations".to_owned());
                }
                let count = match op {
                    AtomicOp::Load => 0,
                    AtomicOp::CompareExchange => 2,
                    _ => 1,
                };
                operands.extend(vec![place.clone(); count]);
                Ok(match op {
                    AtomicOp::Store => Row::effect(operands),
                    _ => Row::new(operands, place),
                })
            }
            _ => Ok(Row::effect(operands)),
        }
    }

    /// The types of the elements that an access of a wide kernel goes to.
    fn run(&self, access: &Access, place: Type) -> Result<Vec<Type>, String> {
        let is_wide = self.module.lanes > 1 && self.number + 2 == self.module.functions.len();
        let is_element = matches!(access.base, Base::Element(_)) && access.path.is_empty();
        match is_wide && is_element && place.scalar().is_some() {
            true => Ok(vec![place; self.module.lanes as usize]),
            false => Err("is no access of a wide kernel to scalars of a view".to_owned()),
        }
    }

    fn call(&self, inst: &Inst, id: FunctionId) -> Rule {
        if id.0 as usize >= self.number {
            return Err("calls what does not come before it".to_owned());
        }
        let callee = &self.module.functions[id.0 as usize];
        let mut operands = Vec::new();
        let mut slots: Vec<&Type> = Vec::new();
        if callee.result_slot.is_some() {
            slots.push(self.ty(callee.result));
        }
        for param in &callee.params {
            let ty = self.ty(callee.param_ty(*param));
            match param {
                Param::Slot(_) => slots.push(ty),
                Param::Value(_) => {
                    let passed = inst.args.get(operands.len()).map(|it| self.value_ty(*it));
                    operands.push(match (ty, passed) {
                        // A mutable view can be read.
                        (Type::View(wanted), Some(Type::View(passed))) if !wanted.mutable => {
                            Type::View(View {
                                mutable: passed.mutable,
                                ..wanted.clone()
                            })
                        }
                        _ => ty.clone(),
                    });
                }
            }
        }
        let passed = inst.slots.iter().map(|slot| {
            let slot = self.function.slots.get(slot.0 as usize);
            slot.map(|slot| self.ty(slot.ty))
        });
        if passed.collect::<Vec<_>>() != slots.iter().map(|ty| Some(*ty)).collect::<Vec<_>>() {
            return Err("passes the wrong slots".to_owned());
        }
        if let (Some(_), Some((result, others))) = (callee.result_slot, inst.slots.split_first()) {
            if others.contains(result) {
                return Err("passes a slot that takes the result, too".to_owned());
            }
            if self.function.params.contains(&Param::Slot(*result)) {
                return Err(format!("writes the parameter ${}", result.0));
            }
        }
        Ok(match self.ty(callee.result) {
            Type::Unit | Type::Never => Row::effect(operands),
            _ if callee.result_slot.is_some() => Row::effect(operands),
            result => Row::new(operands, result.clone()),
        })
    }

    /// The types of the parameters of an instruction's region.
    fn params(&self, inst: &Inst) -> Vec<Type> {
        self.types_of(&self.function.region(inst.regions[0]).params)
    }

    /// The results of an instruction with regions, which can have any types but views: what a
    /// view is a part of is known where it is defined.
    fn results(&self, inst: &Inst) -> Result<Vec<Type>, String> {
        let results = self.types_of(&inst.results);
        let carried = inst
            .regions
            .iter()
            .flat_map(|it| &self.function.region(*it).params);
        let carried = carried.map(|value| self.value_ty(*value)).chain(&results);
        for ty in carried {
            if matches!(ty, Type::View(_)) {
                return Err("passes a view".to_owned());
            }
        }
        Ok(results)
    }

    /// `If` and `Block`, whose regions have no parameters.
    fn control(&self, inst: &Inst, operands: Vec<Type>) -> Rule {
        let params = inst
            .regions
            .iter()
            .map(|it| &self.function.region(*it).params);
        if params.into_iter().any(|params| !params.is_empty()) {
            return Err("has a region with parameters".to_owned());
        }
        let results = self.results(inst)?;
        Ok(Row { operands, results })
    }

    /// A condition, and what is reported of a fault at a site.
    fn fault(&self, site: SiteId) -> Result<Vec<Type>, String> {
        if site.0 as usize >= self.module.sites.len() {
            return Err(format!("there is no site #{}", site.0));
        }
        Ok([vec![Type::BOOL], self.usizes(2)].concat())
    }

    fn counted(&self, inst: &Inst) -> Rule {
        let mut params = self.params(inst);
        if params.is_empty() {
            return Err("has no variable".to_owned());
        }
        let variable = params.remove(0);
        self.results(inst)?;
        let step = self.operand(inst, 2)?;
        let fits = match (variable.scalar(), step.scalar()) {
            (Some(variable), Some(step)) => {
                let is_counter = variable.is_integer() && step.is_integer();
                is_counter && (step == variable || !step.is_signed())
            }
            _ => false,
        };
        if !fits {
            return Err("counts what is no integer".to_owned());
        }
        let mut operands = vec![variable.clone(), variable, step];
        operands.extend(params.iter().cloned());
        Ok(Row {
            operands,
            results: params,
        })
    }
}
