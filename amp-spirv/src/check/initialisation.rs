//! Reads of tile_static variables that nothing has been written to.
//!
//! Makes one [`Code::UninitialisedTileStatic`] for each tile_static variable with a read
//! that no write to the variable, or to any part of it, can come before. In C++ AMP a tile_static
//! variable has no initial value (§2.4.3.5.1), so such a read is wrong there whatever the
//! threads do; here it gives nothing but zero.
//!
//! Before a read comes what stands before it, what stands in the same loop, and what
//! stands on the other side of an `if`, which other threads may take. A helper may have
//! been called before, so in it every write comes before every read.
//!
//! It leaves out elements: writing one element counts as writing the variable.
//! Variables of a function are left to rustc, which refuses what is possibly unassigned
//! (E0381) in the kernel's host version.

use std::collections::BTreeSet;

use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{
        Block, ExprKind, Module, Place, Root, Span, TileStaticId,
        visit::{self, Node},
    },
};

/// Checks every tile_static variable.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut early = Vec::new();
    let (kernel, helpers) = match module.functions.split_last() {
        Some((kernel, helpers)) => (kernel, helpers),
        None => return Vec::new(),
    };
    for helper in helpers {
        early.extend(reads(&helper.body, written_in(&helper.body)));
    }
    early.extend(reads(&kernel.body, BTreeSet::new()));
    let mut seen = BTreeSet::new();
    early.retain(|(variable, _)| seen.insert(*variable));
    early
        .into_iter()
        .map(|(variable, span)| diagnostic(module, variable, span))
        .collect()
}

fn diagnostic(module: &Module, variable: TileStaticId, span: Span) -> Diagnostic {
    let variable = &module.tile_statics[variable.0 as usize];
    let name = &variable.name;
    Diagnostic::new(
        Code::UninitialisedTileStatic,
        span,
        format!("tile_static variable `{name}` is read here, but no thread has written to it"),
    )
    .label(
        variable.span,
        format!("`{name}` is declared here; tile_static memory holds no value at first"),
    )
    .help(format!(
        "write to `{name}` first, each thread its own part or one thread all of it, and put \
         `t_idx.barrier.wait()` before the first read"
    ))
}

/// The reads in a block that come before every write, if `written` was written before it.
fn reads(block: &Block, mut written: BTreeSet<TileStaticId>) -> Vec<(TileStaticId, Span)> {
    let mut early = Vec::new();
    // For each expression that is being met, what is written beside it from its end on: with
    // the condition of an `if`, what the other side writes.
    let mut open: Vec<Option<&Block>> = Vec::new();
    let mut otherwise = None;
    visit::block(block, &mut |node| match node {
        Node::Expr(expr) => {
            open.push(otherwise.take());
            match &expr.kind {
                ExprKind::Load(place) => {
                    early.extend(
                        variable(place)
                            .filter(|id| !written.contains(id))
                            .map(|id| (id, place.span)),
                    );
                }
                // What is met next is the condition.
                ExprKind::If(_, _, other) => otherwise = Some(other),
                ExprKind::Loop(_) => visit::expr(expr, &mut |node| note(&node, &mut written)),
                _ => {}
            }
        }
        Node::Done(expr) => {
            let read = match &expr.kind {
                ExprKind::AssignOp(_, place, _) => Some(&**place),
                ExprKind::Atomic(atomic) if atomic.op.reads() => Some(&atomic.place),
                _ => None,
            };
            if let Some(place) = read {
                early.extend(
                    variable(place)
                        .filter(|id| !written.contains(id))
                        .map(|id| (id, place.span)),
                );
            }
            note(&node, &mut written);
            if let Some(other) = open.pop().flatten() {
                written.extend(written_in(other));
            }
        }
        Node::Let(..) => {}
    });
    early
}

fn written_in(block: &Block) -> BTreeSet<TileStaticId> {
    let mut written = BTreeSet::new();
    visit::block(block, &mut |node| note(&node, &mut written));
    written
}

/// Adds what a finished expression writes.
fn note(node: &Node<'_>, written: &mut BTreeSet<TileStaticId>) {
    let Node::Done(expr) = node else { return };
    match &expr.kind {
        ExprKind::Assign(place, _) | ExprKind::AssignOp(_, place, _) => {
            written.extend(variable(place));
        }
        ExprKind::Atomic(atomic) if atomic.op.writes() => {
            written.extend(variable(&atomic.place));
        }
        _ => {}
    }
}

fn variable(place: &Place) -> Option<TileStaticId> {
    match place.root {
        Root::TileStatic(id) => Some(id),
        Root::Local(_) | Root::Element { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::build::*;
    use super::*;
    use crate::tree::{AtomicOp, Expr};

    fn found(body: impl Into<Vec<Expr>>) -> usize {
        check(&kernel(body)).len()
    }

    fn write() -> Expr {
        set(at_s(local(0)), lit(1))
    }

    fn read() -> Expr {
        set(at(X), get(at_s(lit(0))))
    }

    #[test]
    fn reads_without_any_write() {
        let found = check(&kernel([wait(), read(), read()]));
        assert_eq!(found.len(), 1, "one for each variable");
        assert_eq!(
            found[0].message,
            "tile_static variable `s` is read here, but no thread has written to it"
        );
        assert!(found[0].help.is_some());
    }

    #[test]
    fn reads_before_the_first_write() {
        assert_eq!(found([read(), wait(), write()]), 1);
        assert_eq!(found([write(), wait(), read()]), 0);
        assert_eq!(found([set(at_s(local(0)), get(at_s(lit(0))))]), 1);
    }

    #[test]
    fn an_update_is_a_read() {
        assert_eq!(found([add_to(at_s(local(0)), lit(1))]), 1);
        assert_eq!(found([write(), add_to(at_s(local(0)), lit(1))]), 0);
        assert_eq!(
            found([when(
                eq(local(0), lit(0)),
                [add_to(at_s(lit(0)), lit(1))],
                []
            )]),
            1
        );
    }

    #[test]
    fn a_write_on_any_way_is_enough() {
        let some = || when(eq(var(X), lit(0)), [write()], []);
        assert_eq!(found([some(), read()]), 0);
        assert_eq!(found([when(eq(var(X), lit(0)), [read()], [write()])]), 0);
        assert_eq!(found([when(eq(var(X), lit(0)), [write()], [read()])]), 0);
    }

    #[test]
    fn a_loop_may_have_written_before() {
        assert_eq!(found([for_i(0, lit(0), lit(4), [read(), write()])]), 0);
        assert_eq!(found([for_i(0, lit(0), lit(4), [read()]), write()]), 1);
    }

    #[test]
    fn a_helper_may_have_been_called_before() {
        let later = function("f", [read(), write()]);
        assert!(check(&program([later], [call(0, lit(0))])).is_empty());
        let never = function("f", [read()]);
        assert_eq!(check(&program([never], [call(0, lit(0))])).len(), 1);
    }

    #[test]
    fn atomic_operations_read_unless_they_store() {
        let add = || atomic(AtomicOp::Add, at_s(lit(0)), [lit(1)]);
        let store = || atomic(AtomicOp::Store, at_s(lit(0)), [lit(1)]);
        let load = || atomic(AtomicOp::Load, at_s(lit(0)), []);
        assert_eq!(found([add(), read()]), 1);
        assert_eq!(found([load(), write()]), 1);
        assert_eq!(found([store(), add(), load(), read()]), 0);
    }
}
