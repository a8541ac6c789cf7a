//! Slices as values: where the elements start, how many there are, and the number of the place that has them.
//!
//! Only what reads an element has to know the place. While a function is lowered, that is a variable which stands
//! for the elements of a slice and is not there: in the end each read of it becomes one of the place, or, where slices
//! of several places have become values, of the one whose number the slice has. So a slice is stored, copied
//! and chosen like any value, and costs nothing where there is one place.
//!
//! A place is one of a variable, with at most one index that is not known, or a view. Left out are slices to write.

use std::collections::HashMap;
use std::ops::ControlFlow;

use amp_spirv::tree::{self, ExprKind, Projection, Root, edit::Edit};
use syn::Expr;

use super::{
    FnLower,
    forms::{NUMBER, choice, is_number, number_literal},
    load, local_place, sequence,
    slice::{Bounds, Slice},
    usize_literal,
    whole::{Kept, Whole},
};
use crate::infer::{Ty, bare};

/// The slices of a function that are values.
#[derive(Default)]
pub(super) struct KeptSlices {
    /// The places of their elements, with the type of these.
    places: Vec<(tree::Type, Whole)>,
    /// The slices that are read, by the variable that stands for the elements.
    read: HashMap<tree::LocalId, Kept>,
}

impl FnLower<'_, '_> {
    /// The type of a value, also of a slice that is one.
    pub(super) fn type_of_value(&mut self, expr: &Expr) -> tree::Type {
        let typed = &self.frame.function.typed;
        let ty = typed.ty(expr).target();
        match (typed.of(expr).is_kept_slice, ty) {
            (true, Ty::Slice(element)) => {
                let kept = self.program.kept_slice_of(element);
                self.consts.ty(&kept)
            }
            _ => self.consts.ty(ty),
        }
    }

    /// A slice that becomes a value, if an expression is one.
    pub(super) fn slice_value(&mut self, expr: &Expr) -> Option<tree::Expr> {
        if !self.frame.function.typed.of(expr).keeps_slice {
            return None;
        }
        let span = self.span(expr);
        let mut statements = Vec::new();
        let slice = self.slice(expr, &mut statements);
        let element = slice.of.element_type(&self.locals);
        let [start, length] = self.bounds_of_slice(&slice, span);
        let (of, at) = match slice.of {
            Whole::Kept(kept) => [(kept.of, NUMBER), (kept.at, tree::Type::USIZE)]
                .map(|(local, ty)| load(local_place(local, ty, span)))
                .into(),
            whole => {
                let (whole, at) = self.without_index(whole, span);
                (self.number(element, whole, span), at)
            }
        };
        let kept = self.kept_type(expr);
        let value = tree::Expr {
            kind: ExprKind::Construct(vec![of, at, start, length]),
            ty: self.consts.ty(&kept),
            span,
        };
        Some(sequence(statements, value))
    }

    /// The type of the value that a slice becomes.
    fn kept_type(&self, expr: &Expr) -> Ty {
        let target = self.frame.function.typed.ty(bare(expr)).target();
        match target {
            Ty::Slice(element) | Ty::Array(element, _) => self.program.kept_slice_of(element),
            _ => unreachable!("inference keeps slices and arrays"),
        }
    }

    /// The slice that a value is.
    pub(super) fn slice_of_value(
        &mut self,
        expr: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> Slice {
        let span = self.span(expr);
        let Ty::Slice(element) = self.frame.function.typed.ty(expr).target() else {
            unreachable!("it is a slice")
        };
        let element = self.consts.ty(element);
        let value = self.expr(expr);
        let ty = value.ty.clone();
        let whole = self.named("slice", value, statements);
        let whole = local_place(whole, ty, span);
        let names = [
            ("of", NUMBER),
            ("at", tree::Type::USIZE),
            ("start", tree::Type::USIZE),
            ("length", tree::Type::USIZE),
        ];
        let mut position = 0;
        let [of, at, start, length] = names.map(|(name, ty)| {
            let mut part = whole.clone();
            part.projections.push(Projection::Field(position));
            part.ty = ty;
            position += 1;
            self.named(name, load(part), statements)
        });
        // It is not there.
        let elements = self.temporary("elements", tree::Type::Unit, span);
        let kept = Kept {
            elements,
            element,
            of,
            at,
        };
        self.kept_slices.read.insert(elements, kept.clone());
        Slice {
            of: Whole::Kept(kept),
            part: Some(Bounds { start, length }),
            changes: false,
        }
    }

    /// The number of a place among those with elements of this type.
    fn number(&mut self, element: tree::Type, whole: Whole, span: tree::Span) -> tree::Expr {
        let is_kept = match &whole {
            Whole::Array(place) => match place.root {
                Root::Local(local) => {
                    !self.copies.contains(&local) && !self.kept_slices.read.contains_key(&local)
                }
                _ => false,
            },
            Whole::View(_) => true,
            Whole::Kept(_) => false,
        };
        if !is_kept {
            self.growth.copied.get_or_insert(span);
        }
        let known: Vec<&Whole> = self.kept_slices.of_type(&element).collect();
        let found = known.iter().position(|known| same(known, &whole));
        let number = found.unwrap_or(known.len());
        if found.is_none() {
            self.kept_slices.places.push((element, whole));
        }
        number_literal(number as u32, span)
    }

    /// A place whose one unknown index is zero, and that index.
    fn without_index(&mut self, mut whole: Whole, span: tree::Span) -> (Whole, tree::Expr) {
        let mut at = None;
        if let Whole::Array(place) = &mut whole {
            for projection in &mut place.projections {
                if let Projection::Index(index) = projection
                    && !matches!(index.kind, ExprKind::Literal(_))
                {
                    let hole = tree::Expr {
                        kind: ExprKind::Zero,
                        ..usize_literal(0, span)
                    };
                    let index = std::mem::replace(&mut **index, hole);
                    if at.replace(index).is_some() {
                        self.growth.copied.get_or_insert(span);
                    }
                }
            }
        }
        (whole, at.unwrap_or_else(|| usize_literal(0, span)))
    }

    /// Has every read of a slice that is a value read the place that has the elements.
    pub(super) fn resolve_kept_slices(&mut self, body: &mut tree::Block, params: u32) {
        let kept = std::mem::take(&mut self.kept_slices);
        if kept.read.is_empty() {
            return;
        }
        let mut reads = Reads {
            kept,
            lower: self,
            read: Vec::new(),
        };
        let _ = tree::edit::edit(body, &mut reads);
        // A place may be read outside of the loop in which a slice of it became a value.
        let declared = reads.read.into_iter().filter(|local| local.0 >= params);
        let declared = declared.map(|local| tree::Statement::Let { local, value: None });
        body.statements.splice(..0, declared);
    }
}

impl KeptSlices {
    fn of_type<'a>(&'a self, element: &'a tree::Type) -> impl Iterator<Item = &'a Whole> {
        let of_type = self.places.iter().filter(move |(ty, _)| ty == element);
        of_type.map(|(_, whole)| whole)
    }
}

/// Whether two places are one.
fn same(one: &Whole, other: &Whole) -> bool {
    let is_same = |(one, other): (&Projection, &Projection)| match (one, other) {
        (Projection::Field(one), Projection::Field(other)) => one == other,
        (Projection::Index(one), Projection::Index(other)) => match (&one.kind, &other.kind) {
            (ExprKind::Literal(one), ExprKind::Literal(other)) => one == other,
            (ExprKind::Zero, ExprKind::Zero) => true,
            _ => false,
        },
        _ => false,
    };
    match (one, other) {
        (Whole::View(one), Whole::View(other)) => one == other,
        (Whole::Array(one), Whole::Array(other)) => {
            matches!((&one.root, &other.root), (Root::Local(one), Root::Local(other)) if one == other)
                && one.projections.len() == other.projections.len()
                && one.projections.iter().zip(&other.projections).all(is_same)
        }
        _ => false,
    }
}

struct Reads<'r, 'a, 'p> {
    kept: KeptSlices,
    lower: &'r mut FnLower<'a, 'p>,
    /// The variables that are read.
    read: Vec<tree::LocalId>,
}

impl Edit for Reads<'_, '_, '_> {
    fn expr(&mut self, expr: &mut tree::Expr) -> ControlFlow<()> {
        if let ExprKind::Load(place) = &expr.kind
            && let Root::Local(elements) = place.root
            && let Some(kept) = self.kept.read.get(&elements).cloned()
        {
            *expr = self.read(&kept, place.clone());
        }
        ControlFlow::Continue(())
    }
}

impl Reads<'_, '_, '_> {
    fn read(&mut self, kept: &Kept, mut place: tree::Place) -> tree::Expr {
        let span = place.span;
        let wholes: Vec<Whole> = self.kept.of_type(&kept.element).cloned().collect();
        let mut statements = Vec::new();
        for whole in &wholes {
            if let Whole::Array(tree::Place {
                root: Root::Local(local),
                ..
            }) = whole
                && !self.read.contains(local)
            {
                self.read.push(*local);
            }
        }
        if wholes.len() > 1 {
            for projection in &mut place.projections {
                if let Projection::Index(index) = projection {
                    self.lower.once(index, &mut statements);
                }
            }
        }
        let mut value: Option<tree::Expr> = None;
        for (number, whole) in wholes.into_iter().enumerate().rev() {
            let read = load(part_of(kept, whole, &place));
            value = Some(match value {
                None => read,
                Some(others) => {
                    let is_it = is_number(kept.of, number as u32, span);
                    choice(is_it, read, others)
                }
            });
        }
        // No slice of this type has become a value: this is not reached.
        let nothing = || tree::Expr {
            kind: ExprKind::Zero,
            ty: place.ty.clone(),
            span,
        };
        sequence(statements, value.unwrap_or_else(nothing))
    }
}

/// The part of the elements' place that a place is of the variable which stands for them.
fn part_of(kept: &Kept, whole: Whole, part: &tree::Place) -> tree::Place {
    let span = part.span;
    let mut rest = part.projections.iter().cloned();
    let Some(Projection::Index(first)) = rest.next() else {
        unreachable!("what stands for elements is indexed")
    };
    let mut place = match whole {
        Whole::Array(mut place) => {
            for projection in &mut place.projections {
                if let Projection::Index(index) = projection
                    && matches!(index.kind, ExprKind::Zero)
                {
                    **index = load(local_place(kept.at, tree::Type::USIZE, span));
                }
            }
            Whole::Array(place)
        }
        whole => whole,
    }
    .element(*first, kept.element.clone(), span);
    place.projections.extend(rest);
    tree::Place {
        ty: part.ty.clone(),
        ..place
    }
}
