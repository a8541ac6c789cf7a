//! How the text form spells operations and numbers what has no name.
//!
//! Values and labels are numbered in the order in which the text defines them, so that equal
//! functions have equal texts whatever passes did to their arenas.

use std::fmt::Debug;

use super::{End, Function, InstId, Op, RegionId, Value};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// An operator's name in text.
pub(super) fn operator(op: impl Debug) -> String {
    format!("{op:?}").to_lowercase()
}

/// The numbers of a function's values and labels in text.
pub(super) struct Names {
    values: Vec<Option<u32>>,
    defined: u32,
    labels: HashMap<InstId, usize>,
}

impl Names {
    pub fn of(function: &Function) -> Self {
        let mut names = Names {
            values: vec![None; function.values.len()],
            defined: 0,
            labels: HashMap::default(),
        };
        for param in &function.params {
            if let super::Param::Value(value) = param {
                names.define(*value);
            }
        }
        let mut targets = HashSet::default();
        function.walk(function.body, &mut |_, inst| {
            for region in &inst.regions {
                let end = &function.region(*region).end;
                if let End::Break(target, _) | End::Continue(target, _) = end {
                    targets.insert(*target);
                }
            }
        });
        names.region(function, function.body, &targets);
        names
    }

    fn define(&mut self, value: Value) {
        let number = self.defined;
        if let Some(place @ None) = self.values.get_mut(value.0 as usize) {
            *place = Some(number);
            self.defined += 1;
        }
    }

    fn region(&mut self, function: &Function, region: RegionId, targets: &HashSet<InstId>) {
        let region = function.region(region);
        for param in &region.params {
            self.define(*param);
        }
        for &id in &region.insts {
            let inst = function.inst(id);
            for result in &inst.results {
                self.define(*result);
            }
            if targets.contains(&id) {
                let label = self.labels.len();
                self.labels.insert(id, label);
            }
            for &inner in &inst.regions {
                self.region(function, inner, targets);
            }
        }
    }

    /// A value as it is written.
    pub fn value(&self, value: Value) -> String {
        match self.values.get(value.0 as usize) {
            Some(Some(number)) => format!("%{number}"),
            _ => format!("%undefined{}", value.0),
        }
    }

    /// Values as they are written.
    pub fn values(&self, values: &[Value]) -> String {
        let texts: Vec<String> = values.iter().map(|value| self.value(*value)).collect();
        texts.join(", ")
    }

    /// The label of an instruction that control can jump to.
    pub fn label(&self, target: InstId) -> Option<String> {
        self.labels.get(&target).map(|number| format!("'{number}"))
    }
}

/// What an instruction's name is in text: that of its row, or of its operator.
pub(super) fn op_name(op: &Op) -> String {
    match op {
        Op::Unary(op) => operator(op),
        Op::Binary(op) => operator(op),
        _ => op.info().name.to_owned(),
    }
}
