//! Gives every node a line of its own, so that a fault tells where it happened.

use std::ops::ControlFlow;

use amp_spirv::tree::*;

struct Lines(u32);

impl Lines {
    fn next(&mut self) -> Span {
        self.0 += 1;
        Span(self.0)
    }
}

impl Edit for Lines {
    fn expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        expr.span = self.next();
        ControlFlow::Continue(())
    }

    fn place(&mut self, place: &mut Place) -> ControlFlow<()> {
        place.span = self.next();
        ControlFlow::Continue(())
    }
}

/// Numbers all nodes of a module.
pub fn number_lines(module: &mut Module) {
    let mut lines = Lines(0);
    for function in &mut module.functions {
        let _ = edit(&mut function.body, &mut lines);
    }
    module.locations = (0..=lines.0)
        .map(|line| Location {
            file: 0,
            line: line + 1,
            column: 1,
        })
        .collect();
}
