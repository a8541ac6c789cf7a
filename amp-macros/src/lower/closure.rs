//! Closures: their bodies are put where they are called.

use amp_spirv::tree;
use syn::{ExprCall, ExprClosure, Pat};

use super::{
    FnLower,
    frame::{Closure, Exit, Frame},
    load, local_place, sequence,
    slice::Slice,
};
use crate::{
    infer::{NodeId, Ty, Typed},
    visit::{self, Visit},
};

impl<'p> FnLower<'_, 'p> {
    /// `f(arguments)` for a closure.
    pub(super) fn closure_call(
        &mut self,
        index: usize,
        call: &ExprCall,
        ty: tree::Type,
        span: tree::Span,
    ) -> tree::Expr {
        let Closure { syntax, frame } = self.closure(index);
        // All of them before the parameters get their values: an argument may call the
        // closure itself.
        let mut statements = Vec::new();
        let mut values = Vec::new();
        for argument in &call.args {
            if self.is_slice(argument) {
                values.push(Given::Slice(self.slice(argument, &mut statements)));
                continue;
            }
            if let Ty::Reference { .. } = self.frame.function.typed.ty(argument) {
                values.push(Given::Place(self.borrowed(argument, &mut statements)));
                continue;
            }
            let value = self.expr(argument);
            let (ty, span) = (value.ty.clone(), value.span);
            let local = self.temporary("argument", ty.clone(), span);
            let value = Some(value);
            statements.push(tree::Statement::Let { local, value });
            values.push(Given::Value(load(local_place(local, ty, span))));
        }
        let label = tree::LabelId(self.next_label);
        let inner = Frame {
            first_label: self.next_label + 1,
            exit: Some(Exit {
                label,
                result: ty,
                taken: false,
            }),
            choice: None,
            ..frame
        };
        self.next_label += 1 + inner.function.typed.labels_used;
        let value = self.put(inner, span, |lower| {
            for (input, value) in syntax.inputs.iter().zip(values) {
                let pattern = match input {
                    Pat::Type(typed) => &*typed.pat,
                    pattern => pattern,
                };
                match value {
                    Given::Value(value) => lower.pattern(pattern, value, &mut statements),
                    Given::Slice(slice) => lower.bind_slice(pattern, slice, &mut statements),
                    Given::Place(place) => lower.bind(pattern, &place, &mut statements),
                }
            }
            lower.as_block(&syntax.body)
        });
        sequence(statements, value)
    }

    pub(super) fn closure(&mut self, index: usize) -> Closure<'p> {
        if let Some(passed) = self.frame.closures.get(&index) {
            return passed.clone();
        }
        let function = self.frame.function;
        let mut search = Search {
            typed: &function.typed,
            node: self.program.closures[index].node,
            found: None,
        };
        search.visit_block(&function.item.block);
        let Some(syntax) = search.found else {
            unreachable!("a closure is called in the body that it stands in")
        };
        Closure {
            syntax,
            frame: self.frame.clone(),
        }
    }
}

/// An argument of a closure.
enum Given {
    Value(tree::Expr),
    Slice(Slice),
    Place(tree::Place),
}

/// Looks for a closure by its node.
struct Search<'p> {
    typed: &'p Typed,
    node: NodeId,
    found: Option<&'p ExprClosure>,
}

impl<'p> Visit<'p> for Search<'p> {
    fn visit_expr_closure(&mut self, closure: &'p ExprClosure) {
        if self.typed.id(closure) == self.node {
            self.found = Some(closure);
        }
        visit::visit_expr_closure(self, closure);
    }
}
