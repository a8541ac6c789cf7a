//! What has to be known of the variables of a function before it is built.

use super::has_value;
use super::place::is_indexed;
use crate::tree::{
    self, Expr, ExprKind, LabelId, LocalId, Root,
    visit::{self, Node},
};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Variables {
    /// Those that are indexed by what only the run knows.
    pub indexed: HashSet<LocalId>,
    /// Those that are assigned, but for their `let`.
    pub assigned: HashSet<LocalId>,
    /// Those that are used outside of the region that their `let` is in, as the names of a
    /// pattern are that are bound in front of its guard.
    pub escaping: HashSet<LocalId>,
    /// Those that are used behind a loop that their `let` is in, with the loop.
    pub outliving: HashSet<(LocalId, LabelId)>,
}

impl Variables {
    pub fn of(tree: &tree::Module, function: &tree::Function) -> Self {
        let mut found = Variables::default();
        // Expressions that own regions, around the current point, and those of each `let`.
        let (mut open, mut regions) = (vec![(0_u32, None)], 0);
        let mut homes = HashMap::default();
        visit::block(&function.body, &mut |node| {
            let (place, assigns) = match node {
                Node::Let(local, _) => {
                    homes.entry(local).or_insert_with(|| open.clone());
                    return;
                }
                Node::Expr(expr) if owns_regions(expr) => {
                    regions += 1;
                    let label = match &expr.kind {
                        ExprKind::Loop(looping) => Some(looping.label),
                        _ => None,
                    };
                    open.push((regions, label));
                    return;
                }
                Node::Done(expr) if owns_regions(expr) => {
                    open.pop();
                    return;
                }
                Node::Done(_) => return,
                Node::Expr(expr) => match &expr.kind {
                    ExprKind::Load(place) => (place, false),
                    ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
                        (&**place, true)
                    }
                    _ => return,
                },
            };
            let Root::Local(local) = place.root else {
                return;
            };
            if assigns {
                found.assigned.insert(local);
            }
            if is_indexed(tree, function, place) {
                found.indexed.insert(local);
            }
            if let Some(home) = homes.get(&local)
                && home.last().is_some_and(|home| !open.contains(home))
                && has_value(&place.ty)
            {
                found.escaping.insert(local);
                let left = home.iter().filter(|region| !open.contains(region));
                let loops = left.filter_map(|(_, label)| *label);
                found.outliving.extend(loops.map(|label| (local, label)));
            }
        });
        found
    }
}

/// Whether what happens in an expression may happen not at all, or more than once.
fn owns_regions(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::If(..) | ExprKind::Lazy(..) | ExprKind::Loop(_) | ExprKind::LabelledBlock(..)
    )
}
