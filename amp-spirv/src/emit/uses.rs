//! What a kernel does to its views and which memory its fences order, found by one
//! walk through all functions before anything is emitted.
//!
//! A view's elements count as written if *some* view of the same argument can be
//! written through, so that a helper's read-only parameter is not taken for constant
//! memory when the kernel hands it a mutable view.

use std::collections::HashSet;

use super::scalar::is_wide;
use crate::artifact::Feature;
use crate::ir::{
    ExprKind, Function, LocalId, MemoryFence, Module, Place, Root, Scalar, TileStaticId, Type,
    visit::{self, Node},
};

/// What happens through one parameter.
#[derive(Clone, Copy, Default)]
pub(super) struct ViewUse {
    /// Elements are read.
    pub reads: bool,
    /// Elements are written.
    pub writes: bool,
    /// The launch may write the elements, here or elsewhere.
    pub mutable: bool,
}

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Uses {
    /// By function and parameter; parameters that are no views stay at the default.
    pub params: Vec<Vec<ViewUse>>,
    /// By function and local: the parameter whose elements a view has. Other locals stand
    /// for themselves.
    pub origins: Vec<Vec<LocalId>>,
    /// By function: the locals that it assigns, wholly or in part, but for their `let`.
    pub assigned: Vec<HashSet<LocalId>>,
    /// tile_static variables with floats that atomic operations work on.
    pub float_atomics: HashSet<TileStaticId>,
    /// Where atomic operations of 64 bits work.
    pub wide_atomics: HashSet<Feature>,
    /// Some expression is an integer of 64 bits.
    pub has_wide: bool,
    /// Some fence orders tile_static variables.
    pub orders_tile_static: bool,
    /// Some thread can reach a barrier or an operation of its subgroup.
    pub has_barrier: bool,
}

impl Uses {
    pub fn of(module: &Module) -> Self {
        let mut uses = Uses::default();
        for function in &module.functions {
            let origins = origins(function);
            let params = uses.function(function, &origins);
            uses.params.push(params);
            uses.origins.push(origins);
        }
        for caller in (0..module.functions.len()).rev() {
            uses.spread_mutability(&module.functions[caller], caller);
        }
        uses
    }

    fn function(&mut self, function: &Function, origins: &[LocalId]) -> Vec<ViewUse> {
        let mut params: Vec<ViewUse> = function.locals[..function.params as usize]
            .iter()
            .map(|local| ViewUse {
                mutable: matches!(&local.ty, Type::View(view) if view.mutable),
                ..ViewUse::default()
            })
            .collect();
        let mut touch = |place: &Place, reads: bool, writes: bool| {
            if let Root::Element { view, .. } = &place.root
                && let Some(param) = params.get_mut(origins[view.0 as usize].0 as usize)
            {
                param.reads |= reads;
                param.writes |= writes;
            }
        };
        let mut assigned = HashSet::new();
        let mut assign = |place: &Place| {
            if let Root::Local(local) = place.root {
                assigned.insert(local);
            }
        };
        let mut calls = Vec::new();
        visit::block(&function.body, &mut |node| {
            let Node::Expr(expr) = node else { return };
            self.has_wide |= is_wide(&expr.ty);
            match &expr.kind {
                ExprKind::Load(place) => touch(place, true, false),
                ExprKind::Assign(place, _) => {
                    touch(place, false, true);
                    assign(place);
                }
                ExprKind::AssignOp(_, place, _) => {
                    touch(place, true, true);
                    assign(place);
                }
                ExprKind::Atomic(atomic) => {
                    touch(&atomic.place, atomic.op.reads(), atomic.op.writes());
                    self.atomic(&atomic.place);
                }
                ExprKind::Call(callee, args) => calls.push((*callee, args)),
                ExprKind::Barrier(fence) => {
                    self.has_barrier = true;
                    self.order(*fence);
                }
                ExprKind::Fence(fence) => self.order(*fence),
                ExprKind::Subgroup(..) => self.has_barrier = true,
                _ => {}
            }
        });
        self.assigned.push(assigned);
        for (callee, args) in calls {
            for (position, arg) in args.iter().enumerate() {
                if let Some(view) = arg.viewed()
                    && let Some(inner) = self.params[callee.0 as usize].get(position).copied()
                    && let Some(param) = params.get_mut(origins[view.0 as usize].0 as usize)
                {
                    param.reads |= inner.reads;
                    param.writes |= inner.writes;
                }
            }
        }
        params
    }

    fn atomic(&mut self, place: &Place) {
        let of_tile = match place.root {
            Root::TileStatic(id) => Some(id),
            _ => None,
        };
        if let Some(id) = of_tile
            && place.ty.scalar().is_some_and(Scalar::is_float)
        {
            self.float_atomics.insert(id);
        }
        if is_wide(&place.ty) {
            self.wide_atomics.insert(match of_tile {
                Some(_) => Feature::TileAtomics64,
                None => Feature::Atomics64,
            });
        }
    }

    fn order(&mut self, fence: MemoryFence) {
        self.orders_tile_static |= fence.orders().tile;
    }

    fn spread_mutability(&mut self, function: &Function, caller: usize) {
        let (params, origins) = (&mut self.params, &self.origins[caller]);
        visit::block(&function.body, &mut |node| {
            if let Node::Expr(expr) = node
                && let ExprKind::Call(callee, args) = &expr.kind
            {
                for (position, arg) in args.iter().enumerate() {
                    if let Some(view) = arg.viewed()
                        && params[caller][origins[view.0 as usize].0 as usize].mutable
                    {
                        params[callee.0 as usize][position].mutable = true;
                    }
                }
            }
        });
    }
}

fn origins(function: &Function) -> Vec<LocalId> {
    let mut origins: Vec<LocalId> = (0..function.locals.len() as u32).map(LocalId).collect();
    visit::block(&function.body, &mut |node| {
        if let Node::Let(local, Some(value)) = node
            && let Some(view) = value.viewed()
        {
            origins[local.0 as usize] = origins[view.0 as usize];
        }
    });
    origins
}
