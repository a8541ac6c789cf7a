//! Values of the argument block that hold narrow scalars, taken out of its words: not
//! every device that has narrow scalars in arrays has them in push constants too.

use spirv::{Decoration, Op, Word};

use super::Emitter;
use super::argument::Words;
use super::scalar::is_narrow;
use crate::tree::{Len, Scalar, Type};

impl Emitter<'_> {
    /// Whether a value in the block is read as words.
    pub fn is_unpacked(&self, ty: &Type) -> bool {
        *ty != Type::BOOL && self.differs_in_memory(ty)
    }

    /// Type of the words that a value in the block takes.
    pub fn words_ty(&mut self, ty: &Type) -> Word {
        let words = self.ir.layout().size_of(ty).unwrap_or(0).div_ceil(4).max(1);
        let (u32_ty, len) = (self.b.scalar.u32, self.b.u32(words));
        let operands = [u32_ty, len];
        let id = self.b.global(Op::TypeArray, None, &operands);
        let stride = Some(4);
        self.b.decorate(id, Decoration::ArrayStride, stride);
        id
    }

    /// The value that starts at a byte of some words.
    pub fn unpacked(&mut self, words: &[Word], ty: &Type, offset: u32) -> Word {
        if let Type::Scalar(scalar) = ty {
            return self.unpacked_scalar(words, *scalar, offset);
        }
        let parts = self.parts(ty);
        let offsets = self.ir.layout().offsets(&parts.iter().collect::<Vec<_>>());
        let offsets = offsets.map(|(offsets, _)| offsets).unwrap_or_default();
        let values = parts
            .iter()
            .zip(offsets)
            .map(|(part, inner)| self.unpacked(words, part, offset + inner))
            .collect();
        self.aggregate(ty, values)
    }

    /// Puts a bulk value into a variable, or another into a part of one: the value `offset`
    /// bytes after the word of number `start`.
    pub fn unpack_into(
        &mut self,
        variable: Word,
        ty: &Type,
        words: &Words,
        start: Word,
        offset: u32,
    ) {
        match ty {
            _ if !self.is_bulk(ty) => {
                let last = (offset + self.ir.layout().size_of(ty).unwrap_or(0)).div_ceil(4);
                let read: Vec<Word> = (offset / 4..last)
                    .map(|word| {
                        let word = self.b.u32(word);
                        let word = self.b.int(Op::IAdd, start, word);
                        self.load_word(words, &[word])
                    })
                    .collect();
                let value = self.unpacked(&read, ty, offset % 4);
                self.b.store(variable, value);
            }
            Type::Array(part, Len::Literal(len)) => {
                let size = self.ir.layout().size_of(part).unwrap_or(4);
                // So many elements are whole words together.
                let group = 4 >> size.trailing_zeros().min(2);
                let group_words = self.b.u32(group * size / 4);
                let groups = self.b.u32(len / group);
                let elements = self.b.u32(group);
                self.has_own_loops = true;
                self.count_up(groups, |emitter, round| {
                    let before = emitter.b.int(Op::IMul, round, group_words);
                    let start = emitter.b.int(Op::IAdd, start, before);
                    let first = emitter.b.int(Op::IMul, round, elements);
                    for further in 0..group {
                        let position = emitter.b.u32(further);
                        let position = emitter.b.int(Op::IAdd, first, position);
                        let own = emitter.part_in(variable, part, position);
                        emitter.unpack_into(own, part, words, start, offset + further * size);
                    }
                });
                for position in len - len % group..*len {
                    let number = self.b.u32(position);
                    let own = self.part_in(variable, part, number);
                    self.unpack_into(own, part, words, start, offset + position * size);
                }
            }
            _ => {
                let parts = self.parts(ty);
                let offsets = self.ir.layout().offsets(&parts.iter().collect::<Vec<_>>());
                let offsets = offsets.map(|(offsets, _)| offsets).unwrap_or_default();
                for ((part, inner), position) in parts.iter().zip(offsets).zip(0..) {
                    let position = self.b.u32(position);
                    let own = self.part_in(variable, part, position);
                    self.unpack_into(own, part, words, start, offset + inner);
                }
            }
        }
    }

    fn unpacked_scalar(&mut self, words: &[Word], scalar: Scalar, offset: u32) -> Word {
        let ty = Type::Scalar(scalar);
        let first = offset as usize / 4;
        let word = words[first];
        match scalar {
            Scalar::Bool => self.loaded_scalar(word, scalar),
            _ if is_narrow(scalar) => {
                let mask = self.b.u32(u32::MAX >> (32 - scalar.bits()));
                let places = self.b.u32(8 * (offset % 4));
                let lowered = self.b.int(Op::ShiftRightLogical, word, places);
                let bits = self.b.int(Op::BitwiseAnd, lowered, mask);
                self.with_bits(bits, &ty)
            }
            _ if scalar.bits() == 64 => {
                let bits = self.whole(word, words[first + 1]);
                self.with_bits(bits, &ty)
            }
            _ => self.with_bits(word, &ty),
        }
    }
}
