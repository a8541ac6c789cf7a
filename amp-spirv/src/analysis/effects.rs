//! Which memory code reads, writes and orders.
//!
//! Memory is told apart by [`Object`]: Rust's borrows say that no two of them overlap if one is
//! written, so a store to one leaves loads of all others alone. A [`Footprint`] says what an
//! instruction or a region does to each, calls included.
//!
//! Atomic operations order nothing: they touch their place. What other threads wrote is seen
//! behind barriers and fences only, which change all memory that they order and that a launch
//! writes ([`Footprints::changes`]).
//!
//! Leaves out what the program cannot look at: the record of faults, and prints.

use std::collections::BTreeSet;

use crate::mir::{Access, Base, Def, Function, Inst, Module, Op, Param, RegionId, SlotId, Value};
use crate::tree::{FunctionId, SharedMemory, TileStaticId, Type};

/// Memory that overlaps no other, as far as one of the two is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A variable of the function.
    Slot(SlotId),
    /// A variable of the tile.
    TileStatic(TileStaticId),
    /// The elements of the parameter at this position, and of all views made from it.
    View(u32),
}

/// A place in memory as an instruction names it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'f> {
    /// Where it is.
    pub access: &'f Access,
    /// The operands of the access.
    pub operands: &'f [Value],
}

/// What an instruction does to a place.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'f> {
    /// The place.
    pub place: Place<'f>,
    /// Whether it is read.
    pub reads: bool,
    /// Whether it is written.
    pub writes: bool,
}

impl Place<'_> {
    /// The object that it is in.
    pub fn object(&self, function: &Function) -> Object {
        match self.access.base {
            Base::Slot(slot) => Object::Slot(slot),
            Base::TileStatic(id) => Object::TileStatic(id),
            Base::Element(_) | Base::Position => {
                Object::View(view_param(function, self.operands[0]))
            }
        }
    }
}

/// The parameter that a view has its elements of.
///
/// # Panics
///
/// If a region takes the view, which the rules of MIR forbid.
pub fn view_param(function: &Function, view: Value) -> u32 {
    match function.def(view) {
        Def::Param(position) => position,
        Def::Inst(id, _) => view_param(function, function.inst(id).args[0]),
        Def::Region(..) => unreachable!("no region takes a view"),
    }
}

/// The places that an instruction itself touches; what a call does is in its [`Footprint`].
pub fn touches(inst: &Inst) -> impl Iterator<Item = Touch<'_>> {
    let touch = |access, start: usize, reads, writes| {
        let operands = &inst.args[start..][..Access::operands(access)];
        Some(Touch {
            place: Place { access, operands },
            reads,
            writes,
        })
    };
    let touches = match &inst.op {
        Op::Load(access) | Op::LoadRun(access) => [touch(access, 0, true, false), None],
        Op::Store(access) | Op::StoreRun(access) | Op::Clear(access) => {
            [touch(access, 0, false, true), None]
        }
        Op::Copy(to, from) => [
            touch(to, 0, false, true),
            touch(from, to.operands(), true, false),
        ],
        Op::Atomic(op, access) => [touch(access, 0, op.reads(), op.writes()), None],
        _ => [None, None],
    };
    touches.into_iter().flatten()
}

/// What code does to memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// What it may read.
    pub reads: BTreeSet<Object>,
    /// What it may write.
    pub writes: BTreeSet<Object>,
    /// What its barriers and fences order.
    pub orders: SharedMemory,
    /// Whether the threads of a tile or subgroup do something together.
    pub meets: bool,
}

impl Footprint {
    fn add(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.orders |= other.orders;
        self.meets |= other.meets;
    }
}

/// What the functions of a module do to memory.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    /// By function. Parameters are numbered among those of their kind, as the operands and the
    /// slots of calls are.
    callees: Vec<Footprint>,
    /// Of the last function, its views numbered as its parameters are.
    kernel: Footprint,
    /// By function and parameter: whether the launch may write the elements of the view, in the
    /// function or elsewhere.
    pub mutable: Vec<Vec<bool>>,
}

impl Footprints {
    /// Facts about a module.
    pub fn of(module: &Module) -> Self {
        let mut facts = Footprints::default();
        for function in &module.functions {
            let footprint = facts.region(function, function.body);
            facts.callees.push(as_callee(function, &footprint));
            facts.kernel = footprint;
            let is_mutable = |param: &Param| {
                let Param::Value(value) = param else {
                    return false;
                };
                matches!(&module.types[function.ty(*value)], Type::View(view) if view.mutable)
            };
            let params = function.params.iter();
            facts.mutable.push(params.map(is_mutable).collect());
        }
        for (number, caller) in module.functions.iter().enumerate().rev() {
            caller.walk(caller.body, &mut |_, inst| {
                if let Op::Call(callee) = inst.op {
                    facts.lend(module, caller, number, inst, callee);
                }
            });
        }
        facts
    }

    /// What the caller may write, the launch may write while the callee only reads it.
    fn lend(
        &mut self,
        module: &Module,
        caller: &Function,
        number: usize,
        call: &Inst,
        callee: FunctionId,
    ) {
        let callee = callee.0 as usize;
        let function = &module.functions[callee];
        let params = (0..function.params.len()).filter(|it| is_value(&function.params[*it]));
        for (param, value) in params.zip(&call.args) {
            if let Type::View(_) = module.types[caller.ty(*value)] {
                let outer = view_param(caller, *value) as usize;
                self.mutable[callee][param] |= self.mutable[number][outer];
            }
        }
    }

    /// What the kernel does; its views are numbered as its parameters are.
    pub fn kernel(&self) -> &Footprint {
        &self.kernel
    }

    /// What an instruction does, with the regions that it owns.
    pub fn inst(&self, function: &Function, inst: &Inst) -> Footprint {
        let mut footprint = Footprint::default();
        self.add(&mut footprint, function, inst);
        for region in &inst.regions {
            footprint.add(&self.region(function, *region));
        }
        footprint
    }

    /// What a region does.
    pub fn region(&self, function: &Function, region: RegionId) -> Footprint {
        let mut footprint = Footprint::default();
        function.walk(region, &mut |_, inst| {
            self.add(&mut footprint, function, inst);
        });
        footprint
    }

    fn add(&self, footprint: &mut Footprint, function: &Function, inst: &Inst) {
        for touch in touches(inst) {
            let object = touch.place.object(function);
            if touch.reads {
                footprint.reads.insert(object);
            }
            if touch.writes {
                footprint.writes.insert(object);
            }
        }
        footprint.meets |= inst.op.info().effects.convergent;
        footprint.orders |= inst.op.orders();
        if let Op::Call(callee) = inst.op {
            let callee = &self.callees[callee.0 as usize];
            let in_caller = |object: &Object| match *object {
                Object::Slot(slot) => Object::Slot(inst.slots[slot.0 as usize]),
                Object::View(arg) => Object::View(view_param(function, inst.args[arg as usize])),
                Object::TileStatic(_) => *object,
            };
            footprint.reads.extend(callee.reads.iter().map(in_caller));
            footprint.writes.extend(callee.writes.iter().map(in_caller));
            footprint.orders |= callee.orders;
            footprint.meets |= callee.meets;
        }
    }

    /// Whether an object may hold something else behind code with this footprint: because the
    /// code writes it, or because it makes visible what other threads wrote.
    pub fn changes(&self, function: FunctionId, footprint: &Footprint, object: Object) -> bool {
        let orders = match object {
            Object::Slot(_) => false,
            Object::TileStatic(_) => footprint.orders.tile,
            Object::View(param) => footprint.orders.views && self.is_mutable(function, param),
        };
        orders || footprint.writes.contains(&object)
    }

    /// Whether the launch may write the elements of a parameter, in this function or elsewhere.
    pub fn is_mutable(&self, function: FunctionId, param: u32) -> bool {
        self.mutable[function.0 as usize][param as usize]
    }
}

/// A footprint as calls of the function see it: without its own slots, its parameters numbered
/// among those of their kind, the slot of its result first.
fn as_callee(function: &Function, footprint: &Footprint) -> Footprint {
    let slots = function.result_slot.into_iter();
    let slots = slots.chain(function.params.iter().filter_map(|param| match param {
        Param::Slot(slot) => Some(*slot),
        Param::Value(_) => None,
    }));
    let slots: Vec<SlotId> = slots.collect();
    let to_callee = |object: &Object| match *object {
        Object::Slot(slot) => {
            let position = slots.iter().position(|it| *it == slot)?;
            Some(Object::Slot(SlotId(position as u32)))
        }
        Object::View(param) => {
            let before = &function.params[..param as usize];
            let values = before.iter().filter(|it| is_value(it));
            Some(Object::View(values.count() as u32))
        }
        Object::TileStatic(_) => Some(*object),
    };
    Footprint {
        reads: footprint.reads.iter().filter_map(to_callee).collect(),
        writes: footprint.writes.iter().filter_map(to_callee).collect(),
        orders: footprint.orders,
        meets: footprint.meets,
    }
}

fn is_value(param: &Param) -> bool {
    matches!(param, Param::Value(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::parse;

    const HELPER: &str = "\
kernel k over tiles of 16
tile_static shared@0: [u32; 16]
tile_static other@1: u32

fn fill#0(%0: u32, array$0, %1: &ArrayView<u32, 1>) -> [u32; 64] in $1 {
    slot array$0: [u32; 64]
    slot $1: [u32; 64]
    slot $2: [u32; 64]
    copy $2, array$0
    copy $1, $2
    %2: usize = literal 0
    %3: bool = in_bounds view 1 %1, %2
    %4: u32 = load %1[%2] if %3
    store other@1, %4
    barrier TileStatic
    return
}

fn k#1(%0: TiledIndex<1>, %1: &ArrayView<u32, 1>, %2: &mut ArrayViewMut<u32, 1>, %3: u32) {
    slot $0: [u32; 64]
    slot $1: [u32; 64]
    call fill#0 %3, %2 with $0, $1
    call fill#0 %3, %1 with $1, $0
    fence Global
    return
}
";

    #[test]
    fn calls_touch_what_they_are_given() {
        let module = parse(HELPER).unwrap();
        let facts = Footprints::of(&module);
        let kernel = module.kernel();
        let [first, second, fence] =
            [0, 1, 2].map(|at| kernel.inst(kernel.region(kernel.body).insts[at]));
        let slot = |number| Object::Slot(SlotId(number));
        let other = Object::TileStatic(TileStaticId(1));
        let footprint = facts.inst(kernel, first);
        assert_eq!(footprint.reads, [slot(1), Object::View(2)].into());
        assert_eq!(footprint.writes, [slot(0), other].into());
        let footprint = facts.inst(kernel, second);
        assert_eq!(footprint.reads, [slot(0), Object::View(1)].into());
        assert_eq!(footprint.writes, [slot(1), other].into());
        let id = FunctionId(1);
        let shared = Object::TileStatic(TileStaticId(0));
        assert!(facts.changes(id, &footprint, shared), "by the barrier");
        assert!(footprint.meets);
        assert!(!facts.changes(id, &footprint, Object::View(2)));
        let footprint = facts.inst(kernel, fence);
        assert!(facts.changes(id, &footprint, Object::View(2)));
        assert!(!facts.changes(id, &footprint, Object::View(1)), "read-only");
        assert!(!facts.changes(id, &footprint, shared));
        assert!(!facts.changes(id, &footprint, slot(0)));
    }

    #[test]
    fn views_of_a_kernel_are_numbered_as_its_parameters_are() {
        let text = "\
kernel k over Index<1>

fn k#0(%0: Index<1>, table$0, %1: &mut ArrayViewMut<u32, 1>, %2: u32) {
    slot table$0: [u32; 64]
    %3: usize = literal 0
    %4: bool = in_bounds view 1 %1, %3
    store %1[%3], %2 if %4
    return
}
";
        let facts = Footprints::of(&parse(text).unwrap());
        assert_eq!(facts.kernel().writes, [Object::View(2)].into());
    }

    #[test]
    fn a_mutable_view_is_mutable_where_a_helper_only_reads_it() {
        let module = parse(HELPER).unwrap();
        let facts = Footprints::of(&module);
        assert!(facts.is_mutable(FunctionId(0), 2));
        let constant = HELPER.replace("call fill#0 %3, %2 with", "call fill#0 %3, %1 with");
        let facts = Footprints::of(&parse(&constant).unwrap());
        assert!(!facts.is_mutable(FunctionId(0), 2));
    }
}
