//! What each function can come to, itself or in what it calls. Found by one walk, and asked by
//! the checks.

use crate::tree::visit::{self, Node};
use crate::tree::{ExprKind, FunctionId, Module, Place, Root, SubgroupOp};

/// What the functions of a module can come to.
pub(crate) struct Reach(Vec<Reached>);

/// What a function can come to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reached {
    /// A barrier.
    pub(crate) barrier: bool,
    /// An operation of its subgroup.
    pub(crate) subgroup: bool,
    /// A use of a tile_static variable.
    pub(crate) tile_static: bool,
    /// A fence that orders tile_static memory and is no barrier.
    pub(crate) fence: bool,
}

impl Reach {
    pub(crate) fn of(module: &Module) -> Self {
        let mut reach = Reach(Vec::new());
        for function in &module.functions {
            let mut reached = Reached::default();
            visit::block(&function.body, &mut |node| {
                if let Node::Expr(expr) = node {
                    reached = reached.or(reach.expr(&expr.kind));
                }
            });
            reach.0.push(reached);
        }
        reach
    }

    /// What a function can come to.
    pub(crate) fn function(&self, id: FunctionId) -> Reached {
        self.0[id.0 as usize]
    }

    /// What the kernel can come to.
    pub(crate) fn kernel(&self) -> Reached {
        self.0.last().copied().unwrap_or_default()
    }

    /// What an expression does, apart from its parts.
    pub(crate) fn expr(&self, expr: &ExprKind) -> Reached {
        let is_shared = |place: &Place| matches!(place.root, Root::TileStatic(_));
        let mut reached = Reached::default();
        match expr {
            ExprKind::Barrier(_) => reached.barrier = true,
            ExprKind::Subgroup(op, _) => {
                reached.subgroup = true;
                reached.fence = *op == SubgroupOp::Barrier;
            }
            ExprKind::Fence(fence) => reached.fence = fence.orders().tile,
            ExprKind::Load(place) => reached.tile_static = is_shared(place),
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                reached.tile_static = is_shared(place);
            }
            ExprKind::Atomic(atomic) => reached.tile_static = is_shared(&atomic.place),
            ExprKind::Call(callee, _) => reached = self.function(*callee),
            _ => {}
        }
        reached
    }
}

impl Reached {
    /// Whether threads do something together.
    pub(crate) fn meets(self) -> bool {
        self.barrier || self.subgroup
    }

    fn or(self, other: Reached) -> Reached {
        Reached {
            barrier: self.barrier | other.barrier,
            subgroup: self.subgroup | other.subgroup,
            tile_static: self.tile_static | other.tile_static,
            fence: self.fence | other.fence,
        }
    }
}
