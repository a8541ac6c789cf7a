//! Gives every node a line of its own, so that a fault tells where it happened.

use amp_spirv::ir::*;

use crate::walk::{self, Meet};

struct Lines(u32);

impl Lines {
    fn next(&mut self) -> Span {
        self.0 += 1;
        Span(self.0)
    }
}

impl Meet for Lines {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        expr.span = self.next();
        true
    }

    fn place(&mut self, place: &mut Place) -> bool {
        place.span = self.next();
        true
    }
}

/// Numbers all nodes of a module.
pub fn number_lines(module: &mut Module) {
    let mut lines = Lines(0);
    for function in &mut module.functions {
        walk::block(&mut function.body, &mut lines);
    }
    module.locations = (0..=lines.0)
        .map(|line| Location {
            file: 0,
            line: line + 1,
            column: 1,
        })
        .collect();
}
