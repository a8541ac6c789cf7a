//! The argument block: where each parameter lies in it, and how the entry point
//! reads it.
//!
//! The block is one struct with explicit offsets, either in push constants or, if it
//! is too large, behind an address that is the only push constant.

use spirv::{Decoration, MemoryAccess, Op, StorageClass, Word};

use super::Emitter;
use super::access::{Address, Form};
use super::function::{Register, ViewValue};
use super::types::{UNIT, has_value};
use crate::analysis::effects::{Footprints, Object};
use crate::artifact::{FAULT_SLOT_PRINTS, PUSH_CONSTANT_BYTES, Param, ParamKind};
use crate::mir::Module;
use crate::tree::{Domain, FunctionId, IndexWidth, Type};

/// Member of the block that holds the fault slot's address.
const FAULT: u32 = 0;
/// Member of the block that holds the number of workgroups, or of a tiled kernel that of the
/// launch's first one.
const GROUPS: u32 = 1;
/// Member that holds the number of the launch's first workgroup in kernels over `Index`, where
/// indices have 64 bits.
const FIRST: u32 = 2;

/// Where everything lies.
pub(super) struct Layout {
    pub params: Vec<Param>,
    pub bytes: u32,
    pub spilled: bool,
}

/// Extents that the domain's part of the block holds: of the domain, or of the domain in tiles
/// but for the most significant one.
fn domain_extents(module: &Module) -> u32 {
    match &module.domain {
        Domain::Range { rank } => *rank,
        Domain::Tiled { tile } => tile.len() as u32 - 1,
    }
}

/// Members before the extents of the domain.
fn fixed_members(module: &Module) -> u32 {
    match (&module.domain, module.index) {
        (Domain::Tiled { .. }, _) | (_, IndexWidth::Bits32) => FIRST,
        (Domain::Range { .. }, IndexWidth::Bits64) => FIRST + 1,
    }
}

/// Where the extents of the domain start.
fn extents_offset(module: &Module) -> u32 {
    8 + module.index.bytes() * (fixed_members(module) - GROUPS)
}

impl Layout {
    pub fn of(module: &Module, footprints: &Footprints) -> Self {
        let done = footprints.kernel();
        let width = module.index.bytes();
        let mut offset = extents_offset(module) + width * domain_extents(module);
        let mut params = Vec::new();
        for (position, name, ty) in arguments(module) {
            let object = Object::View(position);
            let kind = match ty {
                Type::View(view) => ParamKind::View {
                    rank: view.rank,
                    element_bytes: module.layout().size_of(&view.element).unwrap_or(4),
                    reads: done.reads.contains(&object),
                    writes: done.writes.contains(&object),
                },
                ty => ParamKind::Value {
                    bytes: module.layout().size_of(ty).unwrap_or(0),
                },
            };
            let bytes = match kind {
                ParamKind::View { rank, .. } => {
                    offset = offset.next_multiple_of(8);
                    8 + width * (2 * rank - 1)
                }
                ParamKind::Value { bytes } => {
                    offset = offset.next_multiple_of(alignment(module, ty));
                    bytes.next_multiple_of(4)
                }
            };
            params.push(Param {
                name: name.to_owned().into(),
                offset,
                kind,
            });
            offset += bytes;
        }
        Self {
            params,
            bytes: offset,
            spilled: offset > PUSH_CONSTANT_BYTES,
        }
    }
}

/// The parameters of the kernel after the index: position, name and type.
fn arguments(module: &Module) -> impl Iterator<Item = (u32, &str, &Type)> {
    let kernel = module.kernel();
    let types = kernel
        .params
        .iter()
        .map(|param| &module.types[kernel.param_ty(*param)]);
    let named = (0..).zip(&kernel.names).zip(types);
    named
        .skip(1)
        .map(|((position, name), ty)| (position, &**name, ty))
}

/// What the offset of a value in the block is a multiple of.
fn alignment(module: &Module, ty: &Type) -> u32 {
    module
        .layout()
        .layout_of(ty)
        .map_or(4, |layout| layout.align.max(4))
}

/// The block as the entry point sees it.
pub(super) struct Block {
    /// The pointer to it.
    base: Word,
    storage: StorageClass,
    /// Type of each member.
    members: Vec<Word>,
}

/// Where words of the block are.
pub(super) struct Words {
    base: Word,
    storage: StorageClass,
    access: Option<MemoryAccess>,
}

impl Block {
    /// How its members are accessed.
    fn access(&self) -> Option<MemoryAccess> {
        let is_buffer = self.storage == StorageClass::PhysicalStorageBuffer;
        is_buffer.then_some(MemoryAccess::ALIGNED)
    }

    fn words(&self, base: Word) -> Words {
        Words {
            base,
            storage: self.storage,
            access: self.access(),
        }
    }
}

impl Emitter<'_> {
    /// Declares the block and the variable behind it. To be called once, before any
    /// function that reads it.
    pub fn declare_block(&mut self, layout: &Layout) {
        let (index_ty, width) = (self.index_ty(), self.ir.index.bytes());
        let slot = self.fault_slot_pointer();
        let (groups, extent) = match &self.ir.domain {
            Domain::Range { .. } => ("workgroups", "domain_extent"),
            Domain::Tiled { .. } => ("first_workgroup", "tiles_behind"),
        };
        let mut members = vec![
            (slot, 0, "fault_slot".to_owned()),
            (index_ty, 8, groups.into()),
        ];
        if fixed_members(self.ir) > FIRST {
            members.push((index_ty, 16, "first_workgroup".into()));
        }
        let first = extents_offset(self.ir);
        for k in 0..domain_extents(self.ir) {
            members.push((index_ty, first + width * k, format!("{extent}_{k}")));
        }
        for (param, (position, _, ty)) in layout.params.iter().zip(arguments(self.ir)) {
            match ty {
                Type::View(view) => {
                    let pointer = self.view_pointer(view, !self.is_mutable(position));
                    members.push((pointer, param.offset, param.name.to_string()));
                    for k in 0..2 * view.rank - 1 {
                        let name = match k.checked_sub(view.rank) {
                            None => format!("{}_extent_{k}", param.name),
                            Some(k) => format!("{}_stride_{k}", param.name),
                        };
                        members.push((index_ty, param.offset + 8 + width * k, name));
                    }
                }
                ty if has_value(ty) => {
                    let id = match self.is_unpacked(ty) {
                        true => self.words_ty(ty),
                        false => self.memory_ty(ty),
                    };
                    members.push((id, param.offset, param.name.to_string()));
                }
                _ => {}
            }
        }
        let types: Vec<Word> = members.iter().map(|(ty, ..)| *ty).collect();
        let block = self.block_struct(&members, "Arguments");
        self.arguments = Some(if layout.spilled {
            let pointer = self.b.pointer(StorageClass::PhysicalStorageBuffer, block);
            let outer = self.block_struct(&[(pointer, 0, "arguments".into())], "PushConstants");
            let variable = self.global_variable(StorageClass::PushConstant, outer, "push");
            (variable, Some(pointer), types)
        } else {
            let variable = self.global_variable(StorageClass::PushConstant, block, "arguments");
            (variable, None, types)
        });
    }

    pub fn block_struct(&mut self, members: &[(Word, u32, String)], name: &str) -> Word {
        let types: Vec<Word> = members.iter().map(|(ty, ..)| *ty).collect();
        let id = self.b.global(Op::TypeStruct, None, &types);
        self.b.name(id, name);
        self.b.decorate(id, Decoration::Block, None);
        for (member, (_, offset, name)) in members.iter().enumerate() {
            let member = member as u32;
            self.b.member_name(id, member, name);
            self.b
                .member_decorate(id, member, Decoration::Offset, Some(*offset));
        }
        id
    }

    /// Type of the fault slot's address.
    fn fault_slot_pointer(&mut self) -> Word {
        let (u32_ty, len) = (self.b.scalar.u32, self.b.u32(FAULT_SLOT_PRINTS / 4));
        let words = self.b.global(Op::TypeArray, None, &[u32_ty, len]);
        self.b.decorate(words, Decoration::ArrayStride, Some(4));
        let mut members = vec![(words, 0, "words".into())];
        members.extend(self.print_member());
        let slot = self.block_struct(&members, "FaultSlot");
        self.b.pointer(StorageClass::PhysicalStorageBuffer, slot)
    }

    /// The upper half of the address that push constants start with, the fault slot's or that
    /// of the block, computed where the function starts.
    pub fn upper_half_of_an_address(&mut self) -> Word {
        let (variable, spilled, members) = self.arguments.clone().unwrap_or_default();
        let address = spilled.unwrap_or_else(|| members[FAULT as usize]);
        let pointer = self.b.pointer(StorageClass::PushConstant, address);
        let (u32_ty, zero) = (self.b.scalar.u32, self.b.u32(0));
        let place = self.b.early(Op::AccessChain, pointer, &[variable, zero]);
        let address = self.b.early(Op::Load, address, &[place]);
        let pair = self.b.intern(Op::TypeVector, None, &[u32_ty, 2]);
        let halves = self.b.early(Op::Bitcast, pair, &[address]);
        self.b.early(Op::CompositeExtract, u32_ty, &[halves, 1])
    }

    /// Finds the block from within the current function.
    pub fn open_block(&mut self) -> Block {
        let (variable, spilled, members) = self.arguments.clone().unwrap_or_default();
        match spilled {
            None => Block {
                base: variable,
                storage: StorageClass::PushConstant,
                members,
            },
            Some(pointer) => {
                let ty = self.b.pointer(StorageClass::PushConstant, pointer);
                let zero = self.b.u32(0);
                let place = self.b.access(ty, variable, &[zero]);
                Block {
                    base: self.b.load(pointer, place),
                    storage: StorageClass::PhysicalStorageBuffer,
                    members,
                }
            }
        }
    }

    fn member(&mut self, block: &Block, member: u32, alignment: u32) -> Word {
        let ty = block.members[member as usize];
        let pointer = self.b.pointer(block.storage, ty);
        let index = self.b.u32(member);
        let place = self.b.access(pointer, block.base, &[index]);
        let mut operands = vec![place];
        operands.extend(block.access().map(|access| access.bits()));
        operands.extend(block.access().map(|_| alignment));
        self.b.op(Op::Load, ty, &operands)
    }

    /// A variable with the value of a member that is bulk.
    fn bulk_member(&mut self, block: &Block, member: u32, ty: &Type) -> Word {
        let variable = self.bulk_variable(ty);
        let pointer = self
            .b
            .pointer(block.storage, block.members[member as usize]);
        let index = self.b.u32(member);
        let place = self.b.access(pointer, block.base, &[index]);
        if self.is_unpacked(ty) {
            let (words, start) = (block.words(place), self.b.u32(0));
            self.unpack_into(variable, ty, &words, start, 0);
            return variable;
        }
        let address = Address {
            base: place,
            storage: block.storage,
            form: Form::Host,
            access: block.access(),
            alignment: alignment(self.ir, ty),
            ..Address::of_variable(place)
        };
        let own = Address::of_variable(variable);
        self.copy((&own, variable), (&address, place), ty);
        variable
    }

    /// The words of a member that is an array of words.
    fn member_words(&mut self, block: &Block, member: u32, ty: &Type) -> Vec<Word> {
        let index = self.b.u32(member);
        (0..self.ir.layout().size_of(ty).unwrap_or(0).div_ceil(4))
            .map(|word| {
                let word = self.b.u32(word);
                self.load_word(&block.words(block.base), &[index, word])
            })
            .collect()
    }

    /// One of some words.
    pub fn load_word(&mut self, words: &Words, indices: &[Word]) -> Word {
        let u32_ty = self.b.scalar.u32;
        let pointer = self.b.pointer(words.storage, u32_ty);
        let place = self.b.access(pointer, words.base, indices);
        let mut operands = vec![place];
        operands.extend(words.access.map(|access| access.bits()));
        operands.extend(words.access.map(|_| 4));
        self.b.op(Op::Load, u32_ty, &operands)
    }

    /// The fault slot's address, its pointer type included.
    pub fn block_fault_slot(&mut self, block: &Block) -> Word {
        self.member(block, FAULT, 8)
    }

    /// The number of workgroups of a kernel over `Index`.
    pub fn block_workgroups(&mut self, block: &Block) -> Word {
        self.member(block, GROUPS, self.ir.index.bytes())
    }

    /// The number of the launch's first workgroup, if it has one.
    pub fn block_first_workgroup(&mut self, block: &Block) -> Option<Word> {
        let width = self.ir.index.bytes();
        match (&self.ir.domain, self.ir.index) {
            (Domain::Tiled { .. }, _) => Some(self.member(block, GROUPS, width)),
            (Domain::Range { .. }, IndexWidth::Bits32) => None,
            (Domain::Range { .. }, IndexWidth::Bits64) => Some(self.member(block, FIRST, width)),
        }
    }

    /// An extent of the domain, or a number of tiles.
    pub fn block_domain_extent(&mut self, block: &Block, k: u32) -> Word {
        let member = fixed_members(self.ir) + k;
        self.member(block, member, self.ir.index.bytes())
    }

    /// Whether the launch may write the elements of a parameter of the kernel.
    fn is_mutable(&self, position: u32) -> bool {
        let kernel = FunctionId(self.ir.functions.len() as u32 - 1);
        self.footprints.is_mutable(kernel, position)
    }

    /// The parameters after the index.
    pub fn block_params(&mut self, block: &Block) -> Vec<Register> {
        let ir = self.ir;
        let width = ir.index.bytes();
        let mut member = fixed_members(ir) + domain_extents(ir);
        let mut registers = Vec::new();
        for (position, _, ty) in arguments(ir) {
            registers.push(match ty {
                Type::View(view) => {
                    let pointer = self.member(block, member, 8);
                    let extents = (0..view.rank)
                        .map(|k| self.member(block, member + 1 + k, width))
                        .collect();
                    let strides = (0..view.rank - 1)
                        .map(|k| self.member(block, member + 1 + view.rank + k, width))
                        .collect();
                    member += 2 * view.rank;
                    Register::View(ViewValue {
                        pointer,
                        extents,
                        strides,
                        mutable: self.is_mutable(position),
                    })
                }
                ty if self.is_bulk(ty) => {
                    member += 1;
                    Register::Word(self.bulk_member(block, member - 1, ty))
                }
                ty if has_value(ty) => {
                    let value = if self.is_unpacked(ty) {
                        let words = self.member_words(block, member, ty);
                        self.unpacked(&words, ty, 0)
                    } else {
                        let value = self.member(block, member, alignment(ir, ty));
                        self.loaded(value, ty)
                    };
                    member += 1;
                    Register::Word(value)
                }
                _ => Register::Word(UNIT),
            });
        }
        registers
    }
}
