//! Slices as values: what a field of the type `&[T]` has in it.
//!
//! On a device it is the number of the place whose elements they are, with where in it they start and how many
//! there are (`lower/kept_slice.rs`); the host version has Rust's own reference. It is made of a slice of what
//! only this thread uses, and is a reference where it is read. Left out are slices to write.

use amp_spirv::diagnostic::Code;
use syn::{
    Block, Expr, ExprAssign, ExprCall, ExprGroup, ExprIndex, ExprParen, ExprReference, ItemFn, Pat,
    Stmt, Type,
};

use super::{
    context::FnCx,
    names::Meaning,
    node::bare,
    program::{ParamDef, Program},
    ty::{Applied, Kind, Ty},
    type_expr::{TypeScope, read_type},
    typed::Resolved,
};
use crate::{
    attribute::{CHOOSES, has_attribute},
    ends::{chooses, each_returned},
    language::name::KEPT_SLICE,
};

const FROM_SHARED: &str = "a slice of memory that other threads may use is kept";
const SHARED_HELP: &str = "copy the elements to an array first; a function that keeps a slice which it takes, in a \
                           struct, stands in the module of the struct";

/// Refuses a type with such a slice in it where none can be.
pub fn refuse(written: &Type, ty: Ty, scope: &mut impl TypeScope) -> Ty {
    if !scope.program().holds_kept_slice(&ty) {
        return ty;
    }
    scope.report().error_help(
        Code::UnsupportedType,
        written,
        "a kernel's parameter, a constant or a tile_static variable with a reference to a slice",
        "a kernel takes a view, `&ArrayView<f32, 1>`, which the host makes of a slice: `ArrayView::new(length, slice)?`; \
         a constant is an array, `[[u32; 2]; 2]`",
    );
    Ty::Error
}

/// Whether a function returns a reference, or has to do with one that is a value: its references are Rust's own in
/// the host version.
pub fn lends(program: &Program, params: &[ParamDef], result: &Ty) -> bool {
    result.is_reference()
        || program.holds_kept(result)
        || program.holds_kept_slice(result)
        || params
            .iter()
            .any(|param| program.holds_kept_slice(&param.ty))
}

/// The type of a function's result, if that is one of several slices: of which place it is, no caller knows.
pub fn chosen(ty: &Type, item: &ItemFn, scope: &mut impl TypeScope) -> Option<Ty> {
    let is_chosen = has_attribute(&item.attrs, CHOOSES) || chooses(item);
    is_chosen.then(|| read_type(ty, scope))
}

impl Program {
    /// What the elements are of a slice that is a value.
    pub fn kept_slice<'t>(&self, ty: &'t Ty) -> Option<&'t Ty> {
        match ty {
            Ty::Struct(_, applied) if self.core_name(ty) == Some(KEPT_SLICE) => {
                applied.types.first()
            }
            _ => None,
        }
    }

    /// The type of a slice with these elements, as a value.
    pub fn kept_slice_of(&self, element: &Ty) -> Ty {
        let mut known = self.core.iter().flat_map(|core| &core.enums);
        match known.find(|(name, _)| *name == KEPT_SLICE) {
            Some((_, Meaning::Struct(of))) => Ty::Struct(
                *of,
                Applied {
                    types: vec![element.clone()],
                    ..Applied::default()
                },
            ),
            _ => Ty::Error,
        }
    }

    /// Whether a type has such a slice in it.
    pub fn holds_kept_slice(&self, ty: &Ty) -> bool {
        match ty {
            _ if self.kept_slice(ty).is_some() => true,
            Ty::Struct(index, applied) => {
                let mut fields = self.fields(*index, applied).into_iter();
                fields.any(|(_, field)| self.holds_kept_slice(&field))
            }
            _ => ty.parts().any(|part| self.holds_kept_slice(part)),
        }
    }
}

impl FnCx<'_> {
    /// The type of an expression, which is a reference if its value is a slice.
    pub fn as_slice(&mut self, expr: &Expr, ty: Ty) -> Ty {
        let found = self.unifier.shallow(&ty);
        let value = self.unifier.shallow(found.target());
        let Some(element) = self.program.kept_slice(&value).cloned() else {
            return ty;
        };
        self.typed.note(expr).is_kept_slice = true;
        Ty::Reference {
            mutable: false,
            target: Box::new(Ty::Slice(Box::new(element))),
        }
    }

    /// Whether an expression names a reference to a slice that is a value.
    pub fn is_reference_to_slice(&self, expr: &Expr) -> bool {
        let facts = self.typed.of(bare(expr));
        match facts.path {
            Some(Resolved::Local(local)) if facts.is_kept_slice => {
                let ty = &self.typed.locals[local.0 as usize].ty;
                self.unifier.shallow(ty).is_reference()
            }
            _ => false,
        }
    }

    /// Whether a name is that of a `&mut`.
    pub fn is_mutable_name(&self, name: &Expr) -> bool {
        match self.typed.of(bare(name)).path {
            Some(Resolved::Local(local)) => {
                let ty = &self.typed.locals[local.0 as usize].ty;
                matches!(
                    self.unifier.shallow(ty),
                    Ty::Reference { mutable: true, .. }
                )
            }
            _ => false,
        }
    }

    /// The type of a variable for a slice: of one that is a value, or that is assigned others, the value's.
    pub fn kept_in_variable(
        &mut self,
        pattern: &Pat,
        init: &Expr,
        found: &Ty,
        slice: &Ty,
    ) -> Option<Ty> {
        let Pat::Ident(name) = pattern else {
            return None;
        };
        let found = self.unifier.shallow(found);
        if !matches!(found, Ty::Reference { mutable: false, .. }) {
            return None;
        }
        let kept = self.kept_slice_type(&self.unifier.shallow(slice))?;
        let is_value = self.typed.of(bare(init)).is_kept_slice;
        if name.by_ref.is_some()
            || !is_value && (name.mutability.is_none() || !self.is_of_own(init))
        {
            return None;
        }
        self.keep_slice(init, &found, &kept).then_some(kept)
    }

    /// Type of `&slice`, which is the slice, or `&mut slice`, of a slice that is a value.
    pub fn borrowed_kept_slice(
        &mut self,
        argument: &Expr,
        reference: &ExprReference,
        found: &Ty,
    ) -> Option<Ty> {
        if !self.typed.of(bare(&reference.expr)).is_kept_slice {
            return None;
        }
        let ty = match reference.mutability.is_some() {
            false => found.clone(),
            true => {
                let kept = self.kept_slice_type(found)?;
                self.as_value(&reference.expr, &kept);
                if !self.lends(&reference.expr) {
                    return Some(Ty::Error);
                }
                Ty::Reference {
                    mutable: true,
                    target: Box::new(kept),
                }
            }
        };
        self.typed.note(argument).ty = Some(ty.clone());
        Some(ty)
    }

    /// Type of what a `match` takes apart, which is the value or a reference to it where it is a slice that is one.
    pub fn matched_kept_slice(&mut self, expr: &Expr, found: Ty) -> Ty {
        let Expr::Reference(reference) = expr else {
            return self.slice_as_value(expr, found);
        };
        if !self.typed.of(bare(&reference.expr)).is_kept_slice {
            return found;
        }
        let value = self.slice_as_value(&reference.expr, found);
        let ty = Ty::Reference {
            mutable: false,
            target: Box::new(value),
        };
        self.typed.note(expr).ty = Some(ty.clone());
        ty
    }

    /// Refuses to lend what other threads may use to a function that keeps a slice of it.
    pub fn check_lent_slices(&mut self, call: &Expr, ty: &Ty) {
        let arguments: Vec<&Expr> = match call {
            Expr::MethodCall(call) => std::iter::once(&*call.receiver).chain(&call.args).collect(),
            Expr::Call(call) => call.args.iter().collect(),
            _ => return,
        };
        let ty = self.unifier.deep(ty);
        if !self.program.holds_kept_slice(&ty) {
            return;
        }
        for argument in arguments {
            let is_reference = self.unifier.shallow(self.typed.ty(argument)).is_reference()
                || self.typed.of(argument).dereferenced;
            if is_reference && !self.is_of_own(argument) {
                self.report
                    .error_help(Code::Reference, argument, FROM_SHARED, SHARED_HELP);
            }
        }
    }

    /// The type of a reference to a slice as a value, if a type is one.
    pub fn kept_slice_type(&mut self, reference: &Ty) -> Option<Ty> {
        match self.unifier.shallow(reference.target()) {
            Ty::Slice(element) => self.program.core_type(KEPT_SLICE, [&*element]),
            _ => None,
        }
    }

    /// Has the values that an expression of this type may have, and their parts, become values where they are
    /// slices.
    pub fn expects_slices(&mut self, value: &Expr, wanted: &Ty) {
        let wanted = &self.unifier.shallow(wanted);
        if !self.program.holds_kept_slice(wanted) {
            return;
        }
        let node = self.typed.id(value);
        match value {
            Expr::Paren(ExprParen { expr, .. }) | Expr::Group(ExprGroup { expr, .. }) => {
                self.expects_slices(expr, wanted);
            }
            Expr::Block(block) if block.label.is_none() => {
                self.expects_at_end(&block.block, wanted)
            }
            Expr::If(branch) => {
                self.expects_at_end(&branch.then_branch, wanted);
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.expects_slices(otherwise, wanted);
                }
            }
            Expr::Match(choice) => {
                let arms = choice.arms.iter();
                arms.for_each(|arm| self.expects_slices(&arm.body, wanted));
            }
            Expr::Tuple(tuple) if let Ty::Tuple(parts) = wanted => {
                let parts = tuple.elems.iter().zip(parts);
                parts.for_each(|(part, ty)| self.expects_slices(part, ty));
                return;
            }
            Expr::Array(array) if let Ty::Array(element, _) = wanted => {
                let parts = array.elems.iter();
                parts.for_each(|part| self.expects_slices(part, element));
                return;
            }
            Expr::Repeat(repeat) if let Ty::Array(element, _) = wanted => {
                return self.expects_slices(&repeat.expr, element);
            }
            Expr::Call(call) if let Some(of) = self.case_of_core(call, wanted) => {
                let arguments = call.args.iter();
                arguments.for_each(|argument| self.expects_slices(argument, &of));
                return;
            }
            _ if self.program.kept_slice(wanted).is_some() => {
                self.wanted_slices.insert(node, Some(wanted.clone()));
                return;
            }
            _ => return,
        }
        self.wanted_slices.insert(node, None);
    }

    /// The same of what a function returns.
    pub fn expects_result(&mut self, body: &Block) {
        let result = self.result.clone();
        if self.program.holds_kept_slice(&result) {
            each_returned(body, |value| self.expects_slices(value, &result));
            self.expects_at_end(body, &result);
        }
    }

    fn expects_at_end(&mut self, block: &Block, wanted: &Ty) {
        if let Some(Stmt::Expr(end, None)) = block.stmts.last() {
            self.expects_slices(end, wanted);
        }
    }

    /// The type of what `Some`, `Ok` or `Err` is of, if a call is one of these for a value of this type.
    fn case_of_core(&self, call: &ExprCall, wanted: &Ty) -> Option<Ty> {
        let (Expr::Path(path), Ty::Struct(_, applied)) = (&*call.func, wanted) else {
            return None;
        };
        let last = path.path.segments.last()?.ident.to_string();
        let position = match (self.program.core_name(wanted)?, &*last) {
            ("Option", "Some") | ("Result", "Ok") => 0,
            ("Result", "Err") => 1,
            _ => return None,
        };
        applied.types.get(position).cloned()
    }

    /// The type of an expression that [`expects_slices`](Self::expects_slices) has met, if it has.
    pub fn wanted_slice(&mut self, expr: &Expr) -> Option<Ty> {
        let wanted = self.wanted_slices.remove(&self.typed.id(expr))?;
        let Some(wanted) = wanted else {
            return Some(self.expr_form(expr));
        };
        let found = match expr {
            Expr::Reference(reference) => self.borrowed(expr, reference),
            expr => {
                let found = self.expr_form(expr);
                let found = self.as_slice(expr, found);
                self.typed.note(expr).ty = Some(found.clone());
                found
            }
        };
        if self.unifier.shallow(&found) == Ty::Never {
            return Some(Ty::Never);
        }
        match self.coerce(&found, &wanted, expr) {
            true => Some(wanted),
            false => Some(Ty::Error),
        }
    }

    /// `place.field = slice`
    pub fn assign_kept_slice(&mut self, assign: &ExprAssign) {
        let slice = self.typed.ty(&*assign.left).clone();
        let Some(wanted) = self.kept_slice_type(&slice) else {
            return;
        };
        self.as_value(&assign.left, &wanted);
        if self.writable(&assign.left) {
            self.expects_slices(&assign.right, &wanted);
            let found = self.value(&assign.right);
            self.expect(&found, &wanted, &*assign.right);
        } else {
            self.lost(&assign.right);
        }
    }

    /// Makes a reference a value of this type; whether it has the elements.
    pub fn keep_slice(&mut self, argument: &Expr, found: &Ty, wanted: &Ty) -> bool {
        let wanted = self.unifier.shallow(wanted);
        let Some(element) = self.program.kept_slice(&wanted).cloned() else {
            return false;
        };
        let target = self.unifier.shallow(found.target());
        let agrees = match &target {
            Ty::Array(of, _) | Ty::Slice(of) => self.expect(of, &element, argument),
            _ => self.expect(found, &wanted, argument),
        };
        if !agrees {
            return false;
        }
        if self.typed.of(bare(argument)).is_kept_slice {
            self.as_value(argument, &wanted);
            return true;
        }
        if !self.is_of_own(argument) {
            self.report
                .error_help(Code::Reference, argument, FROM_SHARED, SHARED_HELP);
            return false;
        }
        self.typed.note(argument).keeps_slice = true;
        true
    }

    /// Has an expression whose value is a slice that value, instead of a reference.
    fn as_value(&mut self, expr: &Expr, ty: &Ty) {
        for node in [expr, bare(expr)] {
            let facts = self.typed.note(node);
            facts.ty = Some(ty.clone());
            facts.is_kept_slice = false;
        }
    }

    /// The type of an expression whose value is kept, which is no reference if it is a slice.
    pub fn slice_as_value(&mut self, expr: &Expr, ty: Ty) -> Ty {
        let facts = self.typed.of(bare(expr));
        if !facts.is_kept_slice || self.typed.of(expr).returned {
            return ty;
        }
        let Some(kept) = self.kept_slice_type(&ty) else {
            return ty;
        };
        self.as_value(expr, &kept);
        kept
    }

    /// Type of `&a[1..]` as a value, if an expression is written so.
    pub fn written_slice(&mut self, expr: &Expr) -> Option<Ty> {
        let Expr::Reference(reference) = expr else {
            return None;
        };
        if !is_part(reference) {
            return None;
        }
        let found = self.borrowed(expr, reference);
        let kept = self.kept_slice_type(&found)?;
        Some(match self.keep_slice(expr, &found, &kept) {
            true => kept,
            false => Ty::Error,
        })
    }

    /// Has the values of a choice become values if one of them is written as a part of a slice.
    pub fn expects_chosen_slice(&mut self, value: &Expr) {
        if matches!(value, Expr::If(_) | Expr::Match(_) | Expr::Block(_)) && ends_with_part(value) {
            let element = self.unifier.fresh(Kind::Any);
            if let Some(kept) = self.program.core_type(KEPT_SLICE, [&element]) {
                self.expects_slices(value, &kept);
            }
        }
    }
}

/// Whether a reference is written as one to a part of a slice, to read.
fn is_part(reference: &ExprReference) -> bool {
    let is_range = |index: &ExprIndex| matches!(bare(&index.index), Expr::Range(_));
    reference.mutability.is_none()
        && matches!(bare(&reference.expr), Expr::Index(index) if is_range(index))
}

/// Whether one of the values that an expression may have is written so.
fn ends_with_part(value: &Expr) -> bool {
    let at_end = |block: &Block| match block.stmts.last() {
        Some(Stmt::Expr(end, None)) => ends_with_part(end),
        _ => false,
    };
    match bare(value) {
        Expr::Reference(reference) => is_part(reference),
        Expr::Block(block) => block.label.is_none() && at_end(&block.block),
        Expr::If(branch) => {
            let otherwise = branch.else_branch.as_ref();
            at_end(&branch.then_branch) || otherwise.is_some_and(|(_, other)| ends_with_part(other))
        }
        Expr::Match(choice) => choice.arms.iter().any(|arm| ends_with_part(&arm.body)),
        _ => false,
    }
}
