//! Makes a program that shows a fault as small as it goes.

use std::ops::ControlFlow::{self, Break, Continue};

use amp_spirv::tree::*;

use crate::number::number_lines;
use crate::program::Program;
use amp_spirv::value::to_bits;

/// Counts down to the one change that is made.
struct Change {
    left: usize,
    done: bool,
}

impl Change {
    /// Whether it is this change's turn.
    fn is_next(&mut self) -> bool {
        if self.done {
            return false;
        }
        self.done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.done
    }
}

impl Edit for Change {
    fn block(&mut self, block: &mut Block) -> ControlFlow<()> {
        for position in 0..block.statements.len() {
            let is_last = position + 1 == block.statements.len();
            let ends = matches!(
                &block.statements[position],
                Statement::Expr(it) if it.ty == Type::Never
            );
            if !(is_last && ends) && self.is_next() {
                block.statements.remove(position);
                return Break(());
            }
        }
        Continue(())
    }

    fn expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if expr.ty == Type::Never || matches!(expr.kind, ExprKind::Literal(_)) {
            return Continue(());
        }
        for part in parts(expr) {
            if part.ty == expr.ty && self.is_next() {
                *expr = part;
                return Break(());
            }
        }
        if let Some(literal) = literal(&expr.ty)
            && self.is_next()
        {
            expr.kind = ExprKind::Literal(literal);
            return Break(());
        }
        Continue(())
    }
}

/// Expressions that could stand in another's place.
fn parts(expr: &Expr) -> Vec<Expr> {
    let of_block = |block: &Block| Expr {
        kind: ExprKind::Block(Box::new(block.clone())),
        ty: block.ty.clone(),
        span: block.span,
    };
    match &expr.kind {
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => vec![(**a).clone()],
        ExprKind::Binary(_, a, b) | ExprKind::Lazy(_, a, b) => {
            vec![(**a).clone(), (**b).clone()]
        }
        ExprKind::Math(_, operands) => operands.clone(),
        ExprKind::If(_, yes, no) => vec![of_block(yes), of_block(no)],
        ExprKind::Block(body) if body.statements.is_empty() => {
            body.value.as_deref().cloned().into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn literal(ty: &Type) -> Option<Literal> {
    let scalar = ty.scalar()?;
    let bits = match scalar {
        Scalar::Bool | Scalar::Usize => 0,
        scalar if scalar.is_float() => to_bits(scalar, 1.0),
        _ => 1,
    };
    Some(Literal::new(scalar, bits))
}

/// The program with one change more, if there are that many.
fn changed(program: &Program, number: usize) -> Option<Program> {
    let mut changed = program.clone();
    let mut change = Change {
        left: number,
        done: false,
    };
    for function in changed.module.functions.iter_mut().rev() {
        if edit(&mut function.body, &mut change).is_break() {
            number_lines(&mut changed.module);
            return Some(changed);
        }
    }
    None
}

/// The smallest program found that is still `wrong`, of those that keep the rules of the tree.
pub fn reduce(program: &Program, wrong: impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    loop {
        let mut number = 0;
        let mut progress = false;
        while let Some(candidate) = changed(&smallest, number) {
            if verify(&candidate.module).is_ok() && wrong(&candidate) {
                smallest = candidate;
                progress = true;
            } else {
                number += 1;
            }
        }
        if !progress {
            return smallest;
        }
    }
}
