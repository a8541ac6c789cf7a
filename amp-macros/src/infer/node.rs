//! Nodes of the syntax of a function, and their ids.

use std::{
    cell::RefCell,
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use syn::{
    Expr, ExprBinary, ExprClosure, ExprMethodCall, ExprPath, ExprUnary, ItemFn, Local, PatIdent,
    PatStruct, PatTupleStruct,
};

use crate::visit::{self, Visit};

pub use crate::iterate::bare;

/// A node of a function's syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// The source map: the ids of nodes. The instances of a generic function share its syntax, and
/// so the ids. Nodes stay where they are while it lives.
#[derive(Default)]
pub struct SourceMap(RefCell<HashMap<usize, NodeId, BuildHasherDefault<AddressHasher>>>);

impl SourceMap {
    /// Gives the nodes of a copy of a function the ids of the function's own, while `work` runs.
    pub fn with_copy<R>(&self, item: &ItemFn, copy: ItemFn, work: impl FnOnce(ItemFn) -> R) -> R {
        let [mut nodes, mut copies] = [Addresses::default(), Addresses::default()];
        nodes.visit_item_fn(item);
        copies.visit_item_fn(&copy);
        for (node, copy) in nodes.0.into_iter().zip(&copies.0) {
            let id = self.0.borrow().get(&node).copied();
            id.and_then(|id| self.0.borrow_mut().insert(*copy, id));
        }
        let done = work(copy);
        // Other nodes will have their addresses.
        for copy in copies.0 {
            self.0.borrow_mut().remove(&copy);
        }
        done
    }
}

/// A hash of addresses, which are looked up often and need no protection against collisions.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_usize((*byte).into()));
    }

    fn write_usize(&mut self, address: usize) {
        let mixed = (self.0 ^ address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed.rotate_left(32);
    }
}

/// A node, or its id.
pub trait Node {
    /// The id of the node.
    fn id(self, source: &SourceMap) -> NodeId;
}

impl Node for NodeId {
    fn id(self, _: &SourceMap) -> NodeId {
        self
    }
}

impl<'a, T> Node for &'a Box<T>
where
    &'a T: Node,
{
    fn id(self, source: &SourceMap) -> NodeId {
        (**self).id(source)
    }
}

macro_rules! nodes {
    ($($kind:ident $visit:ident),* $(,)?) => {
        /// The addresses of all nodes.
        #[derive(Default)]
        struct Addresses(Vec<usize>);

        impl<'ast> Visit<'ast> for Addresses {$(
            fn $visit(&mut self, node: &'ast $kind) {
                self.0.push(std::ptr::from_ref(node).addr());
                visit::$visit(self, node);
            }
        )*}
    $(
        impl Node for &$kind {
            fn id(self, source: &SourceMap) -> NodeId {
                let mut ids = source.0.borrow_mut();
                let next = NodeId(ids.len() as u32);
                *ids.entry(std::ptr::from_ref(self).addr()).or_insert(next)
            }
        }
    )*};
}

nodes!(
    Expr visit_expr,
    ExprBinary visit_expr_binary,
    ExprClosure visit_expr_closure,
    ExprMethodCall visit_expr_method_call,
    ExprPath visit_expr_path,
    ExprUnary visit_expr_unary,
    ItemFn visit_item_fn,
    Local visit_local,
    PatIdent visit_pat_ident,
    PatStruct visit_pat_struct,
    PatTupleStruct visit_pat_tuple_struct,
);
