//! What the compiler did with the parts of a kernel, in the user's lines.
//!
//! Passes decide and note why in [`mir`](crate::mir); emission, which meets whatever stays,
//! writes the remarks into the artifact. The run time shows them as a kernel's report.

use std::borrow::Cow;

/// What the compiler did at one place of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Remark {
    /// Index into [`Artifact::files`](crate::artifact::Artifact::files).
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What it did.
    pub kind: RemarkKind,
    /// Whether it did so in a loop.
    pub in_loop: bool,
}

/// What the compiler did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemarkKind {
    /// It proved an index in bounds.
    Proven,
    /// It left the proof to the host: the group of [checks](crate::proof::Check).
    AtLaunch(u32),
    /// It checks an index before a loop, for all rounds at once, and at the access if that fails.
    BeforeLoop,
    /// It left the check of an index at the access.
    Checked(Unproven),
    /// It found a barrier.
    Barrier {
        /// Whether there are no elements of views to order where it says that there are.
        relaxed: bool,
    },
}

/// Why an index was not proven to be in bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unproven {
    /// It is read from memory: an array, a view or a tile_static variable.
    Data,
    /// It is computed from a float.
    Float,
    /// A loop passes it on from round to round.
    Carried,
    /// A function computes it that is not inlined.
    Call,
    /// Nothing that the host knows limits it.
    Unbounded,
    /// The extent that limits it is that of a view with another shape or other elements.
    Extent,
    /// Its computation is too long to be followed.
    Long,
    /// No pass looked at it: it is in a function that is not inlined.
    NotInlined,
}

impl Unproven {
    /// All of them.
    pub const ALL: [Unproven; 8] = [
        Unproven::Data,
        Unproven::Float,
        Unproven::Carried,
        Unproven::Call,
        Unproven::Unbounded,
        Unproven::Extent,
        Unproven::Long,
        Unproven::NotInlined,
    ];
}

/// Remarks as bytes: a kernel's artifact is source text that rustc reads, and one literal is
/// read faster than many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Of each remark, as LEB128: what it is, its file, line and column.
    pub bytes: Cow<'static, [u8]>,
}

impl Remarks {
    /// Encodes remarks.
    pub fn new(remarks: &[Remark]) -> Self {
        let mut bytes = Vec::new();
        for remark in remarks {
            let tag = remark.kind.encode() << 1 | u32::from(remark.in_loop);
            for mut number in [tag, remark.file, remark.line, remark.column] {
                while number >= 0x80 {
                    bytes.push(number as u8 | 0x80);
                    number >>= 7;
                }
                bytes.push(number as u8);
            }
        }
        Self {
            bytes: bytes.into(),
        }
    }

    /// The remarks, in order.
    pub fn iter(&self) -> impl Iterator<Item = Remark> {
        let mut bytes = self.bytes.iter();
        let mut number = move || {
            let (mut number, mut shift) = (0, 0);
            loop {
                let byte = *bytes.next()?;
                number |= u32::from(byte & 0x7f).checked_shl(shift)?;
                if byte < 0x80 {
                    return Some(number);
                }
                shift += 7;
            }
        };
        std::iter::from_fn(move || {
            let tag = number()?;
            Some(Remark {
                file: number()?,
                line: number()?,
                column: number()?,
                kind: RemarkKind::decode(tag >> 1)?,
                in_loop: tag & 1 == 1,
            })
        })
    }
}

/// Tags of [`RemarkKind`]s with a number, less which that is.
const CHECKED: u32 = 16;
const AT_LAUNCH: u32 = 64;

impl RemarkKind {
    fn encode(self) -> u32 {
        match self {
            RemarkKind::Proven => 0,
            RemarkKind::Barrier { relaxed } => 1 + u32::from(relaxed),
            RemarkKind::BeforeLoop => 3,
            RemarkKind::Checked(why) => CHECKED + why as u32,
            RemarkKind::AtLaunch(group) => AT_LAUNCH + group,
        }
    }

    fn decode(tag: u32) -> Option<Self> {
        Some(match tag {
            0 => RemarkKind::Proven,
            1 | 2 => RemarkKind::Barrier { relaxed: tag == 2 },
            3 => RemarkKind::BeforeLoop,
            AT_LAUNCH.. => RemarkKind::AtLaunch(tag - AT_LAUNCH),
            _ => {
                let why = tag.checked_sub(CHECKED)?;
                RemarkKind::Checked(*Unproven::ALL.get(why as usize)?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_what_they_were_encoded_from() {
        let reasons = Unproven::ALL.map(RemarkKind::Checked);
        let others = [
            RemarkKind::Proven,
            RemarkKind::BeforeLoop,
            RemarkKind::AtLaunch(0),
            RemarkKind::AtLaunch(31),
            RemarkKind::Barrier { relaxed: true },
            RemarkKind::Barrier { relaxed: false },
        ];
        let kinds = reasons.into_iter().chain(others);
        let places = [(1, 1), (127, 128), (1 << 14, u32::MAX)];
        let remarks: Vec<Remark> = kinds
            .flat_map(|kind| {
                places.map(|(line, column)| Remark {
                    file: line / 100,
                    line,
                    column,
                    kind,
                    in_loop: column == 128,
                })
            })
            .collect();
        let encoded = Remarks::new(&remarks);
        assert_eq!(encoded.iter().collect::<Vec<_>>(), remarks);
    }

    #[test]
    fn damaged_remarks_end() {
        for bytes in [&[0xff; 9][..], &[12, 1, 1, 1], &[0, 1, 2]] {
            let bytes = bytes.to_vec().into();
            assert_eq!(Remarks { bytes }.iter().count(), 0);
        }
    }
}
