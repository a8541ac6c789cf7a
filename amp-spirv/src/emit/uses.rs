//! The atomic operations of a module that need a form or a feature of their own.

use crate::artifact::Feature;
use crate::mir::{Access, Base, Function, Module, Op};
use crate::tree::{TileStaticId, Type};
use rustc_hash::FxHashSet as HashSet;

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Uses {
    /// tile_static variables with floats that atomic operations work on.
    pub float_atomics: HashSet<TileStaticId>,
    /// Where atomic operations of 64 bits work.
    pub wide_atomics: HashSet<Feature>,
}

impl Uses {
    pub fn of(module: &Module) -> Self {
        let mut uses = Uses::default();
        for function in &module.functions {
            uses.function(module, function);
        }
        uses
    }

    fn function(&mut self, module: &Module, function: &Function) {
        function.walk(function.body, &mut |_, inst| {
            if let Op::Atomic(_, access) = &inst.op {
                let operand = inst.args.get(access.operands());
                if let Some(value) = operand.or(inst.results.first()) {
                    self.atomic(&module.types[function.ty(*value)], access);
                }
            }
        });
    }

    fn atomic(&mut self, ty: &Type, access: &Access) {
        let Some(scalar) = ty.scalar() else { return };
        let of_tile = match access.base {
            Base::TileStatic(id) => Some(id),
            _ => None,
        };
        if let Some(id) = of_tile
            && scalar.is_float()
        {
            self.float_atomics.insert(id);
        }
        if scalar.bits() == 64 {
            self.wide_atomics.insert(match of_tile {
                Some(_) => Feature::TileAtomics64,
                None => Feature::Atomics64,
            });
        }
    }
}
