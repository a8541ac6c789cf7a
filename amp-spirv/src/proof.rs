//! Checks that the host makes for a whole launch.
//!
//! Most indices of most kernels are computed from what is known when a kernel is launched: its
//! domain and tile, its constants, the extents of its views, its scalar arguments, and loops
//! over ranges of these. The compiler leaves such an index in the artifact as a graph of
//! [`Node`]s, and the host evaluates the graph over intervals: if the greatest value of an
//! index is less than the least length, no thread of the launch can fail the check, and the
//! pipeline is specialised without it ([`SPEC_PROVEN`](crate::artifact::SPEC_PROVEN)).
//!
//! An interval contains every value that any thread may compute. What may wrap around becomes
//! all values of its type, so an overflow is never taken for a proof.

pub(crate) mod interval;

use std::borrow::Cow;

use crate::remark::Unproven;

/// The most groups of checks in a kernel: the bits of the specialization constant.
pub const GROUPS: u32 = 32;

/// The checks that the host makes, as bytes: a kernel's artifact is source text that rustc
/// reads, and one literal is read faster than many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proofs {
    /// [`Node`]s of [`NODE_BYTES`] bytes, each after those that it is computed from.
    pub nodes: Cow<'static, [u8]>,
    /// [`Check`]s of [`CHECK_BYTES`] bytes.
    pub checks: Cow<'static, [u8]>,
}

/// Bytes of a [`Node`] in [`Proofs::nodes`].
pub const NODE_BYTES: usize = 16;
/// Bytes of a [`Check`] in [`Proofs::checks`].
pub const CHECK_BYTES: usize = 12;

impl Proofs {
    /// Encodes checks.
    pub fn new(nodes: &[Node], checks: &[Check]) -> Self {
        let bytes = |words: &[u32]| -> Vec<u8> {
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        };
        let nodes: Vec<u8> = nodes.iter().flat_map(|it| bytes(&it.encode())).collect();
        let checks: Vec<u8> = checks
            .iter()
            .flat_map(|check| bytes(&[check.group, check.value, check.limit]))
            .collect();
        Self {
            nodes: nodes.into(),
            checks: checks.into(),
        }
    }

    /// A node by its number.
    pub fn node(&self, number: usize) -> Option<Node> {
        let (nodes, _) = self.nodes.as_chunks::<NODE_BYTES>();
        nodes.get(number).map(|bytes| Node::decode(words(bytes)))
    }

    /// All groups, as bits.
    pub fn groups(&self) -> u32 {
        self.checks()
            .fold(0, |groups, check| groups | 1 << (check.group % GROUPS))
    }

    /// The checks, in order.
    pub fn checks(&self) -> impl Iterator<Item = Check> {
        let (checks, _) = self.checks.as_chunks::<CHECK_BYTES>();
        checks.iter().map(|bytes| {
            let [group, value, limit] = words(bytes);
            Check {
                group,
                value,
                limit,
            }
        })
    }
}

fn words<const BYTES: usize, const WORDS: usize>(bytes: &[u8; BYTES]) -> [u32; WORDS] {
    let (chunks, _) = bytes.as_chunks::<4>();
    std::array::from_fn(|at| chunks.get(at).map_or(0, |chunk| u32::from_le_bytes(*chunk)))
}

/// One condition of a group: a value is less than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Check {
    /// The group that holds if all its checks do, less than [`GROUPS`].
    pub group: u32,
    /// Index into [`Proofs::nodes`].
    pub value: u32,
    /// Index into [`Proofs::nodes`].
    pub limit: u32,
}

/// The type of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int {
    /// 8 to 64, or 1 for `bool`.
    pub bits: u8,
    /// Whether it has a sign.
    pub signed: bool,
}

/// A value of a kernel, by the numbers of other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Any value of a type, and why no more is known of it.
    Any(Int, Unproven),
    /// A number.
    Constant(i64),
    /// A user's constant, by number.
    User(u32, Int),
    /// A scalar argument: the number of the parameter, and the offset in its bytes.
    Argument(u32, u32, Int),
    /// A view's extent: the number of the parameter, the dimension.
    Extent(u32, u32),
    /// A component of the thread's position in the domain.
    Global(u32),
    /// Of its position in the tile.
    Local(u32),
    /// Of the tile's position.
    Tile(u32),
    /// Of the position of the tile's first thread.
    Origin(u32),
    /// `a op b`, wrapping.
    Binary(Operation, u32, u32, Int),
    /// `a as T` of an integer.
    Cast(u32, Int),
    /// The variable of a loop from `start` by `step` that stays below `end`.
    Counter {
        /// The first value.
        start: u32,
        /// What every value is less than.
        end: u32,
        /// The distance between values, positive.
        step: u32,
    },
    /// The second value where the first is true, and the third where it is false.
    Choice(u32, u32, u32),
    /// What a loop carries, at the start of a round: the first round's, which is this node's, or
    /// what a [`Node::Carried`] that names this node gives for the next. The number tells apart
    /// what starts alike.
    Round(u32, u32, Int),
    /// What a loop carries in any round: its [`Node::Round`], and what a round makes of that,
    /// which comes after it.
    Carried(u32, u32),
    /// The first value where it is less than the second.
    Below(u32, u32),
    /// The first value where it is at least the second.
    AtLeast(u32, u32),
}

impl Node {
    /// A tag in the lowest byte, the type and the operation in those above, and up to three
    /// numbers.
    fn encode(self) -> [u32; 4] {
        let (tag, [a, b, c]) = match self {
            Node::Any(int, why) => (int.tag(0), [why as u32, 0, 0]),
            Node::Constant(value) => {
                let bits = value.cast_unsigned();
                (1, [bits as u32, (bits >> 32) as u32, 0])
            }
            Node::User(number, int) => (int.tag(2), [number, 0, 0]),
            Node::Argument(param, offset, int) => (int.tag(3), [param, offset, 0]),
            Node::Extent(param, dimension) => (4, [param, dimension, 0]),
            Node::Global(k) => (5, [k, 0, 0]),
            Node::Local(k) => (6, [k, 0, 0]),
            Node::Tile(k) => (7, [k, 0, 0]),
            Node::Origin(k) => (8, [k, 0, 0]),
            Node::Binary(operation, a, b, int) => {
                (int.tag(9) | (operation as u32) << 24, [a, b, 0])
            }
            Node::Cast(a, int) => (int.tag(10), [a, 0, 0]),
            Node::Counter { start, end, step } => (11, [start, end, step]),
            Node::Choice(condition, a, b) => (12, [condition, a, b]),
            Node::Round(first, number, int) => (int.tag(15), [first, number, 0]),
            Node::Carried(round, next) => (16, [round, next, 0]),
            Node::Below(a, b) => (13, [a, b, 0]),
            Node::AtLeast(a, b) => (14, [a, b, 0]),
        };
        [tag, a, b, c]
    }

    fn decode([tag, a, b, c]: [u32; 4]) -> Self {
        let int = Int {
            bits: (tag >> 8) as u8,
            signed: (tag >> 16) & 1 == 1,
        };
        let why = Unproven::ALL.get(a as usize).copied();
        let any = Node::Any(int, why.unwrap_or(Unproven::Unbounded));
        match tag & 0xff {
            1 => Node::Constant((u64::from(a) | u64::from(b) << 32).cast_signed()),
            2 => Node::User(a, int),
            3 => Node::Argument(a, b, int),
            4 => Node::Extent(a, b),
            5 => Node::Global(a),
            6 => Node::Local(a),
            7 => Node::Tile(a),
            8 => Node::Origin(a),
            9 => {
                let operation = Operation::ALL.get((tag >> 24) as usize);
                operation.map_or(any, |it| Node::Binary(*it, a, b, int))
            }
            10 => Node::Cast(a, int),
            11 => Node::Counter {
                start: a,
                end: b,
                step: c,
            },
            12 => Node::Choice(a, b, c),
            13 => Node::Below(a, b),
            14 => Node::AtLeast(a, b),
            15 => Node::Round(a, b, int),
            16 => Node::Carried(a, b),
            _ => any,
        }
    }
}

/// What a [`Node::Binary`] computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Operation {
    Add,
    Sub,
    Mul,
    /// Division, or zero if the divisor is zero.
    Div,
    /// Remainder, or zero if the divisor is zero.
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    /// 1 where they are equal, else 0.
    Equal,
    /// 1 where the first is less than the second, else 0.
    Less,
}

impl Operation {
    const ALL: [Operation; 14] = [
        Operation::Add,
        Operation::Sub,
        Operation::Mul,
        Operation::Div,
        Operation::Rem,
        Operation::Min,
        Operation::Max,
        Operation::And,
        Operation::Or,
        Operation::Xor,
        Operation::Shl,
        Operation::Shr,
        Operation::Equal,
        Operation::Less,
    ];
}

/// What is known of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'l> {
    /// The domain's extent.
    pub domain: &'l [usize],
    /// The tile's, if the kernel has tiles.
    pub tile: &'l [usize],
    /// The user's constants, as the pipeline gets them.
    pub constants: &'l [u64],
    /// The argument block.
    pub block: &'l [u8],
}

impl Int {
    /// `u32`.
    pub const U32: Int = Int {
        bits: 32,
        signed: false,
    };

    /// `bool`.
    pub const BOOL: Int = Int {
        bits: 1,
        signed: false,
    };

    /// The type in a node's first word, with the node's tag.
    fn tag(self, tag: u32) -> u32 {
        tag | u32::from(self.bits) << 8 | u32::from(self.signed) << 16
    }
}

#[cfg(test)]
mod tests;
