//! A SPIR-V module under construction: ids, interned types and constants, and the
//! function and block that instructions go to.
//!
//! It knows nothing of the tree. Types and constants are interned by a hash of
//! the whole instruction, so that asking again costs the same however large the
//! module is. Function variables may be asked for at any time; they end up at the
//! start of the function, as SPIR-V wants it.

mod instruction;
mod words;

use std::collections::BTreeMap;

use spirv::{
    AddressingModel, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
    MemoryModel, Op, StorageClass, Word,
};

use self::words::{Section, Sections};
pub(super) use self::words::{text, wide};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Ids of the types that nearly every module needs.
#[derive(Clone, Copy)]
pub(super) struct Scalars {
    pub void: Word,
    pub bool: Word,
    pub u32: Word,
    pub i32: Word,
    pub f32: Word,
}

/// An instruction without its result: what makes two types or constants the same.
type Key = (Op, Option<Word>, Vec<Word>);

/// See the module's documentation.
pub(super) struct Builder {
    module: Sections,
    next: Word,
    interned: HashMap<Key, Word>,
    constants: HashSet<Word>,
    /// Whether float operations stay what they are: no contraction, and denormals,
    /// signed zeroes and NaN as Rust has them.
    exact: bool,
    /// Whether the current function may do without that; so may the library's, if none of
    /// the module's functions is exact.
    pub fast: bool,
    /// The parts of aggregates.
    composites: HashMap<Word, Vec<Word>>,
    /// What not every device has and this module uses.
    capabilities: HashSet<Capability>,
    extensions: HashSet<&'static str>,
    /// Zeroes that the driver does not know, of the current function, each by the
    /// specialization constant that hides it.
    pub hidden_zeroes: BTreeMap<Word, Word>,
    /// The current function: how it starts, its variables, what it computes first, and
    /// the rest.
    head: Section,
    variables: Section,
    prologue: Section,
    body: Section,
    /// The block that instructions go to.
    pub block: Word,
    /// File and line of the last `OpLine` in this block.
    line: Option<(Word, u32)>,
    glsl: Word,
    pub scalar: Scalars,
}

/// Rust's floats. The run time takes out what a device does not offer.
const FLOAT_CONTROLS: [(Capability, ExecutionMode); 3] = [
    (Capability::DenormPreserve, ExecutionMode::DenormPreserve),
    (
        Capability::SignedZeroInfNanPreserve,
        ExecutionMode::SignedZeroInfNanPreserve,
    ),
    (Capability::RoundingModeRTE, ExecutionMode::RoundingModeRTE),
];

/// The float controls of a module.
fn float_controls(exact: bool) -> impl Iterator<Item = (Capability, ExecutionMode)> {
    FLOAT_CONTROLS.into_iter().filter(move |_| exact)
}

impl Builder {
    pub fn new(exact: bool) -> Self {
        let mut module = Sections::default();
        let always = [
            Capability::Shader,
            Capability::PhysicalStorageBufferAddresses,
            Capability::VulkanMemoryModel,
        ];
        let controls = float_controls(exact).map(|(capability, _)| capability);
        for capability in always.into_iter().chain(controls) {
            let operands = [capability as Word];
            module
                .capabilities
                .push(Op::Capability, None, None, &operands);
        }
        let operands = [
            AddressingModel::PhysicalStorageBuffer64 as Word,
            MemoryModel::Vulkan as Word,
        ];
        module
            .memory_model
            .push(Op::MemoryModel, None, None, &operands);
        let glsl = 1;
        module
            .imports
            .push(Op::ExtInstImport, None, Some(glsl), &text("GLSL.std.450"));
        let mut builder = Self {
            module,
            next: 2,
            interned: HashMap::default(),
            constants: HashSet::default(),
            exact,
            fast: !exact,
            composites: HashMap::default(),
            capabilities: HashSet::default(),
            extensions: HashSet::default(),
            hidden_zeroes: BTreeMap::new(),
            head: Section::default(),
            variables: Section::default(),
            prologue: Section::default(),
            body: Section::default(),
            block: 0,
            line: None,
            glsl,
            scalar: Scalars {
                void: 0,
                bool: 0,
                u32: 0,
                i32: 0,
                f32: 0,
            },
        };
        builder.scalar = Scalars {
            void: builder.intern(Op::TypeVoid, None, &[]),
            bool: builder.intern(Op::TypeBool, None, &[]),
            u32: builder.intern(Op::TypeInt, None, &[32, 0]),
            i32: builder.intern(Op::TypeInt, None, &[32, 1]),
            f32: builder.intern(Op::TypeFloat, None, &[32]),
        };
        builder
    }

    /// The module's words as bytes.
    pub fn finish(self) -> Vec<u8> {
        self.module.bytes(self.next)
    }

    pub fn id(&mut self) -> Word {
        self.next += 1;
        self.next - 1
    }

    // Module level.

    /// Says that the module uses what not every device has.
    pub fn capability(&mut self, capability: Capability) {
        if self.capabilities.insert(capability) {
            let operands = [capability as Word];
            self.module
                .capabilities
                .push(Op::Capability, None, None, &operands);
        }
    }

    /// Says that the module uses an extension of SPIR-V.
    pub fn extension(&mut self, name: &'static str) {
        if self.extensions.insert(name) {
            self.module
                .extensions
                .push(Op::Extension, None, None, &text(name));
        }
    }

    /// Whether the module said so.
    pub fn has_capability(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// The id of a type or constant, which is declared at its first use.
    pub fn intern(&mut self, op: Op, ty: Option<Word>, operands: &[Word]) -> Word {
        let key = (op, ty, operands.to_vec());
        if let Some(id) = self.interned.get(&key) {
            return *id;
        }
        let id = self.global(op, ty, operands);
        self.interned.insert(key, id);
        id
    }

    /// Declares a type, constant or variable that is like no other.
    pub fn global(&mut self, op: Op, ty: Option<Word>, operands: &[Word]) -> Word {
        let id = self.id();
        self.module.globals.push(op, ty, Some(id), operands);
        id
    }

    /// The id of a constant, by the whole of its instruction.
    pub fn constant(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        let id = self.intern(op, Some(ty), operands);
        self.constants.insert(id);
        id
    }

    pub fn u32(&mut self, value: u32) -> Word {
        self.constant(Op::Constant, self.scalar.u32, &[value])
    }

    pub fn i32(&mut self, value: i32) -> Word {
        let bits = value as u32;
        self.constant(Op::Constant, self.scalar.i32, &[bits])
    }

    pub fn f32(&mut self, value: f32) -> Word {
        let bits = value.to_bits();
        self.constant(Op::Constant, self.scalar.f32, &[bits])
    }

    pub fn bool(&mut self, value: bool) -> Word {
        let op = if value {
            Op::ConstantTrue
        } else {
            Op::ConstantFalse
        };
        self.constant(op, self.scalar.bool, &[])
    }

    /// All bits zero.
    pub fn null(&mut self, ty: Word) -> Word {
        self.constant(Op::ConstantNull, ty, &[])
    }

    /// An aggregate from its parts; a constant if they are.
    pub fn composite(&mut self, ty: Word, parts: &[Word]) -> Word {
        let id = if parts.iter().all(|part| self.constants.contains(part)) {
            self.constant(Op::ConstantComposite, ty, parts)
        } else {
            self.op(Op::CompositeConstruct, ty, parts)
        };
        self.composites.insert(id, parts.to_vec());
        id
    }

    /// A part of an aggregate that [`composite`](Self::composite) made.
    pub fn part(&self, aggregate: Word, index: u32) -> Option<Word> {
        self.composites
            .get(&aggregate)?
            .get(index as usize)
            .copied()
    }

    pub fn pointer(&mut self, storage: StorageClass, ty: Word) -> Word {
        self.intern(Op::TypePointer, None, &[storage as Word, ty])
    }

    pub fn function_type(&mut self, result: Word, params: &[Word]) -> Word {
        let mut operands = vec![result];
        operands.extend_from_slice(params);
        self.intern(Op::TypeFunction, None, &operands)
    }

    pub fn global_variable(&mut self, storage: StorageClass, ty: Word, name: &str) -> Word {
        let pointer = self.pointer(storage, ty);
        let mut operands = vec![storage as Word];
        if storage == StorageClass::Private {
            operands.push(self.null(ty));
        }
        let id = self.global(Op::Variable, Some(pointer), &operands);
        self.name(id, name);
        id
    }

    pub fn entry_point(&mut self, id: Word, name: &str, interface: &[Word]) {
        let start = [ExecutionModel::GLCompute as Word, id];
        let operands = [&start, &*text(name), interface].concat();
        self.module
            .entry_points
            .push(Op::EntryPoint, None, None, &operands);
        let widths: &[u32] = match self.has_capability(Capability::Float64) {
            true => &[32, 64],
            false => &[32],
        };
        for &width in widths {
            for (_, mode) in float_controls(self.exact) {
                let operands = [id, mode as Word, width];
                self.module
                    .execution_modes
                    .push(Op::ExecutionMode, None, None, &operands);
            }
        }
    }

    pub fn string(&mut self, string: &str) -> Word {
        let id = self.id();
        self.module
            .strings
            .push(Op::String, None, Some(id), &text(string));
        id
    }

    pub fn name(&mut self, id: Word, name: &str) {
        let operands = [&[id], &*text(name)].concat();
        self.module.names.push(Op::Name, None, None, &operands);
    }

    pub fn member_name(&mut self, ty: Word, member: u32, name: &str) {
        let operands = [&[ty, member], &*text(name)].concat();
        self.module
            .names
            .push(Op::MemberName, None, None, &operands);
    }

    pub fn decorate(&mut self, id: Word, decoration: Decoration, extra: Option<u32>) {
        let mut operands = vec![id, decoration as Word];
        operands.extend(extra);
        self.module
            .annotations
            .push(Op::Decorate, None, None, &operands);
    }

    pub fn member_decorate(
        &mut self,
        ty: Word,
        member: u32,
        decoration: Decoration,
        extra: Option<u32>,
    ) {
        let mut operands = vec![ty, member, decoration as Word];
        operands.extend(extra);
        self.module
            .annotations
            .push(Op::MemberDecorate, None, None, &operands);
    }

    // Functions and blocks.

    /// Starts a function and its first block; gives back the parameters.
    pub fn begin_function(
        &mut self,
        id: Word,
        name: &str,
        result: Word,
        params: &[Word],
    ) -> Vec<Word> {
        let ty = self.function_type(result, params);
        self.name(id, name);
        let operands = [FunctionControl::NONE.bits(), ty];
        self.head
            .push(Op::Function, Some(result), Some(id), &operands);
        let ids: Vec<Word> = params.iter().map(|_| self.id()).collect();
        for (ty, id) in params.iter().zip(&ids) {
            self.head
                .push(Op::FunctionParameter, Some(*ty), Some(*id), &[]);
        }
        let first = self.id();
        self.head.push(Op::Label, None, Some(first), &[]);
        self.begin_block(first);
        ids
    }

    /// Ends the function, whose last block must have ended.
    pub fn end_function(&mut self) {
        self.hidden_zeroes.clear();
        let parts = [
            &mut self.head,
            &mut self.variables,
            &mut self.prologue,
            &mut self.body,
        ];
        for part in parts {
            self.module.functions.append(std::mem::take(part));
        }
        self.module.functions.push(Op::FunctionEnd, None, None, &[]);
    }

    /// An instruction that runs before all others of the current function.
    pub fn early(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        let id = self.id();
        self.prologue.push(op, Some(ty), Some(id), operands);
        id
    }

    /// A variable of the current function.
    pub fn variable(&mut self, ty: Word, name: &str) -> Word {
        self.variable_with(ty, name, None)
    }

    /// A variable of the current function that starts as a constant.
    pub fn variable_with(&mut self, ty: Word, name: &str, value: Option<Word>) -> Word {
        let pointer = self.pointer(StorageClass::Function, ty);
        let id = self.id();
        let mut operands = vec![StorageClass::Function as Word];
        operands.extend(value);
        self.variables
            .push(Op::Variable, Some(pointer), Some(id), &operands);
        if !name.is_empty() {
            self.name(id, name);
        }
        id
    }

    /// Starts a block; the one before it must have ended.
    pub fn label(&mut self, id: Word) {
        self.body.push(Op::Label, None, Some(id), &[]);
        self.begin_block(id);
    }

    fn begin_block(&mut self, id: Word) {
        self.block = id;
        self.line = None;
    }
}
