//! What places in memory are known to hold, between two points of a region.
//!
//! A place holds what was loaded from it or stored to it under some guard, until something may
//! write to it, or makes visible what other threads wrote there. Loads of memory that a launch
//! never writes need no record: they always give the same.

use crate::analysis::affine::Affine;
use crate::analysis::alias::{Alias, alias};
use crate::analysis::effects::{Footprint, Footprints, Place, touches};
use crate::mir::{Access, Function, Inst, Op, Ty, Value};
use crate::tree::FunctionId;

/// So many places are recorded; the oldest goes.
const MOST: usize = 64;

/// What is known at a point.
#[derive(Clone, Default)]
pub(super) struct Places(Vec<Held>);

/// What one place holds.
#[derive(Clone)]
struct Held {
    access: Access,
    operands: Vec<Value>,
    guard: Option<Value>,
    ty: Ty,
    value: Value,
    /// If the guard fails, a load gives zero, and this value is something else.
    is_stored: bool,
}

impl Held {
    fn place(&self) -> Place<'_> {
        Place {
            access: &self.access,
            operands: &self.operands,
        }
    }
}

/// The value of a place that is loaded.
pub(super) enum Known {
    /// What an equal load gave.
    Loaded(Value),
    /// What was stored, if the guard of the load holds.
    Stored(Value),
}

/// What is asked for it.
pub(super) struct Facts<'f> {
    pub footprints: &'f Footprints,
    pub affine: Affine,
    pub id: FunctionId,
}

impl Places {
    /// What a load gives.
    pub fn get(&self, function: &Function, load: &Inst) -> Option<Known> {
        let Op::Load(access) = &load.op else {
            return None;
        };
        let ty = function.ty(*load.results.first()?);
        let held = self.0.iter().rev().find(|held| {
            (&held.access, &held.operands, held.guard, held.ty)
                == (access, &load.args, load.guard, ty)
        })?;
        Some(match held.is_stored {
            true => Known::Stored(held.value),
            false => Known::Loaded(held.value),
        })
    }

    /// Goes past a load of a value, which was not known.
    pub fn load(&mut self, function: &Function, load: &Inst, value: Value) {
        if let Op::Load(access) = &load.op {
            self.hold(Held {
                access: access.clone(),
                operands: load.args.clone(),
                guard: load.guard,
                ty: function.ty(value),
                value,
                is_stored: false,
            });
        }
    }

    /// Goes past an instruction without regions that is no load.
    pub fn pass(&mut self, facts: &Facts<'_>, function: &Function, inst: &Inst) {
        for touch in touches(inst).filter(|it| it.writes) {
            self.0.retain(|held| {
                alias(function, &facts.affine, held.place(), touch.place) == Alias::Never
            });
        }
        match &inst.op {
            Op::Store(access) => {
                let (operands, value) = inst.args.split_at(access.operands());
                self.hold(Held {
                    access: access.clone(),
                    operands: operands.to_vec(),
                    guard: inst.guard,
                    ty: function.ty(value[0]),
                    value: value[0],
                    is_stored: true,
                });
            }
            op if op.accesses().is_empty() => {
                let does = facts.footprints.inst(function, inst);
                self.past(facts, function, &does);
            }
            _ => {}
        }
    }

    /// Goes past code that does this.
    pub fn past(&mut self, facts: &Facts<'_>, function: &Function, does: &Footprint) {
        self.0.retain(|held| {
            let object = held.place().object(function);
            !facts.footprints.changes(facts.id, does, object)
        });
    }

    fn hold(&mut self, held: Held) {
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        self.0.push(held);
    }
}
