//! Programs, accepted and rejected. The text above each is the kernel's body in Rust.

mod helpers;
mod labels;
mod rules;
mod schedules;
mod tile_static;

use super::super::build::*;
use super::super::reach::Reach;
use crate::{
    diagnostic::{Code, Diagnostic},
    tree::{Expr, Function, Module},
};

/// What is wrong with the barriers of a program.
fn found(module: &Module) -> Vec<Diagnostic> {
    super::check(module, &Reach::of(module))
}

fn accept_program(module: &Module) {
    let found = found(module);
    assert!(found.is_empty(), "{found:#?}");
}

fn reject_program(module: &Module) -> Diagnostic {
    let mut found = found(module);
    assert_eq!(found.len(), 1, "{found:#?}");
    let diagnostic = found.remove(0);
    assert_eq!(diagnostic.code, Code::DivergentBarrier);
    assert_eq!(
        diagnostic.message,
        "barrier in control flow that is not uniform across the tile"
    );
    assert!(diagnostic.help.is_some());
    diagnostic
}

fn accept(body: impl Into<Vec<Expr>>) {
    accept_program(&kernel(body));
}

fn reject(body: impl Into<Vec<Expr>>) {
    reject_program(&kernel(body));
}

/// Some barrier of a kernel is refused.
fn refuse(body: impl Into<Vec<Expr>>) {
    assert!(!found(&kernel(body)).is_empty());
}

fn accept_with(helper: Function, body: impl Into<Vec<Expr>>) {
    accept_program(&program([helper], body));
}

fn reject_with(helper: Function, body: impl Into<Vec<Expr>>) {
    reject_program(&program([helper], body));
}

/// The texts of the labels of the one diagnostic.
fn labels(module: &Module) -> Vec<String> {
    reject_program(module)
        .labels
        .into_iter()
        .map(|(_, text)| text)
        .collect()
}
