//! From MIR to SPIR-V 1.5 and the [`Artifact`] that describes it.
//!
//! [`emit`] makes one SPIR-V function for each function of the module, the kernel
//! included, and an entry point that reads the argument block, finds the thread's
//! index, calls the kernel and hands a fault, if there was one, to the host. The
//! result passes `spirv-val` for Vulkan 1.2 as it stands, whatever values the
//! specialization constants get.
//!
//! One family of operations a file. `builder` writes instructions and knows no MIR.
//! Emission cannot fail: what [`crate::opt`] leaves has a translation.
//!
//! What it leaves out: optimisation. Instructions are emitted one by one, in their order. How one is
//! written depends on its operands at most: a counted loop is shorter if its literals say that
//! nothing wraps, an index that is a literal has no conversion.

mod access;
mod argument;
mod arithmetic;
mod atomic;
mod barrier;
mod bits;
mod builder;
mod bulk;
mod cast;
mod control_flow;
mod cut;
mod double;
mod entry;
mod exact;
mod fault;
mod float_math;
mod format;
mod function;
mod half;
mod hidden;
mod index;
mod integer_math;
mod jumps;
mod library;
mod loops;
mod math;
mod message;
mod place;
mod power;
mod run;
mod scalar;
mod subgroup;
mod types;
mod unpack;
mod uses;
mod vector;
mod view;

use std::borrow::Cow;
use std::collections::BTreeSet;

use spirv::{BuiltIn, Capability, Decoration, Op, StorageClass, Word};

use self::argument::Layout;
use self::builder::{Builder, wide};
use self::fault::Faults;
use self::function::Body;
use self::half::HalfBits;
use self::library::Library;
use self::message::Prints;
use self::uses::Uses;
use crate::analysis::effects::{Footprints, view_param};
use crate::artifact::{Artifact, Feature, FloatFaults, Message, SPEC_PROVEN, SPEC_USER, Wide};
use crate::mir::{Module, Op as MirOp, Proof};
use crate::remark::{Remark, RemarkKind, Remarks, Unproven};
use crate::tree::{ConstId, Domain, Scalar, Span, TileStaticId, Type};
use rustc_hash::FxHashMap as HashMap;

/// Compiles a module.
pub fn emit(module: &Module) -> Artifact {
    let mut emitter = Emitter::new(module);
    let layout = Layout::of(module, &emitter.footprints);
    emitter.declare_block(&layout);
    for index in 0..module.functions.len() {
        emitter.function(index);
    }
    emitter.entry();
    emitter.library();
    // One line of the source can be compiled several times.
    emitter.remarks.sort_unstable();
    emitter.remarks.dedup();

    Artifact {
        name: module.name.clone().into(),
        rank: module.domain.rank(),
        tiled: matches!(module.domain, Domain::Tiled { .. }),
        index: module.index,
        float_faults: emitter.asked_faults,
        has_barrier: emitter.footprints.kernel().meets,
        in_lockstep: false,
        pointwise: module.pointwise,
        remarks: Remarks::new(&emitter.remarks),
        inlined: Cow::default(),
        params: layout.params.into(),
        block_bytes: layout.bytes,
        spilled: layout.spilled,
        constant_bytes: module
            .consts
            .iter()
            .map(|constant| constant.ty.bits().max(32) / 8)
            .collect(),
        features: features(&emitter),
        files: module
            .files
            .iter()
            .map(|file| Cow::Owned(file.clone()))
            .collect(),
        faults: emitter.faults.sites.into(),
        messages: module
            .messages
            .iter()
            .map(|message| Message {
                kind: message.kind,
                format: message.format.clone().into(),
            })
            .collect(),
        print_words: emitter.prints.words,
        proofs: module.proofs.clone(),
        wide: wide_of(module),
        merged: module.merged.clone().into(),
        spirv: emitter.b.finish().into(),
    }
}

/// What the run time needs to know of the wide kernel.
fn wide_of(module: &Module) -> Wide {
    let Some(kernel) = module.wide_kernel() else {
        return Wide::default();
    };
    let mut runs = BTreeSet::new();
    kernel.walk(kernel.body, &mut |_, inst| {
        if let MirOp::LoadRun(_) | MirOp::StoreRun(_) = inst.op {
            runs.insert(view_param(kernel, inst.args[0]));
        }
    });
    let is_view = |param: &u32| {
        let ty = kernel.param_ty(kernel.params[*param as usize]);
        matches!(module.types[ty], Type::View(_))
    };
    let position = |param: u32| (0..param).filter(is_view).count() as u32;
    Wide {
        lanes: module.lanes,
        views: runs.into_iter().map(position).collect(),
    }
}

/// What the capabilities of a finished module ask of a device.
fn features(emitter: &Emitter<'_>) -> Cow<'static, [Feature]> {
    Feature::ALL
        .into_iter()
        .filter(|feature| {
            emitter.b.has_capability(match feature {
                // Vulkan tells them apart, SPIR-V does not.
                Feature::Atomics64 | Feature::TileAtomics64 => {
                    return emitter.uses.wide_atomics.contains(feature);
                }
                Feature::Int8 => Capability::Int8,
                Feature::Int16 => Capability::Int16,
                Feature::Int64 => Capability::Int64,
                Feature::Float64 => Capability::Float64,
                Feature::Storage8 => Capability::StorageBuffer8BitAccess,
                Feature::Storage16 => Capability::StorageBuffer16BitAccess,
            })
        })
        .collect()
}

/// A module on its way to SPIR-V.
struct Emitter<'m> {
    ir: &'m Module,
    b: Builder,
    uses: Uses,
    footprints: Footprints,
    faults: Faults,
    prints: Prints,
    remarks: Vec<Remark>,
    library: Library,
    /// Those floats of the `half` crate of which more is known than their value, by their words.
    half_bits: HashMap<Word, HalfBits>,
    /// The function being emitted.
    body: Body<'m>,
    /// SPIR-V functions by [`crate::tree::FunctionId`].
    functions: Vec<Word>,
    /// Variables by [`crate::tree::TileStaticId`].
    tile_statics: Vec<Word>,
    /// `OpString`s by [`crate::tree::Location::file`].
    files: Vec<Word>,
    types: HashMap<Type, Word>,
    memory_types: HashMap<Type, Word>,
    view_pointers: HashMap<(Type, bool), Word>,
    constants: HashMap<ConstId, Word>,
    builtins: HashMap<BuiltIn, Word>,
    /// The specialization constant that tells the device's faults with floats.
    float_faults: Option<Word>,
    /// Those that anything asks for.
    asked_faults: FloatFaults,
    /// Variable of the argument block, type of its address if it is spilled, and the
    /// types of its members.
    arguments: Option<(Word, Option<Word>, Vec<Word>)>,
    /// The specialization constant that tells the groups of checks that hold.
    groups: Option<Word>,
    /// Whether an instruction became a loop.
    has_own_loops: bool,
    /// Variable of what loops note.
    notes: Option<Word>,
    /// Specialization constants that are off unless the run time turns them on, by number.
    switches: HashMap<u32, Word>,
    /// Every global variable, for the entry point.
    interface: Vec<Word>,
}

impl<'m> Emitter<'m> {
    fn new(ir: &'m Module) -> Self {
        let exact = ir.functions.iter().any(|function| !function.fast_math);
        let mut b = Builder::new(exact);
        let files = ir.files.iter().map(|file| b.string(file)).collect();
        let mut emitter = Self {
            ir,
            b,
            uses: Uses::of(ir),
            footprints: Footprints::of(ir),
            faults: Faults::of(ir),
            prints: Prints::of(ir),
            remarks: Vec::new(),
            library: Library::default(),
            half_bits: HashMap::default(),
            body: Body::default(),
            functions: Vec::new(),
            tile_statics: Vec::new(),
            files,
            types: HashMap::default(),
            memory_types: HashMap::default(),
            view_pointers: HashMap::default(),
            constants: HashMap::default(),
            builtins: HashMap::default(),
            float_faults: None,
            asked_faults: FloatFaults::default(),
            arguments: None,
            groups: None,
            has_own_loops: false,
            notes: None,
            switches: HashMap::default(),
            interface: Vec::new(),
        };
        for variable in &ir.tile_statics {
            let form = emitter.form_of_tile_static(TileStaticId(emitter.tile_statics.len() as u32));
            let ty = emitter.kept_ty(form, &variable.ty);
            let id = emitter.global_variable(StorageClass::Workgroup, ty, &variable.name);
            emitter.tile_statics.push(id);
        }
        emitter
    }

    /// A user's constant.
    fn constant(&mut self, id: ConstId) -> Word {
        if let Some(word) = self.constants.get(&id) {
            return *word;
        }
        let definition = &self.ir.consts[id.0 as usize];
        // A length must not be zero even before it is specialised.
        let one = u32::from(definition.ty.is_integer());
        let ty = self.scalar_ty(definition.ty);
        let value = wide(one.into());
        let (op, value) = match definition.ty {
            Scalar::Bool => (Op::SpecConstantFalse, &[][..]),
            scalar if scalar.bits() == 64 => (Op::SpecConstant, &value[..]),
            _ => (Op::SpecConstant, &value[..1]),
        };
        let word = self.specialization(op, ty, value, SPEC_USER + id.0, &definition.name);
        self.constants.insert(id, word);
        word
    }

    /// A user's constant of type `usize` that is an array's length, as a `u32`.
    fn word_constant(&mut self, id: ConstId) -> Word {
        let whole = self.constant(id);
        if self.ir.consts[id.0 as usize].ty.bits() < 64 {
            return whole;
        }
        let u32_ty = self.b.scalar.u32;
        let operands = [Op::UConvert as Word, whole];
        self.b.intern(Op::SpecConstantOp, Some(u32_ty), &operands)
    }

    /// Whether the host has made the checks of a group for the whole launch.
    pub fn proven(&mut self, group: u32) -> Word {
        let (bool, u32_ty) = (self.b.scalar.bool, self.b.scalar.u32);
        let groups = match self.groups {
            Some(groups) => groups,
            None => {
                let op = Op::SpecConstant;
                let groups = self.specialization(op, u32_ty, &[0], SPEC_PROVEN, "proven");
                *self.groups.insert(groups)
            }
        };
        let (zero, bit) = (self.b.u32(0), self.b.u32(1 << group));
        let operands = [Op::BitwiseAnd as Word, groups, bit];
        let bit = self.b.intern(Op::SpecConstantOp, Some(u32_ty), &operands);
        let operands = [Op::INotEqual as Word, bit, zero];
        self.b.intern(Op::SpecConstantOp, Some(bool), &operands)
    }

    /// A boolean specialization constant that is off unless the run time turns it on.
    fn switch(&mut self, number: u32, name: &str) -> Word {
        if let Some(known) = self.switches.get(&number) {
            return *known;
        }
        let bool = self.b.scalar.bool;
        let switch = self.specialization(Op::SpecConstantFalse, bool, &[], number, name);
        self.switches.insert(number, switch);
        switch
    }

    /// Declares a specialization constant.
    fn specialization(
        &mut self,
        op: Op,
        ty: Word,
        value: &[Word],
        number: u32,
        name: &str,
    ) -> Word {
        let word = self.b.global(op, Some(ty), value);
        self.b.decorate(word, Decoration::SpecId, Some(number));
        self.b.name(word, name);
        word
    }

    /// Declares a variable of the module.
    fn global_variable(&mut self, storage: StorageClass, ty: Word, name: &str) -> Word {
        let id = self.b.global_variable(storage, ty, name);
        self.interface.push(id);
        id
    }

    /// Says which part of the source is translated now.
    fn at(&mut self, span: Span) {
        let location = self.ir.location(span);
        let file = self.files[location.file as usize];
        self.b.line(file, location.line, location.column);
    }

    /// Says what was done at a place of the source; once, in the kernel, if there is a wide one.
    fn remark(&mut self, kind: RemarkKind, span: Span) {
        if self.ir.lanes > 1 && !self.is_kernel() {
            return;
        }
        let location = self.ir.location(span);
        self.remarks.push(Remark {
            file: location.file,
            line: location.line,
            column: location.column,
            kind,
            in_loop: self.body.open_loops > 0,
        });
    }

    /// Says what became of the check of an index.
    fn remark_check(&mut self, proof: Proof, span: Span) {
        let kind = match proof {
            // The copy of the loop in which it holds says so.
            Proof::Range => return,
            Proof::InRange => RemarkKind::BeforeLoop,
            Proof::Always => RemarkKind::Proven,
            Proof::Launch(group) => RemarkKind::AtLaunch(group),
            Proof::Unproven(why) => RemarkKind::Checked(why),
            Proof::None => RemarkKind::Checked(Unproven::NotInlined),
        };
        self.remark(kind, span);
    }
}
