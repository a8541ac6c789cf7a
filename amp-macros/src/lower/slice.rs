//! Slices: a slice is the place of an array, or a view, and where in it the slice starts and ends.
//!
//! Like any reference it is put where its name stands. Of a whole array it is the array; a part has
//! variables for its start and its length, which are computed and checked once, where the slice is
//! made, and assigned with the name. So its elements need no other check than that the index is below the length.

use amp_spirv::tree::{self, BinaryOp, ExprKind, LazyOp};
use syn::{Expr, ExprIndex, ExprRange, Pat, RangeLimits, UnOp};

use super::{
    FnLower,
    comparison::not,
    forms::{binary, choice, when},
    lazy, load, local_place, sequence, usize_literal,
    whole::Whole,
};
use crate::{
    infer::{Resolved, Ty, bare},
    message::Told,
};

/// See the module's documentation.
#[derive(Clone)]
pub(super) struct Slice {
    pub of: Whole,
    /// The variables of the start and the length, unless it is the whole array.
    pub part: Option<Bounds>,
    /// Whether these variables are assigned others.
    pub changes: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub start: tree::LocalId,
    pub length: tree::LocalId,
}

impl Slice {
    /// All elements of an array.
    pub fn whole(array: tree::Place) -> Self {
        Self {
            of: Whole::Array(array),
            part: None,
            changes: false,
        }
    }
}

impl FnLower<'_, '_> {
    /// The slice that an expression refers to: a range of elements, a whole array, or what a name
    /// stands for. What has to be computed once goes into `statements`.
    pub(super) fn slice(&mut self, expr: &Expr, statements: &mut Vec<tree::Statement>) -> Slice {
        let expr = bare(expr);
        if let Some(inner) = referred(expr) {
            return self.slice(inner, statements);
        }
        if let Some((whole, range)) = ranged(expr) {
            let whole = self.slice(whole, statements);
            return self.part_of(whole, range, expr, statements);
        }
        if self.frame.function.typed.of(expr).is_kept_slice {
            return self.slice_of_value(expr, statements);
        }
        if let Some((function, arguments)) = self.finder(expr)
            && self.is_slice(expr)
        {
            let span = self.span(expr);
            return self.found_slice(function, &arguments, span, statements);
        }
        if let Ty::View(_) = self.frame.function.typed.ty(expr) {
            return self.slice_of_view(expr, statements);
        }
        if let (Expr::Array(_), Ty::Slice(element)) = (expr, self.frame.function.typed.ty(expr)) {
            let element = self.consts.ty(element);
            let span = self.span(expr);
            return self.empty_slice(element, span, statements);
        }
        self.named_slice(expr)
            .unwrap_or_else(|| Slice::whole(self.borrowed(expr, statements)))
    }

    /// All elements of a view.
    fn slice_of_view(&mut self, view: &Expr, statements: &mut Vec<tree::Statement>) -> Slice {
        let span = self.span(view);
        let view = self.named_view(view, statements);
        let length = self.length_of_view(view, span);
        let of = Slice {
            of: Whole::View(view),
            part: None,
            changes: false,
        };
        self.first_of(of, length, statements)
    }

    /// The first elements of a slice.
    pub(super) fn first_of(
        &mut self,
        whole: Slice,
        length: tree::Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> Slice {
        let start = usize_literal(0, length.span);
        let length = self.named("length", length, statements);
        let start = self.named("start", start, statements);
        let part = Some(Bounds { start, length });
        Slice { part, ..whole }
    }

    /// The same of a place, whose own indices stay in it: they are evaluated before `statements` are.
    fn slice_in_place(
        &mut self,
        expr: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> Option<Slice> {
        let expr = bare(expr);
        if let Some(inner) = referred(expr) {
            return self.slice_in_place(inner, statements);
        }
        if let Some((whole, range)) = ranged(expr) {
            let whole = self.slice_in_place(whole, statements)?;
            return Some(self.part_of(whole, range, expr, statements));
        }
        let is_value = self.frame.function.typed.of(expr).is_kept_slice;
        if is_value || self.finder(expr).is_some() && self.is_slice(expr) {
            // It has indices of its own, which its place names.
            let mut before = Vec::new();
            let slice = self.slice(expr, &mut before);
            self.pending.append(&mut before);
            return Some(slice);
        }
        if let Ty::View(_) = self.frame.function.typed.ty(expr) {
            return Some(self.slice_of_view(expr, statements));
        }
        if let Some(slice) = self.named_slice(expr) {
            return Some(slice);
        }
        Some(Slice::whole(self.place(expr)?))
    }

    /// Has the name of a pattern stand for a slice.
    pub(super) fn bind_slice(
        &mut self,
        pattern: &Pat,
        slice: Slice,
        statements: &mut Vec<tree::Statement>,
    ) {
        let typed = &self.frame.function.typed;
        if let Pat::Ident(ident) = pattern
            && let Some(own) = typed.of(ident).local
        {
            let changes = typed.assigned_slices.contains(&own);
            let span = self.span(pattern);
            let slice = self.named_as(slice, changes, span, statements);
            self.frame.slices.insert(self.frame.local(own), slice);
        }
    }

    /// A slice as a name stands for it: with bounds of its own if those of the name change, or those of the
    /// slice.
    pub(super) fn named_as(
        &mut self,
        slice: Slice,
        changes: bool,
        span: tree::Span,
        statements: &mut Vec<tree::Statement>,
    ) -> Slice {
        if !changes && !slice.changes {
            return slice;
        }
        let [start, length] = self.bounds_of_slice(&slice, span);
        let start = self.named("start", start, statements);
        let length = self.named("length", length, statements);
        Slice {
            part: Some(Bounds { start, length }),
            changes,
            ..slice
        }
    }

    /// Where a slice starts, and its length.
    pub(super) fn bounds_of_slice(&mut self, slice: &Slice, span: tree::Span) -> [tree::Expr; 2] {
        let start = match slice.part {
            Some(bounds) => self.variable(bounds.start, span),
            None => usize_literal(0, span),
        };
        [start, self.length_of_slice(slice, span)]
    }

    /// The variables of the bounds of a slice that is assigned others.
    pub(super) fn assigned_bounds(&self, variable: &Expr) -> Option<[tree::LocalId; 2]> {
        let Some(slice) = self.named_slice(bare(variable)) else {
            return self.deferred_bounds(variable);
        };
        let bounds = slice.part.filter(|_| slice.changes)?;
        Some([bounds.start, bounds.length])
    }

    /// The variables of the bounds of a slice that has none yet.
    fn deferred_bounds(&self, variable: &Expr) -> Option<[tree::LocalId; 2]> {
        match self.resolved(bare(variable))? {
            Resolved::Local(local) => self.deferred.get(&local).copied(),
            _ => None,
        }
    }

    /// Has a name without a slice stand for one of its own bounds.
    pub(super) fn first_slice(&mut self, variable: &Expr, slice: Slice) {
        if let Some([start, length]) = self.deferred_bounds(variable)
            && let Some(Resolved::Local(local)) = self.resolved(bare(variable))
        {
            let (part, changes) = (Some(Bounds { start, length }), true);
            let slice = Slice {
                part,
                changes,
                ..slice
            };
            self.frame.slices.entry(local).or_insert(slice);
        }
    }

    fn named_slice(&self, expr: &Expr) -> Option<Slice> {
        match self.resolved(expr)? {
            Resolved::Local(local) => self.frame.slices.get(&local).cloned(),
            _ => None,
        }
    }

    /// `slice[index]`, unless the slice is of what is no place.
    pub(super) fn element_of_slice(
        &mut self,
        index: &ExprIndex,
        ty: tree::Type,
    ) -> Option<tree::Place> {
        let mut statements = Vec::new();
        let slice = self.slice_in_place(&index.expr, &mut statements)?;
        Some(self.element_at(slice, index, ty, statements))
    }

    /// `slice[index]` of what is no place.
    pub(super) fn element_of_slice_of_value(
        &mut self,
        index: &ExprIndex,
        ty: tree::Type,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let slice = self.slice(&index.expr, &mut statements);
        let element = self.element_at(slice, index, ty, Vec::new());
        sequence(statements, load(element))
    }

    /// An element of a slice, whose index `statements` come before.
    fn element_at(
        &mut self,
        slice: Slice,
        index: &ExprIndex,
        ty: tree::Type,
        mut statements: Vec<tree::Statement>,
    ) -> tree::Place {
        let span = self.span(index);
        let mut at = self.expr(&index.index);
        if let Some(bounds) = slice.part {
            let position = self.kept(at, "position", &mut statements);
            let length = self.variable(bounds.length, span);
            let is_there = binary(BinaryOp::Lt, position.clone(), length.clone());
            let fault = self.said(
                "index out of bounds: the length is {0} but the index is {1}",
                vec![length, position.clone()],
                span,
            );
            statements.push(when(not(is_there.clone()), fault));
            let there = self.within_slice(&slice, position);
            let nowhere = binary(
                BinaryOp::Sub,
                usize_literal(0, span),
                usize_literal(1, span),
            );
            at = choice(is_there, there, nowhere);
        }
        slice.of.element(sequence(statements, at), ty, span)
    }

    /// The element of a slice at a position that is in it.
    pub(super) fn element_within(&self, slice: &Slice, position: tree::Expr) -> tree::Place {
        let ty = slice.of.element_type(&self.locals);
        let span = position.span;
        let at = self.within_slice(slice, position);
        slice.of.clone().element(at, ty, span)
    }

    /// `slice.len()`
    pub(super) fn slice_length(&mut self, of: &Expr, span: tree::Span) -> tree::Expr {
        let mut statements = Vec::new();
        let slice = self.slice(of, &mut statements);
        let length = self.length_of_slice(&slice, span);
        sequence(statements, length)
    }

    /// The position in the array of one that is in the slice.
    fn within_slice(&self, slice: &Slice, position: tree::Expr) -> tree::Expr {
        match slice.part {
            Some(bounds) => {
                let start = self.variable(bounds.start, position.span);
                binary(BinaryOp::Add, start, position)
            }
            None => position,
        }
    }

    pub(super) fn length_of_slice(&mut self, slice: &Slice, span: tree::Span) -> tree::Expr {
        let array = match (slice.part, &slice.of) {
            (Some(bounds), _) => return self.variable(bounds.length, span),
            (None, Whole::View(view)) => return self.length_of_view(*view, span),
            (None, Whole::Array(array)) => array,
            (None, Whole::Kept(_)) => unreachable!("it has bounds"),
        };
        match array.ty {
            tree::Type::Array(_, tree::Len::Literal(length)) => usize_literal(length, span),
            tree::Type::Array(_, tree::Len::Const(id)) => tree::Expr {
                kind: ExprKind::Const(id),
                ty: tree::Type::USIZE,
                span,
            },
            _ => unreachable!("inference makes slices of arrays"),
        }
    }

    fn length_of_view(&mut self, view: tree::LocalId, span: tree::Span) -> tree::Expr {
        let extent = tree::Expr {
            kind: ExprKind::ViewExtent(view),
            ty: tree::Type::Extent(1),
            span,
        };
        self.extent_size(extent, span)
    }

    /// A part of a slice. One that is not within it is a fault, and empty.
    fn part_of(
        &mut self,
        whole: Slice,
        range: &ExprRange,
        place: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> Slice {
        if range.start.is_none() && range.end.is_none() {
            return whole;
        }
        let span = self.span(place);
        let start = range.start.as_ref().map(|start| self.expr(start));
        let start = start.map(|start| self.kept(start, "start", statements));
        let end = range.end.as_ref().map(|end| self.expr(end));
        let end = end.map(|end| self.kept(end, "end", statements));
        let length = self.length_of_slice(&whole, span);
        let is_closed = matches!(range.limits, RangeLimits::Closed(_));
        let after = match (&end, is_closed) {
            (Some(last), true) => {
                let after = binary(BinaryOp::Add, last.clone(), usize_literal(1, span));
                self.kept(after, "end", statements)
            }
            (Some(end), false) => end.clone(),
            (None, _) => length.clone(),
        };
        let first = start.clone().unwrap_or_else(|| usize_literal(0, span));
        // The start is at most the end, and the end is within the slice.
        let mut holds: Option<tree::Expr> = None;
        if start.is_some() {
            holds = Some(binary(BinaryOp::Le, first.clone(), after.clone()));
        }
        if let Some(end) = end {
            let op = if is_closed {
                BinaryOp::Lt
            } else {
                BinaryOp::Le
            };
            let is_within = binary(op, end, length.clone());
            holds = Some(match holds {
                Some(holds) => lazy(LazyOp::And, holds, is_within),
                None => is_within,
            });
        }
        let Some(holds) = holds else { return whole };
        let holds = self.kept(holds, "holds", statements);
        let fault = self.said(
            "range out of bounds: {0}..{1} of a slice of length {2}",
            vec![first.clone(), after.clone(), length],
            span,
        );
        statements.push(when(not(holds.clone()), fault));
        let zero = || usize_literal(0, span);
        let size = binary(BinaryOp::Sub, after, first.clone());
        let size = choice(holds.clone(), size, zero());
        let length = self.named("length", size, statements);
        let first = choice(holds, first, zero());
        let first = match whole.part {
            Some(of) => binary(BinaryOp::Add, self.variable(of.start, span), first),
            None => first,
        };
        let start = self.named("start", first, statements);
        Slice {
            part: Some(Bounds { start, length }),
            changes: false,
            ..whole
        }
    }

    /// A fault in these words.
    fn said(&self, format: &str, operands: Vec<tree::Expr>, span: tree::Span) -> tree::Statement {
        tree::Statement::Expr(tree::Expr {
            kind: ExprKind::Message(tree::Message {
                kind: Told::Fault.kind(),
                format: format.into(),
                operands,
            }),
            ty: tree::Type::Unit,
            span,
        })
    }

    fn variable(&self, local: tree::LocalId, span: tree::Span) -> tree::Expr {
        load(local_place(local, tree::Type::USIZE, span))
    }

    /// Whether an expression has the type of a slice.
    pub(super) fn is_slice(&self, expr: &Expr) -> bool {
        matches!(self.frame.function.typed.ty(expr).target(), Ty::Slice(_))
    }
}

/// What a reference refers to, or what is behind one.
fn referred(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Reference(reference) => Some(&reference.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => Some(&unary.expr),
        _ => None,
    }
}

/// The slice, or array, and the range of `slice[range]`.
fn ranged(expr: &Expr) -> Option<(&Expr, &ExprRange)> {
    match expr {
        Expr::Index(index) => match bare(&index.index) {
            Expr::Range(range) => Some((&index.expr, range)),
            _ => None,
        },
        _ => None,
    }
}
