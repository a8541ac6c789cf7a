//! Calls of functions that return references, and indices of the user's own: places that such a
//! function finds.
//!
//! Of a function that ends with one place, the call is that place. One that chooses has a variable
//! for what it chose. To read, that is all: nothing changes the place meanwhile. To write, each
//! assignment to the variable is followed by one to the place that was chosen.

use amp_spirv::tree::{self, BinaryOp, ExprKind};
use syn::{Block, Expr, Stmt};

use super::{
    FnLower,
    forms::{NUMBER, block, is_number, number_literal, set},
    frame::Choice,
    load, local_place, sequence,
    slice::Slice,
};
use crate::infer::{Callee, Ty, bare, only_place};

/// What stands behind a variable that is the copy of a place which was chosen.
pub(super) struct Chosen {
    /// The variable that holds the number of the place, or zero if there is no place.
    which: tree::LocalId,
    places: Vec<tree::Place>,
}

impl FnLower<'_, '_> {
    /// The function that finds a place, and its arguments.
    pub(super) fn finder<'e>(&self, expr: &'e Expr) -> Option<(usize, Vec<&'e Expr>)> {
        let facts = self.frame.function.typed.of(expr);
        let Some(Callee::Helper(function)) = facts.callee else {
            return None;
        };
        let arguments = match expr {
            Expr::Index(index) => vec![&*index.expr, &*index.index],
            Expr::Call(call) => call.args.iter().collect(),
            Expr::MethodCall(call) => {
                let receiver = std::iter::once(&*call.receiver);
                receiver.chain(&call.args).collect()
            }
            _ => return None,
        };
        self.program.functions[function]
            .result
            .is_reference()
            .then_some((function, arguments))
    }

    /// The place that a function finds. What it does on the way is done before the expression in
    /// which the place stands.
    pub(super) fn found_place(
        &mut self,
        function: usize,
        arguments: &[&Expr],
        span: tree::Span,
    ) -> tree::Place {
        let outer = std::mem::take(&mut self.pending);
        let mut statements = Vec::new();
        let place = self.find_place(function, arguments, span, &mut statements);
        self.pending = outer;
        self.pending.append(&mut statements);
        place
    }

    fn find_place(
        &mut self,
        index: usize,
        arguments: &[&Expr],
        span: tree::Span,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Place {
        let callee = &self.program.functions[index];
        let Ty::Reference { mutable, target } = &callee.result else {
            unreachable!("it returns a reference")
        };
        let ty = self.consts.ty(target);
        if !self.growth.admits(span) {
            let local = self.temporary("chosen", ty.clone(), span);
            return local_place(local, ty, span);
        }
        if only_place(callee).is_some() {
            let frame = self.opened(index, arguments, tree::Type::Unit, statements);
            let caller = std::mem::replace(&mut self.frame, frame);
            let end = self.end(&callee.item.block, statements);
            let place = self.borrowed(end, statements);
            self.frame = caller;
            return place;
        }
        let chosen = self.temporary("chosen", ty.clone(), span);
        self.copies.insert(chosen);
        let place = local_place(chosen, ty.clone(), span);
        if !mutable {
            let frame = self.opened(index, arguments, ty, statements);
            let value = self.put(frame, span, |lower| lower.block(&callee.item.block));
            let value = Some(value);
            let local = chosen;
            statements.push(tree::Statement::Let { local, value });
            return place;
        }
        let number = NUMBER;
        let mut frame = self.opened(index, arguments, number.clone(), statements);
        statements.push(zero(chosen, ty, span));
        frame.choice = Some(Choice {
            copy: place.clone(),
            places: Vec::new(),
            variables: Vec::new(),
        });
        let caller = std::mem::replace(&mut self.frame, frame);
        let body = self.block(&callee.item.block);
        let frame = std::mem::replace(&mut self.frame, caller);
        let Some(Choice {
            places, variables, ..
        }) = frame.choice
        else {
            unreachable!("the body keeps it")
        };
        statements.extend(variables);
        let kind = match frame.exit {
            Some(exit) if exit.taken => ExprKind::LabelledBlock(exit.label, Box::new(body)),
            _ => ExprKind::Block(Box::new(body)),
        };
        let ty = number.clone();
        let value = Some(tree::Expr { kind, ty, span });
        let which = self.temporary("which", number, span);
        let local = which;
        statements.push(tree::Statement::Let { local, value });
        self.chosen.insert(chosen, Chosen { which, places });
        place
    }

    /// The slice that a function finds.
    pub(super) fn found_slice(
        &mut self,
        function: usize,
        arguments: &[&Expr],
        span: tree::Span,
        statements: &mut Vec<tree::Statement>,
    ) -> Slice {
        let callee = &self.program.functions[function];
        if !self.growth.admits(span) {
            // Any slice of the type: the module is not used.
            let Ty::Slice(element) = callee.result.target() else {
                unreachable!("it returns a slice")
            };
            let element = Box::new(self.consts.ty(element));
            let ty = tree::Type::Array(element, tree::Len::Literal(1));
            let local = self.temporary("slice", ty.clone(), span);
            return Slice::whole(local_place(local, ty, span));
        }
        let frame = self.opened(function, arguments, tree::Type::Unit, statements);
        let caller = std::mem::replace(&mut self.frame, frame);
        let end = self.end(&callee.item.block, statements);
        let slice = self.slice(end, statements);
        self.frame = caller;
        slice
    }

    /// A slice that is found by a statement, for what its function does.
    pub(super) fn unused_slice(&mut self, expr: &Expr, span: tree::Span) -> tree::Expr {
        let mut statements = Vec::new();
        self.slice(expr, &mut statements);
        let (kind, ty) = (ExprKind::Unit, tree::Type::Unit);
        sequence(statements, tree::Expr { kind, ty, span })
    }

    /// Type of an expression: of one that chooses a place to write, that of its number.
    pub(super) fn type_of(&mut self, expr: &Expr) -> tree::Type {
        let ty = self.frame.function.typed.ty(expr);
        match self.frame.choice {
            Some(_) if ty.is_reference() => NUMBER,
            _ => self.type_of_value(expr),
        }
    }

    /// What a block ends with, behind all else that it does.
    fn end<'e>(&mut self, block: &'e Block, statements: &mut Vec<tree::Statement>) -> &'e Expr {
        let Some((Stmt::Expr(end, None), before)) = block.stmts.split_last() else {
            unreachable!("inference found a place at the end")
        };
        for statement in before {
            self.statement(statement, statements);
        }
        match bare(end) {
            Expr::Block(inner) => self.end(&inner.block, statements),
            end => end,
        }
    }

    /// One of the places that a function may return, to write: its number. The copy has its value then.
    pub(super) fn choice(&mut self, place: &Expr) -> Option<tree::Expr> {
        let of_call = self.frame.function.typed.of(place).returned;
        let is_place = matches!(
            place,
            Expr::Reference(_) | Expr::Path(_) | Expr::Call(_) | Expr::MethodCall(_)
        );
        let copy = self.frame.choice.as_ref()?.copy.clone();
        if !of_call || !is_place || !self.frame.function.typed.ty(place).is_reference() {
            return None;
        }
        let span = self.span(place);
        let mut statements = Vec::new();
        let chosen = self.borrowed(place, &mut statements);
        // What the place names is used outside of the block in which it is chosen.
        for statement in &mut statements {
            let tree::Statement::Let { local, value } = statement else {
                continue;
            };
            let (local, ty) = (*local, self.locals[local.0 as usize].ty.clone());
            let Some(value) = value.take_if(|_| !matches!(ty, tree::Type::View(_))) else {
                continue;
            };
            let outside = local_place(local, ty.clone(), value.span);
            *statement = set(outside, value);
            if let Some(choice) = &mut self.frame.choice {
                choice.variables.push(zero(local, ty, span));
            }
        }
        statements.push(set(copy, load(chosen.clone())));
        let choice = self.frame.choice.as_mut()?;
        choice.places.push(chosen);
        let number = choice.places.len() as u32;
        Some(sequence(statements, number_literal(number, span)))
    }

    /// `place = value`, or `place op= value`, behind what has to be done to find the place. Rust
    /// evaluates the value first.
    pub(super) fn assignment(
        &mut self,
        op: Option<BinaryOp>,
        mut place: tree::Place,
        value: tree::Expr,
        span: tree::Span,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let written = match place.root {
            tree::Root::Local(local) if self.chosen.contains_key(&local) => {
                for index in indices(&mut place) {
                    self.once(index, &mut statements);
                }
                self.written_back(local, &place, span)
            }
            _ => None,
        };
        let (place, value) = (Box::new(place), Box::new(value));
        let kind = match op {
            None => ExprKind::Assign(place, value),
            Some(op) => ExprKind::AssignOp(op, place, value),
        };
        let ty = tree::Type::Unit;
        let assigned = tree::Expr { kind, ty, span };
        let Some(written) = written else {
            return assigned;
        };
        statements.push(tree::Statement::Expr(assigned));
        sequence(statements, written)
    }

    /// Has the place that was chosen what its copy has now.
    fn written_back(
        &mut self,
        copy: tree::LocalId,
        written: &tree::Place,
        span: tree::Span,
    ) -> Option<tree::Expr> {
        let Chosen { which, places } = self.chosen.get(&copy)?;
        let (which, places) = (*which, places.clone());
        let mut all: Option<tree::Expr> = None;
        for (position, mut place) in places.into_iter().enumerate().rev() {
            place
                .projections
                .extend(written.projections.iter().cloned());
            place.ty = written.ty.clone();
            let store = self.assignment(None, place, load(written.clone()), span);
            let is_it = is_number(which, position as u32 + 1, span);
            let otherwise = all.into_iter().map(tree::Statement::Expr).collect();
            let kind = ExprKind::If(
                Box::new(is_it),
                block(vec![tree::Statement::Expr(store)], None, span),
                block(otherwise, None, span),
            );
            let ty = tree::Type::Unit;
            all = Some(tree::Expr { kind, ty, span });
        }
        all
    }
}

/// The indices of a place.
fn indices(place: &mut tree::Place) -> impl Iterator<Item = &mut tree::Expr> {
    let root = match &mut place.root {
        tree::Root::Element { index, .. } => Some(&mut **index),
        _ => None,
    };
    let projections = place.projections.iter_mut();
    root.into_iter()
        .chain(projections.filter_map(|projection| match projection {
            tree::Projection::Index(index) => Some(&mut **index),
            tree::Projection::Field(_) => None,
        }))
}

fn zero(local: tree::LocalId, ty: tree::Type, span: tree::Span) -> tree::Statement {
    let kind = ExprKind::Zero;
    let value = Some(tree::Expr { kind, ty, span });
    tree::Statement::Let { local, value }
}
