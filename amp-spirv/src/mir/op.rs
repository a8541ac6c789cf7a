//! The operations, each with its row: name, operands, effects.

use super::{MessageId, SiteId, SlotId};
use crate::remark::Unproven;
use crate::tree::{
    AtomicOp, BinaryOp, ConstId, FunctionId, Len, Literal, MathOp, MemoryFence, SharedMemory,
    SubgroupOp, TileStaticId, UnaryOp,
};

/// What an instruction does. The operands that each takes are listed with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A literal. `[]`
    Literal(Literal),
    /// A specialization constant. `[]`
    Const(ConstId),
    /// The value of the result's type that is all zeroes. `[]`
    Zero,
    /// A tuple, struct, array of literal length, vector, `Index`, `Extent` or `TiledIndex` from
    /// its parts. `[parts..]`
    Construct,
    /// A part of such a value. `[whole]`
    Extract(u32),
    /// The value with one part replaced. `[whole, part]`
    Insert(u32),
    /// `-x`, `!x`. `[x]`
    Unary(UnaryOp),
    /// `a + b`, comparisons and shifts. A division runs under a guard that implies that its
    /// divisor is not zero and that it does not overflow. `[a, b]`
    Binary(BinaryOp),
    /// `x as T`, `T` being the result's type. `[x]`
    Cast,
    /// A numeric method. Those that divide run under a guard, as divisions do; `clamp` under
    /// one that implies that its limits are in order. `[operands..]`
    Math(MathOp),
    /// The operand, which a driver does not know. `[x]`
    Hide(Hidden),
    /// A component of a view's extent, a `usize`. `[view]`
    ViewExtent(u32),
    /// The position of an element from the start of its view on, counted in elements, a `usize`; any
    /// number for an index that is out of bounds. `[view, components..]`
    Position,
    /// The condition, which holds in those launches for which the host proves the group of this
    /// number; see [`Proof::Launch`]. `[condition]`
    Proven(u32),
    /// Whether an index is in bounds, a `bool`. See [`Bound`] for the operands.
    InBounds(Bound, Proof),
    /// `v.section(origin, extent)`; empty unless the guard holds.
    /// `[view, origin components.., extent components..]`
    Section,
    /// `v.row(i)`; empty unless the guard holds. `[view, i]`
    Row,
    /// `v.view_as(extent)`; empty unless the guard holds. `[view, extent components..]`
    Shape,
    /// `v.reinterpret::<U>()`; empty unless the guard holds. `[view]`
    Elements,
    /// The value of a place: zero unless the guard holds. `[access..]`
    Load(Access),
    /// Sets the value of a place, if the guard holds. `[access.., value]`
    Store(Access),
    /// The values of so many neighbouring elements of a view as it has results: of the place, and of
    /// those behind it in the last dimension. All are in bounds, and the first is, counted in
    /// elements, at a multiple of their number. `[access..]`
    LoadRun(Access),
    /// Sets such elements. `[access.., values..]`
    StoreRun(Access),
    /// Copies a bulk value from the second place to the first, neither of which overlaps the
    /// other. Unless the guard holds, a slot that is written as a whole is cleared, and nothing else
    /// is written.
    /// `[first access.., second access..]`
    Copy(Access, Access),
    /// Sets a bulk value to zeroes. `[access..]`
    Clear(Access),
    /// An access that no other thread can come between; the result is the old value, zero unless
    /// the guard holds. `[access.., operands..]`
    Atomic(AtomicOp, Access),
    /// Records the thread's first fault, unless the condition holds; goes on.
    /// `[condition, two operands of type usize]`
    NoteFault(SiteId),
    /// Records the thread's first fault, at the site of the first condition that does not hold. The
    /// last site has no condition: it is the one where all others hold.
    /// `[condition, two operands of type usize.., two operands]`
    Fault(Vec<SiteId>),
    /// Records the thread's first fault, unless the condition holds, if the driver has ended a loop
    /// before it ended itself. `[condition, two operands of type usize]`
    NoteCut(SiteId),
    /// Whether faults are not recorded: the same in the whole launch. `[]`
    Unchecked,
    /// A fault in the user's words, or a print; goes on. `[operands..]`
    Message(MessageId, SiteId),
    /// Waits for the threads of the tile, and orders what the fence does, except memory in which
    /// the order of accesses cannot be observed. `[]`
    Barrier(MemoryFence, SharedMemory),
    /// Orders memory. `[]`
    Fence(MemoryFence),
    /// `device_memory_fence()` `[]`
    DeviceFence,
    /// What the threads of a subgroup do together. `[operands..]`
    Subgroup(SubgroupOp),
    /// A call. `[a value for each `Param::Value`..]`
    Call(FunctionId),
    /// Regions: what is done if the condition holds, and what otherwise. `[condition]`
    If,
    /// A region that is left once: a labelled block. `[]`
    Block,
    /// A region that repeats until it is left by `Break` or [`Op::While`]. Its parameters are the
    /// values that it carries, first the operands. `[carried..]`
    Loop,
    /// Leaves the [`Op::Loop`] whose region this is in, with its results, unless the condition
    /// holds. `[condition, results..]`
    While,
    /// A region that repeats while its first parameter, which counts up from `start` by
    /// `step`, is less than `end`; it stops rather than overflow. The other parameters are
    /// carried; the results are those when it stops. The step is not zero.
    /// `[start, end, step, carried..]`
    For,
    /// The same, while the parameter is less than `end` or equal to it.
    ForInclusive,
}

/// A place in memory: where it starts, and the way from there. Its operands are those of the
/// base and then one index of type `usize` for each [`Step::Index`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Where it starts.
    pub base: Base,
    /// How it goes on, outermost first.
    pub path: Vec<Step>,
    /// No barrier or fence orders what is done there, although other threads see the place.
    pub is_private: bool,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A variable of the function.
    Slot(SlotId),
    /// A variable of the tile.
    TileStatic(TileStaticId),
    /// An element of a view of this rank. `[view, components..]`
    Element(u32),
    /// An element of a view at an [`Op::Position`] of it. `[view, position]`
    Position,
}

/// A step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A field of a struct or tuple, a component of a vector or point.
    Field(u32),
    /// An element of an array, a component of a vector or point, by its operand.
    Index,
}

/// What an index is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A view of this rank: every component is less than the extent. `[view, components..]`
    View(u32),
    /// A length: the index is less. `[index]`
    Len(Len),
    /// A section lies within the view of this rank.
    /// `[view, origin components.., extent components..]`
    Section(u32),
    /// A row exists in a view. `[view, row]`
    Row,
    /// A view of rank 1 has at least as many elements as the extent of this rank.
    /// `[view, extent components..]`
    Shape(u32),
    /// The bytes of a view of rank 1 divide evenly into elements of so many times the common
    /// divisor of both sizes. `[view]`
    Elements(u32),
}

/// Why a check need not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    /// Nothing is known: the device compares.
    None,
    /// Nor could the last pass that looked find a proof, for this reason.
    Unproven(Unproven),
    /// The device compares. Either this is a check before a loop that covers all of its rounds, or it
    /// is in the version of the loop that runs where that check fails.
    Range,
    /// It holds: this is in the version of the loop that runs where the check before it holds.
    InRange,
    /// It holds in every launch.
    Always,
    /// It holds in those launches for which the host proves the group of this number.
    Launch(u32),
}

/// What a driver is kept from knowing of a value. It depends on the device whether it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// That it is zero, or another constant.
    Value,
    /// Which of its bits can be set.
    Bits,
    /// That its bits are those of an `f32`.
    Float,
}

/// Classes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Slots of the function.
    Slot,
    /// Variables of the tile.
    TileStatic,
    /// Elements of views.
    View,
    /// The thread's record of its first fault.
    Fault,
}

/// What an operation does besides computing its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What it reads.
    pub reads: Option<Memory>,
    /// What it writes.
    pub writes: Option<Memory>,
    /// Orders or changes memory of any class, or prints: it stays where it is.
    pub fixed: bool,
    /// The threads of a tile or subgroup do it together.
    pub convergent: bool,
}

/// The row of an operation.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// Its name in text.
    pub name: &'static str,
    /// What it does besides computing its results.
    pub effects: Effects,
}

impl Hidden {
    /// All of them.
    pub const ALL: [Hidden; 3] = [Hidden::Value, Hidden::Bits, Hidden::Float];
}

impl Base {
    /// The number of its operands.
    pub fn operands(self) -> usize {
        match self {
            Base::Element(rank) => 1 + rank as usize,
            Base::Position => 2,
            Base::Slot(_) | Base::TileStatic(_) => 0,
        }
    }
}

impl Access {
    /// A place whose accesses barriers and fences order.
    pub fn new(base: Base, path: Vec<Step>) -> Self {
        Access {
            base,
            path,
            is_private: false,
        }
    }

    /// The whole of a slot.
    pub fn whole(slot: SlotId) -> Self {
        Access::new(Base::Slot(slot), Vec::new())
    }

    /// A part of a slot.
    pub fn part(slot: SlotId, part: u32) -> Self {
        Access::new(Base::Slot(slot), vec![Step::Field(part)])
    }

    /// The number of its operands.
    pub fn operands(&self) -> usize {
        let indices = self.path.iter().filter(|step| **step == Step::Index);
        self.base.operands() + indices.count()
    }

    /// Whether the place is a slot as a whole.
    pub fn is_slot(&self) -> bool {
        matches!(self.base, Base::Slot(_)) && self.path.is_empty()
    }

    /// The class of its memory.
    pub fn memory(&self) -> Memory {
        match self.base {
            Base::Slot(_) => Memory::Slot,
            Base::TileStatic(_) => Memory::TileStatic,
            Base::Element(_) | Base::Position => Memory::View,
        }
    }
}

impl Op {
    /// Whether it runs its region again and again.
    pub fn is_loop(&self) -> bool {
        matches!(self, Op::Loop | Op::For | Op::ForInclusive)
    }

    /// The places that it accesses, in the order of their operands, which come first.
    pub fn accesses(&self) -> Vec<&Access> {
        match self {
            Op::Load(access)
            | Op::Store(access)
            | Op::LoadRun(access)
            | Op::StoreRun(access)
            | Op::Clear(access)
            | Op::Atomic(_, access) => vec![access],
            Op::Copy(to, from) => vec![to, from],
            _ => Vec::new(),
        }
    }

    /// The places that it accesses, to be changed.
    pub fn accesses_mut(&mut self) -> Vec<&mut Access> {
        match self {
            Op::Load(access)
            | Op::Store(access)
            | Op::LoadRun(access)
            | Op::StoreRun(access)
            | Op::Clear(access)
            | Op::Atomic(_, access) => vec![access],
            Op::Copy(to, from) => vec![to, from],
            _ => Vec::new(),
        }
    }

    /// The memory that it orders, calls excepted.
    pub fn orders(&self) -> SharedMemory {
        match self {
            Op::Barrier(_, ordered) => *ordered,
            Op::Fence(fence) => fence.orders(),
            Op::Subgroup(SubgroupOp::Barrier) => MemoryFence::All.orders(),
            Op::DeviceFence => MemoryFence::Global.orders(),
            _ => SharedMemory::default(),
        }
    }

    /// The operation's row.
    pub fn info(&self) -> OpInfo {
        let pure = Effects::default();
        let fixed = Effects {
            fixed: true,
            ..pure
        };
        let convergent = Effects {
            convergent: true,
            ..fixed
        };
        let faults = Effects {
            writes: Some(Memory::Fault),
            ..pure
        };
        let (name, effects) = match self {
            Op::Literal(_) => ("literal", pure),
            Op::Const(_) => ("const", pure),
            Op::Zero => ("zero", pure),
            Op::Construct => ("construct", pure),
            Op::Extract(_) => ("extract", pure),
            Op::Insert(_) => ("insert", pure),
            Op::Unary(_) => ("unary", pure),
            Op::Binary(_) => ("binary", pure),
            Op::Cast => ("cast", pure),
            Op::Math(_) => ("math", pure),
            Op::Hide(_) => ("hide", pure),
            Op::ViewExtent(_) => ("extent", pure),
            Op::Position => ("position", pure),
            Op::Proven(_) => ("proven", pure),
            Op::InBounds(..) => ("in_bounds", pure),
            Op::Section => ("section", pure),
            Op::Row => ("row", pure),
            Op::Shape => ("shape", pure),
            Op::Elements => ("elements", pure),
            Op::Load(access) => {
                let reads = Some(access.memory());
                ("load", Effects { reads, ..pure })
            }
            Op::LoadRun(access) => {
                let reads = Some(access.memory());
                ("load_run", Effects { reads, ..pure })
            }
            Op::Store(access) => {
                let writes = Some(access.memory());
                ("store", Effects { writes, ..pure })
            }
            Op::StoreRun(access) => {
                let writes = Some(access.memory());
                ("store_run", Effects { writes, ..pure })
            }
            Op::Copy(to, from) => {
                let (reads, writes) = (Some(from.memory()), Some(to.memory()));
                let effects = Effects {
                    reads,
                    writes,
                    ..pure
                };
                ("copy", effects)
            }
            Op::Clear(access) => {
                let writes = Some(access.memory());
                ("clear", Effects { writes, ..pure })
            }
            Op::Atomic(..) => ("atomic", fixed),
            Op::NoteFault(_) => ("note_fault", faults),
            Op::Fault(_) => ("fault", faults),
            Op::NoteCut(_) => {
                let fixed = true;
                ("note_cut", Effects { fixed, ..faults })
            }
            Op::Unchecked => ("unchecked", pure),
            Op::Message(..) => ("message", fixed),
            Op::Barrier(..) => ("barrier", convergent),
            Op::Fence(_) => ("fence", fixed),
            Op::DeviceFence => ("device_fence", fixed),
            Op::Subgroup(_) => ("subgroup", convergent),
            Op::Call(_) => ("call", fixed),
            Op::If => ("if", pure),
            Op::Block => ("block", pure),
            Op::Loop => ("loop", pure),
            Op::While => ("while", fixed),
            Op::For => ("for", pure),
            Op::ForInclusive => ("for_inclusive", pure),
        };
        OpInfo { name, effects }
    }
}
