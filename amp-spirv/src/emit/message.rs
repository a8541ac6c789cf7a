//! Messages: what a kernel says, as numbers that the host turns into text.
//!
//! A message is known by its number in the module.
//! Its operands become words. Those of a fault are remembered with it (`fault`); a print
//! takes the next record of the launch's print buffer and writes number, thread and
//! words there. When the buffer is full it only counts. The layouts are those of
//! [`crate::artifact`].
//!
//! A kernel that prints nothing has no trace of all this.

use spirv::{Decoration, MemorySemantics, Op as SpvOp, Scope, StorageClass, Word};

use super::Emitter;
use crate::artifact::{FAULT_SLOT_PRINTS, PRINT_HEADER_BYTES, PRINT_OPERANDS, PRINT_RECORDS};
use crate::mir::{MessageId, Module, Op, SiteId, Value};
use crate::tree::{Len, MessageKind, Scalar, Type};

/// How many words a value is.
fn words_of(module: &Module, ty: &Type) -> u32 {
    match ty {
        Type::Scalar(scalar) => scalar.words(),
        Type::Index(rank) | Type::Extent(rank) => rank * module.index.words(),
        Type::Tuple(parts) => parts.iter().map(|part| words_of(module, part)).sum(),
        Type::Array(element, Len::Literal(len)) => len * words_of(module, element),
        _ => 0,
    }
}

/// What prints need.
#[derive(Default)]
pub(super) struct Prints {
    /// Words of a record of the print buffer; 0 if nothing is printed.
    pub words: u32,
    /// Type of the print buffer's address.
    buffer: Option<Word>,
    /// The function that takes a record.
    reserve: Option<Word>,
}

impl Prints {
    pub fn of(module: &Module) -> Self {
        let mut prints = Prints::default();
        for function in &module.functions {
            function.walk(function.body, &mut |_, inst| {
                let Op::Message(message, _) = inst.op else {
                    return;
                };
                if module.messages[message.0 as usize].kind != MessageKind::Fault {
                    let types = inst.args.iter().map(|it| &module.types[function.ty(*it)]);
                    let operands: u32 = types.map(|ty| words_of(module, ty)).sum();
                    prints.words = prints.words.max(PRINT_OPERANDS + operands);
                }
            });
        }
        prints
    }
}

/// Members of the print buffer.
const COUNT: u32 = 0;
const RECORDS: u32 = 1;
/// Member of the fault slot that holds the print buffer's address.
const PRINTS: u32 = 1;

/// What stands for a record where there is none left.
const NONE: u32 = u32::MAX;
/// Prints are counted up to here, far from where the count would start again.
const COUNTED: u32 = 1 << 31;

impl Emitter<'_> {
    /// Emits a message.
    pub fn message(&mut self, message: MessageId, site: SiteId, operands: &[Value]) {
        let mut words = Vec::new();
        for operand in operands {
            self.push_words(self.type_of(*operand), self.word(*operand), &mut words);
        }
        match self.ir.messages[message.0 as usize].kind {
            MessageKind::Fault => self.state_fault(site, &words),
            MessageKind::Stdout | MessageKind::Stderr => {
                let lane = self.ir.sites[site.0 as usize].lane;
                let number = message.0 + lane * self.ir.messages.len() as u32;
                self.print(number, &words);
            }
        }
    }

    /// The words of a value.
    pub fn push_words(&mut self, ty: &Type, value: Word, words: &mut Vec<Word>) {
        let u32_ty = self.b.scalar.u32;
        let mut part = |emitter: &mut Self, ty: &Type, position: usize| {
            let id = emitter.ty(ty);
            let part = emitter.b.extract(id, value, position as u32);
            emitter.push_words(ty, part, words);
        };
        match ty {
            Type::Scalar(Scalar::Bool) => {
                let (one, zero) = (self.b.u32(1), self.b.u32(0));
                words.push(self.b.select(u32_ty, value, one, zero));
            }
            Type::Scalar(scalar) => {
                let bits = self.bits(value, ty);
                if scalar.words() == 1 {
                    words.push(bits);
                } else {
                    let (low, high) = self.halves(bits);
                    words.extend([low, high]);
                }
            }
            Type::Index(rank) | Type::Extent(rank) => {
                let component = self.ir.index.ty();
                (0..*rank as usize).for_each(|k| part(self, component, k));
            }
            Type::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                parts.for_each(|(k, ty)| part(self, ty, k));
            }
            Type::Array(element, Len::Literal(len)) => {
                (0..*len as usize).for_each(|k| part(self, element, k));
            }
            // The tree's rules: nothing else is an operand of a message.
            _ => {}
        }
    }

    /// Members of the fault slot beyond its words: where a launch's prints go.
    pub fn print_member(&mut self) -> Option<(Word, u32, String)> {
        if self.prints.words == 0 {
            return None;
        }
        let u32_ty = self.b.scalar.u32;
        let words = self.b.global(SpvOp::TypeRuntimeArray, None, &[u32_ty]);
        self.b.decorate(words, Decoration::ArrayStride, Some(4));
        let members = [
            (u32_ty, 0, "count".to_owned()),
            (words, PRINT_HEADER_BYTES, "records".to_owned()),
        ];
        let buffer = self.block_struct(&members, "Prints");
        let pointer = self.b.pointer(StorageClass::PhysicalStorageBuffer, buffer);
        self.prints.buffer = Some(pointer);
        Some((pointer, FAULT_SLOT_PRINTS, "prints".to_owned()))
    }

    fn print(&mut self, number: u32, words: &[Word]) {
        let reserve = match self.prints.reserve {
            Some(id) => id,
            None => *self.prints.reserve.insert(self.b.id()),
        };
        let (u32_ty, number, none) = (self.b.scalar.u32, self.b.u32(number), self.b.u32(NONE));
        let record = self.b.op(SpvOp::FunctionCall, u32_ty, &[reserve, number]);
        if words.is_empty() {
            return;
        }
        let has_room = self.b.test(SpvOp::INotEqual, record, none);
        self.when(has_room, |emitter| {
            let buffer = emitter.print_buffer();
            for (position, word) in (PRINT_OPERANDS..).zip(words) {
                emitter.store_record_word(buffer, record, position, *word);
            }
        });
    }

    /// The address of the launch's print buffer.
    fn print_buffer(&mut self) -> Word {
        let block = self.open_block();
        let slot = self.block_fault_slot(&block);
        let ty = self.prints.buffer.unwrap_or_default();
        let pointer = self.b.pointer(StorageClass::PhysicalStorageBuffer, ty);
        let member = self.b.u32(PRINTS);
        let place = self.b.access(pointer, slot, &[member]);
        self.b.load_aligned(ty, place, 8)
    }

    fn store_record_word(&mut self, buffer: Word, record: Word, position: u32, value: Word) {
        let u32_ty = self.b.scalar.u32;
        let pointer = self.b.pointer(StorageClass::PhysicalStorageBuffer, u32_ty);
        let (records, position) = (self.b.u32(RECORDS), self.b.u32(position));
        let index = self.b.int(SpvOp::IAdd, record, position);
        let place = self.b.access(pointer, buffer, &[records, index]);
        self.b.store_aligned(place, value, 4);
    }

    /// Emits the function that takes a record, if anything calls it: it gives the number
    /// of the record's first word.
    pub fn print_library(&mut self) {
        let Some(id) = self.prints.reserve else {
            return;
        };
        let u32_ty = self.b.scalar.u32;
        let number = self.b.begin_function(id, "amp::print", u32_ty, &[u32_ty])[0];
        let scope = self.b.u32(Scope::QueueFamily as u32);
        let relaxed = self.b.u32(MemorySemantics::RELAXED.bits());
        let (none, one) = (self.b.u32(NONE), self.b.u32(1));
        let (counted, records) = (self.b.u32(COUNTED), self.b.u32(PRINT_RECORDS));
        let print_words = self.b.u32(self.prints.words);

        let result = self.b.variable_with(u32_ty, "record", Some(none));
        let buffer = self.print_buffer();
        let pointer = self.b.pointer(StorageClass::PhysicalStorageBuffer, u32_ty);
        let member = self.b.u32(COUNT);
        let count = self.b.access(pointer, buffer, &[member]);
        let seen = self
            .b
            .op(SpvOp::AtomicLoad, u32_ty, &[count, scope, relaxed]);
        let counts = self.b.test(SpvOp::ULessThan, seen, counted);
        self.when(counts, |emitter| {
            let operands = [count, scope, relaxed, one];
            let taken = emitter.b.op(SpvOp::AtomicIAdd, u32_ty, &operands);
            let has_room = emitter.b.test(SpvOp::ULessThan, taken, records);
            emitter.when(has_room, |emitter| {
                let record = emitter.b.int(SpvOp::IMul, taken, print_words);
                emitter.b.store(result, record);
                emitter.store_record_word(buffer, record, 0, number);
                for (position, word) in (1..).zip(emitter.thread_words()) {
                    emitter.store_record_word(buffer, record, position, word);
                }
            });
        });
        let record = self.b.load(u32_ty, result);
        self.b.ret(Some(record));
        self.b.end_function();
    }
}
