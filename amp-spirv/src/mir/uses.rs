//! What a kernel does to its views and to the memory of tiles, found by one walk through all
//! functions.
//!
//! A view's elements count as written if *some* view of the same argument can be written
//! through, so that a helper's read-only parameter is not taken for constant memory when the
//! kernel hands it a mutable view.
//!
//! It relies on views being made from one view only: no region passes views.

use std::collections::HashSet;

use super::{Access, Base, Def, Function, Inst, Module, Op, Param, Ty, Value};
use crate::artifact::Feature;
use crate::ir::{TileStaticId, Type};

/// What happens through one parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewUse {
    /// Elements are read.
    pub reads: bool,
    /// Elements are written.
    pub writes: bool,
    /// The launch may write the elements, here or elsewhere.
    pub mutable: bool,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// By function and parameter; parameters that are no views stay at the default.
    pub params: Vec<Vec<ViewUse>>,
    /// tile_static variables with floats that atomic operations work on.
    pub float_atomics: HashSet<TileStaticId>,
    /// Where atomic operations of 64 bits work.
    pub wide_atomics: HashSet<Feature>,
    /// Some value is an integer or float of 64 bits.
    pub has_wide: bool,
    /// Some thread can reach a barrier or an operation of its subgroup.
    pub has_barrier: bool,
}

impl Uses {
    /// Facts about a module.
    pub fn of(module: &Module) -> Self {
        let mut uses = Uses::default();
        for function in &module.functions {
            let params = uses.function(module, function);
            uses.params.push(params);
        }
        for caller in (0..module.functions.len()).rev() {
            uses.spread_mutability(module, caller);
        }
        uses
    }

    fn function(&mut self, module: &Module, function: &Function) -> Vec<ViewUse> {
        let mut params: Vec<ViewUse> = function
            .params
            .iter()
            .map(|param| ViewUse {
                mutable: match param {
                    Param::Value(value) => match &module.types[function.ty(*value)] {
                        Type::View(view) => view.mutable,
                        _ => false,
                    },
                    Param::Slot(_) => false,
                },
                ..ViewUse::default()
            })
            .collect();
        let wide = |ty: Ty| {
            let scalar = module.types[ty].scalar();
            scalar.is_some_and(|scalar| scalar.bits() == 64)
        };
        self.has_wide |= function.values.iter().any(|value| wide(value.ty));
        function.walk(function.body, &mut |_, inst| {
            match &inst.op {
                Op::Barrier(..) | Op::Subgroup(_) => self.has_barrier = true,
                Op::Atomic(_, access) => {
                    let operand = inst.args.get(access.operands());
                    if let Some(value) = operand.or(inst.results.first()) {
                        self.atomic(&module.types[function.ty(*value)], access);
                    }
                }
                _ => {}
            }
            for (view, reads, writes) in touched(inst) {
                if let Some(param) = view_param(function, view) {
                    params[param].reads |= reads;
                    params[param].writes |= writes;
                }
            }
            if let Op::Call(callee) = inst.op {
                for (inner, outer) in passed(module, function, inst) {
                    let inner = self.params[callee.0 as usize][inner];
                    params[outer].reads |= inner.reads;
                    params[outer].writes |= inner.writes;
                }
            }
        });
        params
    }

    fn spread_mutability(&mut self, module: &Module, caller: usize) {
        let function = &module.functions[caller];
        function.walk(function.body, &mut |_, inst| {
            if let Op::Call(callee) = inst.op {
                for (inner, outer) in passed(module, function, inst) {
                    let mutable = self.params[caller][outer].mutable;
                    self.params[callee.0 as usize][inner].mutable |= mutable;
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

/// The views whose elements an instruction reads or writes.
pub(crate) fn touched(inst: &Inst) -> Vec<(Value, bool, bool)> {
    let view = |access: &Access, start: usize, reads: bool, writes: bool| {
        let is_element = matches!(access.base, Base::Element(_));
        is_element.then(|| (inst.args[start], reads, writes))
    };
    let touched = match &inst.op {
        Op::Load(access) => [view(access, 0, true, false), None],
        Op::Store(access) | Op::Clear(access) => [view(access, 0, false, true), None],
        Op::Copy(to, from) => [
            view(to, 0, false, true),
            view(from, to.operands(), true, false),
        ],
        Op::Atomic(op, access) => [view(access, 0, op.reads(), op.writes()), None],
        _ => [None, None],
    };
    touched.into_iter().flatten().collect()
}

/// The views that a call passes: the callee's parameter, and the caller's that the elements
/// are of.
fn passed(module: &Module, function: &Function, inst: &Inst) -> Vec<(usize, usize)> {
    let Op::Call(callee) = inst.op else {
        return Vec::new();
    };
    let params = module.functions[callee.0 as usize].params.iter();
    params
        .enumerate()
        .filter(|(_, param)| matches!(param, Param::Value(_)))
        .zip(&inst.args)
        .filter(|(_, value)| matches!(module.types[function.ty(**value)], Type::View(_)))
        .filter_map(|((inner, _), value)| Some((inner, view_param(function, *value)?)))
        .collect()
}

/// The parameter that a view has its elements of.
pub(crate) fn view_param(function: &Function, view: Value) -> Option<usize> {
    match function.def(view) {
        Def::Param(position) => Some(position as usize),
        Def::Inst(id, _) => view_param(function, *function.inst(id).args.first()?),
        Def::Region(..) => None,
    }
}
