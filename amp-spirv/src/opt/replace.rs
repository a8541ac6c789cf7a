//! Values in place of others.

use crate::mir::{Function, Value};

/// What values are replaced by.
pub(super) struct Replaced {
    by: Vec<Option<Value>>,
    any: bool,
}

impl Replaced {
    pub fn new(function: &Function) -> Self {
        Replaced {
            by: vec![None; function.values.len()],
            any: false,
        }
    }

    /// Replaces a value from now on; the other is not one that this replaces.
    pub fn set(&mut self, old: Value, new: Value) {
        let place = old.0 as usize;
        if self.by.len() <= place {
            // A value that has been added since.
            self.by.resize(place + 1, None);
        }
        self.by[place] = Some(new);
        self.any = true;
    }

    /// What a value is now.
    pub fn now(&self, value: Value) -> Value {
        let mut now = value;
        while let Some(Some(next)) = self.by.get(now.0 as usize) {
            now = *next;
        }
        now
    }

    /// Replaces the values everywhere.
    pub fn apply(&self, function: &mut Function) {
        if !self.any {
            return;
        }
        for inst in &mut function.insts {
            for value in inst.args.iter_mut().chain(&mut inst.guard) {
                *value = self.now(*value);
            }
        }
        for region in &mut function.regions {
            for value in region.end.values_mut() {
                *value = self.now(*value);
            }
        }
    }
}
