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

use std::borrow::Cow;

use crate::artifact::{Artifact, Param, ParamKind};

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

    /// The nodes, in order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        let (nodes, _) = self.nodes.as_chunks::<NODE_BYTES>();
        nodes.iter().map(|bytes| Node::decode(words(bytes)))
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
    /// 8 to 64.
    pub bits: u8,
    /// Whether it has a sign.
    pub signed: bool,
}

/// A value of a kernel, by the numbers of other nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Any value of a type.
    Any(Int),
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
    /// The first value or the second.
    Either(u32, u32),
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
            Node::Any(int) => (int.tag(0), [0; 3]),
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
            Node::Either(a, b) => (12, [a, b, 0]),
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
                operation.map_or(Node::Any(int), |it| Node::Binary(*it, a, b, int))
            }
            10 => Node::Cast(a, int),
            11 => Node::Counter {
                start: a,
                end: b,
                step: c,
            },
            12 => Node::Either(a, b),
            13 => Node::Below(a, b),
            14 => Node::AtLeast(a, b),
            _ => Node::Any(int),
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
    Shl,
    Shr,
}

impl Operation {
    const ALL: [Operation; 10] = [
        Operation::Add,
        Operation::Sub,
        Operation::Mul,
        Operation::Div,
        Operation::Rem,
        Operation::Min,
        Operation::Max,
        Operation::And,
        Operation::Shl,
        Operation::Shr,
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

/// All values from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    low: i64,
    high: i64,
}

impl Int {
    /// `u32`.
    pub const U32: Int = Int {
        bits: 32,
        signed: false,
    };

    /// The type in a node's first word, with the node's tag.
    fn tag(self, tag: u32) -> u32 {
        tag | u32::from(self.bits) << 8 | u32::from(self.signed) << 16
    }

    /// All its values; nothing if they are not all known to an [`Interval`].
    fn all(self) -> Option<Interval> {
        match (self.bits, self.signed) {
            (0, _) | (64.., false) => None,
            (64.., true) => Some(Interval {
                low: i64::MIN,
                high: i64::MAX,
            }),
            (bits, false) => Some(Interval {
                low: 0,
                high: (1 << bits) - 1,
            }),
            (bits, true) => Some(Interval {
                low: -(1 << (bits - 1)),
                high: (1 << (bits - 1)) - 1,
            }),
        }
    }

    /// The value whose lowest bits these are, if an [`Interval`] can contain it.
    fn value(self, bits: u64) -> Option<i64> {
        let unused = 64 - u32::from(self.bits.clamp(1, 64));
        let shifted = bits << unused;
        match self.signed {
            true => Some(shifted.cast_signed() >> unused),
            false => i64::try_from(shifted >> unused).ok(),
        }
    }

    /// An interval of exact results, as it is after wrapping.
    fn wrapped(self, exact: Option<Interval>) -> Option<Interval> {
        let fits = |interval: &Interval| match self.all() {
            Some(all) => all.low <= interval.low && interval.high <= all.high,
            None => interval.low >= 0,
        };
        exact.filter(fits).or_else(|| self.all())
    }
}

impl Interval {
    fn one(value: i64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// The values below a count, which may be empty: then it says nothing false.
    fn below(count: i64) -> Option<Self> {
        Some(Self {
            low: 0,
            high: count.checked_sub(1)?.max(0),
        })
    }

    fn hull(values: [Option<i64>; 4]) -> Option<Self> {
        let [a, b, c, d] = values;
        let (a, b, c, d) = (a?, b?, c?, d?);
        Some(Self {
            low: a.min(b).min(c).min(d),
            high: a.max(b).max(c).max(d),
        })
    }
}

impl Artifact {
    /// The groups of checks that hold for all threads of a launch, as bits.
    pub fn proven(&self, launch: &Launch<'_>) -> u32 {
        let proofs = &self.proofs;
        if proofs.checks.is_empty() {
            return 0;
        }
        let count = proofs.nodes.len() / NODE_BYTES;
        let mut intervals: Vec<Option<Interval>> = Vec::with_capacity(count);
        for node in proofs.nodes() {
            let interval = self.interval(&node, launch, &intervals);
            intervals.push(interval);
        }
        let get = |node: u32| intervals.get(node as usize).copied().flatten();
        let (mut seen, mut failed) = (0, 0);
        for check in proofs.checks() {
            let group = 1 << (check.group % GROUPS);
            seen |= group;
            let holds = get(check.value)
                .zip(get(check.limit))
                .is_some_and(|(value, limit)| value.low >= 0 && value.high < limit.low);
            if !holds {
                failed |= group;
            }
        }
        seen & !failed
    }

    /// The values of a node; nothing if they are not known.
    fn interval(
        &self,
        node: &Node,
        launch: &Launch<'_>,
        known: &[Option<Interval>],
    ) -> Option<Interval> {
        let get = |node: u32| known.get(node as usize).copied().flatten();
        let count = |counts: &[usize], k: u32| -> Option<i64> {
            i64::try_from(*counts.get(k as usize)?).ok()
        };
        match *node {
            Node::Any(int) => int.all(),
            Node::Constant(value) => Some(Interval::one(value)),
            Node::User(number, int) => {
                let bits = *launch.constants.get(number as usize)?;
                int.value(bits).map(Interval::one)
            }
            Node::Argument(param, offset, int) => {
                let start = self.params.get(param as usize)?.offset + offset;
                number(launch.block, start, int)
            }
            Node::Extent(param, dimension) => {
                let Param {
                    offset,
                    kind: ParamKind::View { .. },
                    ..
                } = self.params.get(param as usize)?
                else {
                    return None;
                };
                let int = Int {
                    bits: self.index.bits() as u8,
                    signed: false,
                };
                let start = offset + 8 + self.index.bytes() * dimension;
                number(launch.block, start, int)
            }
            Node::Global(k) => Interval::below(count(launch.domain, k)?),
            Node::Local(k) => Interval::below(count(launch.tile, k)?),
            Node::Tile(k) | Node::Origin(k) => {
                let (extent, tile) = (count(launch.domain, k)?, count(launch.tile, k)?);
                let last = extent.checked_div(tile)?.checked_sub(1)?.max(0);
                let step = match node {
                    Node::Origin(_) => tile,
                    _ => 1,
                };
                Some(Interval {
                    low: 0,
                    high: last.checked_mul(step)?,
                })
            }
            Node::Binary(operation, a, b, int) => binary(operation, get(a), get(b), int),
            Node::Cast(a, int) => int.wrapped(get(a)),
            Node::Counter { start, end, step } => counter(get(start)?, get(end)?, get(step)),
            Node::Either(a, b) => {
                let (a, b) = (get(a)?, get(b)?);
                Interval::hull([Some(a.low), Some(a.high), Some(b.low), Some(b.high)])
            }
            Node::Below(a, limit) => {
                let high = get(limit).map(|limit| limit.high.saturating_sub(1));
                within(get(a), None, high)
            }
            Node::AtLeast(a, limit) => within(get(a), get(limit).map(|limit| limit.low), None),
        }
    }
}

/// A number in the argument block.
fn number(block: &[u8], start: u32, int: Int) -> Option<Interval> {
    let (start, bytes) = (start as usize, usize::from(int.bits / 8));
    let mut bits = [0; 8];
    bits[..bytes].copy_from_slice(block.get(start..start + bytes)?);
    int.value(u64::from_le_bytes(bits)).map(Interval::one)
}

/// The part of an interval between two values. If there is none, nothing runs with such a
/// value, and any answer is right.
fn within(value: Option<Interval>, low: Option<i64>, high: Option<i64>) -> Option<Interval> {
    let value = value.or_else(|| {
        Some(Interval {
            low: 0,
            high: high?,
        })
    })?;
    let low = value.low.max(low.unwrap_or(i64::MIN));
    let high = value.high.min(high.unwrap_or(i64::MAX));
    Some(Interval {
        low,
        high: high.max(low),
    })
}

/// The values of a loop's variable.
fn counter(start: Interval, end: Interval, step: Option<Interval>) -> Option<Interval> {
    let last = end.high.checked_sub(1)?.max(start.low);
    let is_exact = |it: &Interval| it.low == it.high;
    let last = match step.filter(is_exact) {
        Some(step) if step.low > 0 && is_exact(&start) => {
            last - (last.checked_sub(start.low)?) % step.low
        }
        _ => last,
    };
    Some(Interval {
        low: start.low,
        high: last,
    })
}

fn binary(
    operation: Operation,
    a: Option<Interval>,
    b: Option<Interval>,
    int: Int,
) -> Option<Interval> {
    let unsigned = |low: i64, high: i64| (!int.signed).then_some(Interval { low, high });
    let exact = match (operation, a, b) {
        (Operation::Add, Some(a), Some(b)) => {
            let (low, high) = (a.low.checked_add(b.low), a.high.checked_add(b.high));
            low.zip(high).map(|(low, high)| Interval { low, high })
        }
        (Operation::Sub, Some(a), Some(b)) => {
            let (low, high) = (a.low.checked_sub(b.high), a.high.checked_sub(b.low));
            low.zip(high).map(|(low, high)| Interval { low, high })
        }
        (Operation::Mul, Some(a), Some(b)) => Interval::hull([
            a.low.checked_mul(b.low),
            a.low.checked_mul(b.high),
            a.high.checked_mul(b.low),
            a.high.checked_mul(b.high),
        ]),
        (Operation::Div, Some(a), Some(b)) if a.low >= 0 && b.low >= 0 => {
            // A divisor of zero gives zero.
            let low = if b.low == 0 { 0 } else { a.low / b.high.max(1) };
            Some(Interval {
                low,
                high: a.high / b.low.max(1),
            })
        }
        (Operation::Rem, Some(a), Some(b)) if a.low >= 0 && b.low > 0 && a.high < b.low => Some(a),
        (Operation::Rem, a, Some(b)) if b.low >= 0 => match a {
            Some(a) if a.low >= 0 => Some(Interval {
                low: 0,
                high: a.high.min(b.high.saturating_sub(1).max(0)),
            }),
            _ => unsigned(0, b.high.saturating_sub(1).max(0)),
        },
        (Operation::Min, Some(a), Some(b)) => Some(Interval {
            low: a.low.min(b.low),
            high: a.high.min(b.high),
        }),
        (Operation::Min, Some(one), None) | (Operation::Min, None, Some(one)) => {
            unsigned(0, one.high)
        }
        (Operation::Max, Some(a), Some(b)) => Some(Interval {
            low: a.low.max(b.low),
            high: a.high.max(b.high),
        }),
        (Operation::And, a, b) => {
            let bound = |it: Option<Interval>| it.filter(|it| it.low >= 0).map(|it| it.high);
            let high = match (bound(a), bound(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, other) => one.or(other),
            };
            high.map(|high| Interval { low: 0, high })
        }
        (Operation::Shl, Some(a), Some(b)) if b.low == b.high && a.low >= 0 => {
            let factor = (0..62).contains(&b.low).then(|| 1_i64 << b.low);
            factor.and_then(|factor| {
                let high = a.high.checked_mul(factor)?;
                let low = a.low.checked_mul(factor)?;
                (b.low < i64::from(int.bits)).then_some(Interval { low, high })
            })
        }
        (Operation::Shr, Some(a), Some(b)) if a.low >= 0 => {
            let is_count = |it: i64| (0..i64::from(int.bits)).contains(&it);
            match is_count(b.low) && is_count(b.high) {
                true => Some(Interval {
                    low: a.low >> b.high,
                    high: a.high >> b.low,
                }),
                // The count is masked.
                false => Some(Interval {
                    low: 0,
                    high: a.high,
                }),
            }
        }
        _ => None,
    };
    int.wrapped(exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::IndexWidth;

    /// A view of rank 1 and 2 and an `u32`, as a block holds them.
    fn artifact(nodes: &[Node], checks: &[(u32, u32)]) -> Artifact {
        let view = |offset, rank| Param {
            name: "".into(),
            offset,
            kind: ParamKind::View {
                rank,
                element_bytes: 4,
                reads: true,
                writes: false,
            },
        };
        let value = Param {
            name: "".into(),
            offset: 40,
            kind: ParamKind::Value { bytes: 4 },
        };
        let checks: Vec<Check> = (0..)
            .zip(checks)
            .map(|(group, &(value, limit))| Check {
                group,
                value,
                limit,
            })
            .collect();
        Artifact {
            index: IndexWidth::Bits32,
            params: vec![view(0, 1), view(16, 2), value].into(),
            proofs: Proofs::new(nodes, &checks),
            ..Artifact::default()
        }
    }

    fn proven(nodes: &[Node], checks: &[(u32, u32)], domain: &[usize], tile: &[usize]) -> u32 {
        let mut block = [0; 44];
        for (offset, number) in [(8, 100_u32), (24, 64), (28, 48), (40, 3)] {
            block[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
        }
        artifact(nodes, checks).proven(&Launch {
            domain,
            tile,
            constants: &[16],
            block: &block,
        })
    }

    fn add(a: u32, b: u32) -> Node {
        Node::Binary(Operation::Add, a, b, Int::U32)
    }

    #[test]
    fn nodes_are_what_they_were_encoded_from() {
        let int = Int {
            bits: 64,
            signed: true,
        };
        let mut nodes = vec![
            Node::Any(int),
            Node::Constant(-5),
            Node::User(7, Int::U32),
            Node::Argument(1, 8, int),
            Node::Extent(2, 1),
            Node::Global(1),
            Node::Local(2),
            Node::Tile(0),
            Node::Origin(1),
            Node::Cast(3, Int::U32),
            Node::Counter {
                start: 1,
                end: 2,
                step: 3,
            },
            Node::Either(4, 5),
            Node::Below(6, 7),
            Node::AtLeast(8, 9),
        ];
        nodes.extend(Operation::ALL.map(|it| Node::Binary(it, 1, 2, int)));
        let decoded: Vec<Node> = Proofs::new(&nodes, &[]).nodes().collect();
        assert_eq!(decoded, nodes);
    }

    #[test]
    fn the_domain_is_compared_with_a_view() {
        let nodes = [Node::Global(0), Node::Extent(0, 0)];
        assert_eq!(proven(&nodes, &[(0, 1)], &[100], &[]), 1);
        assert_eq!(proven(&nodes, &[(0, 1)], &[101], &[]), 0);
    }

    #[test]
    fn a_loop_over_tiles_ends_in_its_last_tile() {
        // for i in (0..48).step_by(16) { b[global[0], local[1] + i] }
        let nodes = [
            Node::Global(0),
            Node::Extent(1, 0),
            Node::Constant(0),
            Node::Extent(1, 1),
            Node::User(0, Int::U32),
            Node::Counter {
                start: 2,
                end: 3,
                step: 4,
            },
            Node::Local(1),
            add(6, 5),
        ];
        let checks = [(0, 1), (7, 3)];
        assert_eq!(proven(&nodes, &checks, &[64, 64], &[16, 16]), 0b11);
        assert_eq!(proven(&nodes, &checks, &[80, 64], &[16, 17]), 0);
    }

    #[test]
    fn what_may_overflow_proves_nothing() {
        let nodes = [
            Node::Constant(0xffff_ffff),
            Node::Local(0),
            add(0, 1),
            Node::Extent(0, 0),
            Node::Constant(1),
            Node::Binary(Operation::Sub, 1, 4, Int::U32),
            Node::Binary(Operation::Mul, 0, 0, Int::U32),
        ];
        let checks = [(2, 3), (5, 3), (6, 3)];
        assert_eq!(proven(&nodes, &checks, &[64], &[16]), 0);
    }

    #[test]
    fn conditions_and_arguments_bound_values() {
        let nodes = [
            Node::Global(0),
            Node::Constant(1),
            add(0, 1),
            Node::Extent(0, 0),
            Node::Below(2, 3),
            Node::Any(Int::U32),
            Node::Argument(2, 0, Int::U32),
            Node::Binary(Operation::Rem, 5, 6, Int::U32),
            Node::AtLeast(0, 1),
            Node::Binary(Operation::Sub, 8, 1, Int::U32),
            Node::Binary(Operation::And, 5, 6, Int::U32),
        ];
        let checks = [(2, 3), (4, 3), (7, 6), (9, 3), (10, 6), (5, 3)];
        assert_eq!(proven(&nodes, &checks, &[100], &[]), 0b00_1110);
    }
}
