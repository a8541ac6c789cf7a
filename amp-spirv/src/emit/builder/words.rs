//! SPIR-V as words: how instructions and modules are written down (SPIR-V §2.3, §2.4).
//!
//! A [`Section`] is a run of instructions, a [`Sections`] has one for each part of a
//! module, in the order that SPIR-V wants. Nothing here knows what an instruction means.

use spirv::{Op, Word};

/// Magic number, version 1.5, and a generator that is not registered.
const HEADER: [Word; 3] = [spirv::MAGIC_NUMBER, 0x0001_0500, 0];

/// Bytes of a text that are kept: an instruction has at most 65535 words.
const LONGEST_TEXT: usize = 60_000;

/// Instructions, one after the other.
#[derive(Default)]
pub struct Section(Vec<Word>);

impl Section {
    /// Adds an instruction, with the type and the id of its result if it has one.
    pub fn push(&mut self, op: Op, ty: Option<Word>, id: Option<Word>, operands: &[Word]) {
        let result = ty.into_iter().chain(id);
        let length = 1 + result.clone().count() + operands.len();
        self.0.push((length as Word) << 16 | op as Word);
        self.0.extend(result);
        self.0.extend_from_slice(operands);
    }

    /// Adds all of another one's.
    pub fn append(&mut self, mut other: Section) {
        self.0.append(&mut other.0);
    }
}

/// The parts of a module.
#[derive(Default)]
pub struct Sections {
    pub capabilities: Section,
    pub extensions: Section,
    pub imports: Section,
    pub memory_model: Section,
    pub entry_points: Section,
    pub execution_modes: Section,
    pub strings: Section,
    pub names: Section,
    pub annotations: Section,
    /// Types, constants and global variables.
    pub globals: Section,
    pub functions: Section,
}

impl Sections {
    /// The module as bytes; all its ids are below `bound`.
    pub fn bytes(self, bound: Word) -> Vec<u8> {
        let sections = [
            self.capabilities,
            self.extensions,
            self.imports,
            self.memory_model,
            self.entry_points,
            self.execution_modes,
            self.strings,
            self.names,
            self.annotations,
            self.globals,
            self.functions,
        ];
        let [magic, version, generator] = HEADER;
        let header = Section(vec![magic, version, generator, bound, 0]);
        let mut bytes = Vec::new();
        for section in [header].iter().chain(&sections) {
            for word in &section.0 {
                bytes.extend_from_slice(&word.to_le_bytes());
            }
        }
        bytes
    }
}

/// A text as operands: UTF-8, four bytes a word, ended by a zero.
pub fn text(text: &str) -> Vec<Word> {
    let bytes = &text.as_bytes()[..text.floor_char_boundary(LONGEST_TEXT)];
    let word = |piece: &[u8]| {
        let mut word = [0; 4];
        word[..piece.len()].copy_from_slice(piece);
        Word::from_le_bytes(word)
    };
    let mut words: Vec<Word> = bytes.chunks(4).map(word).collect();
    if bytes.len().is_multiple_of(4) {
        words.push(0);
    }
    words
}

/// A number of 64 bits as operands, the low word first.
pub fn wide(bits: u64) -> [Word; 2] {
    [bits as Word, (bits >> 32) as Word]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_with_a_zero() {
        assert_eq!(text(""), [0]);
        assert_eq!(text("abc"), [0x0063_6261]);
        assert_eq!(text("abcd"), [0x6463_6261, 0]);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let words = text(&format!("a{}", "ä".repeat(LONGEST_TEXT)));
        assert_eq!(words.len(), LONGEST_TEXT / 4);
        assert_eq!(words.last().map(|word| word >> 24), Some(0));
    }

    #[test]
    fn an_instruction_starts_with_its_length() {
        let mut section = Section::default();
        section.push(Op::TypeInt, None, Some(7), &[32, 0]);
        assert_eq!(section.0, [4 << 16 | 21, 7, 32, 0]);
    }
}
