//! The values that the nodes of a kernel have in a launch.

use std::collections::BTreeMap;

use super::{Artifact, Param, ParamKind};
use crate::proof::interval::{Interval, binary, counter, within};
use crate::proof::{GROUPS, Int, Launch, NODE_BYTES, Node};

/// How often what a loop carries is tried before anything is believed of it.
const MOST_TRIES: u8 = 4;

impl Artifact {
    /// The groups of checks that hold for all threads of a launch, as bits.
    pub fn proven(&self, launch: &Launch<'_>) -> u32 {
        let proofs = &self.proofs;
        if proofs.checks.is_empty() {
            return 0;
        }
        let intervals = self.intervals(launch);
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

    /// The values of all nodes.
    fn intervals(&self, launch: &Launch<'_>) -> Vec<Option<Interval>> {
        let proofs = &self.proofs;
        let mut intervals = Vec::with_capacity(proofs.nodes.len() / NODE_BYTES);
        // By the number of the round; few kernels have any.
        let mut tries = BTreeMap::new();
        while let Some(node) = proofs.node(intervals.len()) {
            let Node::Carried(round, next) = node else {
                let interval = self.interval(node, launch, &intervals);
                intervals.push(interval);
                continue;
            };
            let get = |node: u32| intervals.get(node as usize).copied().flatten();
            let (before, after) = (get(round), get(next));
            let both = before.zip(after).map(|(before, after)| before.hull(after));
            if both == before {
                intervals.push(before);
                continue;
            }
            // A round makes more of the values so far: again, with that, or with all values.
            let tries = tries.entry(round).or_insert(0);
            *tries += 1;
            let assumed = match proofs.node(round as usize) {
                _ if *tries < MOST_TRIES => both,
                Some(Node::Round(_, _, int)) if *tries == MOST_TRIES => int.all(),
                _ => None,
            };
            intervals.truncate(round as usize);
            intervals.push(assumed);
        }
        intervals
    }

    /// The values of a node; nothing if they are not known.
    fn interval(
        &self,
        node: Node,
        launch: &Launch<'_>,
        known: &[Option<Interval>],
    ) -> Option<Interval> {
        let get = |node: u32| known.get(node as usize).copied().flatten();
        let count = |counts: &[usize], k: u32| -> Option<i64> {
            i64::try_from(*counts.get(k as usize)?).ok()
        };
        match node {
            Node::Any(int, _) => int.all(),
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
                Some(Interval::strided(0, last.checked_mul(step)?, step))
            }
            Node::Binary(operation, a, b, int) => binary(operation, get(a), get(b), int),
            Node::Cast(a, int) => int.wrapped(get(a)),
            Node::Counter { start, end, step } => counter(get(start)?, get(end)?, get(step)),
            Node::Choice(condition, a, b) => match get(condition) {
                Some(Interval { low: 1, .. }) => get(a),
                Some(Interval { high: 0, .. }) => get(b),
                _ => {
                    let (a, b) = (get(a)?, get(b)?);
                    Some(a.hull(b))
                }
            },
            Node::Round(first, ..) => get(first),
            // Of several nodes together.
            Node::Carried(..) => None,
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
