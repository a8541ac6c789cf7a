//! [`Embedded`]: an artifact as it stands in a program.
//!
//! A kernel's artifact is source text that rustc reads and checks, and does so much faster with two literals
//! than with the structures that they stand for. These are read back when a kernel is first bound.
//!
//! Numbers are in LEB128, lists and texts follow their lengths, and a variant is its position in the tables
//! below. The compiler and the run time are of one version, so the format has none.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::{
    Artifact, FaultKind, FaultSite, Feature, FloatFaults, IndexWidth, Message, MessageKind, Param,
    ParamKind, Wide,
};
use crate::proof::Proofs;
use crate::remark::Remarks;

/// See the module's documentation.
#[derive(Debug)]
pub struct Embedded {
    spirv: &'static [u8],
    facts: &'static [u8],
    artifact: OnceLock<Artifact>,
}

impl Embedded {
    /// The artifact with these words, about which [`facts`](Self::facts) said this.
    pub const fn new(spirv: &'static [u8], facts: &'static [u8]) -> Self {
        Self {
            spirv,
            facts,
            artifact: OnceLock::new(),
        }
    }

    /// All of an artifact but its words.
    pub fn facts(artifact: &Artifact) -> Vec<u8> {
        let mut bytes = Vec::new();
        artifact.write(&mut bytes);
        bytes
    }

    /// The artifact.
    ///
    /// # Panics
    ///
    /// If the bytes are not those of [`facts`](Self::facts).
    pub fn artifact(&self) -> &Artifact {
        self.artifact.get_or_init(|| {
            let mut facts = self.facts;
            match Artifact::read(&mut facts) {
                Some(artifact) if facts.is_empty() => Artifact {
                    spirv: Cow::Borrowed(self.spirv),
                    ..artifact
                },
                _ => panic!("the facts of an artifact are not those that `facts` wrote"),
            }
        })
    }
}

/// What is written as bytes and read back from the front of others; nothing if they are not its own.
trait Coded: Sized {
    fn write(&self, bytes: &mut Vec<u8>);
    fn read(bytes: &mut &'static [u8]) -> Option<Self>;
}

impl Coded for u32 {
    fn write(&self, bytes: &mut Vec<u8>) {
        let mut number = *self;
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }

    fn read(bytes: &mut &'static [u8]) -> Option<Self> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = *bytes.split_off_first()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }
}

impl Coded for bool {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push((*self).into());
    }

    fn read(bytes: &mut &'static [u8]) -> Option<Self> {
        bytes.split_off_first().map(|byte| *byte != 0)
    }
}

impl Coded for Cow<'static, [u8]> {
    fn write(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).write(bytes);
        bytes.extend_from_slice(self);
    }

    fn read(bytes: &mut &'static [u8]) -> Option<Self> {
        let length = u32::read(bytes)? as usize;
        bytes.split_off(..length).map(Cow::Borrowed)
    }
}

impl Coded for Cow<'static, str> {
    fn write(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).write(bytes);
        bytes.extend_from_slice(self.as_bytes());
    }

    fn read(bytes: &mut &'static [u8]) -> Option<Self> {
        let length = u32::read(bytes)? as usize;
        let text = std::str::from_utf8(bytes.split_off(..length)?);
        text.ok().map(Cow::Borrowed)
    }
}

impl<T: Coded + Clone> Coded for Cow<'static, [T]> {
    fn write(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).write(bytes);
        self.iter().for_each(|item| item.write(bytes));
    }

    fn read(bytes: &mut &'static [u8]) -> Option<Self> {
        let length = u32::read(bytes)?;
        (0..length).map(|_| T::read(bytes)).collect()
    }
}

/// Structs by their fields; one behind a semicolon stands elsewhere.
macro_rules! structs {
    ($($name:ident { $($field:ident),* $(; $other:ident = $value:expr)? })*) => {$(
        impl Coded for $name {
            fn write(&self, bytes: &mut Vec<u8>) {
                // All of them, so that none is forgotten.
                let $name { $($field,)* $($other: _)? } = self;
                $($field.write(bytes);)*
            }

            fn read(bytes: &mut &'static [u8]) -> Option<Self> {
                $(let $field = Coded::read(bytes)?;)*
                Some($name { $($field,)* $($other: $value)? })
            }
        }
    )*};
}

structs! {
    Artifact {
        name, rank, tiled, index, float_faults, has_barrier, in_lockstep, pointwise, remarks, inlined, params,
        block_bytes, spilled, constant_bytes, features, files, faults, messages, print_words, proofs, wide, merged;
        spirv = Cow::Borrowed(&[])
    }
    FaultSite { kind, lane, file, line, column }
    Message { kind, format }
    Param { name, offset, kind }
    Proofs { nodes, checks }
    Remarks { bytes }
    Wide { lanes, views }
}

/// Variants by their positions; one with a number is the last.
macro_rules! enums {
    ($($name:ident { $($variant:ident)* $(; $last:ident)? })*) => {$(
        impl $name {
            const VARIANTS: &[$name] = &[$($name::$variant),*];
        }

        impl Coded for $name {
            fn write(&self, bytes: &mut Vec<u8>) {
                let count = Self::VARIANTS.len() as u32;
                let code = match self {
                    $($name::$last(number) => count + number,)?
                    // All others, so that none is forgotten.
                    $($name::$variant)|* => {
                        let position = Self::VARIANTS.iter().position(|it| it == self);
                        position.map_or(count, |at| at as u32)
                    }
                };
                code.write(bytes);
            }

            fn read(bytes: &mut &'static [u8]) -> Option<Self> {
                let code = u32::read(bytes)?;
                let variant = Self::VARIANTS.get(code as usize).copied();
                $(let variant = variant.or_else(|| {
                    let number = code.checked_sub(Self::VARIANTS.len() as u32)?;
                    Some($name::$last(number))
                });)?
                variant
            }
        }
    )*};
}

enums! {
    FaultKind {
        OutOfBounds Section Shape Elements ArrayOutOfBounds DivisionByZero DivisionOverflow ZeroStep LoopCut
        EmptyClamp; Message
    }
    Feature { Int8 Int16 Int64 Float64 Storage8 Storage16 Atomics64 TileAtomics64 }
    IndexWidth { Bits32 Bits64 }
    MessageKind { Fault Stdout Stderr }
}

impl Coded for FloatFaults {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.write(bytes);
    }

    fn read(bytes: &mut &'static [u8]) -> Option<Self> {
        u32::read(bytes).map(FloatFaults)
    }
}

impl Coded for ParamKind {
    fn write(&self, bytes: &mut Vec<u8>) {
        match *self {
            ParamKind::View {
                rank,
                element_bytes,
                reads,
                writes,
            } => {
                [true, reads, writes].iter().for_each(|it| it.write(bytes));
                [rank, element_bytes].iter().for_each(|it| it.write(bytes));
            }
            ParamKind::Value { bytes: size } => {
                false.write(bytes);
                size.write(bytes);
            }
        }
    }

    fn read(bytes: &mut &'static [u8]) -> Option<Self> {
        Some(match bool::read(bytes)? {
            true => ParamKind::View {
                reads: bool::read(bytes)?,
                writes: bool::read(bytes)?,
                rank: u32::read(bytes)?,
                element_bytes: u32::read(bytes)?,
            },
            false => ParamKind::Value {
                bytes: u32::read(bytes)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_artifact_is_read_as_it_was_written() {
        let sites = FaultKind::VARIANTS
            .iter()
            .chain(&[FaultKind::Message(0), FaultKind::Message(300)]);
        let sites = sites.map(|kind| FaultSite {
            kind: *kind,
            lane: 2,
            file: 1,
            line: 70_000,
            column: u32::MAX,
        });
        let view = ParamKind::View {
            rank: 2,
            element_bytes: 12,
            reads: true,
            writes: false,
        };
        let param = |name: &'static str, kind| Param {
            name: name.into(),
            offset: 16,
            kind,
        };
        let message = |kind: &MessageKind| Message {
            kind: *kind,
            format: "{0} of \"{1:?}\"".into(),
        };
        let artifact = Artifact {
            name: "größe".into(),
            spirv: vec![3, 2, 35, 7].into(),
            rank: 3,
            tiled: true,
            index: IndexWidth::Bits64,
            float_faults: FloatFaults::ARITHMETIC,
            has_barrier: true,
            pointwise: true,
            remarks: Remarks {
                bytes: vec![1, 2, 200].into(),
            },
            inlined: vec!["f".into(), "".into()].into(),
            params: vec![
                param("a", view),
                param("s", ParamKind::Value { bytes: 200 }),
            ]
            .into(),
            block_bytes: 128,
            constant_bytes: vec![4, 8].into(),
            features: Feature::ALL.to_vec().into(),
            files: vec!["src/main.rs".into()].into(),
            faults: sites.collect(),
            messages: MessageKind::VARIANTS.iter().map(message).collect(),
            print_words: 9,
            proofs: Proofs {
                nodes: vec![0; 16].into(),
                checks: vec![255; 12].into(),
            },
            wide: Wide {
                lanes: 4,
                views: vec![1].into(),
            },
            merged: vec![2, 1].into(),
            ..Artifact::default()
        };
        let facts = Embedded::facts(&artifact).leak();
        let spirv = artifact.spirv.to_vec().leak();
        assert_eq!(*Embedded::new(spirv, facts).artifact(), artifact);
        assert_eq!(Artifact::read(&mut &facts[..facts.len() - 1]), None);
    }
}
