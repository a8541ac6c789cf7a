//! Blocks and statements.

use amp_spirv::{diagnostic::Code, tree::TileStaticId};
use syn::{Attribute, Block, Expr, Local, Meta, Pat, Stmt, Type};

use super::{
    context::FnCx,
    kept, kept_slice, reference,
    ty::{Kind, Ty},
    typed::{Resolved, Variable},
};
use crate::{
    attribute::choice_of,
    iterate, message,
    report::Locate,
    sugar::{is_of_matches, range_method::is_of_contains},
};

impl FnCx<'_> {
    /// Type of a block.
    pub fn block(&mut self, block: &Block) -> Ty {
        self.scopes.enter();
        let outside = self.names.clone();
        let hidden = self.block_constants(block);
        self.nested_functions(block);
        let mut completes = true;
        let mut value = None;
        for (i, statement) in block.stmts.iter().enumerate() {
            let last = i + 1 == block.stmts.len();
            match statement {
                Stmt::Local(local) => completes &= self.local(local),
                Stmt::Item(item) => self.item(item),
                Stmt::Macro(mac) => self.macro_call(&mac.mac),
                Stmt::Expr(Expr::Verbatim(empty), Some(_)) if empty.is_empty() => {}
                Stmt::Expr(expr, None) if last => {
                    let ty = self.expr(expr);
                    let ty = self.slice_as_value(expr, ty);
                    completes &= self.unifier.shallow(&ty) != Ty::Never;
                    value = Some(ty);
                }
                Stmt::Expr(expr, semicolon) => {
                    let ty = self.expr(expr);
                    completes &= self.unifier.shallow(&ty) != Ty::Never;
                    match semicolon {
                        Some(_) => self.check_statement(expr, &ty),
                        None => {
                            self.expect(&ty, &Ty::Unit, expr);
                        }
                    }
                }
            }
        }
        self.scopes.leave();
        self.names = outside;
        self.arguments.lengths.extend(hidden);
        match value {
            Some(ty) if completes => ty,
            // What stands after a jump does not matter, but its type must agree.
            Some(ty)
                if self.unifier.shallow(&ty) != Ty::Never
                    && self.unifier.shallow(&ty) != Ty::Unit =>
            {
                ty
            }
            _ if completes => Ty::Unit,
            _ => Ty::Never,
        }
    }

    /// A `let`; false if its initialiser never completes.
    fn local(&mut self, local: &Local) -> bool {
        let mut attributes = local.attrs.iter();
        let is_tile_static = |attribute: &&Attribute| attribute.path().is_ident("tile_static");
        if let Some(attribute) = attributes.find(is_tile_static) {
            self.tile_static(local, attribute);
            return true;
        }
        let annotation = match &local.pat {
            Pat::Type(typed) => Some(&*typed.ty),
            _ => None,
        };
        let (pattern, written) = match &local.pat {
            Pat::Type(typed) => {
                let ty = match &*typed.ty {
                    Type::Reference(reference) => reference::parameter(reference, self),
                    ty => match kept::option(ty, self) {
                        Some(option) => option,
                        None => self.read_type(ty),
                    },
                };
                (&*typed.pat, Some(ty))
            }
            pattern => (pattern, None),
        };
        let mut completes = true;
        let ty = match &local.init {
            Some(init)
                if let (Expr::Closure(closure), None, Pat::Ident(_)) =
                    (&*init.expr, &written, pattern) =>
            {
                self.closure(&init.expr, closure, None)
            }
            Some(init) => {
                match &written {
                    Some(written) => self.expects_slices(&init.expr, written),
                    None => self.expects_chosen_slice(&init.expr),
                }
                let found = match &*init.expr {
                    Expr::Reference(reference) => self.borrowed(&init.expr, reference),
                    value => match init.diverge.as_ref().and_then(|_| self.side_by_side(value)) {
                        Some(side_by_side) => side_by_side,
                        None => self.expr(value),
                    },
                };
                completes = self.unifier.shallow(&found) != Ty::Never;
                let kept = match init.diverge {
                    None => {
                        let slice = written.as_ref().unwrap_or(&found);
                        self.kept_in_variable(pattern, &init.expr, &found, slice)
                    }
                    Some(_) => None,
                };
                match written {
                    written if let Some(kept) = kept => {
                        if let Some(written) = written {
                            let element = kept.parts().next().cloned().unwrap_or(Ty::Error);
                            let slice = Ty::Slice(Box::new(element));
                            self.expect(&slice, written.target(), &init.expr);
                        }
                        kept
                    }
                    Some(written) => {
                        if !self.coerce(&found, &written, &init.expr)
                            && let Some(annotation) = annotation
                        {
                            self.report.note(annotation, "the variable has this type");
                        }
                        self.tell_components(&init.expr, &written);
                        written
                    }
                    None if self.names_view(pattern, init) => found,
                    None if self.is_kept_reference(&init.expr) => found,
                    None => self.storable(found, &init.expr),
                }
            }
            None => match (written, pattern) {
                (Some(written), _) => written,
                (None, _) => self.unifier.fresh(Kind::Any),
            },
        };
        if let Some(choice) = local.attrs.iter().find_map(choice_of)
            && let Some(init) = &local.init
        {
            let first = self
                .choices
                .entry(choice)
                .or_insert_with(|| ty.clone())
                .clone();
            self.expect(&ty, &first, &init.expr);
        }
        if local.init.is_none() && !matches!(pattern, Pat::Ident(_)) {
            self.report.error_help(
                Code::UnsupportedPattern,
                pattern,
                "a pattern without a value",
                "write `let (a, b) = value;`",
            );
            self.declare_lost(pattern);
            return completes;
        }
        match local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            Some((_, otherwise)) => {
                self.diverging_else(otherwise);
                self.case(pattern, &ty);
            }
            None => match &local.init {
                Some(init) if let Ty::Reference { .. } = self.unifier.shallow(&ty) => {
                    self.named_reference(pattern, &ty, &init.expr);
                }
                _ => self.pattern(pattern, &ty),
            },
        }
        if let (None, Pat::Ident(name)) = (&local.init, pattern) {
            self.deferred(name);
        }
        completes
    }

    /// The type of a value as a variable keeps it.
    pub fn storable(&mut self, ty: Ty, place: impl Locate) -> Ty {
        match self.unifier.shallow(&ty) {
            Ty::View(_) => {
                self.report.error_help(
                    Code::ViewValue,
                    place,
                    "this view cannot be kept in a variable",
                    "`let` names what a method of a view makes: `let row = a.row(i);`",
                );
                Ty::Error
            }
            Ty::Slice(_) => self.slice_value(place),
            Ty::Bundle(_) => {
                self.report.error_help(
                    Code::ViewValue,
                    place,
                    "a struct with views cannot be kept in a variable",
                    "use its fields where they are needed, or pass it to an `#[amp_fn]`",
                );
                Ty::Error
            }
            Ty::Barrier => {
                self.report.error_help(
                    Code::UnsupportedType,
                    place,
                    "a tile barrier cannot be kept in a variable",
                    "call it where it stands: `t_idx.barrier.wait()`",
                );
                Ty::Error
            }
            Ty::Reference { .. } => {
                self.report.error_help(
                    Code::Reference,
                    place,
                    "a reference that is not written as one cannot be kept in a variable",
                    "name one place, `let r = &x;`, and choose between places by their values or \
                     their indices",
                );
                Ty::Error
            }
            Ty::Closure(_) => self.not_a_closure(place, ty),
            // A fresh variable: whatever the name is used as agrees with `!`.
            Ty::Never => self.unifier.fresh(Kind::Any),
            other => other,
        }
    }

    fn tile_static(&mut self, local: &Local, attribute: &Attribute) {
        if !self.has_tile {
            self.report.error_help(
                Code::TileStatic,
                attribute,
                "`#[tile_static]` in a function without a tile",
                "take a `TiledIndex` as first parameter of the kernel, and pass it on to helpers",
            );
        }
        let argument = match &attribute.meta {
            Meta::Path(_) => None,
            Meta::List(list) => Some(list.delimiter.span().join()),
            Meta::NameValue(value) => Some(value.eq_token.span),
        };
        if let Some(argument) = argument {
            self.report.error_help(
                Code::AttributeArgument,
                argument,
                "`#[tile_static]` does not know this argument",
                "write `#[tile_static]`",
            );
        }
        if let Some(init) = &local.init {
            self.report.error_help(
                Code::TileStatic,
                &init.expr,
                "a tile_static variable has no initialiser: all threads of the tile would run it",
                "declare it as `#[tile_static] let mut x: [f32; 16];`, let the threads write it, then wait",
            );
        }
        let Pat::Type(typed) = &local.pat else {
            // The help about the initialiser shows the type.
            if local.init.is_none() {
                self.report.error_help(
                    Code::TileStatic,
                    &local.pat,
                    "a tile_static variable needs a type",
                    "write `#[tile_static] let mut x: [f32; 16];`",
                );
            }
            return self.declare_lost(&local.pat);
        };
        let Pat::Ident(ident) = &*typed.pat else {
            self.report.error_help(
                Code::TileStatic,
                &typed.pat,
                "a tile_static variable is a single name",
                "write `#[tile_static] let mut x: [f32; 16];`",
            );
            return self.declare_lost(&local.pat);
        };
        if ident.mutability.is_none() {
            self.report.error_help(
                Code::TileStatic,
                ident,
                "a tile_static variable that is not `mut` can never be written",
                format!("write `let mut {}`", ident.ident),
            );
        }
        let ty = self.read_type(&typed.ty);
        let ty = kept_slice::refuse(&typed.ty, ty, self);
        if matches!(ty, Ty::Unit | Ty::Never | Ty::Barrier | Ty::Tiled(_)) {
            self.report.error_help(
                Code::TileStatic,
                &typed.ty,
                format!("{} cannot be tile_static", self.show(&ty)),
                "use scalars, arrays, tuples, indices and `#[amp_struct]`s",
            );
        }
        self.needs_zero(&ty, &typed.ty, "which tile memory starts with");
        let id = TileStaticId(self.typed.tile_statics.len() as u32);
        let name = ident.ident.to_string();
        self.typed.tile_statics.push(Variable {
            name: name.clone(),
            ty,
            span: ident.ident.span(),
        });
        self.typed.note(local).tile_static = Some(id);
        self.scopes.declare(&ident.ident, Resolved::TileStatic(id));
    }

    /// Attributes on statements and expressions: lint levels pass, the rest is refused.
    pub fn attribute(&mut self, attribute: &Attribute) {
        let known = [
            "allow", "expect", "warn", "deny", "forbid", "rustfmt", "doc",
        ];
        if attribute.path().is_ident("tile_static") {
            self.report.error_help(
                Code::TileStatic,
                attribute,
                "`#[tile_static]` on something that is not a `let`",
                "write `#[tile_static] let mut x: T;`",
            );
            return;
        }
        if attribute.path().is_ident("unroll") {
            self.report.error_help(
                Code::UnsupportedSyntax,
                attribute,
                "`#[unroll]` with arguments, or on something that is not a loop",
                "write `#[unroll]` before `for`, `while` or `loop`",
            );
            return;
        }
        let first = attribute
            .path()
            .segments
            .first()
            .map(|s| s.ident.to_string());
        let is_known = first.is_some_and(|name| known.contains(&name.as_str()));
        if is_known
            || is_of_matches(attribute)
            || is_of_contains(attribute)
            || iterate::is_of_halves(attribute)
            || iterate::is_repeated(attribute)
            || iterate::is_tested(attribute)
        {
            return;
        }
        let path = attribute.path();
        let (message, help) = match path.is_ident("cfg") || path.is_ident("cfg_attr") {
            true => (
                "a part of a body that is there under a condition",
                "a condition stands on statements that do something, on arms, and on two `let`s of one name or \
                 two values of a field, one of which has `not(..)`; one `let` needs a value of the name before \
                 it: elsewhere write `if cfg!(..) { .. }`, or put it on the function, and write two",
            ),
            false => (
                "this attribute has no meaning inside kernel code",
                "remove it",
            ),
        };
        self.report
            .error_help(Code::UnsupportedSyntax, attribute, message, help);
    }

    /// A macro call: kernels may only assert, panic and print, and of these calls only those
    /// come here that could not be rewritten.
    pub fn macro_call(&mut self, mac: &syn::Macro) {
        if let Some((place, message, help)) = iterate::refusal(mac) {
            self.report
                .error_help(Code::UnsupportedSyntax, place, message, help);
            return;
        }
        if let Some(Err(refusal)) = message::read(mac) {
            self.report
                .error_help(refusal.code, refusal.place, refusal.message, refusal.help);
            return;
        }
        let name = crate::language::name::path_key(&mac.path);
        let help = match name.as_str() {
            "vec" => "kernels allocate nothing; use an array of fixed length",
            "matches" => "write `matches!(value, pattern)` as an expression",
            _ => {
                "the compiler knows macros that the body, or this file before it, or a module of the crate \
                 defines, once and without `cfg`: define it there, or make it an `#[amp_fn]`"
            }
        };
        self.report.error_help(
            Code::UnsupportedSyntax,
            &mac.path,
            format!("the macro `{name}!` in a kernel"),
            help,
        );
    }
}
