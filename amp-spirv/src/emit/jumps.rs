//! What is known of the jumps of a function, and of the constructs that they leave.

use spirv::Word;

use crate::mir::{End, Function, InstId, Op, RegionId};
use crate::tree::Type;
use rustc_hash::FxHashSet as HashSet;

/// The jumps of a function.
#[derive(Default)]
pub(super) struct Jumps {
    /// Instructions that something breaks out of.
    pub broken: HashSet<InstId>,
    /// Those that it does from within another construct.
    pub far_breaks: HashSet<InstId>,
    /// Loops that are continued from within another construct.
    pub far_continues: HashSet<InstId>,
}

impl Jumps {
    pub fn of(function: &Function) -> Self {
        let mut jumps = Jumps::default();
        for region in &function.regions {
            if let End::Break(target, _) = region.end {
                jumps.broken.insert(target);
            }
        }
        jumps.walk(function, function.body, None);
        jumps
    }

    fn walk(&mut self, function: &Function, region: RegionId, innermost: Option<InstId>) {
        let region = function.region(region);
        for id in &region.insts {
            let inst = function.inst(*id);
            let innermost = match inst.op {
                ref op if op.is_loop() => Some(*id),
                Op::Block if self.broken.contains(id) => Some(*id),
                _ => innermost,
            };
            for region in &inst.regions {
                self.walk(function, *region, innermost);
            }
        }
        match region.end {
            End::Break(target, _) if innermost != Some(target) => {
                self.far_breaks.insert(target);
            }
            End::Continue(target, _) if innermost != Some(target) => {
                self.far_continues.insert(target);
            }
            _ => {}
        }
    }
}

/// A block to which several others bring values.
pub(super) struct Meeting<'m> {
    pub types: Vec<&'m Type>,
    /// Where the values wait, if not all of them come straight to the block.
    pub variables: Option<Vec<Word>>,
    /// The values, and the block that they come from.
    pub edges: Vec<(Vec<Word>, Word)>,
}

impl<'m> Meeting<'m> {
    pub fn new(types: Vec<&'m Type>) -> Self {
        Meeting {
            types,
            variables: None,
            edges: Vec::new(),
        }
    }
}

/// Where a jump goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub construct: InstId,
    /// To the construct's next round rather than to its end.
    pub again: bool,
}

/// A loop or labelled block around the current point.
pub(super) struct Construct<'m> {
    pub id: InstId,
    pub merge: Word,
    pub next: Word,
    /// What meets at the merge block.
    pub results: Meeting<'m>,
    /// What meets at the continue target.
    pub carried: Meeting<'m>,
    /// Whether control reaches the merge in order to go on after the construct.
    pub completes: bool,
    /// Jumps that leave this construct for one further out, with the number that
    /// stands for each in the `escape` variable.
    pub passing: Vec<(Target, Word)>,
}
