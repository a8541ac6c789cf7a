//! A SPIR-V module under construction: ids, interned types and constants, and the
//! function and block that instructions go to.
//!
//! It knows nothing of the kernel IR. Types and constants are interned by a hash of
//! the whole instruction, so that asking again costs the same however large the
//! module is. Function variables may be asked for at any time; they end up at the
//! start of the function, as SPIR-V wants it.

mod instruction;

use std::collections::{BTreeMap, HashMap, HashSet};

use rspirv::binary::Assemble;
use rspirv::dr::{self, Instruction, Operand};
use rspirv::spirv::{
    Capability, Decoration, ExecutionMode, FunctionControl, Op, StorageClass, Word,
};

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
type Key = (Op, Option<Word>, Vec<Operand>);

/// See the module's documentation.
pub(super) struct Builder {
    module: dr::Module,
    next: Word,
    interned: HashMap<Key, Word>,
    constants: HashSet<Word>,
    /// Whether float operations stay what they are: no contraction, and denormals,
    /// signed zeroes and NaN as Rust has them.
    exact: bool,
    /// Whether the current function may do without that.
    pub fast: bool,
    f32_literals: HashMap<Word, f32>,
    /// The parts of aggregates.
    composites: HashMap<Word, Vec<Word>>,
    /// What not every device has and this module uses.
    capabilities: HashSet<Capability>,
    /// Zeroes that the driver does not know, of the current function, each by the
    /// specialization constant that hides it.
    pub hidden_zeroes: BTreeMap<Word, Word>,
    function: dr::Function,
    variables: Vec<Instruction>,
    /// What the current function computes first.
    prologue: Vec<Instruction>,
    /// The block that instructions go to.
    pub block: Word,
    /// File and line of the last `OpLine` in this block.
    line: Option<(Word, u32)>,
    glsl: Word,
    pub scalar: Scalars,
}

fn refs(ids: &[Word]) -> Vec<Operand> {
    ids.iter().copied().map(Operand::IdRef).collect()
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
        let mut module = dr::Module::new();
        let mut header = dr::ModuleHeader::new(0);
        header.set_version(1, 5);
        module.header = Some(header);
        for capability in [
            Capability::Shader,
            Capability::PhysicalStorageBufferAddresses,
            Capability::VulkanMemoryModel,
        ]
        .into_iter()
        .chain(float_controls(exact).map(|(capability, _)| capability))
        {
            module.capabilities.push(Instruction::new(
                Op::Capability,
                None,
                None,
                vec![Operand::Capability(capability)],
            ));
        }
        module.memory_model = Some(Instruction::new(
            Op::MemoryModel,
            None,
            None,
            vec![
                Operand::AddressingModel(rspirv::spirv::AddressingModel::PhysicalStorageBuffer64),
                Operand::MemoryModel(rspirv::spirv::MemoryModel::Vulkan),
            ],
        ));
        let glsl = 1;
        module.ext_inst_imports.push(Instruction::new(
            Op::ExtInstImport,
            None,
            Some(glsl),
            vec![Operand::LiteralString("GLSL.std.450".into())],
        ));
        let mut builder = Self {
            module,
            next: 2,
            interned: HashMap::new(),
            constants: HashSet::new(),
            exact,
            fast: false,
            f32_literals: HashMap::new(),
            composites: HashMap::new(),
            capabilities: HashSet::new(),
            hidden_zeroes: BTreeMap::new(),
            prologue: Vec::new(),
            function: dr::Function::new(),
            variables: Vec::new(),
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
        let bits = Operand::LiteralBit32;
        builder.scalar = Scalars {
            void: builder.intern(Op::TypeVoid, None, vec![]),
            bool: builder.intern(Op::TypeBool, None, vec![]),
            u32: builder.intern(Op::TypeInt, None, vec![bits(32), bits(0)]),
            i32: builder.intern(Op::TypeInt, None, vec![bits(32), bits(1)]),
            f32: builder.intern(Op::TypeFloat, None, vec![bits(32)]),
        };
        builder
    }

    /// The module's words as bytes.
    pub fn finish(mut self) -> Vec<u8> {
        if let Some(header) = &mut self.module.header {
            header.bound = self.next;
        }
        let words = self.module.assemble();
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    pub fn id(&mut self) -> Word {
        self.next += 1;
        self.next - 1
    }

    // Module level.

    /// Says that the module uses what not every device has.
    pub fn capability(&mut self, capability: Capability) {
        if self.capabilities.insert(capability) {
            self.module.capabilities.push(Instruction::new(
                Op::Capability,
                None,
                None,
                vec![Operand::Capability(capability)],
            ));
        }
    }

    /// Whether the module said so.
    pub fn has_capability(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// The id of a type or constant, which is declared at its first use.
    pub fn intern(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let key = (op, ty, operands);
        if let Some(id) = self.interned.get(&key) {
            return *id;
        }
        let id = self.global(op, ty, key.2.clone());
        self.interned.insert(key, id);
        id
    }

    /// Declares a type, constant or variable that is like no other.
    pub fn global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let id = self.id();
        self.module
            .types_global_values
            .push(Instruction::new(op, ty, Some(id), operands));
        id
    }

    /// The id of a constant, by the whole of its instruction.
    pub fn constant(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.intern(op, Some(ty), operands);
        self.constants.insert(id);
        id
    }

    pub fn u32(&mut self, value: u32) -> Word {
        self.constant(
            Op::Constant,
            self.scalar.u32,
            vec![Operand::LiteralBit32(value)],
        )
    }

    pub fn i32(&mut self, value: i32) -> Word {
        let bits = Operand::LiteralBit32(value as u32);
        self.constant(Op::Constant, self.scalar.i32, vec![bits])
    }

    pub fn f32(&mut self, value: f32) -> Word {
        let bits = Operand::LiteralBit32(value.to_bits());
        let id = self.constant(Op::Constant, self.scalar.f32, vec![bits]);
        self.f32_literals.insert(id, value);
        id
    }

    /// Says that an id is as good as a constant.
    pub fn is_f32_literal(&mut self, id: Word, value: f32) {
        self.f32_literals.insert(id, value);
    }

    /// The number behind the id of an `f32` constant that is written in the source.
    pub fn f32_literal(&self, id: Word) -> Option<f32> {
        self.f32_literals.get(&id).copied()
    }

    pub fn bool(&mut self, value: bool) -> Word {
        let op = if value {
            Op::ConstantTrue
        } else {
            Op::ConstantFalse
        };
        self.constant(op, self.scalar.bool, vec![])
    }

    /// All bits zero.
    pub fn null(&mut self, ty: Word) -> Word {
        self.constant(Op::ConstantNull, ty, vec![])
    }

    /// An aggregate from its parts; a constant if they are.
    pub fn composite(&mut self, ty: Word, parts: &[Word]) -> Word {
        let id = if parts.iter().all(|part| self.constants.contains(part)) {
            self.constant(Op::ConstantComposite, ty, refs(parts))
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
        self.intern(
            Op::TypePointer,
            None,
            vec![Operand::StorageClass(storage), Operand::IdRef(ty)],
        )
    }

    pub fn function_type(&mut self, result: Word, params: &[Word]) -> Word {
        let mut operands = vec![Operand::IdRef(result)];
        operands.extend(refs(params));
        self.intern(Op::TypeFunction, None, operands)
    }

    pub fn global_variable(&mut self, storage: StorageClass, ty: Word, name: &str) -> Word {
        let pointer = self.pointer(storage, ty);
        let mut operands = vec![Operand::StorageClass(storage)];
        if storage == StorageClass::Private {
            operands.push(Operand::IdRef(self.null(ty)));
        }
        let id = self.global(Op::Variable, Some(pointer), operands);
        self.name(id, name);
        id
    }

    pub fn entry_point(&mut self, id: Word, name: &str, interface: &[Word]) {
        let mut operands = vec![
            Operand::ExecutionModel(rspirv::spirv::ExecutionModel::GLCompute),
            Operand::IdRef(id),
            Operand::LiteralString(name.into()),
        ];
        operands.extend(refs(interface));
        self.module
            .entry_points
            .push(Instruction::new(Op::EntryPoint, None, None, operands));
        let widths: &[u32] = match self.has_capability(Capability::Float64) {
            true => &[32, 64],
            false => &[32],
        };
        for &width in widths {
            for (_, mode) in float_controls(self.exact) {
                self.module.execution_modes.push(Instruction::new(
                    Op::ExecutionMode,
                    None,
                    None,
                    vec![
                        Operand::IdRef(id),
                        Operand::ExecutionMode(mode),
                        Operand::LiteralBit32(width),
                    ],
                ));
            }
        }
    }

    pub fn string(&mut self, text: &str) -> Word {
        let id = self.id();
        self.module.debug_string_source.push(Instruction::new(
            Op::String,
            None,
            Some(id),
            vec![Operand::LiteralString(text.into())],
        ));
        id
    }

    pub fn name(&mut self, id: Word, name: &str) {
        let operands = vec![Operand::IdRef(id), Operand::LiteralString(name.into())];
        self.module
            .debug_names
            .push(Instruction::new(Op::Name, None, None, operands));
    }

    pub fn member_name(&mut self, ty: Word, member: u32, name: &str) {
        let operands = vec![
            Operand::IdRef(ty),
            Operand::LiteralBit32(member),
            Operand::LiteralString(name.into()),
        ];
        self.module
            .debug_names
            .push(Instruction::new(Op::MemberName, None, None, operands));
    }

    pub fn decorate(&mut self, id: Word, decoration: Decoration, extra: Option<Operand>) {
        let mut operands = vec![Operand::IdRef(id), Operand::Decoration(decoration)];
        operands.extend(extra);
        self.module
            .annotations
            .push(Instruction::new(Op::Decorate, None, None, operands));
    }

    pub fn member_decorate(
        &mut self,
        ty: Word,
        member: u32,
        decoration: Decoration,
        extra: Option<u32>,
    ) {
        let mut operands = vec![
            Operand::IdRef(ty),
            Operand::LiteralBit32(member),
            Operand::Decoration(decoration),
        ];
        operands.extend(extra.map(Operand::LiteralBit32));
        self.module
            .annotations
            .push(Instruction::new(Op::MemberDecorate, None, None, operands));
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
        self.function.def = Some(Instruction::new(
            Op::Function,
            Some(result),
            Some(id),
            vec![
                Operand::FunctionControl(FunctionControl::NONE),
                Operand::IdRef(ty),
            ],
        ));
        let ids: Vec<Word> = params
            .iter()
            .map(|ty| {
                let id = self.id();
                self.function.parameters.push(Instruction::new(
                    Op::FunctionParameter,
                    Some(*ty),
                    Some(id),
                    vec![],
                ));
                id
            })
            .collect();
        let first = self.id();
        self.label(first);
        ids
    }

    /// Ends the function, whose last block must have ended.
    pub fn end_function(&mut self) {
        let mut function = std::mem::take(&mut self.function);
        self.hidden_zeroes.clear();
        if let Some(first) = function.blocks.first_mut() {
            let mut head = std::mem::take(&mut self.variables);
            head.append(&mut self.prologue);
            first.instructions.splice(0..0, head);
        }
        function.end = Some(Instruction::new(Op::FunctionEnd, None, None, vec![]));
        self.module.functions.push(function);
    }

    /// An instruction that runs before all others of the current function.
    pub fn early(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.id();
        let instruction = Instruction::new(op, Some(ty), Some(id), operands);
        self.prologue.push(instruction);
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
        let mut operands = vec![Operand::StorageClass(StorageClass::Function)];
        operands.extend(value.map(Operand::IdRef));
        self.variables.push(Instruction::new(
            Op::Variable,
            Some(pointer),
            Some(id),
            operands,
        ));
        if !name.is_empty() {
            self.name(id, name);
        }
        id
    }

    /// Starts a block; the one before it must have ended.
    pub fn label(&mut self, id: Word) {
        self.function.blocks.push(dr::Block {
            label: Some(Instruction::new(Op::Label, None, Some(id), vec![])),
            instructions: Vec::new(),
        });
        self.block = id;
        self.line = None;
    }
}
