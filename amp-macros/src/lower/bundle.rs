//! Structs with views: taken apart, so that the compiler core sees their parts alone.
//!
//! A kernel's parameter becomes one for each of its parts. A helper that takes a bundle is
//! put where it is called, with the caller's parts in the stead of its own.

use amp_spirv::tree;
use syn::{Expr, UnOp};

use super::{
    FnLower,
    frame::{Frame, Part},
    local_place,
};
use crate::infer::{FunctionDef, Program, Resolved, Ty};

/// The bundle that a parameter takes, by value or by reference.
pub(super) fn taken(ty: &Ty) -> Option<usize> {
    match ty.target() {
        Ty::Bundle(index) => Some(*index),
        _ => None,
    }
}

/// How many parameters a bundle becomes.
fn count(program: &Program, index: usize) -> u32 {
    let fields = &program.structs[index].fields;
    let count = |(_, ty): &(String, Ty)| match ty {
        Ty::Bundle(inner) => count(program, *inner),
        _ => 1,
    };
    fields.iter().map(count).sum()
}

/// How many parameters those of a function become.
pub(super) fn params(program: &Program, function: &FunctionDef) -> u32 {
    let count = |ty: &Ty| taken(ty).map_or(1, |index| count(program, index));
    function.params.iter().map(|param| count(&param.ty)).sum()
}

impl FnLower<'_, '_> {
    /// Declares the parameters of a function that is not put elsewhere.
    pub(super) fn declare_params(&mut self) {
        let function = self.frame.function;
        for (position, param) in function.params.iter().enumerate() {
            let own = tree::LocalId(position as u32);
            let span = self.spans.add(function.typed.locals[position].span);
            let name = param.ident.to_string();
            match taken(&param.ty) {
                Some(index) => {
                    let parts = self.declare_parts(&name, index, span);
                    self.frame.bundles.insert(own, parts);
                }
                None => {
                    let ty = self.consts.ty(&param.ty);
                    let param = self.declare_param(name, ty, span);
                    self.frame.params.insert(own, param);
                }
            }
        }
    }

    fn declare_param(&mut self, name: String, ty: tree::Type, span: tree::Span) -> tree::LocalId {
        self.locals.push(tree::Local { name, ty, span });
        tree::LocalId(self.locals.len() as u32 - 1)
    }

    fn declare_parts(&mut self, name: &str, index: usize, span: tree::Span) -> Part {
        let program = self.program;
        let fields = program.structs[index].fields.iter();
        let parts = fields.map(|(field, field_ty)| {
            let name = format!("{name}.{field}");
            if let Ty::Bundle(inner) = field_ty {
                return self.declare_parts(&name, *inner, span);
            }
            let ty = self.consts.ty(field_ty);
            let local = self.declare_param(name, ty.clone(), span);
            match field_ty {
                Ty::View(_) => Part::View(local),
                _ => Part::Value(local_place(local, ty, span)),
            }
        });
        Part::Bundle(index, parts.collect())
    }

    /// What an expression names, if that is a bundle or a part of one.
    pub(super) fn part(&mut self, expr: &Expr) -> Option<Part> {
        if self.frame.bundles.is_empty() {
            return None;
        }
        let mut part = part_of(&self.frame, self.program, expr)?;
        if let Part::Value(place) = &mut part {
            place.span = self.span(expr);
        }
        Some(part)
    }

    /// The bundle that is passed as an argument.
    pub(super) fn passed_bundle(&mut self, argument: &Expr) -> Part {
        let named = match argument {
            Expr::Reference(reference) => &reference.expr,
            other => other,
        };
        match self.part(named) {
            Some(part) => part,
            None => unreachable!("inference lets only named bundles through"),
        }
    }
}

fn part_of(frame: &Frame, program: &Program, expr: &Expr) -> Option<Part> {
    match expr {
        Expr::Paren(paren) => part_of(frame, program, &paren.expr),
        Expr::Group(group) => part_of(frame, program, &group.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            part_of(frame, program, &unary.expr)
        }
        Expr::Path(_) => match frame.function.typed.of(expr).path? {
            Resolved::Local(local) => frame.bundles.get(&local).cloned(),
            _ => None,
        },
        Expr::Field(field) => {
            let Part::Bundle(index, parts) = part_of(frame, program, &field.base)? else {
                return None;
            };
            let (position, _) = program.field(index, &field.member)?;
            parts.into_iter().nth(position)
        }
        _ => None,
    }
}
